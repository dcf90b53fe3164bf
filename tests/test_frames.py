"""A level holds for one public frame: each release, over each container of its data, is audited.

The neighbours are the worst of each container: the one edge that is gone was the only one of its
user, of its item, and of the whole table.
"""

import math
from functools import partial
from itertools import product
from types import SimpleNamespace

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import pplab  # noqa: F401 (of audited.txt)
from pplab import audit_epsilon, graph, recommend, table, utilities
from pplab.counts import NoisyCount
from pplab.labelled import Graph, Table
from pplab.recommenders.recommend import Recommendations
from tests.generated.inputs import edges, friends, network, read

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
LEVELS = dict(entry.split(" -> ") for entry in read("../audited.txt"))


lists = partial(recommend, epsilon=1, measure="gd", top_n=2, return_utilities=True)
counted = partial(NoisyCount, noise="laplace", unit="edge", epsilon=1.0)


def audited(call, form, pair):
    def sample(data, *, rng):
        given = {"t": data, "g": data, "s": social(form), "r": rng}
        return shown(eval(call, {**globals(), **given}))

    drawn, level = SimpleNamespace(sample=sample), eval(LEVELS[call])
    return audit_epsilon(drawn, pair, claimed=level, samples=80, alpha=1e-4, rng=1)


def is_list(call):
    return call.startswith(("lists", "pplab.recommenders"))


def cases():
    """Lists take their time: `make verify` has most of them."""
    for call, form in product((call for call in LEVELS if "(g" not in call), FORMS):
        quick = form == "table" and "clusters=[0, 0, 1], rng" in call
        slow = is_list(call) and not quick
        yield pytest.param(call, form, marks=pytest.mark.verify("generated") if slow else ())


@pytest.mark.parametrize(("call", "form"), list(cases()))
def test_no_release_is_refuted(call, form):
    """Shape and labels included: an audit sees whether rows and columns go with the edge."""
    for tables in ["the only edge of all"] if is_list(call) else TABLES:
        pair = [FORMS[form](np.array(table)) for table in TABLES[tables]]
        assert not audited(call, form, pair).violated


def lines(cells):
    return pd.DataFrame(np.argwhere(cells), columns=["user", "item"])


def test_the_audit_sees_rows_that_go_with_their_edge():
    """A table whose frame is taken from its entries, once somebody passes its bare matrix."""
    pair = [table(lines(t), user="user", item="item") for t in TABLES["a user's and an item's"]]
    call = "pplab.bipartite_noise_graph(t, flip_probability=0.25, rng=r)"
    assert audited(call, "matrix", [result.matrix for result in pair]).violated


NODES = [1, 2, 10]
GRAPHS = {
    "list": lambda graph: nx.to_numpy_array(graph, nodelist=NODES).tolist(),
    "network": lambda graph: graph,
    "graph": lambda near: graph(
        nx.to_pandas_edgelist(near), source="source", target="target", nodes=NODES[::-1]
    ),
}


@pytest.mark.parametrize("form", GRAPHS)
@pytest.mark.parametrize("call", [call for call in LEVELS if "(g" in call])
def test_a_release_of_a_graph_keeps_its_nodes(call, form):
    for near in ([(1, 10)], [(1, 2), (2, 10)]):  # the last one goes
        pair = [nx.Graph(), nx.Graph()]
        for network_, listed in zip(pair, (near, near[:-1]), strict=True):
            network_.add_nodes_from(NODES)  # first: the order of the nodes is public
            network_.add_edges_from(listed)
        made = [GRAPHS[form](each) for each in pair]
        assert not audited(call, form, made).violated


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
