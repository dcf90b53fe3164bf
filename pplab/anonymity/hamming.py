"""Hamming distances between all rows of a small graph."""

from __future__ import annotations

import numpy as np

from pplab.anonymity.facility.plan import MOST_ROWS
from pplab.checks import check_k
from pplab.graphs import GraphLike, as_biadjacency

__all__ = ["row_distances"]


def row_distances(biadjacency: GraphLike, k: int) -> tuple[np.ndarray, int]:
    """Check a small graph and k, and give the Hamming distances between its rows.

    Parameters
    ----------
    biadjacency : csr_array, shape (users, items), or other graph
        At most 200 users.
    k : int
        From 2 to the number of users.

    Returns
    -------
    int64 array, shape (users, users)
        Items that exactly one of two users has.
    int
        k.

    Raises
    ------
    TypeError, ValueError
        If the graph is none, k leaves its interval or there are too many users.

    Examples
    --------
    >>> row_distances([[1, 1, 0], [0, 1, 1]], 2)[0]
    array([[0, 2],
           [2, 0]])
    """
    matrix = as_biadjacency(biadjacency)
    users = matrix.shape[0]
    k = check_k(k, users)
    if users > MOST_ROWS:
        raise ValueError(
            f"this serves at most {MOST_ROWS} rows, got {users}; take a part of the rows, or "
            "smooth_k_anonymize with a method for large data such as 'paper'"
        )
    ones = matrix.astype(np.int64)
    degrees = np.diff(matrix.indptr).astype(np.int64)
    return degrees[:, None] + degrees[None, :] - 2 * (ones @ ones.T).toarray(), k
