"""Strict Mondrian on codes: cut a group where it is widest, as long as both sides hold k rows."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["cut_groups"]


@numba.njit(cache=True)
def cut_groups(codes: np.ndarray, levels: np.ndarray, k: int, balanced: bool) -> np.ndarray:
    """Give the group of each row, lower sides of cuts first.

    Parameters
    ----------
    codes : int array, shape (attributes, rows)
        Place of each row's level among the sorted levels of the attribute, from 0.
    levels : int64 array, shape (attributes,)
        How many levels each attribute has.
    k : int
        Least rows of a side.
    balanced : bool
        Which cut of an attribute is looked at: the one that leaves the sides most equal, or that
        above the median.

    Returns
    -------
    int64 array, shape (rows,)
    """
    rows = codes.shape[1]
    order, spare = np.arange(rows), np.empty(rows, np.int64)
    labels = np.empty(rows, np.int64)
    counts = np.empty(levels.max(), np.int64)
    waiting = np.empty((rows // k + 2, 2), np.int64)
    waiting[0] = 0, rows
    held, groups = 1, 0
    while held:
        held -= 1
        start, end = waiting[held]
        members = order[start:end]
        attribute, level = _widest_cut(codes, levels, members, counts, k, balanced)
        if attribute < 0:
            labels[members] = groups
            groups += 1
            continue
        middle = start + _part(members, codes[attribute], level, spare)
        waiting[held] = middle, end
        waiting[held + 1] = start, middle  # taken first
        held += 2
    return labels


@numba.njit(cache=True)
def _widest_cut(
    codes: np.ndarray,
    levels: np.ndarray,
    members: np.ndarray,
    counts: np.ndarray,
    k: int,
    balanced: bool,
) -> tuple[int, int]:
    """Attribute and last level of the lower side; attribute -1 if no cut is allowed."""
    if len(members) < 2 * k:
        return -1, 0
    lows = np.empty(len(codes), np.int64)
    spans = np.empty(len(codes), np.int64)
    widths = np.zeros(len(codes))
    for attribute in range(len(codes)):
        lows[attribute], spans[attribute] = _low_and_span(codes[attribute], members)
        if spans[attribute]:
            widths[attribute] = spans[attribute] / (levels[attribute] - 1)
    for attribute in np.argsort(-widths, kind="mergesort"):  # of equal widths the first
        if not spans[attribute]:
            break
        low, span = lows[attribute], spans[attribute]
        counts[: span + 1] = 0
        for row in members:
            counts[codes[attribute, row] - low] += 1
        level, lower = _boundary(counts[: span + 1], len(members), balanced)
        if min(lower, len(members) - lower) >= k:
            return attribute, low + level
    return -1, 0


@numba.njit(cache=True)
def _low_and_span(column: np.ndarray, members: np.ndarray) -> tuple[int, int]:
    low = high = column[members[0]]
    for row in members:
        low, high = min(low, column[row]), max(high, column[row])
    return low, high - low


@numba.njit(cache=True)
def _boundary(counts: np.ndarray, size: int, balanced: bool) -> tuple[int, int]:
    """Last level of the lower side, and how many rows that side has."""
    lower = best = counts[0]
    place = 0
    for level in range(1, len(counts)):
        if not balanced and best >= size // 2:
            break
        lower += counts[level]
        # of equal balance the lower cut; the median's lower side holds half of the rows or more
        if not balanced or abs(2 * lower - size) < abs(2 * best - size):
            place, best = level, lower
    return place, best


@numba.njit(cache=True)
def _part(members: np.ndarray, column: np.ndarray, level: int, spare: np.ndarray) -> int:
    """Bring the rows of the lower side to the front, order kept; give how many they are."""
    front = back = 0
    for row in members:
        if column[row] <= level:
            members[front] = row  # never ahead of what is still to be read
            front += 1
        else:
            spare[back] = row
            back += 1
    members[front:] = spare[:back]
    return front
