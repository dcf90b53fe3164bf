"""What the checks of statements have in common."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import product

__all__ = ["FLIPS", "Finding", "binary_tables", "listed"]

Finding = tuple[bool, str]  # whether the statement is true, and one sentence with the numbers

FLIPS = (Fraction(1, 4), Fraction(1, 10), Fraction(2, 5))


def binary_tables(users: int, items: int) -> list[tuple[tuple[int, ...], ...]]:
    """All 0/1 tables of a shape."""
    return list(product(product((0, 1), repeat=items), repeat=users))


def listed(words: Iterable[str]) -> str:
    """Write words as a list in a sentence."""
    *first, last = [*words] or ["none"]
    return f"{', '.join(first)} and {last}" if first else last
