"""Strict Mondrian on binary columns, from the stored entries alone.

Columns of zeros and ones are as wide as each other until they are constant, so the first column
with an allowed cut is taken. A column that has too few ones or too few zeros in a group has too
few in every part of it as well, and a column that was cut is constant on both sides. So nobody
has to look back: each column in its turn cuts every group it is allowed to cut. The rule of the
median forbids more, but a cut that it forbids in a group may be allowed in a part of it; there
every group is counted anew.
"""

from __future__ import annotations

import numba
import numpy as np
from scipy import sparse

__all__ = ["cut_above_medians", "sweep_columns"]


def cut_above_medians(matrix: sparse.csr_array, k: int) -> np.ndarray:
    """Give the group of each row where a column is cut only if half of a group lacks it.

    Parameters
    ----------
    matrix : csr_array of ones, shape (rows, columns)
    k : int
        Least rows of a side.

    Returns
    -------
    int64 array, shape (rows,)
        Zeros before ones at every cut.
    """
    rows, columns = matrix.shape
    order, labels = np.arange(rows), np.empty(rows, dtype=np.int64)
    counts, touched = np.zeros(columns, dtype=np.int64), np.empty(columns, dtype=np.int64)
    waiting, groups = [(0, rows)], 0
    while waiting:
        start, end = waiting.pop()
        members = order[start:end]
        parts = matrix.indptr, matrix.indices, members
        column = _first_below_half(*parts, counts, touched, k)
        if column < 0:
            labels[members] = groups
            groups += 1
            continue
        has = _has(*parts, column)
        order[start:end] = np.concatenate([members[~has], members[has]])
        middle = end - int(has.sum())
        waiting += [(middle, end), (start, middle)]  # the last is taken first
    return labels


@numba.njit(cache=True)
def _first_below_half(
    indptr: np.ndarray,
    indices: np.ndarray,
    members: np.ndarray,
    counts: np.ndarray,
    touched: np.ndarray,
    k: int,
) -> int:
    """First column that is allowed to cut the group, or -1; counts are zeros before and after."""
    met = 0
    for row in members:
        for column in indices[indptr[row] : indptr[row + 1]]:
            if counts[column] == 0:
                touched[met] = column
                met += 1
            counts[column] += 1
    first = -1
    for column in touched[:met]:
        ones, zeros = counts[column], len(members) - counts[column]
        if ones >= k and zeros >= max(k, len(members) // 2) and not 0 <= first < column:
            first = column
        counts[column] = 0
    return first


@numba.njit(cache=True)
def _has(indptr: np.ndarray, indices: np.ndarray, members: np.ndarray, column: int) -> np.ndarray:
    found = np.zeros(len(members), np.bool_)
    for place, row in enumerate(members):
        for entry in indices[indptr[row] : indptr[row + 1]]:
            if entry == column:
                found[place] = True
    return found


@numba.njit(cache=True)
def sweep_columns(starts: np.ndarray, entries: np.ndarray, rows: int, k: int) -> np.ndarray:
    """Give the group of each row, zeros before ones at every cut.

    Parameters
    ----------
    starts, entries : int arrays, shapes (columns + 1,) and (ones,)
        CSC form: the rows with a one in column j are ``entries[starts[j]:starts[j + 1]]``.
    rows : int
    k : int
        Least rows of a side.

    Returns
    -------
    int64 array, shape (rows,)
    """
    most = rows // k + 1
    groups, sizes = np.zeros(rows, np.int64), np.zeros(most, np.int64)
    ones = np.zeros(most, np.int64)  # of the present column, in each group
    upper = np.full(most, -1, np.int64)  # where they go, if the group is cut
    parents, following = np.full(most, -1, np.int64), np.full(most, -1, np.int64)
    count, sizes[0] = 1, rows
    for column in range(len(starts) - 1):
        having = entries[starts[column] : starts[column + 1]]
        for row in having:
            ones[groups[row]] += 1
        before = count
        for row in having:
            group = groups[row]
            if upper[group] < 0 and ones[group] >= k and sizes[group] - ones[group] >= k:
                upper[group], parents[count], sizes[count] = count, group, ones[group]
                following[count], following[group] = following[group], count
                count += 1
        for row in having:
            group = groups[row]
            ones[group] = 0
            if upper[group] >= 0:
                groups[row] = upper[group]
        for group in range(before, count):
            sizes[parents[group]] -= sizes[group]
            upper[parents[group]] = -1
    return _in_order(groups, following)


@numba.njit(cache=True)
def _in_order(groups: np.ndarray, following: np.ndarray) -> np.ndarray:
    """Number the groups as they follow each other, from the first on."""
    places = np.empty(len(following), np.int64)
    group = place = 0
    while group >= 0:
        places[group] = place
        group, place = following[group], place + 1
    return places[groups]
