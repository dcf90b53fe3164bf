"""Points that groupings are tried on, and what is wrong with a grouping that a student gives."""

from __future__ import annotations

from itertools import combinations
from numbers import Real
from typing import Any

import numpy as np

from pplab.exercises.answers import call
from pplab.exercises.core import Refusal
from pplab.metrics.error import within_group_sse
from pplab.microaggregation.mdav import mdav
from pplab.microaggregation.microaggregate import group_means
from pplab.microaggregation.optimal import optimal_microaggregation

__all__ = [
    "CROWDS",
    "HANDFULS",
    "TIED",
    "as_labels",
    "best_in_order",
    "not_classic",
    "not_optimal",
    "sse",
]

# (points, k); the last ones have many ties, and equal points too
CROWDS = [
    (np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [13.0]]), 2),
    (np.random.default_rng(1).normal(size=(17, 2)), 3),
    (np.random.default_rng(2).normal(size=(11, 3)), 4),
    (np.random.default_rng(3).normal(size=(5, 2)), 3),
    (np.random.default_rng(4).integers(0, 4, (22, 2)).astype(float), 3),
    (np.random.default_rng(5).integers(0, 3, (19, 2)).astype(float), 4),
]
# Distinct points with so many ties that an order by one coordinate, up or down, or by the distance
# to the mean leaves some of them to the rows. Which groups are right then is not settled.
_SEVEN = np.array([[1, 1], [2, 1], [0, 2], [0, 1], [0, 0], [2, 2], [2, 0]], dtype=float)
_GRID = np.stack(np.meshgrid([0.0, 1, 2], [0.0, 1, 2]), axis=-1).reshape(9, 2)
TIED = [
    (_SEVEN, 2),
    (_SEVEN[:, ::-1], 2),
    (2 - _SEVEN, 2),
    (2 - _SEVEN[:, ::-1], 2),
    (_GRID, 2),
    (_GRID, 3),
]
HANDFULS = [
    (np.random.default_rng(seed).normal(size=(8, 2)), k) for seed, k in ((11, 2), (1, 3), (7, 2))
]


def as_labels(answer: Any, count: int, *, first: str = "") -> np.ndarray:
    """Read the group of each point, numbered anew from 0; 2.0 is as good a number as 2."""
    form = f"{first}the group of each of the {count} rows as whole numbers, please, got "
    try:
        labels = np.asarray(getattr(answer, "labels", answer))
    except (TypeError, ValueError) as error:
        raise Refusal(f"{form}{type(answer).__name__}.") from error
    if labels.shape != (count,):
        raise Refusal(f"{form}{type(answer).__name__} of shape {labels.shape}.")
    for label in labels.tolist():
        if isinstance(label, bool) or not isinstance(label, Real) or label % 1 != 0:
            raise Refusal(f"{form}{label!r} among them.")
    return np.unique(labels, return_inverse=True)[1]


def sse(points: np.ndarray, labels: np.ndarray) -> float:
    return within_group_sse(points, labels)


def not_classic(answer: Any) -> str | None:
    """Try a function that protects points; "" when it is classic MDAV for any order of rows."""
    for points, k in CROWDS:
        given = _protected(answer, points, k)
        if wrong := _no_release(given, points, k):
            return wrong
        wanted = sse(points, mdav(points, k, leftover="group"))
        error = float(np.square(points - given).sum())
        other = sse(points, mdav(points, k, leftover="closest"))
        if _distinct(points) and abs(error - wanted) > 1e-6:
            if abs(error - other) < 1e-6:
                return "That is the changed leftover rule; in the classic one they are a group."
            return None
    for points, k in [*CROWDS, *TIED]:
        first = _listed(points, _protected(answer, points, k))
        for seed in range(6):
            shuffled = np.random.default_rng(seed).permutation(points)
            if np.abs(_listed(shuffled, _protected(answer, shuffled, k)) - first).max() > 1e-6:
                return (
                    "The same points in another order of rows get other groups: the order decides "
                    "a tie. Break ties by value: sort the points first, by all coordinates."
                )
    return ""


def _listed(points: np.ndarray, given: np.ndarray) -> np.ndarray:
    """Points beside what became of them, in the order of the values; equal points may swap."""
    both = np.hstack([points, given.round(7)])
    return both[np.lexsort(both.T[::-1])]


def _protected(answer: Any, points: np.ndarray, k: int) -> np.ndarray:
    given = call(answer, points.copy(), k)
    try:
        table = np.asarray(given, dtype=float)
    except (TypeError, ValueError) as error:
        raise Refusal(
            f"your function should give a table of means, got {type(given).__name__}."
        ) from error
    if table.shape != points.shape:
        raise Refusal(
            f"for {len(points)} points in {points.shape[1]} dimensions your function should give a "
            f"table of shape {points.shape}, got {table.shape}; the means, not the labels."
        )
    return table


def _no_release(given: np.ndarray, points: np.ndarray, k: int) -> str | None:
    """Name what a table of means breaks: mean, means of the groups, sizes."""
    if not np.isfinite(given).all():
        return "Some cells are not finite numbers: does every point get a mean?"
    if np.abs(given.mean(axis=0) - points.mean(axis=0)).max() > 1e-9:
        return "The mean of all points moved: does each member get the mean of its own group?"
    _, groups, sizes = np.unique(given.round(9), axis=0, return_inverse=True, return_counts=True)
    if np.abs(group_means(points, groups.ravel()) - given).max() > 1e-6:
        return "A published row is not the mean of those who share it."
    if sizes.min() < k:
        return f"A group of {sizes.min()} is smaller than k = {k}: what becomes of the last points?"
    if sizes.max() >= 2 * k and _distinct(points):
        return f"A group of {sizes.max()} at k = {k}: 2k or more can still be cut in two."
    return None


def _distinct(points: np.ndarray) -> bool:
    return len(np.unique(points, axis=0)) == len(points)


def not_optimal(answer: Any) -> str | None:
    """Try a function that groups a handful of points; "" when nothing has less error."""
    for points, k in HANDFULS:
        labels = as_labels(call(answer, points.copy(), k), len(points))
        if (smallest := np.bincount(labels).min()) < k:
            return f"A group of {smallest} is smaller than k = {k}."
        error, best = sse(points, labels), sse(points, optimal_microaggregation(points, k))
        if error <= best * (1 + 1e-9):
            continue
        rules = ("group", "closest")
        if any(abs(error - sse(points, mdav(points, k, leftover=rule))) < 1e-9 for rule in rules):
            return "That is what MDAV finds; some grouping of these points has less error."
        lines = [points[:, 0], points[:, 1], points.sum(axis=1), _along_the_longest(points)]
        if any(abs(error - best_in_order(points, line, k)) < 1e-9 for line in lines):
            return "Runs of neighbours are best on a line. Contiguous in the plane: in which order?"
        return None
    return ""


def best_in_order(points: np.ndarray, line: np.ndarray, k: int) -> float:
    """Least error of groups that are runs in the order of some numbers."""
    rows = points[np.argsort(line, kind="stable")]
    places = range(k, len(rows) - k + 1)
    errors = []
    for cuts in (c for n in range(len(rows) // k) for c in combinations(places, n)):
        labels = np.searchsorted(cuts, np.arange(len(rows)), side="right")
        if np.bincount(labels).min() >= k:
            errors.append(sse(rows, labels))
    return min(errors)


def _along_the_longest(points: np.ndarray) -> np.ndarray:
    moved = points - points.mean(axis=0)
    return moved @ np.linalg.svd(moved)[2][0]
