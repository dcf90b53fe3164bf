"""What a change of groups adds to their worth, exactly."""

from __future__ import annotations

import numba
import numpy as np

from pplab.anonymity.search.state import POOL, State, count_of

__all__ = ["group_worth", "swap_gain", "swap_sides", "worth_with", "worth_without"]


@numba.njit(cache=True, nogil=True)
def group_worth(state: State, worth: np.ndarray, group: int) -> float:
    """Worth of the items that a group publishes; 0 for the pool."""
    total = 0.0
    if group != POOL:
        size = state.sizes[group]
        for count in range(1, size + 1):
            total += state.histograms[group, count] * worth[size, count]
    return total


@numba.njit(cache=True, nogil=True)
def worth_with(state: State, worth: np.ndarray, group: int, row: int) -> float:
    """Worth of a group if a row joins it: all items are judged by the new size."""
    if group == POOL:
        return 0.0
    return _worth_changed(state, worth, group, row, 1)


@numba.njit(cache=True, nogil=True)
def worth_without(state: State, worth: np.ndarray, group: int, row: int) -> float:
    """Worth of a group if one of its rows leaves it."""
    if group == POOL:
        return 0.0
    return _worth_changed(state, worth, group, row, -1)


@numba.njit(cache=True, nogil=True)
def _worth_changed(state: State, worth: np.ndarray, group: int, row: int, step: int) -> float:
    size = state.sizes[group]
    of_size = worth[size + step]
    total = 0.0
    for count in range(1, size + 1):
        total += state.histograms[group, count] * of_size[count]
    kinds, kind = state.kinds, state.kinds.kind_of[row]
    for item in kinds.items[kinds.starts[kind] : kinds.starts[kind + 1]]:
        count = count_of(state, group, item)
        total += of_size[count + step] - of_size[count]
    return total


@numba.njit(cache=True, nogil=True)
def swap_sides(
    state: State, worth: np.ndarray, kind: int, home: int, away: int, sides: np.ndarray
) -> float:
    """What each item of a row's kind adds if the row goes from home to away at equal sizes.

    The parts are written to `sides`, in the order of the items; their sum is returned.
    """
    kinds, total = state.kinds, 0.0
    start = kinds.starts[kind]
    for place in range(kinds.degrees[kind]):
        item, gain = kinds.items[start + place], 0.0
        if home != POOL:
            count, size = count_of(state, home, item), state.sizes[home]
            gain += worth[size, count - 1] - worth[size, count]
        if away != POOL:
            count, size = count_of(state, away, item), state.sizes[away]
            if count < size:  # else the row that leaves has it too: `swap_gain` leaves it out
                gain += worth[size, count + 1] - worth[size, count]
        sides[place] = gain
        total += gain
    return total


@numba.njit(cache=True, nogil=True)
def swap_gain(
    state: State,
    worth: np.ndarray,
    rows: tuple[int, int],
    groups: tuple[int, int],
    sides: tuple[np.ndarray, np.ndarray],
    first: float,
) -> float:
    """What it adds if two rows change places; items that both have stay as they are.

    `sides` and `first` are those of the first row, see `swap_sides`; the second array is scratch.
    """
    kinds = state.kinds
    ours, theirs = kinds.kind_of[rows[0]], kinds.kind_of[rows[1]]
    total = first + swap_sides(state, worth, theirs, groups[1], groups[0], sides[1])
    a, b = kinds.starts[ours], kinds.starts[theirs]
    while a < kinds.starts[ours + 1] and b < kinds.starts[theirs + 1]:
        if kinds.items[a] == kinds.items[b]:
            total -= sides[0][a - kinds.starts[ours]] + sides[1][b - kinds.starts[theirs]]
            a, b = a + 1, b + 1
        elif kinds.items[a] < kinds.items[b]:
            a += 1
        else:
            b += 1
    return total
