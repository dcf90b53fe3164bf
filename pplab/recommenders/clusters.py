"""The cluster framework: noisy averages of preferences per cluster of users, and lists from them.

A cluster of |c| users hides one preference edge with noise of scale 1 / (|c| epsilon): the larger
the cluster, the less noise, and the less its average resembles each member.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from pplab import graphs
from pplab.checks import as_array, as_rng, check_dense_room, check_epsilon, check_partition
from pplab.compiled import new_key
from pplab.graphs import GraphLike
from pplab.labelled import Table, by_person, one_each
from pplab.recommenders.similarity import Similarity, dense_sums, sparse_sums
from pplab.recommenders.top_items import (
    RunningTop,
    as_estimates,
    check_noise_scale,
    check_top_n,
    laplace_rows,
    offer_products,
)
from pplab.recommenders.utilities import sensitivity_of
from pplab.tables import DENSE_LIMIT
from pplab.vetted import on_grid


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
    clusters = check_partition(labels, len(np.atleast_1d(as_array("labels", labels))))
    shape = len(clusters), int(clusters.max(initial=-1)) + 1
    check_dense_room("the table of users x clusters", shape, limit=DENSE_LIMIT)
    member = np.zeros(shape)
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
    all averages together are epsilon-differentially private for one edge of a table of this frame
    (for a user with d preferences: d epsilon). The partition must be made without the preferences.
    The same seed draws the same noise at every epsilon, but for its scale.

    Parameters
    ----------
    preferences : csr_array, shape (users, items), Table or networkx graph
        Weights in [0, 1]; not stored means 0.
    labels : int array, shape (users,)
        Cluster of each user: 0, 1, 2, ... without gaps.
    epsilon : float
        In (0, inf]; inf gives the averages without noise.
    rng : int, numpy.random.Generator or None

    Returns
    -------
    float64 array, shape (clusters, items)
        Columns in the order of the items of a Table.

    Raises
    ------
    TypeError, ValueError
        If epsilon is not positive or its noise overflows, a weight is outside [0, 1], the labels
        miss a user or leave a cluster empty, or the frame of a Table was found
        in its entries.

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
    graphs.check_public_frame("preferences", preferences)
    preferences = graphs.with_labels(preferences, bipartite=True, name="preferences")
    matrix = graphs.as_matrix(graphs.by_value(preferences, bipartite=True), name="preferences")
    graphs.check_preferences(matrix, matrix.shape[0])
    clusters = check_partition(by_person(preferences, labels, "labels"), matrix.shape[0])
    level = check_epsilon(epsilon, allow_infinity=True)
    averages = averages_of(matrix, clusters, level, as_rng(rng))
    return averages[:, preferences.axes[1].order] if isinstance(preferences, Table) else averages


def averages_of(
    matrix: sparse.csr_array, clusters: np.ndarray, epsilon: float, rng: Any, laplace: Any = None
) -> np.ndarray:
    """Average checked preferences, with noise unless epsilon is inf, or with noise by OpenDP."""
    sizes = np.bincount(clusters)
    shape = len(sizes), matrix.shape[1]
    check_dense_room("the averages of clusters x items", shape, limit=DENSE_LIMIT)
    members = (np.ones(len(clusters)), clusters, np.arange(len(clusters) + 1))
    by_cluster = sparse.csr_array(members, shape=(len(clusters), len(sizes))).T
    if laplace:
        return laplace((by_cluster @ on_grid(matrix)).toarray()) / sizes[:, None]
    averages = (by_cluster @ matrix.astype(np.float64)).toarray() / sizes[:, None]
    if epsilon == math.inf:
        return averages
    scale = check_noise_scale(1 / float(epsilon), epsilon)
    noise = laplace_rows(new_key(rng), range(len(sizes)), matrix.shape[1])
    return averages + noise * (scale / sizes[:, None])


def cluster_top_items(
    sums: np.ndarray | sparse.csr_array, averages: np.ndarray, top_n: int
) -> tuple[np.ndarray, np.ndarray]:
    """List each user's items of highest estimated utility, without holding sums @ averages in full.

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
    weights = sparse.csr_array(as_estimates("sums", sums))
    table = as_estimates("averages", as_array("averages", averages))
    dtype = np.float32 if table.dtype == np.float32 else np.float64
    table = np.ascontiguousarray(table, dtype=dtype)
    if weights.shape[1] != table.shape[0]:
        raise ValueError(
            f"sums and averages must be of the same clusters, got {weights.shape[1]} and "
            f"{table.shape[0]}; make both from one partition"
        )
    check_top_n(top_n, table.shape[1])
    weights = weights.astype(dtype)
    weights.eliminate_zeros()
    starts, columns = weights.indptr.astype(np.int64), weights.indices.astype(np.int64)
    top = RunningTop(weights.shape[0], top_n, dtype)
    top.offer(offer_products, starts, columns, weights.data, table, columns=table.shape[1])
    return top.result()


# The error of noisy utilities in two parts: what averaging costs, and what noise costs.


_CELLS = 2**23  # cells of one dense block of users x users or users x items: 64 MB


