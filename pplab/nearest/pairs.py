"""Distances of single pairs of rows in float64, and when two of them count as equal."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["TIE", "in_range", "largest", "pair_distances", "row_distances", "ties_with"]

TIE = 1e-12  # relative difference of two squared distances up to which they count as equal


def row_distances(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Mean squared difference of each row to the row of the same number.

    Parameters
    ----------
    left, right : float64 array, shape (rows, cells)
        Cells that are NaN in either row are left out.

    Returns
    -------
    float64 array, shape (rows,)
        Equal to what ``nearest_rows`` computes for the same tables; inf where two rows have no
        cell in common.

    Examples
    --------
    >>> row_distances(np.array([[1.0, np.nan], [2.0, 2.0]]), np.array([[3.0, 5.0], [2.0, 0.0]]))
    array([4., 2.])
    """
    left, right = in_range(left, right)
    places = np.arange(len(left))
    return pair_distances(left, right, places, places)


def ties_with(distances: np.ndarray, nearest: np.ndarray) -> np.ndarray:
    """Say whether distances count as equal to the smallest one; inf never does.

    Two squared distances count as equal when they differ by at most ``TIE`` (1e-12) relative to
    the smaller: group means that are equal on paper differ by about 1e-16 once they are computed.

    Examples
    --------
    >>> ties_with(np.array([2.0, 2.000001]), np.array([2.0, 2.0]))
    array([ True, False])
    """
    return (distances <= nearest * (1 + TIE)) & np.isfinite(distances)


def in_range(left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Scale numbers whose squares leave the range of floats by one power of two: ties stay ties."""
    size = max(largest(left), largest(right))
    if size == 0 or 1e-100 < size < 1e100:
        return left, right
    power = -int(np.frexp(size)[1])
    return np.ldexp(left, power), np.ldexp(right, power)


def largest(table: np.ndarray) -> float:
    """Largest size of a number in a table, 0 where there is none."""
    low, high = (f.reduce(table, axis=None, initial=0.0) for f in (np.fmin, np.fmax))
    return float(max(-low, high))


@numba.njit(cache=True, nogil=True)
def pair_distances(
    left: np.ndarray, right: np.ndarray, rows: np.ndarray, others: np.ndarray
) -> np.ndarray:
    """Mean squared difference of listed pairs, summed cell by cell from the first to the last."""
    distances = np.empty(len(rows))
    for pair in range(len(rows)):
        total, count = 0.0, 0
        for cell in range(left.shape[1]):
            difference = left[rows[pair], cell] - right[others[pair], cell]
            if not np.isnan(difference):
                total += difference * difference
                count += 1
        distances[pair] = total / count if count else np.inf
    return distances
