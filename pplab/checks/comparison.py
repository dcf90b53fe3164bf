"""Checks of tables that are compared row by row or cell by cell."""

from __future__ import annotations

import numpy as np

__all__ = [
    "check_compared",
    "check_full",
    "check_held_out",
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


def check_held_out(name: str, held_out: int, total: int) -> None:
    """Refuse a split that leaves one of its sides empty."""
    if not 0 < held_out < total:
        raise ValueError(
            f"share must leave {name} on both sides of the split, got {held_out} of {total} held "
            "out; pass more data or another share"
        )


def check_some_rated(name: str, count: int) -> None:
    """Refuse a table without a single rating."""
    if not count:
        raise ValueError(f"{name} must hold at least one rating, got none; pass some")
