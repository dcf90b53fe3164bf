"""The door: every form of a graph in, one CSR form out."""

import json
from datetime import datetime
from decimal import Decimal

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from pplab import (
    disclosure_risk,
    jaccard_similarity,
    sensitive_attribute_imprecision,
    sensitive_attribute_risk,
    smooth_k_anonymize,
)
from pplab.graphs import as_adjacency, as_matrix, labels_of, to_networkx, to_pandas
from tests.generated.inputs import DAY, LABELS, network

DENSE = np.array([[5, 0, 3], [0, 1, 0]])


def test_edge_list_of_a_social_graph_may_list_each_edge_once_or_twice():
    once = pd.DataFrame({"source": ["a", "b"], "target": ["b", "c"]})
    twice = pd.DataFrame({"source": ["a", "b", "b", "c"], "target": ["b", "a", "c", "b"]})
    expected = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    assert as_adjacency(once).toarray().tolist() == expected
    assert as_adjacency(twice).toarray().tolist() == expected


PATH = [(n, n + 1) for n in range(24)]


@pytest.mark.parametrize("kind", LABELS)
def test_rows_stand_in_the_order_of_the_values(kind):
    """A path in three containers, listed backwards, is the matrix of a path."""
    ends = [(LABELS[kind](b), LABELS[kind](a)) for a, b in reversed(PATH)]
    wanted = [LABELS[kind](n) for n in range(25)]
    path, graph = nx.to_numpy_array(nx.path_graph(25)), nx.Graph(ends)
    frame = pd.DataFrame({"source": [a for a, _ in ends], "target": [b for _, b in ends]})
    for given in (graph, frame):
        assert np.array_equal(as_adjacency(given).toarray(), path)
        assert labels_of(given) == wanted
    likes = nx.Graph()
    likes.add_nodes_from(reversed(wanted), bipartite=0)
    likes.add_nodes_from([("item", label) for label in reversed(wanted)], bipartite=1)
    likes.add_weighted_edges_from((a, ("item", b), 3) for a, b in ends)
    frame = pd.DataFrame({"user": [a for a, _ in ends], "item": [b for _, b in ends], "rating": 3})
    for given in (likes, frame):
        table = as_matrix(given)
        assert table.nnz == 24
        assert np.array_equal(table.toarray()[-24:, -25:][:, :24], 3 * np.eye(24))
        assert labels_of(given)[0][-24:] == wanted[1:]


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
            labels_of(nx.Graph([tuple(pair)]))


def test_the_labels_of_a_matrix_are_its_numbers():
    assert labels_of(sparse.csr_array((2, 3))) == (range(2), range(3))
    assert labels_of(np.zeros((2, 2)), bipartite=False) == range(2)
    with pytest.raises(ValueError, match="two dimensions"):
        labels_of([1, 2])


def test_an_edge_list_is_put_on_its_frame():
    likes = pd.DataFrame({"user": ["b", "d"], "item": [10, 2]})
    frame = {"users": pd.Index(list("dcba")), "items": {2, 10, 3}}
    assert as_matrix(likes, **frame).toarray().tolist() == [
        [0, 0, 0], [0, 0, 1], [0, 0, 0], [1, 0, 0],
    ]  # fmt: skip
    assert labels_of(likes, **frame) == (list("abcd"), [2, 3, 10])
    assert as_matrix(likes[:0], users=["a"], items=range(2)).shape == (1, 2)  # no edge at all
    friends = pd.DataFrame({"source": [3], "target": [1]})
    assert as_adjacency(friends, nodes=np.arange(4)).toarray()[1].tolist() == [0, 0, 0, 1]
    assert labels_of(friends, nodes=range(4)) == [0, 1, 2, 3]
    for given, frame, sentence in (
        (likes, {"users": list("ab"), "items": range(11)}, "labels of its frame only, got 'd'"),
        (likes, {"users": list("abcdd")}, "each once, got 'd' beside 'd'"),
        (likes, {"users": "abcd"}, "users must be a list of labels, got 'abcd'"),
        (likes, {"users": []}, "number of users must be an integer between 1"),
        (likes, {"items": np.zeros((2, 2))}, "items must be a list of labels"),
        (likes, {"items": [[1], [2]]}, "items must have labels with one order"),
        (likes, {"items": ["x", 2, 10]}, "items must have labels with one order"),
        (DENSE, {"users": range(2)}, "users must be left out where"),
        (network([[1, 0]]), {"items": range(2)}, "items must be left out where"),
    ):
        with pytest.raises((TypeError, ValueError), match=sentence):
            as_matrix(given, **frame)


