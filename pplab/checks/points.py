"""Checks of points: rows of finite numbers, between which distances are taken."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse


def as_points(points: Any, *, name: str = "points") -> np.ndarray:
    """Bring points into a dense table of finite numbers, one row for each point.

    Parameters
    ----------
    points : array, nested list, scipy sparse or DataFrame of numbers, shape (points, dimensions)
        What a sparse table does not store is 0.
    name : str
        What the argument is called in the sentence of a refusal.

    Returns
    -------
    C-contiguous array, shape (points, dimensions)
        float32 stays float32; every other kind of number becomes float64.

    Raises
    ------
    TypeError
        If the points are not numbers, or none of these.
    ValueError
        If the table is not two-dimensional, is empty, or holds NaN, infinity or masked cells.

    Examples
    --------
    >>> as_points([[1, 2], [3, 4]])
    array([[1., 2.],
           [3., 4.]])
    """
    if sparse.issparse(points):
        table = points.toarray()
    elif hasattr(points, "to_numpy"):
        table = points.to_numpy()
    else:
        table = _dense(points, name)
    if table.ndim != 2:
        raise ValueError(
            f"{name} must have two dimensions, got {table.ndim}; pass one row for each point "
            "(values on a line as a column: values.reshape(-1, 1))"
        )
    if not table.size:
        raise ValueError(
            f"{name} must have rows and columns, got shape {table.shape}; pass at least one point"
        )
    return _finite(table, name)


def _dense(points: Any, name: str) -> np.ndarray:
    if not isinstance(points, (np.ndarray, list, tuple)):
        raise TypeError(
            f"{name} must be a table of numbers, got {type(points).__name__}; pass an array, "
            "nested lists, a scipy sparse matrix or a DataFrame of numbers"
        )
    try:
        return np.ma.asarray(points)
    except ValueError as error:  # rows of different lengths
        raise ValueError(
            f"{name} must be a table with rows of one length, got {type(points).__name__} that "
            "numpy cannot read; fill what is missing first"
        ) from error


def _finite(table: np.ndarray, name: str) -> np.ndarray:
    if table.dtype.kind == "O":  # a DataFrame with columns of several kinds, or long integers
        try:
            table = table.astype(np.float64)
        except (TypeError, ValueError, OverflowError) as error:
            raise TypeError(
                f"{name} must hold numbers, got {error}; turn names and dates into numbers first"
            ) from error
    if table.dtype.kind not in "biuf":
        raise TypeError(
            f"{name} must hold real numbers, got {table.dtype}; turn them into numbers first"
        )
    if table.dtype != np.float32:
        with np.errstate(over="ignore"):  # a wide float that overflows becomes inf, refused below
            table = table.astype(np.float64, copy=False)
    table = np.ma.filled(table, np.nan)  # what is masked has no value
    finite = np.isfinite(table)
    if not finite.all():
        row, column = np.argwhere(~finite)[0]
        raise ValueError(
            f"{name} must be finite, got {table[row, column]} in row {row}, column {column} "
            f"({int((~finite).sum())} such cells in all); complete the table first"
        )
    return np.ascontiguousarray(table)
