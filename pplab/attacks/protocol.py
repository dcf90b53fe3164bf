"""One protocol for all families: what is released, what an attacker asks, how far it beats a guess.

A fair coin decides whether one like of each person is in the data. An attacker answers with the
probability that it says yes; the prior alone is right half of the time, whatever else it knows.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import expm1, isinf
from typing import Any

import numpy as np
from scipy import sparse, special

from pplab.checks import as_rng
from pplab.microaggregation.microaggregate import microaggregate
from pplab.recommenders.clusters import cluster_averages
from pplab.response.levels import epsilon_to_flip
from pplab.response.noise_graph import bipartite_noise_graph
from pplab.smooth.anonymize import smooth_k_anonymize


@dataclass(frozen=True, eq=False)
class Release:
    """A published table of users and items, with what an attacker may know of its making.

    Attributes
    ----------
    table : array, shape (users, items)
        What is published for each user: 0 and 1, or means.
    means : bool
        Whether it holds means (of a group), not a graph.
    labels : int array or None
        Group of each user; None where every cell is published for itself.
    """

    table: np.ndarray
    means: bool = False
    labels: np.ndarray | None = None


@dataclass(frozen=True)
class Family:
    """A way to publish a table of True and False, and what its strength guarantees.

    Attributes
    ----------
    publish : callable
        One release, of data, strength, public clusters of the users, and a generator.
    has_epsilon : bool
        Whether the strength is epsilon for one like; else it is the k of groups of rows.
    """

    publish: Callable[[np.ndarray, float, Any, np.random.Generator], Release]
    has_epsilon: bool = False


def _flips(data: np.ndarray, epsilon: float, _: Any, rng: np.random.Generator) -> Release:
    flip = float(epsilon_to_flip(epsilon))
    graph = bipartite_noise_graph(sparse.csr_array(data), flip_probability=flip, rng=rng)
    return Release(graph.toarray())


def _averages(data: np.ndarray, epsilon: float, clusters: Any, rng: np.random.Generator) -> Release:
    means = cluster_averages(sparse.csr_array(data), clusters, epsilon=epsilon, rng=rng)
    return Release(means[clusters], means=True, labels=clusters)


def _votes(data: np.ndarray, k: float, _: Any, rng: np.random.Generator) -> Release:
    votes = smooth_k_anonymize(sparse.csr_array(data.astype(np.int8)), int(k), rng=rng)
    return Release(votes.biadjacency.toarray(), labels=votes.labels)


def _means(data: np.ndarray, k: float, *_: Any) -> Release:
    groups = microaggregate(data.astype(float), int(k), rating_range=(0, 1))
    return Release(groups.protected, means=True, labels=groups.labels)


NOISE, CLUSTERS = "noise graph", "cluster averages"
SMOOTH, MEANS = "smooth k-anonymity", "microaggregation"
FAMILIES = {
    NOISE: Family(_flips, has_epsilon=True),
    CLUSTERS: Family(_averages, has_epsilon=True),
    SMOOTH: Family(_votes),
    MEANS: Family(_means),
}


@dataclass(frozen=True, eq=False)
class Cells:
    """One cell for each attacked person."""

    users: np.ndarray
    items: np.ndarray

    def of(self, table: np.ndarray) -> np.ndarray:
        """Values of the cells asked about."""
        return table[self.users, self.items].astype(float)


@dataclass(frozen=True, eq=False)
class Question(Cells):
    """The cells asked about, and the coin: whether each like is in the data."""

    coin: np.ndarray


def advantage(answers: np.ndarray, coin: np.ndarray) -> float:
    """Rate of yes with the like minus rate of yes without: 0 for the prior, at most 1.

    Examples
    --------
    >>> advantage(np.array([1.0, 0.5, 0.0]), np.array([True, False, False]))
    0.75
    """
    has = np.asarray(coin, dtype=bool)
    return float(np.mean(answers[has]) - np.mean(answers[~has]))


def advantage_limit(epsilon: float) -> float:
    """Largest advantage on one cell that a coin decides: (e^epsilon - 1) / (e^epsilon + 1).

    The coin is independent of all other cells, so the two cases are neighbouring tables.

    Examples
    --------
    >>> round(advantage_limit(1.0), 3)
    0.462
    """
    return 1.0 if isinf(epsilon) or epsilon > 700 else expm1(epsilon) / (expm1(epsilon) + 2)


def over_runs(values: Sequence[float] | np.ndarray) -> tuple[float, float]:
    """95 % interval of the mean over independent runs, by Student's t; one run has no width."""
    if len(values) < 2:
        return values[0], values[0]
    half = special.stdtrit(len(values) - 1, 0.975) * np.std(values, ddof=1) / len(values) ** 0.5
    return float(np.mean(values) - half), float(np.mean(values) + half)


