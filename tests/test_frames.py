"""A level holds for one public frame: each release, over each container of its data, is audited.

The neighbours are the worst of each container: the one edge that is gone was the only one of its
user, of its item, and of the whole table.
"""

import math
import re
from fractions import Fraction
from types import SimpleNamespace

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from pplab import (
    audit_epsilon,
    bipartite_noise_graph,
    categorical_response,
    graph,
    jaccard_similarity,
    microaggregate,
    noise_graph,
    recommend,
    smooth_k_anonymize,
    table,
    utilities,
    weighted_noise_graph,
)
from pplab.counts import NoisyCount
from pplab.labelled import Graph, Table
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
    if form == "table":
        return edges(FRIENDS, social=True)
    return friends(FRIENDS) if form == "network" else FRIENDS


def shown(release):
    """Cells and labels of what was released."""
    if isinstance(release, (Table, Graph)):
        return release.matrix, release.axis_labels, release.frame().to_numpy().tolist()
    return release


FORMS = {  # of a table of users and items
    "list": np.ndarray.tolist,
    "matrix": sparse.csr_array,
    "network": network,
    "table": edges,
}
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
    def release(data, rng, form):
        result = recommend(
            social(form), data, epsilon=1, measure="gd", top_n=2, method=method, sampler=sampler,
            rng=rng if sampler == "teaching" else None, return_utilities=True, **LISTS[method],
        )  # fmt: skip
        return shown(result.items), shown(result.utilities.round(1))

    return release


def door(function, **options):
    return lambda data, rng, _form: shown(function(data, rng=rng, **options))


def vetted(data, _rng, _form):  # draws from the system
    return shown(bipartite_noise_graph(data, flip_probability=0.25, sampler="vetted"))


def mechanism(made, **options):
    return lambda data, rng, _form: shown(made(**options).sample(data, rng=rng))


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


def audited(release, form, pair, level, samples=80):
    drawn = SimpleNamespace(sample=lambda data, *, rng: release(data, rng, form))
    return audit_epsilon(drawn, pair, claimed=level, samples=samples, alpha=1e-4, rng=1)


def cases():
    """Lists take their time: `make verify` has most of them."""
    for name, (release, level) in RELEASES.items():
        for form in FORMS:
            slow = "recommend" in name and (name, form) != ("recommend, cluster", "table")
            marks = pytest.mark.verify("generated") if slow else ()
            few = "the only edge of all" if "recommend" in name else None
            yield pytest.param(release, form, level, few, id=f"{name}, {form}", marks=marks)


@pytest.mark.parametrize(("release", "form", "level", "few"), list(cases()))
def test_no_release_is_refuted(release, form, level, few):
    """Shape and labels included: an audit sees whether rows and columns go with the edge."""
    for tables in [few] if few else TABLES:
        pair = [FORMS[form](np.array(table)) for table in TABLES[tables]]
        assert not audited(release, form, pair, level).violated


def lines(cells):
    return pd.DataFrame(np.argwhere(cells), columns=["user", "item"])


def test_the_audit_sees_rows_that_go_with_their_edge():
    """A table whose frame is found in its entries, once somebody passes its bare matrix."""
    pair = [table(lines(t), user="user", item="item") for t in TABLES["a user's and an item's"]]
    release = door(bipartite_noise_graph, flip_probability=0.25)
    assert audited(release, "matrix", [result.matrix for result in pair], LN_3).violated
    with pytest.raises(ValueError, match="found in the entries"):
        release(pair[0], 1, "table")


NODES = [1, 2, 10]
GRAPHS = {
    "list": lambda graph: nx.to_numpy_array(graph, nodelist=NODES).tolist(),
    "network": lambda graph: graph,
    "graph": lambda near: graph(
        nx.to_pandas_edgelist(near), source="source", target="target", nodes=NODES[::-1]
    ),
}
COUNTS = {"count": "edges", "noise": "laplace", "unit": "edge"}
OF_GRAPHS = {
    "noise_graph": (door(noise_graph, flip_probability=0.25), LN_3),
    "degrees": (mechanism(NoisyCount, **COUNTS | {"count": "degrees"}, epsilon=1.0), 1),
    "edges": (mechanism(NoisyCount, **COUNTS, epsilon=1.0), 1),
    "triangles": (mechanism(NoisyCount, **COUNTS | {"count": "triangles"}, epsilon=1.0), 1),
}


