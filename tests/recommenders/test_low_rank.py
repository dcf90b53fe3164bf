"""The low-rank mechanism: its two conditions, its noise, its privacy, against plain baselines."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from threadpoolctl import threadpool_limits

from pplab.recommenders import low_rank, similarity
from tests.helpers import mirrored


def common_neighbours(users, chance, seed):
    """Numbers of common neighbours in a random graph, the diagonal left out."""
    friends = mirrored(np.random.default_rng(seed).random((users, users)) < chance).astype(float)
    counts = friends @ friends
    np.fill_diagonal(counts, 0)
    return counts


def likes(users, items, seed):
    return (np.random.default_rng(seed).random((users, items)) < 0.3).astype(float)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("gamma", [1e-3, 1.0])
@pytest.mark.parametrize("start", ["columns", "svd"])
def test_both_conditions_hold(seed, gamma, start):
    workload = common_neighbours(20, 0.25, seed)
    result = low_rank.decompose(workload, gamma=gamma, start=start)
    rank, (rows, _) = np.linalg.matrix_rank(workload), result.right.shape
    assert rows == rank if start == "svd" else rank <= rows <= 20
    assert np.abs(result.right).sum(axis=0).max() <= 1
    assert result.sensitivity == np.abs(result.right).sum(axis=0).max()
    residual = np.linalg.norm(workload - result.left @ result.right)
    assert residual <= gamma * (1 + 1e-6)
    assert result.residual == pytest.approx(residual, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("users", "chance"), [(12, 0.3), (30, 0.15), (40, 0.3)])
def test_never_more_noise_than_on_edges_or_on_utilities(users, chance, seed):
    workload = common_neighbours(users, chance, seed)
    result = low_rank.decompose(workload, gamma=1e-2).squared_error(epsilon=1)
    on_edges = 2 * (workload**2).sum()
    on_utilities = 2 * users * workload.sum(axis=0).max() ** 2
    assert result <= min(on_edges, on_utilities) * (1 + 1e-9)


def test_a_small_graph_gets_answers_that_depend_on_the_data():
    """Four friends: the norm of the workload, 6.9, is below gamma, so that B = 0 came within it."""
    friends, table = np.ones((4, 4)) - np.eye(4), np.eye(4)[:, :3]
    for measure in ("cn", "gd", "aa", "katz"):
        workload = similarity(friends, measure=measure).toarray()
        for gamma in (10.0, 1.0):
            parts = low_rank.decompose(workload, gamma=gamma)
            assert parts.residual <= np.linalg.norm(workload) / 10 * (1 + 1e-6)
            result = low_rank.low_rank_utilities(parts, table, epsilon=float("inf"))
            assert np.linalg.norm(result - workload @ table) <= np.linalg.norm(workload @ table) / 2
    nobody_similar = low_rank.decompose(np.zeros((3, 3)))
    assert (nobody_similar.squared_error(epsilon=1), nobody_similar.residual) == (0, 0)


def test_a_workload_of_rank_one_costs_one_sum():
    result = low_rank.decompose(np.outer([1.0, 2.0, 3.0], np.ones(5)), gamma=1e-9)
    assert result.right.shape == (1, 5)
    assert result.squared_error(epsilon=2) == pytest.approx(2 * (1 + 4 + 9) / 4, rel=1e-6)


def test_users_who_are_too_sensitive_as_mixtures_get_rows_of_their_own():
    workload = np.array([[1.0, 0, 0, 1, 1], [0, 1, 0, 1, 1], [0, 0, 1, 1, 0]]) * [4, 4, 4, 2, 1]
    factor = low_rank.column_start(workload)
    assert factor.shape == (4, 5)  # user 3 is half of three others, user 4 a quarter of two
    assert np.abs(factor).sum(axis=0) == pytest.approx([1, 1, 1, 1, 0.5])
    result = low_rank.decompose(workload, gamma=1e-3).squared_error(epsilon=1)
    assert result <= 2 * (workload**2).sum() * (1 + 1e-9)


@given(st.lists(st.floats(-3, 3), min_size=3, max_size=3))
def test_projection_onto_the_l1_ball_against_a_fine_search(point):
    column = np.array(point)
    near = low_rank.onto_l1_balls(column[:, None])[:, 0]
    assert np.abs(near).sum() <= 1 + 1e-12
    grid = np.linspace(-1, 1, 21)
    ball = np.array([p for p in itertools.product(grid, repeat=3) if sum(map(abs, p)) <= 1])
    best = np.sqrt(((ball - column) ** 2).sum(axis=1).min())
    assert np.linalg.norm(near - column) <= best + 1e-12


def test_best_left_is_the_least_of_those_within_gamma():
    rng = np.random.default_rng(5)
    workload, right = rng.normal(size=(6, 5)), rng.normal(size=(5, 5))
    left, residual = low_rank.best_left(workload, right, 0.5)
    assert residual == pytest.approx(0.5, rel=1e-6)
    for _ in range(200):  # moves that do not widen the gap do not lower the squares
        other = left + rng.normal(size=left.shape) * 1e-3
        exact = workload @ np.linalg.inv(right)
        gap = np.linalg.norm(workload - other @ right)
        other = exact + (other - exact) * min(1, 0.5 / gap)
        assert (other**2).sum() >= (left**2).sum() * (1 - 1e-9)


def test_without_noise_only_the_residual_is_left():
    workload, table = common_neighbours(15, 0.3, 1), likes(15, 40, 1)
    parts = low_rank.decompose(workload, gamma=1e-6)
    result = low_rank.low_rank_utilities(parts, table, epsilon=np.inf)
    assert result.dtype == np.float32
    assert np.allclose(result, workload @ table, atol=1e-4)


def test_seeds_users_and_blocks():
    workload, table = common_neighbours(12, 0.3, 1), sparse.csr_array(likes(12, 2500, 3))
    parts, draw = low_rank.decompose(sparse.csr_array(workload)), {"epsilon": 1, "rng": 7}
    every = low_rank.low_rank_utilities(parts, table, **draw)
    assert (parts.left == low_rank.decompose(workload).left).all()
    assert (every != low_rank.low_rank_utilities(parts, table, epsilon=1, rng=8)).any()
    some = low_rank.low_rank_utilities(parts, table, users=[5, 2], **draw)
    assert np.allclose(some, every[[5, 2]], rtol=1e-4, atol=1e-4)
    fewer = low_rank.low_rank_utilities(parts, table[:, :1100], **draw)
    assert np.allclose(fewer, every[:, :1100], rtol=1e-4, atol=1e-4)


def test_large_workloads_are_searched_in_single_precision_within_gamma(monkeypatch):
    monkeypatch.setattr(low_rank, "_ITERATIONS", 1)
    workload = common_neighbours(520, 0.02, 1)
    result = low_rank.decompose(workload, gamma=1.0)
    assert result.residual <= 1.0 * (1 + 1e-6)
    assert result.sensitivity <= 1
    assert result.squared_error(epsilon=1) <= 2 * (workload**2).sum() * (1 + 1e-9)


def test_threads_do_not_change_the_factors(monkeypatch):
    monkeypatch.setattr(low_rank, "_ITERATIONS", 2)
    workload, results = common_neighbours(150, 0.05, 1), []
    for threads in (1, 2):
        with threadpool_limits(limits=threads):
            results.append(low_rank.decompose(workload))
    assert (results[0].left == results[1].left).all()
    assert (results[0].right == results[1].right).all()


def test_rounding_that_gamma_does_not_allow_is_refused():
    with pytest.raises(ValueError, match="raise gamma"):
        low_rank.decompose(1e12 * common_neighbours(30, 0.4, 1), gamma=1e-12)
