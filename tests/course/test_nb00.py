"""Notebook 00: verdicts, shares and simulations."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from pplab.ledger.verdicts import VERDICTS
from pplab_course.nb00_start_here import LETTERS, MEANINGS


def simulated(density: float, flip: float, size: int, seed: int) -> float:
    rng = np.random.default_rng(seed)
    edges = rng.random(size) < density
    published = edges ^ (rng.random(size) < flip)
    return (edges & published).sum() / published.sum()


def kept(density: float, flip: float, size: int, seed: int) -> float:
    rng = np.random.default_rng(seed)
    edges = rng.random(size) < density
    return (edges & (rng.random(size) >= flip)).sum() / edges.sum()


def one_seed(density: float, flip: float, size: int, _seed: int) -> float:
    return simulated(density, flip, size, 1)


def no_seed(density: float, flip: float, size: int, _seed: int) -> float:
    return simulated(density, flip, size, np.random.default_rng().integers(10**9))


def deleted_only(density: float, flip: float, size: int, seed: int) -> float:
    rng = np.random.default_rng(seed)
    edges = rng.random(size) < density
    published = edges & (rng.random(size) >= flip)
    return (edges & published).sum() / published.sum()


def in_tables(density: float, flip: float, size: int, seed: int) -> Fraction:
    rng = np.random.default_rng(seed)
    table = rng.choice([0, 1], size=(size // 100, 100), p=[1 - density, density])
    flipped = rng.choice([0, 1], size=table.shape, p=[1 - flip, flip])
    published = (table + flipped) % 2
    return Fraction(int((table * published).sum()), int(published.sum()))


def by_counts(density: float, flip: float, size: int, seed: int) -> float:
    rng = np.random.default_rng(seed)
    edges = rng.binomial(size, density)
    kept, invented = rng.binomial(edges, 1 - flip), rng.binomial(size - edges, flip)
    return float(kept / (kept + invented))


SHARE = Fraction(99, 999) / (1 + Fraction(99, 999))
ROW = "noise-graphs:table-1:p=0.4:noise-edges"
DOUBT = {"claim": ROW, "expected": "fewer", "decided by": "a hundred draws"}
RIGHT: dict[str, list[Any]] = {
    "00-R": [
        LETTERS,
        list(LETTERS.items()),
        {name.replace("-", " ").upper(): letter.lower() for name, letter in LETTERS.items()},
    ],
    "00-C": [SHARE, 0.0902, 0.0901, np.float64(0.090164)],
    "00-P": [simulated, in_tables, by_counts],
    "00-B": [0.1, Fraction(1, 9), 0.06],
    "00-O": [DOUBT, list(DOUBT.items())],
}
WRONG: dict[str, list[Any]] = {
    "00-R": [
        (LETTERS | {"shape-only": LETTERS["reproduced"]}, "stand-in"),
        (LETTERS | {"refuted": LETTERS["differs"]}, "case that breaks it"),
        (LETTERS | {"refuted": LETTERS["undecided"]}, "may still be true"),
        (LETTERS | {"proof-fails": LETTERS["refuted"]}, "says less"),
        (LETTERS | {"reproduced-under-reading": LETTERS["reproduced"]}, "text is plain"),
        (LETTERS | {"compatible": LETTERS["differs"]}, "by more than chance"),
        ({"holds": "G"}, "missing: refuted"),
    ],
    "00-C": [0.99, 0.0991, 9.02, (0.09, "right but for rounding")],
    "00-P": [
        (one_seed, "spread"),
        (no_seed, "two numbers"),
        (kept, "edges that were kept"),
        (deleted_only, "do empty cells flip"),
    ],
    "00-B": [(0.15, "Recompute ε"), (0.03, "still true"), (0.7, "between 0 and 1/2")],
    "00-O": [
        (DOUBT | {"claim": "noise-graphs"}, "a whole paper"),
        (DOUBT | {"claim": "Table 1"}, "has this id"),
        (DOUBT | {"claim": "noise-graphs:theorem-1"}, "no number of its own"),
        ({"claim": ROW}, "missing: expected"),
    ],
}
SECRETS = {"00-C": "0.09"}


def test_the_cases_are_those_of_the_ledger() -> None:
    assert set(MEANINGS) == set(VERDICTS) - {"open"}