@dataclass(frozen=True)
class ErrorParts:
    """Errors of each user's estimated utilities, in units of utility.

    Standard deviations of the noise are the same for every item. Each "printed" array adds the
    standard deviations of independent noises, as the paper does; the array beside it adds their
    variances, which is what the noise really has.

    Attributes
    ----------
    approximation : float64 array, shape (users,)
        Mean over all items of the distance between the noiseless cluster estimate and the truth.
    approximation_rms : float64 array, shape (users,)
        Root of the mean over all items of its square.
    perturbation_printed : float64 array, shape (users,)
        ``sqrt(2)/epsilon * sum over clusters of similarity to the cluster / |c|``.
    perturbation : float64 array, shape (users,)
        The standard deviation of the cluster noise: the root of the sum of squares.
    edges_printed, edges : float64 array, shape (users,)
        The same two for noise on edges: each similar user brings noise of their own.
    utilities : float
        Standard deviation ``sqrt(2) D/epsilon`` of noise on utilities, which the paper calls
        its expected error.

    Examples
    --------
    >>> triangle = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    >>> parts = error_parts(triangle, [[1], [1], [0]], [0, 0, 1], measure="cn", epsilon=1)
    >>> parts.rms.round(2)
    array([1.58, 1.58, 1.41])
    """

    approximation: np.ndarray
    approximation_rms: np.ndarray
    perturbation_printed: np.ndarray
    perturbation: np.ndarray
    edges_printed: np.ndarray
    edges: np.ndarray
    utilities: float

    @property
    def rms(self) -> np.ndarray:
        """Root of the expected squared error, mean over items: bias and noise, in squares."""
        return np.hypot(self.approximation_rms, self.perturbation)


def error_parts(
    social: GraphLike, preferences: GraphLike, labels: Any, *, measure: str, epsilon: float
) -> ErrorParts:
    """Split each user's error under the cluster framework; noise on edges and utilities beside it.

    Parameters
    ----------
    social : adjacency, shape (users, users)
        Undirected, unweighted, without self-loops.
    preferences : biadjacency, shape (users, items)
        Weights in [0, 1]; rows are the users of the social graph.
    labels : int array, shape (users,)
        Cluster of each user, numbered from 0 without gaps.
    measure : {"cn", "gd", "aa", "katz", "jaccard", "resource-allocation", "sorensen"}
    epsilon : float
        For one preference edge, in (0, inf]; inf leaves the approximation alone.

    Returns
    -------
    ErrorParts

    Raises
    ------
    TypeError, ValueError
        If the graphs have other users, a weight leaves [0, 1], the labels are no partition or
        epsilon is not positive.

    References
    ----------
    Jorgensen and Yu 2014, A privacy-preserving framework for personalized, social
    recommendations, EDBT 2014, equations 5 to 7, doi 10.5441/002/edbt.2014.51. Equation 3
    carries the noise inside the cluster average; the approximation here takes the average
    without noise, for otherwise equation 6 would hold the whole error.

    Examples
    --------
    >>> star = [[0, 1, 1], [1, 0, 0], [1, 0, 0]]
    >>> parts = error_parts(star, [[1], [1], [0]], [0, 1, 1], measure="cn", epsilon=1)
    >>> parts.approximation  # the cluster's mean is 1/2; the leaves' similar users have 0 and 1
    array([0. , 0.5, 0.5])
    """
    social = graphs.with_labels(social, bipartite=False, name="social")
    preferences = graphs.with_labels(preferences, bipartite=True, name="preferences")
    graph, liked = graphs.as_social_and_preferences(social, preferences)
    both = isinstance(preferences, Table)  # else the labels of one are row numbers, in that order
    labels = (one_each if both else by_person)(social, labels, "labels")
    member = indicator(check_partition(labels, graph.shape[0]))
    level = float(check_epsilon(epsilon, allow_infinity=True))
    check_noise_scale(1 / level, epsilon)
    noise = math.sqrt(2) / level
    similarity = Similarity(measure)
    shares = dense_sums(graph, similarity, member, np.arange(len(member))) / member.sum(axis=0)
    sums, everyone = sparse.csr_array(member.T) @ liked, sparse.eye_array(len(member), format="csr")

    def biases() -> Iterator[tuple[np.ndarray, np.ndarray]]:  # by a dense block of users x items
        for users in _blocks(*liked.shape):
            estimated = sparse.csr_array(shares[users]) @ sums
            block = (estimated - sparse_sums(graph, similarity, liked, users)).toarray()
            yield np.abs(block).mean(axis=1), np.sqrt((block**2).mean(axis=1))

    similar = (sparse_sums(graph, similarity, everyone, users) for users in _blocks(*graph.shape))
    linear, squares = stacked((block.sum(axis=1), block.power(2).sum(axis=1)) for block in similar)
    approximation, approximation_rms = stacked(biases())
    return ErrorParts(
        approximation=approximation,
        approximation_rms=approximation_rms,
        perturbation_printed=noise * shares.sum(axis=1),
        perturbation=noise * np.sqrt((shares**2).sum(axis=1)),
        edges_printed=noise * linear,
        edges=noise * np.sqrt(squares),
        utilities=noise * sensitivity_of(graph, similarity),
    )


def stacked(blocks: Iterable[tuple[np.ndarray, ...]]) -> tuple[np.ndarray, ...]:
    """Put arrays of blocks of users one below the other, each in its place of the tuple."""
    return tuple(map(np.concatenate, zip(*blocks, strict=True)))


def _blocks(rows: int, columns: int) -> Iterator[np.ndarray]:
    size = max(1, _CELLS // columns)
    for first in range(0, rows, size):
        yield np.arange(first, min(first + size, rows))