@pytest.mark.parametrize("form", GRAPHS)
@pytest.mark.parametrize("name", OF_GRAPHS)
def test_a_release_of_a_graph_keeps_its_nodes(name, form):
    release, level = OF_GRAPHS[name]

    def rounded(data, rng, form):
        result = release(data, rng, form)
        return result if name == "noise_graph" else np.round(result)

    for near in ([(1, 10)], [(1, 2), (2, 10)]):  # the last one goes
        pair = [nx.Graph(), nx.Graph()]
        for network_, listed in zip(pair, (near, near[:-1]), strict=True):
            network_.add_nodes_from(NODES)  # first: the order of the nodes is public
            network_.add_edges_from(listed)
        assert not audited(rounded, form, [GRAPHS[form](each) for each in pair], level).violated


def test_a_frame_is_refused_where_a_table_is_asked_for():
    """The sentence types out the call, with the columns that came."""
    likes, near = lines([[1, 0], [0, 1], [1, 0]]), pd.DataFrame({"a": [0, 0], "b": [1, 2]})
    people = pd.DataFrame({"boss": ["Ann", "Bob"], "clerk": ["Bob", "Cy"]})
    stars = pd.DataFrame({"who": [1], "film": [7], "stars": [4.5]})
    wide = pd.DataFrame(np.ones((3, 5)), columns=list("vwxyz"))
    ask = {"epsilon": 1, "measure": "cn", "top_n": 1, "method": "exact"}
    parts = decompose(FRIENDS.astype(float))
    of_likes, of_near = "table(frame, user='user', item='item')", "graph(frame, source='a', targ"
    refused = [
        (lambda: bipartite_noise_graph(likes, flip_probability=0.25), of_likes),
        (lambda: categorical_response(likes, levels=1, epsilon=1), of_likes),
        (lambda: weighted_noise_graph(likes, flip_probability=0.25, top_rating=1), of_likes),
        (lambda: noise_graph(near, flip_probability=0.25), of_near),
        (lambda: cluster_averages(likes, CLUSTERS, epsilon=1), of_likes),
        (lambda: recommend(near, likes, **ask), of_near),
        (lambda: recommend(FRIENDS, likes, **ask), of_likes),
        (lambda: low_rank_utilities(parts, likes, epsilon=1), of_likes),
        (lambda: group_smooth_utilities(FRIENDS, likes, epsilon=1, group_size=1), of_likes),
        (lambda: DisjointRows([FairCoin(replacement_probability=1)]).sample(likes), of_likes),
        (lambda: smooth_k_anonymize(people, 2), "pass pplab.graph(frame, source='boss', target="),
        (lambda: smooth_k_anonymize(near.rename(columns={"a": "source", "b": "target"}), 2),
         "pass pplab.graph(frame, source='source', target='target')"),
        (lambda: microaggregate(stars, 2, rating_range=(1, 5)), "item='film', value='stars')"),
        (lambda: microaggregate(wide, 2, rating_range=(1, 5)), "columns=['v', 'w', 'x', 'y', 'z']"),
        (lambda: jaccard_similarity(stars, stars), "value='stars')"),
    ]  # fmt: skip
    for call, sentence in refused:
        with pytest.raises(TypeError, match=re.escape(sentence)):
            call()


def test_a_user_who_loses_the_only_like_stays():
    """And one without friends: a frame names everybody; the lists say who and what they are."""
    everybody, goods = [*USERS, 1000], [*ITEMS, 7]
    ask = {"epsilon": math.inf, "measure": "cn", "top_n": 3, "method": "exact"}
    likes = lines([[1, 0], [0, 1], [1, 0]])
    near = graph(lines(np.triu(FRIENDS)), source="user", target="item", nodes=everybody)
    for left in (likes, likes[likes["user"] != 1], likes[:0]):
        made = table(left, user="user", item="item", users=everybody, items=goods)
        result = recommend(near, made, **ask)
        assert result.items.shape == (4, 3)
        assert result.items.index.tolist() == everybody
        assert set(result.items.loc[1000]) == set(goods)
        assert utilities(near, made, measure="cn").shape == (4, 3)
    assert recommend(FRIENDS, [[1]] * 3, **ask | {"top_n": 1}).frame_users == range(3)
