"""Squared distances of many points in float32, up to a known slack, many rows at a time.

With rows [x, |x|^2], one matrix product gives |x|^2 - 2ax for many places a at once: the squared
distance less |a|^2, which moves no comparison. A place that MDAV asks for is nearly always known
ahead, because ends are taken from the rim: those farthest from the mean now, and those farthest
from them. The product is for these; for any other place a row is worked out when it is needed.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

from pplab.anonymity.extremes import DEPTH

__all__ = ["Batch", "Sketch", "distance_row", "make_batch", "make_sketch", "mean_row"]


class Sketch(NamedTuple):
    """What is left, centred and scaled into float32, padded to a multiple of DEPTH rows."""

    rows: np.ndarray  # the number of each row among all points
    table: np.ndarray  # (padded rows, dimensions + 1) float32: x and |x|^2
    gone: np.ndarray  # float32: 0 for a row that is left, inf for one in a group and for a pad
    centre: np.ndarray
    scale: float
    longest: float  # greatest |x|
    slack: float  # by how much the order of two sketched distances may be wrong


class Batch(NamedTuple):
    """Sketched distances from the rows that are likely to be asked for next."""

    place: np.ndarray  # for each row of the sketch its row in distances, or -1
    distances: np.ndarray  # (batch, padded rows) float32


def make_sketch(points: np.ndarray, rows: np.ndarray, centre: np.ndarray) -> Sketch:
    """Sketch some rows around a place among them."""
    moved = points[rows] - centre
    scale = 2.0 ** float(np.frexp(np.abs(moved).max())[1])  # nothing overflows, or sinks to 0
    moved /= scale
    squares = np.square(moved).sum(axis=1)
    padded = -(-len(rows) // DEPTH) * DEPTH
    table = np.zeros((padded, points.shape[1] + 1), dtype=np.float32)
    table[: len(rows), :-1] = moved
    table[: len(rows), -1] = squares
    gone = np.full(padded, np.inf, dtype=np.float32)
    gone[: len(rows)] = 0
    longest = float(np.sqrt(squares.max()))
    # Rounding: at most (dimensions + 1) units for the product and a few for what goes into it,
    # each at most (|a| + |x|)^2; twice, because two distances are compared.
    slack = 2 * (points.shape[1] + 16) * 2.0**-24 * (2 * longest) ** 2
    return Sketch(rows, table, gone, centre, scale, longest, slack)


def make_batch(sketch: Sketch, scores: np.ndarray, room: np.ndarray) -> Batch:
    """Fill a room: rows of greatest score in one half, as many that lie opposite in the other."""
    place = np.full(len(scores), -1)
    size = len(room) // 2
    ends = _greatest(scores - sketch.gone, size)
    _distances(sketch, ends, room[:size])
    far = _opposite(room[:size], sketch.gone)
    far[ends] = -np.inf
    others = _greatest(far, size)
    _distances(sketch, others, room[size:])
    place[others] = np.arange(size, 2 * size)
    place[ends] = np.arange(size)
    return Batch(place, room)


def _greatest(values: np.ndarray, size: int) -> np.ndarray:
    return np.argpartition(values, len(values) - size)[len(values) - size :]


def _distances(sketch: Sketch, chosen: np.ndarray, out: np.ndarray) -> None:
    queries = sketch.table[chosen] * np.float32(-2)
    queries[:, -1] = 1
    np.dot(queries, sketch.table.T, out=out)


@numba.njit(cache=True, fastmath={"nnan", "nsz"})
def _opposite(distances: np.ndarray, gone: np.ndarray) -> np.ndarray:
    """How little each row falls short of being the farthest from one of the places."""
    out = np.full(len(gone), np.float32(-np.inf))
    for row in distances:
        left = row - gone
        farthest = left.max()
        for i in range(len(out)):
            value = left[i] - farthest
            out[i] = value if value > out[i] else out[i]
    return out


@numba.njit(cache=True)
def distance_row(sketch: Sketch, batch: Batch, position: int) -> np.ndarray:
    """Sketched distances from one row, out of the batch if it is there."""
    if batch.place[position] >= 0:
        return batch.distances[batch.place[position]]
    query = sketch.table[position] * np.float32(-2)
    query[-1] = 1
    return _product(sketch.table, query)


@numba.njit(cache=True)
def mean_row(sketch: Sketch, mean: np.ndarray) -> np.ndarray:
    """Sketched distances from a mean in two parts."""
    query = np.ones(sketch.table.shape[1], dtype=np.float32)
    query[:-1] = -2 * (((mean[0] - sketch.centre) + mean[1]) / sketch.scale)
    return _product(sketch.table, query)


@numba.njit(cache=True, fastmath=True)
def _product(table: np.ndarray, query: np.ndarray) -> np.ndarray:
    out = np.empty(len(table), dtype=np.float32)
    for i in range(len(table)):
        row, sum_ = table[i], np.float32(0)
        for j in range(len(query)):
            sum_ += row[j] * query[j]
        out[i] = sum_
    return out