def above(values: np.ndarray, threshold: float) -> np.ndarray:
    """Yes above a threshold, no below it, a coin on it."""
    return np.where(values == threshold, 0.5, values > threshold)


def ask_outsider(release: Release, asked: Cells) -> np.ndarray:
    """Knows the release alone: yes to an edge, or to a mean above the median of those asked."""
    values = asked.of(release.table)
    return above(values, float(np.median(values)) if release.means else 0.5)


def ask_insiders(release: Release, data: np.ndarray, asked: Question) -> np.ndarray:
    """Knows the groups and the rows of all other members of the person's group.

    Parameters
    ----------
    release : Release
    data : array, shape (users, items)
        The rows behind the release; those of the asked persons are not looked at.
    asked : Question

    Returns
    -------
    float array
        Probability that the attacker says yes.

    Examples
    --------
    >>> data = np.array([[1, 0], [1, 1]])
    >>> mean = Release(np.array([[1.0, 0.5]] * 2), means=True, labels=np.array([0, 0]))
    >>> ask_insiders(mean, data, Question(np.array([0]), np.array([1]), np.array([False])))
    array([0.])
    """
    if release.labels is None or not release.means:
        # a vote that hangs on the person is the person's own, any other the best guess: one answer
        return ask_outsider(release, asked)
    size, others = _others(release.labels, data, asked)
    return above(asked.of(release.table) * size - others, 0.5)


def ask_twice(before: Release, after: Release, asked: Question) -> np.ndarray:
    """Two releases, a month apart: did the like arrive between them?

    Where cells are published one by one the second says it all: the first holds nothing of it.
    """
    if after.labels is None:
        return ask_outsider(after, asked)
    change = asked.of(after.table) - asked.of(before.table)
    if after.means:
        return above(change, float(np.median(change)))
    return np.where(change == 0, ask_outsider(after, asked), change > 0)


def ask_fake_friends(
    release: Release, data: np.ndarray, fakes: np.ndarray, asked: Question
) -> np.ndarray:
    """Has accounts of its own among the users (``fakes``: true for such rows).

    In a group of the person and fakes alone it knows all other rows; else it knows those of the
    fakes, and takes what is left per real member against the median of those asked.
    """
    if release.labels is None:
        return ask_outsider(release, asked)
    fake_rows = np.where(fakes[:, None], data, 0)
    size, others = _others(release.labels, fake_rows, asked)
    real = np.bincount(release.labels, weights=~fakes)[release.labels[asked.users]]
    values = asked.of(release.table)
    if not release.means:
        return np.where(real == 1, ask_insiders(release, fake_rows, asked), above(values, 0.5))
    left = (values * size - others) / real
    guess = above(left, float(np.median(left[real > 1]))) if (real > 1).any() else left
    return np.where(real == 1, above(left, 0.5), guess)


def link_success(
    release: Release, likes: np.ndarray, targets: Any, *, known: int, rng: Any = None
) -> np.ndarray:
    """Probability that the right row is named from this many known likes of each target.

    The attacker ranks the published rows by the sum of the logarithms of their values at the known
    items, at least 1/100 each, and names one of the best at random.

    Examples
    --------
    >>> table = np.eye(3)
    >>> link_success(Release(table), table, [0, 2], known=1, rng=1)
    array([1., 1.])
    """
    generator, scores = as_rng(rng), np.log(np.clip(release.table, 0.01, 1.0))
    chances = []
    for target in targets:
        items = generator.permutation(np.flatnonzero(likes[target]))[:known]
        fit = scores[:, items].sum(axis=1)
        best = fit >= fit.max() - 1e-9
        chances.append(best[target] / best.sum())
    return np.array(chances)


def _others(
    labels: np.ndarray, data: np.ndarray, question: Question
) -> tuple[np.ndarray, np.ndarray]:
    """Size of each asked person's group, and how many of its other members have the item."""
    groups = labels[question.users]
    size = np.bincount(labels)[groups]
    counts = np.zeros((labels.max() + 1, data.shape[1]))
    np.add.at(counts, labels, data)
    return size, counts[groups, question.items] - question.of(data)
