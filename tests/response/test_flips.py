"""The flips: right law, same result whatever the threads or the order of the edges."""

import numba
import numpy as np
import pytest
from scipy import sparse

from pplab.response import _flips as coins
from pplab.response import _flips as sampling
from pplab.response import _flips as skips
from pplab.response._flips import flip_cells
from tests.helpers import count_fits, outcomes_fit


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
    assert (published.data.dtype, published.indices.dtype) == (np.int8, np.int32)
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
def test_neighbouring_cells_flip_independently(p):
    graph = graph_of(np.zeros((60_000, 66)))
    _, flipped = flips(graph, p, seed=5)
    for left, right in [(0, 1), (31, 32), (63, 64), (0, 65)]:
        both = 2 * flipped[:, left] + flipped[:, right]
        counts = np.bincount(both, minlength=4)
        assert outcomes_fit(counts, [(1 - p) ** 2, p * (1 - p), p * (1 - p), p * p])


@pytest.mark.parametrize("p", [0.0035, 0.25])
def test_neighbouring_rows_and_seeds_are_independent(p):
    graph = graph_of(np.zeros((2, 200_000)))
    _, one = flips(graph, p, seed=6)
    _, two = flips(graph, p, seed=7)
    expected = [(1 - p) ** 2, p * (1 - p), p * (1 - p), p * p]
    assert outcomes_fit(np.bincount(2 * one[0] + one[1], minlength=4), expected)
    assert outcomes_fit(np.bincount(2 * one[0] + two[0], minlength=4), expected)


@pytest.mark.parametrize("p", [0.002, 0.3])
def test_upper_triangle_alone_is_touched(p):
    graph = sparse.csr_array(sparse.triu(random_graph(300, 300, 0.2, seed=8), k=1, format="csr"))
    published, flipped = flips(graph, p, seed=9, upper_triangle=True)
    assert not np.tril(flipped).any()
    assert count_fits(flipped.sum(), 300 * 299 // 2, p)
    assert published.has_sorted_indices


def test_zero_flips_nothing_and_half_is_a_fair_coin():
    graph = random_graph(50, 200, 0.2, seed=10)
    assert not flips(graph, 0.0, seed=11)[1].any()
    published, _ = flips(graph, 0.5, seed=11)
    assert count_fits(published.nnz, 50 * 200, 0.5)


@pytest.mark.parametrize("p", [0.001, 0.4])
def test_threads_do_not_change_the_result(p, monkeypatch):
    """One thread, two threads, and the plain loop that small graphs take."""
    graph = random_graph(1500, 800, 0.05, seed=12)  # large enough to be threaded
    before = numba.get_num_threads()
    results = []
    monkeypatch.setattr(sampling, "_WORTH_THREADS", 2**62)
    results.append(flips(graph, p, seed=13)[0])
    monkeypatch.undo()
    try:
        for threads in (1, min(2, numba.config.NUMBA_NUM_THREADS)):
            numba.set_num_threads(threads)
            results.append(flips(graph, p, seed=13)[0])
    finally:
        numba.set_num_threads(before)
    for other in results[1:]:
        assert np.array_equal(results[0].indices, other.indices)
        assert np.array_equal(results[0].indptr, other.indptr)


@pytest.mark.parametrize("p", [0.01, 0.3])
def test_too_little_room_changes_nothing(p, monkeypatch):
    """Rows with more flips, releases with more edges than anyone expects are still exact."""
    graph = random_graph(300, 500, 0.1, seed=16)
    expected = flips(graph, p, seed=17)[0]
    monkeypatch.setattr(skips, "_most_flips", lambda *_: 2)
    for module in (skips, coins):
        monkeypatch.setattr(module, "empty_release", lambda *_: np.empty(1, dtype=np.int32))
    monkeypatch.setattr(skips, "_BLOCK_ENTRIES", 100)
    monkeypatch.setattr(coins, "_BLOCK_WORDS", 100)
    assert (flips(graph, p, seed=17)[0] != expected).nnz == 0


def test_rows_wider_than_a_block():
    graph = random_graph(3, 600_000, 0.01, seed=18)
    for p in (0.001, 0.1):
        _, flipped = flips(graph, p, seed=19)
        assert count_fits(flipped.sum(), flipped.size, p)


@pytest.mark.parametrize("p", [0.005, 0.1])
def test_empty_and_full_graphs(p):
    for density in (0.0, 1.0):
        _, flipped = flips(random_graph(200, 300, density, seed=20), p, seed=21)
        assert count_fits(flipped.sum(), flipped.size, p)
