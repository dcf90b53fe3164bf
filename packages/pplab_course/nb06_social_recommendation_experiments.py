"""Exercises of notebook 06: loss without noise, NDCG, labels out of step, newcomers."""

from functools import cache
from typing import Any

import networkx as nx
import numpy as np
from scipy import sparse

from pplab.metrics.ranking import ndcg
from pplab.recommenders.clusters import cluster_averages, cluster_top_items, indicator
from pplab.recommenders.communities import communities, modularity
from pplab.recommenders.similarity import similarity_times
from pplab.recommenders.utilities import utilities
from pplab_course import answers as read
from pplab_course.answers import Refusal, call, number
from pplab_course.exercises import close, enter, exactly, hidden

# 06-P: NDCG, tried on hidden lists with many ties and zeros

SEED, RANDOM = 505, 40
NEAR = 1e-9


def _hidden() -> list[tuple[np.ndarray, np.ndarray]]:
    """Random users with many ties and zeros; the best list, a best list among ties, the worst."""
    rng = np.random.default_rng(hidden(SEED))
    lists = []
    for _ in range(RANDOM):
        size = int(rng.integers(4, 12))
        utilities = rng.choice([0.0, 0.0, 0.5, 1, 1, 2, 3], size=size)
        utilities[rng.integers(size)] = 1.5  # a user without any utility comes below
        lists.append((utilities, rng.permutation(size)[: int(rng.integers(2, size + 1))]))
    tied = np.array([0.0, 2, 2, 1, 2, 0])
    lists += [(tied, np.array([1, 2, 4, 3])), (tied, np.array([4, 1, 2])), (tied, np.array([0, 5]))]
    return lists


LISTS = _hidden()
NOBODY = (np.zeros(5), np.array([3, 1]))  # a user without utility


@enter("06-P")
def _quality(answer: Any) -> str | None:
    """Try a function of (utilities, ranked); "" when it is NDCG on every hidden list."""
    answers = np.array([_value(answer, *row) for row in LISTS])
    expected, *wrong = np.transpose([_qualities(*row) for row in LISTS])
    if np.allclose(answers, expected, rtol=0, atol=NEAR, equal_nan=True):
        if np.isnan(_value(answer, *NOBODY)):
            return ""
        return "Nearly right, but a user whose utilities are all 0 gets a number; 0/0 is NaN here."
    hints = (
        "Rank 2 gets 0.631 with your weights: in equation 2 the 1 is outside the logarithm.",
        "Your ranks all have the same weight; divide by max(1, log2(rank) + 1).",
        "Your number is the DCG of the list alone: divide it by the DCG of the best list.",
        "Your ideal list holds only recommended items, but it may take any item.",
        "Your ideal list is in the order of the item numbers: rank it by the utilities.",
    )
    for slip, hint in zip(wrong, hints, strict=True):
        known = ~np.isnan(slip)  # elsewhere such a function may give anything
        if np.allclose(answers[known], slip[known], rtol=0, atol=NEAR):
            return hint
    if np.isnan(answers).any():
        return "A user who has some utility gets NaN: NaN is only for users who have none."
    if (answers > 1 + NEAR).any():
        return "Some list scores above your ideal list: rank the ideal list by the same utilities."
    if (answers < -NEAR).any():
        return "A list has a score below 0, although no utility is below 0."
    return exactly(answers, expected)


def _qualities(utilities: np.ndarray, ranked: np.ndarray) -> list[float]:
    """NDCG, and what mistakes make of it; NaN where they divide by nothing."""
    count, list_utilities, best = len(ranked), utilities[ranked], np.sort(utilities)[::-1]
    ranks = np.arange(1, count + 1)
    printed = 1 / (np.log2(ranks) + 1)

    def share(weights: np.ndarray, ideal: np.ndarray) -> float:
        below = ideal[:count] @ weights
        return float(list_utilities @ weights / below) if below else np.nan

    return [
        float(ndcg(utilities[None, :], ranked[None, :], top_n=count)[0]),
        share(1 / np.log2(ranks + 1), best),
        share(np.ones(count), best),
        float(list_utilities @ printed),
        share(printed, np.sort(list_utilities)[::-1]),
        share(printed, utilities),
    ]


def _value(answer: Any, utilities: np.ndarray, ranked: np.ndarray) -> float:
    with np.errstate(divide="ignore", invalid="ignore"):  # 0/0 is what the exercise is about
        value = call(answer, utilities, ranked)
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise Refusal(f"give back one number, got {type(value).__name__}.") from error


# 06-B: labels that no longer belong to their users. Does an audit notice?

NEAR_OPTIMUM = 1e-6
SHARE = 0.5  # a smuggled partition has less than this share of the reported modularity


