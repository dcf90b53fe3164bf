"""What annealing does from outside: it stops, it can be stopped, it repeats itself."""

import functools
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from pplab.metrics.anonymity import is_smooth_k_anonymous
from pplab.smooth.anonymize import smooth_k_anonymize
from pplab.smooth.rows import distinct_rows
from pplab.smooth.vote import least_kept, publish_votes
from smoothbound import _greedy, greedy
from smoothbound._greedy import POOL, Search, anneal, similar_rows
from smoothbound.chunks import one_thread
from smoothbound.greedy import Budget, greedy_labels, objective_table, place_few
from tests.helpers import by_threads
from tests.smoothbound import cases
from tests.smoothbound.cases import KEEPS, random_case, random_table, ratio_of, total_of, value_of

compiled = cases.entries(
    _greedy,
    *("accepts", "add_row", "draw_below", "draw_share", "gain_of_step", "group_objective"),
    *("has_space", "swap_gain", "swap_sides", "take_row"),
)


def table_of(seed, rows=120, items=30):
    rng = np.random.default_rng(seed)
    few = rng.random((10, items)) < 0.3
    noise = rng.random((rows, items)) < 0.1
    return (few[rng.integers(0, 10, rows)] ^ noise).astype(np.int8)


@pytest.fixture
def stopped(monkeypatch):
    """Annealing that somebody interrupts at its third call; what was seen until then."""
    states = []

    def stop(state, search, proposals):
        if len(states) == 2:
            raise KeyboardInterrupt
        anneal(state, search, proposals)
        states.append(state.group_of.copy())

    monkeypatch.setattr(greedy, "anneal", stop)
    return states


def test_an_interruption_returns_the_best_so_far(stopped, capfd):
    table = table_of(1)
    result = smooth_k_anonymize(table, 4, rng=1)
    assert len(stopped) == 2
    text = "".join(capfd.readouterr())
    assert "interrupted after 3%: the best groups so far are returned" in text
    assert np.bincount(result.labels).min() >= 4
    assert is_smooth_k_anonymous(table, result.biadjacency, 4)
    start = smooth_k_anonymize(table, 4, rng=1, seconds=1e-9)
    assert result.jaccard >= start.jaccard


def test_the_best_is_kept_and_not_the_last(monkeypatch):
    """At a great heat each step spoils the groups: those before it are returned."""
    table = sparse.csr_array(table_of(3))
    first = greedy_labels(table, 4, keep="half", seconds=1e-9, rng=1)

    def boil(state, search, _):
        anneal(state, search._replace(temperature=1e9), 5000)

    monkeypatch.setattr(greedy, "anneal", boil)
    assert np.array_equal(greedy_labels(table, 4, keep="half", rng=1), first)


@pytest.mark.parametrize("keep", KEEPS)
def test_a_seed_decides_and_threads_do_not(keep):
    table = sparse.csr_array(table_of(4))
    result = greedy_labels(table, 3, keep=keep, rng=5)
    with one_thread():
        alone = greedy_labels(table, 3, keep=keep, rng=np.random.default_rng(5))
    assert np.array_equal(alone, result)
    others = [greedy_labels(table, 3, keep=keep, rng=seed) for seed in range(3)]
    assert not all(np.array_equal(other, result) for other in others)


def test_seconds_end_the_search_and_proposals_need_no_clock(monkeypatch):
    """A clock that ticks once a second: it is asked at the beginning and after each step."""
    clock, steps, counted, seconds = itertools.count(), [], [], 9.5

    def count(_, search, proposals):
        steps.append(search.temperature)
        counted.append(proposals)

    monkeypatch.setattr(greedy.time, "monotonic", lambda: float(next(clock)))
    monkeypatch.setattr(greedy, "anneal", count)
    table, labels = sparse.csr_array(table_of(5)), np.repeat(np.arange(30), 4)
    run = functools.partial(greedy.improve, table, labels, 4, keep="half", seed=1, quiet=True)
    result = run(budget=Budget(10**9, seconds, began=0.0), entries=table.nnz)
    assert np.array_equal(result, labels)
    assert len(steps) == int(np.ceil(seconds))
    assert steps == sorted(steps, reverse=True)
    assert steps[0] == greedy._HOT
    assert steps[-1] > greedy._COLD
    for heat in (2, 20):
        steps.clear()
        run(budget=Budget(10**9, seconds, began=next(clock) + 1.0), entries=table.nnz, heat=heat)
        assert steps[0] == heat * greedy._HOT
        assert steps[-1] > min(heat * greedy._COLD, greedy._MILD)
    counted.clear()
    monkeypatch.setattr(greedy.time, "monotonic", None)  # to ask for the time would fail
    run(budget=Budget(6400, None, began=0.0), entries=table.nnz)
    assert sum(counted) == 6400
    assert Budget(0).share(0) == 1


