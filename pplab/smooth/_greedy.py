"""Groups grown row by row around seeds, the most promising seeds first."""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np

from pplab._compiled import accepted, draw_below, draw_share, in_threads, njit
from pplab.smooth._rows import Kinds

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
    kinds : Kinds
    group_of, place : int32 arrays, shape (rows,)
        Group of each row, or POOL; where it stands in the list of its group.
    members, sizes : int32 arrays, shapes (groups, largest) and (groups,)
    pool, pool_size : int32 arrays, shapes (rows,) and (1,)
    starts, masks : int64 arrays, shapes (groups + 1,) and (groups,)
        Table of each group, of a power of two of cells, and that power less one.
    items, counts : int32 arrays
        Cells: the item, or -1, and how many of the group's rows have it, maybe 0 by now.
    used : int32 array, shape (groups,)
        Cells in use.
    histograms : int32 array, shape (groups, largest + 1)
        How many items 1, 2, .. rows of the group have.
    spare, spares : int32 arrays, shapes (groups,) and (1,)
        A stack of groups without rows.
    """

    kinds: Kinds
    group_of: np.ndarray
    place: np.ndarray
    members: np.ndarray
    sizes: np.ndarray
    pool: np.ndarray
    pool_size: np.ndarray
    starts: np.ndarray
    masks: np.ndarray
    items: np.ndarray
    counts: np.ndarray
    used: np.ndarray
    histograms: np.ndarray
    spare: np.ndarray
    spares: np.ndarray


def make_state(kinds: Kinds, labels: np.ndarray, *, largest: int) -> State:
    """Lay out groups; rows with label POOL are in the pool.

    Parameters
    ----------
    kinds : Kinds
    labels : int array, shape (rows,)
        POOL, or 0 to groups - 1 with at most `largest` rows each.
    largest : int
        Rows that a group may come to have.
    """
    rows, grouped = len(labels), np.flatnonzero(labels >= 0)
    groups = int(labels.max(initial=-1)) + 1
    slots = groups + _SPARE + groups // 50
    entries = np.bincount(labels[grouped], kinds.degrees[kinds.kind_of[grouped]], slots)
    usual = float(entries[:groups].mean()) if groups else 0.0
    # At most half full in the beginning, and with room for a few more rows.
    bits = np.ceil(np.log2(np.maximum(2 * entries, 2 * usual) + 8)).astype(np.int64)
    starts = np.concatenate([[0], np.cumsum(np.int64(1) << bits)])
    state = State(
        kinds,
        np.full(rows, POOL, dtype=np.int32),
        np.zeros(rows, dtype=np.int32),
        np.zeros((slots, largest), dtype=np.int32),
        np.zeros(slots, dtype=np.int32),
        np.zeros(rows, dtype=np.int32),
        np.zeros(1, dtype=np.int32),
        starts,
        np.diff(starts) - 1,
        np.full(starts[-1], -1, dtype=np.int32),
        np.zeros(starts[-1], dtype=np.int32),
        np.zeros(slots, dtype=np.int32),
        np.zeros((slots, largest + 1), dtype=np.int32),
        np.arange(slots, dtype=np.int32)[::-1].copy(),
        np.array([slots - groups], dtype=np.int32),
    )
    _place_all(state, labels.astype(np.int32))
    return state


@njit(nogil=True)
def _place_all(state: State, labels: np.ndarray) -> None:
    for row in range(len(labels)):
        add_row(state, labels[row], row)


@njit(nogil=True)
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
    kinds, kind = state.kinds, state.kinds.kind_of[row]
    for item in kinds.items[kinds.starts[kind] : kinds.starts[kind + 1]]:
        cell = _cell(state, group, item)
        if state.items[cell] < 0:
            state.items[cell] = item
            state.used[group] += 1
        count = state.counts[cell]
        state.counts[cell] = count + 1
        state.histograms[group, count + 1] += 1
        if count > 0:
            state.histograms[group, count] -= 1


@njit(nogil=True)
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
    kinds, kind = state.kinds, state.kinds.kind_of[row]
    for item in kinds.items[kinds.starts[kind] : kinds.starts[kind + 1]]:
        cell = _cell(state, group, item)
        count = state.counts[cell]
        state.counts[cell] = count - 1
        state.histograms[group, count] -= 1
        if count > 1:
            state.histograms[group, count - 1] += 1


@njit(nogil=True)
def count_of(state: State, group: int, item: int) -> int:
    """Rows of a group that have an item; 0 in the pool, which publishes nothing."""
    if group == POOL:
        return 0
    cell = _cell(state, group, item)
    return state.counts[cell] if state.items[cell] == item else 0


@njit(nogil=True)
def has_room(state: State, group: int, entries: int) -> bool:
    """Whether a group's table takes so many more items: a quarter of it is to stay free."""
    if group == POOL:
        return True
    return bool(4 * (state.used[group] + entries) <= 3 * (state.masks[group] + 1))


