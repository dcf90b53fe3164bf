"""Sums over similar users against the similarity matrix times the table."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from pplab.recommenders import similarity_gather, similarity_katz
from pplab.recommenders.similarity import similarity
from pplab.recommenders.similarity_products import closed_walks
from pplab.recommenders.similarity_rows import plan_rows
from pplab.recommenders.similarity_sums import similarity_times
from pplab.recommenders.similarity_walks import most_walks
from tests.recommenders.social_twins import MEASURES, graphs, random_graph, slow_similarity

OPTIONS = [
    {"self_similarity": keep, "paths": paths}
    for keep in (False, True)
    for paths in ("simple", "walks")
]


@pytest.mark.parametrize("measure", MEASURES)
@settings(max_examples=30, deadline=None)
@given(graph=graphs(), options=st.sampled_from(OPTIONS), seed=st.integers(0, 9))
def test_against_enumeration(measure, graph, options, seed):
    table = np.random.default_rng(seed).integers(0, 3, (len(graph), 4))
    expected = slow_similarity(graph, measure, **options) @ table
    dense = similarity_times(graph, table, measure=measure, **options)
    few = similarity_times(graph, sparse.csr_array(table), measure=measure, **options)
    assert np.allclose(dense, expected, rtol=1e-12, atol=0)
    assert np.allclose(few.toarray(), expected, rtol=1e-12, atol=0)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("weighted", [False, True])
def test_against_the_similarity_matrix(measure, options, weighted):
    rng = np.random.default_rng(1)
    graph = random_graph(200, 900, seed=1)
    table = sparse.random(200, 90, density=0.05, rng=rng, format="csr")
    if not weighted:
        table.data[:] = 1
    users = rng.permutation(200)[:70]
    expected = (similarity(graph, measure=measure, **options) @ table).toarray()[users]
    few = similarity_times(graph, table, measure=measure, users=users, **options)
    assert few.has_canonical_format
    assert few.data.all()
    assert np.allclose(few.toarray(), expected, rtol=1e-12, atol=0)
    dense = similarity_times(graph, table.toarray(), measure=measure, users=users, **options)
    assert isinstance(dense, np.ndarray)
    assert np.allclose(dense, expected, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("measure", MEASURES)
def test_memberships_give_zero_exactly_where_nobody_is_similar(measure):
    graph = random_graph(200, 300, seed=2)
    members = np.eye(20)[np.random.default_rng(3).integers(0, 20, 200)]
    expected = similarity(graph, measure=measure) @ members
    found = similarity_times(graph, members, measure=measure)
    assert ((found == 0) == (expected == 0)).all()
    assert (found >= 0).all()


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


def test_more_results_than_room_was_made_for(monkeypatch):
    graph = random_graph(300, 1200, seed=6)
    table = sparse.random(300, 40, density=0.1, rng=7, format="csr")
    expected = similarity_times(graph, table, measure="cn")
    monkeypatch.setattr(similarity_gather, "_FIRST_ROOM", 3)
    found = similarity_times(graph, table, measure="cn")
    assert (found != expected).nnz == 0
    assert found.nnz == expected.nnz


@settings(max_examples=50, deadline=None)
@given(graphs())
def test_closed_walks_are_the_diagonal_of_the_cube(graph):
    a = np.array(graph)
    plan = plan_rows(sparse.csr_array(a), "katz", False, "simple")
    assert closed_walks(plan).tolist() == np.diag(a @ a @ a).tolist()


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


GRAPH = [[0, 1], [1, 0]]


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        ([[1], [2], [3]], "must have the same users, got 2 and 3"),
        (sparse.csr_array([[1], [2], [3]]), "must have the same users, got 2 and 3"),
        ([1, 2], "a table of numbers with a row per user, got shape"),
        ([[1], [2, 3]], "a table of numbers with a row per user"),
        ([["a"], ["b"]], "a table of numbers with a row per user"),
        ([[1], [np.nan]], "must hold finite numbers, got nan"),
        ([[1], [np.inf]], "must hold finite numbers, got inf"),
        (sparse.csr_array([[1], [np.nan]]), "finite"),
    ],
)
def test_other_tables_are_refused(matrix, words):
    with pytest.raises(ValueError, match=words):
        similarity_times(GRAPH, matrix, measure="cn")


@pytest.mark.parametrize("users", [[2], [-1], [], [0.0], [True], "0", 1])
@pytest.mark.parametrize("matrix", [[[1], [2]], sparse.csr_array([[1], [2]])])
def test_other_users_are_refused(users, matrix):
    with pytest.raises(ValueError, match="users must be"):
        similarity_times(GRAPH, matrix, measure="cn", users=users)


@pytest.mark.parametrize("paths", ["simple", "walks"])
@pytest.mark.parametrize("self_similarity", [False, True])
def test_katz_counts_memberships_as_it_sums_any_table(paths, self_similarity):
    """A table with one 1 in each row is counted in small integers, one with a 2 summed in full."""
    graph = random_graph(200, 900, seed=9)
    options = {"measure": "katz", "paths": paths, "self_similarity": self_similarity}
    members = np.eye(20)[np.random.default_rng(10).integers(0, 20, 200)]
    counted = similarity_times(graph, members, **options)
    assert (similarity_times(graph, 2 * members, **options) == 2 * counted).all()


def test_counts_too_large_for_small_integers_are_summed_in_full(monkeypatch):
    graph = random_graph(60, 300, seed=11)
    members = np.eye(6)[np.arange(60) % 6]
    counted = similarity_times(graph, members, measure="katz")
    monkeypatch.setattr(similarity_katz, "most_walks", lambda _: 2**31)
    assert (similarity_times(graph, members, measure="katz") == counted).all()


@settings(max_examples=50, deadline=None)
@given(graphs())
def test_most_walks_bounds_all_steps(graph):
    a = np.array(graph)
    plan = plan_rows(sparse.csr_array(a), "katz", False, "simple")
    assert most_walks(plan) == (a + a @ a + a @ a @ a).sum(axis=1).max()


@pytest.mark.parametrize("columns", [2**16, 2**16 + 1])
@pytest.mark.parametrize("weighted", [False, True])
def test_tables_wider_than_narrow_numbers(columns, weighted):
    """Up to 65,536 columns their numbers are held in two bytes."""
    graph = random_graph(20, 40, seed=12)
    places = np.arange(20), np.linspace(0, columns - 1, 20).astype(int)
    values = np.arange(1, 21) / 2 if weighted else np.ones(20)
    table = sparse.coo_array((values, places), shape=(20, columns)).tocsr()
    found = similarity_times(graph, table, measure="katz")
    expected = similarity(graph, measure="katz") @ table
    assert found.nnz == expected.nnz
    assert np.allclose((found - expected).data, 0, atol=1e-12)


def test_users_similar_to_few_or_to_most():
    """In a long row of friends nobody reaches most users; the middle of a star reaches all."""
    path = np.eye(400, k=1, dtype=np.int8) + np.eye(400, k=-1, dtype=np.int8)
    star = path.copy()
    star[0, 1:] = star[1:, 0] = 1
    table = sparse.random(400, 30, density=0.2, rng=13, format="csr")
    for graph in (path, star):
        for measure in MEASURES:
            found = similarity_times(graph, table, measure=measure).toarray()
            expected = similarity(graph, measure=measure).toarray() @ table.toarray()
            assert np.allclose(found, expected, rtol=1e-12, atol=1e-15)
