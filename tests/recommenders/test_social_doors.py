"""What the doors of the social part refuse, in one sentence each, and how labels are matched."""

import re

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from pplab import graph, table
from pplab.attacks import sybil
from pplab.recommenders.clusters import error_parts
from pplab.recommenders.communities import communities, modularity
from pplab.recommenders.recommend import recommend
from pplab.recommenders.similarity import similarity, similarity_times
from pplab.recommenders.utilities import utilities, utility_sensitivity

USERS, ITEMS = 8, 6
FRIENDS = nx.gnp_random_graph(USERS, 0.5, seed=1)
SOCIAL = nx.to_numpy_array(FRIENDS, dtype=np.int8)
LIKES = (np.random.default_rng(0).random((USERS, ITEMS)) < 0.4).astype(float)
OPTIONS = {key: {} for key in ("exact", "nou", "noe", "lrm", "random")} | {
    "cluster": {"clusters": np.arange(USERS) % 3},
    "gs": {"group_size": 2},
}
CN = {"measure": "cn"}


def lists(method, social=SOCIAL, likes=LIKES, **changes):
    ask = {"epsilon": 1.0, "top_n": 3, "rng": 1, **CN, **OPTIONS.get(method, {}), **changes}
    return recommend(social, likes, method=method, **ask)


def changed(cell, value):
    other = SOCIAL.astype(float)
    other[cell] = value
    return other


WEIGHED = pd.DataFrame({"a": [0, 1], "b": [1, 2], "w": [1, 3]})
BAD_SOCIAL = [
    (changed((0, 1), 1 - SOCIAL[0, 1]), "symmetric"),
    (SOCIAL * 0.5, "without weights"),
    (changed((2, 2), 1), "no self-loops"),
    (nx.DiGraph(FRIENDS), "undirected simple graph"),
    (graph(WEIGHED, source="a", target="b", weight="w", nodes=range(USERS)), "without weights"),
]
LABELS = np.arange(USERS) % 3
WITH_LIKES = {
    "recommend": lambda social, likes: lists("cluster", social, likes),
    "utilities": lambda social, likes: utilities(social, likes, **CN),
    "error_parts": lambda social, likes: error_parts(social, likes, LABELS, epsilon=1, **CN),
    "sybil": lambda social, likes: sybil.sybil_attack(social, likes, 1, **CN),
    "draw_victims": lambda social, likes: sybil.draw_victims(social, likes, 2, rng=1),
}
WITH_SOCIAL = {
    **{name: lambda social, door=door: door(social, LIKES) for name, door in WITH_LIKES.items()},
    "similarity": lambda social: similarity(social, **CN),
    "similarity_times": lambda social: similarity_times(social, LIKES, **CN),
    "sensitivity": lambda social: utility_sensitivity(social, **CN),
    "communities": lambda social: communities(social, runs=1, rng=1),
    "modularity": lambda social: modularity(social, LABELS),
    "lonely_friends": sybil.lonely_friends,
}


def sentence_of(door, *case):
    try:
        door(*case)
    except (ValueError, TypeError) as refusal:
        return str(refusal)
    return "not refused"


def assert_all_refused(doors, cases):
    """All cases at all doors; a case is what a door is called with, and words of the refusal."""
    match = [
        (name, case, sentence)
        for name, door in doors.items()
        for *case, words in cases
        if not re.search(words, sentence := sentence_of(door, *case))
    ]
    assert not match


def test_what_no_door_takes():
    assert_all_refused(WITH_SOCIAL, BAD_SOCIAL)
    likes = [(LIKES * 2, "between 0 and 1"), (LIKES[:-1], "same users|row for each")]
    assert_all_refused(WITH_LIKES, [(SOCIAL, *case) for case in likes])


NAMES = [f"user {letter}" for letter in "abcdefgh"]


def liked_by(*users):
    """Each of them likes an item; the frame is taken from the entries."""
    lines = pd.DataFrame({"user": users, "item": np.arange(len(users)) % ITEMS})
    return table(lines, user="user", item="item")


def test_a_user_in_one_graph_only():
    """How labels are matched is in tests/test_own_data.py."""
    network = nx.relabel_nodes(FRIENDS, dict(enumerate(NAMES)))
    people, likes = graph(network), nx.Graph()
    likes.add_nodes_from([*NAMES, "Zoe"], bipartite=0)
    likes.add_nodes_from(range(ITEMS), bipartite=1)
    likes.add_edges_from((name, 0) for name in [*NAMES, "Zoe"])
    cases = [
        (network, likes, "'Zoe' in preferences only"),
        (people, liked_by(*NAMES[1:]), "'user a' in social only and none in preferences only"),
        (people, liked_by("user x", *NAMES[1:]), "'user a' in social only and 'user x' in pref"),
        (people, LIKES, r"social must carry no labels .* got user 'user a'"),
        (SOCIAL, liked_by(*NAMES), r"preferences must carry no labels .* got user 'user a'"),
    ]
    unframed = {name: door for name, door in WITH_LIKES.items() if name != "recommend"}
    assert_all_refused(unframed, cases)
    assert_all_refused(WITH_LIKES, cases[:1])


def odd_people():
    """Two friends of a third, a pair, one alone; the pair and the one are similar to nobody."""
    social = np.zeros((6, 6), dtype=int)
    for u, v in ((0, 1), (1, 2), (3, 4)):
        social[u, v] = social[v, u] = 1
    likes = np.zeros((6, 40))
    likes[[0, 2, 3, 4, 5], [30, 31, 30, 31, 33]] = 1
    return social, likes


LONELY = [1, 3, 4, 5]  # without a similar user by common neighbours
ODD = {"cluster": {"clusters": [0, 0, 0, 1, 1, 2]}, "gs": {"group_size": 2}}


@pytest.mark.parametrize("method", OPTIONS)
@pytest.mark.parametrize("epsilon", [np.inf, 0.5])
def test_users_without_similar_users_as_documented(method, epsilon):
    social, likes = odd_people()
    result = recommend(
        social, likes, epsilon=epsilon, measure="cn", top_n=5, method=method, rng=2,
        return_utilities=True, **ODD.get(method, {}),
    )  # fmt: skip
    assert result.items.shape == (6, 5)
    assert (np.diff(np.sort(result.items), axis=1) > 0).all()
    first = np.array_equal(result.items[LONELY], np.tile(np.arange(5), (4, 1)))
    unheard = method in ("exact", "cluster", "noe", "lrm")  # noise comes weighed by similarities
    if unheard or (method == "nou" and epsilon == np.inf):
        assert first
        assert not np.any(result.utilities[LONELY])
    elif method == "random" or epsilon < np.inf:
        assert not first
    if method == "exact":
        assert result.items[0].tolist() == [31, 0, 1, 2, 3]
