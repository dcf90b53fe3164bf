"""Checks of tables that are compared row by row or cell by cell."""

from __future__ import annotations

from typing import Any

import numpy as np

from pplab.checks.numbers import _listed

__all__ = [
    "check_compared",
    "check_fractions",
    "check_full",
    "check_some_rated",
]


def check_compared(records: np.ndarray, queries: np.ndarray) -> None:
    """Refuse two tables whose rows have no distance: other columns, or gaps in both."""
    if records.shape[1] != queries.shape[1]:
        raise ValueError(
            f"records and queries must have the same columns, got {records.shape[1]} and "
            f"{queries.shape[1]}; align the items first"
        )
    if np.isnan(records).any() and np.isnan(queries).any():
        raise ValueError("records or queries must be complete, got NaN in both; complete one first")


def check_full(name: str, table: np.ndarray, *, remedy: str) -> None:
    """Refuse a table with gaps."""
    gaps = np.count_nonzero(np.isnan(table))
    if gaps:
        user, item = (int(place[0]) for place in np.nonzero(np.isnan(table)))
        raise ValueError(
            f"{name} must be complete, got {gaps:,} unrated cells, the first at user {user}, item "
            f"{item}; {remedy}"
        )


def check_fractions(name: str, values: Any) -> np.ndarray:
    """Bring a list of numbers in [0, 1] into a float64 array; refuse what is none."""
    found = _listed(values)
    if found.ndim != 1 or not len(found) or found.dtype.kind not in "biuf":
        raise ValueError(
            f"{name} must be a list of at least one number, got shape {found.shape} of "
            f"{found.dtype}; pass one value per user"
        )
    found = np.ma.filled(found.astype(np.float64), np.nan)
    good = (found >= 0) & (found <= 1)
    if not good.all():
        raise ValueError(
            f"{name} must lie in [0, 1], got {found[~good][0]:g}; pass shares or probabilities, "
            "and leave users out for whom there is none"
        )
    return found


def check_some_rated(name: str, count: int) -> None:
    """Refuse a table without a single rating."""
    if not count:
        raise ValueError(f"{name} must hold at least one rating, got none; pass some")