def test_a_thorough_search_of_heavy_rows_is_hotter(monkeypatch):
    heats = []

    def note(_, labels, *__, heat, **___):
        heats.append(heat)
        return labels

    monkeypatch.setattr(greedy, "improve", note)
    for entries, effort in ((30, "thorough"), (30, "fast"), (15, "thorough")):
        greedy_labels(sparse.csr_array(np.ones((4, entries))), 2, keep="half", effort=effort)
    assert heats == [2, 1, 1]


# Lists of distinct rows most alike, against all pairs.


def slow_lists(table, distinct, most):
    """DistinctRows by falling Jaccard similarity, then by number, from all pairs."""
    first = distinct.members[distinct.member_starts[:-1]]
    rows = table[first].astype(int)
    shared, degrees = rows @ rows.T, rows.sum(axis=1)
    lists = []
    for pattern in range(len(rows)):
        union = degrees[pattern] + degrees - shared[pattern]
        others = [o for o in range(len(rows)) if o != pattern and shared[pattern, o]]
        lists.append(sorted(others, key=lambda o: (-shared[pattern, o] / union[o], o))[:most])
    return lists


def test_lists_against_all_pairs():
    rng = np.random.default_rng(1)
    for most in [1, 3, 50] * 20:
        table = random_table(rng, int(rng.integers(2, 40)), int(rng.integers(1, 15)))
        distinct = distinct_rows(sparse.csr_array(table))
        result = similar_rows(distinct, most)
        lists = [x.tolist() for x in np.split(result.patterns, result.starts[1:-1])]
        assert lists == slow_lists(table, distinct, most)


def test_blocks_and_threads_change_nothing(monkeypatch):
    distinct = distinct_rows(sparse.csr_array(random_table(np.random.default_rng(1), 300, 20)))
    whole = similar_rows(distinct, 8)
    monkeypatch.setattr(_greedy, "_BLOCK", 7)
    for result in by_threads(lambda: similar_rows(distinct, 8)):
        assert all(np.array_equal(a, b) for a, b in zip(result, whole, strict=True))


def test_items_that_too_many_have_are_left_out(monkeypatch):
    """Six rows have the first item, and two each of the others: those decide."""
    table = np.hstack(
        [np.ones((6, 1), dtype=np.int8), np.repeat(np.eye(3, dtype=np.int8), 2, axis=0)]
    )
    table = np.hstack([table, np.eye(6, dtype=np.int8)])
    distinct = distinct_rows(sparse.csr_array(table))
    assert np.diff(similar_rows(distinct, 9).starts).tolist() == [5] * 6
    monkeypatch.setattr(_greedy, "_MOST_PAIRS", 6 + 3 * 4)
    result = similar_rows(distinct, 9)
    assert result.patterns.tolist() == [1, 0, 3, 2, 5, 4]


# The state after thousands of proposals, and what they may and may not do.


def search_of(case, keep, ratio, temperature, seed):
    distinct = distinct_rows(sparse.csr_array(case.table))
    objective = objective_table(case.state.members.shape[1], keep=keep, ratio=ratio)
    draws = np.array([seed], dtype=np.uint64)
    return Search(similar_rows(distinct, 8), objective, case.k, temperature, draws)


def assert_legal(case):
    labels = case.state.group_of
    sizes = case.state.sizes[: labels.max() + 1]
    assert np.bincount(labels[labels >= 0]).tolist() == sizes.tolist()
    sizes = case.state.sizes[case.state.sizes > 0]
    assert sizes.min(initial=case.k) >= case.k
    assert case.state.pool_size[0] == 0 or case.state.pool_size[0] >= case.k


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("temperature", [0.02, 0.5, 50.0])
def test_the_state_is_what_its_groups_say(keep, temperature):
    changed = pools = 0
    for seed in range(5):
        case = random_case(seed)
        ratio = ratio_of(np.random.default_rng(seed))
        search = search_of(case, keep, ratio, temperature, seed)
        for _ in range(4):
            anneal(case.state, search, 1000)
            cases.assert_consistent(case.state, case.table)
            assert_legal(case)
        changed += not np.array_equal(case.state.group_of, case.labels)
        pools += case.state.pool_size[0] not in (0, (case.labels == POOL).sum())
    assert changed > 2
    assert pools > 0


