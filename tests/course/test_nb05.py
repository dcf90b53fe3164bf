"""Notebook 05: hidden lists, labels and a town that tell mistakes apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from pplab.recommenders.communities import communities, modularity
from tests.course.examples import complaints

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


ESSAY = (
    "Divide by 5, so weights lie in [0, 1]; one edge then moves the average of a cluster by at "
    "most 1/|c|, so Laplace noise of scale 1/(|c| eps) is enough, as before."
)

RIGHT: list[tuple[str, Any]] = [
    ("05-R", "averaging"),
    ("05-C", 0.5),
    ("05-P", quality),
    ("05-B", smuggle),
    ("05-B", lambda social, labels: list(smuggle(social, labels))),
    ("05-D", larger),
    ("05-D", larger),
    ("05-O", ESSAY),
]

WRONG: list[tuple[str, Any, str]] = [
    ("05-R", "nothing", "not persons"),
    ("05-R", "noise", "no noise"),
    ("05-R", "taste", "non-private lists"),
    ("05-C", 1 / np.log2(3), "outside the logarithm"),
    ("05-C", 2, "one over it"),
    ("05-C", 1, "rank 1"),
    ("05-C", 1 / (np.log(2) + 1), "natural logarithm"),
    ("05-P", ratio(lambda n: 1 / np.log2(np.arange(2, n + 2)), best_of_all), "outside the log"),
    ("05-P", ratio(np.ones, best_of_all), "count the same"),
    ("05-P", ratio(printed, lambda own, ranked: np.sort(own[ranked])[::-1]), "any item there is"),
    ("05-P", ratio(printed, lambda own, _: own), "rank it by the utilities"),
    ("05-P", lambda own, ranked: float(own[ranked] @ printed(len(ranked))), "divide it"),
    ("05-P", lambda *given: float(np.nan_to_num(quality(*given))), "0/0"),
    ("05-P", lambda *given: quality(*given) or float("nan"), "NaN is for those"),
    ("05-P", lambda *given: -quality(*given), "below 0"),
    ("05-P", lambda *given: 1.5 * quality(*given), "same utilities"),
    ("05-B", lambda s, x: (mixed_up(x), modularity(s, x), modularity(s, x)), "recompute"),
    ("05-B", smuggled(lambda labels: labels.max() - labels), "other names"),
    ("05-B", smuggled(lambda labels: np.minimum(labels, 1)), "sizes"),
    ("05-B", smuggled(two_swapped), "hardly"),
    ("05-B", lambda s, x: (smuggle(s, x)[0], 0.9, smuggle(s, x)[2]), "as they came"),
    ("05-B", lambda s, x: (*smuggle(s, x)[:2], 0.1), "not the modularity"),
    ("05-D", lambda social: communities(social, runs=3, resolution=3, rng=1), "noise grows"),
    ("05-D", lambda social: communities(social, runs=3, rng=0), "there was"),
    ("05-D", lambda social: np.zeros(social.shape[0], dtype=int), "nobody's taste"),
    ("05-D", lambda social: np.arange(social.shape[0]) % 2, "alike"),
    ("05-O", "It stays unchanged, the noise is as it was.", "what can one edge move"),
    ("05-O", "I would take the mean of the ratings.", "sensitivity"),
    ("05-O", "The average moves by more.", "formula"),
    ("05-O", "One edge moves the average by 5/|c|.", "which scale"),
    ("05-O", "It moves by 5/|c|, so more noise.", "whole argument"),
    ("05-P", lambda *_: [1, 2], "one number"),
    ("05-B", lambda _, labels: labels, "three things"),
    ("05-B", lambda social, labels: (*smuggle(social, labels)[:2], "0.1"), "wants a number"),
    ("05-B", lambda _, labels: (labels[:3], 0.1, 0.1), "rows"),
    ("05-D", lambda _: [0, 1], "rows"),
    ("05-D", np.zeros(3), "wants a function"),
]

SECRETS = [("05-R", "averaging"), ("05-C", "0.5"), ("05-C", "1/2")]


def test_answers_are_judged() -> None:
    assert complaints("05", RIGHT, WRONG, SECRETS) == []
