"""Fractions that exercise 06-P tries a student's function on: b below 1, above 1, equality."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from pplab.exercises.answers import call
from pplab.exercises.core import Refusal

__all__ = ["HIDDEN", "not_gap"]


def _drawn() -> list[tuple[Fraction, Fraction, Fraction]]:
    random = np.random.default_rng(606)
    found = []
    for top in (1, 1, 1, 1, 5, 5):  # b up to 1, then up to 5
        for _ in range(10):
            first, second, third = sorted(int(part) for part in random.integers(1, 10**4, size=3))
            a, b = Fraction(top * first, 10**4), Fraction(top * third, 10**4)
            found.append((a, b, b * Fraction(second, 2 * 10**4)))
    return found


# Larger ones first: who tries only those is told so. Then equality, a condition just met.
HIDDEN = [
    (Fraction(2), Fraction(4), Fraction(1)),
    *_drawn(),
    (Fraction(0), Fraction(1), Fraction(1, 2)),
    (Fraction(1, 4), Fraction(3, 4), Fraction(1, 12)),
    (Fraction(9, 10), Fraction(19, 20), Fraction(1, 100)),
]


def not_gap(answer: Callable[..., Any]) -> str | None:
    """Run gap(a, b, x) on fractions nobody has seen; "" when all its answers are right.

    Examples
    --------
    >>> def gap(a, b, x):
    ...     return x * (a + b) / (b * (b - x)), a + b <= 2 * b * (b - x)
    >>> not_gap(gap)
    ''
    """
    for a, b, x in HIDDEN:
        given = call(answer, a, b, x)
        if not isinstance(given, (tuple, list)) or len(given) != 2:
            raise Refusal("your function gives back two things: the gap, and True or False.")
        gap, small = given
        wanted = (a + x) / (b - x) - a / b
        if not _equal(gap, wanted):
            return _named(gap, a, b, x)
        if bool(small) != (wanted <= 2 * x):
            if wanted == 2 * x:
                return "Mind the word at most: a gap of exactly 2x is small enough."
            if b < 1:
                return "Right for large b. Now try b < 1, where sparse graphs live."
            return "The condition is off for b above 1: compare it with the gap itself."
    return ""


def _equal(value: Any, wanted: Fraction) -> bool:
    try:
        return abs(float(value) - float(wanted)) <= 1e-9 * max(1.0, abs(float(wanted)))
    except (TypeError, ValueError, OverflowError) as error:
        raise Refusal("the first thing your function gives back must be a number.") from error


def _named(gap: Any, a: Fraction, b: Fraction, x: Fraction) -> str | None:
    if _equal(gap, (a - x) / (b - x) - a / b):
        return "That is the gap of the lemma as printed, with a − x; the proof needs a + x."
    if _equal(gap, (a + x) / (b - x)):
        return "That is the left side; the gap is what it has above a/b."
    return None
