"""Alg1: smooth k-anonymity from lower-bounded r-median."""

from __future__ import annotations

import numpy as np

from pplab.anonymity.lower_bounded import exact_lower_bounded
from pplab.graphs import GraphLike

__all__ = ["alg1_labels"]


def alg1_labels(biadjacency: GraphLike, k: int) -> np.ndarray:
    """Group users by lower-bounded r-median, r = n // k, solved exactly.

    The paper takes Ahmadian and Swamy's 82.6-approximation here; this takes the optimum, by an
    integer programme, so that the promise of Theorem 5.4 holds with a better factor. A majority
    vote inside each group is the rest of the algorithm.

    Parameters
    ----------
    biadjacency : csr_array, shape (users, items), or other graph
        At most 200 users, and small ones only in reasonable time: see `exact_lower_bounded`.
    k : int
        Least size of a group, from 2 to the number of users.

    Returns
    -------
    int64 array, shape (users,)
        Group of each user.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval or there are too many users.
    TimeoutError
        If the search takes more than a minute.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Algorithm 1 of Section 5.2, arXiv 2207.06358; Ahmadian and Swamy 2012,
    doi 10.1007/978-3-642-38016-7_21.

    Examples
    --------
    >>> alg1_labels([[1, 1, 0], [0, 1, 1], [1, 1, 0], [0, 0, 1]], 2)
    array([0, 1, 0, 1])
    """
    return exact_lower_bounded(biadjacency, k).labels
