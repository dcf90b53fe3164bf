"""Groups grown row by row around seeds, the most promising seeds first."""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numba
import numpy as np

from pplab.anonymity.kinds import Kinds
from pplab.anonymity.search.alike import Alike
from pplab.anonymity.search.worth import soft_worth, worth_row

__all__ = ["grow_groups"]

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


def grow_groups(
    kinds: Kinds, free: np.ndarray, alike: Alike, k: int, *, keep: str, price: float
) -> np.ndarray:
    """Grow groups of k rows from those that are free.

    A seed takes k - 1 times the free row that adds most to the soft worth, less what its entries
    would be worth elsewhere, among the kinds alike to those that it has. A seed whose group is by
    then worth less for each entry than another seed promises is put back.

    Parameters
    ----------
    kinds : Kinds
    free : int64 array, shape (kinds,)
        Rows of each kind that may be taken; reduced in place.
    alike : Alike
    k : int
    keep : {"half", "more-than-half", "all"}
    price : float
        Of `worth_table`. A row's entries count half of it each: at the price itself, which is
        what an entry is worth on average, too few groups would pay.

    Returns
    -------
    int32 array, shape (groups, k)
        Kinds of the rows of each group.
    """
    soft = soft_worth(k, keep=keep, price=price)
    worth = worth_row(k, keep=keep, price=price)
    return _grow_all(kinds, free, alike, soft, worth, price / 2)


@numba.njit(cache=True, nogil=True)
def _grow_all(
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


@numba.njit(cache=True, nogil=True)
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


@numba.njit(cache=True, nogil=True)
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


@numba.njit(cache=True, nogil=True)
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


@numba.njit(cache=True, nogil=True)
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


@numba.njit(cache=True, nogil=True)
def _score(kinds: Kinds, soft: np.ndarray, elsewhere: float, room: _Room, kind: int) -> float:
    """What one more row of a kind adds to the soft worth, less what it is worth elsewhere."""
    score = -elsewhere * kinds.degrees[kind]
    for item in kinds.items[kinds.starts[kind] : kinds.starts[kind + 1]]:
        count = room.counts[item]
        score += soft[count + 1] - soft[count]
    return score


@numba.njit(cache=True, nogil=True)
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


@numba.njit(cache=True, nogil=True)
def _best(free: np.ndarray, room: _Room, candidates: int) -> int:
    """Free kind with the highest score, of equals the first met; -1 if there is none."""
    best, most = -1, -np.inf
    for kind in room.candidates[:candidates]:
        if free[kind] > room.taken[kind] and room.scores[kind] > most:
            best, most = kind, room.scores[kind]
    return best
