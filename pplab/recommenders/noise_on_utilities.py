"""NOU: Laplace noise on every utility of every user."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from pplab.checks import check_noise_scale
from pplab.recommenders.laplace import laplace_rows
from pplab.recommenders.sensitivity import utility_sensitivity
from pplab.recommenders.top_items import top_items
from pplab.recommenders.utilities import utilities
from pplab.response.streams import new_key

__all__ = ["noise_on_utilities_top_items"]

_CELLS_AT_ONCE = 2**22  # 32 MB of utilities


def noise_on_utilities_top_items(
    social: sparse.csr_array,
    preferences: sparse.csr_array,
    *,
    epsilon: float,
    measure: str,
    top_n: int,
    users: np.ndarray,
    rng: np.random.Generator,
    self_similarity: bool = False,
    paths: str = "simple",
) -> tuple[np.ndarray, np.ndarray]:
    """List each user's items of highest noisy utility, mu + Lap(D / epsilon).

    D is the largest column sum of the similarity matrix: one preference edge moves the utilities
    of its item by that much together. The noise of a user depends on the seed and the user's row
    alone. Dense: every user-item cell is drawn, a block of users at a time.

    Parameters
    ----------
    social, preferences, measure, top_n, users, self_similarity, paths
        As in ``pplab.recommenders.exact``.
    epsilon : float
        In (0, inf), for one preference edge.
    rng : numpy.random.Generator

    Returns
    -------
    items : int64 array, shape (users, top_n)
    values : float64 array, shape (users, top_n)
        Noisy utilities.

    Raises
    ------
    ValueError
        If epsilon is so small that the noise overflows.

    References
    ----------
    Jorgensen and Yu 2014, A privacy-preserving framework for personalized, social
    recommendations, EDBT 2014, Section 5.1, doi 10.5441/002/edbt.2014.51.

    Examples
    --------
    >>> friends = sparse.csr_array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> likes = sparse.csr_array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    >>> noise_on_utilities_top_items(
    ...     friends, likes, epsilon=100, measure="cn", top_n=1, users=np.array([0, 2]),
    ...     rng=np.random.default_rng(1),
    ... )[0]
    array([[1],
           [2]])
    """
    similar: dict[str, Any] = {
        "measure": measure,
        "self_similarity": self_similarity,
        "paths": paths,
    }
    scale = utility_sensitivity(social, **similar) / float(epsilon)
    check_noise_scale(scale, epsilon)
    key, columns = new_key(rng), preferences.shape[1]
    step = max(1, _CELLS_AT_ONCE // columns)
    items, values = [], []
    for start in range(0, len(users), step):
        here = users[start : start + step]
        noisy = laplace_rows(key, here, columns)
        noisy *= scale
        noisy += utilities(social, preferences, users=here, **similar).toarray()
        listed, worth = top_items(noisy, top_n)
        items.append(listed)
        values.append(worth)
    return np.concatenate(items), np.concatenate(values)
