"""Notebook 13: hidden points that tell the mistakes apart, and searches that stop too early."""

import numpy as np

from pplab.microaggregation.mdav import mdav
from pplab.microaggregation.microaggregate import group_means
from pplab.microaggregation.optimal import optimal_microaggregation_1d
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
