"""What groups of rows publish: the items that a majority has, or those that all have."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from scipy import sparse

from pplab.checks import check_choice, check_labels, check_ones
from pplab.graphs import GraphLike, as_matrix

__all__ = ["RULES", "Published", "least_kept", "publish_votes"]

RULES = ("half", "more-than-half", "all")


def least_kept(sizes: np.ndarray, keep: str) -> np.ndarray:
    """Least number of rows that publish an item, for groups of these sizes.

    Examples
    --------
    >>> [least_kept(np.array([4, 5]), keep).tolist() for keep in ("half", "more-than-half", "all")]
    [[2, 3], [3, 3], [4, 5]]
    """
    return {"half": (sizes + 1) // 2, "more-than-half": sizes // 2 + 1, "all": sizes}[keep]


class Published(NamedTuple):
    """A published table and its counts of entries.

    Attributes
    ----------
    biadjacency : csr_array of int8 ones, shape (rows, items)
    kept, created, suppressed : int
        Entries in both tables, in the published one only, in the original one only.
    """

    biadjacency: sparse.csr_array
    kept: int
    created: int
    suppressed: int


def publish_votes(biadjacency: GraphLike, labels: np.ndarray, *, keep: str) -> Published:
    """Publish for every row of a group the items that enough of the group have.

    Parameters
    ----------
    biadjacency : csr_array of ones, shape (rows, items), or other graph
    labels : int array, shape (rows,)
        Group of each row.
    keep : {"half", "more-than-half", "all"}
        Which items a group keeps: those of at least half of its rows, as in the definition of
        smooth anonymity; of more than half; or of all, which only suppresses.

    Returns
    -------
    Published

    Raises
    ------
    TypeError, ValueError
        If labels are not one group number per row, keep is not known, or the table is empty or
        stores anything but ones.

    Notes
    -----
    To keep an item that exactly half has is best: it adds c kept and c created entries, and
    (K + c) / (N + C + c) >= K / (N + C) for every K <= N + C.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definition 3.5 and step 6 of its second algorithm, arXiv 2207.06358.

    Examples
    --------
    >>> found = publish_votes([[1, 1, 0], [1, 0, 1]], np.array([0, 0]), keep="half")
    >>> found.biadjacency.toarray()
    array([[1, 1, 1],
           [1, 1, 1]], dtype=int8)
    >>> found.kept, found.created, found.suppressed
    (4, 2, 0)
    """
    check_choice("keep", keep, RULES)
    table = as_matrix(biadjacency, name="biadjacency")
    check_ones("biadjacency", table)
    group_of = check_labels(labels, table.shape[0]).astype(np.int64)
    sizes = np.bincount(group_of)
    least = least_kept(sizes, keep)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    members = np.argsort(group_of, kind="stable")
    ends, items, kept = _count(table.indptr, table.indices, starts, members, least, table.shape[1])
    indptr = np.concatenate([[0], np.cumsum(np.diff(ends)[group_of])])
    columns = _spread(ends, items, group_of, indptr)
    ones = np.ones(len(columns), dtype=np.int8)
    copy = sparse.csr_array((ones, columns, indptr), shape=table.shape)
    copy.has_canonical_format = True
    return Published(copy, int(kept), copy.nnz - int(kept), table.nnz - int(kept))


@numba.njit(cache=True)
def _count(
    indptr: np.ndarray,
    indices: np.ndarray,
    starts: np.ndarray,
    members: np.ndarray,
    least: np.ndarray,
    columns: int,
) -> tuple[np.ndarray, np.ndarray, int]:
    """Items that each group keeps, ascending, and entries kept in all."""
    counts, touched = np.zeros(columns, dtype=np.int64), np.empty(columns, dtype=np.int32)
    ends = np.zeros(len(starts), dtype=np.int64)
    items = np.empty(len(indices), dtype=np.int32)
    filled = kept = 0
    for group in range(len(starts) - 1):
        met = 0
        for row in members[starts[group] : starts[group + 1]]:
            for item in indices[indptr[row] : indptr[row + 1]]:
                if counts[item] == 0:
                    touched[met] = item
                    met += 1
                counts[item] += 1
        for item in touched[:met]:
            if counts[item] >= least[group]:
                items[filled] = item
                filled += 1
                kept += counts[item]
            counts[item] = 0
        items[ends[group] : filled].sort()
        ends[group + 1] = filled
    return ends, items[:filled].copy(), kept


@numba.njit(cache=True)
def _spread(
    ends: np.ndarray, items: np.ndarray, group_of: np.ndarray, indptr: np.ndarray
) -> np.ndarray:
    columns = np.empty(indptr[-1], dtype=np.int32)
    for row in range(len(group_of)):
        group = group_of[row]
        columns[indptr[row] : indptr[row + 1]] = items[ends[group] : ends[group + 1]]
    return columns
