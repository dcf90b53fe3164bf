"""Groups without distances, the k nearest rows, and strict Mondrian against slow twins."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from pplab import k_achieved
from pplab.microaggregation.microaggregate import pool_groups
from pplab.smooth.groups import cut_to_size, degree_groups, random_groups
from pplab.smooth.mondrian import mondrian
from pplab.smooth.rows import nearest_rows
from smoothbound.chunks import one_thread
from tests.smoothbound.cases import heavy_table, tables


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


# The k nearest rows against all distances, in tables that stop the search early and late.


TABLES = tables(2, 12)


def check(table, k):
    ones = table.astype(np.float64)
    away = ones.sum(axis=1)[:, None] + ones.sum(axis=1) - 2 * ones @ ones.T
    keys = away.astype(np.int64) * len(table) + np.arange(len(table))
    np.fill_diagonal(keys, np.iinfo(np.int64).max)
    distances, rows = np.divmod(np.sort(keys, axis=1)[:, :k], len(table))
    result = nearest_rows(table, k)
    assert np.array_equal(result.distances, distances)
    assert np.array_equal(result.rows, rows)


@given(TABLES, st.data())
def test_against_all_distances(table, data):
    check(table, data.draw(st.integers(1, len(table) - 1)))


@pytest.mark.parametrize("seed", range(4))
def test_heavy_columns_and_copies(seed):
    table, rng = heavy_table(seed, 700, 150)
    check(table, int(rng.integers(1, 20)))


def test_order_of_rows_columns_and_threads_does_not_change_distances():
    rng = np.random.default_rng(1)
    table = (rng.random((9000, 60)) < 0.05).astype(np.int8)  # more than one job
    result = nearest_rows(table, 4)
    order = rng.permutation(9000)
    moved = nearest_rows(table[order][:, rng.permutation(60)], 4)
    assert np.array_equal(moved.distances, result.distances[order])
    with one_thread():
        alone = nearest_rows(table, 4)
    assert np.array_equal(alone.rows, result.rows)


# Strict Mondrian against slow twins, and by its properties.


CUTS = st.sampled_from(["balanced", "median"])
ROWS = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.tuples(*[st.sampled_from("abcde")] * width), min_size=4, max_size=30)
)
BITS = st.integers(1, 7).flatmap(
    lambda width: st.lists(st.tuples(*[st.integers(0, 1)] * width), min_size=4, max_size=40)
)


def slow_cut(values, cut):
    """The level with which the lower side ends; None where there is nothing above it."""
    levels = sorted(set(values))
    if cut == "median":
        half = sorted(values)[max(len(values) // 2, 1) - 1]
        return half if half < levels[-1] else None
    lower = {level: sum(value <= level for value in values) for level in levels[:-1]}
    return min(lower, key=lambda level: (abs(len(values) - 2 * lower[level]), level), default=None)


def slow_mondrian(rows, k, cut):
    """Groups as lists of row numbers, one row and one attribute after the other."""
    scales = [sorted(set(column)) for column in zip(*rows, strict=True)]

    def width(group, attribute):
        places = [scales[attribute].index(rows[row][attribute]) for row in group]
        return Fraction(max(places) - min(places), max(len(scales[attribute]) - 1, 1))

    def groups_of(group):
        attributes = range(len(scales))
        for attribute in sorted(attributes, key=lambda place: -width(group, place)):
            end = slow_cut([rows[row][attribute] for row in group], cut)
            if end is None:
                continue
            sides = (
                [row for row in group if rows[row][attribute] <= end],
                [row for row in group if rows[row][attribute] > end],
            )
            if min(map(len, sides)) >= k:
                return groups_of(sides[0]) + groups_of(sides[1])
        return [group]

    return groups_of(list(range(len(rows))))


def groups_by(labels):
    return [np.flatnonzero(labels == group).tolist() for group in range(max(labels) + 1)]


@settings(max_examples=100, deadline=None)
@given(rows=ROWS, bits=BITS, k=st.integers(2, 4), cut=CUTS)
def test_attributes_and_columns_as_the_slow_twin(rows, bits, k, cut):
    labels = mondrian(pd.DataFrame(rows), k, cut=cut)
    assert labels.dtype == np.int64
    assert groups_by(labels) == slow_mondrian(rows, k, cut)
    assert groups_by(mondrian(np.array(bits), k, cut=cut)) == slow_mondrian(bits, k, cut)


def test_wide_and_sparse_input_is_never_filled():
    rows, columns = 60_000, 400_000
    rng = np.random.default_rng(3)
    places = rng.integers(0, rows, 300_000), rng.zipf(1.6, 300_000) % columns
    graph = sparse.csr_array((np.ones(300_000), places), shape=(rows, columns))
    graph.data[:] = 1
    labels = mondrian(graph, 8)  # 24 GB as a table of bytes
    assert np.bincount(labels).min() >= 8
    assert labels.max() > 500
