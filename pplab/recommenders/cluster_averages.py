"""The cluster framework: noisy averages of preferences per cluster of users, and lists from them.

A cluster of |c| users hides one preference edge with noise of scale 1 / (|c| epsilon): the larger
the cluster, the less noise, and the less its average resembles each member.
"""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np
from scipy import sparse

from pplab.checks import (
    as_rng,
    check_epsilon,
    check_noise_scale,
    check_partition,
    check_preferences,
    check_top_n,
)
from pplab.checks.recommendations import check_averages
from pplab.graphs import GraphLike, as_matrix
from pplab.recommenders.laplace import laplace_rows
from pplab.recommenders.top_items import offer_row, settle
from pplab.response.streams import new_key

__all__ = ["cluster_averages", "cluster_top_items", "indicator"]

_USERS = 64  # one chunk of users is worked on by one thread
_ITEMS = 2048  # averages of so many items stay in the processor's cache for a chunk of users


def indicator(labels: Any) -> np.ndarray:
    """Give the users x clusters matrix with a 1 where the user is in the cluster.

    Parameters
    ----------
    labels : int array, shape (users,)
        Cluster of each user: 0, 1, 2, ... without gaps.

    Returns
    -------
    float64 array, shape (users, clusters)

    Examples
    --------
    >>> indicator([1, 0, 1])
    array([[0., 1.],
           [1., 0.],
           [0., 1.]])
    """
    clusters = check_partition(labels, len(np.atleast_1d(labels)), name="labels")
    member = np.zeros((len(clusters), int(clusters.max(initial=-1)) + 1))
    member[np.arange(len(clusters)), clusters] = 1
    return member


def cluster_averages(
    preferences: GraphLike,
    labels: Any,
    *,
    epsilon: float,
    rng: int | np.random.Generator | None = None,
) -> np.ndarray:
    """Average the preferences of each cluster and add Laplace noise of scale 1 / (|c| epsilon).

    Users are in one cluster each, and a preference edge changes one average by at most 1 / |c|, so
    all averages together are epsilon-differentially private for one edge (for a user with d
    preferences: d epsilon). The partition must be made without the preferences. The same seed
    draws the same noise at every epsilon, but for its scale.

    Parameters
    ----------
    preferences : csr_array, shape (users, items)
        Weights in [0, 1]; not stored means 0.
    labels : int array, shape (users,)
        Cluster of each user: 0, 1, 2, ... without gaps.
    epsilon : float
        In (0, inf]; inf gives the averages without noise.
    rng : int, numpy.random.Generator or None

    Returns
    -------
    float64 array, shape (clusters, items)

    Raises
    ------
    TypeError, ValueError
        If epsilon is not positive or its noise overflows, a weight is outside [0, 1], or the
        labels miss a user or leave a cluster empty.

    References
    ----------
    Jorgensen and Yu 2014, A privacy-preserving framework for personalized, social
    recommendations, EDBT 2014, Algorithm 1, equation 3 and Theorem 4, doi
    10.5441/002/edbt.2014.51.

    Examples
    --------
    >>> likes = [[1, 0, 1], [1, 0, 0], [0, 1, 0]]
    >>> cluster_averages(likes, [0, 0, 1], epsilon=float("inf"))
    array([[1. , 0. , 0.5],
           [0. , 1. , 0. ]])
    """
    matrix = as_matrix(preferences, name="preferences")
    check_preferences(matrix, matrix.shape[0])
    clusters = check_partition(labels, matrix.shape[0], name="labels")
    check_epsilon(epsilon, allow_infinity=True)
    sizes = np.bincount(clusters)
    members = (np.ones(len(clusters)), clusters, np.arange(len(clusters) + 1))
    by_cluster = sparse.csr_array(members, shape=(len(clusters), len(sizes))).T
    averages = (by_cluster @ matrix.astype(np.float64)).toarray() / sizes[:, None]
    if epsilon == math.inf:
        return averages
    scale = check_noise_scale(1 / float(epsilon), epsilon)
    noise = laplace_rows(new_key(as_rng(rng)), range(len(sizes)), matrix.shape[1])
    return averages + noise * (scale / sizes[:, None])