def test_bad_tables_are_refused():
    mixed = nx.Graph([("u1", "u2"), ("u1", "i1")])
    nx.set_node_attributes(mixed, {"u1": 0, "u2": 0, "i1": 1}, "bipartite")
    for data, sentence in (
        (pd.DataFrame({"a": [1], "b": [2]}), "edge list with columns user, item"),
        (pd.DataFrame([[1, 2, 3]], columns=["user", "item", "item"]), "each once"),
        (pd.DataFrame({"user": [1], "item": [2], "rating": ["good"]}), "in its column rating"),
        (nx.path_graph(3), "node attribute bipartite"),
        (nx.path_graph(3), r"as a matrix: networkx.to_scipy_sparse_array\(graph\)"),
        (mixed, "with edges between the two"),
        (sparse.csr_array((1, 2**32), dtype=np.int8), r"fewer than 2\^31 columns"),
        (sparse.csr_array(([1, 1, 1], [2, 0, 2], [0, 0, 3]), shape=(2, 3)), r"\(1, 2\) twice"),
    ):
        with pytest.raises((ValueError, TypeError), match=sentence):
            as_matrix(data, name="table")


def test_a_stored_zero_survives_every_format_that_lists_its_cells():
    stored = sparse.csr_array(([5, 0, 1], [0, 2, 1], [0, 2, 3]), shape=(2, 3))
    for form in ("csr", "csc", "coo", "lil"):
        assert as_matrix(stored.asformat(form)).indices.tolist() == [0, 2, 1], form


def test_same_column_in_neighbouring_rows_is_no_duplicate():
    matrix = sparse.csr_array(([1, 1, 1], [2, 2, 2], [0, 1, 1, 2, 3]), shape=(4, 3))
    assert as_matrix(matrix).nnz == 3


def frame(*edges):
    return pd.DataFrame(list(edges), columns=["user", "item", "rating"][: len(edges[0])])


def test_edge_lists_are_compared_by_their_labels():
    one, other = frame((1, 1), (2, 2)), frame((1, 1), (2, 3))
    assert jaccard_similarity(one, other) == pytest.approx(1 / 3)
    assert jaccard_similarity(one, frame((5, 8), (6, 9))) == 0
    assert sensitive_attribute_imprecision(frame((1, 1, 5), (2, 2, 3)), frame((1, 1, 5))) == 1.5


def test_networkx_graphs_are_compared_by_their_nodes():
    def likes(*edges):
        graph = nx.Graph(list(edges))
        for node in graph:
            graph.nodes[node]["bipartite"] = int(str(node).startswith("i"))
        return graph

    one, other = likes(("u1", "i1"), ("u2", "i2")), likes(("u2", "i2"), ("u1", "i3"))
    assert jaccard_similarity(one, other) == pytest.approx(1 / 3)
    risk = sensitive_attribute_risk(one, other, noise=likes(("u1", "i1"), ("u1", "i3")))
    assert risk.tolist() == [pytest.approx(1 / 3), 1.0]


def test_labels_and_no_labels_do_not_mix():
    with pytest.raises(ValueError, match="must all carry labels of one kind or none"):
        jaccard_similarity(frame((1, 1)), [[1]])
    with pytest.raises(ValueError, match="must all carry labels of one kind or none"):
        disclosure_risk(frame((1, 1)), [[1.0]], direction="original-to-protected")


def test_many_users_keep_their_order_and_ratings_in_other_forms():
    matrix = as_matrix(np.triu(np.arange(1, 626).reshape(25, 25)))
    for form in (to_networkx, to_pandas):
        assert np.array_equal(as_matrix(form(matrix)).toarray(), matrix.toarray())