@pytest.mark.parametrize("keep", KEEPS)
def test_without_heat_the_objective_never_falls(keep):
    """Each change is judged exactly: one misjudged would lower the objective now and then."""
    rises = 0
    for seed in range(12):
        case, ratio = random_case(seed), ratio_of(np.random.default_rng(seed))
        search = search_of(case, keep, ratio, 1e-300, seed)
        objective = total_of(case.table, case.labels, keep=keep, ratio=ratio)
        for _ in range(60):
            anneal(case.state, search, 3)
            now = total_of(case.table, case.state.group_of, keep=keep, ratio=ratio)
            assert now >= objective
            rises, objective = rises + (now > objective), now
    assert rises > 30


@pytest.mark.parametrize("keep", KEEPS)
def test_similarity_is_that_of_the_copy_without_the_pool(keep):
    for seed in range(30):
        case = random_case(seed)
        entries = int(case.table.sum())
        result = greedy.similarity_of(case.state, entries, keep)
        grouped = case.labels != POOL
        kept = publish_votes(case.table[grouped], case.labels[grouped], keep=keep)
        assert result == (kept.kept / (entries + kept.created) if entries else 1)
        whole = publish_votes(case.table, np.unique(case.labels, return_inverse=True)[1], keep=keep)
        assert whole.kept / (entries + whole.created) >= result  # the pool may add to it


def test_draws_are_uniform_and_losses_made_as_often_as_said():
    seed = np.array([2**64 - 1], dtype=np.uint64)  # it goes on behind the largest number
    shares = np.array([compiled.draw_share(seed) for _ in range(4000)])
    assert shares.min() >= 0
    assert shares.max() < 1
    assert abs(shares.mean() - 0.5) < 0.03
    assert {compiled.draw_below(seed, 3) for _ in range(100)} == {0, 1, 2}
    search = search_of(random_case(0), "half", 0.5, 1.0, 0)
    assert all(compiled.accepts(search, 0.0) for _ in range(50))
    losses = np.mean([compiled.accepts(search, -1.0) for _ in range(4000)])
    assert abs(losses - np.exp(-1)) < 0.04
    assert not compiled.accepts(search._replace(temperature=1e-300), -1.0)


# Exact changes of worth against a recount, on thousands of random states.


ALWAYS, NEVER = 1e300, 1e-300  # temperatures at which a loss is made, and is not


def drawn(seed, keep):
    """A case, a ratio and its table of worths, with no number but NaN behind its end."""
    case, rng = random_case(seed), np.random.default_rng([seed, 1])
    ratio = ratio_of(rng)
    objective = objective_table(case.state.members.shape[1], keep=keep, ratio=ratio)
    guarded = np.vstack([objective, np.full((1, objective.shape[1]), np.nan)])[:-1]
    return case, rng, guarded, {"keep": keep, "ratio": ratio}


def rows_of(case, group):
    return np.flatnonzero(case.state.group_of == group)


@pytest.mark.parametrize("keep", KEEPS)
def test_moves_between_groups_and_pool(keep):
    full = 0
    for seed in range(25):
        case, rng, objective, rule = drawn(seed, keep)
        state = case.state
        for _ in range(5):
            row = int(rng.integers(len(case.labels)))
            home, away = int(state.group_of[row]), int(rng.choice(np.unique(case.labels)))
            own, other = rows_of(case, home), rows_of(case, away)
            if home != POOL:
                value = value_of(case.table, own, **rule)
                assert compiled.group_objective(state, objective, home) == value
                gain = value_of(case.table, own[own != row], **rule) - value
                assert compiled.gain_of_step(state, objective, home, row, -1) == gain
            else:
                assert compiled.gain_of_step(state, objective, home, row, -1) == 0
                assert compiled.group_objective(state, objective, home) == 0
            if away == home or (away != POOL and len(other) == state.members.shape[1]):
                full += away != home
                continue
            joined = value_of(case.table, np.append(other, row), **rule) if away != POOL else 0
            gain = joined - (value_of(case.table, other, **rule) if away != POOL else 0)
            assert compiled.gain_of_step(state, objective, away, row, 1) == gain
            last = home != POOL and len(own) == 1  # annealing never takes the last one
            if not last and compiled.has_space(state, away, case.table[row].sum()):
                compiled.take_row(state, row)
                compiled.add_row(state, away, row)
        cases.assert_consistent(state, case.table)
    assert full > 3  # full groups were met


