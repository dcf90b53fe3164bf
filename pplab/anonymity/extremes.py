"""The nearest and the farthest of many points, decided in float64 on the few that can be it.

A *sketch* of the points in float32 gives every squared distance from a place up to a known slack.
Points whose sketched distance is out of reach are left aside; those that remain are measured again
in float64 on their own coordinates, always summed in one order, and only that decides. So neither
the sketch nor the number of threads behind it can change an answer.
"""

from __future__ import annotations

import numba
import numpy as np

__all__ = [
    "DEPTH",
    "add_compensated",
    "farthest",
    "mean_in_two_parts",
    "nearest",
    "squared_distances",
]

DEPTH = 64  # sketched distances are first compared column by column, as a table of 64 rows
TIE = 1e-12  # distances to a mean that differ by less than this part are equal


@numba.njit(cache=True)
def squared_distances(
    points: np.ndarray, rows: np.ndarray, origin: np.ndarray, offset: np.ndarray
) -> np.ndarray:
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


@numba.njit(cache=True)
def add_compensated(total: np.ndarray, point: np.ndarray, sign: float) -> None:
    """Add ``sign * point`` to a sum held in two parts, which loses nothing that matters."""
    for j in range(len(point)):
        term = sign * point[j]
        high = total[0, j] + term
        back = high - total[0, j]
        total[1, j] += (total[0, j] - (high - back)) + (term - back)
        total[0, j] = high


@numba.njit(cache=True)
def mean_in_two_parts(total: np.ndarray, count: int) -> np.ndarray:
    """Mean of a two-part sum, in two parts: far from 0, one float64 would round it too much."""
    mean = np.empty_like(total)
    for j in range(total.shape[1]):
        mean[0, j] = total[0, j] / count
        shifted = mean[0, j] * 134217729.0  # 2^27 + 1 splits a float64 into halves (Dekker)
        upper = shifted - (shifted - mean[0, j])
        rest = (total[0, j] - count * upper) - count * (mean[0, j] - upper)
        mean[1, j] = (rest + total[1, j]) / count
    return mean


@numba.njit(cache=True)
def nearest(sketched: np.ndarray, gone: np.ndarray, count: int, slack: float) -> np.ndarray:
    """Positions, in order, of all points that may be among the nearest; gone ones hold inf."""
    least = _column_minima(sketched, gone)
    limit = np.inf
    if count <= len(least):  # so many columns hold a point at least as near as this
        limit = np.float64(_kth(least, count)) + slack
    found = np.array(
        [
            i
            for column in np.flatnonzero(least <= limit)
            for i in range(column, len(sketched), len(least))
            if sketched[i] <= limit and gone[i] == 0
        ]
    )
    if len(found) > count:
        values = sketched[found]
        found = found[values <= np.float64(_kth(values, count)) + slack]
    return np.sort(found)


@numba.njit(cache=True)
def farthest(sketched: np.ndarray, gone: np.ndarray, slack: float) -> np.ndarray:
    """Positions, in order, of all points that may be the farthest."""
    most = _column_maxima(sketched, gone)
    limit = np.float64(most.max()) - slack
    found = [
        i
        for column in np.flatnonzero(most >= limit)
        for i in range(column, len(sketched), len(most))
        if sketched[i] - gone[i] >= limit
    ]
    return np.sort(np.array(found))


@numba.njit(cache=True)
def _kth(values: np.ndarray, count: int) -> float:
    return values.min() if count == 1 else np.partition(values, count - 1)[count - 1]


@numba.njit(cache=True, fastmath={"nnan", "nsz"})
def _column_minima(sketched: np.ndarray, gone: np.ndarray) -> np.ndarray:
    """Least value of each column of the table with DEPTH rows that the values make."""
    width = len(sketched) // DEPTH
    out = np.full(width, np.float32(np.inf))
    for start in range(0, len(sketched), width):
        values, away = sketched[start : start + width], gone[start : start + width]
        for i in range(width):
            value = values[i] + away[i]
            out[i] = value if value < out[i] else out[i]
    return out


@numba.njit(cache=True, fastmath={"nnan", "nsz"})
def _column_maxima(sketched: np.ndarray, gone: np.ndarray) -> np.ndarray:
    width = len(sketched) // DEPTH
    out = np.full(width, np.float32(-np.inf))
    for start in range(0, len(sketched), width):
        values, away = sketched[start : start + width], gone[start : start + width]
        for i in range(width):
            value = values[i] - away[i]
            out[i] = value if value > out[i] else out[i]
    return out
