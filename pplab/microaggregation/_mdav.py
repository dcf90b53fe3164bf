"""MDAV's groups of k for many points: the compiled form of `pplab.microaggregation.mdav`.

Two groups each round, around the two ends of what is left. Which point is nearest or farthest is
decided in float64, on the few that can be it: a *sketch* of the points in float32 gives every
squared distance from a place up to a known slack. Points whose sketched distance is out of reach
are left aside; those that remain are measured again in float64 on their own coordinates, always
summed in one order, and only that decides. So neither the sketch nor the number of threads behind
it can change an answer.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from threadpoolctl import ThreadpoolController

from pplab.compiled import TIE, inner, njit
from pplab.graphs import Array

_BATCHES = (16, 64)  # rows at least and at most: as many as dimensions take the room of the points
_COMPACT = 0.8  # a sketch is made anew when only this part of its rows is left
_CELLS = 10**9  # looked at within one compiled call, which Ctrl-C cannot interrupt
_PART = 1024  # points that are sketched at once
_DEPTH = 64  # sketched distances are first compared column by column, as a table of 64 rows
_FORWARDS, _BACKWARDS = np.float32(1), np.float32(-1)  # sign of distances: nearest, or farthest


# The rounds: two groups each, around the two ends of what is left.


class _State(NamedTuple):
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
    state = _State(points, np.full(len(points), -1), np.zeros((2, points.shape[1])))
    _add_all(state)
    left, sketch, size = len(points), None, int(np.clip(points.shape[1], *_BATCHES))
    # products as flat as these are done before a second thread has started
    with _libraries().limit(limits=1, user_api="blas"):
        while left >= 2 * k:
            mean = _mean_in_two_parts(state.total, left)
            if sketch is None or left < _COMPACT * len(sketch.rows):
                sketch = batch = None  # and the buffer: room for the next
                buffer = np.empty((0, 0), dtype=np.float32)
                sketch = _make_sketch(points, np.flatnonzero(state.labels < 0), mean[0])
                buffer = np.empty((2 * size, len(sketch.table)), dtype=np.float32)
            scores = _mean_row(sketch, mean)
            batch = _make_batch(sketch, scores, buffer[: 2 * min(size, left // (2 * k) + 1)])
            left = _rounds(state, k, left, sketch, batch, scores)
    return state.labels


@cache
def _libraries() -> ThreadpoolController:
    """The libraries that count with threads; to look for them takes longer than a small table."""
    return ThreadpoolController()


@njit()
def _add_all(state: _State) -> None:
    for row in range(len(state.points)):
        add_compensated(state.total, state.points[row], 1.0)


@njit()
def _rounds(state: _State, k: int, left: int, sketch: _Sketch, batch: _Batch, scores: Array) -> int:
    """Make groups until the batch is used up; scores are distances from the present mean."""
    points, nowhere = state.points, np.zeros(state.points.shape[1])
    group, before = (len(points) - left) // k, _mean_in_two_parts(state.total, left)
    missed = cells = 0
    while left >= 2 * k and missed < 2 and cells < _CELLS:
        mean = _mean_in_two_parts(state.total, left)
        candidates = _ends(sketch, scores, mean - before)
        if len(candidates) > 16 + len(scores) // 64:  # the mean has moved too far
            scores, before = _mean_row(sketch, mean), mean
            candidates = _ends(sketch, scores, mean - before)
        far = squared_distances(points, sketch.rows[candidates], mean[0], mean[1])
        tied = far >= far[_least(-far, 1)[0]] * (1 - TIE)
        end = candidates[np.argmax(tied)]
        missed += batch.place[end] < 0
        cells += 2 * sketch.table.size
        row = _take(state, k, sketch, batch, end, group)
        group, left = group + 1, left - k
        if left >= 2 * k:  # at least 3k before: enough for a group on the other side
            candidates = nearest(row, sketch.gone, 1, sketch.slack, _BACKWARDS)
            end_point = points[sketch.rows[end]]
            far = squared_distances(points, sketch.rows[candidates], end_point, nowhere)
            end = candidates[_least(-far, 1)[0]]
            _take(state, k, sketch, batch, end, group)
            group, left = group + 1, left - k
    return left


@inner(arrays=True)
def _ends(sketch: _Sketch, scores: Array, moved: Array) -> Array:
    """Rows that may be farthest from a mean that has moved, in two parts, since the scores.

    The order of x and y changes by at most 2 |x - y| drift, and |x - y| is at most 2 longest.
    """
    drift = np.sqrt(np.square(moved[0] + moved[1]).sum())
    slack = sketch.slack + 4 * sketch.longest * (drift / sketch.scale)
    return nearest(scores, sketch.gone, 1, slack * (1 + 1e-9), _BACKWARDS)


@inner(arrays=True)
def _take(state: _State, k: int, sketch: _Sketch, batch: _Batch, end: int, group: int) -> Array:
    """Put an end and its k - 1 nearest into a group; sketched distances from the end."""
    row = _distance_row(sketch, batch, end)
    sketch.gone[end] = np.inf
    candidates = nearest(row, sketch.gone, k - 1, sketch.slack, _FORWARDS)
    end_point, origin = state.points[sketch.rows[end]], np.zeros(state.points.shape[1])
    near = squared_distances(state.points, sketch.rows[candidates], end_point, origin)
    first = _least(near, k - 1)
    for number in range(k):
        position = candidates[first[number]] if number < k - 1 else end
        sketch.gone[position] = np.inf
        state.labels[sketch.rows[position]] = group
        add_compensated(state.total, state.points[sketch.rows[position]], -1.0)
    return row


# Squared distances of many points in float32, up to a known slack, many rows at a time.
#
# With rows [x, |x|^2], one matrix product gives |x|^2 - 2ax for many places a at once: the squared
# distance less |a|^2, which moves no comparison. A place that MDAV asks for is nearly always known
# ahead, because ends are taken from the rim: those farthest from the mean now, and those farthest
# from them. The product is for these; for any other place a row is worked out when it is needed.


class _Sketch(NamedTuple):
    """Points left, centred and scaled into float32, padded to a multiple of _DEPTH rows."""

    rows: np.ndarray  # the number of each row among all points
    table: np.ndarray  # (padded rows, dimensions + 1) float32: x and |x|^2
    gone: np.ndarray  # float32: 0 for a row that is left, inf for one in a group and for a pad
    centre: np.ndarray
    scale: float
    longest: float  # greatest |x|
    slack: float  # by how much the order of two sketched distances may be wrong


class _Batch(NamedTuple):
    """Sketched distances from the rows that are likely to be asked for next."""

    place: np.ndarray  # for each row of the sketch its row in distances, or -1
    distances: np.ndarray  # (batch, padded rows) float32


def _make_sketch(points: np.ndarray, rows: np.ndarray, centre: np.ndarray) -> _Sketch:
    """_Sketch some rows around a place among them."""
    parts = [slice(start, start + _PART) for start in range(0, len(rows), _PART)]
    largest = max(np.abs(points[rows[part]] - centre).max() for part in parts)
    scale = 2.0 ** float(np.frexp(largest)[1])  # nothing overflows, or sinks to 0
    padded = -(-len(rows) // _DEPTH) * _DEPTH
    table = np.zeros((padded, points.shape[1] + 1), dtype=np.float32)
    longest = 0.0
    for part in parts:  # in float64, without a copy of all
        moved = (points[rows[part]] - centre) / scale
        squares = np.einsum("ij,ij->i", moved, moved)
        table[: len(rows), :-1][part] = moved
        table[: len(rows), -1][part] = squares
        longest = max(longest, float(np.sqrt(squares.max())))
    gone = np.full(padded, np.inf, dtype=np.float32)
    gone[: len(rows)] = 0
    # Rounding: at most (dimensions + 1) units for the product and a few for what goes into it,
    # each at most (|a| + |x|)^2; twice, because two distances are compared.
    slack = 2 * (points.shape[1] + 16) * 2.0**-24 * (2 * longest) ** 2
    return _Sketch(rows, table, gone, centre, scale, longest, slack)


def _make_batch(sketch: _Sketch, scores: np.ndarray, buffer: np.ndarray) -> _Batch:
    """Fill a buffer: rows of greatest score in one half, as many that lie opposite in the other."""
    place = np.full(len(scores), -1)
    size = len(buffer) // 2
    ends = _greatest(scores - sketch.gone, size)
    _distances(sketch, ends, buffer[:size])
    far = _opposite(buffer[:size], sketch.gone)
    far[ends] = -np.inf
    others = _greatest(far, size)
    _distances(sketch, others, buffer[size:])
    place[others] = np.arange(size, 2 * size)
    place[ends] = np.arange(size)
    return _Batch(place, buffer)


def _greatest(values: np.ndarray, size: int) -> np.ndarray:
    return np.argpartition(values, len(values) - size)[len(values) - size :]


def _distances(sketch: _Sketch, chosen: np.ndarray, out: np.ndarray) -> None:
    queries = sketch.table[chosen] * np.float32(-2)
    queries[:, -1] = 1
    np.dot(queries, sketch.table.T, out=out)


def _opposite(distances: Array, gone: Array) -> Array:
    """Shortfall of each row from being the farthest from one of the places."""
    out = np.full(len(gone), np.float32(-np.inf))
    for row in distances:
        left = row - gone
        np.maximum(out, left - left.max(), out=out)
    return out


@inner(arrays=True)
def _distance_row(sketch: _Sketch, batch: _Batch, position: int) -> Array:
    """Sketched distances from one row, out of the batch if it is there."""
    if batch.place[position] >= 0:
        return batch.distances[batch.place[position]]
    query = sketch.table[position] * np.float32(-2)
    query[-1] = 1
    return _product(sketch.table, query)


@njit()
def _mean_row(sketch: _Sketch, mean: Array) -> Array:
    """Sketched distances from a mean in two parts."""
    query = np.empty(sketch.table.shape[1], dtype=np.float32)
    for j in range(len(query) - 1):
        query[j] = -2 * (((mean[0, j] - sketch.centre[j]) + mean[1, j]) / sketch.scale)
    query[-1] = 1
    return _product(sketch.table, query)


@inner(arrays=True, fastmath=True)
def _product(table: Array, query: Array) -> Array:
    out = np.empty(len(table), dtype=np.float32)
    for i in range(len(table)):
        row, sum_ = table[i], np.float32(0)
        for j in range(len(query)):
            sum_ += row[j] * query[j]
        out[i] = sum_
    return out


# Points that can be nearest or farthest, by sketched distances.


@inner(arrays=True)
def nearest(sketched: Array, gone: Array, count: int, slack: float, sign: np.float32) -> Array:
    """Positions, in order, of all points left that may be among the nearest; gone ones hold inf.

    With the sign -1 of those that may be among the farthest.
    """
    least = _column_minima(sketched, gone, sign)
    limit = _reached_by(least, count) + slack
    columns, filled = np.flatnonzero(least <= limit), 0
    candidates = np.empty(len(columns) * _DEPTH, dtype=np.int64)
    for start in range(0, len(sketched), len(least)):
        for column in columns:
            if sign * sketched[start + column] <= limit and gone[start + column] == 0:
                candidates[filled] = start + column
                filled += 1
    values = sign * sketched[candidates[:filled]]
    return candidates[:filled][values <= _reached_by(values, count) + slack]


@inner
def _reached_by(values: Array, count: int) -> float:
    """Bound, nearly the smallest, that so many values do not exceed; infinite if they are fewer."""
    low, high, bound = np.inf, -np.inf, np.inf
    for value in values:
        if value < np.inf:
            low, high = min(low, value), max(high, value)
    for _ in range(32):
        middle, within = (low + high) / 2, 0
        for value in values:
            within += value <= middle
        if within >= count:
            high = bound = middle
        else:
            low = middle
        if within == count:
            break
    return bound


@inner(arrays=True)
def _least(values: Array, count: int) -> Array:
    """Places of the least values, in their order; of equals the first."""
    places, filled = np.empty(count, dtype=np.int64), 0
    for place in range(len(values)):
        if filled == count and values[place] >= values[places[-1]]:
            continue
        filled = min(filled + 1, count)
        at = filled - 1
        while at > 0 and values[places[at - 1]] > values[place]:
            places[at] = places[at - 1]
            at -= 1
        places[at] = place
    return places


@inner(arrays=True, fastmath={"nnan", "nsz"})
def _column_minima(sketched: Array, gone: Array, sign: np.float32) -> Array:
    """Least value of each column of the table with _DEPTH rows that the signed values make."""
    width = len(sketched) // _DEPTH
    out = np.full(width, np.float32(np.inf))
    for start in range(0, len(sketched), width):
        values, away = sketched[start : start + width], gone[start : start + width]
        for i in range(width):
            value = sign * values[i] + away[i]
            out[i] = value if value < out[i] else out[i]
    return out


# Distances and means in float64, to the last bit the same in every run.


@njit()
def squared_distances(points: Array, rows: Array, origin: Array, offset: Array) -> Array:
    """Squared distance of some rows from ``origin + offset``, in four sums of fixed order."""
    out = np.empty(len(rows))
    width = points.shape[1]
    whole = width - width % 4
    for i in range(len(rows)):
        point = points[rows[i]]
        a = b = c = d = 0.0
        for j in range(0, whole, 4):
            a += ((point[j] - origin[j]) - offset[j]) ** 2
            b += ((point[j + 1] - origin[j + 1]) - offset[j + 1]) ** 2
            c += ((point[j + 2] - origin[j + 2]) - offset[j + 2]) ** 2
            d += ((point[j + 3] - origin[j + 3]) - offset[j + 3]) ** 2
        for j in range(whole, width):
            a += ((point[j] - origin[j]) - offset[j]) ** 2
        out[i] = (a + b) + (c + d)
    return out


@inner
def add_compensated(total: Array, point: Array, sign: float) -> None:
    """Add ``sign * point`` to a sum held in two parts, which loses nothing that matters."""
    for j in range(len(point)):
        term = sign * point[j]
        high = total[0, j] + term
        back = high - total[0, j]
        total[1, j] += (total[0, j] - (high - back)) + (term - back)
        total[0, j] = high


@njit()
def _mean_in_two_parts(total: Array, count: int) -> Array:
    """Mean of a two-part sum, in two parts: far from 0, one float64 would round it too much."""
    mean = np.empty_like(total)
    for j in range(total.shape[1]):
        mean[0, j] = total[0, j] / count
        shifted = mean[0, j] * 134217729.0  # 2^27 + 1 splits a float64 into halves (Dekker)
        upper = shifted - (shifted - mean[0, j])
        rest = (total[0, j] - count * upper) - count * (mean[0, j] - upper)
        mean[1, j] = (rest + total[1, j]) / count
    return mean
