"""Exact pairing at k = 2."""

from __future__ import annotations

import sys
from itertools import count

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

from pplab.smooth import greedy, pairing
from pplab.smooth.groups import RULES, publish_votes
from pplab.smooth.optimum import groupings
from pplab.smooth.pairing import NOBODY, better_pairs, cheapest_pairs, pair_distances


def test_whole_table_reaches_the_optimum_over_pairs_and_equal_rows() -> None:
    for seed in range(50):
        rng = np.random.default_rng(seed)
        table = random_table(rng, rows=2 * int(rng.integers(1, 5 + (seed % 50 == 0))))
        labels = random_groups(rng, table.shape[0], odd=False)
        pairs = [one for one in partitions(table.shape[0]) if np.bincount(one).max() == 2]
        for keep in ("half", "all"):
            best = max(kept(table, one, keep) for one in pairs)
            found = better_pairs(table, labels, keep=keep, nearest=9, rng=rng)
            assert kept(table, found, keep) >= best
            assert np.bincount(found).min() >= 2


def test_no_groups_of_2_or_with_equal_rows_are_better() -> None:
    """Groups of 3 with two equal rows count too: they are what the Notes promise."""
    met = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        table = random_table(rng, rows=int(rng.integers(4, 9)))
        allowed = [one for one in partitions(table.shape[0]) if equal_enough(table, one)]
        if not allowed:
            continue
        best = max(kept(table, one, "all") for one in allowed)
        found = better_pairs(table, allowed[0], keep="all", nearest=9, rng=rng)
        assert kept(table, found, "all") >= best
        met += 1
    assert met > 20


def test_distances_sum_as_with_networkx() -> None:
    for seed in range(9):
        rng, density = np.random.default_rng(seed), (0.03, 0.1, 0.4)[seed % 3]
        rows = 2 * int(rng.integers(20, 31))
        table = as_table(rng.random((rows, 50)) < density)
        partner = cheapest_pairs(table, NO_PAIRS, None, unit=64, nearest=rows, rng=rng)
        assert (partner[partner] == np.arange(rows)).all()
        assert (partner != np.arange(rows)).all()
        ours = pair_distances(table, np.arange(rows), partner).sum() // 2
        assert ours == least_sum(table)


def test_few_nearest_rows_and_the_empty_row_are_enough_to_pair_all() -> None:
    """Three blocks that share nothing, of odd sizes: some rows must go with strangers."""
    blocks = sparse.block_diag([np.ones((size, size)) for size in (3, 5, 4)], format="csr")
    table = as_table(blocks.toarray() - np.eye(12) > 0)
    for nearest in (1, 2, 3, 11):
        rng = np.random.default_rng(0)
        partner = cheapest_pairs(table, NO_PAIRS, None, unit=1, nearest=nearest, rng=rng)
        assert (partner[partner] == np.arange(12)).all()
    assert pair_distances(table, np.arange(12), partner).sum() // 2 == least_sum(table)


def test_large_weights_stay_exact() -> None:
    """Two pairings whose costs differ by one part in a million."""
    table = as_table(
        np.tri(4, 4000, k=0, dtype=bool) | (np.arange(4000) % 4 == np.arange(4)[:, None])
    )
    rng = np.random.default_rng(0)
    partner = cheapest_pairs(table, NO_PAIRS, None, unit=2000, nearest=3, rng=rng)
    assert pair_distances(table, np.arange(4), partner).sum() // 2 == least_sum(table)


def test_rows_leave_where_that_is_cheaper() -> None:
    table = as_table([[1, 1, 0, 0], [1, 1, 1, 0], [0, 0, 0, 1], [0, 0, 1, 1]])
    rng = np.random.default_rng(0)
    leaving = np.array([9, 9, 0, 0])
    partner = cheapest_pairs(table, NO_PAIRS, leaving, unit=1, nearest=3, rng=rng)
    assert partner.tolist() == [1, 0, NOBODY, NOBODY]


