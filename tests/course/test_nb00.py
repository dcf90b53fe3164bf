"""Notebook 00: verdicts, shares and simulations."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from pplab.course.nb00_start_here import LETTERS
from tests.course.examples import complaints


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


RIGHT: list[tuple[str, Any]] = [
    ("00-R", LETTERS),
    ("00-R", list(LETTERS.items())),
    ("00-C", Fraction(99, 999) / (1 + Fraction(99, 999))),
    ("00-C", 0.0902),
    ("00-P", simulated),
    ("00-B", 0.1),
    ("00-O", "noise-graphs, Table 1: with 19,724 users the counts cannot be 67,302,556"),
    ("00-O", {"paper": "noise-graphs", "place": "Table 2", "quote": "41.5 %"}),
]
WRONG: list[tuple[str, Any, str]] = [
    ("00-R", LETTERS | {"shape-only": LETTERS["reproduced"]}, "stand-in"),
    ("00-R", LETTERS | {"refuted": LETTERS["differs"]}, "case that breaks it"),
    ("00-C", 0.99, "untouched cells"),
    ("00-C", 0.0991, "odds"),
    ("00-C", 9.02, "percent"),
    ("00-P", one_seed, "spread"),
    ("00-P", no_seed, "two numbers"),
    ("00-P", kept, "published edges"),
    ("00-B", 0.15, "Recompute ε"),
    ("00-B", 0.03, "still true"),
    ("00-O", "noise-graphs, Table 1 looks wrong somehow", "feeling"),
    ("00-O", "noise-graphs says 41.5", "place"),
    ("00-O", "Table 3 says 7,728", "paper"),
]
SECRETS = [("00-C", "0.09")]


def test_answers_are_judged() -> None:
    assert complaints("00", RIGHT, WRONG, SECRETS) == []
