"""The door: every form of a graph in, one CSR form out."""

from datetime import datetime
from decimal import Decimal

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from pplab import (
    disclosure_risk,
    graph,
    jaccard_similarity,
    sensitive_attribute_risk,
    table,
)
from pplab.graphs import as_adjacency, as_matrix, by_value, labels_of, with_labels
from tests.generated.inputs import DAY, LABELS

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
        assert list(in_order.nodes) == expected
    assert list(with_labels(network_, bipartite=False).nodes) == list(network_)
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


def test_labels_without_one_order_are_refused():
    class Plain:
        pass

    nodes = [
        ({1, 2}, {2, 3}), ({1}, {1, 2}), (float("nan"), 1), (Decimal("nan"), 1), ((None, 1), 1),
        (1, "a"), (b"a", "a"), ((1, "a"), ("a", 1)), (((1, 2), np.nan), 1), (1j, 2j),
        (DAY, datetime(2026, 1, 1)), (DAY, 1), (Plain(), Plain()), (np.datetime64("nat", "D"), 1),
    ]  # fmt: skip
    for one, other in nodes:
        pair = [frozenset(x) if isinstance(x, set) else x for x in (one, other)]
        with pytest.raises(ValueError, match="must have labels with one order"):
            with_labels(nx.Graph([tuple(pair)]), bipartite=False)


def test_the_labels_of_a_matrix_are_its_numbers():
    assert labels_of(sparse.csr_array((2, 3))) == (range(2), range(3))


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
    assert list(friends.nodes) == [0, 1, 2, 3]
    for named, sentence in (
        ({"users": list("ab"), "items": range(11)}, "labels of its frame only, got 'd'"),
        ({"users": list("abcdd")}, "each once, got 'd' beside 'd'"),
        ({"users": "abcd"}, "users must be a list of labels, got 'abcd'"),
        ({"users": []}, "number of users must be an integer between 1"),
        ({"items": np.zeros((2, 2))}, "items must be a list of labels"),
        ({"items": [[1], [2]]}, "items must have labels with one order"),
        ({"items": ["x", 2, 10]}, "items must have labels with one order"),
    ):
        with pytest.raises((TypeError, ValueError), match=sentence):
            rated(likes, **named)


def test_bad_tables_are_refused():
    mixed = nx.Graph([("u1", "u2"), ("u1", "i1")])
    nx.set_node_attributes(mixed, {"u1": 0, "u2": 0, "i1": 1}, "bipartite")
    for data, sentence in (
        (pd.DataFrame({"a": [1], "b": [2]}), "pplab.table.frame, user='a', item='b'"),
        (pd.DataFrame([[1, 2, 3]], columns=["user", "item", "item"]), "got a DataFrame"),
        (nx.path_graph(3), "node attribute bipartite"),
        (nx.path_graph(3), r"as a matrix: networkx.to_scipy_sparse_array\(graph\)"),
        (mixed, "with edges between the two"),
        (sparse.csr_array((1, 2**32), dtype=np.int8), r"fewer than 2\^31 columns"),
        (sparse.csr_array(([1, 1, 1], [2, 0, 2], [0, 0, 3]), shape=(2, 3)), r"\(1, 2\) twice"),
    ):
        with pytest.raises((ValueError, TypeError), match=sentence):
            as_matrix(data, name="table")
    words = pd.DataFrame({"user": [1], "item": [2], "rating": ["good"]})
    with pytest.raises(ValueError, match="numbers in its column rating"):
        rated(words)


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


def test_labels_and_no_labels_do_not_mix():
    one = rated(pd.DataFrame({"user": [1], "item": [1]}))
    with pytest.raises(ValueError, match="must all carry labels of one kind or none"):
        jaccard_similarity(one, [[1]])
    with pytest.raises(ValueError, match="must all carry labels of one kind or none"):
        disclosure_risk(one, [[1.0]], direction="original-to-protected")


def labelled(*users, dtype=object):
    labels = pd.Series(users, dtype=dtype)
    return pd.DataFrame({"user": labels, "item": range(len(users)), "rating": range(len(users))})


def test_labels_of_any_type_are_compared_or_refused():
    listed = labelled(("b", 1), ("a",))
    assert jaccard_similarity(*(rated(x).keep() for x in (listed, listed[::-1]))) == 1
    plain = as_matrix(rated(labelled("b", "a", dtype=None))).toarray()
    for dtype in ("category", "string"):
        assert np.array_equal(as_matrix(rated(labelled("b", "a", dtype=dtype))).toarray(), plain)
    numbers = (rated(labelled(3, 1, dtype=dtype)).keep() for dtype in ("Int64", float))
    assert jaccard_similarity(*numbers) == 1
    for users, sentence in (
        *(((1, other), "labels that are equal and of different types") for other in (True, 1.0)),
        (([1], [2]), r"names or numbers as labels, got \[1\]; turn lists into tuples"),
    ):
        with pytest.raises((TypeError, ValueError), match=sentence):
            rated(labelled(*users))
    with pytest.raises(ValueError, match=r"ids up to 2\^53 where some are floats"):
        rated(labelled(1.0, dtype=float), users=[2**60 + 1, 1])
    with pytest.raises(ValueError, match="finite numbers in its column rating"):
        rated(labelled("a", "b").assign(rating=pd.array([1, None], dtype="Int64")))


def test_bad_social_graphs_are_refused():
    for data, sentence in (
        ([[0, 1, 1], [1, 0, 0], [0, 0, 0]], "must be symmetric"),
        ([[0, 1, 0], [0, 0, 1], [1, 0, 0]], "must be symmetric"),  # as many in as out
        (nx.Graph([(1, 2, {"weight": np.nan})]), "as weight of its edges"),
        (nx.Graph([(1, 2, {"weight": "x"})]), "as weight of its edges"),
        (nx.Graph([(np.nan, 1)]), "one order .* got nan"),
        (nx.DiGraph([(1, 2)]), "undirected simple graph"),
    ):
        with pytest.raises(ValueError, match=sentence):
            as_adjacency(data)
