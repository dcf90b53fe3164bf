"""Exercises of notebook 05: what is public, noise on averages, sensitivity, fakes, partitions."""

import math
import re
from numbers import Integral
from typing import Any

import networkx as nx
import numpy as np

from pplab.checks import shown
from pplab.recommenders.clusters import error_parts
from pplab.recommenders.communities import modularity
from pplab.recommenders.utilities import utilities
from pplab_course.answers import Refusal, as_labels, call, different_words, fields, number, pairs
from pplab_course.exercises import close, enter, exactly, hidden, right

# The nine people of the notebook, with the fakes, and what they liked last year.

FRIENDS = [(0, 1), (1, 2), (1, 3), (2, 3), (2, 4), (3, 5), (4, 5), (5, 6), (6, 7), (7, 8), (6, 8)]
_THEMES = ("cooking", "debt", "football", "history", "insomnia", "jazz", "poker", "yoga")
_LAST_YEAR = ("dj", "dij", "ch", "chi", "fpy", "chy", "py", "py", "fpy", "")


def circle(extra: list[tuple[int, int]], *, users: int = 10) -> np.ndarray:
    """Friendships of the nine people with the added pairs, as a 0/1 array."""
    social = np.zeros((users, users), dtype=int)
    for one, other in [*FRIENDS, *extra]:
        social[one, other] = social[other, one] = 1
    return social


def last_year() -> np.ndarray:
    """Likes of the ten accounts for the eight podcasts last year, as a 0/1 array."""
    firsts = [theme[0] for theme in _THEMES]
    return np.array([[int(first in liked) for first in firsts] for liked in _LAST_YEAR])


def similarities(social: np.ndarray) -> np.ndarray:
    """Common neighbours of each two users; 0 of a user with itself."""
    table = social @ social
    np.fill_diagonal(table, 0)
    return table


# 05-P: sensitivity, tried on hidden graphs


def _random(users: int, share: float, seed: int) -> np.ndarray:
    upper = np.triu(np.random.default_rng(hidden(seed)).random((users, users)) < share, 1)
    return (upper | upper.T).astype(int)


_PLAIN = (nx.empty_graph(4), nx.star_graph(5), nx.complete_graph(5), nx.cycle_graph(7))
GRAPHS = [nx.to_numpy_array(graph, dtype=int) for graph in _PLAIN]
GRAPHS += [_random(9, 0.25, 4), _random(8, 0.6, 5), circle([(9, 0)])]  # sparse, dense, ours


@enter("05-P")
def _sensitivity(answer: Any) -> str | None:
    """Try a function of a graph; "" when it gives the largest column sum on every one."""
    answers, results = [], []
    for social in GRAPHS:
        answers.append(number(call(answer, social)))
        alike, squared = similarities(social), (social @ social).sum(axis=0)
        moves = alike.sum(axis=0), alike, squared, alike.sum(), social.sum(axis=0)
        results.append([np.max(each) for each in (*moves, np.linalg.norm(alike, axis=0))])
    hints = (
        "You took the largest similarity. One like moves the utilities of all similar users: "
        "add up these moves.",
        "Your sum still has the diagonal: here a user is not similar to itself.",
        "You added up all of S, but one preference belongs to one user, so to one column.",
        "Your number is the largest number of friends; one like moves the friends' friends.",
        "You took the root of a sum of squares; Laplace noise needs the sum of the changes.",
    )
    expected, *wrong = zip(*results, strict=True)
    return exactly(answers, expected, zip(wrong, hints, strict=True))


# 05-B: chains of fakes, and the people in reach of the last one

VICTIM, ACCEPTED, MOST = 5, 9, 20  # the victim accepted the fake 9; accounts 10, 11, ... are yours
_FEWEST = {"gd": 1, "katz": 2}  # d - 1 and l - 1, tested against all shorter and longer chains


@enter("05-B")
def _chains(answer: Any) -> str | None:
    """Judge {"gd": edges, "katz": edges}; "" when each last fake sees the victim alone."""
    form = 'this exercise takes {"gd": edges, "katz": edges}, with pairs of accounts as edges.'
    answers = fields(pairs(answer), _FEWEST, form)
    for measure, fewest in _FEWEST.items():
        edges = _edges(answers[measure])
        watcher = max([ACCEPTED, *map(max, edges)])
        social = circle([(ACCEPTED, VICTIM), *edges], users=watcher + 1)
        likes = np.zeros((watcher + 1, last_year().shape[1]), dtype=int)
        likes[:ACCEPTED] = last_year()[:ACCEPTED]
        seen = utilities(social, likes, measure=measure, users=[watcher]).toarray()[0] > 0
        liked = likes[VICTIM] > 0
        if not seen.any():
            unseen = f"{VICTIM} is out of its reach"
            return f"{measure}: nothing is shown to account {watcher}, since {unseen}."
        if (seen & ~liked).any():
            return (
                f"{measure}: account {watcher} is shown what {VICTIM} does not like: friends of "
                f"{VICTIM} are in reach, too."
            )
        if not (seen == liked).all():
            return f"{measure}: only a part of what {VICTIM} likes is shown."
        if watcher - ACCEPTED > fewest:
            return f"{measure}: your chain works, but has more fakes than needed."
    return ""


