"""Notebook 07: hidden promises tell mistakes apart, one vote decides, groups meet the bound."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from pplab.attacks.votes import pivotal_cells
from pplab.course.check import check
from pplab.course.nb07_smooth_anonymity import (
    PROMISES,
    best_similarity,
    broken,
    least_changes,
    nine_voters,
    shelf_of_six,
    similarity,
)
from pplab.metrics.anonymity import is_k_anonymous
from pplab.papers.smooth.lemmas import lemma_5_3
from pplab.smooth.certificates import jaccard_certificates
from pplab.smooth.optimum import groupings, smooth_optimum
from tests.exercises.examples_smooth_anonymity import BEST, FIXED, LN3, VOTE
from tests.oracles import cells_in_all_worlds


def test_the_counts_are_those_of_the_lemma_by_enumeration() -> None:
    promises = dict(PROMISES)
    assert broken(promises["as printed"]) == lemma_5_3(form="printed").failures
    assert broken(promises["repaired"]) == lemma_5_3(form="repaired").failures == 0


def test_leaving_out_the_empty_copy_changes_a_count() -> None:
    counts = {name: (broken(p), broken(p, copies=range(1, 64))) for name, p in PROMISES}
    assert all(whole != part for whole, part in (counts["as printed"], counts["with a third"]))
    assert counts["repaired"] == (0, 0)


def test_exactly_one_cell_of_the_nine_is_read() -> None:
    release = nine_voters()
    assert is_k_anonymous(release.published, 3)
    found = []
    for group in range(3):
        members = np.flatnonzero(release.groups == group)
        known = np.array([release.known[int(u)] for u in members if u in release.known])
        (other,) = [u for u in members if u not in release.known]
        row = release.published[other]
        read = pivotal_cells(row, known=known, size=3)
        assert read.tolist() == cells_in_all_worlds(row, known, 3)[0].tolist()
        found += [(other, item, read[item]) for item in np.flatnonzero(read >= 0)]
    assert len(found) == 1
    assert check("07-B", found[0])


def test_the_printed_release_does_not_show_the_unknown_rows() -> None:
    lines = repr(nine_voters()).splitlines()
    assert len(lines) == 10
    assert [line.endswith("?") for line in lines[1:]] == [u in (4, 6, 8) for u in range(9)]


def test_the_best_groups_of_the_shelf_are_alone_and_meet_the_certificate() -> None:
    shelf = shelf_of_six()
    reached = []
    for groups in groupings(len(shelf), 2):
        labels = np.array([[u in group for group in groups].index(True) for u in range(6)])
        reached.append(similarity(labels))
    reached.sort()
    assert (
        reached[-1] == pytest.approx(best_similarity()) == pytest.approx(similarity(np.array(BEST)))
    )
    assert reached[-2] < 0.98 * best_similarity()
    assert best_similarity() == pytest.approx(1 / (1 + least_changes()))


def test_what_is_computed_by_hand_is_what_the_certificates_give() -> None:
    table = np.array([[1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 1]])
    entries = int(table.sum())
    found = jaccard_certificates(table, 3, effort="fast")
    forced = entries / found["nearest"] - entries
    assert check("07-N", (forced, found["columns"]))
    assert float(smooth_optimum(table, 3).jaccard) < entries / (entries + forced)


def test_the_level_of_a_vote_is_exact_at_the_edges_of_its_tolerance() -> None:
    assert check("07-O", (VOTE, LN3 * 1.005, FIXED))
    assert not check("07-O", (VOTE, LN3 * 1.007, FIXED))
    assert not check("07-O", (VOTE, LN3 * 0.993, FIXED))
    lopsided = (Fraction(1, 2), Fraction(1, 2), Fraction(3, 4), Fraction(15, 16))
    assert check("07-O", (lopsided, math.log(4), FIXED))  # the zeros decide, not the ones
