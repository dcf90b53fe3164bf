"""Notebook 15: hidden releases, a watched study, single fits held against the stored search."""

from dataclasses import replace

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
        ((ROUNDED, 1.5, 1.75), "by only 5.0%"),
        ((ROUNDED, 1.75, 1.5), "Swap the sigmas"),
        ((ROUNDED, 1.5, 2), "Take a neighbour"),
        ((ROUNDED, 2, 2.5), "is not a fit"),
    ]
    assert check("15-B", (search, 1.5, 1.25))
    texts = {words: check("15-B", answer) for answer, words in answers}
    assert [words for words, text in texts.items() if text or words not in text.message] == []
