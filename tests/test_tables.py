"""Forms of data in: full tables and graphs; and intervals for a mean over all outcomes."""

import math

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from pplab import graph, jaccard_similarity, sensitive_attribute_risk, table
from pplab.graphs import as_adjacency, as_matrix, by_value, labels_of, with_labels
from pplab.intervals import binomial_lower, binomial_upper, log_ratio_bound, mean_interval
from pplab.tables import canonical_order, distinct_points, squared_error
from tests.generated.inputs import LABELS

NAN = np.nan
small = arrays(
    np.float64, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=st.integers(-2, 2)
)


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


# Coverage of the interval for a mean, over all outcomes; and the bound that it is made of.


@pytest.mark.parametrize("users", [2, 3, 6])
@pytest.mark.parametrize("alpha", [0.5, 0.1, 0.01])
def test_exact_coverage_of_values_in_halves(users, alpha):
    """All outcomes of a few users with values 0, 1/2, 1, over many laws: no simulation."""
    for half, one in np.random.default_rng(2).dirichlet([1, 1, 1], 40)[:, :2]:
        mean = half / 2 + one
        law = np.array([1.0])
        for _ in range(users):
            law = np.convolve(law, [1 - half - one, half, one])
        missed = 0.0
        for total, probability in enumerate(law):  # sum of the values, in halves
            ones, rest = divmod(total, 2)
            values = [1.0] * ones + [0.5] * rest + [0.0] * (users - ones - rest)
            low, high = mean_interval(values, alpha=alpha)
            missed += probability * (not low <= mean <= high)
        assert missed <= alpha


def test_against_the_binomial_interval_at_a_smaller_alpha():
    values = [1.0, 0.0, 0.5, 1.0, 0.25]  # sum 2.75
    side = 0.1 / (2 * math.e)
    low, high = mean_interval(values, alpha=0.1)
    assert low == binomial_lower(2, 5, alpha=side)
    assert high == binomial_upper(3, 5, alpha=side)


def test_delta_is_taken_off_before_the_logarithm():
    low, high = (f(n, 100, alpha=0.025) for f, n in ((binomial_lower, 80), (binomial_upper, 10)))
    for delta in (0.0, 1e-3, 0.5):
        result = log_ratio_bound(80, 10, 100, alpha=0.05, delta=delta)
        assert result == pytest.approx(math.log((low - delta) / high), abs=1e-12)
    assert log_ratio_bound(80, 10, 100, alpha=0.05, delta=0.9) == -math.inf


# The door: every form of a graph in, one CSR form out.


def near(frame, **named):
    return graph(frame, source="source", target="target", **named)


def rated(frame, **named):
    value = "rating" if "rating" in frame else None
    return table(frame, user="user", item="item", value=value, **named)


PATH = [(n, n + 1) for n in range(24)]


@pytest.mark.parametrize("kind", LABELS)
def test_rows_stand_in_the_order_of_the_values(kind):
    """A path in three containers, listed backwards, is the matrix of a path."""
    ends = [(LABELS[kind](b), LABELS[kind](a)) for a, b in reversed(PATH)]
    expected = [LABELS[kind](n) for n in range(25)]
    path, network_ = nx.to_numpy_array(nx.path_graph(25)), nx.Graph(ends)
    frame = pd.DataFrame({"source": [a for a, _ in ends], "target": [b for _, b in ends]})
    for arguments in (network_, near(frame)):
        in_order = by_value(arguments, bipartite=False)
        assert np.array_equal(as_adjacency(in_order).toarray(), path)
        assert list(in_order.nodes) == expected
    assert list(with_labels(network_, bipartite=False).nodes) == list(network_)
    likes = nx.Graph()
    likes.add_nodes_from(reversed(expected), bipartite=0)
    likes.add_nodes_from([("item", label) for label in reversed(expected)], bipartite=1)
    likes.add_weighted_edges_from((a, ("item", b), 3) for a, b in ends)
    frame = pd.DataFrame({"user": [a for a, _ in ends], "item": [b for _, b in ends], "rating": 3})
    for arguments in (likes, rated(frame)):
        in_order = by_value(arguments, bipartite=True)
        matrix = as_matrix(in_order)
        assert matrix.nnz == 24
        assert np.array_equal(matrix.toarray()[-24:, -25:][:, :24], 3 * np.eye(24))
        assert list(labels_of(in_order)[0][-24:]) == expected[1:]


def test_networkx_graphs_are_compared_by_their_nodes():
    def likes(*edges):
        graph = nx.Graph(list(edges))
        for node in graph:
            graph.nodes[node]["bipartite"] = int(str(node).startswith("i"))
        return graph

    one, other = likes(("u1", "i1"), ("u2", "i2")), likes(("u2", "i2"), ("u1", "i3"))
    with pytest.raises(
        ValueError, match=r"got items 'i3' in original only and 'i1' in .*graph lacks"
    ):
        jaccard_similarity(other, one)
    noise = likes(("u1", "i1"), ("u1", "i3"))
    for each in (one, other, noise):
        each.add_node("u2", bipartite=0)
        each.add_nodes_from(["i3", "i2", "i1"], bipartite=1)
    assert jaccard_similarity(one, other) == pytest.approx(1 / 3)
    risk = sensitive_attribute_risk(one, other, noise=noise)
    assert risk.tolist() == [pytest.approx(1 / 3), 1.0]


def labelled(*users, dtype=object):
    labels = pd.Series(users, dtype=dtype)
    return pd.DataFrame({"user": labels, "item": range(len(users)), "rating": range(len(users))})


def test_labels_of_any_type_are_compared():
    listed = labelled(("b", 1), ("a",))
    assert jaccard_similarity(*(rated(x).keep() for x in (listed, listed[::-1]))) == 1
    plain = as_matrix(rated(labelled("b", "a", dtype=None))).toarray()
    for dtype in ("category", "string"):
        assert np.array_equal(as_matrix(rated(labelled("b", "a", dtype=dtype))).toarray(), plain)
    numbers = (rated(labelled(3, 1, dtype=dtype)).keep() for dtype in ("Int64", float))
    assert jaccard_similarity(*numbers) == 1
