"""Groups of k to 2k - 1 users made without looking at distances, and what a group publishes."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from pplab.checks import as_rng, check_k, check_labels
from pplab.graphs import GraphLike, as_matrix, from_cell_keys, rows_of_entries

__all__ = ["degree_groups", "pool_groups", "random_groups"]


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
    check_k(k, table.shape[0])
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
    check_k(k, users)
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
