"""The low-rank mechanism: answer a workload of utilities through fewer, less sensitive sums."""

from __future__ import annotations

from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from pplab._compiled import new_key
from pplab.checks import (
    as_rng,
    check_epsilon,
    check_noise_scale,
    check_preferences,
    check_users,
)
from pplab.graphs import GraphLike, as_matrix
from pplab.recommenders.laplace import laplace_rows
from pplab.recommenders.low_rank_decomposition import Decomposition, decompose

__all__ = ["Decomposition", "decompose", "low_rank_utilities"]

BLOCK = 1024  # items at once


def low_rank_utilities(
    decomposition: Decomposition,
    preferences: GraphLike,
    *,
    epsilon: float,
    rng: int | np.random.Generator | None = None,
    users: Any = None,
) -> np.ndarray:
    """Publish utilities of all items by the low-rank mechanism.

    Parameters
    ----------
    decomposition : Decomposition
        Of the similarities of users to users, by ``decompose``: it depends on nothing private.
    preferences : users x items, weights in [0, 1]
    epsilon : float
        Privacy level of one preference (user, item), in (0, inf]; inf adds no noise, and leaves
        the residual.
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
        If an argument leaves its interval, or the decomposition is one of other users.

    Notes
    -----
    A preference touches one item only, whose sums move by at most the sensitivity in total: all
    items together cost epsilon for one preference. A user with k preferences has k epsilon.

    References
    ----------
    As for ``decompose``.

    Examples
    --------
    >>> parts = decompose([[0, 1], [1, 0]], gamma=1e-9)
    >>> low_rank_utilities(parts, [[1, 0], [1, 1]], epsilon=float("inf"))
    array([[1., 1.],
           [1., 0.]], dtype=float32)
    """
    table, right = as_matrix(preferences, name="preferences"), decomposition.right
    check_preferences(table, right.shape[1])
    check_epsilon(epsilon, allow_infinity=True)
    rows, key = check_users(users, len(decomposition.left)), new_key(as_rng(rng))
    scale, items = decomposition.sensitivity / float(epsilon), table.shape[1]
    largest_row = float(np.abs(decomposition.left).sum(axis=1).max())  # what answers gather of it
    check_noise_scale(scale * max(1.0, largest_row), epsilon)
    left = np.ascontiguousarray(decomposition.left[rows].T, dtype=np.float32)
    answers, by_item = np.empty((len(rows), items), np.float32), table.T.tocsr()
    with threadpool_limits(limits=1, user_api="blas"):
        for first in range(0, items, BLOCK):
            block = by_item[first : first + BLOCK].astype(np.float64)
            sums = block @ right.T
            sums += scale * laplace_rows(key, range(first, first + len(sums)), len(right))
            answers[:, first : first + BLOCK] = (sums.astype(np.float32) @ left).T
    return answers
