"""Attempts to break the mechanisms: exact ratios of densities, and noise that is used twice.

A release is an affine function of standard Laplace noise z: f(D) + M z. If D and a neighbour D' are
to give the same release, their noises differ by some d with M d = f(D) - f(D'), and the densities
by a factor of at most exp(|d|_1), which is reached where M allows one d only. The functions here
find f and M by calling the mechanism with noise of our own, so its scales are measured, not read.
"""

import itertools
from functools import cache
from importlib import import_module

import networkx as nx
import numpy as np
import pytest
from scipy import optimize, sparse

from pplab.recommenders import group_smooth, low_rank
from pplab.recommenders.clusters import cluster_averages, cluster_top_items
from pplab.recommenders.similarity import MEASURES, Similarity, similarity
from pplab.recommenders.top_items import laplace_rows
from pplab.recommenders.utilities import sensitivity_of, utilities, utility_sensitivity
from tests.sizes import SOCIAL, partitions

# the functions of the same names hide the modules
clusters_module = import_module("pplab.recommenders.clusters")
lists = import_module("pplab.recommenders.recommend")
recommend = lists.recommend

ALPHA = 1e-6  # rate of false alarms of each test that draws noise
EPSILON = 0.7
ITEMS = 2
PLACES = {"nou": lists, "noe": lists, "cluster": clusters_module, "lrm": low_rank}
PLACES["averages"] = clusters_module
# A triangle with a tail of two and a chord: its similarities of all measures are invertible.
PAW = np.array(
    [[0, 1, 1, 0, 0], [1, 0, 1, 0, 0], [1, 1, 0, 1, 0], [0, 0, 1, 0, 1], [0, 0, 0, 1, 0]]
)
USERS = len(PAW)
OPTIONS = {"nou": {}, "noe": {}, "cluster": {"clusters": np.array([0, 0, 1, 1, 1])}, "lrm": {}}


def parts_of(similar):
    """A decomposition that leaves something of the similarities of so small a graph."""
    return decomposed(similar.shape[0], tuple(similar.toarray().ravel()))


@cache
def decomposed(users, cells):
    similar = np.reshape(cells, (users, users))
    return low_rank.decompose(similar, gamma=np.linalg.norm(similar) / 8 or 1.0)


def instead(noise):
    """Source of this noise, none for None, where noise is drawn; and the shapes asked of it."""
    command = []

    def arguments(_key, rows, columns):
        command.append((len(list(rows)), columns))
        return np.zeros(command[-1]) if noise is None else noise.reshape(command[-1])

    return arguments, command


def release(monkeypatch, method, likes, noise, *, social, measure, **options):
    """All estimated utilities or averages under given noise, and how much noise was asked."""
    arguments, asked = instead(noise)
    with monkeypatch.context() as patch:
        patch.setattr(PLACES[method], "laplace_rows", arguments)
        patch.setattr(lists, "decompose", parts_of)
        if method == "averages":
            table = cluster_averages(likes, options["clusters"], epsilon=EPSILON)
        else:
            result = recommend(
                social, likes, epsilon=EPSILON, measure=measure, top_n=likes.shape[1],
                method=method, rng=1, return_utilities=True, **options,
            )  # fmt: skip
            table = np.empty(likes.shape)
            np.put_along_axis(table, result.items, result.utilities, axis=1)
    assert len(asked) == 1  # all noise of the release comes in one piece
    return table.ravel(), asked[0]


def least_shift(matrix, gap):
    """Smallest |d|_1 with M d = gap, to the rounding of float32."""
    size = matrix.shape[1]
    both = np.hstack([matrix, -matrix])
    limits = np.concatenate([gap, -gap]) + 2e-6
    solved = optimize.linprog(np.ones(2 * size), A_ub=np.vstack([both, -both]), b_ub=limits)
    assert solved.status == 0  # some noise makes the two releases the same
    return solved.fun


