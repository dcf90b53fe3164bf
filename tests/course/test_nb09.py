"""Notebook 09: hidden points that tell the mistakes apart, a club whose best release is unique."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np

from pplab.course.check import check
from pplab.course.nb09_microaggregation import (
    least_error,
    linkage,
    reading_club,
    sse,
)
from pplab.microaggregation.mdav import mdav
from pplab.microaggregation.microaggregate import group_means, microaggregate
from pplab.microaggregation.optimal import optimal_microaggregation, optimal_microaggregation_1d
from tests.course.examples import complaints
from tests.oracles import mdav_in_fractions

CLUB = reading_club()


def released(k: int) -> Any:
    return microaggregate(CLUB, k, rating_range=(1, 5))


def by_hand(points: np.ndarray, k: int) -> np.ndarray:
    """Classic MDAV that leaves ties to the order of the rows, as in the notebook."""
    return np.array(mdav_in_fractions(points, k, ties="rows"))


def by_row(points: np.ndarray, k: int) -> np.ndarray:
    return group_means(points, by_hand(points, k))


def away_from_the_mean(points: np.ndarray) -> np.ndarray:
    return np.linalg.norm(points - points.mean(axis=0), axis=1)


def sorted_by(*keys: Callable[[np.ndarray], np.ndarray]) -> Callable[..., np.ndarray]:
    """Classic MDAV on sorted points, the last key first; too few keys leave ties to the rows."""

    def protect(points: np.ndarray, k: int) -> np.ndarray:
        order, protected = np.lexsort([key(points) for key in keys]), np.empty_like(points)
        protected[order] = by_row(points[order], k)
        return protected

    return protect


def by_all_coordinates(points: np.ndarray, k: int) -> np.ndarray:
    places = range(points.shape[1])
    return sorted_by(*(lambda points, place=place: points[:, place] for place in places))(points, k)


def from_the_far_corner(points: np.ndarray, k: int) -> np.ndarray:
    return -by_all_coordinates(-points, k)


def means(points: np.ndarray, k: int, leftover: str = "group") -> np.ndarray:
    return group_means(points, mdav(points, k, leftover=leftover))


def medians(points: np.ndarray, k: int) -> np.ndarray:
    labels = mdav(points, k, leftover="group")
    return np.array([np.median(points[labels == group], axis=0) for group in labels])


def runs_along_x(points: np.ndarray, k: int) -> np.ndarray:
    """The best cut of the points in the order of x, each cut judged in the plane."""
    order, best = np.argsort(points[:, 0]), (np.inf, np.zeros(len(points), dtype=int))
    for cuts in range(2 ** (len(points) - 1)):
        ends = [cuts >> place & 1 for place in range(len(points) - 1)]
        labels = np.empty(len(points), dtype=int)
        labels[order] = np.cumsum([0, *ends])
        if np.bincount(labels).min() >= k:
            error = np.square(points - group_means(points, labels)).sum()
            best = min(best, (error, labels), key=lambda pair: pair[0])
    return best[1]


def swapped(labels: np.ndarray) -> np.ndarray:
    """Less error than MDAV's: exchange two readers wherever that helps, of the first 60 only."""
    labels = labels.copy()
    for one, other in combinations(range(60), 2):
        trial = labels.copy()
        trial[[one, other]] = labels[[other, one]]
        if sse(CLUB, trial) < sse(CLUB, labels) and linkage(CLUB, trial) <= 0.05:
            labels = trial
    return labels


SWAPPED = swapped(released(16).labels)

RIGHT: list[tuple[str, Any]] = [
    ("09-R", "linkage"),
    ("09-R", " Linkage: naming the right row "),
    ("09-C", 64.75),
    ("09-P", by_all_coordinates),
    ("09-P", from_the_far_corner),
    ("09-P", lambda *given: means(*given).tolist()),
    ("09-B", (2, 5, 4)),
    ("09-D", released(16)),
    ("09-D", released(16).labels),
    ("09-D", released(16).labels.astype(float)),
    ("09-D", SWAPPED),
    ("09-O", optimal_microaggregation),
    ("09-O", lambda points, k: optimal_microaggregation(points, k).astype(float)),
]

WRONG: list[tuple[str, Any, str]] = [
    ("09-R", "any inference", "all k members rated 5"),
    ("09-R", "insiders", "how sure"),
    ("09-C", 98.67, "what MDAV finds"),
    ("09-C", 9.25, "the sum"),
    ("09-C", 8.05, "No root"),
    ("09-C", 4, "every value needs a group"),
    ("09-P", by_row, "Break ties by value"),
    ("09-P", sorted_by(lambda points: points[:, 0]), "by all coordinates"),
    ("09-P", sorted_by(away_from_the_mean), "by all coordinates"),
    ("09-P", lambda *given: means(*given, leftover="closest"), "changed leftover rule"),
    ("09-P", lambda points, _k: np.tile(points.mean(axis=0), (len(points), 1)), "cut in two"),
    ("09-P", lambda points, _: means(points, 2), "smaller than k"),
    ("09-P", lambda points, _k: points, "smaller than k"),
    ("09-P", medians, "mean of all points moved"),
    ("09-P", lambda points, k: means(points, k)[::-1], "is not the mean"),
    ("09-P", lambda points, _: points * np.nan, "not finite"),
    ("09-B", (-1 / 6, 1 / 3, 1 / 4), "weigh each by its size"),
    ("09-B", (7 / 3, 13 / 3, 7 / 2), "one member had become two"),
    ("09-B", (13 / 6, 14 / 3, 15 / 4), "Sizes two and three"),
    ("09-B", (2.5, 5, 4), "whole numbers"),
    ("09-D", released(20), "sufficient"),
    ("09-D", released(14), "less squared error"),
    ("09-D", released(10), "still"),
    ("09-D", np.arange(120), "stand alone"),
    ("09-O", runs_along_x, "in which order"),
    ("09-O", lambda points, k: mdav(points, k), "what MDAV finds"),
    ("09-O", lambda points, _k: list(range(len(points))), "smaller than k"),
    ("09-P", lambda points, k: mdav(points, k, leftover="group"), "the means, not the labels"),
    ("09-P", lambda *_: "groups", "a table of means"),
    ("09-O", lambda *_: [0] * 7, "each of the 8 rows"),
    ("09-O", lambda *_: [0.5] * 8, "got 0.5 among them"),
    ("09-O", lambda *_: ["a"] * 8, "got 'a' among them"),
    ("09-B", 5, "wants 3 numbers"),
    ("09-D", 16, "not k alone"),
    ("09-D", [0] * 119, "each of the 120 rows"),
    ("09-D", released(16).protected, "the release, or the group of each"),
]

# A hint must not hold the answer: the exercise and the answer in words.
SECRETS = [("09-C", "64.75"), ("09-B", "(2, 5, 4)"), ("09-D", "16"), ("09-D", "3,206")]


def test_answers_are_judged() -> None:
    assert complaints("09", RIGHT, WRONG, SECRETS) == []


def test_a_grouping_below_what_mdav_finds_is_not_praised_as_what_mdav_finds() -> None:
    club = reading_club()
    assert sse(club, SWAPPED) < least_error(0.05) * 0.99
    assert "no k of MDAV that is safe has less" in check("09-D", SWAPPED).message


def test_cutting_by_one_coordinate_alone_is_not_the_optimum() -> None:
    assert not check("09-O", lambda points, k: optimal_microaggregation_1d(points[:, 0], k))
