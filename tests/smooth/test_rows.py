"""The k nearest rows against all distances, in tables that stop the search early and late."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pplab.smooth.rows import nearest_rows
from smoothbound.chunks import one_thread
from tests.smoothbound.cases import heavy_table, tables

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
