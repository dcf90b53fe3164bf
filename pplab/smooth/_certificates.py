"""Rounds of better slopes and tolls, each of which gives a price at which the bound holds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pplab._compiled import common_at_the_end, in_threads, njit
from pplab.smooth._rows import Kinds

# What an entry can be worth at most, given how many rows of its group are alike in its item.


class Hulls(NamedTuple):
    """Concave, nondecreasing, piecewise linear functions on [0, 1], one per count of an item.

    Attributes
    ----------
    starts : int64 array, shape (counts + 1,)
        Vertices of each function; an item that more rows have belongs to the last one.
    at, worth : float arrays
        Vertices, the first at 0; beyond its last vertex a function is constant.
    """

    starts: np.ndarray
    at: np.ndarray
    worth: np.ndarray


@njit()
def upper_hulls(
    counts: int, have: np.ndarray, at: np.ndarray, worth: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Upper hulls of the points with so many rows at most, from left to right."""
    starts = np.zeros(counts + 1, dtype=np.int64)
    chain = np.empty((2, counts * counts), dtype=np.float64)
    filled = 0
    for most in range(counts):
        first = filled
        chain[:, filled] = 0
        filled += 1
        for point in range(len(have)):
            if have[point] > most:
                continue
            x, y = at[point], worth[point]
            if x == chain[0, filled - 1]:  # points come with ascending worth
                filled -= 1
            while filled - first >= 2 and not _turns_right(chain[:, :filled], x, y):
                filled -= 1
            chain[0, filled], chain[1, filled] = x, y
            filled += 1
        starts[most + 1] = filled
    return starts, chain[0, :filled].copy(), chain[1, :filled].copy()


@njit()
def _turns_right(chain: np.ndarray, x: float, y: float) -> bool:
    """Whether the last vertex stays when a point to its right is added."""
    a, b = chain[:, -2], chain[:, -1]
    return bool((b[1] - a[1]) * (x - b[0]) > (y - b[1]) * (b[0] - a[0]))


# Lines above the functions of all rows' items: their heights, and better slopes.


_BLOCK = 16384  # kinds per job


def line_heights(kinds: Kinds, hulls: Hulls, function: np.ndarray, slopes: np.ndarray) -> float:
    """Sum over all rows and their items of the least height at 0 of a line above the function.

    Parameters
    ----------
    kinds : Kinds
    hulls : Hulls
    function : int array, shape (items,)
        Number of each item's function.
    slopes : float array, one per entry of the kinds
        Not negative.
    """
    count = len(kinds.degrees)

    def total(first: int) -> float:
        return _heights(kinds, hulls, function, slopes, first, min(first + _BLOCK, count))

    return sum(in_threads(total, range(0, count, _BLOCK), label="heights"))


@njit(nogil=True)
def _heights(
    kinds: Kinds, hulls: Hulls, function: np.ndarray, slopes: np.ndarray, first: int, last: int
) -> float:
    total = 0.0
    for kind in range(first, last):
        heights = 0.0
        for place in range(kinds.starts[kind], kinds.starts[kind + 1]):
            number = function[kinds.items[place]]
            height = 0.0
            for vertex in range(hulls.starts[number], hulls.starts[number + 1]):
                height = max(height, hulls.worth[vertex] - slopes[place] * hulls.at[vertex])
            heights += height
        total += heights * (kinds.member_starts[kind + 1] - kinds.member_starts[kind])
    return total


@njit(nogil=True)
def next_slopes(
    items: np.ndarray,
    hulls: Hulls,
    function: np.ndarray,
    light: int,
    slopes: np.ndarray,
    alike: np.ndarray,
    rate: float,
) -> np.ndarray:
    """Slopes for the next step, by a proximal one on heights + slopes * alike.

    With a very large rate the slope is that of the function at `alike`; items from number light
    on get 0.
    """
    found = np.zeros(len(slopes))
    for place in range(len(items)):
        if items[place] >= light:
            continue
        first, last = hulls.starts[function[items[place]]], hulls.starts[function[items[place]] + 1]
        steepest = np.inf  # slope of the function before the vertex
        for vertex in range(first, last):
            flattest = 0.0  # and after it
            if vertex < last - 1:
                rise = hulls.worth[vertex + 1] - hulls.worth[vertex]
                flattest = rise / (hulls.at[vertex + 1] - hulls.at[vertex])
            slope = slopes[place] - (alike[place] - hulls.at[vertex]) * rate
            if slope >= flattest or vertex == last - 1:
                found[place] = max(min(slope, steepest), flattest)
                break
            steepest = flattest
    return found


