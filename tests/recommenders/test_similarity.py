"""Similarities and the sums over similar users against enumeration on small graphs."""

import itertools
import tracemalloc
from dataclasses import asdict
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from pplab.graphs import as_adjacency
from pplab.recommenders import _similarity
from pplab.recommenders._similarity import _closed_walks, lay_out
from pplab.recommenders.similarity import (
    MEASURES,
    Similarity,
    similarity,
    similarity_times,
    sparse_sums,
)
from pplab.recommenders.utilities import utilities
from tests.helpers import mirrored
from tests.oracles import slow_similarity


@st.composite
def graphs(draw, least=2, most=7):
    """Adjacency of an undirected graph, as a list of lists."""
    size = draw(st.integers(least, most))
    cells = st.lists(st.integers(0, 1), min_size=size**2, max_size=size**2)
    return mirrored(np.reshape(draw(cells), (size, size))).tolist()


def random_graph(size, links, seed):
    """A graph with about so many links, some users of high degree, some isolated."""
    rng = np.random.default_rng(seed)
    ends = (size * rng.random((links, 2)) ** 2).astype(int)
    graph = np.zeros((size, size), dtype=np.int8)
    graph[ends[:, 0], ends[:, 1]] = graph[ends[:, 1], ends[:, 0]] = 1
    np.fill_diagonal(graph, 0)
    return graph


EVERY = [
    Similarity(*how) for how in itertools.product(MEASURES, ("simple", "walks"), (False, True))
]


@settings(max_examples=250, deadline=None)
@given(graph=graphs(), which=st.sampled_from(EVERY))
def test_against_enumeration(graph, which):
    options = asdict(which)
    result = similarity(graph, **options)
    expected = slow_similarity(graph, options.pop("measure"), **options)
    assert np.allclose(result.toarray(), expected, rtol=1e-12, atol=0)
    assert result.nnz == np.count_nonzero(expected)


def test_canonical_and_symmetric_to_the_last_bit():
    graph = random_graph(150, 600, seed=1)
    for how in EVERY:
        result = similarity(graph, **asdict(how))
        assert (result.data > 0).all()
        fresh = sparse.csr_array((result.data, result.indices, result.indptr), shape=result.shape)
        assert fresh.has_canonical_format  # looked at anew by scipy
        assert (result.toarray() == result.toarray().T).all()


def by_powers(graph, *, paths, self_similarity):
    """Katz from powers of the adjacency, at a size that sequences of users do not reach."""
    a, degrees = graph.astype(float), graph.sum(axis=1)
    three = a @ a @ a
    if paths == "simple":
        three -= a * (degrees[:, None] + degrees - 1)
    result = 0.05 * a + 0.05**2 * (a @ a) + 0.05**3 * three
    keeps = self_similarity and paths == "walks"
    return result if keeps else result * (1 - np.eye(len(a)))


@pytest.mark.parametrize("how", EVERY, ids=str)
def test_sums_over_similar_users_are_products_with_the_matrix(how):
    rng, options = np.random.default_rng(1), asdict(how)
    small = random_graph(200, 900, seed=1)
    graph, matrix = as_adjacency(small), similarity(small, **options)
    measure = options.pop("measure")
    slow = by_powers if measure == "katz" else partial(slow_similarity, measure=measure)
    assert np.allclose(matrix.toarray(), slow(small, **options), rtol=1e-12, atol=1e-15)
    same = sparse_sums(graph, how, sparse.eye_array(200, format="csr"), np.arange(200))
    for part in ("data", "indices", "indptr"):
        assert np.array_equal(getattr(same, part), getattr(matrix, part))
    weighted = sparse.random(200, 90, density=0.05, rng=rng, format="csr")
    ones = weighted.copy()
    ones.data[:] = 1
    users = rng.permutation(200)[:70]
    for table in (weighted, ones):
        expected = (matrix @ table).toarray()[users]
        few = similarity_times(graph, table, **asdict(how), users=users)
        assert few.has_canonical_format
        assert few.data.all()
        assert np.allclose(few.toarray(), expected, rtol=1e-12, atol=0)
        dense = similarity_times(graph, table.toarray(), **asdict(how), users=users)
        assert np.allclose(dense, expected, rtol=1e-9, atol=1e-15)
    members = np.eye(20)[rng.integers(0, 20, 200)]
    result = similarity_times(graph, members, **asdict(how))
    assert ((result == 0) == (matrix @ members == 0)).all()  # zero exactly where nobody is similar
    assert (result >= 0).all()


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("dense", [False, True])
def test_rows_depend_neither_on_threads_nor_on_company(measure, dense, monkeypatch):
    graph = random_graph(300, 1200, seed=4)
    table = sparse.random(300, 40, density=0.1, rng=5, format="csr")
    table = table.toarray() if dense else table
    results = []
    for threads in (1, 2):
        monkeypatch.setattr("numba.get_num_threads", lambda count=threads: count)
        results.append(similarity_times(graph, table, measure=measure))
    alone = similarity_times(graph, table, measure=measure, users=[17])
    everybody, again, one = (x if dense else x.toarray() for x in (*results, alone))
    assert (everybody == again).all()
    assert (everybody[17] == one[0]).all()


@settings(max_examples=50, deadline=None)
@given(graphs())
def test_walks_against_powers_of_the_adjacency(graph):
    a = np.array(graph)
    closed = _closed_walks(lay_out(sparse.csr_array(a)))
    assert closed.tolist() == np.diag(a @ a @ a).tolist()


def test_nothing_of_size_users_by_users():
    """8,000 users: their similarities would take 512 MB, the sums take a small part of that."""
    size = 8_000
    ends = np.random.default_rng(8).integers(0, size, (2, 6 * size))
    ends = ends[:, ends[0] != ends[1]]
    graph = sparse.coo_array((np.ones(ends.shape[1]), tuple(ends)), shape=(size, size)).tocsr()
    graph = ((graph + graph.T) > 0).astype(np.int8)
    members = np.eye(10)[np.arange(size) % 10]
    tracemalloc.start()
    similarity_times(graph, members, measure="katz")
    similarity_times(graph, sparse.csr_array(members), measure="katz")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < size * size  # bytes: an eighth of such a matrix


def test_utilities_without_room_say_what_to_do(monkeypatch):
    def full(*_, **__):
        raise MemoryError

    monkeypatch.setattr(_similarity, "in_threads", full)
    with pytest.raises(
        MemoryError, match=r"need [\d,.]+ GiB, and .* ask for fewer users at a time"
    ):
        utilities([[0, 1], [1, 0]], [[1, 0], [0, 1]], measure="cn")
