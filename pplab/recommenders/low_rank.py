"""The low-rank mechanism: answer a workload of utilities through fewer, less sensitive sums."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from pplab.checks import as_rng, check_epsilon, check_stored_values, check_users
from pplab.checks.workloads import check_fits_users, check_single_precision
from pplab.graphs import GraphLike, as_matrix
from pplab.recommenders.laplace import laplace_rows
from pplab.recommenders.low_rank_decomposition import Decomposition, decompose
from pplab.response.streams import new_key

__all__ = ["Decomposition", "decompose", "low_rank_utilities"]

BLOCK = 1024  # items at once


def low_rank_utilities(
    similarity: GraphLike,
    preferences: GraphLike,
    *,
    epsilon: float,
    rank: int | None = None,
    gamma: float = 10.0,
    decomposition: Decomposition | None = None,
    rng: int | np.random.Generator | None = None,
    users: Any = None,
) -> np.ndarray:
    """Publish utilities of all items by the low-rank mechanism.

    Parameters
    ----------
    similarity : users x users, at least 0
        Public; row u holds the similarities that weigh the preferences for user u.
    preferences : users x items, weights in [0, 1]
    epsilon : float
        Privacy level of one preference (user, item), in (0, inf]; inf adds no noise, and leaves
        the residual.
    rank, gamma
        As in ``decompose``; not used if a decomposition is given.
    decomposition : Decomposition, optional
        Of this similarity, found before: it depends on nothing private, so it may be used again.
    rng : int, numpy.random.Generator or None
    users : list of int, optional
        Rows wanted; the noise of a user is the same whoever else is asked for.

    Returns
    -------
    float32 array, shape (users, items)
        B (L D_i + noise) for each item i with preferences D_i; each sum gets Laplace noise of
        scale sensitivity / epsilon.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval or the two graphs do not share their users.

    Notes
    -----
    A preference touches one item only, whose sums move by at most the sensitivity in total: all
    items together cost epsilon for one preference. A user with k preferences has k epsilon.

    References
    ----------
    As for ``decompose``.

    Examples
    --------
    >>> low_rank_utilities([[0, 1], [1, 0]], [[1, 0], [1, 1]], epsilon=float("inf"), gamma=1e-9)
    array([[1., 1.],
           [1., 0.]], dtype=float32)
    """
    weights = as_matrix(similarity, name="similarity")
    check_stored_values("similarity", weights, low=0, high=math.inf)
    table = as_matrix(preferences, name="preferences")
    check_stored_values("preferences", table, low=0, high=1)
    check_fits_users(weights.shape, table.shape[0])
    check_epsilon(epsilon, allow_infinity=True)
    rows, source = check_users(users, table.shape[0]), as_rng(rng)
    if decomposition is None:
        decomposition = decompose(weights, rank=rank, gamma=gamma)
    right = decomposition.right
    shape = (len(decomposition.left), right.shape[1])
    check_fits_users(shape, table.shape[0], name="decomposition")
    scale, items = decomposition.sensitivity / float(epsilon), table.shape[1]
    check_single_precision(scale * _largest_row(decomposition.left), epsilon)
    left = np.ascontiguousarray(decomposition.left[rows].T, dtype=np.float32)
    answers, by_item, key = (
        np.empty((len(rows), items), np.float32),
        table.T.tocsr(),
        new_key(source),
    )
    with threadpool_limits(limits=1, user_api="blas"):
        for first in range(0, items, BLOCK):
            block = by_item[first : first + BLOCK].astype(np.float64)
            sums = block @ right.T
            sums += scale * laplace_rows(key, range(first, first + len(sums)), len(right))
            answers[:, first : first + BLOCK] = (sums.astype(np.float32) @ left).T
    return answers


def _largest_row(left: np.ndarray) -> float:
    """How much of the noise of one sum the answers can gather."""
    return max(1.0, float(np.abs(left).sum(axis=1).max()))
