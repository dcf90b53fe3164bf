"""The Sybil attack on social recommendations: fake friends whose lists are a victim's likes.

Jorgensen and Yu 2014 (doi 10.5441/002/edbt.2014.51), Section 3. First the fake users, then how much
of the victim's preferences their lists give away, then the game about one preference edge.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from pplab.checks import (
    as_array,
    as_rng,
    check_alpha,
    check_choice,
    check_epsilon,
    check_integer,
    check_partition,
    shown,
)
from pplab.graphs import GraphLike, as_social, as_social_and_preferences, rows_of_entries
from pplab.intervals import binomial_lower, binomial_upper
from pplab.recommenders.clusters import indicator
from pplab.recommenders.recommend import recommend
from pplab.recommenders.similarity import MEASURES, similarity_times
from pplab.recommenders.utilities import utility_sensitivity

# Steps from the victim at which an observer is still similar, and nobody behind the victim is.
_THROUGH = ("auto", "friend", "victim")


@dataclass(frozen=True)
class SybilAttack:
    """Graphs with fake users in them, and who looks at whom.

    Attributes
    ----------
    social : csr_array of int8, shape (users + fakes, users + fakes)
        The fakes have the last numbers.
    preferences : csr_array, shape (users + fakes, items)
        The fakes like nothing.
    measure : str
        Similarity that the attack was built for.
    victims, observers : int64 array, shape (victims,)
        Each victim, and the fake user whose list the attacker reads.
    how : tuple of str
        Per victim "friend" (a friend who knows nobody else takes a fake friend) or "victim" (the
        victim does).
    fakes : int64 array
        Fake users per victim.
    similar : csr_array of float64, shape (victims, users)
        Similarity of each observer to the users who are real.
    applies : bool array, shape (victims,)
        Whether the observer is similar to the victim and to no other real user with preferences:
        all that the exact recommender shows it with positive utility is then the victim's. That
        may be nothing, if the victim prefers nothing.

    Examples
    --------
    >>> attack = sybil_attack([[0, 1], [1, 0]], [[1, 0], [0, 1]], 1, measure="cn")
    >>> attack.observer, attack.how, attack.applies  # user 0 knows only the victim, user 1
    (2, ('friend',), array([ True]))
    """

    social: sparse.csr_array
    preferences: sparse.csr_array
    measure: str
    victims: np.ndarray
    observers: np.ndarray
    how: tuple[str, ...]
    fakes: np.ndarray
    similar: sparse.csr_array
    applies: np.ndarray

    @property
    def observer(self) -> int:
        """The fake user who looks, where there is one victim; the first of them elsewhere."""
        return int(self.observers[0])


def sybil_attack(
    social: GraphLike,
    preferences: GraphLike,
    victim: Any,
    *,
    measure: str,
    through: str = "auto",
    chain: int | None = None,
) -> SybilAttack:
    """Add fake users, the last of whom is similar to the victim and to no other real user.

    A measure of common neighbours ("cn", "aa", "jaccard", "resource-allocation") reaches two
    steps, and only those two steps away: a fake friend of somebody who knows the victim alone is
    enough. "gd" and "katz" reach everybody within 2 and 3 steps: the friend would be read too, so
    a chain of 2 and 3 fakes hangs on the victim, and the last one looks.

    Parameters
    ----------
    social : adjacency, shape (users, users)
        Undirected, unweighted, without self-loops.
    preferences : biadjacency, shape (users, items)
        Weights in [0, 1].
    victim : int or list of int
        Row numbers. Attacks on several victims stand side by side in one graph and do not disturb
        each other: no observer reaches beyond its own victim.
    measure : {"cn", "gd", "aa", "katz", "jaccard", "resource-allocation", "sorensen"}
    through : {"auto", "friend", "victim"}
        Who takes the first fake as a friend. "auto": with common neighbours a friend who knows
        nobody else, if there is one; the victim otherwise.
    chain : int, optional
        Fakes in a row, from 1; by default as many as the measure needs: through the victim its
        steps (2, "katz": 3), through a friend, who stands for the first of them, one fewer (the
        paper's d - 1 and k - 1). Other lengths show why: a shorter chain reads the victim's
        friends, a longer one reads nothing.

    Returns
    -------
    SybilAttack
        ``.social``, ``.preferences``, ``.observer``, ``.applies``, ``.how``.

    Raises
    ------
    TypeError, ValueError
        If a victim is not a user, is named twice, or has no friend who knows nobody else where
        ``through="friend"``.

    References
    ----------
    Jorgensen and Yu 2014, A privacy-preserving framework for personalized, social
    recommendations, EDBT 2014, Section 3 (adversary), doi 10.5441/002/edbt.2014.51.

    Examples
    --------
    >>> path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> likes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    >>> by_friend = sybil_attack(path, likes, 1, measure="katz", through="friend")
    >>> by_friend.similar.toarray()  # user 0 comes before the victim: their likes are seen too
    array([[0.0025  , 0.000125, 0.      ]])
    >>> sybil_attack(path, likes, 1, measure="katz").similar.toarray()
    array([[0.      , 0.000125, 0.      ]])
    """
    graph, liked = as_social_and_preferences(social, preferences)
    lengths = MEASURES[check_choice("measure", measure, MEASURES)].lengths
    check_choice("through", through, _THROUGH)
    if chain is not None:
        check_integer("chain", chain, minimum=1)
    victims = _victims(victim, graph.shape[0])
    friends = lonely_friends(graph)[victims]
    if through == "friend" and (friends < 0).any():
        raise ValueError(
            f"victim must have a friend who knows nobody else, got user {victims[friends < 0][0]} "
            'without one; pass through="victim" and let the victim accept a fake friend'
        )
    direct = through == "victim" or (through == "auto" and 1 in lengths)
    by_friend = (friends >= 0) & (not direct)
    fakes = max(lengths) - by_friend if chain is None else np.full(len(victims), chain)
    doors = np.where(by_friend, friends, victims)
    extended, observers = _with_chains(graph, doors, fakes)
    similar = _similar_to(extended, observers, measure, graph.shape[0])
    return SybilAttack(
        social=extended,
        preferences=_with_empty_rows(liked, int(fakes.sum())),
        measure=measure,
        victims=victims,
        observers=observers,
        how=tuple("friend" if friend else "victim" for friend in by_friend),
        fakes=fakes,
        similar=similar,
        applies=_only_victim(similar, liked, victims),
    )


def lonely_friends(social: GraphLike) -> np.ndarray:
    """Find for each user a friend who knows nobody else, the one of lowest number; -1 for none.

    Parameters
    ----------
    social : adjacency, shape (users, users)

    Returns
    -------
    int64 array, shape (users,)

    Examples
    --------
    >>> lonely_friends([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    array([-1,  0, -1])
    """
    graph = as_social(social)
    lonely = np.flatnonzero(np.diff(graph.indptr) == 1)[::-1]
    found = np.full(graph.shape[0], -1)
    found[graph.indices[graph.indptr[lonely]]] = lonely  # the last one written is the lowest
    return found


def draw_victims(
    social: GraphLike,
    preferences: GraphLike,
    count: int,
    *,
    through: str = "auto",
    rng: int | np.random.Generator | None = None,
) -> np.ndarray:
    """Draw users who have something to read, and a friend who knows nobody else if that is needed.

    Parameters
    ----------
    social : adjacency, shape (users, users)
    preferences : biadjacency, shape (users, items)
    count : int
        How many, at least 1; where fewer fit, all of them come.
    through : {"auto", "friend", "victim"}
        As in ``sybil_attack``; "friend" asks for such a friend.
    rng : int, numpy.random.Generator or None

    Returns
    -------
    int64 array
        Row numbers, ascending.

    Raises
    ------
    TypeError, ValueError
        If nobody fits.

    Examples
    --------
    >>> path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> draw_victims(path, [[1], [1], [0]], 5, through="friend", rng=1)
    array([1])
    """
    graph, liked = as_social_and_preferences(social, preferences)
    wanted = check_integer("count", count, minimum=1)
    fits = _prefer_something(liked)
    if check_choice("through", through, _THROUGH) == "friend":
        fits &= lonely_friends(graph) >= 0
    candidates = np.flatnonzero(fits)
    if not len(candidates):
        raise ValueError(
            f"preferences must leave somebody to attack, got nobody who has one with "
            f"through={through!r}; pass other data or another way"
        )
    drawn = as_rng(rng).choice(candidates, min(wanted, len(candidates)), replace=False)
    return np.sort(drawn)


def _victims(victims: Any, users: int) -> np.ndarray:
    """One victim or a list of them in an int64 array."""
    found = np.atleast_1d(as_array("victim", victims))
    if found.ndim != 1 or not len(found) or found.dtype.kind not in "iu":
        raise TypeError(
            f"victim must be a row number or a list of them, got {shown(victims)}; pass 1, say"
        )
    if not 0 <= found.min() <= found.max() < users:
        raise ValueError(
            f"victim must be a row number from 0 to {users - 1}, got {found.min()} to "
            f"{found.max()}; count the rows of the social graph from 0"
        )
    if len(np.unique(found)) < len(found):
        raise ValueError(
            f"victim must name each user once, got {len(found)} with repeats; drop the repeats"
        )
    return found.astype(np.int64)


def _with_chains(
    graph: sparse.csr_array, doors: np.ndarray, lengths: np.ndarray
) -> tuple[sparse.csr_array, np.ndarray]:
    """Hang a chain of new users on each door; give the graph and the last of each chain."""
    users, total = graph.shape[0], int(lengths.sum())
    lasts = users + np.cumsum(lengths) - 1
    fakes = np.arange(users, users + total)
    inner = fakes - 1
    inner[np.cumsum(lengths) - lengths] = doors  # the first of a chain knows its door
    rows = np.concatenate([rows_of_entries(graph), fakes, inner])
    columns = np.concatenate([graph.indices, inner, fakes])
    ones = np.ones(len(rows), dtype=np.int8)
    extended = sparse.csr_array((ones, (rows, columns)), shape=(users + total, users + total))
    extended.sort_indices()
    return extended, lasts


def _with_empty_rows(liked: sparse.csr_array, rows: int) -> sparse.csr_array:
    indptr = np.append(liked.indptr, np.full(rows, liked.indptr[-1]))
    shape = (liked.shape[0] + rows, liked.shape[1])
    return sparse.csr_array((liked.data, liked.indices, indptr), shape=shape)


def _similar_to(
    extended: sparse.csr_array, observers: np.ndarray, measure: str, users: int
) -> sparse.csr_array:
    real = sparse.eye_array(extended.shape[0], users, format="csr")
    return sparse.csr_array(similarity_times(extended, real, measure=measure, users=observers))


def _only_victim(
    similar: sparse.csr_array, liked: sparse.csr_array, victims: np.ndarray
) -> np.ndarray:
    seen = similar.toarray() > 0
    readable = np.count_nonzero(seen & _prefer_something(liked), axis=1)
    its_own = seen[np.arange(len(victims)), victims]
    mine = its_own & _prefer_something(liked)[victims]
    only: np.ndarray = its_own & (readable == mine)
    return only


def _prefer_something(liked: sparse.csr_array) -> np.ndarray:
    """Whether a user has a preference of positive weight: a stored 0 tells nobody anything."""
    positive: np.ndarray = np.bincount(rows_of_entries(liked), liked.data, liked.shape[0]) > 0
    return positive


@dataclass(frozen=True)
class SybilSuccess:
    """What the attacker reads off the observers' lists, one number per victim.

    Attributes
    ----------
    victims : int64 array, shape (victims,)
    shown : int64 array, shape (victims,)
        Items listed with positive utility: the attacker takes them for the victim's.
    precision : float64 array, shape (victims,)
        Share of the shown items that the victim prefers; NaN where nothing is shown.
    recall : float64 array, shape (victims,)
        Share of the victim's preferences that are shown; NaN for a victim without any.
    reachable : float64 array, shape (victims,)
        The largest recall that a list of this length allows.
    popular : float64 array, shape (victims,)
        Precision of naming the items that most other users prefer, without any attack.

    Examples
    --------
    >>> attack = sybil_attack([[0, 1], [1, 0]], [[1, 1, 0], [0, 1, 1]], 1, measure="cn")
    >>> found = sybil_success(attack, epsilon=float("inf"), method="exact", top_n=3)
    >>> found.shown, found.precision, found.recall
    (array([2]), array([1.]), array([1.]))
    """

    victims: np.ndarray
    shown: np.ndarray
    precision: np.ndarray
    recall: np.ndarray
    reachable: np.ndarray
    popular: np.ndarray

    @property
    def complete(self) -> np.ndarray:
        """Whether everything shown is the victim's and all that the list has room for is shown."""
        return (self.precision == 1) & (self.recall == self.reachable)


def sybil_success(
    attack: SybilAttack,
    *,
    epsilon: float,
    method: str,
    top_n: int,
    clusters: Any = None,
    rng: int | np.random.Generator | None = None,
) -> SybilSuccess:
    """Recommend to the observers and compare what they see with what the victims prefer.

    Parameters
    ----------
    attack : SybilAttack
    epsilon : float
        For one preference edge, in (0, inf].
    method : str
        A method of ``pplab.recommenders.recommend``.
    top_n : int
        Length of the lists.
    clusters : int array, shape (users + fakes,), or function, optional
        For the method "cluster": a partition of ``attack.social``, fakes included, or a function
        that makes one from it, such as ``communities``.
    rng : int, numpy.random.Generator or None
        For the noise of the one release that all observers see.

    Returns
    -------
    SybilSuccess

    Raises
    ------
    TypeError, ValueError
        As ``recommend`` raises them.

    References
    ----------
    Jorgensen and Yu 2014, A privacy-preserving framework for personalized, social
    recommendations, EDBT 2014, Section 3 (adversary), doi 10.5441/002/edbt.2014.51.

    Examples
    --------
    >>> attack = sybil_attack([[0, 1], [1, 0]], [[1, 1, 0], [0, 1, 1]], 1, measure="cn")
    >>> def together(social):
    ...     return np.zeros(social.shape[0], dtype=int)
    >>> sybil_success(attack, epsilon=float("inf"), method="cluster", top_n=2, clusters=together,
    ...               rng=1).precision  # an average is not a person
    array([0.5])
    """
    found = recommend(
        attack.social,
        attack.preferences,
        epsilon=epsilon,
        measure=attack.measure,
        top_n=top_n,
        method=method,
        clusters=_labels_of(clusters, attack),
        users=attack.observers,
        return_utilities=True,
        rng=rng,
    )
    estimates = np.asarray(found.utilities)
    shown = (estimates > 0) | np.isnan(estimates)  # a random list has no utilities
    preferred = (attack.preferences[attack.victims] > 0).toarray()
    right = np.take_along_axis(preferred, found.items, axis=1) & shown
    owned = preferred.sum(axis=1)
    return SybilSuccess(
        victims=attack.victims,
        shown=shown.sum(axis=1),
        precision=_share(right.sum(axis=1), shown.sum(axis=1)),
        recall=_share(right.sum(axis=1), owned),
        reachable=_share(np.minimum(owned, found.items.shape[1]), owned),
        popular=_popular_guess(attack, preferred, found.items.shape[1]),
    )


def _labels_of(clusters: Any | Callable[..., Any], attack: SybilAttack) -> Any:
    """Give a partition as it is, or make it from the social graph that holds the fakes."""
    return clusters(attack.social) if callable(clusters) else clusters


def _popular_guess(attack: SybilAttack, preferred: np.ndarray, top_n: int) -> np.ndarray:
    """Precision of the items most preferred by others; of equal ones, those of lowest number."""
    everybody = (attack.preferences > 0).sum(axis=0)
    hits = [
        row[np.argsort(-(everybody - row), kind="stable")[:top_n]].mean()  # others, not the victim
        for row in preferred.astype(np.int64)
    ]
    return np.array(hits)


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    return np.divide(part, whole, out=np.full(len(whole), np.nan), where=whole > 0)


@dataclass(frozen=True)
class MembershipAdvantage:
    """How well the observer tells whether its victim prefers an item.

    Attributes
    ----------
    true_positives, false_positives : int
        Guesses of "preferred" where the edge is there, and where it is not.
    trials : int
        Runs of each.
    advantage : float
        Rate of the first less rate of the second: 0 for a blind guess, 1 for certainty.
    low, high : float
        Exact interval for the advantage, missed with probability at most alpha.
    bound : float
        ``(e^epsilon - 1)/(e^epsilon + 1)``: what no attack on one edge can exceed.

    Examples
    --------
    >>> MembershipAdvantage(75, 25, 100, 0.5, 0.3, 0.7, math.tanh(0.5)).bound > 0.46
    True
    """

    true_positives: int
    false_positives: int
    trials: int
    advantage: float
    low: float
    high: float
    bound: float


def membership_advantage(
    attack: SybilAttack,
    *,
    epsilon: float,
    method: str,
    trials: int,
    alpha: float,
    clusters: Any = None,
    rng: int | np.random.Generator | None = None,
) -> MembershipAdvantage:
    """Play the game of the definition: all is known but one edge (victim, item), there or not.

    The attacker sees the observer's noisy utility of the item, from which the list is made, and
    takes off what is known. A difference remains if the edge is there, and noise; above half the
    difference the guess is "preferred". The noise is a sum of independent Laplace variables, whose
    density is log-concave and symmetric, so that no other guess from this utility does better.

    Parameters
    ----------
    attack : SybilAttack
        The victim of a run is drawn from its victims.
    epsilon : float
        For one preference edge, in (0, inf].
    method : {"exact", "cluster", "nou", "noe"}
    trials : int
        Runs with the edge and as many without, at least 1.
    alpha : float
        Most that the interval misses the advantage, in (0, 1).
    clusters : int array, shape (users + fakes,), or function, optional
        For the method "cluster", as in ``sybil_success``.
    rng : int, numpy.random.Generator or None

    Returns
    -------
    MembershipAdvantage

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval, or the clusters are no partition of users and fakes.

    References
    ----------
    Jorgensen and Yu 2014, A privacy-preserving framework for personalized, social
    recommendations, EDBT 2014, Definitions 5 and 6, doi 10.5441/002/edbt.2014.51; Kairouz, Oh and
    Viswanath 2015, The composition theorem for differential privacy, PMLR 37 (the trade between
    the two rates, of which the bound is the middle); Clopper and Pearson 1934, doi
    10.1093/biomet/26.4.404.

    Examples
    --------
    >>> attack = sybil_attack([[0, 1], [1, 0]], [[1, 0], [0, 1]], 1, measure="cn")
    >>> found = membership_advantage(
    ...     attack, epsilon=1, method="noe", trials=20_000, alpha=1e-6, rng=1
    ... )
    >>> found.low < 1 - math.exp(-1 / 2) < found.high < found.bound
    True
    """
    check_epsilon(epsilon, allow_infinity=True)
    check_alpha(alpha)
    runs = check_integer("trials", trials, minimum=1)
    check_choice("method", method, ("exact", "cluster", "nou", "noe"))
    if (clusters is not None) != (method == "cluster"):
        got = "none" if clusters is None else "some"
        raise ValueError(
            f"clusters must come with method 'cluster' and with no other, got {got} with "
            f"{method!r}; pass a partition of all users, fakes included, where it is needed"
        )
    weights, shifts = noise_weights(attack, method, _labels_of(clusters, attack))
    scale = 0.0 if method == "exact" else 1 / float(epsilon)
    draws = as_rng(rng)
    right, wrong = (_guesses(weights, shifts, scale, runs, edge, draws) for edge in (1, 0))
    least, most = (
        bound(np.array([right, wrong]), runs, alpha=alpha / 4)
        for bound in (binomial_lower, binomial_upper)
    )
    limit = 1.0 if method == "exact" else math.tanh(epsilon / 2)
    return MembershipAdvantage(
        right,
        wrong,
        runs,
        (right - wrong) / runs,
        low=float(least[0] - most[1]),
        high=float(most[0] - least[1]),
        bound=limit,
    )


def noise_weights(
    attack: SybilAttack, method: str, clusters: Any
) -> tuple[sparse.csr_array, np.ndarray]:
    """What multiplies each independent Laplace variable of scale 1/epsilon, and what the edge adds.

    Returns
    -------
    weights : csr_array, shape (victims, variables)
    shifts : float64 array, shape (victims,)
        Change of the observer's utility of an item when the victim prefers it.
    """
    everybody = sparse.eye_array(attack.social.shape[0], format="csr")
    rows = sparse.csr_array(
        similarity_times(attack.social, everybody, measure=attack.measure, users=attack.observers)
    )
    mine = np.arange(len(attack.victims))
    shifts = rows.toarray()[mine, attack.victims]
    if method == "cluster":
        labels = check_partition(clusters, attack.social.shape[0], name="clusters")
        sums = rows @ indicator(labels)
        shares = sums / np.bincount(labels)
        # the mean of the victim's cluster moves, for all in it whom the observer is similar to
        return sparse.csr_array(shares), shares[mine, labels[attack.victims]]
    if method == "nou":
        sensitivity = utility_sensitivity(attack.social, measure=attack.measure)
        return sparse.csr_array(np.full((len(mine), 1), sensitivity)), shifts
    return rows, shifts


def _guesses(
    weights: sparse.csr_array,
    shifts: np.ndarray,
    scale: float,
    runs: int,
    edge: int,
    rng: np.random.Generator,
) -> int:
    """Count guesses of "preferred"; a victim drawn anew in each run makes the count binomial."""
    counts = rng.multinomial(runs, np.full(len(shifts), 1 / len(shifts)))
    guessed = 0
    for victim in np.flatnonzero(counts):
        row = weights.data[weights.indptr[victim] : weights.indptr[victim + 1]]
        noise = (rng.laplace(size=(counts[victim], len(row))) * row).sum(axis=1) * scale
        above = noise + edge * shifts[victim] > shifts[victim] / 2
        guessed += int(np.count_nonzero(above))
    return guessed