@njit(nogil=True)
def takes_row(state: State, group: int, row: int) -> bool:
    """Whether a group may have one more row, and its table this one's items."""
    full = group != POOL and state.sizes[group] == state.members.shape[1]
    return not full and has_room(state, group, state.kinds.degrees[state.kinds.kind_of[row]])


@njit(nogil=True, inline="always")
def _cell(state: State, group: int, item: int) -> int:
    """Cell of an item in the table of a group, or the free one where it would go."""
    mask, start = state.masks[group], state.starts[group]
    at = (np.int64(item) * np.int64(0x9E3779B1) >> np.int64(7)) & mask
    while state.items[start + at] != item and state.items[start + at] >= 0:
        at = (at + 1) & mask
    return start + at


# For each kind of rows, the kinds most like it: where company is looked for.


_BLOCK = 4096  # kinds per job
_MOST_PAIRS = 2 * 10**8  # pairs of kinds that share an item; the most frequent items are left out


class Alike(NamedTuple):
    """Kinds most like each kind, most alike first.

    Attributes
    ----------
    starts : int64 array, shape (kinds + 1,)
    kinds : int32 array
        Never the kind itself.
    """

    starts: np.ndarray
    kinds: np.ndarray


def alike_kinds(kinds: Kinds, most: int, *, quiet: bool = False) -> Alike:
    """Find up to `most` kinds with the highest Jaccard similarity to each kind.

    Kinds that share no item are never listed. Items that very many kinds have are left out of the
    count where reading all of them would take too long.

    Examples
    --------
    >>> from scipy import sparse
    >>> from pplab.smooth._rows import kinds_of_rows
    >>> kinds = kinds_of_rows(sparse.csr_array([[1, 1, 0], [1, 0, 0], [0, 1, 1]]))
    >>> alike_kinds(kinds, 1)
    Alike(starts=array([0, 1, 2, 3]), kinds=array([1, 0, 1], dtype=int32))
    """
    count = len(kinds.degrees)
    pairs = np.cumsum(np.diff(kinds.item_starts) ** 2)  # rare items come first
    items = int(np.searchsorted(pairs, _MOST_PAIRS, side="right"))
    found = np.empty((count, most), dtype=np.int32)
    lengths = np.empty(count, dtype=np.int64)

    def fill(first: int) -> None:
        _fill(kinds, items, first, min(first + _BLOCK, count), found, lengths)

    in_threads(fill, range(0, count, _BLOCK), label="alike rows", quiet=quiet)
    listed = np.arange(most) < lengths[:, None]
    return Alike(np.concatenate([[0], np.cumsum(lengths)]), found[listed])


@njit(nogil=True)
def _fill(
    kinds: Kinds, items: int, first: int, last: int, found: np.ndarray, lengths: np.ndarray
) -> None:
    shared = np.zeros(len(kinds.degrees), dtype=np.int32)
    touched = np.empty(len(kinds.degrees), dtype=np.int32)
    scores = np.empty(found.shape[1], dtype=np.float64)
    for kind in range(first, last):
        met = _share(kinds, items, kind, shared, touched)
        filled = 0
        for other in touched[:met]:
            union = kinds.degrees[kind] + kinds.degrees[other] - shared[other]
            score = shared[other] / union
            shared[other] = 0
            if other != kind:
                filled = _insert(scores, found[kind], filled, score, other)
        lengths[kind] = filled


