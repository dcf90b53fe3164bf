"""Smooth and suppressing copies: groups, votes, counts, and refusals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import sparse

from pplab.datasets.blocks import block_model
from pplab.graphs import as_matrix
from pplab.metrics.anonymity import is_k_anonymous, is_smooth_k_anonymous
from pplab.metrics.error import jaccard_similarity
from pplab.smooth._rows import kinds_of_rows
from pplab.smooth.anonymize import smooth_k_anonymize, suppress_k_anonymize
from pplab.smooth.groups import publish_votes
from pplab.smooth.recipe import online_facilities, opening_costs

tables = arrays(
    np.int8,
    array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=10),
    elements=st.integers(0, 1),
)
ASSIGNMENTS = st.sampled_from(["arrival", "nearest"])


@settings(deadline=None, max_examples=60)
@given(tables, st.data(), ASSIGNMENTS, st.sampled_from(["half", "more-than-half"]))
def test_the_recipe_gives_smooth_copies(table, data, assignment, ties):
    k = data.draw(st.integers(2, len(table)))
    found = smooth_k_anonymize(table, k, method="paper", assignment=assignment, ties=ties, rng=1)
    assert is_smooth_k_anonymous(table, found.biadjacency, k)
    assert np.bincount(found.labels).min() >= k
    assert found.jaccard == pytest.approx((1 - found.suppressed) / (1 + found.created))
    assert found.jaccard == pytest.approx(jaccard_similarity(table, found.biadjacency))
    assert found.empty_rows == (np.diff(found.biadjacency.indptr) == 0).mean()


@settings(deadline=None, max_examples=40)
@given(tables, st.data(), st.sampled_from(["greedy", "clusters", "mondrian"]))
def test_suppression_only_suppresses(table, data, method):
    k = data.draw(st.integers(2, len(table)))
    found = suppress_k_anonymize(table, k, method=method, rng=1)
    assert is_k_anonymous(found.biadjacency, k)
    assert found.created == 0
    assert (found.biadjacency.toarray() <= table).all()


@settings(deadline=None)
@given(tables, st.data(), st.sampled_from(["half", "more-than-half", "all"]))
def test_votes_against_the_definition(table, data, keep):
    labels = np.array(
        data.draw(st.lists(st.integers(0, 3), min_size=len(table), max_size=len(table)))
    )
    labels = np.unique(labels, return_inverse=True)[1]
    expected = np.zeros_like(table)
    for group in np.unique(labels):
        votes, size = table[labels == group].sum(axis=0), (labels == group).sum()
        enough = {"half": 2 * votes >= size, "more-than-half": 2 * votes > size}
        kept = enough.get(keep, votes == size) & (votes > 0)
        expected[labels == group] = kept
    found = publish_votes(table, labels, keep=keep)
    assert np.array_equal(found.biadjacency.toarray(), expected)
    assert found.kept == (expected & table).sum()
    assert found.created == (expected & ~table & 1).sum()
    assert found.suppressed == (table & ~expected & 1).sum()
    order, columns = (np.random.default_rng(1).permutation(size) for size in table.shape)
    moved = publish_votes(table[order][:, columns], labels[order], keep=keep)
    assert np.array_equal(moved.biadjacency.toarray(), expected[order][:, columns])


def slow_order(table, k, order, coins):
    """Meyerson's algorithm from all distances; ties as documented."""
    counts = table.sum(axis=0)
    rank = np.argsort(np.argsort(counts, kind="stable"), kind="stable")
    away = (table[:, None, :] != table[None]).sum(axis=2)
    costs = 2 * np.sort(away, axis=1)[:, : 2 * k].sum(axis=1)
    facilities, assigned, total = [], np.empty(len(table), dtype=int), 0

    def key(row, number):
        at = facilities[number]
        own = sorted(np.flatnonzero(table[row]), key=rank.__getitem__)
        shared = [place for place, item in enumerate(own) if table[at, item]]
        return away[row, at], shared[0] if shared else len(own), number

    for row in order:
        keys = [key(row, number) for number in range(len(facilities))]
        # one of equal degree that shares nothing: the lightest, the first of them
        if not keys or coins[row] * costs[row] < min(keys)[0]:
            facilities.append(row)
            assigned[row] = len(facilities) - 1
            total += costs[row]
        else:
            assigned[row] = min(keys)[2]
            total += min(keys)[0]
    nearest = [
        min(key(row, number) for number in range(len(facilities)))[2] for row in range(len(table))
    ]
    return total, assigned, np.array(nearest)


