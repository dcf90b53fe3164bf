"""Flip cells by skipping to the next flip: for small flip probabilities.

The number of cells before the next flip is geometric, so cells that stay cost nothing, and work
grows with the edges and the flips, not with the cells. The sorted flips of a row are merged into
its sorted edges; what is in both vanishes. Rows are merged in blocks that stay in the processor's
cache and are then moved to where they belong, so that nothing larger than the output is held.
"""

from __future__ import annotations

import math

import numba
import numpy as np

from pplab._compiled import GOLDEN, mix, row_stream
from pplab.response.compiled import plain_and_threaded
from pplab.response.room import empty_release, with_room

__all__ = ["flip_by_skips"]

_BLOCK_ENTRIES = 2**18  # one megabyte of column numbers
_NEVER = 2.0**60


def flip_by_skips(
    indptr: np.ndarray,
    indices: np.ndarray,
    columns: int,
    flip_probability: float,
    key: np.ndarray,
    upper_triangle: bool,
    threads: bool,
) -> tuple[np.ndarray, np.ndarray]:
    """Flip each cell with a small probability.

    Parameters
    ----------
    indptr, indices : ndarray
        CSR structure of the graph, columns sorted within rows.
    columns : int
        Number of columns.
    flip_probability : float
        In [0, 1/2]; meant for small ones.
    key : ndarray of two uint64
        Address of the row streams.
    upper_triangle : bool
        Leave cells on and below the diagonal alone.
    threads : bool
        Whether to work on several rows at once; the result is the same.

    Returns
    -------
    tuple of ndarray
        indptr (int64) and indices (int32) of the published graph.
    """
    merge, move = (_merge_threaded, _move_threaded) if threads else (_merge, _move)
    rows, p = len(indptr) - 1, flip_probability
    scale = 1 / math.log1p(-p) if p else -math.inf  # a gap is log(uniform) * scale
    room = _most_flips(columns, p)
    ends = indptr + room * np.arange(rows + 1)  # where each row would end in an endless buffer
    out_indptr = np.zeros(rows + 1, dtype=np.int64)
    out = empty_release(rows * columns, len(indices), p)
    buffer = np.empty(_BLOCK_ENTRIES, dtype=np.int32)
    start = 0
    while start < rows:
        stop = int(np.searchsorted(ends, ends[start] + _BLOCK_ENTRIES, side="right")) - 1
        stop = min(max(stop, start + 1), rows)
        offsets = ends[start : stop + 1] - ends[start]
        if offsets[-1] > len(buffer):
            buffer = np.empty(offsets[-1], dtype=np.int32)
        counts = np.empty(stop - start, dtype=np.int64)
        merge(indptr, indices, columns, key, scale, upper_triangle, start, offsets, buffer, counts)
        if (counts < 0).any():  # a row had more flips than there was room for
            ends += room * np.arange(rows + 1)
            room *= 2
            continue
        places = out_indptr[start : stop + 1]
        places[1:] = places[0] + np.cumsum(counts)
        out = with_room(out, places[0], places[-1])
        move(buffer, offsets, places, out)
        start = stop
    return out_indptr, out[: out_indptr[-1]]


def _most_flips(columns: int, p: float) -> int:
    """Room for the flips of a row: mean, eight standard deviations, some for small means."""
    mean = columns * p
    return int(mean + 8 * math.sqrt(mean) + 16)


@numba.njit(cache=True, inline="always")
def _gap(state, scale):
    """Cells that stay before the next flip, by inversion of a uniform number in (0, 1]."""
    state += GOLDEN
    uniform = (np.float64(mix(state) >> np.uint64(11)) + 1.0) * 2.0**-53
    gap = np.log(uniform) * scale
    return np.int64(gap if gap < _NEVER else _NEVER), state


@numba.njit(cache=True, inline="always")
def _draw_flips(buffer, first, stop, flip, columns, state, scale):
    """Write a row's flips in ascending order and a sentinel; -1 where the room is too small."""
    place = first
    gap, state = _gap(state, scale)
    flip += gap
    while flip < columns and place < stop - 1:
        buffer[place] = flip
        place += 1
        gap, state = _gap(state, scale)
        flip += gap + 1
    buffer[place] = columns
    return place - first if flip >= columns else -1


def _merge_rows(indptr, indices, columns, key, scale, upper, start, offsets, buffer, counts):
    """Edges and flips of each row of a block in one sorted run; -1 where the room is too small.

    The flips wait at the end of the row's room and are overtaken by nothing: what is written
    never passes the sum of what was read. Without branches, since chance cannot be predicted.
    """
    for number in numba.prange(len(counts)):
        row = start + number
        entry, stop = indptr[row], indptr[row + 1]
        place, end = offsets[number], offsets[number + 1]
        flip = place + stop - entry
        state, first = row_stream(key, row), np.int64(row + 1 if upper else 0)
        flips = _draw_flips(buffer, flip, end, first, columns, state, scale)
        last = flip + flips
        while entry < stop:
            mine, drawn = indices[entry], buffer[flip]
            buffer[place] = min(mine, drawn)
            place += mine != drawn
            entry += mine <= drawn
            flip += drawn <= mine
        while flip < last:
            buffer[place] = buffer[flip]
            place += 1
            flip += 1
        counts[number] = place - offsets[number] if flips >= 0 else -1


def _move_rows(buffer, offsets, places, out):
    """Close the gaps between the rows of a block."""
    for number in numba.prange(len(places) - 1):
        source = offsets[number] - places[number]
        for place in range(places[number], places[number + 1]):
            out[place] = buffer[source + place]


_merge, _merge_threaded = plain_and_threaded(_merge_rows)
_move, _move_threaded = plain_and_threaded(_move_rows)