@pytest.mark.parametrize("keep", RULES)
def test_never_worse_and_never_groups_of_1(keep: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With regions of a few rows, too, and groups of all sizes."""
    monkeypatch.setattr(pairing, "_WHOLE", 10)
    monkeypatch.setattr(pairing, "_SIZE", 6)
    better = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        table = random_table(rng, rows=int(rng.integers(4, 60)))
        labels = random_groups(rng, table.shape[0], odd=True)
        found = better_pairs(table, labels, keep=keep, nearest=int(rng.integers(1, 8)), rng=rng)
        assert found.dtype == np.int64
        assert np.bincount(found).min() >= 2
        assert kept(table, found, keep) >= kept(table, labels, keep)
        better += kept(table, found, keep) > kept(table, labels, keep)
    assert better > 30


def test_two_groups_of_3_become_pairs_where_that_is_better() -> None:
    table = as_table(np.column_stack([np.repeat(np.eye(3), 2, axis=0), np.eye(6)]))
    found = better_pairs(table, np.array([0, 1, 0, 1, 0, 1]), rng=np.random.default_rng(0))
    assert found.tolist() == [0, 0, 1, 1, 2, 2]


def test_equal_rows_spare_one_or_take_one_in() -> None:
    rng = np.random.default_rng(0)
    three = as_table([[1, 1, 0, 0]] * 3 + [[1, 1, 1, 0]] + [[0, 0, 1, 1]] * 2)
    found = better_pairs(three, np.array([0, 0, 1, 1, 2, 2]), rng=rng)
    assert kept(three, found, "half") == pytest.approx(13 / 14)
    two = as_table([[1, 1, 0, 0]] * 2 + [[1, 1, 1, 0]] + [[0, 0, 0, 1]] * 3)
    found = better_pairs(two, np.array([0, 1, 1, 0, 2, 2]), rng=rng)
    assert np.unique(found[:3]).size == np.unique(found[3:]).size == 1


def test_the_same_for_a_seed_and_until_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairing, "_WHOLE", 20)
    monkeypatch.setattr(pairing, "_SIZE", 30)
    table = as_table(np.random.default_rng(5).random((200, 40)) < 0.1)
    labels = np.arange(200) // 2

    def stopped_at(asked: int) -> tuple[np.ndarray, int]:
        calls = count(1)
        found = better_pairs(
            table, labels, rng=np.random.default_rng(3), until=lambda: next(calls) >= asked
        )
        return found, next(calls) - 1

    runs = {asked: stopped_at(asked) for asked in (1, 2, 9)}
    assert [run[1] for run in runs.values()] == [1, 2, 9]
    assert (stopped_at(9)[0] == runs[9][0]).all()
    shares = [kept(table, run[0], "half") for run in runs.values()]
    assert shares[0] < shares[1] < shares[2]


def test_without_its_library_the_search_is_refused_before_it_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pymatching", None)
    monkeypatch.setattr(greedy, "improve", None)  # to call it would fail
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'pplab\[fast\]'"):
        greedy.greedy_labels(as_table(np.eye(4)), 2, keep="half", effort="thorough", rng=1)


NO_PAIRS = np.empty((0, 2), dtype=np.int64)


def as_table(rows: object) -> sparse.csr_array:
    return sparse.csr_array(np.asarray(rows).astype(np.int8))


def random_table(rng: np.random.Generator, *, rows: int) -> sparse.csr_array:
    """Some rows are copies, some are empty."""
    cells = rng.random((rows, int(rng.integers(2, 12)))) < rng.choice([0.1, 0.3, 0.6])
    copies = rng.random(rows) < rng.choice([0.0, 0.3, 0.6])
    cells[copies] = cells[rng.integers(0, rows, copies.sum())]
    return as_table(cells)


def random_groups(rng: np.random.Generator, rows: int, *, odd: bool) -> np.ndarray:
    labels = np.empty(rows, dtype=np.int64)
    order, place = rng.permutation(rows), 0
    while place < rows:
        size = int(rng.integers(2, 6)) if odd else 2
        size = rows - place if rows - place - size < 2 else size
        labels[order[place : place + size]] = order[place]
        place += size
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def kept(table: sparse.csr_array, labels: np.ndarray, keep: str) -> float:
    published = publish_votes(table, labels, keep=keep)
    return published.kept / max(table.nnz + published.created, 1)


def least_sum(table: sparse.csr_array) -> int:
    rows = table.shape[0]
    one, other = np.triu_indices(rows, 1)
    far = pair_distances(table, one, other)
    graph = nx.Graph()
    graph.add_weighted_edges_from(zip(one.tolist(), other.tolist(), (-far).tolist(), strict=True))
    pairs = np.array(sorted(nx.max_weight_matching(graph, maxcardinality=True)))
    return int(pair_distances(table, pairs[:, 0], pairs[:, 1]).sum())


def partitions(rows: int) -> list[np.ndarray]:
    """All groupings into groups of 2 and 3 rows."""
    found = []
    for groups in groupings(rows, 2):
        if max(map(len, groups)) <= 3:
            labels = np.empty(rows, dtype=np.int64)
            for number, group in enumerate(groups):
                labels[group] = number
            found.append(labels)
    return found


def equal_enough(table: sparse.csr_array, labels: np.ndarray) -> bool:
    """Pairs, and groups of 3 in which two rows are equal and the third has no equal, or all are."""
    rows = [tuple(row) for row in table.toarray().tolist()]
    for group in range(labels.max() + 1):
        members = [rows[row] for row in np.flatnonzero(labels == group)]
        if len(members) == 3:
            if len(set(members)) == 3:
                return False
            if len(set(members)) == 2:
                single = min(members, key=members.count)
                if rows.count(single) > 1:
                    return False
    return True
