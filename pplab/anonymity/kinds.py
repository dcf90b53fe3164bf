"""Binary rows laid out for searches: equal rows once, rare items first, who has which item."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from scipy import sparse

from pplab._compiled import mixed

__all__ = ["Kinds", "common_at_the_end", "kinds_of_rows"]


class Kinds(NamedTuple):
    """The kinds of rows of a table, numbered by degree and then by their first row.

    Items are numbered by how many rows have them, rare ones first (ties: by column).

    Attributes
    ----------
    starts, items : int64 (kinds + 1,) and int32 arrays
        Items of each kind, ascending.
    degrees : int64 array, shape (kinds,)
    from_degree : int64 array, shape (largest degree + 2,)
        First kind with this degree or a higher one.
    member_starts, members : int64 (kinds + 1,) and (rows,)
        Rows of each kind, ascending.
    kind_of : int64 array, shape (rows,)
    item_starts, item_kinds : int64 (items + 1,) and int32 arrays
        Kinds that have an item, ascending, thus by degree.
    """

    starts: np.ndarray
    items: np.ndarray
    degrees: np.ndarray
    from_degree: np.ndarray
    member_starts: np.ndarray
    members: np.ndarray
    kind_of: np.ndarray
    item_starts: np.ndarray
    item_kinds: np.ndarray


def kinds_of_rows(table: sparse.csr_array) -> Kinds:
    """Lay out a CSR array with sorted rows; memory grows with its entries.

    Examples
    --------
    >>> kinds = kinds_of_rows(sparse.csr_array([[1, 1, 0], [0, 1, 0], [1, 1, 0]]))
    >>> kinds.kind_of, kinds.degrees
    (array([1, 0, 1]), array([1, 2]))
    """
    counts = np.bincount(table.indices, minlength=table.shape[1])
    rank = np.empty(len(counts), dtype=np.int32)
    rank[np.argsort(counts, kind="stable")] = np.arange(len(counts), dtype=np.int32)
    indptr = table.indptr.astype(np.int64)
    items = rank[table.indices]
    signs = _sort_and_sign(indptr, items)
    order = np.argsort(signs, kind="stable")
    first, kind_of = _same_rows(indptr, items, signs, order)
    degrees = np.diff(indptr)[first]
    by_degree = np.lexsort((first, degrees))
    number = np.empty(len(first), dtype=np.int64)
    number[by_degree] = np.arange(len(first))
    kind_of, first, degrees = number[kind_of], first[by_degree], degrees[by_degree]
    starts = np.concatenate([[0], np.cumsum(degrees)])
    gathered = _gather(indptr, items, first, starts)
    return Kinds(
        starts,
        gathered,
        degrees,
        np.searchsorted(degrees, np.arange(degrees[-1] + 2)),
        *_bucketed(kind_of, len(first)),
        kind_of,
        *_inverted(starts, gathered, len(counts)),
    )


def _bucketed(values: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    starts = np.concatenate([[0], np.cumsum(np.bincount(values, minlength=count))])
    return starts, np.argsort(values, kind="stable")


@numba.njit(cache=True)
def _sort_and_sign(indptr: np.ndarray, items: np.ndarray) -> np.ndarray:
    """Sort each row in place; equal rows get equal signs, and others hardly ever do."""
    signs = np.zeros(len(indptr) - 1, dtype=np.uint64)
    for row in range(len(signs)):
        part = items[indptr[row] : indptr[row + 1]]
        part.sort()
        for item in part:
            sign = (np.uint64(item) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
            signs[row] += mixed(sign)
    return signs


@numba.njit(cache=True)
def _same_rows(
    indptr: np.ndarray, items: np.ndarray, signs: np.ndarray, order: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """First row of each kind, and the kind of each row; rows are compared item by item.

    Should two unequal rows have one sign, a kind may be listed twice, which costs time only.
    """
    kind_of = np.empty(len(order), dtype=np.int64)
    first = np.empty(len(order), dtype=np.int64)
    kinds = 0
    for place in range(len(order)):
        row = order[place]
        same = kinds > 0 and signs[first[kinds - 1]] == signs[row]
        if same:
            ours = items[indptr[row] : indptr[row + 1]]
            other = first[kinds - 1]
            same = np.array_equal(ours, items[indptr[other] : indptr[other + 1]])
        if not same:
            first[kinds] = row
            kinds += 1
        kind_of[row] = kinds - 1
    return first[:kinds].copy(), kind_of


@numba.njit(cache=True)
def _gather(
    indptr: np.ndarray, items: np.ndarray, rows: np.ndarray, starts: np.ndarray
) -> np.ndarray:
    gathered = np.empty(starts[-1], dtype=np.int32)
    for kind in range(len(rows)):
        row = rows[kind]
        gathered[starts[kind] : starts[kind + 1]] = items[indptr[row] : indptr[row + 1]]
    return gathered


@numba.njit(cache=True)
def _inverted(starts: np.ndarray, items: np.ndarray, columns: int) -> tuple[np.ndarray, np.ndarray]:
    ends = np.zeros(columns + 1, dtype=np.int64)
    for item in items:
        ends[item + 1] += 1
    item_starts = np.cumsum(ends)
    filled = item_starts[:-1].copy()
    kinds = np.empty(len(items), dtype=np.int32)
    for kind in range(len(starts) - 1):
        for place in range(starts[kind], starts[kind + 1]):
            kinds[filled[items[place]]] = kind
            filled[items[place]] += 1
    return item_starts, kinds


@numba.njit(cache=True, nogil=True)
def common_at_the_end(ours: np.ndarray, theirs: np.ndarray) -> int:
    """Items of two ascending lists, as far down as the first reaches."""
    a, b, shared = len(ours) - 1, len(theirs) - 1, 0
    while a >= 0 and b >= 0:
        if ours[a] == theirs[b]:
            shared += 1
            a -= 1
            b -= 1
        elif ours[a] > theirs[b]:
            a -= 1
        else:
            b -= 1
    return shared
