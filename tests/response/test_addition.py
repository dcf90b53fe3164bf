"""Adding graphs, and the noise graphs that are added."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pplab import bipartite_noise_graph, noise_graph
from pplab.response import add_graphs, bipartite_gilbert_graph, gilbert_graph
from tests.helpers import count_fits

tables = arrays(np.int8, (3, 5), elements=st.integers(0, 1))


@given(tables, tables)
def test_addition_is_the_symmetric_difference(a, b):
    assert np.array_equal(add_graphs(a, b).toarray(), a ^ b)
    assert not add_graphs(a, a).nnz
    assert np.array_equal(add_graphs(add_graphs(a, b), b).toarray(), a)


def test_stored_values_do_not_matter():
    assert not add_graphs([[5, 0, 3]], [[1, 0, 2]]).nnz


@pytest.mark.parametrize("p", [0.01, 0.3])
def test_the_mechanism_is_the_addition_of_a_noise_graph(p):
    graph = nx.gnp_random_graph(80, 0.1, seed=1)
    noise = gilbert_graph(80, flip_probability=p, rng=2)
    published = noise_graph(graph, flip_probability=p, rng=2)
    assert not add_graphs(add_graphs(nx.to_scipy_sparse_array(graph), noise), published).nnz
    likes = np.random.default_rng(3).random((70, 300)) < 0.1
    noise = bipartite_gilbert_graph(70, 300, flip_probability=p, rng=4)
    published = bipartite_noise_graph(likes, flip_probability=p, rng=4)
    assert not add_graphs(add_graphs(likes, noise), published).nnz


def test_a_gilbert_graph_has_its_edges():
    noise = gilbert_graph(600, flip_probability=0.05, rng=5)
    assert count_fits(noise.nnz // 2, 600 * 599 // 2, 0.05)
    assert (noise != noise.T).nnz == 0


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: add_graphs([[1]], [[1, 0]]), "left and right must have the same shape"),
        (lambda: gilbert_graph(0, flip_probability=0.1), "nodes must be an integer at least 1"),
        (lambda: gilbert_graph(3, flip_probability=0.7), "flip_probability"),
        (lambda: bipartite_gilbert_graph(2, 1.5, flip_probability=0.1), "items must be an integer"),
    ],
)
def test_bad_arguments_are_refused(call, sentence):
    with pytest.raises((TypeError, ValueError), match=sentence):
        call()
