"""Checks of tables that are compared row by row or cell by cell."""

from __future__ import annotations

import numpy as np


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


def check_some_rated(name: str, count: int) -> None:
    """Refuse a table without a single rating."""
    if not count:
        raise ValueError(f"{name} must hold at least one rating, got none; pass some")
