"""Which open facility is nearest to a row: an inverted index of the facilities' items."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

from pplab.anonymity.kinds import Kinds, common_at_the_end

__all__ = ["FAR", "OpenFacilities", "nearest_open", "no_facilities", "open_at"]

FAR = 2**62  # distance of a facility that is not there


class OpenFacilities(NamedTuple):
    """Facilities, numbered in the order in which they opened; each stands at a kind of row.

    Attributes
    ----------
    slots, filled : int32 (as kinds.item_kinds) and int64 (items,)
        Facilities that have an item, ascending; those that closed are dropped when next met.
    at, is_open : int32 and bool, shape (kinds,)
        Where a facility stands, and whether it is open still.
    here : int32, shape (kinds,)
        The facility that stands at a kind, or -1.
    opened, lightest : int64, shape (1,)
        How many opened; the open one of least degree (the first of several), or -1.
    shared, first, touched : int32, shape (kinds,)
        Scratch: items shared with a facility, which of them came first, facilities met.
    """

    slots: np.ndarray
    filled: np.ndarray
    at: np.ndarray
    is_open: np.ndarray
    here: np.ndarray
    opened: np.ndarray
    lightest: np.ndarray
    shared: np.ndarray
    first: np.ndarray
    touched: np.ndarray


def no_facilities(kinds: Kinds) -> OpenFacilities:
    """Room for as many facilities as there are kinds of rows."""
    count = len(kinds.degrees)
    return OpenFacilities(
        np.empty_like(kinds.item_kinds),
        np.zeros(len(kinds.item_starts) - 1, dtype=np.int64),
        np.empty(count, dtype=np.int32),
        np.zeros(count, dtype=np.bool_),
        np.full(count, -1, dtype=np.int32),
        np.zeros(1, dtype=np.int64),
        np.full(1, -1, dtype=np.int64),
        np.zeros(count, dtype=np.int32),
        np.empty(count, dtype=np.int32),
        np.empty(count, dtype=np.int32),
    )


@numba.njit(cache=True, nogil=True)
def open_at(kinds: Kinds, facilities: OpenFacilities, kind: int) -> int:
    """Open a facility at a kind that has none."""
    number = facilities.opened[0]
    facilities.opened[0] += 1
    facilities.at[number], facilities.here[kind] = kind, number
    facilities.is_open[number] = True
    for item in kinds.items[kinds.starts[kind] : kinds.starts[kind + 1]]:
        facilities.slots[kinds.item_starts[item] + facilities.filled[item]] = number
        facilities.filled[item] += 1
    lightest = facilities.lightest[0]
    if lightest < 0 or kinds.degrees[kind] < kinds.degrees[facilities.at[lightest]]:
        facilities.lightest[0] = number
    return number


@numba.njit(cache=True, nogil=True)
def nearest_open(
    kinds: Kinds,
    facilities: OpenFacilities,
    kind: int,
    since: int,
    best: tuple[int, int, int],
) -> tuple[int, int, int]:
    """Distance, place of the rarest shared item, and number of the nearest open facility.

    Of equally near ones it is the one that shares the rarest item of the row (one that shares
    none comes last), then the one that opened first. The least of these triples is found.

    Parameters
    ----------
    since, best : int and tuple
        Facilities below this number are known: `best` is the answer among them. At the start
        0 and (FAR, FAR, -1).

    Notes
    -----
    Items are read from the rarest. A facility whose first shared item is number p (from 0) is at
    least p away, for it lacks the p before; so reading stops at p >= the best distance so far.
    """
    start, degree = kinds.starts[kind], kinds.degrees[kind]
    lightest = facilities.lightest[0]
    if lightest >= since:
        stranger = (degree + kinds.degrees[facilities.at[lightest]], degree, lightest)
        if stranger < best:
            best = stranger
    bound, read, touched = best[0], degree, 0
    for p in range(degree):
        if p >= bound:
            read = p
            break
        touched, bound = _meet(kinds, facilities, kind, p, since, touched, bound)
    rest = kinds.items[start + read : start + degree]
    for number in facilities.touched[:touched]:
        size, shared = kinds.degrees[facilities.at[number]], facilities.shared[number]
        facilities.shared[number] = 0
        if degree + size - 2 * min(size, shared + len(rest)) <= best[0]:
            if len(rest):
                other = facilities.at[number]
                theirs = kinds.items[kinds.starts[other] : kinds.starts[other + 1]]
                shared += common_at_the_end(rest, theirs)
            found = (degree + size - 2 * shared, facilities.first[number], number)
            if found < best:
                best = found
    return best


@numba.njit(cache=True, nogil=True)
def _meet(
    kinds: Kinds,
    facilities: OpenFacilities,
    kind: int,
    p: int,
    since: int,
    touched: int,
    bound: int,
) -> tuple[int, int]:
    """Count the facilities that have item p of a kind; some is at most `bound` away then."""
    degree, item = kinds.degrees[kind], kinds.items[kinds.starts[kind] + p]
    a = kinds.item_starts[item]
    b = a + facilities.filled[item]
    if since > 0:
        a += np.searchsorted(facilities.slots[a:b], since)
    kept = a
    for place in range(a, b):
        number = facilities.slots[place]
        if not facilities.is_open[number]:
            continue
        facilities.slots[kept] = number
        kept += 1
        size = kinds.degrees[facilities.at[number]]
        if facilities.shared[number] == 0:
            if degree + size - 2 * min(size, degree - p) > bound:
                continue
            facilities.touched[touched], facilities.first[number] = number, p
            touched += 1
        facilities.shared[number] += 1
        bound = min(bound, degree + size - 2 * facilities.shared[number])
    facilities.filled[item] = kept - kinds.item_starts[item]
    return touched, bound
