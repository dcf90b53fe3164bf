"""Rounds of better slopes and tolls, each of which gives a price at which the bound holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pplab._compiled import in_threads, njit
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


def worth_hulls(k: int, price: float) -> Hulls:
    """Least concave functions above what an entry of a smooth copy can be worth.

    Parameters
    ----------
    k : int
        Smallest size of a group.
    price : float
        In [0, 1]; what a created entry costs.

    Returns
    -------
    Hulls
        Functions number 0 to 4k - 1, by the number of rows that have the item.

    Notes
    -----
    In a group of s rows of which c have an item, 2c >= s, each of the c entries is worth
    1 - price (s - c) / c, and its row meets the item in a share t = (c - 1) / (s - 1) of the
    other rows. The function for an item that m rows have is the least concave one that is 0 or
    more at 0 and has these points at or below it, for all s >= k and c <= m.

    *Sizes from 4k on add nothing.* Let s >= 4k.

    - c = s is the point (1, 1), there for s = k too where m allows it. For c < s, the point lies
      on or below the line 1 - price (1 - t), as (s - c) / c >= (s - c) / (s - 1). For s = k that
      line joins the points of c = k - 1 and c = k.
    - With t from (a - 1) / (k - 1) to a / (k - 1), where k / 2 <= a <= k - 2: put
      x = t + (1 - t) / k and x' = t + (1 - t) / s, which is c / s. The chord of the points of a
      and a + 1 rows among k is 1 + price - price (1 / x + e), with
      e = p (1 - p) / (x a (a + 1)) and p = k x - a in [0, 1]. The point lies below it if e is at
      most 1 / x' - 1 / x = (1 - t) (1 / k - 1 / s) / (x x'), where (k - 1) (1 - t) = k - a - p.
      With d = k - a >= 2 this follows from (a + d / s) / (a (a + 1)) <= d (s - k) / (k s), that
      is from k / (a + 1) (1 + d / (4 a k)) <= 3 d / 4. For d = 2 the left side is at most
      4/3 * 17/16 < 3/2, since k >= 4; for d >= 3 we have a >= d, k >= 6, k / (a + 1) < 2, and it
      is below 2 (1 + 1 / (4 k)) <= 25/12 < 9/4.
    - Below the first point of s = k: for even k no larger group has a point there, since
      2c >= s means t >= (s - 2) / (2 (s - 1)). For odd k those with 2c = s have, and all of them
      are worth 1 - price, as is the point of k + 1 rows, which is the first.

    If m < k, no point has t above (m - 1) / (k - 1), the last point of s = k. QED.

    Examples
    --------
    >>> hulls = worth_hulls(2, 0.25)  # for two rows and more: the line 1 - price (1 - t)
    >>> part = slice(*hulls.starts[2:4])
    >>> hulls.at[part].tolist(), hulls.worth[part].tolist()
    ([0.0, 1.0], [0.75, 1.0])
    """
    sizes, have = np.meshgrid(np.arange(k, 4 * k), np.arange(1, 4 * k), indexing="ij")
    real = (have <= sizes) & (2 * have >= sizes)
    sizes, have = sizes[real], have[real]
    at, worth = (have - 1) / (sizes - 1), 1 - price * (sizes - have) / have
    order = np.lexsort((worth, at))
    return Hulls(*_hulls(4 * k, have[order], at[order], worth[order]))


@njit()
def _hulls(
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


def least_price(
    excess: Callable[[float], float],
    *,
    low: float,
    high: float,
    above: float,
    below: float,
    accuracy: float,
) -> float:
    """Enclose the price at which an excess turns negative; the upper end always has it negative.

    Regula falsi, with the value of an end halved that stays for a second time (Illinois rule).

    Parameters
    ----------
    excess : callable
        Of a price; tried once at each.
    low, high : float
        Where to search; high is returned if no lower price has a negative excess.
    above, below : float
        Values there, the first positive, the second negative; guesses will do, since they only
        decide where the search begins.
    accuracy : float
        Positive; how closely to enclose.

    Examples
    --------
    >>> found = least_price(
    ...     lambda price: 2 - price**2, low=0.0, high=2.0, above=2.0, below=-2.0, accuracy=1e-6
    ... )
    >>> found**2 > 2, round(found, 5)
    (True, 1.41421)
    """
    last = 0
    accuracy = max(accuracy, 4 * float(np.spacing(high)))  # else neighbouring ends never meet
    while high - low > accuracy:
        price = low + (high - low) * above / (above - below)
        price = min(max(price, low + accuracy / 2), high - accuracy / 2)
        value = excess(price)
        side = -1 if value < 0 else 1
        if side < 0:
            high, below = price, value
            above /= 2 if last == side else 1
        else:
            low, above = price, value
            below /= 2 if last == side else 1
        last = side
    return high


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


_MANY_PAIRS = 2 * 10**7  # listed pairs of kinds from which on fewer are listed
_SLACK = 1e-9  # beyond what sums of floats can be wrong by, relative
_ACCURACY = 5e-6  # of each price
_STALL = (12, 1e-4)  # so many rounds that bring less than this are the last
_GUESS = 0.8  # price for the first slopes
# Rate of slopes at first, and share of the rounds: fast steps suit graphs, slow ones tables with
# many equal rows.
_SEARCHES = ((0.1, 0.6), (0.03, 0.4))
_INERTIA = 0.5
_SLOWER, _SLOWEST = 0.8, 0.02  # times the rate after a round that gained nothing; least rate
_WIDTHS = (0.3, 0.05)  # over which the tolls of pairs are softened, at first and in the end


class _State(NamedTuple):
    """Where the search stands after some rounds."""

    slopes: np.ndarray  # per entry of the kinds
    tolls: np.ndarray  # per kind
    share: float  # of the margins in use
    rate: float  # of slopes
    price: float  # least one at which the bound held


class Table(NamedTuple):
    """A table laid out for the search, and what does not change in it."""

    kinds: Kinds
    function: np.ndarray  # number of each item's function
    by_item: np.ndarray  # entries of the kinds in the order of `Kinds.item_kinds`
    light: int  # items from here on get the slope 0
    entries: int
    k: int


def least_price_of_rounds(table: Table, rounds: int) -> float:
    """Least price that held in any of so many rounds, or until it falls too slowly.

    The rounds are shared out to searches of their own; any of them gives a price that holds.
    """
    found = [_search(table, max(1, round(part * rounds)), rate) for rate, part in _SEARCHES]
    return min(found)


def _search(table: Table, rounds: int, rate: float) -> float:
    half = np.full(len(table.kinds.items), 0.5)
    slopes = _step(table, _GUESS, np.zeros(len(half)), half, np.inf)
    tolls = first_tolls(table.kinds, _both_ways(table, slopes), table.k)
    state = _State(slopes, tolls, 0.25, rate, 1.0)
    prices = []
    for number in range(rounds):
        state = _round(table, state, number, rounds)
        prices.append(state.price)
        if number >= _STALL[0] and prices[-1 - _STALL[0]] - prices[-1] < _STALL[1]:
            break
    return state.price


def _round(table: Table, state: _State, number: int, rounds: int) -> _State:
    """List pairs, move tolls, see which price holds, move slopes."""
    kinds, k = table.kinds, table.k
    width = _WIDTHS[0] * (_WIDTHS[1] / _WIDTHS[0]) ** min(1, number / (0.9 * rounds))
    margins = state.share * (0.5 + 0.1 * kinds.degrees)
    slopes = _both_ways(table, state.slopes)
    pairs = pairs_above(kinds, slopes, state.tolls, margins)
    floors = np.maximum(state.tolls - margins, 0)
    tolls = lower_tolls(kinds, pairs, k, state.tolls, floors, width)
    rest, alike = pairs_and_tolls(kinds, pairs, k, tolls, width)
    price = _price(table, state, rest)
    if number == 0:
        moved = _step(table, price, state.slopes, 0.5 + (alike - 0.5) / 3, np.inf)
    else:
        moved = _step(table, price, state.slopes, alike, state.rate)
        moved = np.maximum(moved + _INERTIA * (moved - state.slopes), 0)
    grow = np.clip(_MANY_PAIRS / max(len(pairs.others), 1), 0.25, 2)
    rate = max(state.rate * (1.0 if price < state.price else _SLOWER), _SLOWEST)
    return _State(moved, tolls, min(1.0, state.share * grow), rate, price)


def _both_ways(table: Table, slopes: np.ndarray) -> Slopes:
    return Slopes(slopes, slopes[table.by_item], table.light)


def _step(
    table: Table, price: float, slopes: np.ndarray, alike: np.ndarray, rate: float
) -> np.ndarray:
    hulls = worth_hulls(table.k, price)
    items = table.kinds.items
    return next_slopes(items, hulls, table.function, table.light, slopes, alike, min(rate, 1e9))


def _price(table: Table, state: _State, rest: float) -> float:
    """Least price at which the bound holds with these slopes, if it is below the one known.

    The excess falls with the price at a rate from once to twice the entries, as a created entry
    is counted at most once for each kept one.
    """

    def excess(price: float) -> float:
        hulls = worth_hulls(table.k, price)
        heights = line_heights(table.kinds, hulls, table.function, state.slopes)
        return (heights + rest) * (1 + _SLACK) - price * table.entries

    high = state.price
    below = excess(high)
    if not below < 0:
        return high
    low = max(high + below / table.entries, 0.0)
    return least_price(excess, low=low, high=high, above=-below, below=below, accuracy=_ACCURACY)
