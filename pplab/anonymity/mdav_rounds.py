"""The rounds of MDAV: two groups each, around the two ends of what is left."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numba
import numpy as np
from threadpoolctl import ThreadpoolController

from pplab.anonymity.extremes import (
    TIE,
    add_compensated,
    farthest,
    mean_in_two_parts,
    nearest,
    squared_distances,
)
from pplab.anonymity.mdav_sketch import (
    Batch,
    Sketch,
    distance_row,
    make_batch,
    make_sketch,
    mean_row,
)

__all__ = ["groups_of_k"]

_BATCH = 64
_COMPACT = 0.8  # a sketch is made anew when only this part of its rows is left
_CELLS = 10**9  # looked at within one compiled call, which Ctrl-C cannot interrupt


class State(NamedTuple):
    """The points in canonical order, and how far the grouping has come."""

    points: np.ndarray
    labels: np.ndarray  # -1 for a point that is left
    total: np.ndarray  # sum over the points left, in two parts


def groups_of_k(points: np.ndarray, k: int) -> np.ndarray:
    """Label the groups of exactly k; the last k to 2k - 1 points keep -1.

    Parameters
    ----------
    points : float64 array, shape (points, dimensions)
        In canonical order: of equals the first is taken.
    k : int

    Returns
    -------
    int array, shape (points,)
    """
    state = State(points, np.full(len(points), -1), np.zeros((2, points.shape[1])))
    _add_all(state)
    left, sketch = len(points), None
    # products as flat as these are done before a second thread has started
    with _libraries().limit(limits=1, user_api="blas"):
        while left >= 2 * k:
            mean = mean_in_two_parts(state.total, left)
            if sketch is None or left < _COMPACT * len(sketch.rows):
                sketch = make_sketch(points, np.flatnonzero(state.labels < 0), mean[0])
                room = np.empty((2 * _BATCH, len(sketch.table)), dtype=np.float32)
            scores = mean_row(sketch, mean)
            size = min(_BATCH, left // (2 * k) + 1)
            batch = make_batch(sketch, scores, room[: 2 * size])
            left = _rounds(state, k, left, sketch, batch, scores)
    return state.labels


@cache
def _libraries() -> ThreadpoolController:
    """The libraries that count with threads; to look for them takes longer than a small table."""
    return ThreadpoolController()


@numba.njit(cache=True)
def _add_all(state: State) -> None:
    for point in state.points:
        add_compensated(state.total, point, 1.0)


@numba.njit(cache=True)
def _rounds(
    state: State, k: int, left: int, sketch: Sketch, batch: Batch, scores: np.ndarray
) -> int:
    """Make groups until the batch is used up; scores are distances from the present mean."""
    points, nowhere = state.points, np.zeros(state.points.shape[1])
    group, before = state.labels.max() + 1, mean_in_two_parts(state.total, left)
    missed = cells = 0
    while left >= 2 * k and missed < 2 and cells < _CELLS:
        mean = mean_in_two_parts(state.total, left)
        found = _ends(sketch, scores, np.sqrt(np.square((mean - before).sum(axis=0)).sum()))
        if len(found) > 16 + len(scores) // 64:  # the mean has moved too far
            scores, before = mean_row(sketch, mean), mean
            found = _ends(sketch, scores, 0.0)
        far = squared_distances(points, sketch.rows[found], mean[0], mean[1])
        end = found[np.argmax(far >= far.max() * (1 - TIE))]
        missed += batch.place[end] < 0
        cells += sketch.table.size * (batch.place[end] < 0)
        row = distance_row(sketch, batch, end)
        cells += len(found) * points.shape[1] + _take(state, k, sketch, row, end, group)
        group, left = group + 1, left - k
        if left >= 2 * k:  # at least 3k before: room for a group on the other side
            found = farthest(row, sketch.gone, sketch.slack)
            far = squared_distances(points, sketch.rows[found], points[sketch.rows[end]], nowhere)
            end = found[np.argmax(far)]
            cells += sketch.table.size * (batch.place[end] < 0)
            row = distance_row(sketch, batch, end)
            cells += len(found) * points.shape[1] + _take(state, k, sketch, row, end, group)
            group, left = group + 1, left - k
    return left


@numba.njit(cache=True)
def _ends(sketch: Sketch, scores: np.ndarray, drift: float) -> np.ndarray:
    """Rows that may be farthest from a mean that lies by drift from where scores were taken.

    The order of x and y changes by at most 2 |x - y| drift, and |x - y| is at most 2 longest.
    """
    slack = sketch.slack + 4 * sketch.longest * (drift / sketch.scale)
    return farthest(scores, sketch.gone, slack * (1 + 1e-9))


@numba.njit(cache=True)
def _take(state: State, k: int, sketch: Sketch, row: np.ndarray, end: int, group: int) -> int:
    """Put an end and its k - 1 nearest into a group; tells how many cells were looked at."""
    sketch.gone[end] = np.inf
    found = nearest(row, sketch.gone, k - 1, sketch.slack)
    here, nowhere = state.points[sketch.rows[end]], np.zeros(state.points.shape[1])
    near = squared_distances(state.points, sketch.rows[found], here, nowhere)
    first = np.argsort(near, kind="mergesort")[: k - 1]  # stable: of equals the first
    members = np.append(found[first], end)
    for position in members:
        sketch.gone[position] = np.inf
        state.labels[sketch.rows[position]] = group
        add_compensated(state.total, state.points[sketch.rows[position]], -1.0)
    return len(found) * state.points.shape[1]