# Lines above the functions of a row's items.


@njit(nogil=True)
def row_slopes(
    kinds: Kinds,
    hulls: Hulls,
    function: np.ndarray,
    heavy: np.ndarray,
    alike: np.ndarray,
    kind: int,
    k: int,
    slopes: np.ndarray,
) -> float:
    """Fill in the slopes of a row's items; the sum of the heights at 0 of their lines.

    Slopes are softened over the width of one row's share. Any slope gives a bound: the height is
    the least with which the line stays above the function.
    """
    start, end = kinds.starts[kind], kinds.starts[kind + 1]
    half, heights = 0.5 / (k - 1), 0.0
    for place in range(end - start):
        item = kinds.items[start + place]
        a, b = hulls.starts[function[item]], hulls.starts[function[item] + 1]
        slope, t = 0.0, alike[start + place]
        if not heavy[item]:
            left, right = max(t - half, 0.0), min(t + half, 1.0)
            rise = _worth(hulls, a, b, right) - _worth(hulls, a, b, left)
            slope = max(rise / (right - left), 0.0)
        slopes[place] = slope
        height = hulls.worth[a]
        for vertex in range(a + 1, b):
            height = max(height, hulls.worth[vertex] - slope * hulls.at[vertex])
        heights += height
    return heights


@njit(nogil=True)
def _worth(hulls: Hulls, first: int, end: int, t: float) -> float:
    """Value at t of the function with these vertices."""
    for vertex in range(first + 1, end):
        if t < hulls.at[vertex]:
            x, y = hulls.at[vertex - 1], hulls.worth[vertex - 1]
            return y + (t - x) * (hulls.worth[vertex] - y) / (hulls.at[vertex] - x)
    return hulls.worth[end - 1]


# Bounds of single rows: slopes, the k - 1 rows with the best scores, and the next slopes.


class _Room(NamedTuple):
    """Scratch of one thread; `scores` and `places` are zero between steps."""

    scores: np.ndarray  # of each kind
    touched: np.ndarray  # kinds that share an item
    reached: np.ndarray  # their scores
    places: np.ndarray  # of the row's items, from 1
    slopes: np.ndarray  # of the row's items
    found: np.ndarray  # share of the best company that has each of the row's items
    best: np.ndarray  # highest scores, descending


@njit(nogil=True)
def best_companies(
    kinds: Kinds,
    hulls: Hulls,
    function: np.ndarray,
    heavy: np.ndarray,
    alike: np.ndarray,
    part: tuple[int, int, int, int, int],
) -> float:
    """Sum over the rows of some kinds of the least bound met in a few steps.

    Parameters
    ----------
    kinds : Kinds
    hulls : Hulls
    function : int array, shape (items,)
        Number of each item's function.
    heavy : bool array, shape (items,)
        Items that get the slope 0.
    alike : float array, one per entry of the kinds
        Where slopes are taken; moved on in place, for these kinds only.
    part : (first, last, k, passed, steps)
        Kinds from first to last, and how many steps were made before.
    """
    first, last, k, passed, steps = part
    highest = kinds.degrees[-1]
    room = _Room(
        np.zeros(len(kinds.degrees)),
        np.empty(len(kinds.degrees), dtype=np.int32),
        np.empty(len(kinds.degrees)),
        np.zeros(len(function), dtype=np.int32),
        np.empty(highest),
        np.empty(highest),
        np.empty(k - 1),
    )
    total = 0.0
    for kind in range(first, last):
        start, end = kinds.starts[kind], kinds.starts[kind + 1]
        least = np.inf
        for step in range(passed, passed + steps):
            bound = row_slopes(kinds, hulls, function, heavy, alike, kind, k, room.slopes)
            met = _scores(kinds, kind, room)
            bound += _company(kinds, kind, met, k, room)
            least = min(least, bound)
            for place in range(end - start):
                move = 2 / (step + 2) * (room.found[place] - alike[start + place])
                alike[start + place] += move
        total += least * (kinds.member_starts[kind + 1] - kinds.member_starts[kind])
    return total


