"""The door: every form of a graph in, one CSR form out."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from pplab import (
    graph,
    jaccard_similarity,
    sensitive_attribute_risk,
    table,
)
from pplab.graphs import as_adjacency, as_matrix, by_value, labels_of
from tests.generated.inputs import LABELS

DENSE = np.array([[5, 0, 3], [0, 1, 0]])


def near(frame, **named):
    return graph(frame, source="source", target="target", **named)


def rated(frame, **named):
    value = "rating" if "rating" in frame else None
    return table(frame, user="user", item="item", value=value, **named)


def test_edge_list_of_a_social_graph_may_list_each_edge_once_or_twice():
    once = pd.DataFrame({"source": ["a", "b"], "target": ["b", "c"]})
    twice = pd.DataFrame({"source": ["a", "b", "b", "c"], "target": ["b", "a", "c", "b"]})
    expected = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    assert as_adjacency(near(once)).toarray().tolist() == expected
    assert as_adjacency(near(twice)).toarray().tolist() == expected


PATH = [(n, n + 1) for n in range(24)]


@pytest.mark.parametrize("kind", LABELS)
def test_rows_stand_in_the_order_of_the_values(kind):
    """A path in three containers, listed backwards, is the matrix of a path."""
    ends = [(LABELS[kind](b), LABELS[kind](a)) for a, b in reversed(PATH)]
    expected = [LABELS[kind](n) for n in range(25)]
    path, network_ = nx.to_numpy_array(nx.path_graph(25)), nx.Graph(ends)
    frame = pd.DataFrame({"source": [a for a, _ in ends], "target": [b for _, b in ends]})
    for arguments in (network_, near(frame)):
        in_order = by_value(arguments, bipartite=False)
        assert np.array_equal(as_adjacency(in_order).toarray(), path)
        assert list(labels_of(in_order)) == expected
    assert list(labels_of(network_)) == list(network_)
    likes = nx.Graph()
    likes.add_nodes_from(reversed(expected), bipartite=0)
    likes.add_nodes_from([("item", label) for label in reversed(expected)], bipartite=1)
    likes.add_weighted_edges_from((a, ("item", b), 3) for a, b in ends)
    frame = pd.DataFrame({"user": [a for a, _ in ends], "item": [b for _, b in ends], "rating": 3})
    for arguments in (likes, rated(frame)):
        in_order = by_value(arguments, bipartite=True)
        matrix = as_matrix(in_order)
        assert matrix.nnz == 24
        assert np.array_equal(matrix.toarray()[-24:, -25:][:, :24], 3 * np.eye(24))
        assert list(labels_of(in_order)[0][-24:]) == expected[1:]


def test_the_labels_of_a_matrix_are_its_numbers():
    assert labels_of(sparse.csr_array((2, 3))) == (range(2), range(3))
    assert labels_of(np.zeros((2, 2)), bipartite=False) == range(2)


def test_an_edge_list_is_put_on_its_frame():
    likes = pd.DataFrame({"user": ["b", "d"], "item": [10, 2]})
    made = rated(likes, users=pd.Index(list("dcba")), items=[2, 10, 3])
    in_order = by_value(made, bipartite=True).matrix.toarray()
    assert in_order.tolist() == [[0, 0, 0], [0, 0, 1], [0, 0, 0], [1, 0, 0]]
    assert made.matrix.toarray().tolist() == as_matrix(made).toarray().tolist() == [
        [1, 0, 0], [0, 0, 0], [0, 1, 0], [0, 0, 0],
    ]  # fmt: skip
    assert labels_of(made) == (tuple("dcba"), (2, 10, 3))
    assert rated(likes[:0], users=["a"], items=range(2)).shape == (1, 2)  # no edge at all
    friends = near(pd.DataFrame({"source": [3], "target": [1]}), nodes=np.arange(4))
    assert as_adjacency(friends).toarray()[1].tolist() == [0, 0, 0, 1]
    assert list(labels_of(friends)) == [0, 1, 2, 3]


def test_a_stored_zero_survives_every_format_that_lists_its_cells():
    stored = sparse.csr_array(([5, 0, 1], [0, 2, 1], [0, 2, 3]), shape=(2, 3))
    for form in ("csr", "csc", "coo"):
        assert as_matrix(stored.asformat(form)).indices.tolist() == [0, 2, 1], form
    for form in ("lil", "dok", "dia"):
        with pytest.raises(TypeError, match=f"got {form.upper()}; pass its .tocsr"):
            as_matrix(stored.asformat(form))


def test_same_column_in_neighbouring_rows_is_no_duplicate():
    matrix = sparse.csr_array(([1, 1, 1], [2, 2, 2], [0, 1, 1, 2, 3]), shape=(4, 3))
    assert as_matrix(matrix).nnz == 3


def test_networkx_graphs_are_compared_by_their_nodes():
    def likes(*edges):
        graph = nx.Graph(list(edges))
        for node in graph:
            graph.nodes[node]["bipartite"] = int(str(node).startswith("i"))
        return graph

    one, other = likes(("u1", "i1"), ("u2", "i2")), likes(("u2", "i2"), ("u1", "i3"))
    with pytest.raises(
        ValueError, match=r"got items 'i3' in original only and 'i1' in .*graph lacks"
    ):
        jaccard_similarity(other, one)
    noise = likes(("u1", "i1"), ("u1", "i3"))
    for each in (one, other, noise):
        each.add_node("u2", bipartite=0)
        each.add_nodes_from(["i3", "i2", "i1"], bipartite=1)
    assert jaccard_similarity(one, other) == pytest.approx(1 / 3)
    risk = sensitive_attribute_risk(one, other, noise=noise)
    assert risk.tolist() == [pytest.approx(1 / 3), 1.0]


def labelled(*users, dtype=object):
    labels = pd.Series(users, dtype=dtype)
    return pd.DataFrame({"user": labels, "item": range(len(users)), "rating": range(len(users))})


def test_labels_of_any_type_are_compared():
    listed = labelled(("b", 1), ("a",))
    assert jaccard_similarity(*(rated(x).keep() for x in (listed, listed[::-1]))) == 1
    plain = as_matrix(rated(labelled("b", "a", dtype=None))).toarray()
    for dtype in ("category", "string"):
        assert np.array_equal(as_matrix(rated(labelled("b", "a", dtype=dtype))).toarray(), plain)
    numbers = (rated(labelled(3, 1, dtype=dtype)).keep() for dtype in ("Int64", float))
    assert jaccard_similarity(*numbers) == 1