@njit(nogil=True)
def _share(kinds: Kinds, items: int, kind: int, shared: np.ndarray, touched: np.ndarray) -> int:
    """Count the items that each kind shares with one."""
    met = 0
    for item in kinds.items[kinds.starts[kind] : kinds.starts[kind + 1]]:
        if item < items:
            for other in kinds.item_kinds[kinds.item_starts[item] : kinds.item_starts[item + 1]]:
                if shared[other] == 0:
                    touched[met] = other
                    met += 1
                shared[other] += 1
    return met


@njit(nogil=True)
def _insert(scores: np.ndarray, found: np.ndarray, filled: int, score: float, other: int) -> int:
    """Put a kind into a list ordered by score, then number; returns the list's length."""
    if filled == len(scores):
        tail = filled - 1
        if score < scores[tail] or (score == scores[tail] and other > found[tail]):
            return filled
    else:
        tail = filled
        filled += 1
    while tail > 0 and (
        scores[tail - 1] < score or (scores[tail - 1] == score and found[tail - 1] > other)
    ):
        scores[tail], found[tail] = scores[tail - 1], found[tail - 1]
        tail -= 1
    scores[tail], found[tail] = score, other
    return filled


@njit(nogil=True)
def group_alike(state: State, alike: Alike, row: int, seed: np.ndarray) -> int:
    """Group of a random row like this one; now and then of an equal one, or of any.

    Two halves with nothing in common may share a group, so no group is out of the question.
    """
    kinds, kind = state.kinds, state.kinds.kind_of[row]
    start, end = alike.starts[kind], alike.starts[kind + 1]
    pick = start + draw_below(seed, end - start + 1)
    other = kind if pick == end else alike.kinds[pick]
    first, count = kinds.member_starts[other], kinds.member_starts[other + 1]
    count -= first
    if other == kind and count == 1:
        return state.group_of[draw_below(seed, len(state.group_of))]
    return state.group_of[kinds.members[first + draw_below(seed, count)]]


# What an item adds to the worth of a group, at a price J that turns the ratio into a sum.


_MOST_MET = 512  # candidates of a group: its first rows already bring those most alike
_TRIES = 4  # times a seed is put back because another one looks better by then


class _Room(NamedTuple):
    """Scratch of one growing group; `counts`, `met` and `taken` are zero between groups."""

    counts: np.ndarray  # of each item, in the group
    items: np.ndarray  # those that it has
    candidates: np.ndarray  # kinds
    met: np.ndarray  # whether a kind is among them
    scores: np.ndarray  # what a row of the kind would add to the soft worth
    taken: np.ndarray  # rows of each kind that the group has
    chosen: np.ndarray  # kinds of its rows


