"""A made table of ratings, and the least error of a k-anonymous release that links few rows."""

from __future__ import annotations

from functools import cache

import numpy as np

from pplab.metrics.risk import disclosure_risk
from pplab.microaggregation.microaggregate import group_means, microaggregate

__all__ = ["least_error", "linkage", "reading_club"]


def reading_club() -> np.ndarray:
    """Ratings from 1 to 5 of 120 readers for 20 books, made with a seed."""
    rng = np.random.default_rng(9)
    tastes = rng.uniform(1, 5, (12, 20))
    ratings = tastes[rng.integers(0, 12, 120)] + rng.normal(scale=1.2, size=(120, 20))
    return np.clip(np.rint(ratings), 1, 5)


def linkage(table: np.ndarray, labels: np.ndarray) -> float:
    """Share of rows that distance links to their owner, in the direction that links more."""
    protected = group_means(table, labels)
    directions = ("original-to-protected", "protected-to-original")
    return max(
        float(disclosure_risk(table, protected, direction=direction).mean())
        for direction in directions
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
