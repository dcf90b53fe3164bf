"""Cases for each row of a table: an item of it is published in its group, or it is not.

At fixed multipliers `symmetric_certificate` leaves each row a problem of its own. Here it is solved
by branch and bound, as far as a few splits go. What is found are multipliers again, which
`pplab.smooth.proof` sums up: the search is free to be wrong.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pplab._compiled import in_threads, njit
from pplab.smooth._certificates import (
    Blocks,
    Hulls,
    Slopes,
    highest_line,
    meet,
    meet_block,
    other_rows,
    value_at,
)
from pplab.smooth._rows import Array, DistinctRows
from pplab.smooth.hulls import value_hulls

_BLOCK = 256  # distinct rows per job
_SPLITS = 20  # of a row, at most
_MOST_ITEMS = 62  # of a row that is split: whole numbers of 64 bits are sets of items
_TRIED, _CLOSED = 6, 0.1  # after so many splits less of the gap is closed: no more are made
_STEPS = 25  # for the slopes of a case
_FIRST_GOAL = 0.3  # below the least bound of a case
_ENOUGH = 2e-4  # a case within this of a solution is left alone
_NEVER = -1e3  # value at share 0 of an item that is published, in place of 0


def trees(
    distinct: DistinctRows,
    function: Array,
    slopes: Slopes,
    blocks: Blocks,
    duals: Array,
    k: int,
    ratio: float,
) -> tuple[Array, Array, Array]:
    """Split each row's worst case again and again, with slopes of its own for each case.

    Parameters
    ----------
    distinct : DistinctRows
    function : int array, shape (items,)
        Number of each item's function.
    slopes, blocks, duals
        Multipliers of `symmetric_certificate`.
    k : int
    ratio : float
        In [0, 1]; the cases are made for it, and hold for every other one.

    Returns
    -------
    cuts, splits, case_slopes
        As in `pplab.smooth.proof.Certificate`; the slopes are floats.
    """
    # Functions 0 to 4k - 1 while nothing is said of an item, 4k more once it is published, and 0,
    # which is 0 everywhere, where it is not.
    free, published = value_hulls(k, ratio), value_hulls(k, ratio, _NEVER)
    starts = np.concatenate([free.starts, free.starts[-1] + published.starts[1:]])
    hulls = Hulls(starts, *map(np.concatenate, zip(free[1:], published[1:], strict=True)))
    count = len(duals)

    def part(first: int) -> tuple[Array, Array, Array]:
        rows = (first, min(first + _BLOCK, count))
        return _trees(distinct, hulls, function, slopes, blocks, duals, k, rows)

    parts = in_threads(part, range(0, count, _BLOCK), label="cases")
    cuts, splits, case_slopes = (np.concatenate(each) for each in zip(*parts, strict=True))
    return cuts, splits, case_slopes


class _Row(NamedTuple):
    """The problem of one row: other rows, repeated as often as there are equal ones."""

    levels: Array  # l_uv; what a partner adds beside shared items
    has: Array  # bool, shape (other rows, items)
    k: int


@njit(nogil=True)
def _trees(
    distinct: DistinctRows,
    hulls: Hulls,
    function: Array,
    slopes: Slopes,
    blocks: Blocks,
    duals: Array,
    k: int,
    part: tuple[int, int],
) -> tuple[Array, Array, Array]:
    weights = np.zeros(len(duals))
    met = np.empty(len(duals), dtype=np.int32)
    own = np.zeros(len(function))  # the row's slopes, by item
    bits = np.zeros(len(function), dtype=np.int64)  # the sets of one item each
    cuts = np.zeros(part[1] - part[0], dtype=np.int64)
    splits = np.empty((len(cuts) * _SPLITS, 2), dtype=np.int64)
    entries = distinct.starts[part[1]] - distinct.starts[part[0]]
    case_slopes = np.zeros(entries * (_SPLITS + 1))
    cut, filled, least = 0, 0, duals.min()
    for pattern in range(part[0], part[1]):
        start, end = distinct.starts[pattern], distinct.starts[pattern + 1]
        numbers = function[distinct.items[start:end]]
        places, live = np.empty(end - start, dtype=np.int64), 0
        for place in range(end - start):
            number = numbers[place]
            vertices = hulls.starts[number + 1] - hulls.starts[number]
            if distinct.items[start + place] < slopes.light and vertices > 1:
                places[live], live = place, live + 1
        if not 0 < live <= _MOST_ITEMS:
            case_slopes[filled : filled + end - start] = slopes.of_patterns[start:end]
            filled += end - start
            continue
        functions, first = np.empty(live, dtype=np.int64), np.empty(live)
        for entry in range(start, end):
            own[distinct.items[entry]] = slopes.of_patterns[entry]
        for bit in range(live):
            bits[distinct.items[start + places[bit]]] = np.int64(1) << bit
            functions[bit] = numbers[places[bit]]
            first[bit] = slopes.of_patterns[start + places[bit]]
        count = meet(distinct, slopes, pattern, weights, met)
        count = meet_block(blocks, pattern, weights, met, count)
        row = _row(distinct, duals, (own, bits), weights, pattern, met[:count], least, live, k)
        for entry in range(start, end):
            own[distinct.items[entry]] = 0
            bits[distinct.items[entry]] = 0
        made, found = _tree(row, hulls, functions, first)
        cuts[pattern - part[0]] = len(made)
        for number in range(len(made)):
            splits[cut, 0], splits[cut, 1] = made[number, 0], places[made[number, 1]]
            cut += 1
        for case in range(len(found)):
            for bit in range(live):
                case_slopes[filled + places[bit]] = found[case, bit]
            filled += end - start
    return cuts, splits[:cut].copy(), case_slopes[:filled].copy()


@njit(nogil=True)
def _row(
    distinct: DistinctRows,
    duals: Array,
    by_item: tuple[Array, Array],
    weights: Array,
    pattern: int,
    met: Array,
    least: float,
    live: int,
    k: int,
) -> _Row:
    """Rows that are met, k - 1 at most with the same items of the row; and k - 1 that are not."""
    own, bits = by_item
    levels, sets = np.full(len(met) + 1, -least), np.zeros(len(met) + 1, dtype=np.int64)
    rows = np.full(len(levels), k - 1)
    for place, other in enumerate(met):
        level, weights[other] = weights[other] - duals[other], 0
        for item in distinct.items[distinct.starts[other] : distinct.starts[other + 1]]:
            level -= 2 * own[item]
            sets[place] |= bits[item]
        levels[place], rows[place] = level, other_rows(distinct, other, pattern)
    levels = (levels - duals[pattern]) / 2
    order = np.argsort(-levels, kind="mergesort")
    order = order[np.argsort(sets[order].astype(np.float64), kind="mergesort")]
    left = kept = 0
    for number, place in enumerate(order):
        if number == 0 or sets[place] != sets[order[number - 1]]:
            left = k - 1
        if rows[place] > left:
            rows[place] = left
        left -= rows[place]
        kept += rows[place]
    result = _Row(np.empty(kept), np.zeros((kept, live), dtype=np.bool_), k)
    kept = 0
    for place in order:
        for _ in range(rows[place]):
            result.levels[kept] = levels[place]
            for item in range(live):
                result.has[kept, item] = (sets[place] >> item) & 1
            kept += 1
    return result


@njit(nogil=True)
def _tree(row: _Row, hulls: Hulls, functions: Array, slopes: Array) -> tuple[Array, Array]:
    """Splits, and the slopes of each case."""
    count = len(functions)
    splits = np.empty((_SPLITS, 2), dtype=np.int64)
    cases = np.empty((_SPLITS + 1, count), dtype=np.int64)
    found, shares = np.empty((_SPLITS + 1, count)), np.empty((_SPLITS + 1, count))
    bounds = np.full(_SPLITS + 1, -np.inf)
    cases[0], found[0] = functions, slopes
    bounds[0], known = _lower(row, hulls, cases[0], functions, found[0], shares[0], -np.inf)
    root = bounds[0]
    for cut in range(_SPLITS):
        worst = int(np.argmax(bounds))
        hopeless = cut == _TRIED and root - bounds[worst] < _CLOSED * (root - known)
        item, most = -1, -np.inf
        for each in range(count):  # where the share is worth most only as a mixture
            if 0 < cases[worst, each] == functions[each]:
                share = shares[worst, each]
                a = _value(hulls, functions[each], share)
                gap = a - max(_value(hulls, functions[each] + 4 * row.k, share), 0.0)
                if gap > most:
                    item, most = each, gap
        if item < 0 or hopeless or bounds[worst] <= known + _ENOUGH:
            return splits[:cut], found[: cut + 1]
        before = bounds[worst]
        splits[cut] = worst, item
        cases[cut + 1], found[cut + 1] = cases[worst], found[worst]
        cases[worst, item], cases[cut + 1, item] = functions[item] + 4 * row.k, 0
        found[cut + 1, item] = 0
        for each in (worst, cut + 1):
            bound, known = _lower(
                row, hulls, cases[each], functions, found[each], shares[each], known
            )
            bounds[each] = min(bound, before)
    return splits, found


@njit(nogil=True)
def _lower(
    row: _Row,
    hulls: Hulls,
    case: Array,
    functions: Array,
    slopes: Array,
    shares: Array,
    known: float,
) -> tuple[float, float]:
    """Least bound met in some steps; the best value of any k - 1 partners that is known then.

    The slopes move to where the bound is least, and the mean shares of partners are filled in.
    """
    count, partners = len(case), row.k - 1
    least, ahead, stale, passed = np.inf, _FIRST_GOAL, 0, 0.0
    best, at, have = slopes.copy(), np.empty(count), np.empty(count)
    top, who = np.empty(partners), np.empty(partners, dtype=np.int64)
    shares[:] = 0
    for step in range(_STEPS):
        bound = 0.0
        for item in range(count):
            height, at[item] = highest_line(hulls, case[item], slopes[item])
            bound += height
        last = 0
        for other in range(len(row.levels)):
            score = row.levels[other]
            for item in range(count):
                if row.has[other, item]:
                    score += slopes[item]
            if last < partners or score > top[last - 1]:
                place = min(last, partners - 1)
                while place > 0 and top[place - 1] < score:
                    top[place], who[place] = top[place - 1], who[place - 1]
                    place -= 1
                top[place], who[place] = score, other
                last = min(last + 1, partners)
        have[:], worth = 0, 0.0
        for place in range(partners):
            bound += top[place] / partners
            worth += row.levels[who[place]] / partners
            for item in range(count):
                if row.has[who[place], item]:
                    have[item] += 1 / partners
        for item in range(count):
            worth += max(_value(hulls, functions[item] + 4 * row.k, have[item]), 0.0)
        known = max(known, worth)
        stale = 0 if bound < least - ahead / 10 else stale + 1
        if bound < least:
            least, best[:] = bound, slopes
        if stale == 3:
            ahead, stale, slopes[:] = ahead / 2, 0, best
        passed += step + 1
        norm = 0.0
        for item in range(count):
            shares[item] += (step + 1) * have[item]
            at[item] -= have[item]  # the slope moves this way
            if case[item] == 0 or (slopes[item] <= 0 and at[item] < 0):
                at[item] = 0
            norm += at[item] ** 2
        if least <= known + _ENOUGH or norm < 1e-12:
            break
        goal = max(known, least - ahead)
        pace = max(bound - goal, 1e-6) / norm
        for item in range(count):
            slopes[item] = max(slopes[item] + pace * at[item], 0.0)
    slopes[:] = best
    for item in range(count):
        shares[item] /= passed
    return least, known


@njit(nogil=True)
def _value(hulls: Hulls, number: int, share: float) -> float:
    return value_at(hulls, hulls.starts[number], hulls.starts[number + 1], share)
