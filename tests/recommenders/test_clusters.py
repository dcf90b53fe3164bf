"""Errors of clusters, group and smooth, and the low-rank mechanism, against plain baselines."""

import itertools
import math
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from threadpoolctl import threadpool_limits

from pplab.recommenders import cluster_averages, error_parts, low_rank, similarity
from pplab.recommenders.group_smooth import group_smooth_utilities, rough_order, sampled_utilities
from tests.helpers import mirrored


def random_case(seed, users=12, items=5, clusters=3):
    rng = np.random.default_rng(seed)
    social = mirrored(rng.random((users, users)) < 0.35).astype(np.int8)
    likes = (rng.random((users, items)) < 0.4).astype(float)
    labels = np.append(np.arange(clusters), rng.integers(clusters, size=users - clusters))
    return social, likes, labels


def test_averages_without_noise_are_those_of_the_members():
    _, likes, labels = random_case(5)
    expected = [likes[labels == cluster].mean(axis=0) for cluster in range(3)]
    assert np.allclose(cluster_averages(likes, labels, epsilon=math.inf), expected)


def written_out(similar, likes, labels, epsilon):
    """Equations 5 to 7, cluster by cluster: bias, the printed sum and the true deviation."""
    bias, linear, squares = np.zeros(likes.shape), 0, 0
    for cluster in set(labels.tolist()):
        members = labels == cluster
        weights, liked = similar[:, members], likes[members]
        deviation = math.sqrt(2) / epsilon * weights.sum(axis=1) / members.sum()
        linear, squares = linear + deviation, squares + deviation**2
        bias += weights @ (liked.mean(axis=0) - liked)
    return bias, linear, np.sqrt(squares)


@pytest.mark.parametrize("measure", ["cn", "aa", "gd", "katz"])
@pytest.mark.parametrize("clusters", [1, 3, 12])
def test_against_the_sums_written_out(measure, clusters):
    social, likes, labels = random_case(clusters, clusters=clusters)
    similar = similarity(social, measure=measure).toarray()
    parts = error_parts(social, likes, labels, measure=measure, epsilon=0.5)
    bias, linear, root = written_out(similar, likes, labels, 0.5)
    assert np.allclose(parts.approximation, np.abs(bias).mean(axis=1), atol=1e-12)
    assert np.allclose(parts.approximation_rms**2, (bias**2).mean(axis=1), atol=1e-12)
    assert np.allclose(parts.perturbation_printed, linear)
    assert np.allclose(parts.perturbation, root)  # variances of independent noises add up
    assert np.allclose(parts.rms, np.sqrt((bias**2).mean(axis=1) + root**2))
    assert np.allclose(parts.edges_printed, math.sqrt(2) / 0.5 * similar.sum(axis=1))
    assert np.allclose(parts.edges, math.sqrt(2) / 0.5 * np.sqrt((similar**2).sum(axis=1)))
    assert parts.utilities == pytest.approx(math.sqrt(2) / 0.5 * similar.sum(axis=0).max())


def test_blocks_and_no_noise(monkeypatch):
    social, likes, labels = random_case(4)
    whole = error_parts(social, likes, labels, measure="katz", epsilon=math.inf)
    assert (whole.perturbation == 0).all()
    assert whole.utilities == 0
    monkeypatch.setattr(sys.modules["pplab.recommenders.clusters"], "_CELLS", 25)
    cut = error_parts(social, likes, labels, measure="katz", epsilon=math.inf)
    for name in ("approximation", "approximation_rms", "edges"):
        assert np.allclose(getattr(cut, name), getattr(whole, name))


# Group and smooth: sensitivities by enumeration, groups, noise, the choice that is not private.


def weights(users, seed, chance=0.5):
    rng = np.random.default_rng(seed)
    similar = rng.integers(1, 5, (users, users)) * (rng.random((users, users)) < chance)
    return mirrored(similar).astype(float)


def likes(users, items, seed):
    return (np.random.default_rng(seed).random((users, items)) < 0.4).astype(float)


def test_each_preference_is_sampled_once_by_somebody_similar():
    similarity, times = weights(6, 4), 3000
    for user in range(6):
        cells = (np.full(times, user), np.arange(times))
        liked = sparse.csr_array((np.ones(times), cells), shape=(6, times))
        rng = np.random.default_rng(user)
        result = sampled_utilities(sparse.csr_array(similarity), liked, rng=rng).toarray()
        similar = np.flatnonzero(similarity[:, user])
        assert ((result > 0).sum(axis=0) == min(1, len(similar))).all()
        assert (result.max(axis=1) == similarity[:, user]).all()
        expected = 1 / max(1, len(similar))
        shares = (result > 0).mean(axis=1)[similar]
        assert np.abs(shares - expected).max(initial=0) < 5 * np.sqrt(expected / times)


