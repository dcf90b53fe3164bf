"""Promises that exercise 07-P tries a student's count on: how often does a lemma fail?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

from pplab.exercises.answers import call, number

__all__ = ["PROMISES", "broken", "miscounted"]

Promise = Callable[[Fraction], Fraction]
_CELLS = 6

# The one as printed first; none of the others stands in the notebook but the repaired one.
PROMISES: list[tuple[str, Promise]] = [
    ("as printed", lambda phi: 1 - phi / 2),
    ("repaired", lambda phi: 1 - phi),
    ("with a third", lambda phi: 1 - phi / 3),
    ("with two thirds", lambda phi: 1 - 2 * phi / 3),
    ("of the certificate", lambda phi: 1 / (1 + phi)),
]


def broken(promise: Promise, *, copies: range = range(1 << _CELLS)) -> int:
    """Count the pairs of graphs on six cells whose similarity is below what is promised.

    Examples
    --------
    >>> broken(lambda phi: 1 - phi), broken(lambda phi: 1 - phi / 2)
    (0, 2777)
    """
    cases = _cases(copies)
    below = [
        Fraction(shared, shared + changed) < promise(Fraction(changed, edges))
        for edges, changed, shared in cases
    ]
    return sum(count for count, is_below in zip(cases.values(), below, strict=True) if is_below)


@cache
def _cases(copies: range) -> Counter[tuple[int, int, int]]:
    """Count pairs by the edges of the original, the cells changed and the edges shared."""
    return Counter(
        (old.bit_count(), (old ^ new).bit_count(), (old & new).bit_count())
        for old in range(1, 1 << _CELLS)
        for new in copies
    )


def miscounted(answer: Callable[..., Any]) -> str | None:
    """Run failures(promise) on all promises; "" when every count is right."""
    for name, promise in PROMISES:
        found = number(call(answer, promise))
        if found == broken(promise):
            continue
        if name == "as printed" and found == 1:
            return "All pairs, not the first one that fails, and not whether one does."
        if found == broken(promise, copies=range(1, 1 << _CELLS)):
            return f"On the lemma {name}: include the empty copy, it is the simplest case of all."
        if found == _doubled(promise):
            return f"On the lemma {name}: each changed cell counts once, it lies in one row."
        if found < 0 or found > 63 * 64:
            return f"There are 63 · 64 pairs; you counted {found:g}."
        if name == "repaired":
            return "Nothing breaks the repaired lemma. Do you compare fractions, with a strict <?"
        return f"The count is off on the lemma {name}. All pairs, or random ones? Take all."
    return ""


def _doubled(promise: Promise) -> int:
    return broken(lambda phi: promise(2 * phi))
