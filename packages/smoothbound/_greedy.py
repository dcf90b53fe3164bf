"""Compiled steps of the greedy search: counts of groups, growth around seeds, annealing."""

import heapq
from typing import Any, NamedTuple

import numpy as np

from pplab.compiled import GOLDEN, count_in_lists, first_from, in_ranges, inner, mixed, njit
from pplab.smooth.rows import Array, DistinctRows

# Groups of rows with a count of every item, so that a change is known without a recount.
#
# Rows that are in no group are in the *pool*, one large group that publishes nothing worth
# counting. Each group counts its items in a small hash table of its own; all tables lie in one
# array.


POOL = -1
_SPARE = 64  # empty groups for splits, at least


class State(NamedTuple):
    """Groups, their rows and counts; slots of groups without rows are free for use.

    Attributes
    ----------
    distinct : DistinctRows
    group_of, place : int64 arrays, shape (rows,)
        Group of each row, or POOL; where it stands in the list of its group.
    members, sizes : int64 arrays, shapes (groups, largest) and (groups,)
    pool, pool_size : int64 arrays, shapes (rows,) and (1,)
    starts, masks : int64 arrays, shapes (groups + 1,) and (groups,)
        Table of each group, of a power of two of cells, and that power less one.
    items, counts : int32 arrays
        Cells: the item, or -1, and how many of the group's rows have it, maybe 0 by now.
    used : int64 array, shape (groups,)
        Cells in use.
    histograms : int32 array, shape (groups, largest + 1)
        How many items 1, 2, .. rows of the group have.
    spare, spares : int64 arrays, shapes (groups,) and (1,)
        A stack of groups without rows.
    """

    distinct: DistinctRows
    group_of: Array
    place: Array
    members: Array
    sizes: Array
    pool: Array
    pool_size: Array
    starts: Array
    masks: Array
    items: Array
    counts: Array
    used: Array
    histograms: Array
    spare: Array
    spares: Array


