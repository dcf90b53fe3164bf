"""Releases of every kind become the same hashable entries, one by one and as a table."""

import copy
import datetime
import math
from decimal import Decimal
from fractions import Fraction

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from pplab.attacks.auditor import audit_epsilon
from pplab.attacks.releases import ReleaseTable, entries


def test_equal_releases_have_equal_entries_and_others_have_not():
    for one, same, other in (
        (3, np.float64(3), 4),
        (float("nan"), np.float32("nan"), 0.0),
        ("yes", "yes", "no"),
        (None, None, 0),
        (np.array([[1, 0]]), [[1.0, 0.0]], np.array([[0, 1]])),
        ((np.array([1]), 2), ([1], 2.0), ([2], 1)),
        (frozenset([3, 1]), frozenset([1, 3]), frozenset([1])),
        (sparse.csr_array([[0, 2]]), sparse.coo_matrix([[0, 2.0]]), sparse.csr_array([[2, 0]])),
    ):
        assert hash(entries(one)) == hash(entries(same)), one
        assert entries(one) == entries(same), one
        assert entries(one) != entries(other), one


def test_stored_zeros_and_the_order_of_cells():
    stored = sparse.csr_array(([0.0], [1], [0, 1]), shape=(1, 2))
    assert entries(stored) == (((), (1, 2)), ((0, 1), 0))
    assert entries(sparse.csr_array((1, 2))) == (((), (1, 2)),)
    unsorted = sparse.csr_array(([1, 2], [2, 0], [0, 2]), shape=(1, 3))
    assert entries(unsorted)[1:] == (((0, 0), 2), ((0, 2), 1))
    assert unsorted.indices.tolist() == [2, 0]


def graph(kind, *edges, nodes=(), **attributes):
    made = kind(**attributes)
    made.add_nodes_from(nodes)
    made.add_edges_from(edges)
    return made


NAN, FIELDS = math.nan, "i4,f8"
PARALLEL = [(0, 1), (0, 1)]
TELLING = [  # two releases each that differ
    (graph(nx.DiGraph, (0, 1)), graph(nx.DiGraph, (1, 0))),
    (graph(nx.Graph, (0, 1)), graph(nx.DiGraph, (0, 1), (1, 0))),
    (graph(nx.Graph), graph(nx.MultiGraph)),
    (graph(nx.Graph, (0, 1, {"w": 1})), graph(nx.Graph, (0, 1, {"w": 2}))),
    (graph(nx.Graph, (0, 1)), graph(nx.Graph, (0, 1), nodes=[2])),
    (graph(nx.MultiGraph, (0, 1)), graph(nx.MultiGraph, *PARALLEL)),
    (graph(nx.MultiGraph, (0, 1, {"w": 1})), graph(nx.MultiGraph, *PARALLEL[:1])),
    (graph(nx.Graph, nodes=["Ann"]), graph(nx.Graph, nodes=["Bob"])),
    (graph(nx.Graph, nodes=[(0, {"a": 1})]), graph(nx.Graph, nodes=[0])),
    (graph(nx.Graph, (0, 0)), graph(nx.Graph, nodes=[0])),
    (graph(nx.Graph, name="a"), graph(nx.Graph)),
    (pd.DataFrame({"x": [1]}, index=[0]), pd.DataFrame({"x": [1]}, index=[1])),
    (pd.DataFrame(index=pd.Index([1], name="a")), pd.DataFrame(index=[1])),
    (pd.DataFrame({"x": [1]}), pd.DataFrame({"y": [1]})),
    (pd.DataFrame({"x": [1], "y": ["a"]}), pd.DataFrame({"x": [1], "y": ["b"]})),
    (pd.DataFrame([[1, 2]], columns=["x", "x"]), pd.DataFrame([[2, 1]], columns=["x", "x"])),
    (pd.Series([1], name="x"), pd.Series([1], name="y")),
    (pd.Series([1], index=["x"]), pd.Series([1])),
    *((sparse.csr_array((2, 3)), sparse.csr_array((3, 2))), ([[]], [])),
    *(({"a": 1, (2, "b"): [3]}, {"a": 1, (2, "b"): [4]}), ({1: 1}, {"1": 1}), ({(0, 1)}, {0})),
    *((b"a", "a"), ("nan", NAN), (None, 0), (Fraction(1, 3), 1 / 3), (Decimal("0.1"), 0.1)),
    *((Decimal("NaN"), 0), (1j, 1), (sparse.csr_array([[1j]]), sparse.csr_array([[1]]))),
    (np.array([(1, 2.0)], dtype=FIELDS), np.array([(1, 3.0)], dtype=FIELDS)),
    (np.array([[1], (2, 3)], dtype=object), np.array([[1], (2, 4)], dtype=object)),
    *((math.inf, -math.inf), (10**5000, -(10**5000))),
]