@settings(deadline=None, max_examples=60)
@given(tables, st.integers(0, 1000))
def test_online_facilities_against_all_distances(table, seed):
    kinds, runs = kinds_of_rows(as_matrix(table)), []
    for child in np.random.default_rng(seed).spawn(3):
        order, coins = child.permutation(len(table)), child.random(len(table))
        runs.append(slow_order(table.astype(int), 2, order, coins))
    best = min(runs, key=lambda run: run[0])
    for place, assignment in enumerate(["arrival", "nearest"], start=1):
        rng = np.random.default_rng(seed)
        costs = opening_costs(kinds, 2, spread=2)
        found = online_facilities(kinds, costs, orders=3, assignment=assignment, rng=rng)
        assert found.cost == best[0]
        assert np.array_equal(found.assigned, best[place])


def test_block_model_is_found_and_seeds_repeat():
    table = block_model(block_size=64, blocks=16, inside=0.8, outside=0.01, rng=0).biadjacency
    found = smooth_k_anonymize(table, 8, method="paper", assignment="nearest", rng=1)
    assert found.jaccard > 0.65  # 0.696 by blocks
    again = smooth_k_anonymize(table, 8, method="paper", assignment="nearest", rng=1)
    assert np.array_equal(found.labels, again.labels)
    rows = np.repeat(np.eye(3, 6, dtype=int) + np.eye(3, 6, 3, dtype=int), 3, axis=0)
    for method in ("alg1", "alg2"):
        assert smooth_k_anonymize(rows, 3, method=method, rng=1).jaccard == 1


def test_numbers_of_few_bytes_are_numbers():
    """A k of numpy's int8 must not overflow where b k rows are asked for."""
    table = (np.random.default_rng(1).random((300, 20)) < 0.2).astype(np.int8)
    plain = smooth_k_anonymize(table, 100, method="paper", rng=1)
    small = smooth_k_anonymize(table, np.int8(100), method="paper", rng=1)
    assert np.array_equal(small.labels, plain.labels)
    few = suppress_k_anonymize(table, np.int8(100), method="clusters", rng=1)
    assert np.array_equal(few.labels, plain.labels)


def test_items_may_be_listed_in_any_order():
    """Of equally near facilities the rarest shared item decides; columns only part equal ones."""
    rng = np.random.default_rng(4)
    table = (rng.random((90, 8)) < np.linspace(0.1, 0.9, 8)).astype(np.int8)
    assert len(set(table.sum(axis=0))) == 8
    for seed in range(6):
        order, assignment = rng.permutation(8), ["arrival", "nearest"][seed % 2]
        found = smooth_k_anonymize(table, 3, method="paper", assignment=assignment, rng=seed)
        moved = smooth_k_anonymize(
            table[:, order], 3, method="paper", assignment=assignment, rng=seed
        )
        assert found.labels.max() > 0
        assert np.array_equal(moved.labels, found.labels)
        expected = found.biadjacency.toarray()[:, order]
        assert np.array_equal(moved.biadjacency.toarray(), expected)


def test_tables_without_entries_and_with_one_column():
    for method in ("greedy", "paper"):
        nothing = sparse.csr_array((4, 3), dtype=np.int8)
        found = smooth_k_anonymize(nothing, 2, method=method, rng=1)
        assert (found.jaccard, found.suppressed, found.created, found.empty_rows) == (1, 0, 0, 1)
    for seed in range(5):  # a second facility opens with probability 1/4: one group or two
        column = smooth_k_anonymize([[1], [1], [0], [0]], 2, method="paper", rng=seed)
        groups = column.labels.max() + 1
        assert column.jaccard == {1: 0.5, 2: 1.0}[groups]


def test_an_interruption_is_passed_on(monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("pplab.smooth.recipe._arrivals", interrupted)
    table = np.eye(4, dtype=np.int8)
    with pytest.raises(KeyboardInterrupt):
        smooth_k_anonymize(table, 2, method="paper", rng=1)
    assert np.array_equal(table, np.eye(4, dtype=np.int8))