def make_state(distinct: DistinctRows, labels: Array, *, largest: int) -> State:
    """Lay out groups; rows with label POOL are in the pool.

    Parameters
    ----------
    distinct : DistinctRows
    labels : int array, shape (rows,)
        POOL, or 0 to groups - 1 with at most `largest` rows each.
    largest : int
        Rows that a group may come to have.
    """
    rows, grouped = len(labels), np.flatnonzero(labels >= 0)
    groups = int(labels.max(initial=-1)) + 1
    slots = groups + min(_SPARE + groups // 50, rows)  # no more groups than rows
    entries = np.bincount(labels[grouped], distinct.degrees[distinct.pattern_of[grouped]], slots)
    usual = float(entries[:groups].mean()) if groups else 0.0
    # At most half full in the beginning, and with room for a few more rows.
    bits = np.ceil(np.log2(np.maximum(2 * entries, 2 * usual) + 8)).astype(np.int64)
    starts = np.concatenate([[0], np.cumsum(np.int64(1) << bits)])
    state = State(
        distinct,
        np.full(rows, POOL),
        np.zeros(rows, dtype=np.int64),
        np.zeros((slots, largest), dtype=np.int64),
        np.zeros(slots, dtype=np.int64),
        np.zeros(rows, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
        starts,
        np.diff(starts) - 1,
        np.full(starts[-1], -1, dtype=np.int32),
        np.zeros(starts[-1], dtype=np.int32),
        np.zeros(slots, dtype=np.int64),
        np.zeros((slots, largest + 1), dtype=np.int32),
        np.arange(slots)[::-1].copy(),
        np.array([slots - groups]),
    )
    _place_all(state, labels.astype(np.int64))
    return state


@njit(nogil=True)
def _place_all(state: State, labels: Array) -> None:
    for row in range(len(labels)):
        add_row(state, labels[row], row)


@inner
def add_row(state: State, group: int, row: int) -> None:
    """Put a row that is nowhere into a group with room, or into the pool."""
    state.group_of[row] = group
    if group == POOL:
        state.place[row] = state.pool_size[0]
        state.pool[state.pool_size[0]] = row
        state.pool_size[0] += 1
        return
    state.place[row] = state.sizes[group]
    state.members[group, state.sizes[group]] = row
    state.sizes[group] += 1
    distinct, pattern = state.distinct, state.distinct.pattern_of[row]
    for item in distinct.items[distinct.starts[pattern] : distinct.starts[pattern + 1]]:
        cell = _cell(state, group, item)
        if state.items[cell] < 0:
            state.items[cell] = item
            state.used[group] += 1
        count = state.counts[cell]
        state.counts[cell] = count + 1
        state.histograms[group, count + 1] += 1
        if count > 0:
            state.histograms[group, count] -= 1


@inner
def take_row(state: State, row: int) -> None:
    """Take a row out of its group or of the pool; the last of the list takes its place."""
    group, place = state.group_of[row], state.place[row]
    if group == POOL:
        state.pool_size[0] -= 1
        last = state.pool[state.pool_size[0]]
        state.pool[place], state.place[last] = last, place
        return
    state.sizes[group] -= 1
    last = state.members[group, state.sizes[group]]
    state.members[group, place], state.place[last] = last, place
    distinct, pattern = state.distinct, state.distinct.pattern_of[row]
    for item in distinct.items[distinct.starts[pattern] : distinct.starts[pattern + 1]]:
        cell = _cell(state, group, item)
        count = state.counts[cell]
        state.counts[cell] = count - 1
        state.histograms[group, count] -= 1
        if count > 1:
            state.histograms[group, count - 1] += 1


@inner
def count_of(state: State, group: int, item: int) -> int:
    """Rows of a group that have an item; 0 in the pool, which publishes nothing."""
    if group == POOL:
        return 0
    cell = _cell(state, group, item)
    return state.counts[cell] if state.items[cell] == item else 0


@inner
def has_space(state: State, group: int, entries: int) -> bool:
    """True if a group's table takes so many more items: a quarter of it is to stay free."""
    if group == POOL:
        return True
    return bool(4 * (state.used[group] + entries) <= 3 * (state.masks[group] + 1))


@inner
def _takes_row(state: State, group: int, row: int) -> bool:
    """True if a group may have one more row, and its table this one's items."""
    entries = state.distinct.degrees[state.distinct.pattern_of[row]]
    full = group != POOL and state.sizes[group] == state.members.shape[1]
    return not full and has_space(state, group, entries)


@njit(nogil=True, inline="always")
def _cell(state: State, group: int, item: int) -> int:
    """Cell of an item in the table of a group, or the free one where it would go."""
    mask, start = state.masks[group], state.starts[group]
    at = (np.int64(item) * np.int64(0x9E3779B1) >> np.int64(7)) & mask
    while state.items[start + at] != item and state.items[start + at] >= 0:
        at = (at + 1) & mask
    return start + at


# For each distinct row, the distinct rows most similar to it: the candidates for its group.


_BLOCK = 4096  # distinct rows per job
# Pairs of distinct rows that share an item; the most frequent items are left out.
_MOST_PAIRS = 2 * 10**8


class SimilarRows(NamedTuple):
    """Distinct rows most similar to each distinct row, most similar first.

    Attributes
    ----------
    starts : int64 array, shape (patterns + 1,)
    patterns : int32 array
        Never the distinct row itself.
    """

    starts: Array
    patterns: Array


def similar_rows(distinct: DistinctRows, most: int, *, quiet: bool = False) -> SimilarRows:
    """Find up to `most` distinct rows with the highest Jaccard similarity to each distinct row.

    Distinct rows that share no item are never listed. Items that very many distinct rows have are
    left out of the count where reading all of them would take too long.

    Examples
    --------
    >>> from scipy import sparse
    >>> from pplab.smooth.rows import distinct_rows
    >>> distinct = distinct_rows(sparse.csr_array([[1, 1, 0], [1, 0, 0], [0, 1, 1]]))
    >>> similar_rows(distinct, 1)
    SimilarRows(starts=array([0, 1, 2, 3]), patterns=array([1, 0, 1], dtype=int32))
    """
    count = len(distinct.degrees)
    pairs = np.cumsum(np.diff(distinct.item_starts) ** 2)  # rare items come first
    items = int(np.searchsorted(pairs, _MOST_PAIRS, side="right"))
    result = np.empty((count, most), dtype=np.int32)
    lengths = np.empty(count, dtype=np.int64)
    arguments = distinct, items, result, lengths
    in_ranges(_fill, count, _BLOCK, *arguments, label="similar rows", quiet=quiet)
    listed = np.arange(most) < lengths[:, None]
    return SimilarRows(np.concatenate([[0], np.cumsum(lengths)]), result[listed])


@njit(nogil=True)
def _fill(
    distinct: DistinctRows, items: int, result: Array, lengths: Array, first: int, last: int
) -> None:
    shared = np.zeros(len(distinct.degrees), dtype=np.int32)
    touched = np.empty(len(distinct.degrees), dtype=np.int32)
    scores = np.empty(result.shape[1], dtype=np.float64)
    for pattern in range(first, last):
        ours = distinct.items[distinct.starts[pattern] : distinct.starts[pattern + 1]]
        ours, filled = ours[: first_from(ours, items)], np.int64(0)
        met = count_in_lists(distinct.item_starts, distinct.item_patterns, ours, shared, touched)
        for other in touched[:met]:
            union = distinct.degrees[pattern] + distinct.degrees[other] - shared[other]
            score = shared[other] / union
            shared[other] = 0
            if other != pattern:
                filled = _insert(scores, result[pattern], filled, score, other)
        lengths[pattern] = filled


@inner
def _insert(scores: Array, result: Array, filled: int, score: float, other: int) -> int:
    """Put a pattern into a list ordered by score, then number; returns the list's length."""
    if filled == len(scores):
        tail = filled - 1
        if score < scores[tail] or (score == scores[tail] and other > result[tail]):
            return filled
    else:
        tail = filled
        filled += 1
    while tail > 0 and (
        scores[tail - 1] < score or (scores[tail - 1] == score and result[tail - 1] > other)
    ):
        scores[tail], result[tail] = scores[tail - 1], result[tail - 1]
        tail -= 1
    scores[tail], result[tail] = score, other
    return filled


# The part of an item in the objective of a group, at a ratio J that turns the ratio into a sum.


_MOST_MET = 512  # candidates of a group: its first rows already bring the most similar ones
_TRIES = 4  # times a seed is put back because another one looks better by then


class Growth(NamedTuple):
    """What groups grow from, and scratch of one group; `counts`, `met` and `taken` are then zero.

    Attributes
    ----------
    distinct : DistinctRows
    similar : SimilarRows
    free : int64 array, shape (patterns,)
        How many rows of each pattern may be taken.
    soft, objective : float arrays, shape (k + 1,)
        Of an item that so many rows of the group have.
    elsewhere : float
        What an entry would be worth in another group.
    """

    distinct: DistinctRows
    similar: SimilarRows
    free: Array
    soft: Array
    objective: Array
    elsewhere: float
    counts: Array  # of each item, in the group
    items: Array  # those that it has
    candidates: Array  # distinct rows
    met: Array  # whether a distinct row is among them
    scores: Array  # what one more row of the pattern would add to the soft objective
    taken: Array  # rows of each pattern that the group has
    chosen: Array  # patterns of its rows


def new_growth(
    distinct: DistinctRows, similar: SimilarRows, soft: Array, objective: Array, elsewhere: float
) -> Growth:
    """All rows free, and no group begun."""
    patterns, items = len(distinct.degrees), len(distinct.item_starts) - 1
    return Growth(
        distinct,
        similar,
        distinct.multiplicities.copy(),
        soft,
        objective,
        elsewhere,
        np.zeros(items, dtype=np.int64),
        np.empty(items, dtype=np.int32),
        np.empty(min(patterns, _MOST_MET), dtype=np.int32),
        np.zeros(patterns, dtype=np.bool_),
        np.empty(patterns),
        np.zeros(patterns, dtype=np.int64),
        np.empty(len(objective) - 1, dtype=np.int32),
    )


@njit(nogil=True)
def grow_all(growth: Growth) -> Array:
    free, k = growth.free, len(growth.chosen)
    groups = np.empty((free.sum() // k, k), dtype=np.int32)
    tries = np.zeros(len(free), dtype=np.int8)
    waiting = _promises(growth)
    heapq.heapify(waiting)
    made = 0
    while waiting and made < len(groups):
        pattern = heapq.heappop(waiting)[1]
        if free[pattern] == 0:
            continue
        value, entries = _grow(growth, pattern)
        key = -value / entries
        if waiting and key > waiting[0][0] and tries[pattern] < _TRIES:
            tries[pattern] += 1
            heapq.heappush(waiting, (key, pattern))
        elif value > 0:
            for place in range(k):
                groups[made, place] = growth.chosen[place]
                free[growth.chosen[place]] -= 1
            made += 1
            if free[pattern] > 0:
                heapq.heappush(waiting, (key, pattern))
    return groups[:made].copy()


@inner(arrays=True)
def _promises(growth: Growth) -> list[tuple[float, int]]:
    """Seeds by the value that each entry could have if all rows with an item came together."""
    distinct, free, objective = growth.distinct, growth.free, growth.objective
    have = np.zeros(len(growth.counts), dtype=np.int64)
    for pattern in range(len(free)):
        for item in distinct.items[distinct.starts[pattern] : distinct.starts[pattern + 1]]:
            have[item] += free[pattern]
    waiting = [(-1.0, 0) for _ in range(0)]
    for pattern in range(len(free)):
        promise = 0.0
        if free[pattern] > 0:
            for item in distinct.items[distinct.starts[pattern] : distinct.starts[pattern + 1]]:
                most = min(have[item], len(objective) - 1)
                promise += objective[most] / most
        if promise > 0:
            waiting.append((-promise / distinct.degrees[pattern], pattern))
    return waiting


@inner
def _grow(growth: Growth, seed: int) -> tuple[float, Any]:
    """Grow one group; its objective, if it became complete, and its entries."""
    distinct, chosen, counts = growth.distinct, growth.chosen, growth.counts
    size = items = candidates = entries = np.int64(0)
    best = seed
    while best >= 0:
        chosen[size] = best
        growth.taken[best] += 1
        size += 1
        entries += distinct.degrees[best]
        for item in distinct.items[distinct.starts[best] : distinct.starts[best + 1]]:
            if counts[item] == 0:
                growth.items[items] = item
                items += 1
            counts[item] += 1
        if size == len(chosen):
            break
        _follow(growth, candidates, best)
        candidates = _meet(growth, candidates, best)
        best = _best(growth, candidates)
    value = 0.0
    for item in growth.items[:items]:
        value += growth.objective[counts[item]]
        counts[item] = 0
    for pattern in growth.candidates[:candidates]:
        growth.met[pattern] = False
    for pattern in chosen[:size]:
        growth.taken[pattern] = 0
    return (value if size == len(chosen) else 0.0), entries


@inner
def _follow(growth: Growth, candidates: int, added: int) -> None:
    """Change the scores of the candidates after a row was added: by item, or all anew."""
    distinct, soft = growth.distinct, growth.soft
    items = distinct.items[distinct.starts[added] : distinct.starts[added + 1]]
    starts, reads = distinct.item_starts, 0
    for item in items:
        reads += starts[item + 1] - starts[item]
    if reads < 4 * candidates:
        for item in items:
            count = growth.counts[item]
            change = soft[count + 1] - 2 * soft[count] + soft[count - 1]
            for other in distinct.item_patterns[starts[item] : starts[item + 1]]:
                if growth.met[other]:
                    growth.scores[other] += change
    else:
        for pattern in growth.candidates[:candidates]:
            growth.scores[pattern] = _score(growth, np.int64(pattern))


@inner
def _score(growth: Growth, pattern: int) -> float:
    """Gain of the soft objective by one more row of a pattern, less its value elsewhere."""
    distinct, soft = growth.distinct, growth.soft
    score = -growth.elsewhere * distinct.degrees[pattern]
    for item in distinct.items[distinct.starts[pattern] : distinct.starts[pattern + 1]]:
        count = growth.counts[item]
        score += soft[count + 1] - soft[count]
    return score


@inner
def _meet(growth: Growth, candidates: int, pattern: int) -> int:
    """Add a distinct row and those similar to it to the candidates."""
    similar = growth.similar
    for place in range(similar.starts[pattern] - 1, similar.starts[pattern + 1]):
        other = pattern if place < similar.starts[pattern] else similar.patterns[place]
        if not growth.met[other] and candidates < len(growth.candidates):
            growth.met[other] = True
            growth.candidates[candidates] = other
            growth.scores[other] = _score(growth, other)
            candidates += 1
    return candidates


@inner
def _best(growth: Growth, candidates: int) -> int:
    """Free distinct row with the highest score, of equals the first met; -1 if there is none."""
    best, most = -1, -np.inf
    for pattern in growth.candidates[:candidates]:
        if growth.free[pattern] > growth.taken[pattern] and growth.scores[pattern] > most:
            best, most = pattern, growth.scores[pattern]
    return best


# The gain of a change of groups, exactly.


@inner
def group_objective(state: State, objective: Array, group: int) -> float:
    """Objective of the items that a group publishes; 0 for the pool."""
    total = 0.0
    if group != POOL:
        size = state.sizes[group]
        for count in range(1, size + 1):
            total += state.histograms[group, count] * objective[size, count]
    return total


@inner
def gain_of_step(state: State, objective: Array, group: int, row: int, step: int) -> float:
    """Gain of a group if a row joins it (step 1) or leaves it (step -1); 0 for the pool.

    All items are judged by the new size.
    """
    if group == POOL:
        return 0.0
    size = state.sizes[group]
    of_size = objective[size + step]
    total = 0.0
    for count in range(1, size + 1):
        total += state.histograms[group, count] * of_size[count]
    distinct, pattern = state.distinct, state.distinct.pattern_of[row]
    for item in distinct.items[distinct.starts[pattern] : distinct.starts[pattern + 1]]:
        count = count_of(state, group, item)
        total += of_size[count + step] - of_size[count]
    return total - group_objective(state, objective, group)


@inner
def swap_sides(
    state: State, objective: Array, pattern: int, home: int, away: int, sides: Array
) -> float:
    """Gain by each item of a pattern if one of its rows goes from home to away at equal sizes.

    The parts are written to `sides`, in the order of the items; their sum is returned.
    """
    distinct, total = state.distinct, 0.0
    start = distinct.starts[pattern]
    for place in range(distinct.degrees[pattern]):
        item, gain = distinct.items[start + place], 0.0
        if home != POOL:
            count, size = count_of(state, home, item), state.sizes[home]
            gain += objective[size, count - 1] - objective[size, count]
        if away != POOL:
            count, size = count_of(state, away, item), state.sizes[away]
            if count < size:  # else the row that leaves has it too: `swap_gain` leaves it out
                gain += objective[size, count + 1] - objective[size, count]
        sides[place] = gain
        total += gain
    return total


@inner
def swap_gain(
    state: State,
    objective: Array,
    rows: tuple[int, int],
    groups: tuple[int, int],
    sides: tuple[Array, Array],
    first: float,
) -> float:
    """Gain if two rows change places; items that both have stay as they are.

    `sides` and `first` are those of the first row, see `swap_sides`; the second array is scratch.
    """
    distinct = state.distinct
    ours, other = distinct.pattern_of[rows[0]], distinct.pattern_of[rows[1]]
    total = first + swap_sides(state, objective, other, groups[1], groups[0], sides[1])
    a, b = distinct.starts[ours], distinct.starts[other]
    while a < distinct.starts[ours + 1] and b < distinct.starts[other + 1]:
        if distinct.items[a] == distinct.items[b]:
            total -= sides[0][a - distinct.starts[ours]] + sides[1][b - distinct.starts[other]]
            a, b = a + 1, b + 1
        elif distinct.items[a] < distinct.items[b]:
            a += 1
        else:
            b += 1
    return total


# What annealing goes by, and where a row might go.


class Search(NamedTuple):
    """All that stays the same while groups change at one temperature.

    Attributes
    ----------
    similar : SimilarRows
    objective : float array, shape (largest + 1, largest + 1)
        At [size, count], see `objective_table`.
    k : int
    temperature : float
        In entries.
    seed : uint64 array, shape (1,)
        Moves on.
    """

    similar: SimilarRows
    objective: Array
    k: int
    temperature: float
    seed: Array


@inner
def _similar_group(state: State, search: Search, row: int) -> int:
    """Group of a random row like this one; now and then of an equal one, or of any.

    Two halves with nothing in common may share a group, so no group is out of the question.
    """
    similar, seed = search.similar, search.seed
    distinct, pattern = state.distinct, state.distinct.pattern_of[row]
    start, end = similar.starts[pattern], similar.starts[pattern + 1]
    pick = start + draw_below(seed, end - start + 1)
    other = pattern if pick == end else similar.patterns[pick]
    first, count = distinct.member_starts[other], distinct.member_starts[other + 1]
    count -= first
    if other == pattern and count == 1:
        return state.group_of[draw_below(seed, len(state.group_of))]
    return state.group_of[distinct.members[first + draw_below(seed, count)]]


# Two groups become one, one becomes two, one goes: what changes the number of groups.


_ASKED = 3  # groups of similar rows to which a row of a dissolved one may go


@njit(nogil=True)
def join_groups(state: State, search: Search, home: int, away: int) -> None:
    """Propose to put all rows of a group into another one; its slot becomes a spare."""
    objective = search.objective
    size = state.sizes[home]
    if size + state.sizes[away] > state.members.shape[1]:
        return
    if not has_space(state, away, state.used[home]):
        return
    before = group_objective(state, objective, home) + group_objective(state, objective, away)
    rows = state.members[home, :size].copy()
    _send(state, rows, away)
    if accepts(search, group_objective(state, objective, away) - before):
        _give_up(state, home)
    else:
        _send(state, rows, home)


@njit(nogil=True)
def split_group(state: State, search: Search, home: int) -> None:
    """Propose to send k or more random rows of a group of 2k or more to a spare one."""
    objective, k, seed = search.objective, search.k, search.seed
    if state.spares[0] == 0:
        return
    size, away = state.sizes[home], state.spare[state.spares[0] - 1]
    if not has_space(state, away, state.used[home]):
        return
    before = group_objective(state, objective, home)
    rows = state.members[home, :size].copy()
    sent = k + draw_below(seed, size - 2 * k + 1)
    for place in range(sent):  # the first steps of a shuffle
        other = place + draw_below(seed, size - place)
        rows[place], rows[other] = rows[other], rows[place]
    _send(state, rows[:sent], away)
    gain = group_objective(state, objective, home) + group_objective(state, objective, away)
    if accepts(search, gain - before):
        state.spares[0] -= 1
    else:
        _send(state, rows[:sent], home)


@njit(nogil=True)
def dissolve_group(state: State, search: Search, home: int) -> None:
    """Propose to send each row of a group to the best of a few others; its slot becomes a spare."""
    rows = state.members[home, : state.sizes[home]].copy()
    gain = -group_objective(state, search.objective, home)
    for row in rows:
        best, most = np.int64(POOL), -np.inf
        for _ in range(_ASKED):
            away = _similar_group(state, search, row)
            if away != POOL and away != home and _takes_row(state, away, row):
                more = gain_of_step(state, search.objective, away, row, np.int64(1))
                if more > most:
                    best, most = away, more
        if best == POOL:
            gain = -np.inf
            break
        take_row(state, row)
        add_row(state, best, row)
        gain += most
    if accepts(search, gain):
        _give_up(state, home)
    else:
        _send(state, rows, home)


@inner
def _give_up(state: State, group: int) -> None:
    """Put a group without rows among the spare ones."""
    state.spare[state.spares[0]] = group
    state.spares[0] += 1


@inner
def _send(state: State, rows: Array, group: int) -> None:
    """Put rows into a group, wherever they are."""
    for row in rows:
        take_row(state, row)
        add_row(state, group, row)


# Simulated annealing over groups: rows move and change places; groups join, split, break up.


_LOOKED_AT = 3  # rows of a group among which the best one to change places with is taken
_JOINS = 0.05  # share of proposals to make one group of two, or two of one
_DISSOLVES = 0.3  # of those to dissolve a group, times its rows: each asks for a place


@njit(nogil=True)
def anneal(state: State, search: Search, proposals: int) -> None:
    """Make proposals at one temperature; groups and counts change in place.

    A proposal takes a random row and a random similar one, from another group. The first goes to
    the group of the second, if its own can spare it, or changes places with one of its rows. Now
    and then its group is dissolved, or the two groups are made one, or its own is made two. A
    change that lowers the objective by d is accepted with probability exp(-d / temperature).

    References
    ----------
    Kirkpatrick, Gelatt and Vecchi 1983, Optimization by simulated annealing,
    doi 10.1126/science.220.4598.671.
    """
    most, seed = state.distinct.degrees[-1], search.seed
    sides = (np.empty(most), np.empty(most))
    for _ in range(proposals):
        row = draw_below(seed, len(state.group_of))
        away = _similar_group(state, search, row)
        home = state.group_of[row]
        if home == away:
            continue
        size = state.pool_size[0] if home == POOL else state.sizes[home]
        if home != POOL and draw_share(seed) < _DISSOLVES / search.k:
            dissolve_group(state, search, home)
        elif draw_share(seed) < _JOINS:
            if home != POOL and state.sizes[home] >= 2 * search.k:
                split_group(state, search, home)
            elif home != POOL and away != POOL:
                join_groups(state, search, home, away)
        elif size > search.k and (away == POOL or draw_share(seed) < 0.5):
            _move(state, search, row, away)
        elif away != POOL:
            _swap(state, search, row, away, sides)


@inner
def _move(state: State, search: Search, row: int, away: int) -> None:
    home, objective = state.group_of[row], search.objective
    if not _takes_row(state, away, row):
        return
    gain = gain_of_step(state, objective, away, row, np.int64(1))
    gain += gain_of_step(state, objective, home, row, np.int64(-1))
    if accepts(search, gain):
        take_row(state, row)
        add_row(state, away, row)


@inner
def _swap(state: State, search: Search, row: int, away: int, sides: tuple[Array, Array]) -> None:
    home, pattern_of = state.group_of[row], state.distinct.pattern_of
    first = swap_sides(state, search.objective, pattern_of[row], home, away, sides[0])
    best, most = np.int64(-1), -np.inf
    for _ in range(_LOOKED_AT):
        other = state.members[away, draw_below(search.seed, state.sizes[away])]
        if pattern_of[other] != pattern_of[row]:
            gain = swap_gain(state, search.objective, (row, other), (home, away), sides, first)
            if gain > most:
                best, most = other, gain
    if best < 0 or not accepts(search, most):
        return
    degrees = state.distinct.degrees
    fits = has_space(state, away, degrees[pattern_of[row]])
    if not (fits and has_space(state, home, degrees[pattern_of[best]])):
        return
    take_row(state, row)
    take_row(state, best)
    add_row(state, away, row)
    add_row(state, home, best)


@njit(nogil=True)
def best_groups(state: State, objective: Array, groups: int, rows: Array) -> Array:
    """The group that gains most by each of some rows."""
    result = np.empty(len(rows), dtype=np.int64)
    for place in range(len(rows)):
        most = -np.inf
        for group in range(groups):
            gain = gain_of_step(state, objective, group, rows[place], np.int64(1))
            if gain > most:
                result[place], most = group, gain
    return result


@njit(nogil=True)
def total_objective(state: State, objective: Array) -> float:
    """Sum of the objectives of all groups."""
    total = 0.0
    for group in range(len(state.sizes)):
        total += group_objective(state, objective, group)
    return total


# Random draws, from a state of one word that the caller owns.


@inner
def draw_share(seed: Array) -> float:
    """Draw from [0, 1); `seed` is a uint64 array of length 1 and moves on.

    SplitMix64 (Steele, Lea and Flood 2014, doi 10.1145/2660193.2660195).
    """
    seed[0] += GOLDEN
    return float(mixed(seed[0]) >> np.uint64(11)) * 2.0**-53


@inner
def draw_below(seed: Array, end: int) -> int:
    """Draw one of 0 .. end - 1."""
    return int(draw_share(seed) * end)


@inner
def accepts(search: Search, gain: float) -> bool:
    """True if a change is made: a gain always, a loss of d with probability exp(-d / temperature).

    Metropolis et al. 1953, doi 10.1063/1.1699114.
    """
    return gain >= 0 or draw_share(search.seed) < np.exp(gain / search.temperature)
