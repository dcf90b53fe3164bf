"""Groups made of rows without one: copies, grown groups, halves, and the last few."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from pplab.smooth._greedy import POOL, copies_first, fill_from_pool
from pplab.smooth._rows import kinds_of_rows
from pplab.smooth.anonymize import smooth_k_anonymize
from pplab.smooth.greedy import place_few, without_gaps
from tests.anonymity.search_cases import KEEPS, random_table, total_of, value_of


def halves(k):
    """Two half groups with nothing in common: ceil(k / 2) equal rows each."""
    return np.repeat(np.eye(2, dtype=np.int8).repeat(3, axis=1), (k + 1) // 2, axis=0)


@pytest.mark.parametrize("k", [2, 3, 4, 5, 8, 9])
def test_halves_with_nothing_in_common_share_a_group(k):
    found = smooth_k_anonymize(halves(k), k, rng=1)
    assert found.labels.max() == 0
    assert found.suppressed == 0
    assert found.jaccard == 0.5
    dropped = smooth_k_anonymize(halves(k), k, ties="more-than-half", rng=1)
    assert dropped.jaccard == 0


@pytest.mark.parametrize("k", [3, 4, 7])
def test_halves_are_put_together_from_a_pool(k):
    """Four halves and too few others for a group: two groups of two halves."""
    half = (k + 1) // 2
    table = np.repeat(np.eye(4, 6, dtype=np.int8), half, axis=0)
    table = sparse.csr_array(np.vstack([table, np.eye(2, 6, 4, dtype=np.int8)]))
    pool = np.full(table.shape[0], POOL)
    labels = fill_from_pool(table, pool, k, keep="half", price=0.5, quiet=True)
    assert np.bincount(labels[labels >= 0]).tolist() == [2 * half] * 2
    assert (labels[-2:] == POOL).all()
    for group in range(2):
        assert np.diff(np.flatnonzero(labels == group)).tolist().count(1) >= 2 * half - 2
    alone = fill_from_pool(table, pool, k, keep="all", price=0.5, quiet=True)
    assert (alone == POOL).all()


def test_copies_fill_groups_of_their_own():
    rng = np.random.default_rng(1)
    for _ in range(40):
        k, kinds = int(rng.integers(2, 5)), random_table(rng, 6, 4)
        table = kinds[rng.integers(0, 6, 40)]
        labels = copies_first(sparse.csr_array(table), k)
        for row in np.unique(table, axis=0):
            same = (table == row).all(axis=1)
            own = labels[same]
            if same.sum() < k or not row.any():
                assert (own == POOL).all()
            else:
                sizes = np.bincount(own)[np.unique(own)]
                assert ((k <= sizes) & (sizes < 2 * k)).all()
                assert len(sizes) == same.sum() // k
                assert not np.isin(labels[~same], own).any()


@pytest.mark.parametrize("keep", KEEPS)
def test_grown_groups_are_worth_something_and_the_rest_stays(keep):
    rng, made = np.random.default_rng(1), 0
    for _ in range(40):
        k, table = int(rng.integers(2, 6)), random_table(rng, int(rng.integers(6, 40)), 8)
        before = copies_first(sparse.csr_array(table), k)
        labels = fill_from_pool(sparse.csr_array(table), before, k, keep=keep, price=0.5)
        assert np.array_equal(labels[before != POOL], before[before != POOL])
        new = np.arange(before.max() + 1, labels.max() + 1)
        for group in new:
            rows = np.flatnonzero(labels == group)
            assert len(rows) in {k, 2 * ((k + 1) // 2)}
            value = value_of(table, rows, keep=keep, price=0.5)
            assert value > 0 or (k == 2 and not table[rows].any())  # any two rows are two halves
        made += len(new)
    assert made > 30


@pytest.mark.parametrize("keep", KEEPS)
def test_a_small_pool_takes_the_better_of_two_ways(keep):
    """As a group of its own, if k or more, or each row in the group where it adds most."""
    rng, rule, ways = np.random.default_rng(2), {"keep": keep, "price": 0.375}, [0, 0]
    for _ in range(80):
        k, groups = int(rng.integers(2, 5)), int(rng.integers(1, 4))
        labels = np.repeat(np.arange(-1, groups), [int(rng.integers(1, 3 * k)), *[k] * groups])
        rng.shuffle(labels)
        table = random_table(rng, len(labels), 6)
        kinds, pool = kinds_of_rows(sparse.csr_array(table)), np.flatnonzero(labels == POOL)
        found = place_few(kinds, labels, k, **rule)
        together, apart = np.where(labels == POOL, groups, labels), labels.copy()
        for row in pool:
            gains = []
            for group in range(groups):
                own = np.flatnonzero(labels == group)
                gains.append(value_of(table, np.append(own, row), **rule))
                gains[-1] -= value_of(table, own, **rule)
            apart[row] = np.argmax(gains)
        better = len(pool) < k or total_of(table, together, **rule) < total_of(table, apart, **rule)
        assert np.array_equal(found, apart if better else together)
        ways[better] += 1
    assert min(ways) > 2


def test_families_of_just_too_few_rows_for_two_groups_stay_whole():
    """2k - 1 equal rows each: k of them grouped leave k - 1 who must not be lost."""
    for k in (3, 4, 8):
        table = np.repeat(np.eye(3, 12, dtype=np.int8).repeat(4, axis=0)[::4], 2 * k - 1, axis=0)
        found = smooth_k_anonymize(table, k, rng=1)
        assert found.jaccard == 1
        assert found.labels.max() == 2


def test_a_small_pool_is_a_group_and_a_large_one_stays():
    table = sparse.csr_array(np.eye(12, dtype=np.int8))
    kinds = kinds_of_rows(table)
    for pool, stays in [(2, False), (5, False), (6, True)]:
        labels = np.repeat([0, POOL], [12 - pool, pool])
        found = place_few(kinds, labels, 2, keep="half", price=0.5)
        expected = labels if stays else np.repeat([0, 1], [12 - pool, pool])
        assert np.array_equal(found, expected)


@settings(deadline=None)
@given(st.lists(st.integers(-1, 6), min_size=1, max_size=30))
def test_groups_are_numbered_without_gaps(listed):
    labels = np.array(listed)
    found = without_gaps(labels)
    assert np.array_equal(found == POOL, labels == POOL)
    seen = list(dict.fromkeys(found[found != POOL]))
    assert seen == list(range(len(seen)))
    assert len(set(zip(found, labels, strict=True))) == len(set(listed))
