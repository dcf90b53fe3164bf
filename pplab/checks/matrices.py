"""Checks of CSR arrays."""

from __future__ import annotations

import numpy as np
from scipy import sparse

__all__ = [
    "check_no_duplicates",
    "check_same_shape",
    "check_square_symmetric",
    "check_stored_values",
    "check_structure",
]


def check_stored_values(
    name: str, matrix: sparse.csr_array, *, low: float, high: float, step: float | None = None
) -> None:
    """Refuse stored values that are not finite, outside [low, high] or off the grid of step."""
    values = matrix.data
    good = (values >= low) & (values <= high) & np.isfinite(values)
    if step is not None:
        good &= np.mod(values, step) == 0
    if not good.all():
        bad = values[~good][0]
        grid = "" if step is None else f" in steps of {step:g}"
        raise ValueError(
            f"{name} must have finite stored values between {low:g} and {high:g}{grid}, "
            f"got {bad!r}; rescale or drop such entries"
        )


def check_structure(name: str, matrix: sparse.csr_array) -> bool:
    """Refuse a CSR array that is empty, too large to number, or whose parts do not fit.

    Returns
    -------
    bool
        Whether its rows are sorted and free of duplicates already.
    """
    rows, columns = matrix.shape
    if rows == 0 or columns == 0:
        raise ValueError(f"{name} must have rows and columns, got shape {matrix.shape}")
    if columns >= 2**31 or rows * columns >= 2**63:
        raise ValueError(
            f"{name} must have fewer than 2^31 columns and 2^63 cells, got shape {matrix.shape}"
        )
    if matrix.data.dtype.kind not in "biuf":
        raise ValueError(f"{name} must store real numbers, got {matrix.data.dtype}")
    if matrix.data.dtype.kind == "f" and not np.isfinite(matrix.data).all():
        raise ValueError(
            f"{name} must store finite values, got NaN or inf; leave missing cells out instead"
        )
    steps_up = bool((matrix.indptr[1:] >= matrix.indptr[:-1]).all())
    if not steps_up or matrix.indptr[0] != 0 or matrix.indptr[-1] != len(matrix.indices):
        raise ValueError(f"{name} must be a valid CSR array, got an indptr that does not fit")
    if _rows_ascend(matrix.indptr, matrix.indices, columns):
        return True
    if matrix.nnz and not 0 <= matrix.indices.min() <= matrix.indices.max() < columns:
        raise ValueError(
            f"{name} must have column numbers from 0 to {columns - 1}, got "
            f"{matrix.indices.min()} to {matrix.indices.max()}"
        )
    return False


def check_no_duplicates(name: str, matrix: sparse.csr_array) -> None:
    """Refuse a sorted CSR array that stores a cell twice."""
    same = matrix.indices[1:] == matrix.indices[:-1]
    same[
        matrix.indptr[1:-1][(matrix.indptr[1:-1] > 0) & (matrix.indptr[1:-1] < matrix.nnz)] - 1
    ] = False  # the first entry of a row is not compared with the last one of the row before
    if same.any():
        place = int(np.flatnonzero(same)[0])
        row = int(np.searchsorted(matrix.indptr, place, side="right")) - 1
        raise ValueError(
            f"{name} has duplicate edges, got cell ({row}, {int(matrix.indices[place])}) twice; "
            "merge or drop duplicates first"
        )


def check_square_symmetric(name: str, matrix: sparse.csr_array) -> None:
    """Refuse an adjacency that is not square, not symmetric or has self-loops."""
    rows, columns = matrix.shape
    if rows != columns:
        raise ValueError(
            f"{name} must be a square adjacency matrix, got {rows} x {columns}; "
            "for users x items use the bipartite function"
        )
    if matrix.diagonal().any() or (matrix.indices == _row_of_each_entry(matrix)).any():
        raise ValueError(f"{name} must have no self-loops, got some; drop the diagonal first")
    transposed = matrix.T.tocsr()
    transposed.sort_indices()
    if not (
        np.array_equal(matrix.indptr, transposed.indptr)
        and np.array_equal(matrix.indices, transposed.indices)
        and np.array_equal(matrix.data, transposed.data)
    ):
        raise ValueError(
            f"{name} must be symmetric (an undirected graph), got an edge in one direction only; "
            "add its transpose first"
        )


def check_same_shape(
    left: sparse.csr_array | np.ndarray,
    right: sparse.csr_array | np.ndarray,
    *,
    names: tuple[str, str] = ("original", "protected"),
) -> None:
    """Refuse two matrices or tables of different shapes."""
    if left.shape != right.shape:
        raise ValueError(
            f"{names[0]} and {names[1]} must have the same shape, got {left.shape} and "
            f"{right.shape}; align users and items first"
        )


def _row_of_each_entry(matrix: sparse.csr_array) -> np.ndarray:
    return np.repeat(np.arange(matrix.shape[0], dtype=matrix.indices.dtype), np.diff(matrix.indptr))


def _rows_ascend(indptr: np.ndarray, indices: np.ndarray, columns: int) -> bool:
    """Say whether the columns of each row ascend strictly from 0 to below the number of columns."""
    filled = indptr[:-1] < indptr[1:]
    starts, lasts = indptr[:-1][filled], indptr[1:][filled] - 1
    if not len(starts):
        return True
    if indices[starts].min() < 0 or indices[lasts].max() >= columns:
        return False
    steps_down = np.count_nonzero(indices[1:] <= indices[:-1])
    at_borders = np.count_nonzero(indices[starts[1:]] <= indices[starts[1:] - 1])
    return bool(steps_down == at_borders)
