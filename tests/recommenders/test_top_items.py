"""Lists of best items against a full sort: ties, blocks, stored and missing zeros, threads."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from pplab.recommenders.top_items import RunningTop, top_items

tables = arrays(np.float64, (5, 9), elements=st.sampled_from([-1.0, 0.0, 0.5, 2.0]))


def slow_top(table, top_n):
    """A stable sort keeps equal items in their order."""
    return np.argsort(-table, axis=1, kind="stable")[:, :top_n]


@given(tables, st.integers(1, 9))
def test_against_a_stable_sort(table, top_n):
    expected = slow_top(table, top_n)
    for given_table in (table, sparse.csr_array(table), table.astype(np.float32)):
        items, values = top_items(given_table, top_n)
        assert np.array_equal(items, expected)
        assert np.array_equal(values, np.take_along_axis(table, expected, axis=1))


@given(tables, st.integers(1, 9), st.lists(st.integers(1, 8), unique=True))
def test_blocks_of_items_change_nothing(table, top_n, cuts):
    top = RunningTop(len(table), top_n, dtype=np.float64)
    edges = [0, *sorted(cuts), 9]
    for first, last in pairwise(edges):
        top.add(table[:, first:last], first=first)
    assert np.array_equal(top.result()[0], slow_top(table, top_n))


def test_long_rows_with_many_ties():
    """Longer than a chunk, and every value many times over."""
    table = np.random.default_rng(1).integers(0, 40, size=(150, 1000)).astype(np.float64)
    assert np.array_equal(top_items(table, 100)[0], slow_top(table, 100))
    assert np.array_equal(top_items(sparse.csr_array(table), 100)[0], slow_top(table, 100))


def test_a_stored_zero_is_like_a_missing_one():
    stored = sparse.csr_array((np.zeros(1), [2], [0, 1]), shape=(1, 4))
    assert top_items(stored, 4)[0].tolist() == [[0, 1, 2, 3]]
