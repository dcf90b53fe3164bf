"""Releases of every kind become the same hashable entries, one by one and as a table."""

import copy
import math  # noqa: F401 (of told_apart.txt, as some others)
from decimal import Decimal  # noqa: F401
from fractions import Fraction  # noqa: F401

import networkx as nx  # noqa: F401
import numpy as np
import pandas as pd  # noqa: F401
import pytest
from scipy import sparse

from pplab.attacks.auditor import audit_epsilon
from pplab.attacks.releases import ReleaseTable, entries
from tests.generated.inputs import read


def graph(kind, *edges, nodes=(), **attributes):
    made = kind(**attributes)
    made.add_nodes_from(nodes)
    made.add_edges_from(edges)
    return made


TELLING = read("../attacks/told_apart.txt")


class Tells:
    def sample(self, data, **_):
        return copy.deepcopy(data)


@pytest.mark.parametrize("pair", TELLING)
def test_what_a_release_shows_is_seen(pair):
    """Told apart by the entries, and by an audit; the same release is the same again."""
    one, other = eval(pair)
    assert entries(one) == entries(copy.deepcopy(one)) != entries(other)
    result = audit_epsilon(Tells(), (one, other), claimed=1, samples=100, alpha=0.1, rng=1)
    assert result.violated
    assert len(str(result)) < 600


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
