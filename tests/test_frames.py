"""A level holds for one public frame: each release, over each container of its data, is audited.

The neighbours are the worst of each container: the one edge that is gone was the only one of its
user, of its item, and of the whole table.
"""

import math
from fractions import Fraction
from types import SimpleNamespace

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

from pplab import (
    audit_epsilon,
    bipartite_noise_graph,
    categorical_response,
    noise_graph,
    recommend,
    utilities,
    weighted_noise_graph,
)
from pplab.graphs import as_biadjacency
from pplab.recommenders import cluster_averages
from pplab.recommenders.group_smooth import group_smooth_utilities
from pplab.recommenders.low_rank import decompose, low_rank_utilities
from pplab.response import DesignMatrix, FairCoin, TwoStageResponse
from pplab.theory import DisjointRows
from tests.generated.inputs import edges, friends, network

USERS, ITEMS = [0, 1, 2], [0, 1]
TABLES = {  # two neighbours each
    "the only edge of all": ([[0, 0], [0, 1], [0, 0]], [[0, 0], [0, 0], [0, 0]]),
    "a user's and an item's": ([[1, 0], [0, 1], [1, 0]], [[1, 0], [0, 0], [1, 0]]),
}
FRIENDS = np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]])


def social(form):
    if form == "edge list":
        return edges(FRIENDS, social=True)
    return friends(FRIENDS) if form == "network" else FRIENDS


FORMS = {  # of a table of users and items
    "list": np.ndarray.tolist,
    "matrix": sparse.csr_array,
    "network": network,
    "edge list": edges,
}
FRAME = {"users": USERS[::-1], "items": ITEMS}
ONE_LEVEL = {"levels": 1, "flip_probability": Fraction(1, 4), "rating_odds": 1}
QUARTER = Fraction(1, 4)
UNFAIR = {"p00": 1 - QUARTER, "p01": QUARTER, "p10": QUARTER, "p11": 1 - QUARTER}
LN_3 = math.log(3)
CLUSTERS = [0, 0, 1]
LISTS = {
    "cluster": {"clusters": CLUSTERS},
    "nou": {},
    "noe": {},
    "lrm": {},
    "gs": {"group_size": 2},
}


def lists(method, sampler="teaching"):
    def release(data, rng, form, users=None, items=None):
        found = recommend(
            social(form), data, epsilon=1, measure="gd", top_n=2, method=method, sampler=sampler,
            rng=rng if sampler == "teaching" else None, frame_users=users, frame_items=items,
            return_utilities=True, **LISTS[method],
        )  # fmt: skip
        return found.items, found.utilities.round(1)

    return release


def door(function, **options):
    return lambda data, rng, _form, **frame: function(data, rng=rng, **options, **frame)


def vetted(data, _rng, _form, **frame):  # draws from the system
    return bipartite_noise_graph(data, flip_probability=0.25, sampler="vetted", **frame)


def mechanism(made, **options):
    return lambda data, rng, _form, **frame: made(**options, **frame).sample(data, rng=rng)


RELEASES = {  # and the level that each states
    "bipartite_noise_graph": (door(bipartite_noise_graph, flip_probability=0.25), LN_3),
    "bipartite_noise_graph, vetted": (vetted, LN_3),
    "categorical_response": (door(categorical_response, levels=1, epsilon=1), 1),
    "FairCoin": (mechanism(FairCoin, replacement_probability=0.5), LN_3),
    "DesignMatrix": (mechanism(DesignMatrix, **UNFAIR), LN_3),
    "TwoStageResponse": (mechanism(TwoStageResponse, **ONE_LEVEL), LN_3),
    "cluster_averages": (door(cluster_averages, labels=CLUSTERS, epsilon=1), 1),
    **{f"recommend, {method}": (lists(method), 1) for method in LISTS},
    **{f"recommend, {m}, vetted": (lists(m, "vetted"), 1) for m in ("cluster", "nou", "noe")},
}


def mechanism_of(release, form, frame):
    """What an audit draws from: releases of data in this form, over this frame."""
    return SimpleNamespace(sample=lambda data, *, rng: release(data, rng, form, **frame))


def audited(release, form, tables, frame, level, samples=80):
    pair = [FORMS[form](np.array(table)) for table in TABLES[tables]]
    return audit_epsilon(
        mechanism_of(release, form, frame), pair, claimed=level, samples=samples, alpha=1e-4, rng=1
    )


