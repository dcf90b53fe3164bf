"""Groups of rows with a count of every item, so that a change is known without a recount.

Rows that are in no group are in the *pool*, one large group that publishes nothing worth counting.
Each group counts its items in a small hash table of its own; all tables lie in one array.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

from pplab.anonymity.kinds import Kinds

__all__ = [
    "POOL",
    "State",
    "add_row",
    "count_of",
    "has_room",
    "make_state",
    "take_row",
    "takes_row",
]

POOL = -1
_SPARE = 64  # empty groups for splits, at least


class State(NamedTuple):
    """Groups, their rows and counts; slots of groups without rows are free for use.

    Attributes
    ----------
    kinds : Kinds
    group_of, place : int32 arrays, shape (rows,)
        Group of each row, or POOL; where it stands in the list of its group.
    members, sizes : int32 arrays, shapes (groups, largest) and (groups,)
    pool, pool_size : int32 arrays, shapes (rows,) and (1,)
    starts, masks : int64 arrays, shapes (groups + 1,) and (groups,)
        Table of each group, of a power of two of cells, and that power less one.
    items, counts : int32 arrays
        Cells: the item, or -1, and how many of the group's rows have it, maybe 0 by now.
    used : int32 array, shape (groups,)
        Cells in use.
    histograms : int32 array, shape (groups, largest + 1)
        How many items 1, 2, .. rows of the group have.
    spare, spares : int32 arrays, shapes (groups,) and (1,)
        A stack of groups without rows.
    """

    kinds: Kinds
    group_of: np.ndarray
    place: np.ndarray
    members: np.ndarray
    sizes: np.ndarray
    pool: np.ndarray
    pool_size: np.ndarray
    starts: np.ndarray
    masks: np.ndarray
    items: np.ndarray
    counts: np.ndarray
    used: np.ndarray
    histograms: np.ndarray
    spare: np.ndarray
    spares: np.ndarray


def make_state(kinds: Kinds, labels: np.ndarray, *, largest: int) -> State:
    """Lay out groups; rows with label POOL are in the pool.

    Parameters
    ----------
    kinds : Kinds
    labels : int array, shape (rows,)
        POOL, or 0 to groups - 1 with at most `largest` rows each.
    largest : int
        Rows that a group may come to have.
    """
    rows, grouped = len(labels), np.flatnonzero(labels >= 0)
    groups = int(labels.max(initial=-1)) + 1
    slots = groups + _SPARE + groups // 50
    entries = np.bincount(labels[grouped], kinds.degrees[kinds.kind_of[grouped]], slots)
    usual = float(entries[:groups].mean()) if groups else 0.0
    # At most half full in the beginning, and with room for a few more rows.
    bits = np.ceil(np.log2(np.maximum(2 * entries, 2 * usual) + 8)).astype(np.int64)
    starts = np.concatenate([[0], np.cumsum(np.int64(1) << bits)])
    state = State(
        kinds,
        np.full(rows, POOL, dtype=np.int32),
        np.zeros(rows, dtype=np.int32),
        np.zeros((slots, largest), dtype=np.int32),
        np.zeros(slots, dtype=np.int32),
        np.zeros(rows, dtype=np.int32),
        np.zeros(1, dtype=np.int32),
        starts,
        np.diff(starts) - 1,
        np.full(starts[-1], -1, dtype=np.int32),
        np.zeros(starts[-1], dtype=np.int32),
        np.zeros(slots, dtype=np.int32),
        np.zeros((slots, largest + 1), dtype=np.int32),
        np.arange(slots, dtype=np.int32)[::-1].copy(),
        np.array([slots - groups], dtype=np.int32),
    )
    _place_all(state, labels.astype(np.int32))
    return state


@numba.njit(cache=True, nogil=True)
def _place_all(state: State, labels: np.ndarray) -> None:
    for row in range(len(labels)):
        add_row(state, labels[row], row)


@numba.njit(cache=True, nogil=True)
def add_row(state: State, group: int, row: int) -> None:
    """Put a row that is nowhere into a group with room, or into the pool."""
    state.group_of[row] = group
    if group == POOL:
        state.place[row] = state.pool_size[0]
        state.pool[state.pool_size[0]] = row
        state.pool_size[0] += 1
        return
    state.place[row] = state.sizes[group]
    state.members[group, state.sizes[group]] = row
    state.sizes[group] += 1
    kinds, kind = state.kinds, state.kinds.kind_of[row]
    for item in kinds.items[kinds.starts[kind] : kinds.starts[kind + 1]]:
        cell = _cell(state, group, item)
        if state.items[cell] < 0:
            state.items[cell] = item
            state.used[group] += 1
        count = state.counts[cell]
        state.counts[cell] = count + 1
        state.histograms[group, count + 1] += 1
        if count > 0:
            state.histograms[group, count] -= 1


@numba.njit(cache=True, nogil=True)
def take_row(state: State, row: int) -> None:
    """Take a row out of its group or of the pool; the last of the list takes its place."""
    group, place = state.group_of[row], state.place[row]
    if group == POOL:
        state.pool_size[0] -= 1
        last = state.pool[state.pool_size[0]]
        state.pool[place], state.place[last] = last, place
        return
    state.sizes[group] -= 1
    last = state.members[group, state.sizes[group]]
    state.members[group, place], state.place[last] = last, place
    kinds, kind = state.kinds, state.kinds.kind_of[row]
    for item in kinds.items[kinds.starts[kind] : kinds.starts[kind + 1]]:
        cell = _cell(state, group, item)
        count = state.counts[cell]
        state.counts[cell] = count - 1
        state.histograms[group, count] -= 1
        if count > 1:
            state.histograms[group, count - 1] += 1


@numba.njit(cache=True, nogil=True)
def count_of(state: State, group: int, item: int) -> int:
    """Rows of a group that have an item; 0 in the pool, which publishes nothing."""
    if group == POOL:
        return 0
    cell = _cell(state, group, item)
    return state.counts[cell] if state.items[cell] == item else 0


@numba.njit(cache=True, nogil=True)
def has_room(state: State, group: int, entries: int) -> bool:
    """Whether a group's table takes so many more items: a quarter of it is to stay free."""
    if group == POOL:
        return True
    return bool(4 * (state.used[group] + entries) <= 3 * (state.masks[group] + 1))


@numba.njit(cache=True, nogil=True)
def takes_row(state: State, group: int, row: int) -> bool:
    """Whether a group may have one more row, and its table this one's items."""
    full = group != POOL and state.sizes[group] == state.members.shape[1]
    return not full and has_room(state, group, state.kinds.degrees[state.kinds.kind_of[row]])


@numba.njit(cache=True, nogil=True, inline="always")
def _cell(state: State, group: int, item: int) -> int:
    """Cell of an item in the table of a group, or the free one where it would go."""
    mask, start = state.masks[group], state.starts[group]
    at = (np.int64(item) * np.int64(0x9E3779B1) >> np.int64(7)) & mask
    while state.items[start + at] != item and state.items[start + at] >= 0:
        at = (at + 1) & mask
    return start + at