def test_an_edge_without_positive_weight_is_refused():
    edges = pd.DataFrame({"source": ["a", "b"], "target": ["b", "c"], "weight": [2.0, 0.5]})
    assert as_adjacency(edges).nnz == 4
    for weight in (0.0, -1.0):
        with pytest.raises(ValueError, match=f"positive weight, got {weight}"):
            as_adjacency(edges.assign(weight=[1.0, weight]))


def test_a_column_of_numbers_is_never_dropped():
    stars = pd.DataFrame({"user": [1, 2], "item": [10, 10], "stars": [5, 4]})
    with pytest.raises(ValueError, match=r"got a column 'stars' of numbers; rename it to rating"):
        as_matrix(stars)
    assert as_matrix(stars[["user", "item"]]).data.tolist() == [1, 1]
    named = stars.rename(columns={"stars": "rating"}).assign(timestamp=[7, 8], title=["a", "b"])
    assert as_matrix(named).data.tolist() == [5, 4]


def test_friendships_are_not_a_table_of_users_and_items():
    friends = pd.DataFrame({"source": [0, 0, 1], "target": [1, 2, 2]})
    for door in (as_matrix, lambda frame: smooth_k_anonymize(frame, 2)):
        with pytest.raises(ValueError, match="got a list of friendships"):
            door(friends)
    assert as_adjacency(friends).shape == (3, 3)


def test_the_line_that_lacks_an_id_is_named():
    lines = pd.DataFrame({"user": ["a", None, "b"], "item": [1, 2, 3]}, index=["x", "y", "z"])
    with pytest.raises(ValueError, match=r"got none in the line with index 'y' \(1 such lines"):
        as_matrix(lines)


def test_weights_that_leave_can_be_added():
    graph = to_networkx(sparse.csr_array(np.ones((400, 300), dtype=np.int8)))
    assert graph.size(weight="weight") == 120_000
    assert json.dumps(nx.node_link_data(graph, edges="edges"))


def labelled(*users, dtype=object):
    labels = pd.Series(users, dtype=dtype)
    return pd.DataFrame({"user": labels, "item": range(len(users)), "rating": range(len(users))})


def test_labels_of_any_type_are_compared_or_refused():
    listed = labelled(("b", 1), ("a",))
    assert jaccard_similarity(listed, listed[::-1]) == 1
    plain = as_matrix(labelled("b", "a", dtype=None)).toarray()
    for dtype in ("category", "string"):
        assert np.array_equal(as_matrix(labelled("b", "a", dtype=dtype)).toarray(), plain)
    assert jaccard_similarity(labelled(3, 1, dtype="Int64"), labelled(3, 1, dtype=float)) == 1
    for users, sentence in (
        *(((1, other), "labels that are equal and of different types") for other in (True, 1.0)),
        (([1], [2]), r"names or numbers as labels, got \[1\]; turn lists into tuples"),
    ):
        with pytest.raises((TypeError, ValueError), match=sentence):
            as_matrix(labelled(*users))
    with pytest.raises(ValueError, match=r"ids up to 2\^53 where some are floats"):
        jaccard_similarity(labelled(2**60 + 1, dtype=int), labelled(1.0, dtype=float))
    with pytest.raises(ValueError, match="finite numbers in its column rating"):
        as_matrix(labelled("a", "b").assign(rating=pd.array([1, None], dtype="Int64")))


def test_bad_social_graphs_are_refused():
    for data, sentence in (
        (pd.DataFrame({"source": ["a", "a"], "target": ["b", "b"]}), "duplicate edges"),
        (pd.DataFrame({"source": ["a", "a"], "target": ["a", "b"]}), "self-loops"),
        ([[0, 1, 1], [1, 0, 0], [0, 0, 0]], "must be symmetric"),
        ([[0, 1, 0], [0, 0, 1], [1, 0, 0]], "must be symmetric"),  # as many in as out
        (nx.Graph([(1, 2, {"weight": np.nan})]), "as edge weights"),
        (nx.Graph([(1, 2, {"weight": "x"})]), "as edge weights"),
        (nx.Graph([(np.nan, 1)]), "one order .* got nan"),
        (nx.DiGraph([(1, 2)]), "undirected simple graph"),
    ):
        with pytest.raises(ValueError, match=sentence):
            as_adjacency(data)
