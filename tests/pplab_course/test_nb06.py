"""Notebook 06: hidden lists, labels and a town that tell mistakes apart."""

from fractions import Fraction

import numpy as np

from pplab.recommenders.communities import communities, modularity


def printed(count):
    return 1 / np.maximum(1, np.log2(np.arange(1, count + 1)) + 1)


def ratio(weights, ideal):
    """An NDCG with these weights and this idea of the ideal list."""

    def quality(utilities, ranked):
        best = ideal(utilities, ranked)[: len(ranked)]
        below = best @ weights(len(best))
        return float(utilities[ranked] @ weights(len(ranked)) / below) if below > 0 else np.nan

    return quality


def best_of_all(utilities, _):
    return np.sort(utilities)[::-1]


quality = ratio(printed, best_of_all)


def mixed_up(labels):
    return np.random.default_rng(7).permutation(labels)


def smuggled(mix):
    def audit(social, labels):
        mixed = mix(labels)
        return mixed, modularity(social, labels), modularity(social, mixed)

    return audit


def two_swapped(labels):
    other = labels.copy()
    two = int(np.flatnonzero(labels != labels[0])[0])
    other[[0, two]] = labels[[two, 0]]
    return other


smuggle = smuggled(mixed_up)


def larger(social):
    labels = communities(social, runs=3, resolution=0.25, rng=1)
    social.data[:] = 0  # a student may change what it is given
    return labels


def averages(highest, factor=1, *, of=len, seeded=True, items=3, law="laplace"):
    """A release, its noise times a number or a function of size and level; `of` counts people."""

    def made(ratings, labels, epsilon, seed):
        rng, rows = np.random.default_rng(seed if seeded else 0), []
        for cluster in np.unique(labels):
            weights = ratings[labels == cluster] * highest / 5
            scale = highest / (len(weights) * epsilon)
            scale *= factor(len(weights), epsilon) if callable(factor) else factor
            noise = getattr(rng, law)(scale=scale, size=items)
            rows.append(weights.sum(axis=0) / of(weights) + noise)
        ratings[:] = 0  # a student may change what it is given
        return np.array(rows)

    return made


def raters(weights):
    return np.maximum((weights > 0).sum(axis=0), 1)


WHY = "One edge moves one average by 1/|c| at most; I would compare NDCG@50 with one list for all."
PLAN = {"highest": 1, "averages": averages(1), "why": WHY}
FIVE = PLAN | {"highest": 5, "averages": averages(5)}

RIGHT = {
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
    "06-O": [
        PLAN,
        FIVE,
        PLAN | {"highest": Fraction(2), "averages": lambda *given: averages(2)(*given).tolist()},
    ],
}

WRONG = {
    "06-R": ["nothing", "noise", "taste"],
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
        (smuggled(lambda labels: labels.max() - labels), "renaming clusters breaks nothing"),
        (smuggled(lambda labels: np.minimum(labels, 1)), "table of sizes"),
        (smuggled(two_swapped), "hardly"),
        (lambda s, x: (smuggle(s, x)[0], 0.9, smuggle(s, x)[2]), "compute it first"),
        (lambda s, x: (*smuggle(s, x)[:2], 0.1), "not the modularity"),
        (lambda s, x: (smuggle(s, x)[0], *smuggle(s, x)[:0:-1]), "exchanged"),
        (lambda _, labels: labels, "three things"),
        (lambda social, labels: (*smuggle(social, labels)[:2], "0.1"), "takes a number"),
        (lambda _, labels: (labels[:3], 0.1, 0.1), "rows"),
    ],
    "06-D": [
        (lambda social: communities(social, runs=3, resolution=3, rng=1), "noise grows"),
        (lambda social: communities(social, runs=3, rng=0), "the original partition"),
        (lambda social: np.zeros(social.shape[0], dtype=int), "nobody's taste"),
        (lambda social: np.arange(social.shape[0]) % 2, "alike"),
        (lambda _: [0, 1], "rows"),
        (np.zeros(3), "takes a function"),
    ],
    "06-O": [
        (FIVE | {"averages": averages(5, 0.2)}, "Unchanged? A rating of 5 weighs 5"),
        (FIVE | {"averages": averages(5, 0.8)}, "absent counts 0"),
        (PLAN | {"averages": averages(1, lambda size, _: size)}, "larger cluster needs less"),
        (PLAN | {"averages": averages(1, lambda _, epsilon: epsilon**2)}, "smaller ε means more"),
        (PLAN | {"averages": averages(1, 2**0.5)}, "more noise than it takes"),
        (PLAN | {"averages": averages(1, 2)}, "more noise than it takes"),
        (PLAN | {"averages": averages(1, 0.5)}, "Too little noise"),
        (PLAN | {"averages": averages(1, of=raters)}, "over those who rated"),
        (PLAN | {"averages": averages(5)}, "rescale first"),
        (PLAN | {"averages": averages(0.7)}, "not the averages of the weights"),
        (PLAN | {"averages": averages(1, seeded=False)}, "fresh noise"),
        (PLAN | {"averages": lambda *_: np.zeros((3, 3))}, "fresh noise"),
        (PLAN | {"averages": averages(1, items=1)}, "differences of averages are exact"),
        (PLAN | {"averages": averages(1, law="normal")}, "not Laplace noise"),
        (PLAN | {"averages": lambda *given: averages(1)(*given)[:2]}, "got shape (2, 3)"),
        (PLAN | {"averages": lambda *_: "many"}, "gives an array back"),
        (PLAN | {"highest": 0}, "without any weight"),
        (PLAN | {"why": "As before."}, "whole argument"),
        ({"averages": averages(1)}, "a dict with highest"),
    ],
}

SECRETS = {"06-R": "averaging", "06-C": "0.5"}