def cluster_top_items(
    sums: np.ndarray | sparse.csr_array, averages: np.ndarray, top_n: int
) -> tuple[np.ndarray, np.ndarray]:
    """List each user's items of highest estimated utility, sums @ averages, never held in full.

    Parameters
    ----------
    sums : array, shape (users, clusters)
        Summed similarity of each user to each cluster: ``similarity_times(social,
        indicator(labels), ...)``.
    averages : float32 or float64 array, shape (clusters, items)
        From ``cluster_averages``. The product is formed in its precision; float32 takes half the
        time and ranks items of nearly equal utility by their rounding.
    top_n : int
        From 1 to the number of items.

    Returns
    -------
    items : int64 array, shape (users, top_n)
        Best first; of equal ones, those of lowest number. Users whose sums are all 0 get the
        first items.
    values : array of the type of averages, shape (users, top_n)
        Estimated utilities. Clusters are added in their order, whatever the number of threads.

    Raises
    ------
    TypeError, ValueError
        If top_n is not between 1 and the number of items, the sums are of other clusters than
        the averages, or either is not finite.

    References
    ----------
    Jorgensen and Yu 2014, A privacy-preserving framework for personalized, social
    recommendations, EDBT 2014, Algorithm 1 and equation 4, doi 10.5441/002/edbt.2014.51.

    Examples
    --------
    >>> cluster_top_items(np.array([[1.0, 2.0]]), np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.0]]), 2)
    (array([[1, 0]]), array([[2., 1.]]))
    """
    dtype = np.float32 if averages.dtype == np.float32 else np.float64
    table = np.ascontiguousarray(averages, dtype=dtype)
    check_averages(sums, averages)
    check_top_n(top_n, table.shape[1])
    weights = sparse.csr_array(sums).astype(dtype)
    weights.eliminate_zeros()
    starts, columns = weights.indptr.astype(np.int64), weights.indices.astype(np.int64)
    values = np.full((weights.shape[0], top_n), -np.inf, dtype=dtype)
    items = np.full(values.shape, np.iinfo(np.int64).max)
    _offer_products(starts, columns, weights.data, table, values, items)
    return items, values


@numba.njit(cache=True, parallel=True)
def _offer_products(
    starts: np.ndarray,
    clusters: np.ndarray,
    weights: np.ndarray,
    table: np.ndarray,
    values: np.ndarray,
    items: np.ndarray,
) -> None:
    """Chunks of users meet blocks of items; a user keeps a heap of best items throughout."""
    users, columns = len(values), table.shape[1]
    for chunk in numba.prange((users + _USERS - 1) // _USERS):
        last = min(users, chunk * _USERS + _USERS)
        row = np.empty(min(_ITEMS, columns), dtype=table.dtype)
        for first in range(0, columns, _ITEMS):
            width = min(_ITEMS, columns - first)
            for user in range(chunk * _USERS, last):
                begin, end = starts[user], starts[user + 1]
                _product(clusters[begin:end], weights[begin:end], table, first, row[:width])
                offer_row(row[:width], first, values[user], items[user])
        for user in range(chunk * _USERS, last):
            settle(values[user], items[user])


@numba.njit(cache=True)
def _product(
    clusters: np.ndarray, weights: np.ndarray, table: np.ndarray, first: int, row: np.ndarray
) -> None:
    """Weighted sum of a block of averages; four clusters a sweep, added in their order."""
    width, full = len(row), len(clusters) // 4 * 4
    last = first + width
    row[:] = 0
    for place in range(0, full, 4):
        a, b = table[clusters[place]][first:last], table[clusters[place + 1]][first:last]
        c, d = table[clusters[place + 2]][first:last], table[clusters[place + 3]][first:last]
        of_a, of_b = weights[place], weights[place + 1]
        of_c, of_d = weights[place + 2], weights[place + 3]
        for j in range(width):
            row[j] = row[j] + of_a * a[j] + of_b * b[j] + of_c * c[j] + of_d * d[j]
    for place in range(full, len(clusters)):
        a, of_a = table[clusters[place]][first:last], weights[place]
        for j in range(width):
            row[j] += of_a * a[j]
