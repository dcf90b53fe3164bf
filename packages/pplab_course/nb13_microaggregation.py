"""Exercises of notebook 13: best groups on a line, MDAV by hand, better than MDAV."""

from itertools import combinations
from typing import Any

import numpy as np

from pplab.checks import shown
from pplab.metrics.error import within_group_sse as sse
from pplab.microaggregation.mdav import mdav
from pplab.microaggregation.microaggregate import group_means
from pplab.microaggregation.optimal import optimal_microaggregation
from pplab_course.answers import Refusal, array, as_labels, call, number
from pplab_course.exercises import enter, exactly, hidden

# 13-P: classic MDAV, whatever the order of the rows

RULES = ("group", "closest")  # for what is left over: the classic one, and the changed one

# (points, k); the last ones have many ties, and equal points too
CROWDS = [
    (np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [13.0]]), 2),
    (np.random.default_rng(hidden(1)).normal(size=(17, 2)), 3),
    (np.random.default_rng(hidden(2)).normal(size=(11, 3)), 4),
    (np.random.default_rng(hidden(3)).normal(size=(5, 2)), 3),
    (np.random.default_rng(hidden(4)).integers(0, 4, (22, 2)).astype(float), 3),
    (np.random.default_rng(hidden(5)).integers(0, 3, (19, 2)).astype(float), 4),
]

# Distinct points with ties such that an order by one coordinate, up or down, or by the distance
# to the mean leaves some of them to the rows. Which groups are right then is not settled.
_SEVEN = np.array([[1, 1], [2, 1], [0, 2], [0, 1], [0, 0], [2, 2], [2, 0]], dtype=float)
_GRID = np.stack(np.meshgrid([0.0, 1, 2], [0.0, 1, 2]), axis=-1).reshape(9, 2)
TIED = [(seven, 2) for own in (_SEVEN, 2 - _SEVEN) for seven in (own, own[:, ::-1])]
TIED += [(_GRID, 2), (_GRID, 3)]


@enter("13-P")
def _classic(answer: Any) -> str | None:
    """Try a function that protects points; "" when it is classic MDAV for any order of rows."""
    for points, k in CROWDS:
        answers = _protected(answer, points, k)
        if wrong := _no_release(answers, points, k):
            return wrong
        error = float(np.square(points - answers).sum())
        known = (sse(points, mdav(points, k, leftover=rule)) for rule in RULES)
        classic, changed = (abs(error - each) < 1e-6 for each in known)
        if _distinct(points) and not classic:
            hint = "You used the changed leftover rule; by the classic rule leftovers are a group."
            return hint if changed else None
    for points, k in [*CROWDS, *TIED]:
        first = _listed(points, _protected(answer, points, k))
        for seed in range(6):
            shuffled = np.random.default_rng(seed).permutation(points)
            if np.abs(_listed(shuffled, _protected(answer, shuffled, k)) - first).max() > 1e-6:
                return (
                    "The same points, listed in a different order, get different groups: the order "
                    "decides a tie. Break ties by value: first sort the points by all coordinates."
                )
    return ""


def _listed(points: np.ndarray, release: np.ndarray) -> np.ndarray:
    """Points next to what became of them, in the order of the values; equal points may swap."""
    both = np.hstack([points, release.round(7)])
    return both[np.lexsort(both.T[::-1])]


def _protected(answer: Any, points: np.ndarray, k: int) -> np.ndarray:
    submission = call(answer, points, k)
    form = f"your function should give a table of means, got {type(submission).__name__}."
    table = array(submission, form)
    if table.shape != points.shape:
        raise Refusal(
            f"for {len(points)} points in {points.shape[1]} dimensions your function should give a "
            f"table of shape {points.shape}, got {table.shape}; the means, not the labels."
        )
    return table


def _no_release(release: np.ndarray, points: np.ndarray, k: int) -> str | None:
    """Name what a table of means breaks: mean, means of the groups, sizes."""
    if not np.isfinite(release).all():
        return "Some cells are not finite numbers: does every point get a mean?"
    _, groups, sizes = np.unique(release.round(9), axis=0, return_inverse=True, return_counts=True)
    kept = exactly(release, group_means(points, groups.ravel())) == ""
    if np.abs(release.mean(axis=0) - points.mean(axis=0)).max() > 1e-9:
        return "The mean of all points changed: does each member get the mean of its own group?"
    if not kept:
        return "A published row is not the mean of the points that it replaces."
    if sizes.min() < k:
        return f"A group of {sizes.min()} is smaller than k = {k}: what becomes of the last points?"
    if sizes.max() >= 2 * k and _distinct(points):
        return f"A group has {sizes.max()} points at k = {k}: 2k or more points can be cut in two."
    return None