def test_many_samples_at_once_add_up():
    similarity, table = weights(7, 5), likes(7, 30, 6)
    result = sampled_utilities(
        sparse.csr_array(similarity), sparse.csr_array(table), rng=np.random.default_rng(1)
    ).toarray()
    for item in range(30):
        possible = {0.0}
        for user in np.flatnonzero(table[:, item]):
            values = similarity[similarity[:, user] > 0, user]
            possible = {old + new for old in possible for new in (values if len(values) else [0])}
        assert any(result[:, item].sum() == pytest.approx(total) for total in possible)


def test_without_noise_groups_of_one_are_exact_and_larger_ones_average():
    similarity, table = weights(9, 1), likes(9, 700, 2)
    truth = similarity @ table
    exact = group_smooth_utilities(similarity, table, epsilon=np.inf, group_size=1, rng=1)
    assert exact.dtype == np.float32
    assert np.allclose(exact, truth)
    whole = group_smooth_utilities(similarity, table, epsilon=np.inf, group_size=9, rng=1)
    assert np.allclose(whole, truth.mean(axis=0))
    some = group_smooth_utilities(similarity, table, epsilon=np.inf, group_size=4, rng=1)
    assert np.allclose(some.sum(axis=0), truth.sum(axis=0), rtol=1e-5)
    for item in range(700):  # two groups, of 4 and of the 5 that are left
        assert len(np.unique(some[:, item])) <= 2
    assert not np.allclose(some, truth)


def rough_estimates():
    """Order by estimates, one of which is 3 above the other."""
    weights, items = sparse.csr_array([[0.0, 3], [3, 0]]), 20_000
    likes = sparse.csr_array(np.outer([1.0, 0], np.ones(items)))  # counted for user 1
    first = rough_order(weights, likes, 0.7, np.random.default_rng(1))[:, 0]
    # a preference moves an estimate by 3, so the gap is epsilon / 2 scales of the noise
    chances = [(2 + gap) * math.exp(-gap) / 4 for gap in (0.7 / 2, 0.7, 0.7 / 4)]
    right, *wrong = ([chance, 1 - chance] for chance in chances)
    return np.bincount(first), right, wrong[0]


def test_groups_follow_the_rough_estimates():
    similarity = sparse.csr_array(weights(20, 3))
    table = sparse.csr_array(likes(20, 5, 4))
    order = rough_order(similarity, table, np.inf, np.random.default_rng(1))
    rough = sampled_utilities(similarity, table, rng=np.random.default_rng(1)).toarray()
    for item in range(5):
        assert sorted(order[item]) == list(range(20))
        assert (np.diff(rough[order[item], item]) <= 0).all()


# The low-rank mechanism: its two conditions, its noise, its privacy, against plain baselines.


def common_neighbours(users, chance, seed):
    """Numbers of common neighbours in a random graph, the diagonal left out."""
    friends = mirrored(np.random.default_rng(seed).random((users, users)) < chance).astype(float)
    counts = friends @ friends
    np.fill_diagonal(counts, 0)
    return counts


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


@given(st.lists(st.floats(-3, 3), min_size=3, max_size=3))
def test_projection_onto_the_l1_ball_against_a_fine_search(point):
    column = np.array(point)
    near = low_rank.onto_l1_balls(column[:, None])[:, 0]
    assert np.abs(near).sum() <= 1 + 1e-12
    grid = np.linspace(-1, 1, 21)
    ball = np.array([p for p in itertools.product(grid, repeat=3) if sum(map(abs, p)) <= 1])
    best = np.sqrt(((ball - column) ** 2).sum(axis=1).min())
    assert np.linalg.norm(near - column) <= best + 1e-12


def test_projection_of_many_equal_entries_looks_past_the_largest():
    near = low_rank.onto_l1_balls(np.array([[1.0] * 200, [3.0] + [0.0] * 199]).T)
    assert near[:, 0] == pytest.approx(np.full(200, 1 / 200))
    assert near[:, 1].tolist() == [1.0] + [0.0] * 199


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