@enter("06-B")
def _audit(answer: Any) -> str | None:
    """Try a function of (social, labels); "" when labels are mixed up and the audit says so."""
    form = "give back three things: the mixed labels, the reported and the recomputed modularity."
    for seed in (1, 2, 3):
        social, labels = circles(hidden(seed))
        mixed, *values = read.parts(call(answer, social, labels), 3, form)
        mixed, (reported, recomputed) = read.as_labels(mixed, len(labels)), map(number, values)
        before = modularity(social, labels)
        if np.array_equal(np.equal.outer(mixed, mixed), np.equal.outer(labels, labels)):
            return (
                "The groups contain the same people as before: renaming clusters breaks nothing. "
                "Move the labels to other users."
            )
        if not np.array_equal(np.sort(np.bincount(mixed)), np.sort(np.bincount(labels))):
            return "The sizes of the clusters changed, so a check of the sizes would notice."
        after = modularity(social, mixed)
        if max(abs(reported - after), abs(recomputed - before)) < NEAR_OPTIMUM:
            return "You exchanged the modularities: the reported modularity comes first."
        if abs(recomputed - before) < NEAR_OPTIMUM:
            return "You kept the reported value: recompute the modularity of the mixed labels on G."
        exactly((reported, recomputed), (before, after))  # which refuses what was only rounded
        if abs(reported - before) > NEAR_OPTIMUM:
            return "The reported modularity is that of the original labels: compute it first."
        if abs(recomputed - after) > NEAR_OPTIMUM:
            return "The third number is not the modularity of your mixed labels on the graph."
        if after > SHARE * before:
            return "Your labels are hardly mixed; shuffle all users."
    return ""


@cache
def circles(seed: int) -> tuple[sparse.csr_array, np.ndarray]:
    """Circles of friends of unequal sizes, few friends between them; numbered at random."""
    rng = np.random.default_rng(seed)
    sizes = [int(size) for size in rng.integers(6, 16, size=5)]
    inside = np.full((5, 5), 0.03) + 0.57 * np.eye(5)
    graph = nx.stochastic_block_model(sizes, inside.tolist(), seed=seed)
    order = rng.permutation(sum(sizes))
    dense = nx.to_numpy_array(graph, dtype=np.int8)[np.ix_(order, order)]
    return sparse.csr_array(dense), np.repeat(np.arange(5), sizes)[order]


# 06-D: a partition that helps newcomers, tried on a made-up town

EPSILON, TOP, FEW, GAIN = 0.2, 10, 3, 0.04
TASTES, CIRCLES, PEOPLE, NEWCOMERS, ITEMS = 4, 6, 12, 60, 160
RELEASES = 10


@enter("06-D")
def _protection(answer: Any) -> str | None:
    """Try a function of the social graph; "" when users with few friends gain by it."""
    social, _ = town()
    labels = read.as_labels(call(answer, social), social.shape[0])
    value, (before, usual) = low_degree_quality(labels), _before()
    if value >= before + GAIN:
        return ""
    hint = f"On a town you have not seen newcomers' NDCG went from {before:.2f} to {value:.2f}, "
    hint += f"but it must rise by {GAIN}. "
    count = int(labels.max()) + 1
    if count == 1:
        return hint + "One cluster needs hardly any noise, but shows nobody's taste."
    if abs(value - before) < GAIN / 2 and count == usual:
        return hint + "Your partition is nearly the original partition."
    if count > usual:
        return hint + "Smaller clusters fit a person better, but their noise grows as 1/|c|."
    return hint + "Larger clusters have less noise, but are people in your clusters still alike?"


@cache
def town() -> tuple[sparse.csr_array, sparse.csr_array]:
    """Friends and preferences of a town whose people are numbered at random.

    There are circles of friends; six circles share a taste; newcomers know two people of a circle.
    """
    rng = np.random.default_rng(0)
    circle = np.repeat(np.arange(TASTES * CIRCLES), PEOPLE)
    known = len(circle)
    circle = np.append(circle, rng.integers(TASTES * CIRCLES, size=NEWCOMERS))
    taste = circle // CIRCLES
    same_circle, same_taste = np.equal.outer(circle, circle), np.equal.outer(taste, taste)
    chances = np.where(same_circle, 0.5, np.where(same_taste, 0.03, 0.002))
    social = np.triu(rng.random(same_circle.shape) < chances, 1)
    social[:, known:] = False
    for newcomer in range(known, len(circle)):
        friends = np.flatnonzero(circle[:known] == circle[newcomer])
        social[rng.choice(friends, size=2, replace=False), newcomer] = True
    of_taste = np.arange(ITEMS) // (ITEMS // TASTES) == taste[:, None]
    likes = rng.random(of_taste.shape) < np.where(of_taste, 0.4, 0.04)
    order = rng.permutation(len(circle))
    friends_of = (social | social.T)[np.ix_(order, order)].astype(np.int8)
    return sparse.csr_array(friends_of), sparse.csr_array(likes[order].astype(float))


