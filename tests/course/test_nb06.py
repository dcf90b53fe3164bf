"""Notebook 06: hidden lists, labels and a town that tell mistakes apart."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import sparse

from pplab.recommenders.communities import communities, modularity

Weights = Callable[[int], np.ndarray]


def printed(count: int) -> np.ndarray:
    return 1 / np.maximum(1, np.log2(np.arange(1, count + 1)) + 1)


def ratio(weights: Weights, ideal: Callable[..., np.ndarray]) -> Callable[..., float]:
    """An NDCG with these weights and this idea of the ideal list."""

    def quality(utilities: np.ndarray, ranked: np.ndarray) -> float:
        best = ideal(utilities, ranked)[: len(ranked)]
        below = best @ weights(len(best))
        return float(utilities[ranked] @ weights(len(ranked)) / below) if below > 0 else np.nan

    return quality


def best_of_all(utilities: np.ndarray, _: np.ndarray) -> np.ndarray:
    return np.sort(utilities)[::-1]


quality = ratio(printed, best_of_all)


def mixed_up(labels: np.ndarray) -> np.ndarray:
    return np.random.default_rng(7).permutation(labels)


def smuggled(mix: Callable[[np.ndarray], np.ndarray]) -> Callable[..., Any]:
    def audit(social: sparse.csr_array, labels: np.ndarray) -> Any:
        mixed = mix(labels)
        return mixed, modularity(social, labels), modularity(social, mixed)

    return audit


def two_swapped(labels: np.ndarray) -> np.ndarray:
    other = labels.copy()
    two = int(np.flatnonzero(labels != labels[0])[0])
    other[[0, two]] = labels[[two, 0]]
    return other


smuggle = smuggled(mixed_up)


def larger(social: sparse.csr_array) -> np.ndarray:
    labels = communities(social, runs=3, resolution=0.25, rng=1)
    social.data[:] = 0  # a student may change what it is given
    return labels


def laplace(size: float, epsilon: float) -> float:
    return 1 / (size * epsilon)


def times(factor: Any) -> Callable[..., Any]:
    """The right scale for weights up to 1, times a number or a function of size and level."""
    return lambda size, epsilon: (
        laplace(size, epsilon) * (factor(size, epsilon) if callable(factor) else factor)
    )


WHY = "One edge moves one average by 1/|c| at most; I would compare NDCG@50 with one list for all."
PLAN = {"highest": 1, "scale": laplace, "why": WHY}
FIVE = PLAN | {"highest": 5, "scale": times(5)}

RIGHT: dict[str, list[Any]] = {
    "06-R": ["averaging", " Averaging. ", "the averages", "bias", "clustering"],
    "06-C": [0.5, Fraction(1, 2), np.float64(0.5), 1 / max(1, np.log2(2) + 1)],
    "06-P": [
        quality,
        lambda *given: round(quality(*given), 12),
        lambda own, ranked: np.array(quality(own, np.array(ranked.tolist()))),
    ],
    "06-B": [
        smuggle,
        lambda social, labels: list(smuggle(social, labels)),
        smuggled(lambda labels: np.roll(labels, 7)),
        smuggled(lambda labels: np.sort(labels)),
    ],
    "06-D": [
        larger,
        larger,
        lambda social: communities(social, runs=2, resolution=0.5, rng=2),
        lambda social: communities(social, runs=2, resolution=0.25, rng=3).tolist(),
    ],
    "06-O": [PLAN, FIVE, PLAN | {"highest": 2.0, "scale": times(Fraction(2))}],
}

WRONG: dict[str, list[Any]] = {
    "06-R": [
        ("nothing", "not persons"),
        ("noise", "no noise is added"),
        ("taste", "non-private lists"),
    ],
    "06-C": [1 / np.log2(3), 2, 1 / (np.log(2) + 1), 1],
    "06-P": [
        (ratio(lambda n: 1 / np.log2(np.arange(2, n + 2)), best_of_all), "outside the log"),
        (ratio(np.ones, best_of_all), "count the same"),
        (ratio(printed, lambda own, ranked: np.sort(own[ranked])[::-1]), "any item there is"),
        (ratio(printed, lambda own, _: own), "rank it by the utilities"),
        (lambda own, ranked: float(own[ranked] @ printed(len(ranked))), "divide it"),
        (lambda *given: float(np.nan_to_num(quality(*given))), "0/0"),
        (lambda *given: quality(*given) or float("nan"), "NaN is for those"),
        (lambda *given: -quality(*given), "below 0"),
        (lambda *given: 1.5 * quality(*given), "same utilities"),
        (lambda *_: [1, 2], "one number"),
        (lambda *given: round(quality(*given), 2), "but for rounding"),
    ],
    "06-B": [
        (lambda s, x: (smuggle(s, x)[0], *np.round(smuggle(s, x)[1:], 3)), "but for rounding"),
        (lambda s, x: (mixed_up(x), modularity(s, x), modularity(s, x)), "recompute"),
        (smuggled(lambda labels: labels.max() - labels), "other names"),
        (smuggled(lambda labels: np.minimum(labels, 1)), "table of sizes"),
        (smuggled(two_swapped), "hardly"),
        (lambda s, x: (smuggle(s, x)[0], 0.9, smuggle(s, x)[2]), "compute it first"),
        (lambda s, x: (*smuggle(s, x)[:2], 0.1), "not the modularity"),
        (lambda s, x: (smuggle(s, x)[0], *smuggle(s, x)[:0:-1]), "exchanged"),
        (lambda _, labels: labels, "three things"),
        (lambda social, labels: (*smuggle(social, labels)[:2], "0.1"), "wants a number"),
        (lambda _, labels: (labels[:3], 0.1, 0.1), "rows"),
    ],
    "06-D": [
        (lambda social: communities(social, runs=3, resolution=3, rng=1), "noise grows"),
        (lambda social: communities(social, runs=3, rng=0), "there was"),
        (lambda social: np.zeros(social.shape[0], dtype=int), "nobody's taste"),
        (lambda social: np.arange(social.shape[0]) % 2, "alike"),
        (lambda _: [0, 1], "rows"),
        (np.zeros(3), "wants a function"),
    ],
    "06-O": [
        (FIVE | {"scale": laplace}, "Unchanged? A rating of 5 weighs 5"),
        (FIVE | {"scale": times(4)}, "absent counts 0"),
        (PLAN | {"scale": times(2**0.5)}, "standard deviation"),
        (PLAN | {"scale": times(lambda size, _: size)}, "larger cluster needs less"),
        (PLAN | {"scale": times(lambda _, epsilon: epsilon**2)}, "smaller ε means more"),
        (PLAN | {"scale": times(5)}, "more noise than it takes"),
        (PLAN | {"scale": times(0.1)}, "Too little noise"),
        (PLAN | {"highest": 0}, "without any weight"),
        (PLAN | {"why": "As before."}, "whole argument"),
        ({"scale": laplace}, "a dict with highest"),
    ],
}

SECRETS = {"06-R": "averaging", "06-C": "0.5"}
