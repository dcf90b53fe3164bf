"""Exercises of notebook 09: best groups on a line, MDAV, what exact means give away."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from pplab.course.check import Refusal, as_labels, call, close, enter, number, numbers, text
from pplab.metrics.error import within_group_sse as sse
from pplab.metrics.risk import disclosure_risk
from pplab.microaggregation.mdav import mdav
from pplab.microaggregation.microaggregate import group_means, microaggregate
from pplab.microaggregation.optimal import optimal_microaggregation

# 09-R: what k bounds


@enter(
    "09-R",
    praise="right. 1/k bounds how often distance finds the right row, and nothing else.",
    hints=(
        "Go through the three: which of them did the notebook do in spite of k?",
        "What is counted in a group of k equal rows?",
    ),
)
def _bounded(answer: Any) -> str | None:
    word = text(answer).lower()
    if "infer" in word:
        return "Any inference? Suppose that all k members rated 5."
    if "insider" in word:
        return "k−1 members and an exact mean: how sure were they in the first cells?"
    return "" if word.startswith("link") else None


# 09-C: the best groups on a line


@enter(
    "09-C",
    praise="right. The far point joins its neighbours rather than tearing a group of three.",
    hints=(
        "With seven values and k = 3 there are two groups: one of three, one of four.",
        "On a line try runs of neighbours only; a group's error is measured from its own mean.",
    ),
)
def _on_a_line(answer: Any) -> str | None:
    value = number(answer)
    if close(value, 98.67, within=1e-3):
        return "That is what MDAV finds: it starts at the far end. Is there a better cut?"
    if close(value, 64.75 / 7, within=1e-3):
        return "That is an error per value; the question is about the sum."
    if close(value, 64.75**0.5, within=1e-3):
        return "No root: squared distances are added."
    if close(value, 4, within=1e-3):
        return "One value is left out: every value needs a group."
    return "" if close(value, 64.75, within=1e-4) else None


# 09-P: classic MDAV, whatever the order of the rows

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
TIED = [(seven, 2) for own in (_SEVEN, 2 - _SEVEN) for seven in (own, own[:, ::-1])]
TIED += [(_GRID, 2), (_GRID, 3)]


@enter(
    "09-P",
    praise="right. Groups of k to 2k−1, every mean kept, whoever is listed first.",
    hints=(
        "by_hand groups the points; replace each of them by the mean of its group.",
        "np.lexsort(points.T) gives an order that depends on the values alone: group the points in "
        "that order, then put the means back where they belong.",
    ),
)
def _classic(answer: Any) -> str | None:
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


# 09-B: the row of a newcomer, from two releases

NEWCOMER = (2.0, 5.0, 4.0)
BEFORE, AFTER = (8 / 3, 11 / 3, 3.0), (5 / 2, 4.0, 13 / 4)


@enter(
    "09-B",
    praise="right. (k+1)·mean′ − k·mean: two releases, each 3-anonymous, and one open book.",
    hints=(
        "A mean times the number of members is a sum. What do two such sums differ by?",
        "The first release is about k members, the second about k+1; weigh each mean by its size.",
    ),
)
def _newcomer(answer: Any) -> str | None:
    row = numbers(answer, 3)
    if _alike(row, NEWCOMER):
        return ""
    pairs = list(zip(BEFORE, AFTER, strict=True))
    if _alike(row, [after - before for before, after in pairs]):
        return "The difference of two means counts everybody alike: weigh each by its size."
    if _alike(row, [2 * after - before for before, after in pairs]):
        return "That would be right if one member had become two; here three become four."
    if _alike(row, [3 * after - 2 * before for before, after in pairs]):
        return "Sizes two and three? The first release is about three members already."
    if any(value != round(value) or not 1 <= value <= 5 for value in row):
        return "Ratings are whole numbers from 1 to 5, and the recovery is exact."
    return None


def _alike(row: Any, other: Any) -> bool:
    return all(abs(one - two) < 1e-6 for one, two in zip(row, other, strict=True))


# 09-D: the release of a made-up club with the least error that links few rows

RISK = 0.05


@enter(
    "09-D",
    praise="right. The risk was measured, not read off k, and no k of MDAV that is safe has less "
    "error.",
    hints=(
        "microaggregate(club, k, rating_range=(1, 5)) for several k; disclosure_risk for each.",
        "Of all groupings with both directions at 5 % or less, take the one with the least .sse.",
    ),
)
def _least_error(answer: Any) -> str | None:
    if isinstance(answer, int) and not isinstance(answer, bool):
        raise Refusal("give the release, not k alone: microaggregate(club, k, ...) of your choice.")
    club = reading_club()
    labels = as_labels(answer, len(club), first="the release, or ")
    sizes = np.bincount(labels).tolist()
    if min(sizes) < 2:
        return f"{sizes.count(1)} readers stand alone: a group needs 2 at least."
    risk = linkage(club, labels)
    if risk > RISK:
        return f"Groups of {min(sizes)} or more, and still {risk:.1%} of all rows are linked."
    if sse(club, labels) <= least_error(RISK) * (1 + 1e-9):
        return ""
    if min(sizes) >= 20:
        return "k = 20 is sufficient, since 1/20 is 5 %. It is not necessary: measure smaller k."
    return (
        f"Safe: {risk:.1%} are linked. But another grouping that is safe has less squared error; "
        "neither error nor risk goes evenly with k."
    )


def reading_club() -> np.ndarray:
    """Ratings from 1 to 5 of 120 readers for 20 books, made with a seed."""
    rng = np.random.default_rng(9)
    tastes = rng.uniform(1, 5, (12, 20))
    ratings = tastes[rng.integers(0, 12, 120)] + rng.normal(scale=1.2, size=(120, 20))
    return np.clip(np.rint(ratings), 1, 5)


def linkage(table: np.ndarray, labels: np.ndarray) -> float:
    """Share of rows that distance links to their owner, in the direction that links more."""
    protected = group_means(table, labels)
    return max(
        float(disclosure_risk(table, protected, direction=direction).mean())
        for direction in ("original-to-protected", "protected-to-original")
    )


@cache
def least_error(risk: float) -> float:
    """Least squared error of the club at no more than this linkage, over all k of MDAV."""
    club = reading_club()
    found = []
    for k in range(2, 31):
        for leftover in ("closest", "group"):
            release = microaggregate(club, k, rating_range=(1, 5), leftover=leftover)
            if linkage(club, release.labels) <= risk:
                found.append(release.sse)
    return min(found)


# 09-O: the best groups in the plane

HANDFULS = [
    (np.random.default_rng(seed).normal(size=(8, 2)), k) for seed, k in ((11, 2), (1, 3), (7, 2))
]


@enter(
    "09-O",
    praise=(  # the rubric is part of it: it is for a search that works
        "nothing has less error on points you have not seen. Judge your search yourself:"
        "\n  1 you can say why no group of 2k or more has to be tried, in the plane too"
        "\n  2 you counted the groupings of 8 points, and say how many 30 points would have"
        "\n  3 you compared MDAV with the optimum on several sets of points, seeds given"
    ),
    hints=(
        "The first point is in some group: try every set of partners, then do the same with the "
        "rest.",
        "itertools.combinations gives the partners; sizes from k to 2k−1 are enough.",
    ),
)
def _optimal(answer: Any) -> str | None:
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
