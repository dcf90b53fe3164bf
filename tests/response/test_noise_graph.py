"""Noise-graph addition: the law counts flips, invariances, refusals (samples: test_mechanism)."""

import numpy as np
import pytest
from scipy import sparse

from pplab import bipartite_noise_graph, noise_graph
from pplab.graphs import as_adjacency, as_biadjacency


@pytest.mark.parametrize("p", [0.01, 0.3])
def test_the_mechanism_is_the_addition_of_a_noise_graph(p):
    """The same seed flips the same cells, whatever the graph."""
    rng = np.random.default_rng(1)
    likes, social = rng.random((70, 300)) < 0.1, np.triu(rng.random((80, 80)) < 0.1, k=1)
    for function, graph in ((bipartite_noise_graph, likes), (noise_graph, social | social.T)):
        noise = function(np.zeros(graph.shape), flip_probability=p, rng=2).toarray()
        published = function(graph, flip_probability=p, rng=2)
        assert np.array_equal(published.toarray(), graph ^ noise)
    assert (published != published.T).nnz == 0
    assert not published.diagonal().any()
    assert published.has_sorted_indices
    assert published.dtype == np.int32


def test_a_stored_zero_is_an_edge_and_the_input_is_left_alone():
    matrix = sparse.csr_array(([0.0, 4.0], [2, 0], [0, 2]), shape=(1, 3))  # unsorted on purpose
    assert bipartite_noise_graph(matrix, flip_probability=0.0).nnz == 2
    assert matrix.indices.tolist() == [2, 0]


def test_what_leaves_can_be_multiplied():
    """A release of int8 ones wrapped at 128 common items."""
    everything = np.ones((3, 500), dtype=np.int8)
    likes = as_biadjacency(everything)
    release = bipartite_noise_graph(everything, flip_probability=0.0)
    for table in (likes, release):
        assert ((table @ table.T).toarray() == 500).all()
    friends = as_adjacency(1 - np.eye(300, dtype=np.int8))
    assert (friends @ friends).max() == 299
