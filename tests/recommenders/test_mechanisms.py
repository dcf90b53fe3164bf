"""The mechanisms against twins written from the equations, and the law of their noise."""

import sys

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

from pplab._compiled import new_key
from pplab.recommenders.clusters import cluster_averages, cluster_top_items, indicator
from pplab.recommenders.recommend import recommend
from pplab.recommenders.similarity import similarity
from pplab.recommenders.top_items import laplace_rows
from pplab.recommenders.utilities import utility_sensitivity

INF = float("inf")
USERS, ITEMS = 40, 600


@pytest.fixture(scope="module")
def social():
    graph = nx.gnp_random_graph(USERS, 0.15, seed=3)
    return sparse.csr_array(nx.to_scipy_sparse_array(graph, dtype=np.int8, weight=None))


@pytest.fixture(scope="module")
def likes():
    drawn = np.random.default_rng(4).random((USERS, ITEMS))
    return sparse.csr_array(np.where(drawn < 0.1, 1.0, 0.0))


def variance_fits(sample, scale):
    """Whether Laplace noise of a scale has its variance, and mean 0, within six standard errors.

    The fourth moment of Laplace noise is 24 scale^4, so the mean of n squares has a standard error
    of sqrt(20 / n) scale^2. Two such tests raise a false alarm about once in 2.5e8 runs.
    """
    squares, errors = np.mean(sample**2), np.sqrt(20 / sample.size) * scale**2
    centred = abs(np.mean(sample)) < 6 * np.sqrt(2 / sample.size) * scale
    return centred and abs(squares - 2 * scale**2) < 6 * errors


def released(social, likes, method, measure, rng):
    """All noisy utilities, in the order of items, from lists that hold all items."""
    found = recommend(
        social, likes, epsilon=0.5, measure=measure, top_n=ITEMS, method=method, rng=rng,
        return_utilities=True,
    )  # fmt: skip
    table = np.empty(found.items.shape)
    np.put_along_axis(table, found.items, found.utilities, axis=1)
    return table


@pytest.mark.parametrize("measure", ["cn", "gd", "aa", "katz"])
def test_noise_on_utilities(measure, social, likes):
    mu = (similarity(social, measure=measure) @ likes).toarray()
    noise = released(social, likes, "nou", measure, 5) - mu
    scale = utility_sensitivity(social, measure=measure) / 0.5
    assert variance_fits(noise, scale)
    assert not variance_fits(noise, 1.1 * scale)


@pytest.mark.parametrize("measure", ["cn", "gd", "aa", "katz"])
def test_noise_on_edges(measure, social, likes):
    """The noise of all users is S times independent noise: solved for it where S is invertible."""
    table = similarity(social, measure=measure).toarray()
    noise = released(social, likes, "noe", measure, 6) - table @ likes.toarray()
    assert np.linalg.cond(table) < 1e6
    assert variance_fits(np.linalg.solve(table, noise), 2.0)
    assert not variance_fits(np.linalg.solve(table, noise), 2.2)


@pytest.mark.parametrize("method", ["nou", "noe"])
def test_blocks_of_any_size_draw_the_same_noise(method, social, likes, monkeypatch):
    ask = {"epsilon": 1.0, "measure": "aa", "top_n": 20, "return_utilities": True}
    everyone = recommend(social, likes, method=method, rng=8, **ask)
    monkeypatch.setattr(sys.modules["pplab.recommenders.recommend"], "_CELLS_AT_ONCE", 2 * ITEMS)
    users = [7, 3, 39]
    some = recommend(social, likes, method=method, users=users, rng=8, **ask)
    assert np.array_equal(some.items, everyone.items[users])
    assert np.allclose(some.utilities, everyone.utilities[users], rtol=1e-12)


def test_noise_on_averages_falls_with_the_size_of_the_cluster(likes):
    labels = np.repeat([0, 1, 2], [1, 9, 30])
    true = cluster_averages(likes, labels, epsilon=INF)
    members = indicator(labels)
    assert np.allclose(true, (members.T @ likes.toarray()) / [[1], [9], [30]])
    noise = cluster_averages(likes, labels, epsilon=0.2, rng=9) - true
    for row, size in zip(noise, (1, 9, 30), strict=True):
        assert variance_fits(row, 5 / size)
    assert not variance_fits(noise[1], 5 / 30)
    weaker = cluster_averages(likes, labels, epsilon=0.4, rng=9) - true
    assert np.allclose(noise, 2 * weaker)  # one draw, shared over epsilon


def test_a_cluster_of_one_is_noise_on_edges(likes):
    """Clusters of single users: the averages are the noisy weights themselves."""
    alone = cluster_averages(likes, np.arange(USERS), epsilon=INF)
    assert np.array_equal(alone, likes.toarray())
    noisy = cluster_averages(likes, np.arange(USERS), epsilon=2.0, rng=10)
    assert variance_fits(noisy - alone, 0.5)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("clusters", [1, 3, 4, 11])
def test_products_that_are_never_formed(clusters, dtype):
    rng = np.random.default_rng(11)
    sums = rng.random((130, clusters)) * rng.integers(0, 2, size=(130, clusters))
    averages = rng.laplace(size=(clusters, 5000)).astype(dtype)
    items, values = cluster_top_items(sums, averages, 70)
    full = sums @ averages.astype(np.float64)
    expected = -np.sort(-full, axis=1)[:, :70]
    tolerance = 1e-4 if dtype == np.float32 else 1e-10
    assert values.dtype == dtype
    assert np.allclose(values, expected, rtol=0, atol=tolerance)
    assert np.allclose(np.take_along_axis(full, items, axis=1), expected, rtol=0, atol=tolerance)
    again = cluster_top_items(sparse.csr_array(sums), averages, 70)
    assert np.array_equal(items, again[0])


def test_weighted_preferences_are_averaged():
    ratings = sparse.csr_array(np.random.default_rng(12).random((USERS, 5)))
    labels = np.arange(USERS) % 3
    found = cluster_averages(ratings, labels, epsilon=INF)
    assert np.allclose(found[1], ratings.toarray()[labels == 1].mean(axis=0))


def test_random_lists_are_uniform():
    """Each item is in a list with chance 1/5; six standard errors: 12 tests in 10^9 fail."""
    nobody = sparse.csr_array((4000, 4000), dtype=np.int8)
    ask = {"epsilon": 1, "measure": "cn", "top_n": 2, "method": "random", "rng": 13}
    lists = recommend(nobody, sparse.csr_array((4000, 10)), **ask).items
    assert (lists[:, 0] != lists[:, 1]).all()
    counts = np.bincount(lists.ravel(), minlength=10)
    assert (abs(counts - 800) < 6 * np.sqrt(4000 * 0.2 * 0.8)).all()


def test_rows_of_noise_have_streams_of_their_own():
    key = new_key(np.random.default_rng(14))
    noise = laplace_rows(key, range(200), 500)
    assert variance_fits(noise, 1.0)
    between = np.corrcoef(noise)[np.triu_indices(200, 1)]
    assert abs(between).max() < 7 / np.sqrt(500)  # 19,900 pairs, each about normal
    assert np.array_equal(laplace_rows(key, [150, 3], 500), noise[[150, 3]])


def test_noise_that_overflows_is_refused(social, likes):
    for method in ("nou", "noe"):
        with pytest.raises(ValueError, match="larger epsilon"):
            recommend(social, likes, epsilon=1e-200, measure="cn", top_n=1, method=method, rng=1)
    with pytest.raises(ValueError, match="larger epsilon"):
        cluster_averages(likes, np.zeros(USERS, dtype=int), epsilon=1e-320, rng=1)