def _edges(answer: Any) -> list[tuple[int, int]]:
    """Read pairs of accounts; only fakes can be linked at will."""
    form = "each entry takes a list of pairs of account numbers, such as [(9, 10), (9, 11)], got "
    edges = answer.tolist() if isinstance(answer, np.ndarray) else answer
    if not isinstance(edges, (list, tuple, set)):
        raise Refusal(f"{form}{type(answer).__name__}.")
    fakes = {ACCEPTED}
    for pair in edges:
        kinds = [*map(type, pair)] if isinstance(pair, (list, tuple)) else []
        if len(kinds) != 2 or bool in kinds or not all(issubclass(k, Integral) for k in kinds):
            raise Refusal(f"{form}{shown(pair)} among them.")
        if min(pair) < ACCEPTED:
            raise Refusal(f"{min(pair)} is a person: give only edges between fakes (9, 10, ...).")
        if max(pair) > MOST:
            raise Refusal(f"number your fakes 10, 11, ... without gaps; got {max(pair)}.")
        if pair[0] == pair[1]:
            raise Refusal(f"{pair!r} links an account with itself.")
        fakes |= set(pair)
    if len(fakes) != max(fakes) - ACCEPTED + 1:
        raise Refusal(f"number your fakes 10, 11, ... without gaps; got {sorted(fakes)}.")
    return [(int(one), int(other)) for one, other in edges]


# 05-D: a partition whose bias and noise are small together

LEAST = 0.70217  # bias and noise of the best of all partitions of ten accounts, at ε = 3/2
_FITTED = [0, 1, 1, 1, 1, 1, 0, 0, 0, 1]  # the best of all on the likes of this year, not on past
_MODULAR = np.array([0, 0, 1, 1, 1, 1, 2, 2, 2, 0])  # the largest modularity


@enter("05-D")
def _partition(answer: Any) -> str | None:
    labels, social = as_labels(answer, 10), circle([(9, 0)])
    parts = error_parts(social, last_year(), labels, measure="cn", epsilon=3 / 2)
    bias, noise = ((part**2).mean() for part in (parts.approximation_rms, parts.perturbation))
    if bias + noise <= 1.05 * LEAST:
        return ""
    if modularity(social, labels) >= modularity(social, _MODULAR) - 1e-9:
        return "That partition has the largest modularity, which does not depend on ε = 3/2."
    if np.array_equal(np.equal.outer(labels, labels), np.equal.outer(_FITTED, _FITTED)):
        return "Your clusters fit this year's likes, which are private: pass `past` to `errors`."
    more = "The noise dominates: try fewer clusters, or move one account."
    if bias > noise:
        more = "The bias dominates: who is averaged with people unlike them?"
    return f"Bias² {bias:.2f} plus noise {noise:.2f} exceeds the smallest sum by over 5 %. {more}"


# 05-O: a promise to a whole user

_FORM = ("preferences", "epsilon", "each", "odds", "noise", "why")
_WORDS, _CLUSTER = 15, 115


@enter("05-O")
def _user_level(answer: Any) -> str | None:
    """Judge the arithmetic of the dict; whether such odds are accepted is left to the rubric."""
    answers = fields(pairs(answer), _FORM, f"this exercise takes a dict with {', '.join(_FORM)}.")
    count, user, share, odds, noise = (number(answers[name]) for name in _FORM[:5])
    if count < 1 or count % 1:
        raise Refusal("the number of preferences is a whole number, at least 2.")
    if count == 1:
        return "With one preference this is the notebook's guarantee: choose more preferences."
    if user <= 0 or share <= 0:
        return "Give an ε above 0: at 0 a release may depend on nothing, and below 0 none exists."
    if user > 700:
        return "Odds of e^700 protect nobody."
    if close(share, user):
        return "You gave one preference the ε of all of them, but a user costs the sum."
    if close(share, user * count):
        return "You multiplied: each preference gets a part of the user's ε, not a multiple."
    if right(share, user / count) is None:
        return f"{count:g} preferences at ε = {share:.3g} each do not add up to ε = {user:.3g}."
    if right(odds, math.exp(user)) is None:
        return "Give the odds for the whole user: e^ε with the ε of all preferences together."
    scale = count / (_CLUSTER * user)
    if close(noise, scale):
        return "Your number is the scale of the noise; its standard deviation is √2 times as much."
    if close(noise, math.sqrt(2) * scale / count):
        return "Your noise is for the user's ε, but noise is drawn at the ε of each preference."
    if right(noise, math.sqrt(2) * scale) is None:
        return f"How far does one preference move an average of {_CLUSTER} people, and at what ε?"
    if different_words(answers["why"]) < _WORDS:
        return (
            "The numbers agree. Now give the whole argument, in two or three sentences: at least "
            f"{_WORDS} different words."
        )
    if not re.search("odds|accept", answers["why"], re.IGNORECASE):
        return "The numbers agree. Say in the argument whether you would accept these odds."
    return ""