@njit(nogil=True)
def grow_all(
    kinds: Kinds,
    free: np.ndarray,
    alike: Alike,
    soft: np.ndarray,
    worth: np.ndarray,
    elsewhere: float,
) -> np.ndarray:
    k = len(worth) - 1
    room = _room(kinds, k)
    groups = np.empty((free.sum() // k, k), dtype=np.int32)
    tries = np.zeros(len(free), dtype=np.int8)
    waiting = _promises(kinds, free, worth)
    heapq.heapify(waiting)
    made = 0
    while waiting and made < len(groups):
        kind = heapq.heappop(waiting)[1]
        if free[kind] == 0:
            continue
        value, entries = _grow(kinds, free, alike, kind, soft, worth, elsewhere, room)
        key = -value / entries
        if waiting and key > waiting[0][0] and tries[kind] < _TRIES:
            tries[kind] += 1
            heapq.heappush(waiting, (key, kind))
        elif value > 0:
            groups[made] = room.chosen
            made += 1
            for other in room.chosen:
                free[other] -= 1
            if free[kind] > 0:
                heapq.heappush(waiting, (key, kind))
    return groups[:made].copy()


@njit(nogil=True)
def _promises(kinds: Kinds, free: np.ndarray, worth: np.ndarray) -> list[tuple[float, int]]:
    """Seeds by what their entries could be worth each if all that have an item came together."""
    have = np.zeros(len(kinds.item_starts) - 1, dtype=np.int64)
    for kind in range(len(free)):
        for item in kinds.items[kinds.starts[kind] : kinds.starts[kind + 1]]:
            have[item] += free[kind]
    waiting = [(-1.0, 0) for _ in range(0)]
    for kind in range(len(free)):
        promise = 0.0
        if free[kind] > 0:
            for item in kinds.items[kinds.starts[kind] : kinds.starts[kind + 1]]:
                most = min(have[item], len(worth) - 1)
                promise += worth[most] / most
        if promise > 0:
            waiting.append((-promise / kinds.degrees[kind], kind))
    return waiting


@njit(nogil=True)
def _room(kinds: Kinds, k: int) -> _Room:
    count = len(kinds.degrees)
    return _Room(
        np.zeros(len(kinds.item_starts) - 1, dtype=np.int64),
        np.empty(len(kinds.item_starts) - 1, dtype=np.int32),
        np.empty(min(count, _MOST_MET), dtype=np.int32),
        np.zeros(count, dtype=np.bool_),
        np.empty(count, dtype=np.float64),
        np.zeros(count, dtype=np.int64),
        np.empty(k, dtype=np.int32),
    )


@njit(nogil=True)
def _grow(
    kinds: Kinds,
    free: np.ndarray,
    alike: Alike,
    seed: int,
    soft: np.ndarray,
    worth: np.ndarray,
    elsewhere: float,
    room: _Room,
) -> tuple[float, int]:
    """Grow one group; its worth, if it became complete, and its entries."""
    k = len(room.chosen)
    size = items = candidates = entries = 0
    best = seed
    while best >= 0:
        room.chosen[size] = best
        room.taken[best] += 1
        size += 1
        entries += kinds.degrees[best]
        for item in kinds.items[kinds.starts[best] : kinds.starts[best + 1]]:
            if room.counts[item] == 0:
                room.items[items] = item
                items += 1
            room.counts[item] += 1
        if size == k:
            break
        _follow(kinds, soft, elsewhere, room, candidates, best)
        candidates = _meet(kinds, alike, soft, elsewhere, best, room, candidates)
        best = _best(free, room, candidates)
    value = 0.0
    for item in room.items[:items]:
        value += worth[room.counts[item]]
        room.counts[item] = 0
    for kind in room.candidates[:candidates]:
        room.met[kind] = False
    for kind in room.chosen[:size]:
        room.taken[kind] = 0
    return (value if size == k else 0.0), entries


@njit(nogil=True)
def _follow(
    kinds: Kinds, soft: np.ndarray, elsewhere: float, room: _Room, candidates: int, added: int
) -> None:
    """Change the scores of the candidates after a row was added: by item, or all anew."""
    starts, items = kinds.item_starts, kinds.items[kinds.starts[added] : kinds.starts[added + 1]]
    reads = 0
    for item in items:
        reads += starts[item + 1] - starts[item]
    if reads < 4 * candidates:
        for item in items:
            count = room.counts[item]
            change = soft[count + 1] - 2 * soft[count] + soft[count - 1]
            for other in kinds.item_kinds[starts[item] : starts[item + 1]]:
                if room.met[other]:
                    room.scores[other] += change
    else:
        for kind in room.candidates[:candidates]:
            room.scores[kind] = _score(kinds, soft, elsewhere, room, kind)


@njit(nogil=True)
def _score(kinds: Kinds, soft: np.ndarray, elsewhere: float, room: _Room, kind: int) -> float:
    """What one more row of a kind adds to the soft worth, less what it is worth elsewhere."""
    score = -elsewhere * kinds.degrees[kind]
    for item in kinds.items[kinds.starts[kind] : kinds.starts[kind + 1]]:
        count = room.counts[item]
        score += soft[count + 1] - soft[count]
    return score


@njit(nogil=True)
def _meet(
    kinds: Kinds,
    alike: Alike,
    soft: np.ndarray,
    elsewhere: float,
    kind: int,
    room: _Room,
    candidates: int,
) -> int:
    """Add a kind and those alike to the candidates."""
    for place in range(alike.starts[kind] - 1, alike.starts[kind + 1]):
        other = kind if place < alike.starts[kind] else alike.kinds[place]
        if not room.met[other] and candidates < len(room.candidates):
            room.met[other] = True
            room.candidates[candidates] = other
            room.scores[other] = _score(kinds, soft, elsewhere, room, other)
            candidates += 1
    return candidates


@njit(nogil=True)
def _best(free: np.ndarray, room: _Room, candidates: int) -> int:
    """Free kind with the highest score, of equals the first met; -1 if there is none."""
    best, most = -1, -np.inf
    for kind in room.candidates[:candidates]:
        if free[kind] > room.taken[kind] and room.scores[kind] > most:
            best, most = kind, room.scores[kind]
    return best


# From rows without a group to groups: copies, groups grown around seeds, pairs of half groups.


# What a change of groups adds to their worth, exactly.


@njit(nogil=True)
def group_worth(state: State, worth: np.ndarray, group: int) -> float:
    """Worth of the items that a group publishes; 0 for the pool."""
    total = 0.0
    if group != POOL:
        size = state.sizes[group]
        for count in range(1, size + 1):
            total += state.histograms[group, count] * worth[size, count]
    return total


@njit(nogil=True)
def worth_with(state: State, worth: np.ndarray, group: int, row: int) -> float:
    """Worth of a group if a row joins it: all items are judged by the new size."""
    if group == POOL:
        return 0.0
    return _worth_changed(state, worth, group, row, 1)


@njit(nogil=True)
def worth_without(state: State, worth: np.ndarray, group: int, row: int) -> float:
    """Worth of a group if one of its rows leaves it."""
    if group == POOL:
        return 0.0
    return _worth_changed(state, worth, group, row, -1)


@njit(nogil=True)
def _worth_changed(state: State, worth: np.ndarray, group: int, row: int, step: int) -> float:
    size = state.sizes[group]
    of_size = worth[size + step]
    total = 0.0
    for count in range(1, size + 1):
        total += state.histograms[group, count] * of_size[count]
    kinds, kind = state.kinds, state.kinds.kind_of[row]
    for item in kinds.items[kinds.starts[kind] : kinds.starts[kind + 1]]:
        count = count_of(state, group, item)
        total += of_size[count + step] - of_size[count]
    return total


@njit(nogil=True)
def swap_sides(
    state: State, worth: np.ndarray, kind: int, home: int, away: int, sides: np.ndarray
) -> float:
    """What each item of a row's kind adds if the row goes from home to away at equal sizes.

    The parts are written to `sides`, in the order of the items; their sum is returned.
    """
    kinds, total = state.kinds, 0.0
    start = kinds.starts[kind]
    for place in range(kinds.degrees[kind]):
        item, gain = kinds.items[start + place], 0.0
        if home != POOL:
            count, size = count_of(state, home, item), state.sizes[home]
            gain += worth[size, count - 1] - worth[size, count]
        if away != POOL:
            count, size = count_of(state, away, item), state.sizes[away]
            if count < size:  # else the row that leaves has it too: `swap_gain` leaves it out
                gain += worth[size, count + 1] - worth[size, count]
        sides[place] = gain
        total += gain
    return total


@njit(nogil=True)
def swap_gain(
    state: State,
    worth: np.ndarray,
    rows: tuple[int, int],
    groups: tuple[int, int],
    sides: tuple[np.ndarray, np.ndarray],
    first: float,
) -> float:
    """What it adds if two rows change places; items that both have stay as they are.

    `sides` and `first` are those of the first row, see `swap_sides`; the second array is scratch.
    """
    kinds = state.kinds
    ours, theirs = kinds.kind_of[rows[0]], kinds.kind_of[rows[1]]
    total = first + swap_sides(state, worth, theirs, groups[1], groups[0], sides[1])
    a, b = kinds.starts[ours], kinds.starts[theirs]
    while a < kinds.starts[ours + 1] and b < kinds.starts[theirs + 1]:
        if kinds.items[a] == kinds.items[b]:
            total -= sides[0][a - kinds.starts[ours]] + sides[1][b - kinds.starts[theirs]]
            a, b = a + 1, b + 1
        elif kinds.items[a] < kinds.items[b]:
            a += 1
        else:
            b += 1
    return total


# Two groups become one, one becomes two, one goes: what changes the number of groups.


_ASKED = 3  # groups alike that a row of a dissolved one may go to


@njit(nogil=True)
def join_groups(
    state: State, worth: np.ndarray, home: int, away: int, temperature: float, seed: np.ndarray
) -> None:
    """Propose to put all rows of a group into another one; its slot becomes a spare."""
    size = state.sizes[home]
    if size + state.sizes[away] > state.members.shape[1]:
        return
    if not has_room(state, away, state.used[home]):
        return
    before = group_worth(state, worth, home) + group_worth(state, worth, away)
    rows = state.members[home, :size].copy()
    _send(state, rows, away)
    if accepted(group_worth(state, worth, away) - before, temperature, seed):
        _give_up(state, home)
    else:
        _send(state, rows, home)


@njit(nogil=True)
def split_group(
    state: State, worth: np.ndarray, k: int, home: int, temperature: float, seed: np.ndarray
) -> None:
    """Propose to send k or more random rows of a group of 2k or more to a spare one."""
    if state.spares[0] == 0:
        return
    size, away = state.sizes[home], state.spare[state.spares[0] - 1]
    if not has_room(state, away, state.used[home]):
        return
    before = group_worth(state, worth, home)
    rows = state.members[home, :size].copy()
    sent = k + draw_below(seed, size - 2 * k + 1)
    for place in range(sent):  # the first steps of a shuffle
        other = place + draw_below(seed, size - place)
        rows[place], rows[other] = rows[other], rows[place]
    _send(state, rows[:sent], away)
    gain = group_worth(state, worth, home) + group_worth(state, worth, away) - before
    if accepted(gain, temperature, seed):
        state.spares[0] -= 1
    else:
        _send(state, rows[:sent], home)


@njit(nogil=True)
def dissolve_group(
    state: State,
    alike: Alike,
    worth: np.ndarray,
    home: int,
    temperature: float,
    seed: np.ndarray,
) -> None:
    """Propose to send each row of a group to the best of a few others; its slot becomes a spare."""
    rows = state.members[home, : state.sizes[home]].copy()
    gain = -group_worth(state, worth, home)
    for row in rows:
        best, most = POOL, -np.inf
        for _ in range(_ASKED):
            away = group_alike(state, alike, row, seed)
            if away != POOL and away != home and takes_row(state, away, row):
                more = worth_with(state, worth, away, row) - group_worth(state, worth, away)
                if more > most:
                    best, most = away, more
        if best == POOL:
            gain = -np.inf
            break
        take_row(state, row)
        add_row(state, best, row)
        gain += most
    if accepted(gain, temperature, seed):
        _give_up(state, home)
    else:
        _send(state, rows, home)


@njit(nogil=True)
def _give_up(state: State, group: int) -> None:
    """Put a group without rows among the spare ones."""
    state.spare[state.spares[0]] = group
    state.spares[0] += 1


@njit(nogil=True)
def _send(state: State, rows: np.ndarray, group: int) -> None:
    """Put rows into a group, wherever they are."""
    for row in rows:
        take_row(state, row)
        add_row(state, group, row)


# Simulated annealing over groups: rows move and change places; groups join, split, break up.


_LOOKED_AT = 3  # rows of a group among which the best one to change places with is taken
_JOINS = 0.05  # share of proposals to make one group of two, or two of one
_DISSOLVES = 0.3  # of those to dissolve a group, times its rows: each asks for a place


class Search(NamedTuple):
    """What stays the same while groups change.

    Attributes
    ----------
    alike : Alike
    worth : float array, shape (largest + 1, largest + 1)
        At [size, count], see `worth_table`.
    k : int
    """

    alike: Alike
    worth: np.ndarray
    k: int


@njit(nogil=True)
def anneal(
    state: State, search: Search, seed: np.ndarray, temperature: float, proposals: int
) -> None:
    """Make proposals at one temperature; groups and counts change in place.

    A proposal takes a random row and a random similar one, from another group. The first goes to
    the group of the second, if its own can spare it, or changes places with one of its rows. Now
    and then its group is dissolved, or the two groups are made one, or its own is made two. A
    change that lowers the objective by d is accepted with probability exp(-d / temperature).

    Parameters
    ----------
    state : State
    search : Search
    seed : uint64 array, shape (1,)
        Moves on.
    temperature : float
        In entries.
    proposals : int

    References
    ----------
    Kirkpatrick, Gelatt and Vecchi 1983, Optimization by simulated annealing,
    doi 10.1126/science.220.4598.671.
    """
    most = state.kinds.degrees[-1]
    sides = (np.empty(most), np.empty(most))
    for _ in range(proposals):
        row = draw_below(seed, len(state.group_of))
        away = group_alike(state, search.alike, row, seed)
        home = state.group_of[row]
        if home == away:
            continue
        if home != POOL and draw_share(seed) < _DISSOLVES / search.k:
            dissolve_group(state, search.alike, search.worth, home, temperature, seed)
        elif draw_share(seed) < _JOINS:
            if home != POOL and state.sizes[home] >= 2 * search.k:
                split_group(state, search.worth, search.k, home, temperature, seed)
            elif home != POOL and away != POOL:
                join_groups(state, search.worth, home, away, temperature, seed)
        elif _may_leave(state, search.k, home) and (away == POOL or draw_share(seed) < 0.5):
            _move(state, search, row, away, temperature, seed)
        elif away != POOL:
            _swap(state, search, row, away, sides, temperature, seed)


@njit(nogil=True)
def _may_leave(state: State, k: int, home: int) -> bool:
    return (state.pool_size[0] if home == POOL else state.sizes[home]) > k


@njit(nogil=True)
def _move(
    state: State, search: Search, row: int, away: int, temperature: float, seed: np.ndarray
) -> None:
    home, worth = state.group_of[row], search.worth
    if not takes_row(state, away, row):
        return
    gain = worth_with(state, worth, away, row) - group_worth(state, worth, away)
    gain += worth_without(state, worth, home, row) - group_worth(state, worth, home)
    if accepted(gain, temperature, seed):
        take_row(state, row)
        add_row(state, away, row)


@njit(nogil=True)
def _swap(
    state: State,
    search: Search,
    row: int,
    away: int,
    sides: tuple[np.ndarray, np.ndarray],
    temperature: float,
    seed: np.ndarray,
) -> None:
    home, kind_of = state.group_of[row], state.kinds.kind_of
    first = swap_sides(state, search.worth, kind_of[row], home, away, sides[0])
    best, most = -1, -np.inf
    for _ in range(_LOOKED_AT):
        other = state.members[away, draw_below(seed, state.sizes[away])]
        if kind_of[other] != kind_of[row]:
            gain = swap_gain(state, search.worth, (row, other), (home, away), sides, first)
            if gain > most:
                best, most = other, gain
    if best < 0 or not accepted(most, temperature, seed):
        return
    degrees = state.kinds.degrees
    if not (
        has_room(state, away, degrees[kind_of[row]])
        and has_room(state, home, degrees[kind_of[best]])
    ):
        return
    take_row(state, row)
    take_row(state, best)
    add_row(state, away, row)
    add_row(state, home, best)


@njit(nogil=True)
def best_groups(state: State, worth: np.ndarray, groups: int, rows: np.ndarray) -> np.ndarray:
    """The group that gains most by each of some rows."""
    found = np.empty(len(rows), dtype=np.int64)
    for place in range(len(rows)):
        most = -np.inf
        for group in range(groups):
            gain = worth_with(state, worth, group, rows[place]) - group_worth(state, worth, group)
            if gain > most:
                found[place], most = group, gain
    return found


@njit(nogil=True)
def total_objective(state: State, worth: np.ndarray) -> float:
    """What all groups together are worth."""
    total = 0.0
    for group in range(len(state.sizes)):
        total += group_worth(state, worth, group)
    return total
