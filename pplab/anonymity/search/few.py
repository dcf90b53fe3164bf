"""What becomes of a pool of few rows."""

from __future__ import annotations

import numba
import numpy as np

from pplab.anonymity.kinds import Kinds
from pplab.anonymity.search.changes import group_worth, worth_with
from pplab.anonymity.search.state import POOL, State, make_state
from pplab.anonymity.search.worth import worth_table

__all__ = ["place_few"]


def place_few(kinds: Kinds, labels: np.ndarray, k: int, *, keep: str, price: float) -> np.ndarray:
    """Leave no pool of fewer than 3k rows: row by row it could not get rid of its last k.

    They become a group of their own if they are k or more and that is worth at least as much; else
    each joins the group where it alone adds most or costs least. A larger pool stays.

    Parameters
    ----------
    kinds : Kinds
    labels : int64 array, shape (rows,)
        Group of each row, numbered without gaps, or POOL.
    k : int
    keep : {"half", "more-than-half", "all"}
    price : float
        Of `worth_table`.
    """
    pool = np.flatnonzero(labels == POOL)
    if not 0 < len(pool) < 3 * k:
        return labels
    groups = int(labels.max()) + 1
    together = np.where(labels == POOL, groups, labels)
    if groups == 0:
        return together
    largest = int(np.bincount(labels[labels >= 0]).max()) + len(pool)
    worth = worth_table(largest, keep=keep, price=price)
    apart = labels.copy()
    apart[pool] = _best_groups(make_state(kinds, labels, largest=largest), worth, groups, pool)
    if len(pool) < k:
        return apart
    states = (make_state(kinds, found, largest=largest) for found in (together, apart))
    own, joined = (_total(state, worth) for state in states)
    return together if own >= joined else apart


@numba.njit(cache=True, nogil=True)
def _best_groups(state: State, worth: np.ndarray, groups: int, rows: np.ndarray) -> np.ndarray:
    found = np.empty(len(rows), dtype=np.int64)
    for place in range(len(rows)):
        most = -np.inf
        for group in range(groups):
            gain = worth_with(state, worth, group, rows[place]) - group_worth(state, worth, group)
            if gain > most:
                found[place], most = group, gain
    return found


@numba.njit(cache=True, nogil=True)
def _total(state: State, worth: np.ndarray) -> float:
    total = 0.0
    for group in range(len(state.sizes)):
        total += group_worth(state, worth, group)
    return total
