"""Utilities and lists on which a student's NDCG is tried, and what its mistakes look like."""

from __future__ import annotations

from typing import Any

import numpy as np

from pplab.exercises.answers import call
from pplab.exercises.core import Refusal
from pplab.metrics.ranking import ndcg

__all__ = ["LISTS", "not_quality"]

SEED, RANDOM = 505, 40
NEAR = 1e-9


def _hidden() -> list[tuple[np.ndarray, np.ndarray]]:
    """Random users with many ties and zeros; the best list, a best list among ties, the worst."""
    rng = np.random.default_rng(SEED)
    lists = []
    for _ in range(RANDOM):
        size = int(rng.integers(4, 12))
        utilities = rng.choice([0.0, 0.0, 0.5, 1, 1, 2, 3], size=size)
        utilities[rng.integers(size)] = 1.5  # somebody without any utility comes below
        lists.append((utilities, rng.permutation(size)[: int(rng.integers(2, size + 1))]))
    tied = np.array([0.0, 2, 2, 1, 2, 0])
    lists += [(tied, np.array([1, 2, 4, 3])), (tied, np.array([4, 1, 2])), (tied, np.array([0, 5]))]
    return lists


LISTS = _hidden()
NOBODY = (np.zeros(5), np.array([3, 1]))  # a user without utility


def not_quality(answer: Any) -> str | None:
    """Try a function of (utilities, ranked); "" when it is NDCG on every hidden list."""
    given = np.array([_value(answer, *row) for row in LISTS])
    wanted = np.array([_ndcg(*row) for row in LISTS])
    if not _same(given, wanted):
        return _recognised(given)
    if np.isnan(_value(answer, *NOBODY)):
        return ""
    return "Nearly: for a user whose utilities are all 0 it gives a number; 0/0 is NaN here."


def _ndcg(utilities: np.ndarray, ranked: np.ndarray) -> float:
    return float(ndcg(utilities[None, :], ranked[None, :], top_n=len(ranked))[0])


def _value(answer: Any, utilities: np.ndarray, ranked: np.ndarray) -> float:
    with np.errstate(divide="ignore", invalid="ignore"):  # 0/0 is what the exercise is about
        value = call(answer, utilities.copy(), ranked.copy())
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise Refusal(f"give back one number, got {type(value).__name__}.") from error


def _weights(count: int) -> np.ndarray:
    return 1 / (np.log2(np.arange(1, count + 1)) + 1)


def _recognised(given: np.ndarray) -> str | None:
    """The hint for a mistake that explains every value."""

    def tried(weights: Any, ideal: Any) -> bool:
        wrong = []
        for utilities, ranked in LISTS:
            own, discount = utilities[ranked], weights(len(ranked))
            best = np.asarray(ideal(utilities, ranked), dtype=float)[: len(ranked)]
            below = float(best @ discount[: len(best)])
            wrong.append(float(own @ discount) / below if below else np.nan)
        known = ~np.isnan(wrong)  # elsewhere such a function may give anything
        return _same(given[known], np.array(wrong)[known])

    def sorted_all(utilities: np.ndarray, _: np.ndarray) -> np.ndarray:
        return np.sort(utilities)[::-1]

    if tried(lambda count: 1 / np.log2(np.arange(2, count + 2)), sorted_all):
        return "Rank 2 gets 0.631 with your weights: in equation 2 the 1 is outside the logarithm."
    if tried(lambda count: np.ones(count), sorted_all):
        return "Your ranks all count the same; divide by max(1, log2(rank) + 1)."
    if tried(_weights, lambda *_: [1.0]):
        return "That is the DCG of the list alone: divide it by the DCG of the ideal list."
    if tried(_weights, lambda utilities, ranked: np.sort(utilities[ranked])[::-1]):
        return "Your ideal list holds recommended items only: it may take any item there is."
    if tried(_weights, lambda utilities, _: utilities):
        return "Your ideal list is in the order of the item numbers: rank it by the utilities."
    if np.isnan(given).any():
        return "It gives NaN for a user who has some utility: NaN is for those who have none."
    if (given > 1 + NEAR).any():
        return "One list is better than your ideal one: rank the ideal by the same utilities."
    if (given < -NEAR).any():
        return "A list came out below 0, yet no utility is."
    return None


def _same(given: np.ndarray, wanted: np.ndarray) -> bool:
    return bool(np.allclose(given, wanted, rtol=0, atol=NEAR, equal_nan=True))