@pytest.mark.parametrize("keep", KEEPS)
def test_rows_that_change_places(keep):
    pools = common = 0
    for seed in range(25):
        case, rng, objective, rule = drawn(seed, keep)
        pattern_of, most = case.state.distinct.pattern_of, case.table.shape[1]
        for _ in range(5):
            one, two = (int(row) for row in rng.integers(len(case.labels), size=2))
            home, away = int(case.labels[one]), int(case.labels[two])
            if home == away or away == POOL:
                continue
            sides = np.full(most, np.nan), np.full(most, np.nan)
            first = compiled.swap_sides(
                case.state, objective, pattern_of[one], home, away, sides[0]
            )
            assert first == sides[0][: case.table[one].sum()].sum()
            gain = compiled.swap_gain(case.state, objective, (one, two), (home, away), sides, first)
            swapped = case.labels.copy()
            swapped[[one, two]] = away, home
            after, before = (total_of(case.table, x, **rule) for x in (swapped, case.labels))
            assert gain == after - before
            pools += home == POOL
            common += (case.table[one] & case.table[two]).any()
    assert pools > 5
    assert common > 30


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("temperature", [NEVER, ALWAYS])
def test_one_group_of_two(keep, temperature):
    made = refused = 0
    for seed in range(60):
        case, rng, objective, rule = drawn(seed, keep)
        state, groups = case.state, np.unique(case.labels[case.labels >= 0])
        if len(groups) == 1:
            continue
        home, away = (int(group) for group in rng.choice(groups, 2, replace=False))
        fits = state.sizes[home] + state.sizes[away] <= state.members.shape[1]
        fits &= compiled.has_space(state, away, int(state.used[home]))
        before = total_of(case.table, case.labels, **rule)
        search = search_of(case, keep, rule["ratio"], temperature, seed)
        _greedy.join_groups(state, search._replace(objective=objective), home, away)
        joined = np.where(case.labels == home, away, case.labels)
        gain = total_of(case.table, joined, **rule) - before
        done = fits and (gain >= 0 or temperature == ALWAYS)
        assert np.array_equal(state.group_of, joined if done else case.labels)
        cases.assert_consistent(state, case.table)
        made, refused = made + done, refused + (fits and not done)
    assert made > 0
    assert refused > 0 or temperature == ALWAYS


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("temperature", [NEVER, ALWAYS])
def test_two_groups_of_one_and_a_group_that_goes(keep, temperature):
    """Either all rows move as they should, at no loss unless it is hot, or none does."""
    made, refused = [0, 0], [0, 0]
    for seed, goes in itertools.product(range(60), (False, True)):
        case, rng, objective, rule = drawn(seed, keep)
        state, search = case.state, search_of(case, keep, rule["ratio"], temperature, seed)
        search = search._replace(objective=objective)
        large = np.flatnonzero(state.sizes >= (1 if goes else 2 * case.k))
        if not len(large):
            continue
        home, spares = int(rng.choice(large)), int(state.spares[0])
        free = int(state.spare[spares - 1])
        if goes:
            _greedy.dissolve_group(state, search, home)
        else:
            _greedy.split_group(state, search, home)
        cases.assert_consistent(state, case.table)
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


# Groups made of rows without one: copies, grown groups, halves, and the last few.