@njit(nogil=True)
def _scores(kinds: Kinds, kind: int, room: _Room) -> int:
    """Score every kind that shares an item with a slope."""
    start, met = kinds.starts[kind], 0
    for place in range(kinds.degrees[kind]):
        slope, item = room.slopes[place], kinds.items[start + place]
        if slope > 0:
            for other in kinds.item_kinds[kinds.item_starts[item] : kinds.item_starts[item + 1]]:
                if room.scores[other] == 0:
                    room.touched[met] = other
                    met += 1
                room.scores[other] += slope
    return met


@njit(nogil=True)
def _company(kinds: Kinds, kind: int, met: int, k: int, room: _Room) -> float:
    """Mean of the k - 1 highest scores of other rows; who has what among them.

    Rows that tie for the last places share them.
    """
    room.best[:] = 0
    for place in range(met):
        other = room.touched[place]
        score = room.scores[other]
        room.reached[place], room.scores[other] = score, 0
        if score > room.best[-1]:
            rows = other_rows(kinds, other, kind)
            while rows > 0 and score > room.best[-1]:
                insert(room.best, score)
                rows -= 1
    last = room.best[-1]
    surely, tied = 0, 0
    for score in room.best:
        surely += score > last
    for place in range(met):
        if room.reached[place] == last:
            tied += other_rows(kinds, room.touched[place], kind)
    _who_shares(kinds, kind, met, last, (k - 1 - surely) / max(tied, 1), room)
    room.found[: kinds.degrees[kind]] /= k - 1
    return room.best.sum() / (k - 1)


@njit(nogil=True)
def other_rows(kinds: Kinds, other: int, kind: int) -> int:
    """Rows of one kind, without the one in question if that is of this kind."""
    return kinds.member_starts[other + 1] - kinds.member_starts[other] - (other == kind)


@njit(nogil=True)
def insert(best: np.ndarray, score: float) -> None:
    """Put a score into a descending list in place of its last."""
    place = len(best) - 1
    while place > 0 and best[place - 1] < score:
        best[place] = best[place - 1]
        place -= 1
    best[place] = score


@njit(nogil=True)
def _who_shares(
    kinds: Kinds, kind: int, met: int, last: float, tied_weight: float, room: _Room
) -> None:
    """Number of rows of the company that have each item."""
    start, end = kinds.starts[kind], kinds.starts[kind + 1]
    room.found[: end - start] = 0
    for place in range(start, end):
        room.places[kinds.items[place]] = place - start + 1
    for candidate in range(met):
        score, other = room.reached[candidate], room.touched[candidate]
        if score < last:
            continue
        weight = other_rows(kinds, other, kind) * (tied_weight if score == last else 1.0)
        for item in kinds.items[kinds.starts[other] : kinds.starts[other + 1]]:
            if room.places[item] > 0:
                room.found[room.places[item] - 1] += weight
    for place in range(start, end):
        room.places[kinds.items[place]] = 0


# Pairs of rows that are worth more together than what the two rows pay alone.


_PAIR_BLOCK = 1024  # kinds per job


class Slopes(NamedTuple):
    """Slopes of the lines above the functions of each row's items.

    Attributes
    ----------
    of_kinds : float array, one per entry of the kinds
    of_items : float array
        The same, in the order of `Kinds.item_kinds`.
    light : int
        Items from this number on have the slope 0 everywhere; their rows are not read.
    """

    of_kinds: np.ndarray
    of_items: np.ndarray
    light: int


class Pairs(NamedTuple):
    """For each kind, other kinds (or itself) and what a pair of their rows is worth.

    Attributes
    ----------
    starts : int64 array, shape (kinds + 1,)
    others : int32 array
    worths : float array
    """

    starts: np.ndarray
    others: np.ndarray
    worths: np.ndarray


