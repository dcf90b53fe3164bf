"""The two halves of group and smooth: a rough private order of users, noisy means of groups."""

from __future__ import annotations

import math

import numpy as np
from scipy import sparse

from pplab._compiled import new_key
from pplab.checks import (
    check_epsilon,
    check_noise_scale,
    check_preferences,
    check_stored_values,
)
from pplab.graphs import GraphLike, as_matrix
from pplab.recommenders.laplace import laplace_rows

__all__ = ["checked_graphs", "largest_column", "rough_order", "sampled_utilities", "smoothed"]

BLOCK = 512  # items at once


def sampled_utilities(
    similarity: sparse.csr_array, preferences: sparse.csr_array, *, rng: np.random.Generator
) -> sparse.csr_array:
    """Count each preference (v, i) for one user drawn among those similar to v (users x items).

    Examples
    --------
    >>> friends = sparse.csr_array([[0, 2, 0], [2, 0, 1], [0, 1, 0]])
    >>> likes = sparse.csr_array([[0], [1], [0]])
    >>> sampled_utilities(friends, likes, rng=np.random.default_rng(1)).toarray().T
    array([[0, 0, 1]])
    """
    columns = sparse.csc_array(similarity, copy=True)
    columns.eliminate_zeros()  # a similarity of 0 makes nobody similar
    likes = preferences.tocoo()
    similar = np.diff(columns.indptr)[likes.row]
    place = (rng.random(likes.nnz) * similar).astype(np.int64)
    used = similar > 0
    chosen = (columns.indptr[likes.row] + np.minimum(place, similar - 1))[used]
    values = columns.data[chosen] * likes.data[used]
    cells = (columns.indices[chosen], likes.col[used])
    return sparse.csr_array(sparse.coo_array((values, cells), shape=preferences.shape))


def checked_graphs(
    similarity: GraphLike, preferences: GraphLike, epsilon: float
) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Both graphs as float64, if they fit each other and the noise fits float32."""
    weights = as_matrix(similarity, name="similarity").astype(np.float64)
    check_stored_values("similarity", weights, low=0, high=math.inf)
    table = as_matrix(preferences, name="preferences").astype(np.float64)
    if weights.shape[0] != weights.shape[1]:
        raise ValueError(
            f"similarity must be users x users, got shape {weights.shape}; give both graphs the "
            "same users in the same order"
        )
    check_preferences(table, weights.shape[0])
    check_epsilon(epsilon, allow_infinity=True)
    check_noise_scale(2 * largest_column(weights) / float(epsilon), float(epsilon))
    return weights, table


def rough_order(
    weights: sparse.csr_array, table: sparse.csr_array, epsilon: float, rng: np.random.Generator
) -> np.ndarray:
    """Users of each item from the greatest rough estimate to the least (items x users)."""
    rough = sampled_utilities(weights, table, rng=rng).T.tocsr()
    scale, key = 2 * float(weights.max()) / epsilon, new_key(rng)
    order = np.empty(rough.shape, dtype=np.int32)
    for first in range(0, len(order), BLOCK):
        block = rough[first : first + BLOCK].toarray()
        block += scale * laplace_rows(key, range(first, first + len(block)), block.shape[1])
        order[first : first + BLOCK] = np.argsort(-block, axis=1, kind="stable")
    return order


def smoothed(
    truth: sparse.csr_array,
    order: np.ndarray,
    size: int,
    scale: float,
    *,
    key: np.ndarray,
    rows: np.ndarray,
) -> np.ndarray:
    """Noisy means of groups, given back to their members (users x items); truth is transposed."""
    items, count = order.shape
    starts = np.arange(count // size) * size  # who is left over joins the last group
    sizes = np.diff(starts, append=count)
    answers = np.empty((len(rows), items), dtype=np.float32)
    for first in range(0, items, BLOCK):
        here = order[first : first + BLOCK]
        sorted_truth = np.take_along_axis(truth[first : first + BLOCK].toarray(), here, axis=1)
        means = np.add.reduceat(sorted_truth, starts, axis=1) / sizes
        means += scale * laplace_rows(key, range(first, first + len(here)), len(starts))
        np.put_along_axis(sorted_truth, here, np.repeat(means, sizes, axis=1), axis=1)
        answers[:, first : first + BLOCK] = sorted_truth[:, rows].T
    return answers


def largest_column(weights: sparse.csr_array) -> float:
    """How far one preference moves all utilities of its item together."""
    return float(weights.sum(axis=0).max())
