"""What the doors of the social part refuse, in one sentence each, and how labels are matched."""

import inspect
import re
from functools import partial

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from pplab.attacks import sybil
from pplab.graphs import as_social_and_preferences
from pplab.recommenders.clusters import cluster_averages, error_parts
from pplab.recommenders.communities import communities, modularity
from pplab.recommenders.group_smooth import group_smooth_utilities
from pplab.recommenders.low_rank import decompose, low_rank_utilities
from pplab.recommenders.recommend import recommend
from pplab.recommenders.similarity import similarity, similarity_times
from pplab.recommenders.utilities import utilities, utility_sensitivity

INF, NAN = float("inf"), float("nan")
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


BAD_SOCIAL = [
    (changed((0, 1), 1 - SOCIAL[0, 1]), "symmetric"),
    (SOCIAL * 0.5, "without weights"),
    (changed((2, 2), 1), "no self-loops"),
    (nx.DiGraph(FRIENDS), "undirected simple graph"),
    (nx.Graph([(0, 1, {"weight": 0.5})]), "without weights"),
    (pd.DataFrame({"source": [0, 1], "target": [1, 2], "weight": [1, 3]}), "without weights"),
    (SOCIAL[:5], "square"),
    (np.zeros((0, 0)), "rows and columns"),
]
LABELS = np.arange(USERS) % 3
PARTS = decompose(similarity(SOCIAL, **CN))
ATTACK = sybil.sybil_attack(SOCIAL, LIKES, 1, **CN)
USUAL = {"social": SOCIAL, "likes": LIKES, "labels": LABELS, "epsilon": 1, "users": None} | CN
# What is called with which of these arguments; the others have their usual values.
DOORS = {
    "recommend": lambda social, likes, labels, epsilon, users, measure: lists(
        "cluster", social, likes, epsilon=epsilon, clusters=labels, users=users, measure=measure
    ),
    "similarity": lambda social, measure: similarity(social, measure=measure),
    "dense": lambda social, users, measure: similarity_times(
        social, LIKES, users=users, measure=measure
    ),
    "sparse": lambda social, users, measure: similarity_times(
        social, sparse.csr_array(LIKES), users=users, measure=measure
    ),
    "utilities": lambda social, likes, users, measure: utilities(
        social, likes, users=users, measure=measure
    ),
    "sensitivity": lambda social, measure: utility_sensitivity(social, measure=measure),
    "communities": lambda social: communities(social, runs=1, rng=1),
    "modularity": lambda social, labels: modularity(social, labels),
    "averages": lambda labels, epsilon: cluster_averages(LIKES, labels, epsilon=epsilon),
    "error_parts": lambda social, likes, labels, epsilon, measure: error_parts(
        social, likes, labels, epsilon=epsilon, measure=measure
    ),
    "low rank": lambda likes, epsilon, users: low_rank_utilities(
        PARTS, likes, epsilon=epsilon, users=users
    ),
    "group smooth": lambda likes, epsilon, users: group_smooth_utilities(
        SOCIAL, likes, epsilon=epsilon, group_size=2, users=users
    ),
    "sybil": lambda social, likes, measure: sybil.sybil_attack(social, likes, 1, measure=measure),
    "draw_victims": lambda social, likes: sybil.draw_victims(social, likes, 2, rng=1),
    "lonely_friends": lambda social: sybil.lonely_friends(social),
    "success": lambda epsilon: sybil.sybil_success(ATTACK, epsilon=epsilon, method="noe", top_n=2),
    "membership": lambda epsilon: sybil.membership_advantage(
        ATTACK, epsilon=epsilon, method="noe", trials=9, alpha=0.1
    ),
}


def doors_with(*arguments):
    """Every door that takes these arguments, as a function of their values in one tuple."""

    def door(function, values):
        needed = inspect.signature(function).parameters
        given = USUAL | dict(zip(arguments, values, strict=True))
        return function(**{name: given[name] for name in needed})

    return {
        name: partial(door, function)
        for name, function in DOORS.items()
        if set(arguments) <= set(inspect.signature(function).parameters)
    }


def complaint(door, words):
    """What is wrong with a refusal: it should be ours, in one sentence, and say what came."""
    try:
        door()
    except (ValueError, TypeError) as refusal:
        text = str(refusal)
        sound = re.search(words, text) and "got" in text and "\n" not in text
        return None if sound and "inhomogeneous" not in text else text
    return "not refused"


def assert_all_refused(doors, cases):
    """All cases at all doors; a case is what a door is called with, and words of the refusal."""
    found = [
        (name, case, wrong)
        for name, door in doors.items()
        for case, words in cases
        if (wrong := complaint(lambda door=door, case=case: door(case), words))
    ]
    assert not found


def test_social_graphs_that_are_none():
    assert_all_refused(doors_with("social"), [((social,), words) for social, words in BAD_SOCIAL])


BAD_LIKES = [
    (LIKES * 2, "between 0 and 1"),
    (LIKES[:-1], "same users|row for each"),
]


def test_preferences_levels_users_and_partitions_that_are_none():
    assert_all_refused(doors_with("likes"), [((likes,), words) for likes, words in BAD_LIKES])
    rows = ([USERS], [-1], [], [0.0], [True], "0", 1)
    assert_all_refused(doors_with("users"), [((users,), "users must be") for users in rows])
    partitions = [
        (([0] * (USERS - 1),), "misses no user"),
        (([0, 2] * 4,), "no cluster empty"),
    ]
    assert_all_refused(doors_with("labels"), partitions)


