"""Group and smooth: sensitivities by enumeration, groups, noise, the choice that is not private."""

import math

import numpy as np
import pytest
from scipy import sparse

from pplab.recommenders.group_smooth import group_smooth_utilities, rough_order, sampled_utilities
from tests.helpers import mirrored


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


def test_bad_input_is_refused():
    for size in (0, 5):
        with pytest.raises(ValueError, match="group_size must be an integer between 1 and 4"):
            group_smooth_utilities(np.ones((4, 4)), np.ones((4, 2)), epsilon=1, group_size=size)
