"""Lists of kinds most alike, against all pairs."""

import numba
import numpy as np
from scipy import sparse

from pplab.smooth import _greedy as alike
from pplab.smooth._greedy import alike_kinds
from pplab.smooth._rows import kinds_of_rows
from tests.anonymity.search_cases import random_table


def slow_lists(table, kinds, most):
    """Kinds by falling Jaccard similarity, then by number, from all pairs."""
    first = kinds.members[kinds.member_starts[:-1]]
    rows = table[first].astype(int)
    shared, degrees = rows @ rows.T, rows.sum(axis=1)
    lists = []
    for kind in range(len(rows)):
        union = degrees[kind] + degrees - shared[kind]
        others = [o for o in range(len(rows)) if o != kind and shared[kind, o]]
        lists.append(sorted(others, key=lambda o: (-shared[kind, o] / union[o], o))[:most])
    return lists


def test_lists_against_all_pairs():
    rng = np.random.default_rng(1)
    for most in [1, 3, 50] * 20:
        table = random_table(rng, int(rng.integers(2, 40)), int(rng.integers(1, 15)))
        kinds = kinds_of_rows(sparse.csr_array(table))
        found = alike_kinds(kinds, most)
        lists = [x.tolist() for x in np.split(found.kinds, found.starts[1:-1])]
        assert lists == slow_lists(table, kinds, most)


def test_blocks_and_threads_change_nothing(monkeypatch):
    rng = np.random.default_rng(1)
    kinds = kinds_of_rows(sparse.csr_array(random_table(rng, 300, 20)))
    whole = alike_kinds(kinds, 8)
    monkeypatch.setattr(alike, "_BLOCK", 7)
    before = numba.get_num_threads()
    try:
        for threads in range(1, min(2, numba.config.NUMBA_NUM_THREADS) + 1):
            numba.set_num_threads(threads)
            found = alike_kinds(kinds, 8)
            assert all(np.array_equal(a, b) for a, b in zip(found, whole, strict=True))
    finally:
        numba.set_num_threads(before)


def test_items_that_too_many_have_are_left_out(monkeypatch):
    """Six rows have the first item, and two each of the others: those decide."""
    table = np.hstack(
        [np.ones((6, 1), dtype=np.int8), np.repeat(np.eye(3, dtype=np.int8), 2, axis=0)]
    )
    table = np.hstack([table, np.eye(6, dtype=np.int8)])
    kinds = kinds_of_rows(sparse.csr_array(table))
    assert np.diff(alike_kinds(kinds, 9).starts).tolist() == [5] * 6
    monkeypatch.setattr(alike, "_MOST_PAIRS", 6 + 3 * 4)
    found = alike_kinds(kinds, 9)
    assert found.kinds.tolist() == [1, 0, 3, 2, 5, 4]