def neighbours(likes):
    """Each weight moved to 0 and to 1."""
    for cell, weight in itertools.product(np.ndindex(likes.shape), (0.0, 1.0)):
        if likes[cell] != weight:
            other = likes.copy()
            other[cell] = weight
            yield abs(weight - likes[cell]), other


def hold_to_epsilon(monkeypatch, method, tables, **ask):
    """No neighbour of a table moves a density by more; one does where all noise can be told."""
    empty = np.zeros_like(tables[0])
    base, shape = release(monkeypatch, method, empty, None, **ask)
    units = np.eye(shape[0] * shape[1])
    columns = [release(monkeypatch, method, empty, unit, **ask)[0] - base for unit in units]
    matrix = np.column_stack(columns)
    if method in ("nou", "noe"):  # noise on every cell, zeros too, and on nothing twice
        assert shape[0] * shape[1] == empty.size
    largest = 0.0
    for likes in tables:
        here, _ = release(monkeypatch, method, likes, None, **ask)
        for moved, other in neighbours(likes):
            there, _ = release(monkeypatch, method, other, None, **ask)
            shift = least_shift(matrix, here - there)
            assert shift <= EPSILON * moved + 1e-4
            largest = max(largest, shift)
    if np.linalg.matrix_rank(matrix, tol=1e-5) == matrix.shape[1]:
        assert largest == pytest.approx(EPSILON, abs=1e-3)  # no more noise than is needed
    elif method == "averages" or similarity(ask["social"], measure=ask["measure"]).nnz:
        assert largest > 0.01


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("method", OPTIONS)
def test_exact_ratio_of_densities(monkeypatch, method, measure):
    rng = np.random.default_rng(5)
    binary = rng.integers(0, 2, size=(USERS, ITEMS)).astype(float)
    weighted = np.where(rng.random((USERS, ITEMS)) < 0.5, rng.random((USERS, ITEMS)), binary)
    ask = {"social": PAW, "measure": measure, **OPTIONS[method]}
    hold_to_epsilon(monkeypatch, method, (binary, weighted), **ask)


@pytest.mark.parametrize("social", SOCIAL.values(), ids=SOCIAL)
@pytest.mark.parametrize("method", [*OPTIONS, "averages"])
def test_exact_ratio_of_densities_at_degenerate_sizes(monkeypatch, method, social):
    """One user, nobody similar, all alike; a cluster of one and of all; nobody likes, all like."""
    users, clustered = len(social), method in ("cluster", "averages")
    ask = {"tables": (np.zeros((users, 1)), np.ones((users, 1))), "measure": "gd"}
    for labels in partitions(users) if clustered else [None]:
        ways = {"clusters": np.array(labels)} if clustered else {}
        hold_to_epsilon(monkeypatch, method, social=social, **ask, **ways)


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("measure", MEASURES)
def test_no_change_of_a_weight_moves_utilities_further(measure, own):
    """Any weight in [0, 1] to any other, for all cells; all the way from 0 to 1 reaches it."""
    graph = nx.gnp_random_graph(6, 0.5, seed=1)
    social = sparse.csr_array(nx.to_scipy_sparse_array(graph, dtype=np.int8, weight=None))
    rng = np.random.default_rng(1)
    similar = {"measure": measure, "self_similarity": own}
    bound, widest = sensitivity_of(social, Similarity(**similar)), 0.0
    for cell in np.ndindex(6, 2):
        for old, new in ((0.0, 1.0), tuple(rng.random(2)), (rng.random(), 0.0)):
            first, second = rng.random((2, 6, 2))
            second = first.copy()
            first[cell], second[cell] = old, new
            after, before = (utilities(social, x, **similar).toarray() for x in (second, first))
            moved = np.abs(after - before).sum()
            assert moved <= bound * abs(new - old) * (1 + 1e-9)
            widest = max(widest, moved)
    assert widest == pytest.approx(bound)
    assert own or bound == utility_sensitivity(social, measure=measure)


