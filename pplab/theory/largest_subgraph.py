"""The most edges that k-anonymity by suppression can keep: exact when small, searched when not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from pplab.checks import as_rng, check_integer, check_k, check_partition
from pplab.graphs import GraphLike, as_biadjacency
from pplab.smooth.optimum import best_grouping, small_rows

__all__ = ["KeptSubgraph", "best_suppression", "largest_k_anonymous_subgraph"]


@dataclass(frozen=True)
class KeptSubgraph:
    """A k-anonymous subgraph: in each group everybody keeps the items that all of it have.

    Attributes
    ----------
    edges : int
        Edges that are left.
    labels : int64 array, shape (users,)
        Group of each user. Two groups may publish equal rows; together they are one class.
    biadjacency : csr_array, shape (users, items)
        The subgraph.
    """

    edges: int
    labels: np.ndarray
    biadjacency: sparse.csr_array


def largest_k_anonymous_subgraph(biadjacency: GraphLike, k: int) -> KeptSubgraph:
    """Find the k-anonymous subgraph with the most edges, over all groupings.

    In a subgraph the users with equal rows form classes of at least k, and each class can keep
    no more than the intersection of its rows: the largest subgraph is the partition with the
    largest sum of (members of a group) x (items they share), found by dynamic programming over
    subsets. The empty subgraph counts too: all users in one group that shares nothing.

    Parameters
    ----------
    biadjacency : csr_array, shape (users, items), or other graph
        2 to 12 users.
    k : int
        From 2 to the number of users.

    Returns
    -------
    KeptSubgraph
        No k-anonymous subgraph has more edges.

    Raises
    ------
    TypeError, ValueError
        If k leaves its interval or there are too many users.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definition 3.4 and Theorem 4.4, arXiv 2207.06358.

    Examples
    --------
    >>> found = largest_k_anonymous_subgraph([[1, 1, 0], [0, 1, 1], [1, 1, 0], [0, 0, 1]], 2)
    >>> found.edges, found.labels
    (6, array([0, 1, 0, 1]))
    """
    table = small_rows(biadjacency, k)
    rows = len(table)
    shared = np.ones((1 << rows, table.shape[1]), dtype=bool)
    for group in range(1, 1 << rows):
        shared[group] = shared[group & (group - 1)] & table[(group & -group).bit_length() - 1]
    sizes = np.array([group.bit_count() for group in range(1 << rows)])
    _, labels = best_grouping((sizes * shared.sum(axis=1)).tolist(), rows, k)
    return _kept(table, labels)


def best_suppression(
    biadjacency: GraphLike,
    k: int,
    *,
    labels: np.ndarray | None = None,
    starts: int = 8,
    rng: int | np.random.Generator | None,
) -> KeptSubgraph:
    """Search a k-anonymous subgraph with many edges where all groupings are too many.

    A group grows from one row by the row that shares most with what the group has in common,
    past k for as long as that keeps more edges. Rows that hold a group's whole intersection join
    it for nothing; the last few join where they cost least. The best of several random orders is
    given, of the groups passed as `labels`, and of the empty subgraph. A search proves nothing
    about subgraphs it did not see: it can refute an upper bound, never confirm one.

    Parameters
    ----------
    biadjacency : csr_array, shape (users, items), or other graph
        The table is filled: users x items bytes.
    k : int
        From 2 to the number of users.
    labels : int array, shape (users,), optional
        Groups to try as well, such as the blocks of a block model; left aside when one of them
        has fewer than k users.
    starts : int, default 8
        Random orders, at least 1.
    rng : int, Generator or None

    Returns
    -------
    KeptSubgraph

    Raises
    ------
    TypeError, ValueError
        If k leaves its interval or the labels do not fit.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.4, arXiv 2207.06358.

    Examples
    --------
    >>> best_suppression([[1, 1, 0], [0, 1, 1], [1, 1, 0], [0, 0, 1]], 2, rng=1).edges
    6
    """
    matrix = as_biadjacency(biadjacency)
    rows, generator = matrix.shape[0], as_rng(rng)
    check_integer("starts", starts, minimum=1)
    check_k(k, rows)
    table = matrix.toarray().astype(np.int8)
    tried = [np.zeros(rows, dtype=np.int64)]
    if labels is not None:
        given = check_partition(labels, rows)
        tried += [given] if np.bincount(given).min() >= k else []
    tried += [_grown(table, k, generator.permutation(rows)) for _ in range(starts)]
    return max((_kept(table, own) for own in tried), key=lambda found: found.edges)


def _grown(table: np.ndarray, k: int, order: np.ndarray) -> np.ndarray:
    """Groups that grow one after the other, in the order of their first rows."""
    labels = np.full(len(table), -1, dtype=np.int64)
    commons: list[np.ndarray] = []
    for first in order:
        free = np.flatnonzero(labels < 0)
        if len(free) < k:
            break
        if labels[first] < 0:
            members, common = _grow(table, k, int(first), free)
            labels[members] = len(commons)
            commons.append(common)
    for row in np.flatnonzero(labels < 0):  # fewer than k are left
        sizes = np.bincount(labels[labels >= 0], minlength=len(commons))
        both = [common & table[row] for common in commons]
        gains = [
            (n + 1) * b.sum() - n * c.sum() for n, b, c in zip(sizes, both, commons, strict=True)
        ]
        best = int(np.argmax(gains))
        labels[row], commons[best] = best, both[best]
    return labels


def _grow(table: np.ndarray, k: int, first: int, free: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Members of a group around a first row, and the items that all of them have."""
    members, common = [first], table[first].copy()
    free = free[free != first]
    while len(free):
        items = np.flatnonzero(common)
        shares = table[np.ix_(free, items)].sum(axis=1)
        best = int(np.argmax(shares))
        if len(members) >= k and (len(members) + 1) * shares[best] <= len(members) * len(items):
            break
        members.append(int(free[best]))
        common &= table[free[best]]
        free = np.delete(free, best)
    return np.array(members), common


def _kept(table: np.ndarray, labels: np.ndarray) -> KeptSubgraph:
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[order], np.arange(labels.max() + 1))
    common = np.bitwise_and.reduceat(table.astype(np.int8)[order], starts)
    published = sparse.csr_array(common[labels])
    return KeptSubgraph(int(published.nnz), labels, published)
