"""The Sybil attack on social recommendations: fake friends whose lists are a victim's likes.

Jorgensen and Yu 2014 (doi 10.5441/002/edbt.2014.51), Section 3. First the fake users, then how much
of a victim's preferences their lists give away; ``membership.py`` plays the game about one
preference edge.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from pplab import graphs
from pplab.checks import as_array, as_rng, check_choice, check_integer
from pplab.graphs import GraphLike
from pplab.labelled import Labelled, rows_of
from pplab.recommenders.recommend import recommend
from pplab.recommenders.similarity import MEASURES, check_users, similarity_times
from pplab.tables import shares

# Steps from the victim at which an observer is still similar, and nobody behind the victim is.
_THROUGH = ("auto", "friend", "victim")


@dataclass(frozen=True)
class SybilAttack:
    """Graphs with fake users, and which fake user observes which victim.

    Attributes
    ----------
    social : csr_array of int32, shape (users + fakes, users + fakes)
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
    >>> attack.observers, attack.how, attack.applies  # user 0 knows only the victim, user 1
    (array([2]), ('friend',), array([ True]))
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

    A measure of common neighbours (all but "gd" and "katz") reaches two steps, and only those two
    steps away: a fake friend of somebody who knows the victim alone is enough. "gd" and "katz"
    reach everybody within 2 and 3 steps: the friend would be read too, so a chain of 2 and 3 fakes
    hangs on the victim, and the last one looks.

    Parameters
    ----------
    social : adjacency, shape (users, users)
        Undirected, unweighted, without self-loops.
    preferences : biadjacency, shape (users, items)
        Weights in [0, 1].
    victim : int or list of int
        Row numbers, or labels if the graph has any; what comes back is by number. Attacks on
        several victims stand side by side in one graph and do not disturb each other: no observer
        reaches beyond its own victim.
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
        ``.social``, ``.preferences``, ``.observers``, ``.applies``, ``.how``.

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
    social = graphs.with_labels(social, bipartite=False, name="social")
    graph, liked = graphs.as_social_and_preferences(social, preferences)
    if isinstance(social, Labelled):
        listed = victim if isinstance(victim, (list, np.ndarray)) else [victim]
        victim = rows_of(social, listed, name="victim")
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
    extended, observers = _with_chains(graph, np.where(by_friend, friends, victims), fakes)
    preferences = liked.copy()
    preferences.resize(extended.shape[0], liked.shape[1])  # nobody knows what fakes prefer
    real = sparse.eye_array(extended.shape[0], graph.shape[0], format="csr")
    similar = sparse.csr_array(similarity_times(extended, real, measure=measure, users=observers))
    return SybilAttack(
        social=extended,
        preferences=preferences,
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
    graph = graphs.as_social(social)
    lonely = np.flatnonzero(np.diff(graph.indptr) == 1)[::-1]
    friends = np.full(graph.shape[0], -1)
    friends[graph.indices[graph.indptr[lonely]]] = lonely  # the last one written is the lowest
    return friends


def draw_victims(
    social: GraphLike,
    preferences: GraphLike,
    count: int,
    *,
    rng: int | np.random.Generator | None = None,
) -> np.ndarray:
    """Draw users who have something to read.

    Parameters
    ----------
    social : adjacency, shape (users, users)
    preferences : biadjacency, shape (users, items)
    count : int
        How many, at least 1; where fewer fit, all of them come.
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
    >>> draw_victims(path, [[1], [1], [0]], 5, rng=1)
    array([0, 1])
    """
    _, liked = graphs.as_social_and_preferences(social, preferences)
    number = check_integer("count", count, minimum=1)
    candidates = np.flatnonzero(_prefer_something(liked))
    if not len(candidates):
        raise ValueError(
            "preferences must leave somebody to attack, got nobody who has one; pass other data"
        )
    return np.sort(as_rng(rng).choice(candidates, min(number, len(candidates)), replace=False))


def _victims(victims: Any, users: int) -> np.ndarray:
    """One victim or a list of them in an int64 array."""
    rows = check_users(np.atleast_1d(as_array("victim", victims)), users, name="victim")
    if len(np.unique(rows)) < len(rows):
        raise ValueError(
            f"victim must name each user once, got {len(rows)} with repeats; drop the repeats"
        )
    return rows


def _with_chains(
    graph: sparse.csr_array, doors: np.ndarray, lengths: np.ndarray
) -> tuple[sparse.csr_array, np.ndarray]:
    """Hang a chain of new users on each door; give the graph and the last of each chain."""
    users, total = graph.shape[0], int(lengths.sum())
    lasts = users + np.cumsum(lengths) - 1
    fakes = np.arange(users, users + total)
    inner = fakes - 1
    inner[np.cumsum(lengths) - lengths] = doors  # the first of a chain knows its door
    rows = np.concatenate([graphs.rows_of_entries(graph), fakes, inner])
    columns = np.concatenate([graph.indices, inner, fakes])
    ones = np.ones(len(rows), dtype=np.int32)
    return graphs.from_cells(rows, columns, ones, (users + total, users + total)), lasts


def _only_victim(
    similar: sparse.csr_array, liked: sparse.csr_array, victims: np.ndarray
) -> np.ndarray:
    seen, readable = similar.toarray() > 0, _prefer_something(liked)
    its_own = seen[np.arange(len(victims)), victims]
    return np.asarray(its_own & ((seen & readable).sum(axis=1) == readable[victims]))


def _prefer_something(liked: sparse.csr_array) -> np.ndarray:
    """True if a user has a preference of positive weight: a stored 0 tells nobody anything."""
    return np.asarray(np.bincount(graphs.rows_of_entries(liked), liked.data, liked.shape[0]) > 0)


# How much of a victim's preferences the lists of fake users give away.


@dataclass(frozen=True)
class SybilSuccess:
    """Success of an attacker who reads the observers' lists, one number per victim.

    Attributes
    ----------
    shown : int64 array, shape (victims,)
        Items listed with positive utility: the attacker takes them for the victim's.
    precision : float64 array, shape (victims,)
        Share of the shown items that the victim prefers; NaN where nothing is shown.
    recall : float64 array, shape (victims,)
        Share of the victim's preferences that are shown; NaN for a victim without any.
    popular : float64 array, shape (victims,)
        Precision of naming the items that most other users prefer, without any attack.

    Examples
    --------
    >>> from pplab.attacks.sybil import sybil_attack
    >>> attack = sybil_attack([[0, 1], [1, 0]], [[1, 1, 0], [0, 1, 1]], 1, measure="cn")
    >>> success = sybil_success(attack, epsilon=float("inf"), method="exact", top_n=3)
    >>> success.shown, success.precision, success.recall
    (array([2]), array([1.]), array([1.]))
    """

    shown: np.ndarray
    precision: np.ndarray
    recall: np.ndarray
    popular: np.ndarray


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
    clusters : int array, shape (users + fakes,), optional
        For the method "cluster": a partition of ``attack.social``, fakes included.
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
    >>> from pplab.attacks.sybil import sybil_attack
    >>> attack = sybil_attack([[0, 1], [1, 0]], [[1, 1, 0], [0, 1, 1]], 1, measure="cn")
    >>> together = np.zeros(attack.social.shape[0], dtype=int)
    >>> sybil_success(attack, epsilon=float("inf"), method="cluster", top_n=2, clusters=together,
    ...               rng=1).precision  # an average is not a person
    array([0.5])
    """
    lists = recommend(
        attack.social,
        attack.preferences,
        epsilon=epsilon,
        measure=attack.measure,
        top_n=top_n,
        method=method,
        clusters=clusters,
        users=attack.observers,
        return_utilities=True,
        rng=rng,
    )
    estimates = np.asarray(lists.utilities)
    shown = (estimates > 0) | np.isnan(estimates)  # a random list has no utilities
    preferred = (attack.preferences[attack.victims] > 0).toarray()
    right = np.take_along_axis(preferred, lists.items, axis=1) & shown
    return SybilSuccess(
        shown=shown.sum(axis=1),
        precision=shares(right.sum(axis=1), shown.sum(axis=1)),
        recall=shares(right.sum(axis=1), preferred.sum(axis=1)),
        popular=_popular_guess(attack, preferred, lists.items.shape[1]),
    )


def _popular_guess(attack: SybilAttack, preferred: np.ndarray, top_n: int) -> np.ndarray:
    """Precision of the items most preferred by others; of equal ones, those of lowest number."""
    everybody = (attack.preferences > 0).sum(axis=0)
    hits = [
        row[np.argsort(-(everybody - row), kind="stable")[:top_n]].mean()  # others, not the victim
        for row in preferred.astype(np.int64)
    ]
    return np.array(hits)
