"""Points in the order of their coordinates, and of a size whose squares are finite."""

from __future__ import annotations

import numpy as np

__all__ = ["by_group", "coordinate_order", "scaled", "squares_to"]


def coordinate_order(table: np.ndarray) -> np.ndarray:
    """Rows by their first coordinate, then the second and so on; equal rows stay as they are.

    Rows are compared as strings of bytes of the same order, which takes one sort where
    ``np.lexsort`` takes one per column.

    Examples
    --------
    >>> coordinate_order(np.array([[2.0, -1.0], [-3.0, 5.0], [2.0, -4.0]]))
    array([1, 2, 0])
    """
    bits = (table.astype(np.float64) + 0.0).view(np.int64)  # + 0.0 turns -0.0 into 0.0
    bits ^= (bits >> 63) | np.int64(-(2**63))  # negative numbers backwards, before positive ones
    keys = bits.astype(">i8").view(f"V{8 * table.shape[1]}").ravel()
    return np.argsort(keys, kind="stable")


def scaled(table: np.ndarray) -> np.ndarray:
    """Bring float64 points to at most 1 by a power of two: exact, and no square leaves the range.

    Examples
    --------
    >>> scaled(np.array([[3e200], [-6e200]])) / scaled(np.array([[6e200]]))
    array([[ 0.5],
           [-1. ]])
    """
    return np.ldexp(table, -int(np.frexp(np.abs(table).max())[1]))


def squares_to(place: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Squared distances of points to a place; a point gives the same number wherever it stands."""
    differences = points - place
    return np.square(differences, out=differences).sum(axis=1)


def by_group(
    table: np.ndarray, groups: np.ndarray, order: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows group by group, in an order within each; where each group starts, and its size."""
    order = order[np.argsort(groups[order], kind="stable")]
    sizes = np.bincount(groups)
    return table[order], np.cumsum(sizes) - sizes, sizes
