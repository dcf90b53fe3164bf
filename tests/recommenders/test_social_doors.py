"""What the doors of the social part refuse, in one sentence each, and how labels are matched."""

import re

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from pplab import graph, table
from pplab.attacks import sybil
from pplab.graphs import as_social_and_preferences, by_value
from pplab.recommenders.clusters import cluster_averages, error_parts
from pplab.recommenders.communities import communities, modularity
from pplab.recommenders.recommend import recommend
from pplab.recommenders.similarity import similarity, similarity_times
from pplab.recommenders.utilities import utilities, utility_sensitivity

INF = float("inf")
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
    (
        graph(
            pd.DataFrame({"a": [0, 1], "b": [1, 2], "w": [1, 3]}),
            source="a",
            target="b",
            weight="w",
            nodes=range(USERS),
        ),
        "without weights",
    ),
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
WITH_USERS = {
    "recommend": lambda users: lists("cluster", users=users),
    "similarity_times": lambda users: similarity_times(SOCIAL, LIKES, users=users, **CN),
    "utilities": lambda users: utilities(SOCIAL, LIKES, users=users, **CN),
}
WITH_LABELS = {
    "recommend": lambda labels: lists("cluster", clusters=labels),
    "modularity": lambda labels: modularity(SOCIAL, labels),
    "averages": lambda labels: cluster_averages(LIKES, labels, epsilon=1),
    "error_parts": lambda labels: error_parts(SOCIAL, LIKES, labels, epsilon=1, **CN),
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
    assert_all_refused(WITH_USERS, [([USERS], "users must be"), ([-1], "users must be")])
    partitions = [([0] * (USERS - 1), "misses no row"), ([0, 2] * 4, "no cluster empty")]
    assert_all_refused(WITH_LABELS, partitions)


def test_noise_that_overflows_is_refused():
    noisy = {m: lambda e, m=m: lists(m, epsilon=e) for m in ("nou", "noe", "cluster", "lrm", "gs")}
    assert_all_refused(noisy, [(1e-200, "epsilon must leave noise .* pass a larger epsilon")])


NAMES = [f"user {letter}" for letter in "hcafbgde"]


def frames(seed):
    """Both graphs with names, in any order; everybody has a friend and likes one."""
    rng = np.random.default_rng(seed)
    likes = LIKES.copy()
    likes[np.arange(USERS), np.arange(USERS) % ITEMS] = 1
    ends = np.array(FRIENDS.edges)[rng.permutation(FRIENDS.number_of_edges())]
    friends = pd.DataFrame({"source": ends[:, 0], "target": ends[:, 1]}).map(NAMES.__getitem__)
    rows, columns = np.nonzero(likes)
    order = rng.permutation(len(rows))
    table = pd.DataFrame({"user": [NAMES[u] for u in rows[order]], "item": columns[order]})
    return friends, table, likes


def labelled(friends, lines):
    """Both with their frame, in the order of NAMES."""
    goods = range(ITEMS)
    return (
        graph(friends, source="source", target="target", nodes=NAMES),
        table(lines, user="user", item="item", users=NAMES, items=goods),
    )


def as_networks(friends, table):
    social = nx.from_pandas_edgelist(friends)
    wants = nx.Graph()
    wants.add_nodes_from(table["user"], bipartite=0)
    wants.add_nodes_from(table["item"], bipartite=1)
    wants.add_edges_from(zip(table["user"], table["item"], strict=True))
    return social, wants


def test_users_are_matched_by_label():
    """Neither graph lists its users in the order of the other; matrices in one order are truth."""
    friends, lines, likes = frames(3)
    networks, by_name = as_networks(friends, lines), np.argsort(NAMES)  # rows come in sorted order
    social, rows = SOCIAL[np.ix_(by_name, by_name)], likes[by_name]
    made = labelled(friends, lines)
    for pair in (made, networks, (networks[0], made[1]), labelled(*frames(4)[:2])):
        in_order = by_value(pair[0], bipartite=False), by_value(pair[1], bipartite=True)
        near, matched = as_social_and_preferences(*in_order)
        assert np.array_equal(near.toarray(), social)
        assert np.array_equal(matched.toarray(), rows)
    for method in ("exact", "cluster", "noe"):
        truth = lists(method, social=social, likes=rows)
        more = {}
        if method == "cluster":  # by name, too
            more["clusters"] = pd.Series(OPTIONS[method]["clusters"], index=sorted(NAMES))
        result = lists(method, social=made[0], likes=made[1], **more)
        assert np.array_equal(result.items.loc[sorted(NAMES)].to_numpy(), truth.items)
        assert result.items.index.tolist() == list(result.frame_users) == NAMES


def test_a_user_in_one_graph_only():
    friends, lines, likes = frames(6)
    stranger = pd.concat([lines, pd.DataFrame({"user": ["Zoe"], "item": [0]})])
    silent = lines[lines["user"] != "user a"]
    renamed = lines.replace("user a", "user x")  # as many users on both sides
    near, expected = labelled(friends, lines)
    silent, renamed = (table(each, user="user", item="item") for each in (silent, renamed))
    cases = [
        (*as_networks(friends, stranger), "'Zoe' in preferences only"),
        (near, silent, "'user a' in social only and none in preferences only"),
        (near, renamed, "'user a' in social only and 'user x' in preferences only"),
        (near, likes, r"social must carry no labels .* got user 'user a'"),
        (SOCIAL, expected, r"preferences must carry no labels .* got user 'user a'"),
    ]
    unframed = {name: door for name, door in WITH_LIKES.items() if name != "recommend"}
    assert_all_refused(unframed, cases)
    assert_all_refused(WITH_LIKES, cases[:1])


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
    result = recommend(
        social, likes, epsilon=epsilon, measure="cn", top_n=5, method=method, rng=2,
        return_utilities=True, **ODD.get(method, {}),
    )  # fmt: skip
    assert result.items.shape == (6, 5)
    assert (np.diff(np.sort(result.items), axis=1) > 0).all()
    first = np.array_equal(result.items[LONELY], np.tile(np.arange(5), (4, 1)))
    unheard = method in ("exact", "cluster", "noe", "lrm")  # noise comes weighed by similarities
    if unheard or (method == "nou" and epsilon == INF):
        assert first
        assert not np.any(result.utilities[LONELY])
    elif method == "random" or epsilon < INF:
        assert not first
    if method == "exact":
        assert result.items[0].tolist() == [31, 0, 1, 2, 3]
