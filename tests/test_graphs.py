"""The door: every form of a graph in, one CSR form out."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from pplab.graphs import as_adjacency, as_matrix, to_networkx, to_pandas

DENSE = np.array([[5, 0, 3], [0, 1, 0]])


def test_round_trips():
    matrix = as_matrix(DENSE)
    assert np.array_equal(as_matrix(to_networkx(matrix)).toarray(), DENSE)
    assert np.array_equal(as_matrix(to_pandas(matrix)).toarray(), DENSE)


def test_edge_list_of_a_social_graph_may_list_each_edge_once_or_twice():
    once = pd.DataFrame({"source": ["a", "b"], "target": ["b", "c"]})
    twice = pd.DataFrame({"source": ["a", "b", "b", "c"], "target": ["b", "a", "c", "b"]})
    expected = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    assert as_adjacency(once).toarray().tolist() == expected
    assert as_adjacency(twice).toarray().tolist() == expected


def test_nodes_of_mixed_types_have_an_order():
    one, two = nx.Graph([(1, "a"), ("a", "b")]), nx.Graph([("b", "a"), ("a", 1)])
    assert np.array_equal(as_adjacency(one).toarray(), as_adjacency(two).toarray())


def test_boolean_array_is_a_graph():
    assert as_matrix(DENSE > 0).nnz == 3


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok", "bsr"])
def test_every_sparse_format(form):
    assert np.array_equal(as_matrix(sparse.coo_array(DENSE).asformat(form)).toarray(), DENSE)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (pd.DataFrame({"a": [1], "b": [2]}), "edge list with columns user, item"),
        (pd.DataFrame({"user": [1, np.nan], "item": [1, 2]}), "no missing ids"),
        (pd.DataFrame({"user": [1, 1], "item": [2, 2]}), "duplicate edges"),
        (nx.path_graph(3), "node attribute bipartite"),
        (np.ones(3), "2-D array"),
        (np.array([["a"]]), "2-D array of numbers"),
        (np.zeros((3, 0)), "must have rows and columns"),
        (sparse.csr_array(([1.0, np.nan], [0, 1], [0, 2]), shape=(1, 2)), "finite"),
        (sparse.csr_array(([1, 1], [0, 0], [0, 2]), shape=(1, 2)), r"cell \(0, 0\) twice"),
        (7, "must be a scipy sparse matrix"),
    ],
)
def test_bad_tables_are_refused(data, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        as_matrix(data, name="table")


def test_same_column_in_neighbouring_rows_is_no_duplicate():
    matrix = sparse.csr_array(([1, 1, 1], [2, 2, 2], [0, 1, 1, 2, 3]), shape=(4, 3))
    assert as_matrix(matrix).nnz == 3