@pytest.mark.parametrize("k", [2, 3, 4, 5, 8, 9])
def test_halves_with_nothing_in_common_share_a_group(k):
    halves = np.repeat(np.eye(2, dtype=np.int8).repeat(3, axis=1), (k + 1) // 2, axis=0)
    result = smooth_k_anonymize(halves, k, rng=1)
    assert (result.labels.max(), result.suppressed, result.jaccard) == (0, 0, 0.5)
    assert smooth_k_anonymize(halves, k, ties="more-than-half", rng=1).jaccard == 0


def test_copies_fill_groups_of_their_own():
    rng = np.random.default_rng(1)
    for _ in range(40):
        k, distinct = int(rng.integers(2, 5)), random_table(rng, 6, 4)
        table = distinct[rng.integers(0, 6, 40)]
        labels = greedy.copies_first(sparse.csr_array(table), k)
        for row in np.unique(table, axis=0):
            same = (table == row).all(axis=1)
            own = labels[same]
            if same.sum() < k or not row.any():
                assert (own == POOL).all()
            else:
                sizes = np.bincount(own)[np.unique(own)]
                assert ((k <= sizes) & (sizes < 2 * k)).all()
                assert len(sizes) == same.sum() // k
                assert not np.isin(labels[~same], own).any()


@pytest.mark.parametrize("keep", KEEPS)
def test_grown_groups_are_worth_something_and_the_rest_stays(keep):
    rng, made = np.random.default_rng(1), 0
    for _ in range(40):
        k, table = int(rng.integers(2, 6)), random_table(rng, int(rng.integers(6, 40)), 8)
        before = greedy.copies_first(sparse.csr_array(table), k)
        labels = greedy.fill_from_pool(sparse.csr_array(table), before, k, keep=keep, ratio=0.5)
        assert np.array_equal(labels[before != POOL], before[before != POOL])
        new = np.arange(before.max() + 1, labels.max() + 1)
        for group in new:
            rows = np.flatnonzero(labels == group)
            assert len(rows) in {k, 2 * ((k + 1) // 2)}
            value = value_of(table, rows, keep=keep, ratio=0.5)
            assert value > 0 or (k == 2 and not table[rows].any())  # any two rows are two halves
        made += len(new)
    assert made > 30


@pytest.mark.parametrize("keep", KEEPS)
def test_a_small_pool_takes_the_better_of_two_ways(keep):
    """As a group of its own, if k or more, or each row in the group where it adds most.

    A pool of 3k or more stays.
    """
    rng, rule, ways = np.random.default_rng(2), {"keep": keep, "ratio": 0.375}, [0, 0]
    for _ in range(110):
        k, groups = int(rng.integers(2, 5)), int(rng.integers(1, 4))
        labels = np.repeat(np.arange(-1, groups), [int(rng.integers(1, 4 * k)), *[k] * groups])
        rng.shuffle(labels)
        table = random_table(rng, len(labels), 6)
        distinct, pool = distinct_rows(sparse.csr_array(table)), np.flatnonzero(labels == POOL)
        result = place_few(distinct, labels, k, **rule)
        if len(pool) >= 3 * k:
            assert np.array_equal(result, labels)
            continue
        together, apart = np.where(labels == POOL, groups, labels), labels.copy()
        for row in pool:
            gains = []
            for group in range(groups):
                own = np.flatnonzero(labels == group)
                gains.append(value_of(table, np.append(own, row), **rule))
                gains[-1] -= value_of(table, own, **rule)
            apart[row] = np.argmax(gains)
        better = len(pool) < k or total_of(table, together, **rule) < total_of(table, apart, **rule)
        assert np.array_equal(result, apart if better else together)
        ways[better] += 1
    assert min(ways) > 2


@given(st.lists(st.integers(-1, 6), min_size=1, max_size=30))
def test_groups_are_numbered_without_gaps(listed):
    labels = np.array(listed)
    result = greedy.without_gaps(labels)
    assert np.array_equal(result == POOL, labels == POOL)
    seen = list(dict.fromkeys(result[result != POOL]))
    assert seen == list(range(len(seen)))
    assert len(set(zip(result, labels, strict=True))) == len(set(listed))


# Objective of items, and the identity that turns a ratio into a sum.


@pytest.mark.parametrize("keep", KEEPS)
def test_soft_objective_rises_to_the_objective(keep):
    rule = {"keep": keep, "ratio": 0.375}
    for k in (2, 3, 4, 7, 8):
        soft, objective = greedy.soft_objective(k, **rule), objective_table(k, **rule)[k]
        least = int(least_kept(np.array(k), keep))
        assert np.array_equal(soft[least:], objective[least:])
        expected = [objective[least] * count**2 / least**2 for count in range(least)]
        assert soft[:least] == pytest.approx(expected)
        assert (np.diff(soft) > 0).all()
