"""Groups without distances, and what their members publish."""

import numpy as np
import pytest
from scipy import sparse

from pplab import k_achieved
from pplab.smooth.groups import degree_groups, pool_groups, random_groups


@pytest.fixture
def ratings():
    rng = np.random.default_rng(1)
    table = rng.integers(1, 6, (23, 15)) * (rng.random((23, 15)) < 0.3)
    table[:, 0] = 3
    return sparse.csr_array(table)


def slow_pool(table, labels):
    pooled = np.zeros(table.shape)
    for user, label in enumerate(labels):
        for item in range(table.shape[1]):
            known = [r for r, other in zip(table[:, item], labels, strict=True) if other == label]
            rated = [r for r in known if r]
            pooled[user, item] = np.mean(rated) if rated else 0
    return pooled


def test_members_publish_the_same(ratings):
    for k in (2, 3, 5, 23):
        for labels in (degree_groups(ratings, k), random_groups(ratings, k, rng=1)):
            sizes = np.bincount(labels)
            assert k <= sizes.min() <= sizes.max() <= 2 * k - 1
            published = pool_groups(ratings, labels)
            assert published.toarray() == pytest.approx(slow_pool(ratings.toarray(), labels))
            assert k_achieved(published) >= k


def test_a_rating_of_zero_is_a_record():
    stored = sparse.csr_array((np.array([0.0, 4.0]), [0, 1], [0, 1, 2]), shape=(2, 3))
    pooled = pool_groups(stored, np.array([0, 0]))
    assert pooled.nnz == 4
    assert pooled.toarray().tolist() == [[0, 4, 0], [0, 4, 0]]


def test_degree_groups_are_neighbours_in_activity(ratings):
    labels, degrees = degree_groups(ratings, 4), np.diff(ratings.indptr)
    for group in range(labels.max()):
        assert degrees[labels == group].max() <= degrees[labels == group + 1].min()


def test_random_groups_follow_the_seed(ratings):
    one, two = (random_groups(ratings, 3, rng=5) for _ in range(2))
    assert np.array_equal(one, two)
    assert not np.array_equal(one, random_groups(ratings, 3, rng=6))


def test_k_is_refused_outside_its_interval(ratings):
    for make in (degree_groups, random_groups):
        for k in (1, 24):
            with pytest.raises(ValueError, match="k must be an integer between 2 and 23"):
                make(ratings, k)