def first_tolls(kinds: Kinds, slopes: Slopes, k: int) -> np.ndarray:
    """Half the (k - 1)-th highest worth of a pair with another row, for each kind."""
    count = len(kinds.degrees)
    tolls = np.empty(count)

    def fill(first: int) -> None:
        _half_of_last(kinds, slopes, (first, min(first + _PAIR_BLOCK, count)), k, tolls)

    in_threads(fill, range(0, count, _PAIR_BLOCK), label="tolls")
    return tolls


def pairs_above(kinds: Kinds, slopes: Slopes, tolls: np.ndarray, margins: np.ndarray) -> Pairs:
    """List the pairs worth more than what is left of their two tolls without the margins.

    Each pair of kinds is listed from both sides; memory grows with the pairs that are listed.
    """
    count = len(kinds.degrees)
    limits = tolls - margins

    def part(first: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return _listed(kinds, slopes, (first, min(first + _PAIR_BLOCK, count)), limits)

    parts = in_threads(part, range(0, count, _PAIR_BLOCK), label="pairs")
    lengths, others, worths = (np.concatenate(each) for each in zip(*parts, strict=True))
    return Pairs(np.concatenate([[0], np.cumsum(lengths)]), others, worths)


@njit(nogil=True)
def _meet(kinds: Kinds, slopes: Slopes, kind: int, worths: np.ndarray, met: np.ndarray) -> int:
    """Add up the worth of a pair with each kind that shares an item with a slope."""
    found, start = 0, kinds.starts[kind]
    for place in range(start, kinds.starts[kind + 1]):
        item = kinds.items[place]
        if item >= slopes.light:  # items come in ascending order
            break
        own = slopes.of_kinds[place]
        for entry in range(kinds.item_starts[item], kinds.item_starts[item + 1]):
            worth = own + slopes.of_items[entry]
            if worth > 0:
                other = kinds.item_kinds[entry]
                if worths[other] == 0:
                    met[found] = other
                    found += 1
                worths[other] += worth
    return found


@njit(nogil=True)
def _half_of_last(
    kinds: Kinds, slopes: Slopes, part: tuple[int, int], k: int, tolls: np.ndarray
) -> None:
    worths = np.zeros(len(kinds.degrees))
    met = np.empty(len(kinds.degrees), dtype=np.int32)
    best = np.empty(k - 1)
    for kind in range(part[0], part[1]):
        best[:] = 0
        for other in met[: _meet(kinds, slopes, kind, worths, met)]:
            worth, worths[other] = worths[other], 0
            rows = other_rows(kinds, other, kind)
            while rows > 0 and worth > best[-1]:
                insert(best, worth)
                rows -= 1
        tolls[kind] = best[-1] / 2


@njit(nogil=True)
def _listed(
    kinds: Kinds, slopes: Slopes, part: tuple[int, int], limits: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    worths = np.zeros(len(kinds.degrees))
    met = np.empty(len(kinds.degrees), dtype=np.int32)
    lengths = np.zeros(part[1] - part[0], dtype=np.int64)
    others, above = np.empty(4096, dtype=np.int32), np.empty(4096)
    filled = 0
    for kind in range(part[0], part[1]):
        found, first = _meet(kinds, slopes, kind, worths, met), filled
        if filled + found > len(others):
            others, above = _longer(others, filled + found), _longer(above, filled + found)
        alone = kinds.member_starts[kind + 1] - kinds.member_starts[kind] == 1
        for other in met[:found]:
            worth, worths[other] = worths[other], 0
            if worth > limits[kind] + limits[other] and not (other == kind and alone):
                others[filled], above[filled] = other, worth
                filled += 1
        lengths[kind - part[0]] = filled - first
    return lengths, others[:filled].copy(), above[:filled].copy()


@njit(nogil=True)
def _longer(values: np.ndarray, least: int) -> np.ndarray:
    longer = np.empty(2 * least, dtype=values.dtype)
    longer[: len(values)] = values
    return longer


# The least price at which a bound still holds.


# Tolls of rows that make pairs of rows worth little more than they pay, and who pairs then.


_TOLL_BLOCK = 4096  # kinds per job
_SWEEPS = 6
_NEWTON = 4  # steps for each toll
_CLOSE = 1e-3  # pairs that do not matter


def lower_tolls(
    kinds: Kinds, pairs: Pairs, k: int, tolls: np.ndarray, floors: np.ndarray, width: float
) -> np.ndarray:
    """Tolls from the floors on, moved so that each row has about k - 1 pairs above them.

    One row after the other, there and back, with what exceeds the tolls softened: a pair at the
    two tolls counts half, and fully or not at all from half the width on.
    """
    tolls = tolls.copy()
    for sweep in range(_SWEEPS):
        _sweep(kinds, pairs, k, tolls, floors, width, sweep % 2 == 1)
    return tolls


def pairs_and_tolls(
    kinds: Kinds, pairs: Pairs, k: int, tolls: np.ndarray, width: float
) -> tuple[float, np.ndarray]:
    """Sum of all tolls and of what pairs are worth beyond them; how alike the paired rows are.

    Returns
    -------
    float
        Over all rows the toll, and over all pairs of rows the excess over k - 1.
    float array, one per entry of the kinds
        Share of the rows paired with the entry's row that have its item; pairs are softened as
        in `lower_tolls`.
    """
    count = len(kinds.degrees)
    alike = np.empty(len(kinds.items))

    def total(first: int) -> float:
        part = (first, min(first + _TOLL_BLOCK, count))
        return _settle(kinds, pairs, k, tolls, width, alike, part)

    return sum(in_threads(total, range(0, count, _TOLL_BLOCK), label="paired rows")), alike


@njit(nogil=True)
def _sweep(
    kinds: Kinds,
    pairs: Pairs,
    k: int,
    tolls: np.ndarray,
    floors: np.ndarray,
    width: float,
    backwards: bool,
) -> None:
    """Move each toll by a few safeguarded Newton steps towards k - 1 softened pairs."""
    most = np.diff(pairs.starts).max()
    gains, falls, rows = np.empty(most), np.empty(most), np.empty(most)
    for number in range(len(tolls)):
        kind = len(tolls) - 1 - number if backwards else number
        met = 0
        for place in range(pairs.starts[kind], pairs.starts[kind + 1]):
            other = pairs.others[place]
            inside = other == kind  # such a pair pays the toll twice
            gain = pairs.worths[place] - (0.0 if inside else tolls[other])
            if gain + width / 2 > floors[kind] * (1 + inside):
                gains[met], falls[met] = gain, 1 + inside
                rows[met] = other_rows(kinds, other, kind)
                met += 1
        part = (gains[:met], falls[:met], rows[:met])
        tolls[kind] = _moved(part, k - 1, tolls[kind], floors[kind], width)


@njit(nogil=True)
def _moved(
    part: tuple[np.ndarray, np.ndarray, np.ndarray],
    wanted: int,
    toll: float,
    floor: float,
    width: float,
) -> float:
    """Toll at which about so many softened pairs are worth it, from the floor on."""
    gains, falls, rows = part
    low, high = floor, np.inf
    for _ in range(_NEWTON):
        more, fall = -float(wanted), 0.0
        for place in range(len(gains)):
            share = (gains[place] - falls[place] * toll) / width + 0.5
            if share > 0:
                more += rows[place] * min(share, 1.0)
                if share < 1:
                    fall += rows[place] * falls[place] / width
        if abs(more) < _CLOSE:
            break
        low, high = (toll, high) if more > 0 else (low, toll)
        step = toll + (more / fall if fall > 0 else np.sign(more) * width)
        if step >= high:
            step = (toll + high) / 2
        if step <= low:
            step = low if low == floor else (toll + low) / 2
        toll = step
    return toll


@njit(nogil=True)
def _settle(
    kinds: Kinds,
    pairs: Pairs,
    k: int,
    tolls: np.ndarray,
    width: float,
    alike: np.ndarray,
    part: tuple[int, int],
) -> float:
    places = np.full(len(kinds.item_starts), -1, dtype=np.int64)
    total = 0.0
    for kind in range(part[0], part[1]):
        start, end = kinds.starts[kind], kinds.starts[kind + 1]
        for place in range(start, end):
            alike[place] = 0
            places[kinds.items[place]] = place
        excess, paired = 0.0, 0.0
        for place in range(pairs.starts[kind], pairs.starts[kind + 1]):
            other = pairs.others[place]
            rows = other_rows(kinds, other, kind)
            beyond = pairs.worths[place] - tolls[kind] - tolls[other]
            excess += rows * max(beyond, 0.0)
            share = min(beyond / width + 0.5, 1.0) * rows / (k - 1)
            if share > 0:
                paired += share
                for item in kinds.items[kinds.starts[other] : kinds.starts[other + 1]]:
                    if places[item] >= 0:
                        alike[places[item]] += share
        alike[start:end] /= max(paired, 1.0)
        places[kinds.items[start:end]] = -1
        own = kinds.member_starts[kind + 1] - kinds.member_starts[kind]
        total += own * (tolls[kind] + excess / (2 * (k - 1)))
    return total


# Shared items: the overlap of each row with others.


@njit(nogil=True)
def shared_items(kinds: Kinds, first: int, last: int, wanted: int) -> int:
    """Sum over the rows of some kinds of the wanted-th largest overlap with another row."""
    counts = np.zeros(len(kinds.degrees), dtype=np.int32)
    touched = np.empty(len(kinds.degrees), dtype=np.int32)
    rows = np.zeros(kinds.degrees[-1] + 2, dtype=np.int64)
    total = 0
    for kind in range(first, last):
        degree = kinds.degrees[kind]
        own = kinds.member_starts[kind + 1] - kinds.member_starts[kind]
        if own > wanted:
            total += own * degree
            continue
        rows[: degree + 1] = 0
        met, read = _read(kinds, kind, own, wanted, counts, touched, rows)
        rows[: degree + 1] = 0
        rows[degree] = own - 1
        ours = kinds.items[kinds.starts[kind] + read : kinds.starts[kind + 1]]
        for other in touched[:met]:
            if other != kind:
                theirs = kinds.items[kinds.starts[other] : kinds.starts[other + 1]]
                overlap = counts[other] + common_at_the_end(ours, theirs)
                rows[overlap] += kinds.member_starts[other + 1] - kinds.member_starts[other]
            counts[other] = 0
        total += own * _reached(rows, degree, wanted)
    return total


@njit(nogil=True)
def _read(
    kinds: Kinds,
    kind: int,
    own: int,
    wanted: int,
    counts: np.ndarray,
    touched: np.ndarray,
    rows: np.ndarray,
) -> tuple[int, int]:
    """Count items shared with each kind, rare ones first, until no new kind can matter.

    A kind that has none of the first p items shares at most degree - p. Once so many rows as
    wanted are known to share that many, only kinds already met are of interest; how much these
    share in the rest is looked up where that is less work than to read on.
    """
    degree, start = kinds.degrees[kind], kinds.starts[kind]
    met = 0
    for p in range(degree):
        left = degree - p
        known = own - 1  # rows that share at least so many of the first p
        for shared in range(left, p + 1):
            known += rows[shared]
        item = kinds.items[start + p]
        a, b = kinds.item_starts[item], kinds.item_starts[item + 1]
        if known >= wanted and b - a > met:
            return met, p
        for other in kinds.item_kinds[a:b]:
            size = kinds.member_starts[other + 1] - kinds.member_starts[other]
            if counts[other] == 0:
                touched[met] = other
                met += 1
            elif other != kind:
                rows[counts[other]] -= size
            counts[other] += 1
            if other != kind:
                rows[counts[other]] += size
    return met, degree


@njit(nogil=True)
def _reached(rows: np.ndarray, highest: int, wanted: int) -> int:
    """Overlap of the wanted-th row from the top; 0 if fewer share anything."""
    for overlap in range(highest, 0, -1):
        wanted -= rows[overlap]
        if wanted <= 0:
            return overlap
    return 0