def cases():
    """Lists take their time: `make verify` has most of them."""
    for name, (release, level) in RELEASES.items():
        for form in FORMS:
            slow = "recommend" in name and (name, form) != ("recommend, cluster", "edge list")
            marks = pytest.mark.verify("generated") if slow else ()
            few = "the only edge of all" if "recommend" in name else None
            yield pytest.param(release, form, level, few, id=f"{name}, {form}", marks=marks)


@pytest.mark.parametrize(("release", "form", "level", "few"), list(cases()))
def test_no_release_is_refuted(release, form, level, few):
    """Shape included: an audit sees whether rows and columns come and go with the edge."""
    frame = FRAME if form == "edge list" else {}
    for tables in [few] if few else TABLES:
        assert not audited(release, form, tables, frame, level).violated


def test_the_audit_sees_rows_that_go_with_their_edge():
    def unframed(data, rng, _form):
        return bipartite_noise_graph(as_biadjacency(data), flip_probability=0.25, rng=rng)

    assert audited(unframed, "edge list", "a user's and an item's", {}, LN_3).violated


NODES = [1, 2, 10]
GRAPHS = {
    "list": lambda graph: nx.to_numpy_array(graph, nodelist=NODES).tolist(),
    "network": lambda graph: graph,
    "edge list": nx.to_pandas_edgelist,
}


@pytest.mark.parametrize("form", GRAPHS)
def test_a_noise_graph_keeps_its_nodes(form):
    def release(data, rng, _form, **frame):
        return noise_graph(data, flip_probability=0.25, rng=rng, **frame)

    for near in ([(1, 10)], [(1, 2), (2, 10)]):  # the last one goes
        pair = [nx.Graph(), nx.Graph()]
        for graph, listed in zip(pair, (near, near[:-1]), strict=True):
            graph.add_nodes_from(NODES)  # first: the order of the nodes is public
            graph.add_edges_from(listed)
        found = audit_epsilon(
            mechanism_of(release, form, {"nodes": NODES[::-1]} if form == "edge list" else {}),
            [GRAPHS[form](graph) for graph in pair],
            claimed=LN_3, samples=80, alpha=1e-4, rng=1,
        )  # fmt: skip
        assert not found.violated


def test_a_level_needs_the_frame_of_an_edge_list():
    likes, near = edges([[1, 0], [0, 1], [1, 0]]), social("edge list")
    both = {"frame_users": USERS, "frame_items": ITEMS}
    ask = {"epsilon": 1, "measure": "cn", "top_n": 1, "method": "exact"}
    parts = decompose(FRIENDS.astype(float))
    refused = [
        (lambda: bipartite_noise_graph(likes, flip_probability=0.25), "no users; pass users= and"),
        (lambda: categorical_response(likes, levels=1, epsilon=1, users=USERS), "got no items"),
        (lambda: weighted_noise_graph(likes, flip_probability=0.25, top_rating=1), "no users"),
        (lambda: noise_graph(near, flip_probability=0.25), "got no nodes; pass nodes="),
        (lambda: cluster_averages(likes, CLUSTERS, epsilon=1), "got no users"),
        (lambda: recommend(near, likes, **ask), "got no frame_users"),
        (lambda: recommend(near, likes, frame_users=USERS, **ask), "got no frame_items"),
        (lambda: recommend(FRIENDS, [[1]] * 3, **both, **ask), "frame_users must be left out"),
        (lambda: low_rank_utilities(parts, likes, epsilon=1), "no place for one; pass a matrix"),
        (lambda: group_smooth_utilities(FRIENDS, likes, epsilon=1, group_size=1), "pass a matrix"),
        (lambda: DisjointRows([FairCoin(replacement_probability=1)]).sample(likes), "a matrix"),
    ]
    for call, sentence in refused:
        with pytest.raises(ValueError, match=sentence):
            call()


def test_a_user_who_loses_the_only_like_stays():
    """And one without friends: a frame names everybody; the lists say who and what they are."""
    frame = {"frame_users": [*USERS, 1000], "frame_items": [*ITEMS, 7]}
    ask = {"epsilon": math.inf, "measure": "cn", "top_n": 3, "method": "exact"}
    likes = edges([[1, 0], [0, 1], [1, 0]])
    for left in (likes, likes[likes["user"] != 1], likes[:0]):
        found = recommend(social("edge list"), left, **frame, **ask)
        assert found.items.shape == (4, 3)
        assert found.frame_users == [*USERS, 1000]
        assert found.frame_items == [*ITEMS, 7]
    assert utilities(social("edge list"), likes, measure="cn", **frame).shape == (4, 3)
    assert recommend(FRIENDS, [[1]] * 3, **ask | {"top_n": 1}).frame_users == range(3)
