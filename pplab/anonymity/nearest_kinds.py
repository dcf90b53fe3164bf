"""The nearest rows of one kind of row: through the rarest items, and no further than it takes."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

from pplab.anonymity.kinds import Kinds, common_at_the_end

__all__ = ["nearest_of_kinds"]

_LONG = 64  # lists of holders that are shorter are read without asking first whether it pays


class _Room(NamedTuple):
    """Scratch of one thread; `shared` and `counts` are zero between searches."""

    shared: np.ndarray  # items that a kind is known to share with the one in question
    touched: np.ndarray  # kinds with shared > 0
    limits: np.ndarray  # highest degree that was read, per item
    counts: np.ndarray  # rows at each distance


@numba.njit(cache=True, nogil=True)
def nearest_of_kinds(kinds: Kinds, first: int, last: int, keys: np.ndarray) -> None:
    """Fill keys[kind] for the kinds from first to last with those of its nearest rows.

    The key of a row is distance * rows + row. The rows of the kind itself are among them, at
    distance 0; keys ascend. There must be as many rows as keys are wanted.
    """
    highest = kinds.degrees[-1]
    room = _Room(
        np.zeros(len(kinds.degrees), dtype=np.int32),
        np.empty(len(kinds.degrees), dtype=np.int32),
        np.empty(highest + 1, dtype=np.int64),
        np.zeros(2 * highest + 2, dtype=np.int64),
    )
    wanted = keys.shape[1]
    lightest = np.searchsorted(kinds.member_starts, wanted, side="left") - 1
    for kind in range(first, last):
        keys[kind, :] = np.iinfo(np.int64).max
        bound = kinds.degrees[kind] + kinds.degrees[lightest]  # so near are the lightest rows
        if kinds.member_starts[kind + 1] - kinds.member_starts[kind] >= wanted:
            bound = 0
        touched, read, bound = _read(kinds, kind, bound, wanted, room)
        bound = _tightened(kinds, kind, bound, wanted, touched, read, room)
        _push(keys[kind], kinds, kind, 0)
        _push_sharing(keys[kind], kinds, kind, bound, touched, read, room)
        _push_strangers(keys[kind], kinds, kind, bound, room)
        for other in room.touched[:touched]:
            room.shared[other] = 0
        keys[kind].sort()


@numba.njit(cache=True, nogil=True)
def _read(kinds: Kinds, kind: int, bound: int, wanted: int, room: _Room) -> tuple[int, int, int]:
    """Read the holders of the kind's items, rare ones first, as far as they may be near enough.

    A kind of degree e that shares none of the first p items is at least
    d + e - 2 min(e, d - p) away. So of the holders of item p only degrees from d - bound to
    bound + d - 2p matter, and none once p > bound.

    Returns
    -------
    touched : int
    read : int
        Number of items read.
    bound : int
        So many rows as wanted are at most this far.
    """
    degree, start = kinds.degrees[kind], kinds.starts[kind]
    most, ahead = len(kinds.from_degree) - 2, 0
    for item in kinds.items[start : start + degree]:
        ahead += kinds.item_starts[item + 1] - kinds.item_starts[item]
    if ahead > _LONG * wanted * degree:
        bound = _bound_from_neighbours(kinds, kind, bound, wanted, room)
    touched, spent, due = 0, 0, _LONG
    for p in range(degree):
        item = kinds.items[start + p]
        a, b = kinds.item_starts[item], kinds.item_starts[item + 1]
        if spent + b - a > due and touched > 0 and ahead > touched + wanted * degree:
            bound = _tightened(kinds, kind, bound, wanted, touched, p, room)
            due = 2 * spent + _LONG
        if p > bound:
            return touched, p, bound
        room.limits[p] = bound + degree - 2 * p
        end = kinds.from_degree[min(bound + degree - 2 * p, most) + 1]
        if degree > bound and b - a > _LONG:
            a += np.searchsorted(kinds.item_kinds[a:b], kinds.from_degree[degree - bound])
        ahead -= b - a
        spent += b - a
        for place in range(a, b):
            other = kinds.item_kinds[place]
            if other >= end:
                break
            if room.shared[other] == 0:
                room.touched[touched] = other
                touched += 1
            room.shared[other] += 1
    return touched, degree, bound


@numba.njit(cache=True, nogil=True)
def _tightened(
    kinds: Kinds, kind: int, bound: int, wanted: int, touched: int, read: int, room: _Room
) -> int:
    """Least distance within which kinds already met surely have as many rows as wanted.

    First from what is known to be shared; then the best of them, measured in full.
    """
    degree, farthest = kinds.degrees[kind], 0
    for other in room.touched[:touched]:
        most = degree + kinds.degrees[other] - 2 * room.shared[other]
        if other != kind:
            farthest = max(farthest, most)
            room.counts[most] += kinds.member_starts[other + 1] - kinds.member_starts[other]
    own = kinds.member_starts[kind + 1] - kinds.member_starts[kind]
    found, rows = _where_reached(room.counts, farthest, own, wanted), own
    for other in room.touched[:touched]:
        most = degree + kinds.degrees[other] - 2 * room.shared[other]
        if other != kind and most <= found:
            distance = _distance(kinds, kind, other, read, room)
            size = kinds.member_starts[other + 1] - kinds.member_starts[other]
            room.counts[distance] += size
            rows += size
            if rows >= 2 * wanted:
                break
    return min(bound, _where_reached(room.counts, farthest, own, wanted))


@numba.njit(cache=True, nogil=True)
def _bound_from_neighbours(kinds: Kinds, kind: int, bound: int, wanted: int, room: _Room) -> int:
    """The same from kinds of like degree that stand close by in the table."""
    ours, farthest = kinds.items[kinds.starts[kind] : kinds.starts[kind + 1]], 0
    for other in range(max(kind - wanted, 0), min(kind + wanted + 1, len(kinds.degrees))):
        theirs = kinds.items[kinds.starts[other] : kinds.starts[other + 1]]
        distance = len(ours) + len(theirs) - 2 * common_at_the_end(ours, theirs)
        room.counts[distance] += kinds.member_starts[other + 1] - kinds.member_starts[other]
        farthest = max(farthest, distance)
    return min(bound, _where_reached(room.counts, farthest, 0, wanted))


@numba.njit(cache=True, nogil=True)
def _where_reached(counts: np.ndarray, farthest: int, total: int, wanted: int) -> int:
    """Distance at which a total reaches what is wanted, or the last; counts are zero afterwards."""
    found = 0 if total >= wanted else len(counts) - 1
    for distance in range(farthest + 1):
        if total < wanted <= total + counts[distance]:
            found = distance
        total += counts[distance]
        counts[distance] = 0
    return found


@numba.njit(cache=True, nogil=True)
def _distance(kinds: Kinds, kind: int, other: int, read: int, room: _Room) -> int:
    """Distance of a kind met while reading so many items; what was not counted is counted now."""
    size, shared = kinds.degrees[other], room.shared[other]
    counted = _counted(size, read, room)
    if counted < kinds.degrees[kind]:
        ours = kinds.items[kinds.starts[kind] + counted : kinds.starts[kind + 1]]
        theirs = kinds.items[kinds.starts[other] : kinds.starts[other + 1]]
        shared += common_at_the_end(ours, theirs)
    return kinds.degrees[kind] + size - 2 * shared


@numba.njit(cache=True, nogil=True)
def _counted(degree: int, read: int, room: _Room) -> int:
    """Of how many items, from the first, kinds of this degree were read."""
    while read > 0 and room.limits[read - 1] < degree:
        read -= 1
    return read


@numba.njit(cache=True, nogil=True)
def _push_sharing(
    keys: np.ndarray, kinds: Kinds, kind: int, bound: int, touched: int, read: int, room: _Room
) -> None:
    """Push the rows that share an item, counting first what was not read."""
    degree = kinds.degrees[kind]
    for other in room.touched[:touched]:
        size = kinds.degrees[other]
        sharable = room.shared[other] + degree - _counted(size, read, room)
        best = degree + size - 2 * min(size, sharable)
        if other == kind or best > bound or best > keys[0] // len(kinds.kind_of):
            continue
        distance = _distance(kinds, kind, other, read, room)
        if distance <= bound:
            _push(keys, kinds, other, distance)


@numba.njit(cache=True, nogil=True)
def _push_strangers(keys: np.ndarray, kinds: Kinds, kind: int, bound: int, room: _Room) -> None:
    """Push rows that share nothing, lightest first; one that was not read is farther than bound."""
    for other in range(len(kinds.degrees)):
        distance = kinds.degrees[kind] + kinds.degrees[other]
        first = kinds.members[kinds.member_starts[other]]
        if distance > bound or distance * len(kinds.kind_of) + first > keys[0]:
            break
        if other != kind and room.shared[other] == 0:
            _push(keys, kinds, other, distance)


@numba.njit(cache=True, nogil=True)
def _push(keys: np.ndarray, kinds: Kinds, other: int, distance: int) -> None:
    """Offer a kind's rows to a heap whose root is the farthest row."""
    for place in range(kinds.member_starts[other], kinds.member_starts[other + 1]):
        key = distance * len(kinds.kind_of) + kinds.members[place]
        if key >= keys[0]:
            break
        hole = 0
        while 2 * hole + 1 < len(keys):
            child = 2 * hole + 1
            if child + 1 < len(keys) and keys[child + 1] > keys[child]:
                child += 1
            if keys[child] <= key:
                break
            keys[hole] = keys[child]
            hole = child
        keys[hole] = key
