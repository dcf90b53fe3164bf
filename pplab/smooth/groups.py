"""Groups of k to 2k - 1 users made without looking at distances, and what a group publishes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import sparse

from pplab.checks import as_rng, check_choice, check_k, check_labels
from pplab.compiled import count_in_lists, njit
from pplab.graphs import (
    Array,
    GraphLike,
    as_matrix,
    as_ones,
    from_cell_keys,
    rows_of_entries,
    with_labels,
)
from pplab.labelled import one_each


def degree_groups(matrix: GraphLike, k: int) -> np.ndarray:
    """Group users whose numbers of records are next to each other.

    Parameters
    ----------
    matrix : csr_array, shape (users, items), or other table
        Stored cells are records. Users with equally many stand in the order of their rows.
    k : int
        Smallest size of a group, from 2 to the number of users.

    Returns
    -------
    int array, shape (users,)
        Group of each user, 0 for the least active; the last group has k to 2k - 1 members.

    Raises
    ------
    TypeError, ValueError
        If k leaves its interval or the matrix is empty.

    References
    ----------
    Samarati 2001, doi 10.1109/69.971193: groups of at least k that look alike.

    Examples
    --------
    >>> degree_groups([[1, 1, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0]], 2)
    array([1, 0, 1, 0])
    """
    table = as_matrix(matrix)
    k = check_k(k, table.shape[0])
    return _consecutive(np.argsort(np.diff(table.indptr), kind="stable"), k)


def random_groups(
    matrix: GraphLike, k: int, *, rng: int | np.random.Generator | None = None
) -> np.ndarray:
    """Group users at random.

    Parameters
    ----------
    matrix : csr_array, shape (users, items), or other table
        Only its number of rows matters.
    k : int
        Smallest size of a group, from 2 to the number of users.
    rng : int, Generator or None
        Seed or generator.

    Returns
    -------
    int array, shape (users,)
        Group of each user; the last group has k to 2k - 1 members.

    Raises
    ------
    TypeError, ValueError
        If k leaves its interval or the matrix is empty.

    References
    ----------
    Samarati 2001, doi 10.1109/69.971193: groups of at least k that look alike.

    Examples
    --------
    >>> np.bincount(random_groups([[1]] * 5, 2, rng=1))
    array([2, 3])
    """
    users = as_matrix(matrix).shape[0]
    k = check_k(k, users)
    return _consecutive(as_rng(rng).permutation(users), k)


def pool_groups(ratings: GraphLike, labels: np.ndarray) -> sparse.csr_array:
    """Give each user all items of the group, each with the mean rating of those who rated it.

    Parameters
    ----------
    ratings : csr_array, shape (users, items), or other table
        Stored cells are ratings.
    labels : int array, shape (users,)
        Group of each user, 0 to groups - 1.

    Returns
    -------
    csr_array of float, shape (users, items)
        Members of a group have equal rows, so the smallest group is the k of k-anonymity.

    Raises
    ------
    ValueError
        If the ratings are empty, or labels are not one group number per user.

    References
    ----------
    Salas and Torra 2020, Definition 9, doi 10.5220/0009833804150422, for k-anonymity; the paper
    does not describe the k-anonymization that it compares with, and this is not it.

    Examples
    --------
    >>> pool_groups([[5, 0, 1], [3, 4, 0]], np.array([0, 0])).toarray()
    array([[4., 4., 1.],
           [4., 4., 1.]])
    """
    table = as_matrix(ratings, name="ratings")
    group_of = check_labels(labels, table.shape[0])
    shape = (int(group_of.max()) + 1, table.shape[1])
    places = group_of[rows_of_entries(table)] * np.int64(shape[1]) + table.indices
    cells, members = np.unique(places, return_inverse=True)
    means = np.bincount(members, table.data.astype(float)) / np.bincount(members)
    return from_cell_keys(cells, means, shape)[group_of]


def _consecutive(order: np.ndarray, k: int) -> np.ndarray:
    """Cut an order of users into pieces of k; the last piece takes the rest."""
    labels = np.empty(len(order), dtype=np.int64)
    labels[order] = np.minimum(np.arange(len(order)) // k, len(order) // k - 1)
    return labels


# Large groups cut into pieces of k rows, at random.


def cut_to_size(
    labels: np.ndarray, k: int, *, rng: int | np.random.Generator | None = None
) -> np.ndarray:
    """Cut each group into as many pieces of k rows as it has room for.

    The last piece of a group takes the rest and has up to 2k - 1 rows. Rows are dealt out at
    random: nothing about them decides, so that what a piece publishes shows what the size of a
    group costs.

    Parameters
    ----------
    labels : int array, shape (rows,)
        Group of each row, 0 to groups - 1, each of at least k rows.
    k : int
        Size of the pieces, from 2 to the number of rows.
    rng : int, Generator or None
        Seed or generator.

    Returns
    -------
    int64 array, shape (rows,)
        Piece of each row, 0 to pieces - 1.

    Raises
    ------
    TypeError, ValueError
        If the labels are not group numbers, k leaves its interval, or a group is below k.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, step 5 of
    the second algorithm (no cluster beyond 2k), arXiv 2207.06358.

    Examples
    --------
    >>> np.bincount(cut_to_size(np.zeros(11, dtype=int), 4, rng=1))
    array([4, 7])
    """
    group_of = check_labels(labels, len(labels)).astype(np.int64)
    k = check_k(k, len(group_of))
    sizes = np.bincount(group_of)
    if sizes.min() < k:
        raise ValueError(
            f"labels must give each group at least k = {k} rows, got one of {sizes.min()}; merge "
            "small groups first"
        )
    pieces = sizes // k
    mixed = as_rng(rng).permutation(len(group_of))
    order = mixed[np.argsort(group_of[mixed], kind="stable")]  # groups one after the other
    starts = np.cumsum(sizes) - sizes
    place = np.arange(len(order)) - np.repeat(starts, sizes)
    piece = np.minimum(place // k, np.repeat(pieces, sizes) - 1)
    result = np.empty(len(order), dtype=np.int64)
    result[order] = np.repeat(np.cumsum(pieces) - pieces, sizes) + piece
    return result


# Groups of rows publish the items that a majority has, or those that all have.


RULES = ("half", "more-than-half", "all")


def least_kept(sizes: np.ndarray, keep: str) -> np.ndarray:
    """Least number of rows that publish an item, for groups of these sizes.

    Examples
    --------
    >>> [least_kept(np.array([4, 5]), keep).tolist() for keep in ("half", "more-than-half", "all")]
    [[2, 3], [3, 3], [4, 5]]
    """
    return {"half": (sizes + 1) // 2, "more-than-half": sizes // 2 + 1, "all": sizes}[keep]


def publishable(table: sparse.csr_array, k: int, *, keep: str) -> sparse.csr_array:
    """Entries of the items that some group of k or more rows could publish; the rest is lost.

    What is left out changes no objective. Rows may become equal, or empty.

    Examples
    --------
    >>> table = sparse.csr_array([[1, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1]])
    >>> publishable(table, 3, keep="half").toarray()[:, 1:]
    array([[1, 0],
           [1, 0],
           [1, 1],
           [0, 1]])
    """
    counts = np.bincount(table.indices, minlength=table.shape[1])
    wanted = (counts >= least_kept(np.array(k), keep))[table.indices]
    if wanted.all():
        return table
    indptr = np.concatenate([[0], np.cumsum(wanted)])[table.indptr]
    entries = (table.data[wanted], table.indices[wanted], indptr)
    part = sparse.csr_array(entries, shape=table.shape)
    part.has_canonical_format = True
    return part


class Published(NamedTuple):
    """A published table and its counts of entries.

    Attributes
    ----------
    biadjacency : csr_array of int32 ones, shape (rows, items)
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
    >>> result = publish_votes([[1, 1, 0], [1, 0, 1]], np.array([0, 0]), keep="half")
    >>> result.biadjacency.toarray()
    array([[1, 1, 1],
           [1, 1, 1]], dtype=int32)
    >>> result.kept, result.created, result.suppressed
    (4, 2, 0)
    """
    check_choice("keep", keep, RULES)
    biadjacency = with_labels(biadjacency, bipartite=True, name="biadjacency")
    table = as_ones(biadjacency)
    group_of = check_labels(one_each(biadjacency, labels, "labels"), table.shape[0])
    group_of = group_of.astype(np.int64)
    sizes = np.bincount(group_of)
    least = least_kept(sizes, keep)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    members = np.argsort(group_of, kind="stable")
    ends, items, kept = _count(table.indptr, table.indices, starts, members, least, table.shape[1])
    ones, shape = np.ones(len(items), dtype=np.int32), (len(sizes), table.shape[1])
    copy = sparse.csr_array((ones, items, ends), shape=shape)[group_of]
    copy.has_canonical_format = True
    return Published(copy, int(kept), copy.nnz - int(kept), table.nnz - int(kept))


@njit()
def _count(
    indptr: Array, indices: Array, starts: Array, members: Array, least: Array, columns: int
) -> tuple[Array, Array, int]:
    """Items that each group keeps, ascending, and entries kept in all."""
    counts, touched = np.zeros(columns, dtype=np.int64), np.empty(columns, dtype=np.int32)
    ends = np.zeros(len(starts), dtype=np.int64)
    items = np.empty(len(indices), dtype=np.int32)
    filled = kept = 0
    for group in range(len(starts) - 1):
        rows = members[starts[group] : starts[group + 1]]
        for item in touched[: count_in_lists(indptr, indices, rows, counts, touched)]:
            if counts[item] >= least[group]:
                items[filled] = item
                filled += 1
                kept += counts[item]
            counts[item] = 0
        items[ends[group] : filled].sort()
        ends[group + 1] = filled
    return ends, items[:filled].copy(), kept
