"""The k nearest rows of every row of a sparse binary table, exactly."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pplab._compiled import in_threads
from pplab.anonymity.kinds import Kinds, kinds_of_rows
from pplab.anonymity.nearest_kinds import nearest_of_kinds
from pplab.checks import check_integer, check_ones
from pplab.graphs import GraphLike, as_matrix

__all__ = ["NearestRows", "nearest_keys", "nearest_rows"]

_BLOCK = 4096  # kinds per job


class NearestRows(NamedTuple):
    """Neighbours of each row, nearest first.

    Attributes
    ----------
    distances : int64 array, shape (rows, k)
        Numbers of items in which the two rows differ.
    rows : int64 array, shape (rows, k)
        Row numbers.
    """

    distances: np.ndarray
    rows: np.ndarray


def nearest_rows(biadjacency: GraphLike, k: int) -> NearestRows:
    """Find the k nearest other rows of each row by Hamming distance.

    Rows are compared only where they share an item. Rows that share none with a row of degree d
    are at distance d + d', so the lightest of them are the nearest.

    Parameters
    ----------
    biadjacency : csr_array of ones, shape (rows, items), or other graph
    k : int
        From 1 to rows - 1.

    Returns
    -------
    NearestRows
        Of rows equally far, those with the lowest row numbers, in that order. The row itself is
        never among its neighbours; a copy of it is, at distance 0.

    Raises
    ------
    TypeError, ValueError
        If k leaves its interval, or the table is empty or stores anything but ones.

    Notes
    -----
    The same with any number of threads. Time grows with the sum over items of the square of the
    number of different rows that have it, as far as these may be near enough.

    References
    ----------
    Bayardo, Ma and Srikant 2007, Scaling up all pairs similarity search,
    doi 10.1145/1242572.1242591, for reading rare items first and stopping early.

    Examples
    --------
    >>> found = nearest_rows([[1, 1, 0, 0], [1, 1, 1, 0], [0, 0, 0, 1]], 1)
    >>> found.distances.ravel(), found.rows.ravel()
    (array([1, 1, 3]), array([1, 0, 0]))
    """
    table = as_matrix(biadjacency, name="biadjacency")
    check_ones("biadjacency", table)
    k = check_integer("k", k, minimum=1, maximum=table.shape[0] - 1)
    kinds = kinds_of_rows(table)
    rows = len(kinds.kind_of)
    keys = nearest_keys(kinds, k + 1)[kinds.kind_of]
    own = keys == np.arange(rows)[:, None]
    own[~own.any(axis=1), -1] = True  # more than k copies with lower numbers
    others = keys[~own].reshape(rows, k)
    return NearestRows(*np.divmod(others, rows))


def nearest_keys(kinds: Kinds, wanted: int) -> np.ndarray:
    """Keys distance * rows + row of the nearest rows of each kind, its own rows among them.

    Returns
    -------
    int64 array, shape (kinds, wanted), each row ascending
    """
    count = len(kinds.degrees)
    keys = np.empty((count, wanted), dtype=np.int64)

    def fill(first: int) -> None:
        nearest_of_kinds(kinds, first, min(first + _BLOCK, count), keys)

    in_threads(fill, range(0, count, _BLOCK), label="nearest rows")
    return keys
