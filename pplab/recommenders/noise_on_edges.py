"""NOE: Laplace noise on every preference weight, zeros included, before utilities are formed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from pplab.checks import check_noise_scale
from pplab.recommenders.laplace import laplace_rows
from pplab.recommenders.similarity_sums import similarity_times
from pplab.recommenders.top_items import RunningTop
from pplab.response.streams import new_key

__all__ = ["noise_on_edges_top_items"]

_CELLS_AT_ONCE = 2**22  # 32 MB of noisy weights
_CACHED = 256  # items whose weights stay in the processor's cache while rows are multiplied


def noise_on_edges_top_items(
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
    """List each user's items of highest utility, computed from weights w + Lap(1 / epsilon).

    Every weight of the whole users x items table gets noise, also those of users for whom no list
    is asked, so time grows with users x items x degree. A block of items at a time is held (with
    "gd" and "jaccard" also the similarities of the users asked for), and a running list is kept
    over the blocks. The noise of an item depends on the seed and the item's column alone.

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
        Utilities of the noisy weights.

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
    >>> noise_on_edges_top_items(
    ...     friends, likes, epsilon=100, measure="cn", top_n=1, users=np.array([0, 2]),
    ...     rng=np.random.default_rng(1),
    ... )[0]
    array([[1],
           [2]])
    """
    scale = check_noise_scale(1 / float(epsilon), epsilon)
    key, (rows, columns) = new_key(rng), preferences.shape
    by_item = sparse.csc_array(preferences)
    step = max(1, _CELLS_AT_ONCE // rows)
    similar = {"measure": measure, "self_similarity": self_similarity, "paths": paths}
    sums = _sums_of(social, users, similar)
    top = RunningTop(len(users), top_n, dtype=np.float64)
    for first in range(0, columns, step):
        here = range(first, min(first + step, columns))
        noisy = np.ascontiguousarray(laplace_rows(key, here, rows).T)
        noisy *= scale
        noisy += by_item[:, here.start : here.stop].toarray()
        top.add(sums(noisy), first=first)
    return top.result()


def _sums_of(
    social: sparse.csr_array, users: np.ndarray, similar: dict[str, Any]
) -> Callable[[np.ndarray], np.ndarray]:
    """What multiplies a block of weights with the similarities.

    "gd" and "jaccard" are no sums of matrix products: their rows are formed once and kept, since
    there are many blocks. The other measures go without.
    """
    if similar["measure"] not in ("gd", "jaccard"):
        return lambda weights: similarity_times(social, weights, users=users, **similar)
    identity = sparse.csr_array(sparse.eye_array(social.shape[0], format="csr"))
    kept = similarity_times(social, identity, users=users, **similar)
    return lambda weights: np.hstack(
        [
            kept @ weights[:, first : first + _CACHED]
            for first in range(0, weights.shape[1], _CACHED)
        ]
    )
