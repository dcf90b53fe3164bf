"""Notebook 11: hidden releases, a watched study, single fits held against the stored search."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from pplab.course import nb11_microaggregation_experiments as conventions
from pplab.course.check import check
from pplab.course.nb11_microaggregation_experiments import DIRECTIONS
from pplab.ledger.results import Result, write_result
from pplab.metrics.risk import disclosure_risk
from pplab.microaggregation.microaggregate import complete
from pplab.microaggregation.noise import gaussian_noise
from pplab.papers.microaggregation import paper
from tests.course.examples import Wrong, complaints

SCALE: Any = {"rating_range": (1, 5)}
Misfits = dict[str, float]
Pairs = list[tuple[float, float]]
ROUNDED = "midpoint, rounded, truncated, noise on z-scores"


def misfits(
    original: np.ndarray, protected: np.ndarray, printed: float, ties: str = "expected"
) -> Misfits:
    risks = {
        way: disclosure_risk(original, protected, direction=way, ties=ties).mean()
        for way in DIRECTIONS
    }
    return {way: 100 * float(risk) - printed for way, risk in risks.items()}


def told(change: Any) -> Any:
    """Misfits told in another way: what a mistake makes of them, and of what is printed."""
    return lambda *release: change(misfits(*release), release[2])


def each(change: Any) -> Any:
    return told(lambda found, printed: {way: change(gap, printed) for way, gap in found.items()})


def by(rule: Any) -> Any:
    return lambda fix_rule, run: fix_rule(rule) or rule(run())


def always(pairs: Pairs) -> bool:
    return all(changed < classic for classic, changed in pairs)


def in_all(good: Any) -> Any:
    """A study whose rule asks something of every pair (classic, changed)."""
    return by(lambda pairs: all(good(*pair) for pair in pairs))


def wins(pairs: Pairs) -> int:
    return sum(changed < classic for classic, changed in pairs)


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


RIGHT: list[tuple[str, Any]] = [
    ("11-R", "search-shown"),
    ("11-C", 35.675),
    ("11-C", 35.7),
    ("11-P", misfits),
    ("11-B", (ROUNDED, 1.5, 1.25)),
    ("11-B", [ROUNDED, np.float64(1.5), 1.75]),
    ("11-D", by(always)),
    ("11-O", two_completions),
    ("11-O", lambda *given: [*two_completions(*given)]),
]

WRONG: list[tuple[str, Any, str]] = [
    ("11-R", "one-try", "List the conventions"),
    ("11-R", "never", "what has been excluded"),
    ("11-R", "authors-agree", "repeat it"),
    ("11-C", 71.35, "square sigma"),
    ("11-C", 100.9, "No root"),
    ("11-C", 8.92, "half this sigma"),
    ("11-C", 35_675, "thousands"),
    ("11-P", told(lambda found, _: min(found, key=found.get)), "the loser"),
    ("11-P", told(lambda found, _: found[DIRECTIONS[0]]), "the loser"),
    ("11-P", told(lambda found, _: {DIRECTIONS[0]: found[DIRECTIONS[0]]}), "the loser"),
    ("11-P", told(lambda f, _: {a: f[b] for a, b in (DIRECTIONS, DIRECTIONS[::-1])}), "changed pl"),
    ("11-P", each(lambda gap, printed: gap + printed), "subtract"),
    ("11-P", each(lambda gap, printed: (gap + printed) / 100 - printed), "times 100"),
    ("11-P", each(lambda gap, _: gap / 100), "times 100"),
    ("11-P", each(lambda gap, _: -gap), "measured minus printed"),
    ("11-P", each(lambda gap, _: abs(gap)), "Keep the sign"),
    ("11-P", each(lambda gap, _: round(gap, 2)), "Keep all digits"),
    ("11-P", lambda *release: misfits(*release, ties="first"), "leave ties to chance"),
    ("11-B", (ROUNDED, 1.5), "next sigma"),
    ("11-D", lambda fix, run: [always(run()), fix(always)][0], "after the run"),
    ("11-D", lambda _, run: always(run()), "No rule was fixed"),
    ("11-D", lambda fix, _: fix(always) or True, "Nothing was run"),
    ("11-D", lambda fix, run: fix(always) or by(always)(fix, run), "which one counts"),
    ("11-D", lambda fix, run: not by(always)(fix, run), "not the one of the fixed rule"),
    ("11-D", by(lambda pairs: sum(a - b for a, b in pairs) > 0), "signs do not"),
    ("11-D", by(lambda pairs: wins(pairs) >= 0.9 * len(pairs)), "no exception at all"),
    ("11-D", in_all(lambda a, b: b < 0.99 * a), "A narrow win"),
    ("11-D", in_all(lambda a, b: b <= a), "a tie speaks against"),
    ("11-D", in_all(lambda a, b: b > a), "Smaller is better"),
    ("11-D", by(lambda _: False), "never satisfied"),
    ("11-D", by(lambda pairs: wins(pairs) > len(pairs) / 2), "signs do not"),
    ("11-O", "There must be a bug.", "what differs at sigma = 0"),
    ("11-O", as_described, "What differs"),
    ("11-O", without_noise, "add the noise"),
    ("11-P", lambda *_: {"there": 1, "back": 2}, "the names must be"),
    ("11-P", lambda *_: [1, 2], "give a dict"),
    ("11-P", lambda *_: dict.fromkeys(DIRECTIONS, "high"), "wants a number"),
    ("11-D", by(True), "wants a function of the pairs"),
    ("11-D", lambda fix, run: fix(always) or float(len(run())), "True or False"),
    ("11-D", lambda _: True, "TypeError"),
    ("11-O", gaps_left, "fill the gaps"),
    ("11-O", lambda *_: 246, "two full tables"),
    ("11-O", lambda *_: ("a", "b"), "arrays of numbers"),
    ("11-O", lambda *_: (np.ones(3), np.ones(3)), "shape of ratings"),
]

SECRETS = [("11-R", "search-shown"), ("11-C", "35.7"), ("11-C", "35.675"), ("11-B", "1.5, 1.25")]


def test_answers_are_judged() -> None:
    assert complaints("11", RIGHT, WRONG, SECRETS) == []


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


def test_misfits_off_by_a_tenth_of_a_point_are_caught() -> None:
    assert not check("11-P", lambda *r: {way: gap + 0.1 for way, gap in misfits(*r).items()})


def test_single_fits_are_held_against_the_search(search: str) -> None:
    answers: Wrong = [
        ("11-B", (1.5, 1.75), "next sigma"),
        ("11-B", 3, "this exercise wants"),
        ("11-B", ("as described", 1.5, 1.25), "word for word"),
        ("11-B", (ROUNDED, 1.6, 1.5), "both sigmas"),
        ("11-B", (ROUNDED, "1.5", 1.25), "wants a number"),
        ("11-B", (ROUNDED, 1.5, 1.75), "by 5.0% only"),
        ("11-B", (ROUNDED, 1.75, 1.5), "other way round"),
        ("11-B", (ROUNDED, 1.5, 2), "Take a neighbour"),
        ("11-B", (ROUNDED, 2, 2.5), "not yet a fit"),
    ]
    assert complaints("11-B", [("11-B", (search, 1.5, 1.25))], answers, []) == []


def test_without_a_stored_search_the_command_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PPLAB_RESULTS", str(tmp_path))
    assert "pplab reproduce microaggregation" in check("11-B", (ROUNDED, 1.5, 1.25)).message
