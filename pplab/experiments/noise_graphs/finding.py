"""Settings that the checks of this paper's statements share."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

__all__ = ["FLIPS", "binary_tables"]

FLIPS = (Fraction(1, 4), Fraction(1, 10), Fraction(2, 5))


def binary_tables(users: int, items: int) -> list[tuple[tuple[int, ...], ...]]:
    """All 0/1 tables of a shape."""
    return list(product(product((0, 1), repeat=items), repeat=users))
