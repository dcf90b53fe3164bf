"""The door to all mechanisms: lists from the definition, invariances, odd users, bad input."""

import networkx as nx
import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from pplab.recommenders.recommend import recommend
from pplab.recommenders.similarity import similarity

INF = float("inf")
MEASURES = ["cn", "gd", "aa", "katz", "jaccard", "resource-allocation"]
PRIVATE = ["cluster", "nou", "noe", "lrm", "gs"]
USERS, ITEMS = 30, 50


def graphs(seed, users=USERS, items=ITEMS):
    drawn = nx.gnp_random_graph(users, 5 / users, seed=seed)
    social = sparse.csr_array(nx.to_scipy_sparse_array(drawn, dtype=np.int8, weight=None))
    likes = np.random.default_rng(seed).random((users, items)) < 0.15
    return social, sparse.csr_array(likes.astype(np.float64))


def options(method, users=USERS):
    if method == "cluster":
        return {"clusters": np.arange(users) % 4}
    return {"group_size": 3} if method == "gs" else {}


def ask(social, likes, method, **changes):
    settings = {"epsilon": 1.0, "measure": "cn", "top_n": 10, "return_utilities": True, "rng": 7}
    return recommend(
        social, likes, method=method, **{**settings, **options(method, likes.shape[0]), **changes}
    )


def assert_sorted_lists(found, items):
    """Different items, falling utilities, equal ones by number."""
    assert found.items.dtype == np.int64
    assert ((found.items >= 0) & (found.items < items)).all()
    steps = np.diff(found.utilities, axis=1)
    assert (steps <= 0).all()
    assert (np.diff(found.items, axis=1)[steps == 0] > 0).all()
    assert (np.diff(np.sort(found.items), axis=1) > 0).all()


@pytest.mark.parametrize("measure", MEASURES)
def test_exact_lists_from_the_definition(measure):
    social, likes = graphs(1)
    mu = similarity(social, measure=measure).toarray() @ likes.toarray()
    found = ask(social, likes, "exact", measure=measure)
    assert_sorted_lists(found, ITEMS)
    assert np.allclose(found.utilities, np.take_along_axis(mu, found.items, axis=1))
    assert np.allclose(found.utilities, -np.sort(-mu, axis=1)[:, :10])


@pytest.mark.parametrize("measure", MEASURES)
def test_cluster_lists_from_equations_3_and_4(measure):
    social, likes = graphs(2)
    labels = np.arange(USERS) % 4
    means = np.array([likes.toarray()[labels == c].mean(axis=0) for c in range(4)])
    weights = similarity(social, measure=measure).toarray()
    sums = np.stack([weights[:, labels == c].sum(axis=1) for c in range(4)], axis=1)
    found = ask(social, likes, "cluster", measure=measure, epsilon=INF, clusters=labels)
    assert_sorted_lists(found, ITEMS)
    assert np.allclose(found.utilities, -np.sort(-(sums @ means), axis=1)[:, :10])


def test_clusters_of_one_without_noise_are_exact():
    social, likes = graphs(3)
    found = ask(social, likes, "cluster", epsilon=INF, clusters=np.arange(USERS))
    assert np.array_equal(found.items, ask(social, likes, "exact").items)


@pytest.mark.parametrize("method", ["nou", "noe"])
def test_no_noise_means_exact(method):
    social, likes = graphs(4)
    found, exact = ask(social, likes, method, epsilon=INF), ask(social, likes, "exact")
    assert np.array_equal(found.items, exact.items)
    assert np.array_equal(found.utilities, exact.utilities)
    nearly = ask(social, likes, method, epsilon=1e9)
    assert np.allclose(nearly.utilities, exact.utilities, atol=1e-5)


@pytest.mark.parametrize("method", PRIVATE)
def test_noise_moves_lists_and_seeds_repeat_them(method):
    social, likes = graphs(5)
    found = ask(social, likes, method, epsilon=0.1)
    assert found.items.shape == found.utilities.shape == (USERS, 10)
    assert_sorted_lists(found, ITEMS)
    assert np.array_equal(found.items, ask(social, likes, method, epsilon=0.1).items)
    assert not np.array_equal(found.items, ask(social, likes, method, epsilon=0.1, rng=8).items)
    assert not np.array_equal(found.items, ask(social, likes, "exact").items)


@pytest.mark.parametrize("method", [*PRIVATE, "exact", "random"])
def test_some_users_get_what_they_get_among_all(method):
    social, likes = graphs(6)
    rows = [11, 2, 29]
    everyone = ask(social, likes, method)
    some = ask(social, likes, method, users=rows)
    assert np.array_equal(some.items, everyone.items[rows])


@pytest.mark.parametrize("method", ["exact", "cluster", "nou", "noe", "random"])
def test_threads_and_the_order_of_edges_change_nothing(method):
    social, likes = graphs(7, users=150, items=400)
    shuffled = []
    for matrix in (social, likes):
        edges = sparse.coo_array(matrix)
        order = np.random.default_rng(8).permutation(edges.nnz)
        parts = (edges.data[order], (edges.row[order], edges.col[order]))
        shuffled.append(sparse.coo_array(parts, shape=edges.shape))
    before, found = numba.get_num_threads(), []
    try:
        for threads in (1, min(2, numba.config.NUMBA_NUM_THREADS)):
            numba.set_num_threads(threads)
            found += [ask(social, likes, method), ask(*shuffled, method)]
    finally:
        numba.set_num_threads(before)
    for other in found[1:]:
        assert np.array_equal(found[0].items, other.items)
        assert np.array_equal(found[0].utilities, other.utilities, equal_nan=True)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10**6), st.sampled_from(["exact", "cluster"]), st.sampled_from(MEASURES))
def test_renamed_items_move_with_their_utilities(seed, method, measure):
    social, likes = graphs(seed % 50)
    order = np.random.default_rng(seed).permutation(ITEMS)
    same = {"measure": measure, "epsilon": INF}
    before = ask(social, likes, method, **same)
    after = ask(social, likes[:, order], method, **same)
    assert np.array_equal(after.utilities, before.utilities)
    clear = before.utilities > before.utilities[:, -1:]  # above ties at the end of the list
    for user in range(USERS):
        expected = set(before.items[user][clear[user]])
        assert set(order[after.items[user]][clear[user]]) == expected


@pytest.mark.parametrize("method", ["exact", "cluster", "nou", "noe"])
def test_without_any_edge(method):
    """No friendships, no preferences: nobody to learn from, so that no noise is heard either."""
    changes = {"clusters": [0, 0, 0]} if method == "cluster" else {}
    found = ask(np.zeros((3, 3)), np.zeros((3, 5)), method, top_n=5, **changes)
    assert np.array_equal(found.items, np.tile(np.arange(5), (3, 1)))
    assert not found.utilities.any()


def test_utilities_only_where_asked():
    social, likes = graphs(9)
    assert ask(social, likes, "exact", return_utilities=False).utilities is None
    assert np.isnan(ask(social, likes, "random").utilities).all()
