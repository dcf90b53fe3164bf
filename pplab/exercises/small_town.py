"""A made-up town in which a student's partition is tried: who gains at the same level?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from scipy import sparse

from pplab.exercises.answers import call
from pplab.exercises.hidden_points import as_labels
from pplab.metrics.ranking import ndcg
from pplab.recommenders.clusters import cluster_averages, cluster_top_items, indicator
from pplab.recommenders.communities import communities
from pplab.recommenders.similarity import similarity_times
from pplab.recommenders.utilities import utilities

__all__ = ["Town", "low_degree_quality", "not_protecting", "town"]

EPSILON, TOP, FEW, GAIN = 0.2, 10, 3, 0.04
TASTES, CIRCLES, PEOPLE, NEWCOMERS, ITEMS = 4, 6, 12, 60, 160
RELEASES = 10


@dataclass(frozen=True, eq=False)
class Town:
    """Circles of friends; six circles share a taste; newcomers know two people of a circle."""

    social: sparse.csr_array
    preferences: sparse.csr_array


@cache
def town() -> Town:
    """Draw the town; users are numbered at random."""
    rng = np.random.default_rng(0)
    circle = np.repeat(np.arange(TASTES * CIRCLES), PEOPLE)
    known = len(circle)
    circle = np.append(circle, rng.integers(TASTES * CIRCLES, size=NEWCOMERS))
    taste = circle // CIRCLES
    together, alike = np.equal.outer(circle, circle), np.equal.outer(taste, taste)
    drawn = rng.random(together.shape) < np.where(together, 0.5, np.where(alike, 0.03, 0.002))
    social = np.triu(drawn, 1)
    social[:, known:] = False
    for newcomer in range(known, len(circle)):
        friends = np.flatnonzero(circle[:known] == circle[newcomer])
        social[rng.choice(friends, size=2, replace=False), newcomer] = True
    of_taste = np.arange(ITEMS) // (ITEMS // TASTES) == taste[:, None]
    likes = rng.random(of_taste.shape) < np.where(of_taste, 0.4, 0.04)
    order = rng.permutation(len(circle))
    friends_of = (social | social.T)[np.ix_(order, order)].astype(np.int8)
    return Town(sparse.csr_array(friends_of), sparse.csr_array(likes[order].astype(float)))


def low_degree_quality(place: Town, labels: np.ndarray) -> float:
    """Mean NDCG@10 at the fixed level of users with few friends, over several releases."""
    few = np.flatnonzero(np.diff(place.social.indptr) <= FEW)
    truth = utilities(place.social, place.preferences, measure="cn", users=few)
    sums = similarity_times(place.social, indicator(labels), measure="cn", users=few)
    means = []
    for release in range(RELEASES):
        averages = cluster_averages(place.preferences, labels, epsilon=EPSILON, rng=release)
        items, _ = cluster_top_items(sums, averages, TOP)
        means.append(float(np.nanmean(ndcg(truth, items, top_n=TOP))))
    return float(np.mean(means))


@cache
def _usual() -> tuple[float, int]:
    """What the communities of the town give, and how many there are."""
    labels = communities(town().social, runs=3, rng=0)
    return low_degree_quality(town(), labels), int(labels.max()) + 1


def not_protecting(answer: Callable[..., Any]) -> str | None:
    """Try a function of the social graph; "" when users with few friends gain by it."""
    social = town().social
    given = call(answer, social.copy())
    labels = as_labels(given, social.shape[0])
    value, (before, usual) = low_degree_quality(town(), labels), _usual()
    if value >= before + GAIN:
        return ""
    told = f"On a town you have not seen their NDCG went from {before:.2f} to {value:.2f}. "
    count = int(labels.max()) + 1
    if count == 1:
        return told + "One cluster has hardly any noise, but nobody's taste either."
    if abs(value - before) < GAIN / 2 and count == usual:
        return told + "That is the partition there was, or nearly."
    if count > usual:
        return told + "Smaller clusters are closer to a person, but their noise grows as 1/|c|."
    return told + "Larger clusters have less noise; do yours still hold people who are alike?"
