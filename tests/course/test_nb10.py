"""Notebook 10: hidden releases, a watched study, single fits held against the stored search."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from pplab.course import nb10_microaggregation_experiments as conventions
from pplab.course.check import check
from pplab.course.nb10_microaggregation_experiments import DIRECTIONS, _releases
from pplab.ledger.results import Result, read_result, write_result
from pplab.metrics.risk import disclosure_risk
from pplab.microaggregation.microaggregate import complete
from pplab.microaggregation.noise import gaussian_noise
from pplab.papers.microaggregation import paper
from tests.course.examples import complaints

WAYS = ("original-to-protected", "protected-to-original")
SCALE: Any = {"rating_range": (1, 5)}
Misfits = dict[str, float]
Pairs = list[tuple[float, float]]


def misfits(
    original: np.ndarray, protected: np.ndarray, printed: float, ties: str = "expected"
) -> Misfits:
    risks = {
        way: disclosure_risk(original, protected, direction=way, ties=ties).mean() for way in WAYS
    }
    return {way: 100 * float(risk) - printed for way, risk in risks.items()}


def winner(*release: Any) -> str:
    found = misfits(*release)
    return min(found, key=lambda way: abs(found[way]))


def changed_places(*release: Any) -> Misfits:
    found = misfits(*release)
    return {way: found[other] for way, other in zip(WAYS, WAYS[::-1], strict=True)}


def plain_risks(original: np.ndarray, protected: np.ndarray, _printed: float) -> Misfits:
    return misfits(original, protected, 0.0)


def as_shares(original: np.ndarray, protected: np.ndarray, printed: float) -> Misfits:
    return {way: risk / 100 - printed for way, risk in plain_risks(original, protected, 0).items()}


def by_first(original: np.ndarray, protected: np.ndarray, printed: float) -> Misfits:
    return misfits(original, protected, printed, ties="first")


def each(change: Any) -> Any:
    return lambda *release: {way: change(gap) for way, gap in misfits(*release).items()}


def fair(fix_rule: Any, run: Any) -> bool:
    def rule(pairs: Pairs) -> bool:
        return all(changed < classic for classic, changed in pairs)

    fix_rule(rule)
    return rule(run())


def fair_array(fix_rule: Any, run: Any) -> Any:
    def rule(pairs: Pairs) -> Any:
        classic, changed = np.array(pairs).T
        return (classic > changed).all()

    fix_rule(rule)
    return rule(run())


def by(rule: Any) -> Any:
    def study(fix_rule: Any, run: Any) -> Any:
        fix_rule(rule)
        return rule(run())

    return study


def rule_late(fix_rule: Any, run: Any) -> bool:
    pairs = run()
    fix_rule(lambda pairs: all(changed < classic for classic, changed in pairs))
    return all(changed < classic for classic, changed in pairs)


def two_rules(fix_rule: Any, run: Any) -> bool:
    fix_rule(lambda pairs: all(changed < classic for classic, changed in pairs))
    return fair(fix_rule, run)


def never_run(fix_rule: Any, _run: Any) -> bool:
    fix_rule(lambda _: True)
    return True


def no_rule(_fix_rule: Any, run: Any) -> bool:
    return all(changed < classic for classic, changed in run())


def mean_gain(pairs: Pairs) -> bool:
    return sum(classic - changed for classic, changed in pairs) > 0


def no_worse(pairs: Pairs) -> bool:
    return all(changed <= classic for classic, changed in pairs)


def nearly_all(pairs: Pairs) -> bool:
    return sum(changed < classic for classic, changed in pairs) >= 0.9 * len(pairs)


def by_much(pairs: Pairs) -> bool:
    return all(changed < 0.99 * classic for classic, changed in pairs)


def upside_down(pairs: Pairs) -> bool:
    return all(changed > classic for classic, changed in pairs)


Tables = tuple[np.ndarray, np.ndarray]


def two_completions(ratings: sparse.csr_array, sigma: float) -> Tables:
    noisy = gaussian_noise(
        ratings, sigma=sigma, impute="item-mean", rounding="nearest", rng=1, **SCALE
    )
    return complete(ratings, impute="item-median", **SCALE), noisy.protected


def as_described(ratings: sparse.csr_array, sigma: float) -> Tables:
    noisy = gaussian_noise(ratings, sigma=sigma, rng=1, **SCALE)
    return noisy.completed, noisy.protected


def without_noise(ratings: sparse.csr_array, _sigma: float) -> Tables:
    full = complete(ratings, impute="item-mean", **SCALE)
    return full, np.rint(full)


def gaps_left(ratings: sparse.csr_array, sigma: float) -> Tables:
    return np.where(ratings.toarray() > 0, 1.0, np.nan), as_described(ratings, sigma)[1]


ROUNDED = "midpoint, rounded, truncated, noise on z-scores"


def not_callable(fix_rule: Any, run: Any) -> bool:
    fix_rule(True)
    return bool(run())


def no_verdict(fix_rule: Any, run: Any) -> float:
    fix_rule(lambda _: True)
    return float(len(run()))


RIGHT: list[tuple[str, Any]] = [
    ("10-R", "search-shown"),
    ("10-R", " Search shown "),
    ("10-C", 35.675),
    ("10-C", 35.7),
    ("10-C", Fraction(1427, 40)),
    ("10-P", misfits),
    ("10-B", (ROUNDED, 1.5, 1.25)),
    ("10-B", [ROUNDED, np.float64(1.5), 1.75]),
    ("10-D", fair),
    ("10-D", fair_array),
    ("10-O", two_completions),
]

WRONG: list[tuple[str, Any, str]] = [
    ("10-R", "one-try", "List the conventions"),
    ("10-R", "never", "what has been excluded"),
    ("10-R", "authors-agree", "repeat it"),
    ("10-C", 71, "square sigma"),
    ("10-C", 71.35, "square sigma"),
    ("10-C", 100.9, "No root"),
    ("10-C", 8.92, "half this sigma"),
    ("10-C", 35_675, "thousands"),
    ("10-P", winner, "the loser"),
    ("10-P", lambda *release: misfits(*release)[WAYS[0]], "the loser"),
    ("10-P", lambda *release: {WAYS[0]: misfits(*release)[WAYS[0]]}, "the loser"),
    ("10-P", changed_places, "changed places"),
    ("10-P", plain_risks, "subtract"),
    ("10-P", as_shares, "times 100"),
    ("10-P", each(lambda gap: gap / 100), "times 100"),
    ("10-P", each(lambda gap: -gap), "measured minus printed"),
    ("10-P", each(abs), "Keep the sign"),
    ("10-P", each(lambda gap: round(gap, 2)), "Keep all digits"),
    ("10-P", by_first, "leave ties to chance"),
    ("10-B", (ROUNDED, 1.5), "next sigma"),
    ("10-B", (ROUNDED, 1.25, 1.5), "other way round"),
    ("10-B", (ROUNDED, 0.25, 0.5), "not yet a fit"),
    ("10-B", (ROUNDED, 1.5, 4), "Take a neighbour"),
    ("10-D", rule_late, "after the run"),
    ("10-D", no_rule, "No rule was fixed"),
    ("10-D", never_run, "Nothing was run"),
    ("10-D", two_rules, "which one counts"),
    ("10-D", lambda fix_rule, run: not fair(fix_rule, run), "not the one of the fixed rule"),
    ("10-D", by(mean_gain), "signs do not"),
    ("10-D", by(nearly_all), "no exception at all"),
    ("10-D", by(by_much), "A narrow win"),
    ("10-D", by(no_worse), "a tie speaks against"),
    ("10-D", by(upside_down), "Smaller is better"),
    ("10-D", by(lambda _: False), "never satisfied"),
    ("10-O", "There must be a bug.", "what differs at sigma = 0"),
    ("10-O", as_described, "What differs"),
    ("10-O", without_noise, "add the noise"),
    ("10-P", lambda *_: {"there": 1, "back": 2}, "the names must be"),
    ("10-P", lambda *_: [1, 2], "give a dict"),
    ("10-P", lambda *_: dict.fromkeys(DIRECTIONS, "high"), "wants a number"),
    ("10-D", not_callable, "wants a function of the pairs"),
    ("10-D", no_verdict, "True or False"),
    ("10-D", lambda _: True, "TypeError"),
    ("10-O", gaps_left, "fill the gaps"),
    ("10-O", lambda *_: 246, "two full tables"),
    ("10-O", lambda *_: ("a", "b"), "arrays of numbers"),
    ("10-O", lambda *_: (np.ones(3), np.ones(3)), "shape of ratings"),
]

SECRETS = [("10-R", "search-shown"), ("10-C", "35.7"), ("10-C", "35.675"), ("10-B", "1.5, 1.25")]


def test_answers_are_judged() -> None:
    assert complaints("10", RIGHT, WRONG, SECRETS) == []


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
