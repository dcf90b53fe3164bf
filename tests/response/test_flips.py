"""The flips: right law, same result whatever the threads or the order; addition of noise graphs."""

import numpy as np
import pytest
from scipy import sparse

from pplab import bipartite_noise_graph, noise_graph
from pplab.graphs import as_adjacency, as_biadjacency
from pplab.response import _flips
from pplab.response._flips import flip_cells
from tests.helpers import by_threads, count_fits, outcomes_fit


def graph_of(dense):
    return sparse.csr_array(np.asarray(dense, dtype=np.int8))


def random_graph(rows, columns, density, seed):
    return graph_of(np.random.default_rng(seed).random((rows, columns)) < density)


def flips(graph, p, seed, **options):
    published = flip_cells(graph, flip_probability=p, rng=np.random.default_rng(seed), **options)
    return published, published.toarray() != graph.toarray()


# Both ways of drawing (skipping below 2^-6, coins above) and the seam between them.
@pytest.mark.parametrize("p", [0.0005, 0.0156, 0.015625, 0.3, 0.4999])
def test_flip_counts_over_all_cells(p):
    graph = random_graph(400, 1501, 0.1, seed=1)
    published, flipped = flips(graph, p, seed=2)
    assert count_fits(flipped.sum(), flipped.size, p)
    assert published.has_canonical_format
    assert (published.data.dtype, published.indices.dtype) == (np.int32, np.int32)
    assert np.array_equal(flips(graph, p, seed=2)[1], flipped)
    edges = graph.toarray() == 1
    assert count_fits(flipped[edges].sum(), edges.sum(), p)  # edges vanish as often as they appear


@pytest.mark.parametrize("p", [0.003, 0.2])
def test_every_column_flips_alike(p):
    """Word borders, first and last columns included."""
    graph = random_graph(8_000, 131, 0.3, seed=3)
    _, flipped = flips(graph, p, seed=4)
    assert all(count_fits(c, 8_000, p, alpha=1e-6 / 131) for c in flipped.sum(axis=0))


@pytest.mark.parametrize("p", [0.0035, 0.25])
def test_cells_rows_and_seeds_are_independent(p):
    graph = graph_of(np.zeros((40_000, 66)))
    (_, one), (_, two) = (flips(graph, p, seed=seed) for seed in (5, 6))
    expected = [(1 - p) ** 2, p * (1 - p), p * (1 - p), p * p]
    pairs = [(one[:, left], one[:, right]) for left, right in [(0, 1), (31, 32), (63, 64), (0, 65)]]
    pairs += [(one[:-1, 7], one[1:, 7]), (one[:, 9], two[:, 9]), (one[0::2, 64], one[1::2, 64])]
    for left, right in pairs:
        assert outcomes_fit(np.bincount(2 * left + right, minlength=4), expected)


@pytest.mark.parametrize("p", [0.002, 0.3])
def test_upper_triangle_alone_is_touched(p):
    graph = sparse.csr_array(sparse.triu(random_graph(300, 300, 0.2, seed=8), k=1, format="csr"))
    published, flipped = flips(graph, p, seed=9, upper_triangle=True)
    assert not np.tril(flipped).any()
    assert count_fits(flipped.sum(), 300 * 299 // 2, p)
    assert published.has_sorted_indices


@pytest.mark.parametrize("p", [0.001, 0.4])
def test_threads_do_not_change_the_result(p, monkeypatch):
    """One thread, two threads, and all rows at once, as for small graphs."""
    graph = random_graph(1500, 800, 0.05, seed=12)
    monkeypatch.setattr(_flips, "_WORTH_THREADS", 0)
    threaded = by_threads(lambda: flips(graph, p, seed=13)[0])
    monkeypatch.setattr(_flips, "_WORTH_THREADS", 2**62)
    plain = flips(graph, p, seed=13)[0]
    for other in threaded:
        assert np.array_equal(plain.indices, other.indices)
        assert np.array_equal(plain.indptr, other.indptr)


@pytest.mark.parametrize("p", [0.01, 0.3])
def test_small_buffers_change_nothing(p, monkeypatch):
    """Rows with more flips, releases with more edges than anyone expects are still exact."""
    graph = random_graph(300, 500, 0.1, seed=16)
    expected = flips(graph, p, seed=17)[0]
    monkeypatch.setattr(_flips, "_row_capacity", lambda *_: 2)
    monkeypatch.setattr(_flips, "_empty_release", lambda *_: np.empty(1, dtype=np.int32))
    monkeypatch.setattr(_flips, "_BLOCK_ENTRIES", 100)
    monkeypatch.setattr(_flips, "_BLOCK_WORDS", 100)
    assert (flips(graph, p, seed=17)[0] != expected).nnz == 0


@pytest.mark.parametrize("p", [0.0, 0.001, 0.005, 0.1, 0.5])
def test_empty_full_and_wide_graphs(p):
    """The last one has rows wider than a block."""
    for shape, density in (((200, 300), 0.0), ((200, 300), 1.0), ((3, 600_000), 0.01)):
        _, flipped = flips(random_graph(*shape, density, seed=20), p, seed=21)
        assert count_fits(flipped.sum(), flipped.size, p)


# Noise-graph addition: the law counts flips, invariances, refusals (samples: test_mechanism).


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


def test_what_leaves_can_be_multiplied():
    """A release of int8 ones wrapped at 128 common items."""
    everything = np.ones((3, 500), dtype=np.int8)
    likes = as_biadjacency(everything)
    release = bipartite_noise_graph(everything, flip_probability=0.0)
    for table in (likes, release):
        assert ((table @ table.T).toarray() == 500).all()
    friends = as_adjacency(1 - np.eye(300, dtype=np.int8))
    assert (friends @ friends).max() == 299
