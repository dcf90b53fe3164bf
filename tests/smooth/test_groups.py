"""Groups without distances, and what their members publish."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from pplab import k_achieved
from pplab.microaggregation.microaggregate import pool_groups
from pplab.smooth.groups import cut_to_size, degree_groups, random_groups


@pytest.fixture
def ratings():
    rng = np.random.default_rng(1)
    table = rng.integers(1, 6, (23, 15)) * (rng.random((23, 15)) < 0.3)
    table[:, 0] = 3
    return sparse.csr_array(table)


def test_members_publish_the_same(ratings):
    for k in (2, 3, 5, 23):
        for labels in (degree_groups(ratings, k), random_groups(ratings, k, rng=1)):
            sizes = np.bincount(labels)
            assert k <= sizes.min() <= sizes.max() <= 2 * k - 1
            published = pool_groups(ratings, labels)
            known = pd.DataFrame(ratings.toarray()).replace(0, np.nan)
            means = known.groupby(labels).transform("mean").fillna(0)
            assert published.toarray() == pytest.approx(means.to_numpy())
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


# Cutting groups: sizes, nesting, chance.


@given(
    k=st.integers(2, 5),
    extra=st.lists(st.integers(0, 20), min_size=1, max_size=6),
    seed=st.integers(0, 99),
)
def test_pieces_have_k_to_2k_minus_1_rows_of_one_group(k, extra, seed):
    sizes = np.array(extra) + k
    labels = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(sizes)), sizes))
    pieces = cut_to_size(labels, k, rng=seed)
    counts = np.bincount(pieces)
    assert counts.min() >= k
    assert counts.max() < 2 * k
    assert len(counts) == (sizes // k).sum()
    groups_of_piece = {(piece, group) for piece, group in zip(pieces, labels, strict=True)}
    assert len(groups_of_piece) == len(counts)


def test_rows_are_dealt_out_at_random_and_by_the_seed():
    labels = np.zeros(40, dtype=int)
    assert (cut_to_size(labels, 4, rng=1) == cut_to_size(labels, 4, rng=1)).all()
    assert (cut_to_size(labels, 4, rng=1) != cut_to_size(labels, 4, rng=2)).any()
    together = [cut_to_size(labels, 4, rng=seed) for seed in range(600)]
    share = np.mean([pieces[0] == pieces[1] for pieces in together])
    assert share == pytest.approx(3 / 39, abs=0.04)