BAD_ARGUMENTS = [
    ({"method": "gs", "clusters": [0] * USERS}, "takes no clusters"),
    ({"method": "cluster", "group_size": 3}, "takes no group_size"),
    ({"method": "cluster", "clusters": None}, "needs clusters"),
    ({"method": "gs", "clusters": None, "group_size": None}, "needs group_size"),
]


def test_arguments_of_every_method():
    doors = {m: lambda change, m=m: lists(**{"method": m, **change}) for m in OPTIONS}
    assert_all_refused(doors, BAD_ARGUMENTS)


def test_noise_that_overflows_is_refused():
    noisy = {m: lambda e, m=m: lists(m, epsilon=e) for m in ("nou", "noe", "cluster", "lrm", "gs")}
    assert_all_refused(noisy, [(1e-200, "epsilon must leave noise .* pass a larger epsilon")])


NAMES = [f"user {letter}" for letter in "hcafbgde"]


def frames(seed):
    """Both graphs as edge lists with names, in any order; everybody has a friend and likes one."""
    rng = np.random.default_rng(seed)
    likes = LIKES.copy()
    likes[np.arange(USERS), np.arange(USERS) % ITEMS] = 1
    ends = np.array(FRIENDS.edges)[rng.permutation(FRIENDS.number_of_edges())]
    friends = pd.DataFrame({"source": ends[:, 0], "target": ends[:, 1]}).map(NAMES.__getitem__)
    rows, columns = np.nonzero(likes)
    order = rng.permutation(len(rows))
    table = pd.DataFrame({"user": [NAMES[u] for u in rows[order]], "item": columns[order]})
    return friends, table, likes


def as_networks(friends, table):
    social = nx.from_pandas_edgelist(friends)
    wants = nx.Graph()
    wants.add_nodes_from(table["user"], bipartite=0)
    wants.add_nodes_from(table["item"], bipartite=1)
    wants.add_edges_from(zip(table["user"], table["item"], strict=True))
    return social, wants


def test_users_are_matched_by_label():
    """Neither graph lists its users in the order of the other; matrices in one order are truth."""
    friends, table, likes = frames(3)
    networks, by_name = as_networks(friends, table), np.argsort(NAMES)  # rows come in sorted order
    social, rows = SOCIAL[np.ix_(by_name, by_name)], likes[by_name]
    for pair in ((friends, table), networks, (networks[0], table), frames(4)[:2]):
        graph, matched = as_social_and_preferences(*pair)
        assert np.array_equal(graph.toarray(), social)
        assert np.array_equal(matched.toarray(), rows)
    for method in ("exact", "cluster", "noe"):
        truth = lists(method, social=social, likes=rows)
        assert np.array_equal(lists(method, social=friends, likes=table).items, truth.items)


def test_a_user_in_one_graph_only():
    friends, table, likes = frames(6)
    stranger = pd.concat([table, pd.DataFrame({"user": ["Zoe"], "item": [0]})])
    silent = table[table["user"] != "user a"]
    renamed = table.replace("user a", "user x")  # as many users on both sides
    cases = [
        (pair, words)
        for other, words in (
            (stranger, "'Zoe' in preferences only"),
            (silent, "'user a' in social only"),
            (renamed, "'user a' in social only .and 2 such users"),
        )
        for pair in ((friends, other), as_networks(friends, other))
    ]
    cases += [
        ((friends, likes), r"social must carry no labels .* got user 'user a'"),
        ((SOCIAL, table), r"preferences must carry no labels .* got user 'user a'"),
        ((SOCIAL, as_networks(friends, table)[1]), "preferences must carry no labels"),
    ]
    assert_all_refused(doors_with("social", "likes"), cases)


def test_row_numbers_are_labels_that_may_stand_alone():
    """A networkx graph numbered from 0 fits a matrix; numbered from 1 it could be shifted."""
    assert np.array_equal(lists("exact", social=FRIENDS).items, lists("exact").items)
    shifted = nx.relabel_nodes(FRIENDS, {n: n + 1 for n in FRIENDS})
    with pytest.raises(ValueError, match="got user 1, who is no row number"):
        lists("exact", social=shifted)
    short = nx.Graph(FRIENDS)
    short.remove_node(USERS - 1)
    with pytest.raises(ValueError, match="row for each of the 7 users"):
        lists("exact", social=short)


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
@pytest.mark.parametrize("epsilon", [INF, 0.5])
def test_users_without_similar_users_as_documented(method, epsilon):
    social, likes = odd_people()
    found = recommend(
        social, likes, epsilon=epsilon, measure="cn", top_n=5, method=method, rng=2,
        return_utilities=True, **ODD.get(method, {}),
    )  # fmt: skip
    assert found.items.shape == (6, 5)
    assert (np.diff(np.sort(found.items), axis=1) > 0).all()
    first = np.array_equal(found.items[LONELY], np.tile(np.arange(5), (4, 1)))
    unheard = method in ("exact", "cluster", "noe", "lrm")  # noise comes weighed by similarities
    if unheard or (method == "nou" and epsilon == INF):
        assert first
        assert not np.any(found.utilities[LONELY])
    elif method == "random" or epsilon < INF:
        assert not first
    if method == "exact":
        assert found.items[0].tolist() == [31, 0, 1, 2, 3]
