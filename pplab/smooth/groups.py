"""Groups of k to 2k - 1 users made without looking at distances: by activity, or by chance."""

import numpy as np

from pplab.checks import Rng, as_rng, check_k, check_labels
from pplab.graphs import GraphLike, as_matrix


def degree_groups(matrix: GraphLike, k: int) -> np.ndarray:
    """Group users with similar numbers of records.

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


def random_groups(matrix: GraphLike, k: int, *, rng: Rng = None) -> np.ndarray:
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


def _consecutive(order: np.ndarray, k: int) -> np.ndarray:
    """Cut an order of users into pieces of k; the last piece takes the rest."""
    labels = np.empty(len(order), dtype=np.int64)
    labels[order] = np.minimum(np.arange(len(order)) // k, len(order) // k - 1)
    return labels


# Large groups cut into pieces of k rows, at random.


def cut_to_size(labels: np.ndarray, k: int, *, rng: Rng = None) -> np.ndarray:
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
    place = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    piece = np.minimum(place // k, np.repeat(pieces, sizes) - 1)
    result = np.empty(len(order), dtype=np.int64)
    result[order] = np.repeat(np.cumsum(pieces) - pieces, sizes) + piece
    return result
