"""Cells of a sparse table as ascending numbers: row * columns + column."""

from __future__ import annotations

import numpy as np
from scipy import sparse

__all__ = ["cell_keys", "from_cell_keys", "paired_values", "rows_of_entries"]


def rows_of_entries(matrix: sparse.csr_array) -> np.ndarray:
    """Row number of each stored entry, in stored order."""
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))


def cell_keys(matrix: sparse.csr_array) -> np.ndarray:
    """Number row * columns + column of each stored cell: ascending, since rows are sorted."""
    return rows_of_entries(matrix) * np.int64(matrix.shape[1]) + matrix.indices


def from_cell_keys(
    keys: np.ndarray, values: np.ndarray, shape: tuple[int, int]
) -> sparse.csr_array:
    """Build a CSR array from ascending cell numbers and their values, zeros kept."""
    rows, columns = np.divmod(keys, shape[1])
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=shape[0]))])
    return sparse.csr_array((values, columns.astype(np.int32), indptr), shape=shape)


def paired_values(
    left: sparse.csr_array, right: sparse.csr_array, *, absent: float = 0.0
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cells stored in either matrix, ascending, and both matrices' values there."""
    sides = [(cell_keys(matrix), matrix.data) for matrix in (left, right)]
    both = np.concatenate([keys for keys, _ in sides])
    both.sort(kind="stable")  # merges two sorted runs: no sorting is left to do
    union = both[np.append(True, both[1:] != both[:-1])] if len(both) else both
    values = []
    for keys, data in sides:
        column = np.full(len(union), absent)
        column[np.searchsorted(union, keys)] = data
        values.append(column)
    return union, values[0], values[1]
