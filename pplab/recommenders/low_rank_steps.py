"""The search of the low-rank mechanism: starts, steps of both factors, the best left factor."""

from __future__ import annotations

import math

import numpy as np
from scipy import linalg

__all__ = ["augmented_lagrangian", "best_left", "column_start", "onto_l1_balls", "svd_start"]

ITERATIONS = 30  # largest number of updates of the multipliers
TOLERANCE = 1e-4  # relative change of the right factor below which both count as settled
ROUNDS = 3  # steps of both factors between two updates of the multipliers
STEPS = 5  # accelerated steps of the right factor, after which the left one has moved on too
POWER_STEPS = 30


def svd_start(workload: np.ndarray) -> np.ndarray:
    """Right factor of the singular value decomposition, scaled so that its columns fit."""
    _, values, right = np.linalg.svd(workload, full_matrices=False)
    factor = right[: _numerical_rank(values, workload.shape)]
    return factor / _largest_column(factor)


def column_start(workload: np.ndarray) -> np.ndarray:
    """Right factor that keeps a basis of users as they are and tells the rest as mixtures of it.

    Users whose mixture has an L1 norm above 1 get rows of their own, so that the factor needs no
    scaling and no more noise than noise on edges.
    """
    triangle, order = linalg.qr(workload, mode="r", pivoting=True)
    if not triangle[0, 0]:
        return np.zeros((1, workload.shape[1]))
    known = _numerical_rank(np.abs(np.diagonal(triangle)), workload.shape)
    mixtures = linalg.solve_triangular(triangle[:known, :known], triangle[:known, known:])
    norms = np.abs(mixtures).sum(axis=0)
    extra = int(np.sum(norms > 1 + 1e-9))  # a twin's mixture is 1 but for rounding
    apart = order[known:][np.argsort(-norms, kind="stable")[:extra]]
    factor = np.zeros((known + extra, workload.shape[1]))
    factor[np.arange(known), order[:known]] = 1
    factor[:known, order[known:]] = mixtures
    factor[:known, apart] = 0
    factor[known + np.arange(extra), apart] = 1
    return factor / max(1.0, _largest_column(factor))


def onto_l1_balls(columns: np.ndarray) -> np.ndarray:
    """Project each column onto the L1 ball of radius 1 (the nearest point of it)."""
    size = np.abs(columns.T)
    ordered = np.sort(size, axis=1)[:, ::-1]
    excess = np.cumsum(ordered, axis=1) - 1
    count = np.maximum((ordered * np.arange(1, size.shape[1] + 1) > excess).sum(axis=1), 1)
    shrink = np.take_along_axis(excess, (count - 1)[:, None], axis=1)[:, 0] / count
    shrink = np.maximum(shrink, 0).astype(columns.dtype)
    return np.sign(columns) * np.maximum(size.T - shrink, 0)


def augmented_lagrangian(workload: np.ndarray, right: np.ndarray, gamma: float) -> list[np.ndarray]:
    """Right factors after the first and the last update; the last is within gamma, or late."""
    # 1 for a basis of users; more for a start whose rows are short, or B would give way at once
    penalty = len(right) / (float(np.sum(right**2)) or 1.0)
    multipliers = np.zeros_like(workload)
    kept: list[np.ndarray] = []
    identity = np.eye(len(right), dtype=right.dtype)
    for number in range(1, ITERATIONS + 1):
        target = workload + multipliers / penalty
        for _ in range(ROUNDS):
            gram = right @ right.T + identity / penalty
            left = linalg.solve(gram, right @ target.T, assume_a="pos").T
            before, right = right, _right_steps(left, right, target)
            if not np.linalg.norm(right - before) > TOLERANCE * np.linalg.norm(before):
                break
        kept = [*kept[:1], right]
        gap = workload - left @ right
        if np.linalg.norm(gap) <= gamma:
            break
        multipliers = multipliers + penalty * gap
        penalty *= 2 if number % 2 == 0 else 1
    return kept


def best_left(workload: np.ndarray, right: np.ndarray, gamma: float) -> tuple[np.ndarray, float]:
    """Left factor of least squares among those within gamma, and the residual that it leaves.

    It is W L' (L L' + s I)^-1 with the largest s that stays within gamma; in the eigenvectors of
    L L' the residual is a sum that grows with s. Where no s does, the residual is the least there
    is, and above gamma.
    """
    values, vectors = np.linalg.eigh(right @ right.T)
    values = np.maximum(values, 0)
    cross = workload @ right.T @ vectors
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
    return left, float(np.linalg.norm(workload - left @ right))


def _right_steps(left: np.ndarray, right: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Accelerated projected gradient steps on |target - left @ right|^2 (Nesterov)."""
    square, cross = left.T @ left, left.T @ target
    steepest = _largest_eigenvalue(square)
    if not steepest > 0:
        return right
    ahead, weight = right, 1.0
    for _ in range(STEPS):
        moved = onto_l1_balls(ahead - (square @ ahead - cross) / steepest)
        heavier = (1 + math.sqrt(1 + 4 * weight**2)) / 2
        ahead = moved + right.dtype.type((weight - 1) / heavier) * (moved - right)
        right, weight = moved, heavier
    return right


def _largest_eigenvalue(square: np.ndarray) -> np.floating:
    """Of a positive semidefinite matrix, by power steps; a little more, never much less."""
    vector, size = np.ones(len(square), dtype=square.dtype), square.dtype.type(0)
    for _ in range(POWER_STEPS):
        vector = square @ vector
        size = np.linalg.norm(vector)
        if not size > 0:
            return np.trace(square)  # the ones are orthogonal to all: fall back to the sum
        vector /= size
    return size * square.dtype.type(1.05)


def _largest_column(factor: np.ndarray) -> float:
    """Largest L1 norm of a column; 1 where all are zero, so that it may divide."""
    return float(np.abs(factor).sum(axis=0).max()) or 1.0


def _numerical_rank(values: np.ndarray, shape: tuple[int, ...]) -> int:
    """Number of values above rounding, at least 1."""
    return max(1, int(np.sum(values > values.max() * max(shape) * np.finfo(float).eps)))
