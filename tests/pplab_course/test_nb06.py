"""Notebook 06: hidden lists, labels and a town that tell mistakes apart."""

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
