"""Releases of every kind become the same hashable entries, one by one and as a table."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

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
    assert entries(stored) == (((0, 1), 0),)
    assert entries(sparse.csr_array((1, 2))) == ()
    unsorted = sparse.csr_array(([1, 2], [2, 0], [0, 2]), shape=(1, 3))
    assert entries(unsorted) == (((0, 0), 2), ((0, 2), 1))
    assert unsorted.indices.tolist() == [2, 0]


def test_a_release_of_unknown_kind_is_refused():
    frame = pd.DataFrame({"user": [1]})
    for output in ((1, slice(1)), {"a": 1}, {1, 2}, nx.path_graph(3), frame, object()):
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
    alone = [entries(output) for batch in drawn for output in batch]
    assert len(table) == len(alone) == 120
    assert [table.entries_of(row) for row in range(120)] == alone
    numbers, shown = table.outputs
    assert [alone[shown[number]] for number in numbers] == alone
    assert len(shown) == len(set(alone))
    column = table.names.index(alone[0][0])
    assert table.indicators[:, [column]].toarray().ravel().tolist() == [
        float(alone[0][0] in held) for held in alone
    ]
    paths = [path for path, _ in table.names]
    assert len(set(table.path_numbers.tolist())) == len(set(paths))