class Tells:
    def sample(self, data, **_):
        return copy.deepcopy(data)


@pytest.mark.parametrize("number", range(len(TELLING)))
def test_what_a_release_shows_is_seen(number):
    """Told apart by the entries, and by an audit; the same release is the same again."""
    one, other = TELLING[number]
    assert entries(one) == entries(copy.deepcopy(one)) != entries(other)
    result = audit_epsilon(Tells(), (one, other), claimed=1, samples=100, alpha=0.1, rng=1)
    assert result.violated
    assert len(str(result)) < 600


def test_what_has_no_order_is_equal_in_any_order():
    for one, other in (
        (graph(nx.Graph, (0, 1), (2, "b")), graph(nx.Graph, ("b", 2), (1, 0))),
        (graph(nx.MultiDiGraph, (0, 1), (1, 0)), graph(nx.MultiDiGraph, (1, 0), (0, 1))),
        ({"a": 1, "b": {2, 3}}, {"b": {3, 2}, "a": 1.0}),
        (3, 3 + 0j),
        ([1, (2, 3)], (1, np.array([2.0, 3.0]))),
    ):
        assert entries(one) == entries(other), one


def test_a_release_of_unknown_kind_is_refused():
    inside = []
    inside.append(inside)
    masked = np.ma.masked_array([1, 2], mask=[0, 1])
    odd = [(1, slice(1)), object(), range(3), iter([1]), {1: object()}, {1: {2: slice(1)}}, inside]
    odd += [masked, (1, masked), np.ma.masked, datetime.date(2020, 1, 1), pd.NaT, [pd.NA], int]
    odd += [graph(nx.Graph, nodes=[object()]), pd.DataFrame({"x": [pd.NaT]})]
    for output in odd:
        with pytest.raises(TypeError, match="turn it into one of these in sample"):
            entries(output)


def batches(kind):
    """Two batches of random tables, in the three ways a table is built."""
    draws = np.random.default_rng(1).integers(0, 3, size=(2, 60, 2, 2))
    if kind == "arrays":
        return list(draws)
    if kind == "sparse":
        return [[sparse.csr_array(table) for table in batch] for batch in draws]
    return [[(table.tolist(), "note") for table in batch] for batch in draws]


@pytest.mark.parametrize("kind", ["arrays", "sparse", "anything"])
def test_a_table_says_what_the_entries_say(kind):
    drawn = batches(kind)
    table = ReleaseTable.of(drawn)
    shape = 1 if kind == "sparse" else 0  # which all have in common
    alone = [entries(output)[shape:] for batch in drawn for output in batch]
    assert len(table) == len(alone) == 120
    assert [table.entries_of(row) for row in range(120)] == alone
    numbers, shown = table.outputs
    assert [alone[shown[number]] for number in numbers] == alone
    assert len(shown) == len(set(alone))
    column = table.names.index(alone[0][-1])
    assert table.indicators[:, [column]].toarray().ravel().tolist() == [
        float(alone[0][-1] in held) for held in alone
    ]
    paths = [path for path, _ in table.names]
    assert len(set(table.path_numbers.tolist())) == len(set(paths))
