"""Factor a workload for the low-rank mechanism; public, since only similarities are in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from pplab.checks import check_choice, check_epsilon, check_positive
from pplab.recommenders.low_rank_steps import (
    augmented_lagrangian,
    best_left,
    column_start,
    svd_start,
)

__all__ = ["Decomposition", "decompose"]

STARTS = {"columns": column_start, "svd": svd_start}
SINGLE_PRECISION_FROM = 2**18  # cells; above, the search runs in float32, twice as fast


@dataclass(frozen=True)
class Decomposition:
    """A workload W (queries x users) as a product of two factors, W close to B L.

    Attributes
    ----------
    left : float64 array, shape (queries, rank)
        B, which puts the answers together.
    right : float64 array, shape (rank, users)
        L, the sums that are published with noise.
    residual : float
        Frobenius norm of W - B L.
    sensitivity : float
        Largest L1 norm of a column of L: how much all sums of one item move when one preference
        moves by 1.
    """

    left: np.ndarray
    right: np.ndarray
    residual: float
    sensitivity: float

    def squared_error(self, *, epsilon: float) -> float:
        """Give the expected squared noise of all answers for one item, without the residual."""
        check_epsilon(epsilon)
        return 2 * (self.sensitivity / float(epsilon)) ** 2 * float(np.sum(self.left**2))


def decompose(workload: Any, *, gamma: float = 10.0, start: str = "columns") -> Decomposition:
    """Factor a workload so that its answers carry little noise.

    The squares of B are made small under two conditions: |W - B L| (Frobenius) is at most gamma,
    and no column of L has an L1 norm above 1. An augmented Lagrangian alternates B (closed form)
    and L (accelerated gradient steps, each column projected onto its L1 ball), then moves the
    multipliers and raises the penalty. At the end B is the best one for the L found, exactly.

    Parameters
    ----------
    workload : array, sparse or dense, shape (queries, users)
        Similarities; public. Finite numbers.
    gamma : float
        Largest residual, in (0, inf), in the units of the workload; 10 in the social paper (1 for
        Katz).
    start : {"columns", "svd"}
        First L. "svd" takes the singular vectors, as the paper of the mechanism does; L has then
        as many rows as W has rank. "columns" keeps a basis of users as they are, which is noise on
        edges with users left out who follow from others, and improves on that; it adds a row for
        each user who, as a mixture of others, would be too sensitive.

    Returns
    -------
    Decomposition
        The start itself is a candidate: if the search ends with more noise, or outside gamma, the
        start (with its best B) is what is returned.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval, or no factors come within gamma.

    Notes
    -----
    Written from memory of the paper and from the paragraph in Jorgensen and Yu 2014, A
    privacy-preserving framework for personalized, social recommendations, EDBT 2014,
    doi 10.5441/002/edbt.2014.51; details (steps between updates, growth of the penalty, the exact
    last B) are ours. No optimum is claimed: the problem in B and L has many local ones. On graphs
    of 12 to 100 users the "svd" start ended with more noise than noise on edges has, up to 12
    times as much, so "columns", which is ours, is the default.

    Noise on edges is B = W, L = I. For square workloads without negative entries it is never worse
    than noise on utilities (B = I, L = W): the squares of a column sum up to at most the square of
    its sum. The result does not depend on the number of threads.

    References
    ----------
    Yuan, Zhang, Winslett, Xiao, Yang and Hao 2012, Low-rank mechanism: optimizing batch queries
    under differential privacy, PVLDB 5(11), doi 10.14778/2350229.2350252.

    Examples
    --------
    Three users who want the same sum: publishing it once has a third of the squared error of
    noise on edges (18), and a ninth of that of noise on utilities (54).

    >>> import numpy as np
    >>> found = decompose(np.ones((3, 3)), gamma=1e-6)
    >>> found.right.shape, round(found.squared_error(epsilon=1), 3)
    ((1, 3), 6.0)
    """
    matrix = _matrix(workload)
    bound = float(check_positive("gamma", gamma))
    check_choice("start", start, STARTS)
    single = matrix.size > SINGLE_PRECISION_FROM
    working = matrix.astype(np.float32) if single else matrix
    with threadpool_limits(limits=1, user_api="blas"):  # sums in one order, whatever the threads
        first = STARTS[start](matrix)
        found = augmented_lagrangian(working, first.astype(working.dtype), bound)
        candidates = [_finished(matrix, right, bound) for right in (*found, first)]
    within = [one for one in candidates if one.residual <= bound * (1 + 1e-6) + 1e-9]
    if not within:
        raise ValueError(
            f"gamma must let the factors come within it of the workload, got {bound:g} where "
            f"{min(one.residual for one in candidates):g} is left by rounding; raise gamma"
        )
    return min(within, key=lambda one: one.squared_error(epsilon=1))


def _matrix(workload: Any) -> np.ndarray:
    """Bring a workload into a dense float64 array; refuse what is no finite matrix."""
    dense = workload.toarray() if hasattr(workload, "toarray") else np.asarray(workload)
    if dense.ndim != 2 or not dense.size or dense.dtype.kind not in "biuf":
        raise ValueError(
            f"workload must be a matrix of numbers with rows and columns, got shape {dense.shape} "
            f"of {dense.dtype}; pass the similarities of users to users"
        )
    if not np.isfinite(dense).all():
        raise ValueError(
            "workload must hold finite numbers, got NaN or inf; put 0 where users are not similar"
        )
    return dense.astype(np.float64)


def _finished(matrix: np.ndarray, right: np.ndarray, gamma: float) -> Decomposition:
    """Scale L to an exact column norm of at most 1 and give it its best B."""
    exact = right.astype(np.float64)
    exact /= max(1.0, float(np.abs(exact).sum(axis=0).max()) * (1 + 1e-15))
    left, residual = best_left(matrix, exact, gamma)
    return Decomposition(left, exact, residual, float(np.abs(exact).sum(axis=0).max()))
