"""A user's level: edges times epsilon, and by the densities of the published averages."""

import numpy as np
import pytest
from scipy import sparse

from pplab.datasets import load_dataset
from pplab.recommenders.cluster_averages import cluster_averages
from pplab.recommenders.user_level import user_levels


def test_edges_times_epsilon():
    likes = sparse.csr_array(([1.0, 0.5, 0.0], ([0, 0, 1], [2, 0, 1])), shape=(3, 3))
    assert user_levels(likes, epsilon=0.5).tolist() == [1.0, 0, 0]  # a stored 0 is no preference


@pytest.mark.parametrize("seed", range(5))
def test_the_level_is_reached_by_the_densities_of_algorithm_1(seed):
    """With and without a user: the log ratio at its largest is the sum of shifts over scales."""
    rng = np.random.default_rng(seed)
    likes, epsilon = rng.integers(0, 2, size=(7, 5)), 0.3
    labels = np.unique(rng.integers(0, 3, 7), return_inverse=True)[1]
    sizes = np.bincount(labels)
    before = cluster_averages(likes, labels, epsilon=np.inf)
    for user, level in enumerate(user_levels(likes, epsilon=epsilon)):
        without = likes.copy()
        without[user] = 0
        moved = np.abs(cluster_averages(without, labels, epsilon=np.inf) - before)
        assert (moved * sizes[:, None] * epsilon).sum() == pytest.approx(level)


@pytest.mark.parametrize("epsilon", [0, float("nan"), float("inf"), -1])
def test_epsilon_is_positive_and_finite(epsilon):
    with pytest.raises(ValueError, match="epsilon must lie in"):
        user_levels([[1, 0]], epsilon=epsilon)


def test_weights_are_weights():
    with pytest.raises(ValueError, match="between 0 and 1"):
        user_levels([[1, 5]], epsilon=1)


@pytest.mark.usefixtures("real_data")
def test_lastfm_users():
    """Half of the users of Last.fm have 50 artists: epsilon 1 for an edge is 50 for them."""
    counts = load_dataset("lastfm", source="real").preferences
    kept = sparse.csr_array(counts >= 2).astype(np.float64)
    levels = user_levels(kept, epsilon=1)
    assert levels.sum() == 92_198
    assert np.median(levels) == levels.max() == 50
