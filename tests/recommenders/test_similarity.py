"""Similarities and the sums over similar users against enumeration on small graphs."""

import itertools
import tracemalloc
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from pplab.graphs import as_adjacency
from pplab.recommenders import _similarity, similarity, similarity_times, utilities
from pplab.recommenders._similarity import PATHS, RowPlan, closed_walks, most_walks
from pplab.recommenders.similarity import MEASURES, Similarity, similarity_matrix, sparse_sums
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


# The compiled sums over similar users against the formulas, which give the matrix itself.


@pytest.mark.parametrize("how", EVERY, ids=str)
def test_the_compiled_form_is_the_formula(how):
    """Bit for bit where the matrix itself is asked for; sums to their rounding."""
    rng = np.random.default_rng(1)
    graph = as_adjacency(random_graph(200, 900, seed=1))
    matrix = similarity_matrix(graph, how)
    same = sparse_sums(graph, how, sparse.eye_array(200, format="csr"), np.arange(200))
    for part in ("data", "indices", "indptr"):
        for made in (same, similarity(graph, **asdict(how))):
            assert np.array_equal(getattr(made, part), getattr(matrix, part))
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
    # one 1 in each row is counted in small integers, a 2 is summed in full
    assert (similarity_times(graph, 2 * members, **asdict(how)) == 2 * result).all()


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


def test_more_results_than_memory_was_taken_for(monkeypatch):
    graph = random_graph(300, 1200, seed=6)
    table = sparse.random(300, 40, density=0.1, rng=7, format="csr")
    expected = similarity_times(graph, table, measure="cn")
    monkeypatch.setattr(_similarity, "_FIRST_CELLS", 3)
    result = similarity_times(graph, table, measure="cn")
    assert (result != expected).nnz == 0
    assert result.nnz == expected.nnz


@settings(max_examples=50, deadline=None)
@given(graphs())
def test_walks_against_powers_of_the_adjacency(graph):
    a = np.array(graph)
    csr = sparse.csr_array(a)
    places = csr.indptr.astype(np.int64), csr.indices.astype(np.uint32)
    plan = RowPlan(PATHS, False, (1.0, 0.0), True, False, *places, np.ones(len(a)))
    assert closed_walks(plan).tolist() == np.diag(a @ a @ a).tolist()
    assert most_walks(plan) == (a + a @ a + a @ a @ a).sum(axis=1).max()


def test_counts_too_large_for_small_integers_are_summed_in_full(monkeypatch):
    graph = random_graph(60, 300, seed=11)
    members = np.eye(6)[np.arange(60) % 6]
    counted = similarity_times(graph, members, measure="katz")
    monkeypatch.setattr(_similarity, "most_walks", lambda _: 2**31)
    assert (similarity_times(graph, members, measure="katz") == counted).all()


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
    monkeypatch.setattr(_similarity, "_FIRST_CELLS", 2**55)
    friends = sparse.csr_array(([1.0, 1.0], ([0, 1], [1, 0])), shape=(10**6, 10**6))
    with pytest.raises(
        MemoryError, match=r"need [\d,.]+ GiB, and .* ask for fewer users at a time"
    ):
        utilities(friends, sparse.csr_array((10**6, 2**31 - 1)), measure="cn")
