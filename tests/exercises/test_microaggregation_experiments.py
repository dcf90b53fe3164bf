"""Notebook 10: hidden releases, a watched study, single fits held against the stored search."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pplab.course import nb10_microaggregation_experiments as conventions
from pplab.course.check import check
from pplab.course.nb10_microaggregation_experiments import DIRECTIONS, _releases
from pplab.ledger.results import Result, read_result, write_result
from pplab.papers.microaggregation import paper
from tests.exercises.examples_microaggregation_experiments import ROUNDED, misfits, two_completions


@pytest.fixture
def search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A stored search with one convention: it fits at 1.5, and at 2 nearly."""
    rows = []
    for sigma, printed in zip(paper.SIGMA, paper.TABLE_2_SSE, strict=True):
        factor = {1.5: 1.01, 1.75: 1.05}.get(sigma, 1.5)
        names = dict(zip(conventions.CHOICES, ROUNDED.split(", "), strict=True))
        row = {"quantity": "sse", "sigma": float(sigma), "value": factor * printed}
        rows.append(names | row | {"printed": printed})
    blank: Any = {"options": {}, "checksums": {}, "versions": {}, "rules_commit": "", "rules": {}}
    head: Any = {"paper": "microaggregation", "part": "noise_conventions", "source": "real"}
    write_result(Result(**head, seed=1, seconds=1.0, rows=rows, **blank), tmp_path)
    monkeypatch.setenv("PPLAB_RESULTS", str(tmp_path))
    return ROUNDED


def test_hidden_releases_tell_the_directions_and_the_rules_for_ties_apart() -> None:
    fitted = set()
    for release in _releases():
        tables = (release.original, release.protected)
        found = {way: abs(gap) for way, gap in misfits(*tables, release.printed).items()}
        best = min(found, key=lambda way: found[way])
        assert found[best] < 0.01
        assert min(gap for way, gap in found.items() if way != best) > 5
        fitted.add(best)
        first = misfits(*tables, 0.0, ties="first")
        expected = misfits(*tables, 0.0)
        assert abs(first[DIRECTIONS[0]] - expected[DIRECTIONS[0]]) > 5
        groups = np.unique(release.protected, axis=0, return_counts=True)[1]
        assert groups.min() >= 2
    assert fitted == set(DIRECTIONS)


def test_misfits_off_by_a_tenth_of_a_point_are_caught() -> None:
    assert not check("10-P", lambda *r: {way: gap + 0.1 for way, gap in misfits(*r).items()})


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((1.5, 1.75), "next sigma"),
        ((1.75, 2), "next sigma"),
        (3, "this exercise wants"),
        (("as described", 1.5, 1.25), "word for word"),
        ((ROUNDED, 1.6, 1.5), "both sigmas"),
        ((ROUNDED, "1.5", 1.25), "wants a number"),
        ((ROUNDED, 1.5, 1.75), "by 5.0% only"),
        ((ROUNDED, 1.75, 1.5), "other way round"),
        ((ROUNDED, 1.5, 2), "Take a neighbour"),
        ((ROUNDED, 2, 2.5), "not yet a fit"),
    ],
)
def test_single_fits_are_held_against_the_search(search: str, answer: Any, words: str) -> None:
    assert check("10-B", (search, 1.5, 1.25))
    feedback = check("10-B", answer)
    assert not feedback
    assert words in feedback.message


def test_without_a_stored_search_the_command_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PPLAB_RESULTS", str(tmp_path))
    assert "pplab reproduce microaggregation" in check("10-B", (ROUNDED, 1.5, 1.25)).message


def test_the_printed_numbers_of_the_search_are_those_of_the_ledger() -> None:
    result = read_result("microaggregation", "noise_conventions")
    assert result is not None
    rows = result.frame.query("quantity == 'sse'")
    printed = pd.Series(paper.TABLE_2_SSE, index=[float(sigma) for sigma in paper.SIGMA])
    assert (rows["printed"].to_numpy() == printed[rows["sigma"]].to_numpy()).all()


def test_a_majority_is_not_always() -> None:
    def most(fix_rule: Callable[..., None], run: Callable[[], Any]) -> bool:
        def rule(pairs: Any) -> bool:
            return sum(changed < classic for classic, changed in pairs) > len(pairs) / 2

        fix_rule(rule)
        return rule(run())

    assert "signs do not" in check("10-D", most).message


def test_a_guess_may_come_as_a_list_and_prints_the_rubric() -> None:
    feedback = check("10-O", lambda *given: [*two_completions(*given)])
    assert feedback
    assert feedback.message.count("\n") == 3
