"""The error of noisy utilities in two parts: what averaging costs, and what noise costs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from pplab.checks import check_epsilon, check_partition
from pplab.graphs import GraphLike
from pplab.recommenders.cluster_averages import indicator
from pplab.recommenders.sensitivity import sensitivity_of
from pplab.recommenders.similarity import Similarity
from pplab.recommenders.similarity_sums import dense_sums, sparse_sums
from pplab.recommenders.social_graph import as_social_and_preferences

__all__ = ["ErrorParts", "error_parts"]

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
    utilities_absolute : float
        Mean absolute value ``D/epsilon`` of the same noise.

    Examples
    --------
    >>> triangle = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    >>> parts = error_parts(triangle, [[1], [1], [0]], [0, 0, 1], measure="cn", epsilon=1)
    >>> parts.total_printed.round(2), parts.rms.round(2)
    (array([2.12, 2.12, 1.41]), array([1.58, 1.58, 1.41]))
    """

    approximation: np.ndarray
    approximation_rms: np.ndarray
    perturbation_printed: np.ndarray
    perturbation: np.ndarray
    edges_printed: np.ndarray
    edges: np.ndarray
    utilities: float
    utilities_absolute: float

    @property
    def total_printed(self) -> np.ndarray:
        """Equation 5 with the mean over items: approximation plus the printed perturbation."""
        return self.approximation + self.perturbation_printed

    @property
    def rms(self) -> np.ndarray:
        """Root of the expected squared error, mean over items: bias and noise, in squares."""
        return np.hypot(self.approximation_rms, self.perturbation)


def error_parts(
    social: GraphLike,
    preferences: GraphLike,
    labels: Any,
    *,
    measure: str,
    epsilon: float,
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
    measure : {"cn", "gd", "aa", "katz", "jaccard", "resource-allocation"}
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
    graph, liked = as_social_and_preferences(social, preferences)
    member = indicator(check_partition(labels, graph.shape[0]))
    noise = math.sqrt(2) / float(check_epsilon(epsilon, allow_infinity=True))
    how = Similarity(measure)
    shares = dense_sums(graph, how, member, np.arange(len(member))) / member.sum(axis=0)
    bias = [
        (np.abs(block).mean(axis=1), np.sqrt((block**2).mean(axis=1)))
        for block in _biases(graph, how, liked, shares, member)
    ]
    linear, squares = _similarity_totals(graph, how)
    sensitivity = sensitivity_of(graph, how)
    return ErrorParts(
        approximation=np.concatenate([mean for mean, _ in bias]),
        approximation_rms=np.concatenate([root for _, root in bias]),
        perturbation_printed=noise * shares.sum(axis=1),
        perturbation=noise * np.sqrt((shares**2).sum(axis=1)),
        edges_printed=noise * linear,
        edges=noise * np.sqrt(squares),
        utilities=noise * sensitivity,
        utilities_absolute=noise / math.sqrt(2) * sensitivity,
    )


def _biases(
    graph: sparse.csr_array,
    how: Similarity,
    liked: sparse.csr_array,
    shares: np.ndarray,
    member: np.ndarray,
) -> Iterator[np.ndarray]:
    """Estimated less true utilities, a dense block of users x items at a time."""
    sums = sparse.csr_array(member.T) @ liked
    for block in _blocks(*liked.shape):
        estimated = sparse.csr_array(shares[block]) @ sums
        yield (estimated - sparse_sums(graph, how, liked, block)).toarray()


def _similarity_totals(graph: sparse.csr_array, how: Similarity) -> tuple[np.ndarray, np.ndarray]:
    """Sum of each user's similarities, and of their squares, from blocks of rows."""
    everybody = sparse.eye_array(graph.shape[0], format="csr")
    linear, squares = [], []
    for block in _blocks(*graph.shape):
        similar = sparse_sums(graph, how, everybody, block)
        linear.append(similar.sum(axis=1))
        squares.append(similar.power(2).sum(axis=1))
    return np.concatenate(linear), np.concatenate(squares)


def _blocks(rows: int, columns: int) -> Iterator[np.ndarray]:
    size = max(1, _CELLS // columns)
    for first in range(0, rows, size):
        yield np.arange(first, min(first + size, rows))