@pytest.mark.parametrize("method", [*OPTIONS, "gs"])
def test_no_noise_is_used_twice(monkeypatch, method):
    """Between cells, items, clusters, users, halves of a mechanism, and between two releases.

    That it is independent and Laplace is in tests/test_every_mechanism.py.
    """
    kept, rng = [], np.random.default_rng(3)

    def drawn(key, rows, columns):
        noise = laplace_rows(key, rows, columns)
        kept.append(noise.ravel().copy())
        return noise

    for place in {*PLACES.values(), group_smooth}:
        monkeypatch.setattr(place, "laplace_rows", drawn)
    monkeypatch.setattr(group_smooth, "_BLOCK", 64)  # of 400 items
    social = nx.to_numpy_array(nx.gnp_random_graph(40, 0.2, seed=2), dtype=np.int8)
    how = {"cluster": {"clusters": np.minimum(np.arange(40), 4)}, "gs": {"group_size": 3}}
    ask = {"epsilon": 1, "measure": "cn", "top_n": 5, "rng": rng, **how.get(method, {})}
    for _ in range(2):
        recommend(social, sparse.csr_array((40, 400)), method=method, **ask)
    every = np.abs(np.concatenate(kept))
    cells = {"nou": 16_000, "noe": 16_000, "cluster": 2000, "gs": 16_000 + 400 * 13}
    assert len(every) == 2 * cells.get(method, len(every) / 2)
    assert len(np.unique(every)) == len(every)


@pytest.mark.parametrize("social", [*SOCIAL.values(), PAW], ids=[*SOCIAL, "the paw"])
def test_the_second_half_of_group_and_smooth(monkeypatch, social):
    """Given the groups: exact ratio of the densities of the means, at most epsilon / 2."""
    users, rng = len(social), np.random.default_rng(1)
    weights = similarity(social, measure="gd")
    order = np.array([rng.permutation(users) for _ in range(ITEMS)])
    monkeypatch.setattr(group_smooth, "rough_order", lambda *_: order)
    likes = rng.integers(0, 2, size=(users, ITEMS)).astype(float)
    for size in range(1, users + 1):  # one user left over, none, or all but one
        hold_to_half(monkeypatch, weights, likes, size)


def hold_to_half(monkeypatch, weights, likes, size):

    def published(table, noise):
        monkeypatch.setattr(group_smooth, "laplace_rows", instead(noise)[0])
        how = {"epsilon": EPSILON, "group_size": size, "rng": 1}
        return group_smooth.group_smooth_utilities(weights, table, **how).ravel()

    base = published(likes, None)
    groups = len(likes) // size
    matrix = np.column_stack([published(likes, unit) - base for unit in np.eye(ITEMS * groups)])
    shifts = [least_shift(matrix, base - published(other, None)) for _, other in neighbours(likes)]
    assert max(shifts) <= EPSILON / 2 + 1e-4
    if size == 1 and weights.nnz:
        assert max(shifts) == pytest.approx(EPSILON / 2, abs=1e-3)


@pytest.mark.parametrize("method", ["nou", "noe"])
def test_blocks_of_any_size_draw_the_same_noise(method, monkeypatch):
    social = nx.to_numpy_array(nx.gnp_random_graph(40, 0.15, seed=3), dtype=np.int8)
    likes = (np.random.default_rng(4).random((40, 600)) < 0.1).astype(float)
    ask = {"epsilon": 1.0, "measure": "aa", "top_n": 20, "return_utilities": True}
    everyone = recommend(social, likes, method=method, rng=8, **ask)
    monkeypatch.setattr(lists, "_CELLS_AT_ONCE", 2 * 600)
    users = [7, 3, 39]
    some = recommend(social, likes, method=method, users=users, rng=8, **ask)
    assert np.array_equal(some.items, everyone.items[users])
    assert np.allclose(some.utilities, everyone.utilities[users], rtol=1e-12)


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
