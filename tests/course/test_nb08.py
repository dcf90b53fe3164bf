"""Notebook 08: mutated copies, orders and hidden chunks that tell mistakes apart."""

from __future__ import annotations

import numpy as np
import pytest

from pplab.course.check import check
from pplab.course.nb08_smooth_anonymity_experiments import (
    AHEAD,
    COPIES,
    CREATED,
    GAP,
    JACCARD,
    LOSS,
    LOST,
    SIZE,
    K,
    families,
    jaccard_in_chunks,
)
from pplab.metrics.anonymity import is_smooth_k_anonymous
from pplab.papers.smooth import paper
from pplab.smooth.anonymize import smooth_k_anonymize
from tests.course.examples_nb08 import TEN, at_random, by_hashes


def test_the_row_of_the_identity_is_the_printed_one() -> None:
    printed = paper.TABLE_3["stochastic", "smooth"]
    assert printed[:2] == pytest.approx((100 * JACCARD, 100 * LOST))
    assert pytest.approx(printed[2], abs=0.2) == 100 * CREATED


def test_the_copies_are_of_both_kinds_and_each_has_its_own_hint() -> None:
    verdicts = [is_smooth_k_anonymous(copy.original, copy.published, copy.k) for copy in COPIES]
    assert 3 <= sum(verdicts) <= len(verdicts) - 3
    assert len({copy.hint for copy in COPIES}) == len(COPIES)


def test_the_default_loses_on_the_example_and_not_by_a_bad_draw() -> None:
    ours, recipe = np.array(list(TEN.values())).T
    assert recipe.mean() - ours.mean() > 2 * GAP
    assert (recipe > ours).sum() > AHEAD


@pytest.mark.parametrize("seed", range(4))
def test_hashes_keep_families_together_whatever_the_seed(seed: int) -> None:
    table = families()
    assert table.any(axis=1).all()
    whole = smooth_k_anonymize(table, K, method="paper", rng=1).jaccard
    assert jaccard_in_chunks(table, by_hashes(table, SIZE, seed=seed)) > (1 - LOSS) * whole
    assert jaccard_in_chunks(table, at_random(table, SIZE)) < 0.5 * whole


def test_a_student_may_change_what_it_is_given() -> None:
    def careless(table: np.ndarray, size: int) -> np.ndarray:
        number = by_hashes(table, size)
        table[:] = 0
        return number

    assert check("08-D", careless)
    assert check("08-D", careless)
