"""The low-rank mechanism: answer a workload of utilities through fewer, less sensitive sums."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from threadpoolctl import threadpool_limits

from pplab.checks import as_rng, check_choice, check_epsilon, check_positive
from pplab.compiled import new_key
from pplab.graphs import GraphLike, as_matrix, check_preferences, check_public_frame
from pplab.recommenders.similarity import check_users
from pplab.recommenders.top_items import check_noise_scale, laplace_rows
from pplab.tables import as_points


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
        Katz). It counts as at most a tenth of the norm of the workload: on a small graph the norm
        itself is below 10, so that answers without any data would come within gamma.
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
    matrix = as_points(workload, name="workload").astype(np.float64)
    bound = float(check_positive("gamma", gamma))
    bound = min(bound, float(np.linalg.norm(matrix)) / 10 or bound)
    check_choice("start", start, _STARTS)
    working = matrix.astype(np.float32) if matrix.size > _SINGLE_PRECISION_FROM else matrix
    with threadpool_limits(limits=1, user_api="blas"):  # sums in one order, whatever the threads
        first = _STARTS[start](matrix)
        factors = _augmented_lagrangian(working, first.astype(working.dtype), bound)
        candidates = [_rescale(matrix, right, bound) for right in (*factors, first)]
    within = [one for one in candidates if one.residual <= bound * (1 + 1e-6) + 1e-9]
    if not within:
        raise ValueError(
            f"gamma must let the factors come within it of the workload, got {bound:g} where "
            f"{min(one.residual for one in candidates):g} is left by rounding; raise gamma"
        )
    return min(within, key=lambda one: one.squared_error(epsilon=1))


def _rescale(matrix: np.ndarray, right: np.ndarray, gamma: float) -> Decomposition:
    """Scale L to an exact column norm of at most 1 and give it its best B."""
    exact = right.astype(np.float64)
    exact /= max(1.0, float(np.abs(exact).sum(axis=0).max()) * (1 + 1e-15))
    left, residual = best_left(matrix, exact, gamma)
    return Decomposition(left, exact, residual, float(np.abs(exact).sum(axis=0).max()))


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
        Rows wanted; the noise of a user does not depend on which others are asked for.

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
    check_public_frame("preferences", preferences)
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
        for first in range(0, items, _BLOCK):
            sums = by_item[first : first + _BLOCK].astype(np.float64) @ right.T
            sums += scale * laplace_rows(key, range(first, first + len(sums)), len(right))
            answers[:, first : first + _BLOCK] = (sums.astype(np.float32) @ left).T
    return answers


# Starts of the search: first right factors.


def _svd_start(workload: np.ndarray) -> np.ndarray:
    """Right factor of the singular value decomposition, scaled so that its columns fit."""
    _, values, right = np.linalg.svd(workload, full_matrices=False)
    factor = right[: _numerical_rank(values, workload.shape)]
    return factor / _largest_column(factor)


def column_start(workload: np.ndarray) -> np.ndarray:
    """Right factor that keeps a basis of users and writes the others as mixtures of it.

    Users whose mixture has an L1 norm above 1 get rows of their own, so that the factor needs no
    scaling and no more noise than noise on edges.
    """
    triangle, order = scipy.linalg.qr(workload, mode="r", pivoting=True)
    if not triangle[0, 0]:
        return np.zeros((1, workload.shape[1]))
    known = _numerical_rank(np.abs(np.diagonal(triangle)), workload.shape)
    mixtures = scipy.linalg.solve_triangular(triangle[:known, :known], triangle[:known, known:])
    norms = np.abs(mixtures).sum(axis=0)
    extra = int(np.sum(norms > 1 + 1e-9))  # a twin's mixture is 1 but for rounding
    residual_columns = order[known:][np.argsort(-norms, kind="stable")[:extra]]
    factor = np.zeros((known + extra, workload.shape[1]))
    factor[np.arange(known), order[:known]] = 1
    factor[:known, order[known:]] = mixtures
    factor[:known, residual_columns] = 0
    factor[known + np.arange(extra), residual_columns] = 1
    return factor / max(1.0, _largest_column(factor))


_STARTS = {"columns": column_start, "svd": _svd_start}


def _largest_column(factor: np.ndarray) -> float:
    """Largest L1 norm of a column; 1 where all are zero, so that it may divide."""
    return float(np.abs(factor).sum(axis=0).max()) or 1.0


def _numerical_rank(values: np.ndarray, shape: tuple[int, ...]) -> int:
    """Number of values above rounding, at least 1."""
    return max(1, int(np.sum(values > values.max() * max(shape) * np.finfo(float).eps)))


# Steps of both factors, and the best left factor.

_ITERATIONS = 30  # largest number of updates of the multipliers
_TOLERANCE = 1e-4  # relative change of the right factor below which both count as settled
_ROUNDS = 3  # steps of both factors between two updates of the multipliers
_STEPS = 5  # accelerated steps of the right factor, after which the left one has moved on too
_POWER_STEPS = 30
_SINGLE_PRECISION_FROM = 2**18  # cells; above, the search runs in float32, twice as fast
_BLOCK = 1024  # items at once
_LARGEST = 64  # entries of a column that mostly decide its projection
_FEW = 1 / 16  # share of entries up to which a product visits these alone


def _augmented_lagrangian(
    workload: np.ndarray, right: np.ndarray, gamma: float
) -> list[np.ndarray]:
    """Right factors after the first and the last update; the last is within gamma, or late."""
    # 1 for a basis of users; more for a start whose rows are short, or B would give way at once
    penalty = len(right) / (float(np.sum(right**2)) or 1.0)
    multipliers = np.zeros_like(workload)
    kept: list[np.ndarray] = []
    identity = np.eye(len(right), dtype=right.dtype)
    for number in range(1, _ITERATIONS + 1):
        target = workload + multipliers / penalty
        for _ in range(_ROUNDS):
            factored = scipy.linalg.cho_factor(_product(right, right.T) + identity / penalty)
            left = scipy.linalg.cho_solve(factored, _product(target, right.T).T).T
            before, right = right, _right_steps(left, right, target)
            if not np.linalg.norm(right - before) > _TOLERANCE * np.linalg.norm(before):
                break
        kept = [*kept[:1], right]
        gap = workload - _product(left, right)
        if np.linalg.norm(gap) <= gamma:
            break
        multipliers = multipliers + penalty * gap
        penalty *= 2 if number % 2 == 0 else 1
    return kept


def _right_steps(left: np.ndarray, right: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Accelerated projected gradient steps on |target - left @ right|^2 (Nesterov)."""
    square, cross = left.T @ left, (target.T @ left).T
    steepest = _largest_eigenvalue(square)
    if not steepest > 0:
        return right
    ahead, weight = right, 1.0
    for _ in range(_STEPS):
        moved = onto_l1_balls(ahead - (_product(square, ahead) - cross) / steepest)
        heavier = (1 + math.sqrt(1 + 4 * weight**2)) / 2
        ahead = moved + right.dtype.type((weight - 1) / heavier) * (moved - right)
        right, weight = moved, heavier
    return right


