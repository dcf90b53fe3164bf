"""Notebook 13: hidden points that tell the mistakes apart, and searches that stop too early."""

import numpy as np

from pplab.microaggregation.mdav import mdav
from pplab.microaggregation.microaggregate import group_means
from pplab.microaggregation.optimal import optimal_microaggregation, optimal_microaggregation_1d
from pplab_course.nb13_microaggregation import sse
from tests.oracles import mdav_in_fractions


def by_hand(points, k):
    """Classic MDAV that leaves ties to the order of the rows, as in the notebook."""
    return np.array(mdav_in_fractions(points, k, ties="rows"))


def by_row(points, k):
    return group_means(points, by_hand(points, k))


def away_from_the_mean(points):
    return np.linalg.norm(points - points.mean(axis=0), axis=1)


def sorted_by(*keys):
    """Classic MDAV on sorted points, the last key first; too few keys leave ties to the rows."""

    def protect(points, k):
        order, protected = np.lexsort([key(points) for key in keys]), np.empty_like(points)
        protected[order] = by_row(points[order], k)
        return protected

    return protect


def by_all_coordinates(points, k):
    places = range(points.shape[1])
    return sorted_by(*(lambda points, place=place: points[:, place] for place in places))(points, k)


def from_the_far_corner(points, k):
    return -by_all_coordinates(-points, k)


def means(points, k, leftover="group"):
    return group_means(points, mdav(points, k, leftover=leftover))


def medians(points, k):
    labels = mdav(points, k, leftover="group")
    return np.array([np.median(points[labels == group], axis=0) for group in labels])


def runs_along_x(points, k):
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


def moves(rounds):
    """Move points to other groups as long as that helps, at most so many moves."""

    def improve(points, labels, k):
        labels = labels.copy()
        for _ in range(rounds):
            trials = []
            for row in range(len(points)):
                for group in np.unique(labels):
                    trial = labels.copy()
                    trial[row] = group
                    if np.bincount(trial).min() >= k:
                        trials.append((sse(points, trial), trial.tolist()))
            error, best = min(trials)
            if error > sse(points, labels) - 1e-9:
                break
            labels = np.array(best)
        return labels

    return improve


def exact(points, _labels, k):
    """Cut the points in the order of x as well as it can be done, or keep what there was."""
    order = optimal_microaggregation_1d(points[:, 0], k)
    return order if sse(points, order) < sse(points, _labels) else moves(99)(points, _labels, k)


RIGHT = {
    "13-R": [9, 9.0, np.int64(9)],
    "13-C": [64.75, 64.8, 64.7, 259 / 4],
    "13-P": [by_all_coordinates, from_the_far_corner, lambda *given: means(*given).tolist()],
    "13-B": [[0, 0, 50, 56, 59, 59], (3, 4, 11, 14, 15, 16), np.array([1, 1, 51, 57, 60, 60])],
    "13-D": [moves(99), exact, lambda *given: moves(99)(*given).astype(float)],
    "13-O": [
        optimal_microaggregation,
        lambda points, k: optimal_microaggregation(points, k).astype(float),
        lambda points, k: optimal_microaggregation(points, k).tolist(),
    ],
}

WRONG = {
    "13-R": [10, 5, 14, 4, ("2k-1", "takes a number")],
    "13-C": [98.67, 9.25, 8.05, 4, (65, "right but for rounding")],
    "13-P": [
        (by_row, "Break ties by value"),
        (sorted_by(lambda points: points[:, 0]), "by all coordinates"),
        (sorted_by(away_from_the_mean), "by all coordinates"),
        (lambda *given: means(*given, leftover="closest"), "changed leftover rule"),
        (lambda points, _k: np.tile(points.mean(axis=0), (len(points), 1)), "cut in two"),
        (lambda points, _: means(points, 2), "smaller than k"),
        (lambda points, _k: points, "smaller than k"),
        (medians, "mean of all points moved"),
        (lambda points, k: means(points, k)[::-1], "is not the mean"),
        (lambda points, _: points * np.nan, "not finite"),
        (lambda *given: means(*given).round(3), "but for rounding"),
        (lambda points, k: mdav(points, k, leftover="group"), "the means, not the labels"),
        (lambda *_: "groups", "a table of means"),
    ],
    "13-B": [
        ([0, 1, 2, 6, 12, 13], "A larger factor"),
        ([0, 1, 2, 10, 11, 13], "the changed rule wins"),
        ([0, 1, 50, 51, 99, 100], "Both rules cost"),
        ([0, 0.5, 50, 56, 59, 59], "Whole numbers"),
        ([0, 0, 500, 560, 590, 590], "Whole numbers"),
        ([0, 1, 2], "six to eight"),
        (2.5, "six to eight"),
    ],
    "13-D": [
        (lambda _points, labels, _k: labels, "Nothing was saved"),
        (moves(1), "Go on"),
        (lambda points, _labels, _k: np.arange(len(points)), "smaller than k"),
        (lambda points, _labels, _k: np.zeros(len(points), dtype=int), "the error grew"),
        (lambda *_: [0] * 7, "each of the 20 rows"),
    ],
    "13-O": [
        (runs_along_x, "which order"),
        (lambda points, k: mdav(points, k), "error of MDAV's groups"),
        (lambda points, _k: list(range(len(points))), "smaller than k"),
        (lambda *_: [0] * 7, "each of the 8 rows"),
        (lambda *_: [0.5] * 8, "got 0.5 among them"),
        (lambda *_: ["a"] * 8, "got 'a' among them"),
    ],
}

SECRETS = {"13-R": "9", "13-C": "64.75"}
