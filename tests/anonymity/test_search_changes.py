"""Exact changes of worth against a recount, on thousands of random states."""

import itertools

import numpy as np
import pytest
from scipy import sparse

from pplab.smooth._greedy import (
    POOL,
    add_row,
    alike_kinds,
    dissolve_group,
    group_worth,
    has_room,
    join_groups,
    split_group,
    swap_gain,
    swap_sides,
    take_row,
    worth_table,
    worth_with,
    worth_without,
)
from pplab.smooth._rows import kinds_of_rows
from tests.anonymity.search_cases import (
    KEEPS,
    assert_consistent,
    price_of,
    random_case,
    total_of,
    value_of,
)

ALWAYS, NEVER = 1e300, 1e-300  # temperatures at which a loss is made, and is not


def drawn(seed, keep):
    """A case, a price and its table of worths, with no number but NaN behind its end."""
    case, rng = random_case(seed), np.random.default_rng([seed, 1])
    price = price_of(rng)
    worth = worth_table(case.state.members.shape[1], keep=keep, price=price)
    guarded = np.vstack([worth, np.full((1, worth.shape[1]), np.nan)])[:-1]
    return case, rng, guarded, {"keep": keep, "price": price}


def rows_of(case, group):
    return np.flatnonzero(case.state.group_of == group)


@pytest.mark.parametrize("keep", KEEPS)
def test_moves_between_groups_and_pool(keep):
    full = 0
    for seed in range(50):
        case, rng, worth, rule = drawn(seed, keep)
        state = case.state
        for _ in range(5):
            row = int(rng.integers(len(case.labels)))
            home, away = int(state.group_of[row]), int(rng.choice(np.unique(case.labels)))
            own, other = rows_of(case, home), rows_of(case, away)
            if home != POOL:
                assert group_worth(state, worth, home) == value_of(case.table, own, **rule)
                left = value_of(case.table, own[own != row], **rule)
                assert worth_without(state, worth, home, row) == left
            else:
                assert worth_without(state, worth, home, row) == group_worth(state, worth, home)
                assert group_worth(state, worth, home) == 0
            if away == home or (away != POOL and len(other) == state.members.shape[1]):
                full += away != home
                continue
            joined = value_of(case.table, np.append(other, row), **rule) if away != POOL else 0
            assert worth_with(state, worth, away, row) == joined
            last = home != POOL and len(own) == 1  # annealing never takes the last one
            if not last and has_room(state, away, case.table[row].sum()):
                take_row(state, row)
                add_row(state, away, row)
        assert_consistent(state, case.table)
    assert full > 8  # full groups were met


@pytest.mark.parametrize("keep", KEEPS)
def test_rows_that_change_places(keep):
    pools = common = 0
    for seed in range(50):
        case, rng, worth, rule = drawn(seed, keep)
        kind_of, most = case.state.kinds.kind_of, case.table.shape[1]
        for _ in range(5):
            one, two = (int(row) for row in rng.integers(len(case.labels), size=2))
            home, away = int(case.labels[one]), int(case.labels[two])
            if home == away or away == POOL:
                continue
            sides = np.full(most, np.nan), np.full(most, np.nan)
            first = swap_sides(case.state, worth, kind_of[one], home, away, sides[0])
            assert first == sides[0][: case.table[one].sum()].sum()
            gain = swap_gain(case.state, worth, (one, two), (home, away), sides, first)
            swapped = case.labels.copy()
            swapped[[one, two]] = away, home
            after, before = (total_of(case.table, x, **rule) for x in (swapped, case.labels))
            assert gain == after - before
            pools += home == POOL
            common += (case.table[one] & case.table[two]).any()
    assert pools > 15
    assert common > 80


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("temperature", [NEVER, ALWAYS])
def test_one_group_of_two(keep, temperature):
    made = refused = 0
    for seed in range(60):
        case, rng, worth, rule = drawn(seed, keep)
        state, groups = case.state, np.unique(case.labels[case.labels >= 0])
        if len(groups) == 1:
            continue
        home, away = (int(group) for group in rng.choice(groups, 2, replace=False))
        fits = state.sizes[home] + state.sizes[away] <= state.members.shape[1]
        fits &= has_room(state, away, int(state.used[home]))
        before = total_of(case.table, case.labels, **rule)
        join_groups(state, worth, home, away, temperature, np.array([seed], dtype=np.uint64))
        joined = np.where(case.labels == home, away, case.labels)
        gain = total_of(case.table, joined, **rule) - before
        done = fits and (gain >= 0 or temperature == ALWAYS)
        assert np.array_equal(state.group_of, joined if done else case.labels)
        assert_consistent(state, case.table)
        made, refused = made + done, refused + (fits and not done)
    assert made > 0
    assert refused > 0 or temperature == ALWAYS


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("temperature", [NEVER, ALWAYS])
def test_two_groups_of_one_and_a_group_that_goes(keep, temperature):
    """Either all rows move as they should, at no loss unless it is hot, or none does."""
    made, refused = [0, 0], [0, 0]
    for seed, goes in itertools.product(range(60), (False, True)):
        case, rng, worth, rule = drawn(seed, keep)
        state, draws = case.state, np.array([seed], dtype=np.uint64)
        large = np.flatnonzero(state.sizes >= (1 if goes else 2 * case.k))
        if not len(large):
            continue
        home, spares = int(rng.choice(large)), int(state.spares[0])
        free = int(state.spare[spares - 1])
        if goes:
            alike = alike_kinds(kinds_of_rows(sparse.csr_array(case.table)), 8)
            dissolve_group(state, alike, worth, home, temperature, draws)
        else:
            split_group(state, worth, case.k, home, temperature, draws)
        assert_consistent(state, case.table)
        if state.spares[0] == spares:
            assert np.array_equal(state.group_of, case.labels)
            refused[goes] += 1
            continue
        moved = state.group_of != case.labels
        assert set(case.labels[moved]) == {home}
        if goes:
            assert state.spare[spares] == home
            assert np.array_equal(moved, case.labels == home)
            assert set(state.group_of[moved]) <= set(case.labels) - {home, POOL}
        else:
            assert set(state.group_of[moved]) == {free}
            assert np.bincount(state.group_of[state.group_of >= 0])[[home, free]].min() >= case.k
        gain = total_of(case.table, state.group_of, **rule)
        assert gain >= total_of(case.table, case.labels, **rule) or temperature == ALWAYS
        made[goes] += 1
    assert min(made) > 1
    assert refused[True] > 1
    assert refused[False] > 1 or temperature == ALWAYS or keep == "all"  # which never loses by it
