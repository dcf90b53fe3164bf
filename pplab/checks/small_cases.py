"""Checks of instances that are searched or enumerated to the end."""

from __future__ import annotations

from typing import Any

import numpy as np

from pplab.checks.numbers import check_integer

__all__ = [
    "check_case_bits",
    "check_release_possible",
    "check_release_rows",
]


def check_case_bits(what: str, bits: int, *, most: int) -> None:
    """Refuse an enumeration of more than 2 ** most cases."""
    if bits > most:
        raise ValueError(
            f"{what} must be at most 2^{most} cases to list them all, got 2^{bits}; take fewer "
            "users or items"
        )


def check_release_rows(published: Any, insiders: Any, size: Any) -> tuple[np.ndarray, np.ndarray]:
    """Bring a group's published row and its insiders' rows into bool arrays that fit together."""
    members = check_integer("size", size, minimum=2)
    row, known = (
        _zeros_and_ones(*pair) for pair in (("published", published), ("known", insiders))
    )
    if row.ndim != 1:
        raise ValueError(
            f"published must be the one row of a group, got shape {row.shape}; pass the bits of "
            "its items"
        )
    if not known.size:
        known = known.reshape(0, len(row))
    if known.ndim != 2 or known.shape[1] != len(row):
        raise ValueError(
            f"known must hold a row of {len(row)} items per insider, got shape {known.shape}; pass "
            "an array of shape (insiders, items)"
        )
    if not len(known) < members:
        raise ValueError(
            f"known must leave somebody of the {members} members to read, got {len(known)} rows; "
            "take an insider out"
        )
    return row, known


def check_release_possible(possible: np.ndarray) -> None:
    """Refuse a published row that no rows of the others could have led to."""
    wrong = np.flatnonzero(~possible)
    if len(wrong):
        raise ValueError(
            f"published must follow from the insiders' rows and some rows of the others, got none "
            f"that lead to {len(wrong)} of {len(possible)} bits, the first at {wrong[0]}; check "
            "the rule for ties and the size of the group"
        )


def _zeros_and_ones(name: str, values: Any) -> np.ndarray:
    array = np.asarray(values)
    if array.size and not (array.dtype.kind in "biuf" and np.isin(array, (0, 1)).all()):
        raise ValueError(f"{name} must hold zeros and ones, got {values!r}; pass bits")
    return array.astype(bool)
