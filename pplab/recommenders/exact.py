"""The recommender without privacy: each user's items of highest utility."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from pplab.recommenders.top_items import top_items
from pplab.recommenders.utilities import utilities

__all__ = ["exact_top_items"]

_USERS_AT_ONCE = 1024


def exact_top_items(
    social: sparse.csr_array,
    preferences: sparse.csr_array,
    *,
    measure: str,
    top_n: int,
    users: np.ndarray,
    self_similarity: bool = False,
    paths: str = "simple",
) -> tuple[np.ndarray, np.ndarray]:
    """List the items of highest utility of each user, with their utilities.

    Items of utility 0 fill a list up, lowest number first: a user without similar users gets the
    first items, all of utility 0. Utilities are formed for a thousand users at a time.

    Parameters
    ----------
    social : csr_array, shape (n, n)
        Checked adjacency.
    preferences : csr_array, shape (n, items)
        Weights in [0, 1].
    measure, self_similarity, paths
        The similarity, as in ``pplab.recommenders.similarity``.
    top_n : int
        From 1 to the number of items.
    users : int64 array
        Rows to recommend to.

    Returns
    -------
    items : int64 array, shape (users, top_n)
    values : float64 array, shape (users, top_n)

    References
    ----------
    Jorgensen and Yu 2014, A privacy-preserving framework for personalized, social
    recommendations, EDBT 2014, equation 1, doi 10.5441/002/edbt.2014.51.

    Examples
    --------
    >>> friends = sparse.csr_array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> likes = sparse.csr_array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    >>> exact_top_items(friends, likes, measure="cn", top_n=2, users=np.array([0]))
    (array([[1, 0]]), array([[1., 0.]]))
    """
    items, values = [], []
    for start in range(0, len(users), _USERS_AT_ONCE):
        block = utilities(
            social,
            preferences,
            measure=measure,
            users=users[start : start + _USERS_AT_ONCE],
            self_similarity=self_similarity,
            paths=paths,
        )
        listed, worth = top_items(block, top_n)
        items.append(listed)
        values.append(worth)
    return np.concatenate(items), np.concatenate(values)