def _distinct(points: np.ndarray) -> bool:
    return len(np.unique(points, axis=0)) == len(points)


# 13-B: numbers on which the changed leftover rule costs much more than the classic one

WORSE = 2.5  # times as much


@enter("13-B")
def _worse(answer: Any) -> str | None:
    """Run both rules on the numbers; "" when the changed one costs so much more."""
    if isinstance(answer, np.ndarray):
        answer = answer.tolist()
    if not isinstance(answer, (list, tuple)) or not 6 <= len(answer) <= 8:
        raise Refusal(f"give a list of six to eight whole numbers, got {shown(answer)[:60]}.")
    values = [number(value) for value in answer]
    if any(value != round(value) or not 0 <= value <= 100 for value in values):
        return "Give whole numbers from 0 to 100: no fractions, and nothing outside this range."
    points = np.array(values)[:, None]
    classic, changed = (sse(points, mdav(points, 2, leftover=rule)) for rule in RULES)
    if changed < classic * (1 - 1e-9):
        return f"Here the changed rule wins: its error is {changed:.2f} against {classic:.2f}."
    if changed <= classic * (1 + 1e-9):
        return f"Both rules cost {classic:.2f}: do the leftovers join other groups at all?"
    if changed < WORSE * classic:
        return f"The changed rule costs {changed / classic:.2f} times as much. Find a larger ratio."
    return ""


# 13-D: less error than MDAV, by looking back

SAVED = 0.07  # of MDAV's error, over all crowds


MORE = [(np.random.default_rng(seed).normal(size=(20, 2)), 3) for seed in range(4)]


@enter("13-D")
def _improved(answer: Any) -> str | None:
    """Run a search from MDAV's groups; "" when it saves enough and never harms."""
    before = after = 0.0
    for points, k in MORE:
        start = mdav(points, k)
        labels = as_labels(call(answer, points, start, k), len(points))
        if (smallest := np.bincount(labels).min()) < k:
            return f"A group of {smallest} is smaller than k = {k}: count before a point leaves."
        error, first = sse(points, labels), sse(points, start)
        if error > first * (1 + 1e-9):
            return f"On one set the error grew from {first:.2f} to {error:.2f}: keep what helps."
        before, after = before + first, after + error
    saved = 1 - after / before
    if saved < 1e-9:
        return "You saved nothing: the error is as before."
    if saved < SAVED:
        return f"You saved {saved:.1%} in all. Go on as long as a move helps."
    return ""


# 13-O: the best groups in the plane

HANDFULS = [
    (np.random.default_rng(seed).normal(size=(8, 2)), k) for seed, k in ((11, 2), (1, 3), (7, 2))
]


@enter("13-O")
def _optimal(answer: Any) -> str | None:
    """Try a function that groups a handful of points; "" when nothing has less error."""
    for points, k in HANDFULS:
        labels = as_labels(call(answer, points, k), len(points))
        if (smallest := np.bincount(labels).min()) < k:
            return f"A group of {smallest} is smaller than k = {k}."
        error, best = sse(points, labels), sse(points, optimal_microaggregation(points, k))
        if error <= best * (1 + 1e-9):
            continue
        if any(abs(error - sse(points, mdav(points, k, leftover=rule))) < 1e-9 for rule in RULES):
            return "Your groups are only as good as MDAV's; some other groups have less error."
        longest = np.linalg.svd(points - points.mean(axis=0))[2][0]
        lines = [points[:, 0], points[:, 1], points.sum(axis=1), points @ longest]
        if any(abs(error - best_in_order(points, line, k)) < 1e-9 for line in lines):
            return "Runs of neighbours are best on a line, but a plane has no such order of points."
        return None
    return ""


def best_in_order(points: np.ndarray, line: np.ndarray, k: int) -> float:
    """Least error of groups that are runs in the order of some numbers."""
    rows = points[np.argsort(line, kind="stable")]
    places = range(k, len(rows) - k + 1)
    every_cut = (cuts for n in range(len(rows) // k) for cuts in combinations(places, n))
    runs = (np.searchsorted(cuts, np.arange(len(rows)), side="right") for cuts in every_cut)
    return min(sse(rows, labels) for labels in runs if np.bincount(labels).min() >= k)