def low_degree_quality(labels: np.ndarray) -> float:
    """Mean NDCG@10 at the fixed level of users with few friends, over several releases."""
    social, preferences = town()
    few = np.flatnonzero(np.diff(social.indptr) <= FEW)
    truth = utilities(social, preferences, measure="cn", users=few)
    sums = similarity_times(social, indicator(labels), measure="cn", users=few)
    means = []
    for release in range(RELEASES):
        averages = cluster_averages(preferences, labels, epsilon=EPSILON, rng=release)
        items, _ = cluster_top_items(sums, averages, TOP)
        means.append(float(np.nanmean(ndcg(truth, items, top_n=TOP))))
    return float(np.mean(means))


@cache
def _before() -> tuple[float, int]:
    """Quality that the communities of the town give, and their number."""
    labels = communities(town()[0], runs=3, rng=0)
    return low_degree_quality(labels), int(labels.max()) + 1


# 06-O: preferences with weights


_FORM, _WORDS = ("highest", "averages", "why"), 15
_CLUSTERS = np.repeat([0, 1, 2], [2, 5, 20])
_LEVELS, _RELEASES, _NEAR = np.array([0.5, 2.0]), 400, 0.12


@enter("06-O")
def _weights(answer: Any) -> str | None:
    """Judge the function of {"highest", "averages", "why"}; the argument is left to the rubric."""
    form = f"this exercise takes a dict with {', '.join(_FORM)}."
    answers = read.fields(read.pairs(answer), _FORM, form)
    highest = number(answers["highest"])
    if highest <= 0:
        return "If a rating of 5 has no weight, no rating counts in a list."
    rng = np.random.default_rng(hidden(606))
    ratings = rng.integers(0, 6, (len(_CLUSTERS), 3)) * (rng.random((len(_CLUSTERS), 3)) < 0.4)
    form = (
        "averages must return an array with a row for each of 3 clusters and a column for each item"
    )

    def released(epsilon: float, seed: int) -> np.ndarray:
        made = read.array(call(answers["averages"], ratings, _CLUSTERS, epsilon, seed), f"{form}.")
        if made.shape != (3, 3) or not np.isfinite(made).all():
            raise Refusal(f"{form}: finite numbers; got shape {made.shape}.")
        return made / highest  # a rating of 5 weighs 1

    samples = np.array([[released(level, seed) for seed in range(_RELEASES)] for level in _LEVELS])
    if np.ptp(samples, axis=1).min() == 0:
        return "Every seed gave the same numbers: draw fresh noise from the seed that is given."
    sizes, noise = np.bincount(_CLUSTERS), samples - samples.mean(axis=1, keepdims=True)
    if np.allclose(noise, noise[..., :1]):
        return "All items got the same noise, so differences are exact: draw noise for each item."
    # The mean absolute value of Laplace noise is its scale; times |c| and ε it is 1 where right.
    scales, spread = np.abs(noise).mean(axis=(1, 3)), np.sqrt((noise**2).mean(axis=(1, 3)))
    if not close(float((spread / scales).mean()), 2**0.5, within=0.05):
        return "Your noise is not Laplace noise, for which the ε was proved (do not clip it)."
    moves = scales * sizes * _LEVELS[:, None]
    if np.allclose(moves, _LEVELS[:, None] ** 2, rtol=_NEAR):
        return "You multiplied by ε, but a smaller ε means more noise."
    if hint := _wrong_averages(released(1e9, 1), ratings, highest):
        return hint
    if np.allclose(moves, 1, rtol=_NEAR):
        done = read.different_words(answers["why"]) >= _WORDS
        return "" if done else "The averages are right. Now give the argument in a few sentences."
    for wrong, hint in (
        (sizes, "A larger cluster needs less noise: one of |c| people moves an average by 1/|c|."),
        (0.8, "That hides the rating, but not whether there is one: an absent rating counts as 0."),
        (1 / highest, f"A rating of 5 weighs {highest:g}: how far can one edge move an average?"),
    ):
        if np.allclose(moves, wrong, rtol=0.1):
            return hint
    if (moves > 1).all():
        return "Your averages are private, but have more noise than needed."
    return "Too little noise: one edge moves an average by more." if (moves < 1).all() else None


def _wrong_averages(exact: np.ndarray, ratings: np.ndarray, highest: float) -> str:
    """The hint for averages without noise that are not those of the weights; "" where they are."""
    sums = indicator(_CLUSTERS).T @ ratings / 5
    rated = indicator(_CLUSTERS).T @ (ratings > 0)
    averages = sums / np.bincount(_CLUSTERS)[:, None]
    if np.allclose(exact, averages, atol=1e-6):
        return ""
    if np.allclose(exact, sums / np.maximum(rated, 1), atol=1e-6):
        return "You average over those who rated, so their number is revealed: count absent as 0."
    if np.allclose(exact * highest, averages * 5, atol=1e-6):
        return f"At a large ε a rating of 5 must weigh {highest:g}: rescale first."
    return "At a large ε your results are not the average weights of each cluster."
