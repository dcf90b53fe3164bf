"""Notebook 15: hidden releases, a watched study, single fits held against the stored search."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from claimbook.results import write_result
from pplab.metrics.risk import disclosure_risk
from pplab.microaggregation.microaggregate import complete
from pplab.microaggregation.noise import gaussian_noise
from pplab_course import nb15_microaggregation_experiments as conventions
from pplab_course.exercises import check
from pplab_course.nb15_microaggregation_experiments import DIRECTIONS
from pplab_papers.collection import read_result
from pplab_papers.microaggregation import paper

SCALE = {"rating_range": (1, 5)}
ROUNDED = "midpoint, rounded, truncated, noise on z-scores"


def misfits(original, protected, printed, ties="expected"):
    risks = {
        way: disclosure_risk(original, protected, direction=way, ties=ties).mean()
        for way in DIRECTIONS
    }
    return {way: 100 * float(risk) - printed for way, risk in risks.items()}


def feedback_on(change):
    """Misfits told in another way: what a mistake makes of them, and of what is printed."""
    return lambda *release: change(misfits(*release), release[2])


def each(change):
    return feedback_on(
        lambda result, printed: {way: change(gap, printed) for way, gap in result.items()}
    )


def by(rule):
    return lambda fix_rule, run: fix_rule(rule) or rule(run())


def always(pairs):
    return all(changed < classic for classic, changed in pairs)


def in_all(good):
    """A study whose rule asks something of every pair (classic, changed)."""
    return by(lambda pairs: all(good(*pair) for pair in pairs))


def wins(pairs):
    return sum(changed < classic for classic, changed in pairs)


def two_completions(ratings, sigma):
    noisy = gaussian_noise(
        ratings, sigma=sigma, impute="item-mean", rounding="nearest", rng=1, **SCALE
    )
    return complete(ratings, impute="item-median", **SCALE), noisy.protected


def as_described(ratings, sigma):
    noisy = gaussian_noise(ratings, sigma=sigma, rng=1, **SCALE)
    return noisy.completed, noisy.protected


def without_noise(ratings, _sigma):
    full = complete(ratings, impute="item-mean", **SCALE)
    return full, np.rint(full)


def gaps_left(ratings, sigma):
    return np.where(ratings.toarray() > 0, 1.0, np.nan), as_described(ratings, sigma)[1]


RIGHT = {
    "15-R": ["search-shown", "search shown", "`Search_Shown`"],
    "15-C": [35.675, 35.7, 35.67, np.float64(35.68)],
    "15-P": [
        misfits,
        lambda *release: dict(reversed(misfits(*release).items())),
        feedback_on(lambda found, _: {way: np.float64(gap) for way, gap in found.items()}),
    ],
    "15-B": [
        (ROUNDED, 1.5, 1.25),
        [ROUNDED, np.float64(1.5), 1.75],
        (ROUNDED, Fraction(3, 2), 1.25),
    ],
    "15-D": [
        by(always),
        by(lambda pairs: max(changed - classic for classic, changed in pairs) < 0),
        by(lambda pairs: wins(pairs) == len(pairs)),
    ],
    "15-O": [two_completions, lambda *given: [*two_completions(*given)]],
}

WRONG = {
    "15-R": ["one-try", "never", "authors-agree"],
    "15-C": [71.35, 100.9, 8.92, 35_675, (36, "right but for rounding"), (35.6, "right but for")],
    "15-P": [
        (feedback_on(lambda found, _: min(found, key=found.get)), "the loser"),
        (feedback_on(lambda found, _: found[DIRECTIONS[0]]), "the loser"),
        (feedback_on(lambda found, _: {DIRECTIONS[0]: found[DIRECTIONS[0]]}), "the loser"),
        (
            feedback_on(lambda f, _: {a: f[b] for a, b in (DIRECTIONS, DIRECTIONS[::-1])}),
            "You swapped the two",
        ),
        (each(lambda gap, printed: gap + printed), "subtract the printed ones"),
        (each(lambda gap, printed: (gap + printed) / 100 - printed), "multiply by 100"),
        (each(lambda gap, _: gap / 100), "multiply by 100"),
        (each(lambda gap, _: -gap), "take measured minus printed"),
        (each(lambda gap, _: abs(gap)), "Keep the sign"),
        (each(lambda gap, _: round(gap, 2)), "but for rounding"),
        (lambda *release: misfits(*release, ties="first"), "leave ties to chance"),
        (lambda *_: {"there": 1, "back": 2}, "the names must be"),
        (lambda *_: [1, 2], "give a dict, direction"),
        (lambda *_: dict.fromkeys(DIRECTIONS, "high"), "takes a number"),
    ],
    "15-B": [
        ((ROUNDED, 1.5), "next sigma"),
        (3, "this exercise takes"),
        (("as described", 1.5, 1.25), "word for word"),
        ((ROUNDED, 1.6, 1.5), "both sigmas"),
    ],
    "15-D": [
        (lambda fix, run: [always(run()), fix(always)][0], "after the run"),
        (lambda _, run: always(run()), "No rule was fixed"),
        (lambda fix, _: fix(always) or True, "Nothing was run"),
        (lambda fix, run: fix(always) or by(always)(fix, run), "which one counts"),
        (lambda fix, run: not by(always)(fix, run), "not that of the fixed rule"),
        (lambda fix, run: [by(always)(fix, run), run()][0], "more than once"),
        (by(lambda pairs: sum(a - b for a, b in pairs) > 0), "signs do not"),
        (by(lambda pairs: wins(pairs) >= 0.9 * len(pairs)), "no exception at all"),
        (in_all(lambda a, b: b < 0.99 * a), "A narrow win"),
        (in_all(lambda a, b: b <= a), "a tie speaks against"),
        (in_all(lambda a, b: b > a), "Smaller is better"),
        (by(lambda _: False), "never satisfied"),
        (by(lambda pairs: wins(pairs) > len(pairs) / 2), "signs do not"),
        (by(True), "takes a function of the pairs"),
        (lambda fix, run: fix(always) or float(len(run())), "True or False"),
        (lambda _: True, "TypeError"),
    ],
    "15-O": [
        ("There must be a bug.", "takes a function"),
        (as_described, "What differs"),
        (without_noise, "sigma has no effect"),
        (gaps_left, "fill the gaps"),
        (lambda *_: 246, "two full tables"),
        (lambda *_: ("a", "b"), "arrays of numbers"),
        (lambda *_: (np.ones(3), np.ones(3)), "shape of ratings"),
    ],
}

SECRETS = {"15-R": "search-shown", "15-C": "35.7", "15-B": "1.5, 1.25"}


@pytest.fixture
def search(tmp_path, monkeypatch):
    """A stored search with one convention: it fits at 1.5, and at 2 nearly."""
    rows = []
    for sigma, printed in zip(paper.SIGMA, paper.TABLE_2_SSE, strict=True):
        factor = {1.5: 1.01, 1.75: 1.05}.get(sigma, 1.5)
        names = dict(zip(conventions.CHOICES, ROUNDED.split(", "), strict=True))
        row = {"quantity": "sse", "sigma": float(sigma), "value": factor * printed}
        rows.append(names | row | {"printed": printed})
    stored = read_result("microaggregation", "noise_conventions")
    write_result(replace(stored, rows=rows), tmp_path)
    monkeypatch.setenv("PPLAB_RESULTS", str(tmp_path))
    return ROUNDED


def test_single_fits_are_held_against_the_search(search):
    answers = [
        ((ROUNDED, "1.5", 1.25), "takes a number"),
        ((1.5, 1.75), "next sigma"),
        ((ROUNDED, 1.5, 1.75), "by 5.0% only"),
        ((ROUNDED, 1.75, 1.5), "Swap them"),
        ((ROUNDED, 1.5, 2), "Take a neighbour"),
        ((ROUNDED, 2, 2.5), "not yet a fit"),
    ]
    assert check("15-B", (search, 1.5, 1.25))
    texts = {words: check("15-B", answer) for answer, words in answers}
    assert [words for words, text in texts.items() if text or words not in text.message] == []