def _product(factor: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Product of two matrices, by the entries of the second where they are few."""
    if np.count_nonzero(other) > _FEW * other.size:
        return factor @ other
    return (scipy.sparse.csr_array(other.T) @ factor.T).T


def onto_l1_balls(columns: np.ndarray) -> np.ndarray:
    """Project each column onto the L1 ball of radius 1 (the nearest point of it)."""
    size = np.abs(columns.T)
    return np.copysign(np.maximum(size - _excess(size, most=_LARGEST)[:, None], 0), columns.T).T


def _excess(size: np.ndarray, *, most: int) -> np.ndarray:
    """What each entry of a row gives up for a sum of 1, found among its `most` largest."""
    most = min(most, size.shape[1])
    ordered = np.sort(np.partition(size, -most, axis=1)[:, -most:], axis=1)[:, ::-1]
    excess = np.cumsum(ordered, axis=1) - 1
    count = np.maximum((ordered * np.arange(1, most + 1) > excess).sum(axis=1), 1)
    shrink = np.take_along_axis(excess, (count - 1)[:, None], axis=1)[:, 0] / count
    if most < size.shape[1] and (more := count == most).any():
        shrink[more] = _excess(size[more], most=size.shape[1])
    return np.maximum(shrink, 0).astype(size.dtype)


def _largest_eigenvalue(square: np.ndarray) -> np.floating:
    """Of a positive semidefinite matrix, by power steps; a little more, never much less."""
    vector, size = np.ones(len(square), dtype=square.dtype), square.dtype.type(0)
    for _ in range(_POWER_STEPS):
        vector = square @ vector
        size = np.linalg.norm(vector)
        if not size > 0:
            return np.trace(square)  # the ones are orthogonal to all: fall back to the sum
        vector /= size
    return size * square.dtype.type(1.05)


def best_left(workload: np.ndarray, right: np.ndarray, gamma: float) -> tuple[np.ndarray, float]:
    """Least-squares left factor among those within gamma, and its residual.

    It is W L' (L L' + s I)^-1 with the largest s that stays within gamma; in the eigenvectors of
    L L' the residual is a sum that grows with s. Where no s does, the residual is the least there
    is, and above gamma.
    """
    values, vectors = np.linalg.eigh(_product(right, right.T))
    values = np.maximum(values, 0)
    cross = _product(workload, right.T) @ vectors
    small = values <= values[-1] * len(values) * np.finfo(float).eps
    values[small], cross[:, small] = 1, 0
    reached = np.sum(cross**2, axis=0) / values
    never = max(float(np.sum(workload**2) - reached.sum()), 0.0)

    def residual(damping: float) -> float:
        return math.sqrt(never + float(np.sum(reached * (damping / (values + damping)) ** 2)))

    damping = 0.0
    if residual(0.0) < gamma:
        low, high = -40.0, 40.0
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if residual(math.exp(middle)) <= gamma else (low, middle)
        damping = math.exp(low)
    left = (cross / (values + damping)) @ vectors.T
    return left, float(np.linalg.norm(workload - _product(left, right)))
