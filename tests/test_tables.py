"""Full tables: every form of ratings gives the same one, and what is no table is refused."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import sparse

from pplab import table as made_of
from pplab.checks import check_labels
from pplab.tables import (
    as_table,
    canonical_order,
    distinct_points,
    squared_error,
)

NAN = np.nan
small = arrays(
    np.float64, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=st.integers(-2, 2)
)


@pytest.fixture
def stored():
    """Ratings 5, 0 (a record) and -1 in a table of 2 x 3 cells."""
    return sparse.csr_array((np.array([5.0, 0.0, -1.0]), [0, 2, 1], [0, 2, 3]), shape=(2, 3))


WANTED = np.array([[5.0, NAN, 0.0], [NAN, -1.0, NAN]])


def test_a_stored_zero_is_a_rating_and_the_rest_is_absent(stored):
    for form in (stored, stored.tocoo(), stored.tocsc()):
        assert np.array_equal(as_table(form, rating_range=(-10, 10)), WANTED, equal_nan=True)


def test_edge_lists_and_graphs():
    frame = pd.DataFrame({"user": [0, 0, 1], "item": [0, 2, 1], "rating": [5, 0, -1]})
    edges = made_of(frame, user="user", item="item", value="rating")
    assert np.array_equal(as_table(edges), WANTED, equal_nan=True)
    graph = nx.Graph()
    graph.add_nodes_from(["a", "b"], bipartite=0)
    graph.add_nodes_from(["x", "y", "z"], bipartite=1)
    graph.add_weighted_edges_from([("a", "x", 5), ("a", "z", 0), ("b", "y", -1)])
    assert np.array_equal(as_table(graph), WANTED, equal_nan=True)


def test_a_dense_zero_is_absent_where_the_scale_leaves_it_out():
    table, gaps = [[5, 0], [NAN, 1]], [[5, NAN], [NAN, 1]]
    assert np.array_equal(as_table(table, rating_range=(1, 5)), gaps, equal_nan=True)
    for scale in ((-5, 5), (0, 5), None):
        assert np.array_equal(as_table(table, rating_range=scale), table, equal_nan=True)


def test_labels_of_groups_are_numbered_in_their_order():
    for labels in ([0, 7, 0, 2**62], np.array([0, 7, 0, 2**63], dtype=np.uint64)):
        assert check_labels(labels, 4).tolist() == [0, 1, 0, 2]


def test_equal_tables_have_equal_bytes():
    assert not np.signbit(as_table([[-0.0]])).any()


cells = st.sampled_from([0.0, -0.0, 1.0, NAN])


@given(arrays(np.float64, st.tuples(st.integers(1, 8), st.just(2)), elements=cells))
def test_distinct_rows_against_counting(table):
    keys = [tuple("gap" if x != x else x for x in row) for row in table.tolist()]
    expected = list(dict.fromkeys(keys))  # in the order of their first appearance
    result = distinct_points(table)
    assert result.labels.tolist() == [expected.index(key) for key in keys]
    assert result.sizes.tolist() == [keys.count(key) for key in expected]
    assert result.first.tolist() == [keys.index(key) for key in expected]


@given(small, st.randoms(use_true_random=False))
def test_canonical_order_is_one_of_the_contents(table, random):
    order = list(range(len(table)))
    random.shuffle(order)
    table = table + 0.0
    assert sorted(canonical_order(table)) == list(range(len(table)))
    mixed = table[order]
    assert np.array_equal(table[canonical_order(table)], mixed[canonical_order(mixed)])


@given(small, st.floats(-3, 3))
def test_squared_error_against_the_definition(table, shift):
    other = table * 0.5 + shift
    slow = sum((a - b) ** 2 for a, b in zip(table.ravel(), other.ravel(), strict=True))
    assert squared_error(table, other) == pytest.approx(slow, rel=1e-12, abs=1e-300)
    assert squared_error(table, other) == squared_error(table[::-1], other[::-1])


def test_squared_error_over_many_blocks():
    rng = np.random.default_rng(1)
    left, right = rng.random((2, 500, 700))
    assert squared_error(left, right) == pytest.approx(np.square(left - right).sum(), rel=1e-12)
