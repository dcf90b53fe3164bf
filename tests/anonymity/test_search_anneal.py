"""The state after thousands of proposals, and what they may and may not do."""

import numpy as np
import pytest
from scipy import sparse

from pplab._compiled import accepted, draw_below, draw_share
from pplab.smooth._greedy import POOL, Search, alike_kinds, anneal, count_of, worth_table
from pplab.smooth._rows import kinds_of_rows
from pplab.smooth.greedy import similarity_of
from pplab.smooth.groups import publish_votes
from tests.anonymity.search_cases import (
    KEEPS,
    assert_consistent,
    price_of,
    random_case,
    total_of,
)


def search_of(case, keep, price):
    kinds = kinds_of_rows(sparse.csr_array(case.table))
    worth = worth_table(case.state.members.shape[1], keep=keep, price=price)
    return Search(alike_kinds(kinds, 8), worth, case.k)


def assert_legal(case):
    labels = case.state.group_of
    assert (
        np.bincount(labels[labels >= 0]).tolist() == case.state.sizes[: labels.max() + 1].tolist()
    )
    sizes = case.state.sizes[case.state.sizes > 0]
    assert sizes.min(initial=case.k) >= case.k
    assert case.state.pool_size[0] == 0 or case.state.pool_size[0] >= case.k


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("temperature", [0.02, 0.5, 50.0])
def test_the_state_is_what_its_groups_say(keep, temperature):
    changed = pools = 0
    for seed in range(12):
        case = random_case(seed)
        search = search_of(case, keep, price_of(np.random.default_rng(seed)))
        seeds = np.array([seed], dtype=np.uint64)
        for _ in range(4):
            anneal(case.state, search, seeds, temperature=temperature, proposals=1000)
            assert_consistent(case.state, case.table)
            assert_legal(case)
        changed += not np.array_equal(case.state.group_of, case.labels)
        pools += case.state.pool_size[0] not in (0, (case.labels == POOL).sum())
    assert changed > 6
    assert pools > 0


@pytest.mark.parametrize("keep", KEEPS)
def test_without_heat_the_worth_never_falls(keep):
    """Each change is judged exactly: one misjudged would lower the worth now and then."""
    rises = 0
    for seed in range(25):
        case, rng = random_case(seed), np.random.default_rng(seed)
        price = price_of(rng)
        search, seeds = search_of(case, keep, price), np.array([seed], dtype=np.uint64)
        worth = total_of(case.table, case.labels, keep=keep, price=price)
        for _ in range(60):
            anneal(case.state, search, seeds, temperature=1e-300, proposals=3)
            now = total_of(case.table, case.state.group_of, keep=keep, price=price)
            assert now >= worth
            rises, worth = rises + (now > worth), now
    assert rises > 60


@pytest.mark.parametrize("keep", KEEPS)
def test_similarity_is_that_of_the_copy_without_the_pool(keep):
    for seed in range(30):
        case = random_case(seed)
        entries = int(case.table.sum())
        found = similarity_of(case.state, entries, keep)
        grouped = case.labels != POOL
        kept = publish_votes(case.table[grouped], case.labels[grouped], keep=keep)
        assert found == (kept.kept / (entries + kept.created) if entries else 1)
        whole = publish_votes(case.table, np.unique(case.labels, return_inverse=True)[1], keep=keep)
        assert whole.kept / (entries + whole.created) >= found  # the pool may add to it


def test_counts_of_items_that_no_row_of_the_group_has():
    case = random_case(3)
    columns = np.argsort(case.table.sum(axis=0), kind="stable")
    for group in np.unique(case.labels):
        votes = case.table[case.labels == group].sum(axis=0)[columns]
        expected = np.zeros_like(votes) if group == POOL else votes
        found = [count_of(case.state, group, item) for item in range(len(columns))]
        assert found == expected.tolist()


def test_draws_are_uniform_and_losses_made_as_often_as_said():
    seed = np.array([2**64 - 1], dtype=np.uint64)  # it goes on behind the largest number
    shares = np.array([draw_share(seed) for _ in range(4000)])
    assert shares.min() >= 0
    assert shares.max() < 1
    assert abs(shares.mean() - 0.5) < 0.03
    assert {draw_below(seed, 3) for _ in range(100)} == {0, 1, 2}
    assert all(accepted(0.0, 1e-9, seed) for _ in range(50))
    losses = np.mean([accepted(-1.0, 1.0, seed) for _ in range(4000)])
    assert abs(losses - np.exp(-1)) < 0.04
    assert not accepted(-1.0, 1e-300, seed)
