"""A level holds for one public frame: each release, over each container of its data, is audited.

The neighbours are the worst of each container: the one edge that is gone was the only one of its
user, of its item, and of the whole table.
"""

import math
from types import SimpleNamespace

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import pplab
from pplab import audit_epsilon, graph, recommend, table, utilities
from pplab.labelled import Graph, Table
from pplab.recommenders.recommend import Recommendations
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
    if isinstance(release, Recommendations):
        return shown(release.items), shown(release.utilities.round(1))
    if isinstance(release, (Table, Graph)):
        return release.matrix, release.axis_labels, release.frame().to_numpy().tolist()
    return release


FORMS = {  # of a table of users and items
    "list": np.ndarray.tolist,
    "matrix": sparse.csr_array,
    "network": network,
    "table": edges,
}
LN_3 = math.log(3)
METHODS = [
    "'cluster', clusters=[0, 0, 1], rng=r",
    *("'nou', rng=r", "'noe', rng=r", "'lrm', rng=r", "'gs', group_size=2, rng=r"),
    "'cluster', clusters=[0, 0, 1], sampler='vetted'",
    *("'nou', sampler='vetted'", "'noe', sampler='vetted'"),
]
LISTS = "epsilon=1, measure='gd', top_n=2, return_utilities=True"
RELEASES = {  # of a table t and friends s, with random numbers r; and the level that each states
    "pplab.bipartite_noise_graph(t, flip_probability=0.25, rng=r)": LN_3,
    "pplab.bipartite_noise_graph(t, flip_probability=0.25, sampler='vetted')": LN_3,
    "pplab.categorical_response(t, levels=1, epsilon=1, rng=r)": 1,
    "response.FairCoin(replacement_probability=0.5).sample(t, rng=r)": LN_3,
    "response.DesignMatrix(p00=0.75, p01=0.25, p10=0.25, p11=0.75).sample(t, rng=r)": LN_3,
    "response.TwoStageResponse(levels=1, flip_probability=0.25, rating_odds=1)"
    ".sample(t, rng=r)": LN_3,
    "pplab.recommenders.cluster_averages(t, labels=[0, 0, 1], epsilon=1, rng=r)": 1,
    **{f"pplab.recommend(s, t, {LISTS}, method={how})": 1 for how in METHODS},
}


def audited(call, form, pair, level, samples=80):
    def sample(data, *, rng):
        given = {"t": data, "s": social(form), "r": rng}
        return shown(eval(call, {"pplab": pplab, "response": pplab.response, "np": np, **given}))

    drawn = SimpleNamespace(sample=sample)
    return audit_epsilon(drawn, pair, claimed=level, samples=samples, alpha=1e-4, rng=1)


def cases():
    """Lists take their time: `make verify` has most of them."""
    for call in RELEASES:
        for form in FORMS:
            quick = form == "table" and "clusters=[0, 0, 1], rng" in call
            slow = "recommend" in call and not quick
            yield pytest.param(call, form, marks=pytest.mark.verify("generated") if slow else ())


@pytest.mark.parametrize(("call", "form"), list(cases()))
def test_no_release_is_refuted(call, form):
    """Shape and labels included: an audit sees whether rows and columns go with the edge."""
    for tables in ["the only edge of all"] if "recommend" in call else TABLES:
        pair = [FORMS[form](np.array(table)) for table in TABLES[tables]]
        assert not audited(call, form, pair, RELEASES[call]).violated


def lines(cells):
    return pd.DataFrame(np.argwhere(cells), columns=["user", "item"])


def test_the_audit_sees_rows_that_go_with_their_edge():
    """A table whose frame is found in its entries, once somebody passes its bare matrix."""
    pair = [table(lines(t), user="user", item="item") for t in TABLES["a user's and an item's"]]
    call = "pplab.bipartite_noise_graph(t, flip_probability=0.25, rng=r)"
    assert audited(call, "matrix", [result.matrix for result in pair], LN_3).violated


NODES = [1, 2, 10]
GRAPHS = {
    "list": lambda graph: nx.to_numpy_array(graph, nodelist=NODES).tolist(),
    "network": lambda graph: graph,
    "graph": lambda near: graph(
        nx.to_pandas_edgelist(near), source="source", target="target", nodes=NODES[::-1]
    ),
}
LAPLACE = "noise='laplace', unit='edge', epsilon=1.0"
OF_GRAPHS = {
    "pplab.noise_graph(t, flip_probability=0.25, rng=r)": LN_3,
    **{
        f"np.round(pplab.counts.NoisyCount(count={count!r}, {LAPLACE}).sample(t, rng=r))": 1
        for count in ("degrees", "edges", "triangles")
    },
}


@pytest.mark.parametrize("form", GRAPHS)
@pytest.mark.parametrize("call", OF_GRAPHS)
def test_a_release_of_a_graph_keeps_its_nodes(call, form):
    for near in ([(1, 10)], [(1, 2), (2, 10)]):  # the last one goes
        pair = [nx.Graph(), nx.Graph()]
        for network_, listed in zip(pair, (near, near[:-1]), strict=True):
            network_.add_nodes_from(NODES)  # first: the order of the nodes is public
            network_.add_edges_from(listed)
        made = [GRAPHS[form](each) for each in pair]
        assert not audited(call, form, made, OF_GRAPHS[call]).violated


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
