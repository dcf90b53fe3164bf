"""Compiled sums of the certificates; the formulas and their proofs are in certificates.py."""

from typing import NamedTuple

import numpy as np
from scipy import sparse

from pplab.compiled import common_at_the_end, first_from, in_ranges, inner, njit
from pplab.smooth.rows import Array, DistinctRows

_MOST_READ = 2 * 10**8  # pairs of distinct rows that share an item, read in each step


class Table(NamedTuple):
    """Distinct rows laid out for sums over pairs.

    Attributes
    ----------
    distinct : DistinctRows
    k : int
    function : int64 array, shape (items,)
        Number of each item's function, see `Hulls`.
    by_item : int64 array
        Entries of the distinct rows in the order of `DistinctRows.item_patterns`.
    light : int
        Items from this number on get the slope 0; their rows are not read.
    read : int
        Pairs of distinct rows that share one of the others.
    """

    distinct: DistinctRows
    k: int
    function: Array
    by_item: Array
    light: int
    read: int


def laid_out(table: sparse.csr_array, distinct: DistinctRows, k: int) -> Table:
    """Lay out a table of ones, given its distinct rows."""
    counts = np.sort(np.bincount(table.indices, minlength=table.shape[1]))  # as items are numbered
    read = np.cumsum(np.diff(distinct.item_starts) ** 2)
    light = int(np.searchsorted(read, _MOST_READ, side="right"))
    by_item = np.argsort(distinct.items, kind="stable")
    function = np.minimum(counts, 4 * k - 1)
    return Table(distinct, k, function, by_item, light, int(read[light - 1]) if light else 0)


# The value of an entry, at most, given the share of the other rows of its group that have its item.


class Hulls(NamedTuple):
    """Concave, nondecreasing, piecewise linear functions on [0, 1], one per count of an item.

    Attributes
    ----------
    starts : int64 array, shape (counts + 1,)
        Vertices of each function; an item that more rows have belongs to the last one.
    at, value : float arrays
        Vertices, the first at 0; beyond its last vertex a function is constant.
    """

    starts: Array
    at: Array
    value: Array


@njit()
def upper_hulls(
    counts: int, have: Array, at: Array, value: Array, at_zero: float
) -> tuple[Array, Array, Array]:
    """Upper hulls of 0 and the points with so many rows at most, from left to right.

    Points come by rows, then from left to right, then with ascending values. A hull is that of the
    one before and of the points with one row more.
    """
    starts = np.zeros(counts + 1, dtype=np.int64)
    chain = np.zeros((2, counts * counts), dtype=np.float64)
    starts[1] = filled = 1  # with no row: the value at 0
    chain[1, 0] = at_zero
    point = 0
    for most in range(1, counts):
        first, old, old_end = filled, starts[most - 1], starts[most]
        new_end = first_from(have, most + 1)
        while old < old_end or point < new_end:
            if point == new_end or (
                old < old_end and (chain[0, old], chain[1, old]) <= (at[point], value[point])
            ):
                x, y = chain[0, old], chain[1, old]
                old += 1
            else:
                x, y = at[point], value[point]
                point += 1
            if filled > first and x == chain[0, filled - 1]:
                filled -= 1
            while filled - first >= 2 and not _turns_right(chain[:, :filled], x, y):
                filled -= 1
            chain[0, filled], chain[1, filled] = x, y
            filled += 1
        starts[most + 1] = filled
    return starts, chain[0, :filled].copy(), chain[1, :filled].copy()


@inner
def _turns_right(chain: Array, x: float, y: float) -> bool:
    """True if the last vertex stays when a point to its right is added."""
    a, b = chain[:, -2], chain[:, -1]
    return bool((b[1] - a[1]) * (x - b[0]) > (y - b[1]) * (b[0] - a[0]))


# Lines above the functions of all rows' items: their heights, and better slopes.


_BLOCK = 16384  # distinct rows per job


def line_heights(table: Table, hulls: Hulls, slopes: Array) -> float:
    """Sum over all rows and their items of the least height at 0 of a line above the function.

    Parameters
    ----------
    table : Table
    hulls : Hulls
    slopes : float array, one per entry of the distinct rows
        Not negative.
    """
    count = len(table.distinct.degrees)
    return sum(in_ranges(_heights, count, _BLOCK, table, hulls, slopes, label="heights"))


@njit(nogil=True)
def _heights(table: Table, hulls: Hulls, slopes: Array, first: int, last: int) -> float:
    distinct, total = table.distinct, 0.0
    for pattern in range(first, last):
        heights = 0.0
        for place in range(distinct.starts[pattern], distinct.starts[pattern + 1]):
            heights += _line_above(hulls, table.function[distinct.items[place]], slopes[place])[0]
        total += heights * distinct.multiplicities[pattern]
    return total


@inner
def _line_above(hulls: Hulls, number: int, slope: float) -> tuple[float, float]:
    """Height at 0 of the least line with this slope above a function, and where it meets it."""
    height, at = -np.inf, 0.0
    for vertex in range(hulls.starts[number], hulls.starts[number + 1]):
        intercept = hulls.value[vertex] - slope * hulls.at[vertex]
        if intercept > height:
            height, at = intercept, hulls.at[vertex]
    return height, at


@njit(nogil=True)
def next_slopes(table: Table, hulls: Hulls, slopes: Array, shares: Array, rate: float) -> Array:
    """Slopes for the next step, by a proximal one on heights + slopes * shares.

    With a very large rate the slope is that of the function at `shares`.
    """
    result = np.zeros(len(slopes))
    for place, item in enumerate(table.distinct.items):
        if item >= table.light:
            continue
        first, last = hulls.starts[table.function[item]], hulls.starts[table.function[item] + 1]
        steepest = np.inf  # slope of the function before the vertex
        for vertex in range(first, last):
            flattest = 0.0  # and after it
            if vertex < last - 1:
                rise = hulls.value[vertex + 1] - hulls.value[vertex]
                flattest = rise / (hulls.at[vertex + 1] - hulls.at[vertex])
            slope = slopes[place] - (shares[place] - hulls.at[vertex]) * rate
            if slope >= flattest or vertex == last - 1:
                result[place] = max(min(slope, steepest), flattest)
                break
            steepest = flattest
    return result


# Lines above the functions of a row's items.


@inner
def _row_slopes(table: Table, hulls: Hulls, shares: Array, pattern: int, slopes: Array) -> float:
    """Fill in the slopes of a row's items; the sum of the heights at 0 of their lines.

    Slopes are softened over the width of one row's share. Any slope gives a bound: the height is
    the least with which the line stays above the function.
    """
    start, half, heights = table.distinct.starts[pattern], 0.5 / (table.k - 1), 0.0
    for place in range(table.distinct.degrees[pattern]):
        item = table.distinct.items[start + place]
        number, slope, t = table.function[item], 0.0, shares[start + place]
        if item < table.light:
            left, right = max(t - half, 0.0), min(t + half, 1.0)
            rise = _value(hulls, number, right) - _value(hulls, number, left)
            slope = max(rise / (right - left), 0.0)
        slopes[place] = slope
        heights += _line_above(hulls, number, slope)[0]
    return heights


@inner
def _value(hulls: Hulls, number: int, t: float) -> float:
    """Value of a function at t."""
    end = hulls.starts[number + 1]
    for vertex in range(hulls.starts[number] + 1, end):
        if t < hulls.at[vertex]:
            x, y = hulls.at[vertex - 1], hulls.value[vertex - 1]
            return y + (t - x) * (hulls.value[vertex] - y) / (hulls.at[vertex] - x)
    return hulls.value[end - 1]


# Bounds of single rows: slopes, the k - 1 rows with the best scores, and the next slopes.


class _Scratch(NamedTuple):
    """Scratch of one thread; `scores` and `places` are zero between steps."""

    scores: Array  # of each distinct row
    touched: Array  # distinct rows that share an item
    reached: Array  # their scores
    places: Array  # of the row's items, from 1
    slopes: Array  # of the row's items
    mutual: Array  # best partners that have each of the row's items
    best: Array  # highest scores, descending


@njit(nogil=True)
def best_partners(
    table: Table, hulls: Hulls, shares: Array, passed: int, steps: int, first: int, last: int
) -> float:
    """Sum over the rows of some patterns of the least bound met in a few steps.

    Parameters
    ----------
    table : Table
    hulls : Hulls
    shares : float array, one per entry of the distinct rows
        Where slopes are taken; moved on in place, for these patterns only.
    passed, steps : int
        How many steps were made before, and how many are to be made.
    first, last : int
        Patterns.
    """
    distinct, highest = table.distinct, table.distinct.degrees[-1]
    scratch = _Scratch(
        np.zeros(len(distinct.degrees)),
        np.empty(len(distinct.degrees), dtype=np.int32),
        np.empty(len(distinct.degrees)),
        np.zeros(len(table.function), dtype=np.int32),
        np.empty(highest),
        np.empty(highest),
        np.empty(table.k - 1),
    )
    total = 0.0
    for pattern in range(first, last):
        start, end = distinct.starts[pattern], distinct.starts[pattern + 1]
        least = np.inf
        for step in range(passed, passed + steps):
            bound = _row_slopes(table, hulls, shares, pattern, scratch.slopes)
            met = _scores(distinct, pattern, scratch)
            bound += _partners(distinct, pattern, met, scratch)
            least = min(least, bound)
            for place in range(end - start):
                share = scratch.mutual[place] / (table.k - 1)
                shares[start + place] += 2 / (step + 2) * (share - shares[start + place])
        total += least * distinct.multiplicities[pattern]
    return total


@inner
def _scores(distinct: DistinctRows, pattern: int, scratch: _Scratch) -> int:
    """Score every distinct row that shares an item with a slope."""
    start, met = distinct.starts[pattern], 0
    for place in range(distinct.degrees[pattern]):
        slope, item = scratch.slopes[place], distinct.items[start + place]
        if slope > 0:
            a, b = distinct.item_starts[item], distinct.item_starts[item + 1]
            for other in distinct.item_patterns[a:b]:
                if scratch.scores[other] == 0:
                    scratch.touched[met] = other
                    met += 1
                scratch.scores[other] += slope
    return met


@inner
def _partners(distinct: DistinctRows, pattern: int, met: int, scratch: _Scratch) -> float:
    """Mean of the k - 1 highest scores of other rows; who has what among them.

    Rows that tie for the last places share them.
    """
    scratch.best[:] = 0
    for place in range(met):
        other = scratch.touched[place]
        score = scratch.scores[other]
        scratch.reached[place], scratch.scores[other] = score, 0
        if score > scratch.best[-1]:
            insert(scratch.best, score, _other_rows(distinct, other, pattern))
    last, partners = scratch.best[-1], len(scratch.best)
    surely, tied = 0, 0
    for score in scratch.best:
        surely += score > last
    for place in range(met):
        if scratch.reached[place] == last:
            tied += _other_rows(distinct, scratch.touched[place], pattern)
    _who_shares(distinct, pattern, met, (partners - surely) / max(tied, 1), scratch)
    return scratch.best.sum() / partners


@inner
def _other_rows(distinct: DistinctRows, other: int, pattern: int) -> int:
    """Rows that equal a pattern, without the row in question if it is one of them."""
    return distinct.multiplicities[other] - (other == pattern)


@inner
def insert(best: Array, score: float, rows: int) -> None:
    """Put the score of so many rows into a descending list, as often as it is above the last."""
    while rows > 0 and score > best[-1]:
        place = len(best) - 1
        while place > 0 and best[place - 1] < score:
            best[place] = best[place - 1]
            place -= 1
        best[place] = score
        rows -= 1


@inner
def _who_shares(
    distinct: DistinctRows, pattern: int, met: int, tied_weight: float, scratch: _Scratch
) -> None:
    """Number of rows of the partners that have each item."""
    start, end, last = distinct.starts[pattern], distinct.starts[pattern + 1], scratch.best[-1]
    scratch.mutual[: end - start] = 0
    for place in range(start, end):
        scratch.places[distinct.items[place]] = place - start + 1
    for candidate in range(met):
        score, other = scratch.reached[candidate], scratch.touched[candidate]
        if score < last:
            continue
        weight = _other_rows(distinct, other, pattern) * (tied_weight if score == last else 1.0)
        for item in distinct.items[distinct.starts[other] : distinct.starts[other + 1]]:
            if scratch.places[item] > 0:
                scratch.mutual[scratch.places[item] - 1] += weight
    for place in range(start, end):
        scratch.places[distinct.items[place]] = 0


# Pairs of rows whose weight exceeds the two dual variables.


_PAIR_BLOCK = 1024  # distinct rows per job


class Slopes(NamedTuple):
    """Slopes of the lines above the functions of each row's items.

    Attributes
    ----------
    of_patterns : float array, one per entry of the distinct rows
    of_items : float array
        The same, in the order of `DistinctRows.item_patterns`.
    """

    of_patterns: Array
    of_items: Array


class Pairs(NamedTuple):
    """For each pattern, other patterns (or itself) and the weight of a pair of their rows.

    Attributes
    ----------
    starts : int64 array, shape (patterns + 1,)
    others : int32 array
    weights : float array
    """

    starts: Array
    others: Array
    weights: Array


def first_duals(table: Table, slopes: Slopes) -> Array:
    """Half the (k - 1)-th highest weight of a pair with another row, for each pattern."""
    count = len(table.distinct.degrees)
    return np.concatenate(
        in_ranges(_half_of_last, count, _PAIR_BLOCK, table, slopes, label="dual variables")
    )


class Blocks(NamedTuple):
    """Disjoint blocks of distinct rows, and a matrix Z for the pairs inside each.

    Attributes
    ----------
    block_of, place : int64 arrays, one per distinct row
        Its block, and where it stands there.
    starts, members : int64 (blocks + 1,) and (distinct rows,)
        Distinct rows of each block.
    z_row, z : int64 array, one per distinct row, and float array
        The matrices, row by row, and where the row of each distinct row begins.
    """

    block_of: Array
    place: Array
    starts: Array
    members: Array
    z_row: Array
    z: Array


def pairs_above(
    table: Table, slopes: Slopes, blocks: Blocks, duals: Array, margins: Array
) -> Pairs:
    """List the pairs whose weight W + 2 Z exceeds their two dual variables less the margins.

    Each pair of patterns is listed from both sides; memory grows with the pairs that are
    listed.
    """
    arguments = table, slopes, blocks, duals - margins
    parts = in_ranges(_list_pairs, len(duals), _PAIR_BLOCK, *arguments, label="pairs")
    lengths, others, weights = (np.concatenate(each) for each in zip(*parts, strict=True))
    return Pairs(np.concatenate([[0], np.cumsum(lengths)]), others, weights)


@inner
def _meet(table: Table, slopes: Slopes, pattern: int, weights: Array, met: Array) -> int:
    """Add up the weight of a pair with each distinct row that shares an item with a slope."""
    distinct, count = table.distinct, 0
    for place in range(distinct.starts[pattern], distinct.starts[pattern + 1]):
        item = distinct.items[place]
        if item >= table.light:  # items come in ascending order
            break
        pattern_slopes = slopes.of_patterns[place]
        for entry in range(distinct.item_starts[item], distinct.item_starts[item + 1]):
            weight = pattern_slopes + slopes.of_items[entry]
            if weight > 0:
                other = distinct.item_patterns[entry]
                if weights[other] == 0:
                    met[count] = other
                    count += 1
                weights[other] += weight
    return count


@inner
def _meet_block(blocks: Blocks, pattern: int, weights: Array, met: Array, count: int) -> int:
    """Add twice the Z of a pair with each member of the block."""
    block, row = blocks.block_of[pattern], blocks.z_row[pattern]
    for other in blocks.members[blocks.starts[block] : blocks.starts[block + 1]]:
        more = 2 * blocks.z[row + blocks.place[other]]
        if more != 0:
            if weights[other] == 0:
                met[count] = other
                count += 1
            weights[other] += more
    return count


def weighed(table: Table, slopes: Slopes, blocks: Blocks, pairs: Pairs) -> Pairs:
    """The same pairs with the weights that slopes and Z give them now."""
    distinct, weights = table.distinct, np.empty(len(pairs.weights))
    arguments = distinct, slopes.of_patterns, blocks, pairs, weights
    in_ranges(_weigh, len(distinct.degrees), _DUAL_BLOCK, *arguments, label="weights")
    return pairs._replace(weights=weights)


@njit(nogil=True)
def _weigh(
    distinct: DistinctRows,
    slopes: Array,
    blocks: Blocks,
    pairs: Pairs,
    weights: Array,
    first: int,
    last: int,
) -> None:
    slope_of = np.full(len(distinct.item_starts), -1.0)  # the pattern's slopes, by item
    for pattern in range(first, last):
        start, end = distinct.starts[pattern], distinct.starts[pattern + 1]
        for entry in range(start, end):
            slope_of[distinct.items[entry]] = slopes[entry]
        block, row = blocks.block_of[pattern], blocks.z_row[pattern]
        for place in range(pairs.starts[pattern], pairs.starts[pattern + 1]):
            other, weight = pairs.others[place], 0.0
            for entry in range(distinct.starts[other], distinct.starts[other + 1]):
                slope = slope_of[distinct.items[entry]]
                if slope >= 0:
                    weight += slope + slopes[entry]
            if blocks.block_of[other] == block:
                weight += 2 * blocks.z[row + blocks.place[other]]
            weights[place] = weight
        for entry in range(start, end):
            slope_of[distinct.items[entry]] = -1


@njit(nogil=True)
def _half_of_last(table: Table, slopes: Slopes, first: int, last: int) -> Array:
    distinct = table.distinct
    weights = np.zeros(len(distinct.degrees))
    met = np.empty(len(distinct.degrees), dtype=np.int32)
    best, duals = np.empty(table.k - 1), np.empty(last - first)
    for pattern in range(first, last):
        best[:] = 0
        for other in met[: _meet(table, slopes, pattern, weights, met)]:
            insert(best, weights[other], _other_rows(distinct, other, pattern))
            weights[other] = 0
        duals[pattern - first] = best[-1] / 2
    return duals


@njit(nogil=True)
def _list_pairs(
    table: Table, slopes: Slopes, blocks: Blocks, limits: Array, first: int, last: int
) -> tuple[Array, Array, Array]:
    distinct = table.distinct
    weights = np.zeros(len(distinct.degrees))
    met = np.empty(len(distinct.degrees), dtype=np.int32)
    lengths = np.zeros(last - first, dtype=np.int64)
    others, above = np.empty(4096, dtype=np.int32), np.empty(4096)
    filled = 0
    for pattern in range(first, last):
        count, before = _meet(table, slopes, pattern, weights, met), filled
        count = _meet_block(blocks, pattern, weights, met, count)
        while filled + count > len(others):  # twice as much room
            others, above = np.append(others, others), np.append(above, above)
        alone = distinct.multiplicities[pattern] == 1
        for other in met[:count]:
            weight, weights[other] = weights[other], 0
            if weight > limits[pattern] + limits[other] and not (other == pattern and alone):
                others[filled], above[filled] = other, weight
                filled += 1
        lengths[pattern - first] = filled - before
    return lengths, others[:filled].copy(), above[:filled].copy()


# Dual variables that few pairs of rows exceed, and the pairs that do.


_DUAL_BLOCK = 4096  # distinct rows per job
_SWEEPS = 6
_NEWTON = 4  # steps for each dual variable
_CLOSE = 1e-3  # pairs that do not matter


def lower_duals(table: Table, pairs: Pairs, duals: Array, floors: Array, width: float) -> Array:
    """Dual variables from the floors on, moved so that each row has about k - 1 pairs above them.

    One row after the other, there and back, with what exceeds the dual variables softened: a pair
    at the two dual variables counts half, and fully or not at all from half the width on.
    """
    duals = duals.copy()
    for sweep in range(_SWEEPS):
        _sweep(table, pairs, duals, floors, width, sweep % 2 == 1)
    return duals


def pairs_and_duals(table: Table, pairs: Pairs, duals: Array, width: float) -> tuple[float, Array]:
    """Sum of all dual variables and of what pairs weigh beyond them; shares among paired rows.

    Returns
    -------
    float
        Over all rows the dual variable, and over all pairs of rows the excess over k - 1.
    float array, one per entry of the distinct rows
        Share of the rows paired with the entry's row that have its item; pairs are softened as
        in `lower_duals`.
    """
    shares = np.empty(len(table.distinct.items))
    arguments = table, pairs, duals, width, shares
    return sum(in_ranges(_settle, len(duals), _DUAL_BLOCK, *arguments, label="paired rows")), shares


@njit(nogil=True)
def _sweep(
    table: Table, pairs: Pairs, duals: Array, floors: Array, width: float, backwards: bool
) -> None:
    """Move each dual variable by a few safeguarded Newton steps towards k - 1 softened pairs."""
    most, best = len(duals), np.empty(table.k - 1)
    gains, falls, rows = np.empty(most), np.empty(most), np.empty(most)
    for number in range(len(duals)):
        pattern = len(duals) - 1 - number if backwards else number
        met = 0
        for place in range(pairs.starts[pattern], pairs.starts[pattern + 1]):
            other = pairs.others[place]
            inside = other == pattern  # such a pair pays the dual variable twice
            gain = pairs.weights[place] - (0.0 if inside else duals[other])
            if gain + width / 2 > floors[pattern] * (1 + inside):
                gains[met], falls[met] = gain, 1 + inside
                rows[met] = _other_rows(table.distinct, other, pattern)
                met += 1
        part = (gains[:met], falls[:met], rows[:met], best)
        duals[pattern] = _move_dual(part, duals[pattern], floors[pattern], width)


@inner
def _move_dual(
    part: tuple[Array, Array, Array, Array], dual: float, floor: float, width: float
) -> float:
    """Dual variable that about as many softened pairs exceed as `best` has places, from a floor on.

    It lies within half the width of the last of the highest, where Newton steps stay: where
    hundreds of pairs are above and one is softened, such a step would go hundreds of widths.
    """
    gains, falls, rows, best = part
    best[:] = -np.inf
    for place in range(len(gains)):
        insert(best, gains[place] / falls[place], rows[place])
    low, high = max(best[-1] - width / 2, floor), max(best[-1] + width / 2, floor)
    dual = min(max(dual, low), high)
    for _ in range(_NEWTON):
        more, fall = -float(len(best)), 0.0
        for place in range(len(gains)):
            share = (gains[place] - falls[place] * dual) / width + 0.5
            if share > 0:
                more += rows[place] * min(share, 1.0)
                if share < 1:
                    fall += rows[place] * falls[place] / width
        if abs(more) < _CLOSE:
            break
        low, high = (dual, high) if more > 0 else (low, dual)
        step = dual + (more / fall if fall > 0 else np.sign(more) * width)
        if step >= high:
            step = (dual + high) / 2
        if step <= low:
            step = low if low == floor else (dual + low) / 2
        dual = step
    return dual


@njit(nogil=True)
def _settle(
    table: Table, pairs: Pairs, duals: Array, width: float, shares: Array, first: int, last: int
) -> float:
    distinct, k, total = table.distinct, table.k, 0.0
    places = np.full(len(distinct.item_starts), -1, dtype=np.int64)
    for pattern in range(first, last):
        start, end = distinct.starts[pattern], distinct.starts[pattern + 1]
        for place in range(start, end):
            shares[place] = 0
            places[distinct.items[place]] = place
        excess, paired = 0.0, 0.0
        for place in range(pairs.starts[pattern], pairs.starts[pattern + 1]):
            other = pairs.others[place]
            rows = _other_rows(distinct, other, pattern)
            beyond = pairs.weights[place] - duals[pattern] - duals[other]
            excess += rows * max(beyond, 0.0)
            share = min(beyond / width + 0.5, 1.0) * rows / (k - 1)
            if share > 0:
                paired += share
                for item in distinct.items[distinct.starts[other] : distinct.starts[other + 1]]:
                    if places[item] >= 0:
                        shares[places[item]] += share
        for place in range(start, end):
            shares[place] /= max(paired, 1.0)
            places[distinct.items[place]] = -1
        total += distinct.multiplicities[pattern] * (duals[pattern] + excess / (2 * (k - 1)))
    return total


# Pairs of the same block.


@njit(nogil=True)
def pairs_in_blocks(
    distinct: DistinctRows, blocks: Blocks, pairs: Pairs, duals: Array, width: float
) -> Array:
    """The matrices sqrt(m m') (k - 1) Y + I, laid out as `Blocks.z`; Y softened.

    Y is that of the proof, and m counts the rows of a pattern: the slope of the bound in Z, in the
    units of `Semidefinite`.
    """
    result = np.zeros(len(blocks.z))
    for pattern in range(len(duals)):
        block, multiplicity = blocks.block_of[pattern], distinct.multiplicities[pattern]
        row = blocks.z_row[pattern]
        result[row + blocks.place[pattern]] = 1.0
        for place in range(pairs.starts[pattern], pairs.starts[pattern + 1]):
            other = pairs.others[place]
            if blocks.block_of[other] == block:
                beyond = pairs.weights[place] - duals[pattern] - duals[other]
                share = min(max(beyond / width + 0.5, 0.0), 1.0)
                rows = np.sqrt(multiplicity / distinct.multiplicities[other])
                rows *= _other_rows(distinct, other, pattern)
                result[row + blocks.place[other]] += share * rows
    return result


@njit()
def matched(first: Array, second: Array, sizes: Array, most: int) -> Array:
    """Partner of each group along the edges in their order, up to a size together; -1 for none."""
    partner = np.full(len(sizes), -1)
    for edge in range(len(first)):
        a, b = first[edge], second[edge]
        if partner[a] < 0 and partner[b] < 0 and sizes[a] + sizes[b] <= most:
            partner[a], partner[b] = b, a
    return partner


# Cases of each row: an item of it is published in its group, or it is not. Branch and bound.


_SPLITS = 20  # of a row, at most
_TRIED, _CLOSED = 6, 0.1  # after so many splits less of the gap is closed: no more are made
_MOST_ITEMS = 62  # of a row that is split: whole numbers of 64 bits are sets of items
_STEPS = 25  # for the slopes of a case
_FIRST_GOAL = 0.3  # below the least bound of a case
_ENOUGH = 2e-4  # a case within this of a solution is left alone


class _Row(NamedTuple):
    """The problem of one row: other rows, repeated as often as there are equal ones."""

    k: int
    hulls: Hulls
    functions: Array  # numbers, of its items
    levels: Array  # l_uv; what a partner adds beside shared items
    sets: Array  # of those items that the other row has, as bits


@njit(nogil=True)
def split_cases(
    table: Table, hulls: Hulls, slopes: Slopes, blocks: Blocks, duals: Array, first: int, last: int
) -> tuple[Array, Array, Array]:
    """Split the worst case of each of some patterns again and again: cuts, splits, slopes."""
    distinct, function = table.distinct, table.function
    weights = np.zeros(len(duals))
    met = np.empty(len(duals), dtype=np.int32)
    slope_of = np.zeros(len(function))  # the row's slopes, by item
    bits = np.zeros(len(function), dtype=np.int64)  # the sets of one item each
    cuts = np.zeros(last - first, dtype=np.int64)
    splits = np.empty((len(cuts) * _SPLITS, 2), dtype=np.int64)
    entries = distinct.starts[last] - distinct.starts[first]
    case_slopes = np.zeros(entries * (_SPLITS + 1))
    cut, filled, least = 0, 0, duals.min()
    for pattern in range(first, last):
        start, end = distinct.starts[pattern], distinct.starts[pattern + 1]
        numbers = function[distinct.items[start:end]]
        places, live = np.empty(end - start, dtype=np.int64), 0
        for place in range(end - start):
            number = numbers[place]
            vertices = hulls.starts[number + 1] - hulls.starts[number]
            if distinct.items[start + place] < table.light and vertices > 1:
                places[live], live = place, live + 1
        if not 0 < live <= _MOST_ITEMS:
            _copy(slopes.of_patterns[start:end], case_slopes[filled:])
            filled += end - start
            continue
        functions, begun = np.empty(live, dtype=np.int64), np.empty(live)
        for entry in range(start, end):
            slope_of[distinct.items[entry]] = slopes.of_patterns[entry]
        for bit in range(live):
            bits[distinct.items[start + places[bit]]] = np.int64(1) << bit
            functions[bit] = numbers[places[bit]]
            begun[bit] = slopes.of_patterns[start + places[bit]]
        count = _meet(table, slopes, pattern, weights, met)
        count = _meet_block(blocks, pattern, weights, met, count)
        by_item = slope_of, bits
        levels, sets = _others(table, duals, by_item, weights, pattern, met[:count], least)
        for entry in range(start, end):
            slope_of[distinct.items[entry]] = 0
            bits[distinct.items[entry]] = 0
        made, values = _tree(_Row(table.k, hulls, functions, levels, sets), begun)
        cuts[pattern - first] = len(made)
        for number in range(len(made)):
            splits[cut, 0], splits[cut, 1] = made[number, 0], places[made[number, 1]]
            cut += 1
        for case in range(len(values)):
            for bit in range(live):
                case_slopes[filled + places[bit]] = values[case, bit]
            filled += end - start
    return cuts, splits[:cut].copy(), case_slopes[:filled].copy()


@inner(arrays=True)
def _others(
    table: Table,
    duals: Array,
    by_item: tuple[Array, Array],
    weights: Array,
    pattern: int,
    met: Array,
    least: float,
) -> tuple[Array, Array]:
    """Rows that are met, k - 1 at most with the same items of the row; and k - 1 that are not."""
    distinct, (item_slopes, bits) = table.distinct, by_item
    levels, sets = np.full(len(met) + 1, -least), np.zeros(len(met) + 1, dtype=np.int64)
    rows = np.full(len(levels), table.k - 1)
    for place, other in enumerate(met):
        level, weights[other] = weights[other] - duals[other], 0
        for item in distinct.items[distinct.starts[other] : distinct.starts[other + 1]]:
            level -= 2 * item_slopes[item]
            sets[place] |= bits[item]
        levels[place], rows[place] = level, _other_rows(distinct, other, pattern)
    levels = (levels - duals[pattern]) / 2
    order = np.argsort(-levels, kind="mergesort")
    order = order[np.argsort(sets[order].astype(np.float64), kind="mergesort")]
    listed, filled, left, last = np.empty(rows.sum(), dtype=np.int64), 0, 0, np.int64(-1)
    for place in order:
        if sets[place] != last:
            left, last = table.k - 1, sets[place]
        for _ in range(min(rows[place], left)):
            listed[filled], filled, left = place, filled + 1, left - 1
    return levels[listed[:filled]], sets[listed[:filled]]


@inner(arrays=True)
def _tree(row: _Row, slopes: Array) -> tuple[Array, Array]:
    """Splits, and the slopes of each case."""
    functions, count = row.functions, len(row.functions)
    splits = np.empty((_SPLITS, 2), dtype=np.int64)
    cases = np.empty((_SPLITS + 1, count), dtype=np.int64)
    values, shares = np.empty((_SPLITS + 1, count)), np.empty((_SPLITS + 1, count))
    bounds = np.full(_SPLITS + 1, -np.inf)
    _copy(functions, cases[0])
    _copy(slopes, values[0])
    bounds[0], known = _lower(row, cases[0], values[0], shares[0], -np.inf)
    root = bounds[0]
    for cut in range(_SPLITS):
        worst = int(np.argmax(bounds))
        hopeless = cut == _TRIED and root - bounds[worst] < _CLOSED * (root - known)
        item, most = -1, -np.inf
        for each in range(count):  # where the share is worth most only as a mixture
            if 0 < cases[worst, each] == functions[each]:
                share = shares[worst, each]
                free = _value(row.hulls, functions[each], share)
                gap = free - max(_value(row.hulls, functions[each] + 4 * row.k, share), 0.0)
                if gap > most:
                    item, most = each, gap
        if item < 0 or hopeless or bounds[worst] <= known + _ENOUGH:
            return splits[:cut], values[: cut + 1]
        before = bounds[worst]
        splits[cut, 0], splits[cut, 1] = worst, item
        _copy(cases[worst], cases[cut + 1])
        _copy(values[worst], values[cut + 1])
        cases[worst, item], cases[cut + 1, item] = functions[item] + 4 * row.k, 0
        values[cut + 1, item] = 0
        for each in (worst, cut + 1):
            bound, known = _lower(row, cases[each], values[each], shares[each], known)
            bounds[each] = min(bound, before)
    return splits, values


@inner(arrays=True)
def _lower(
    row: _Row, case: Array, slopes: Array, shares: Array, known: float
) -> tuple[float, float]:
    """Least bound met in some steps; the best value of any k - 1 partners that is known then.

    The slopes move to where the bound is least, and the mean shares of partners are filled in.
    """
    hulls, count, partners = row.hulls, len(case), row.k - 1
    least, ahead, stale, passed = np.inf, _FIRST_GOAL, 0, 0.0
    best, at, have = slopes.copy(), np.empty(count), np.empty(count)
    top, partner_of = np.empty(partners), np.empty(partners, dtype=np.int64)
    shares[:] = 0
    for step in range(_STEPS):
        bound = 0.0
        for item in range(count):
            height, at[item] = _line_above(hulls, case[item], slopes[item])
            bound += height
        last = 0
        for other in range(len(row.levels)):
            score = row.levels[other]
            for item in range(count):
                if (row.sets[other] >> item) & 1:
                    score += slopes[item]
            if last < partners or score > top[last - 1]:
                place = min(last, partners - 1)
                while place > 0 and top[place - 1] < score:
                    top[place], partner_of[place] = top[place - 1], partner_of[place - 1]
                    place -= 1
                top[place], partner_of[place] = score, other
                last = min(last + 1, partners)
        have[:], worth = 0, 0.0
        for place in range(partners):
            bound += top[place] / partners
            worth += row.levels[partner_of[place]] / partners
            for item in range(count):
                if (row.sets[partner_of[place]] >> item) & 1:
                    have[item] += 1 / partners
        for item in range(count):
            worth += max(_value(hulls, row.functions[item] + 4 * row.k, have[item]), 0.0)
        known = max(known, worth)
        stale = 0 if bound < least - ahead / 10 else stale + 1
        if bound < least:
            least = bound
            _copy(slopes, best)
        if stale == 3:
            ahead, stale = ahead / 2, 0
            _copy(best, slopes)
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
    for item in range(count):
        slopes[item], shares[item] = best[item], shares[item] / passed
    return least, known


@inner
def _copy(values: Array, target: Array) -> None:
    """What a slice does, whose errors numba compiles for seconds."""
    for place in range(len(values)):
        target[place] = values[place]


# Shared items: the overlap of each row with others.


@njit(nogil=True)
def shared_items(distinct: DistinctRows, least: int, first: int, last: int) -> int:
    """Sum over the rows of some patterns of the wanted-th largest overlap with another row."""
    counts = np.zeros(len(distinct.degrees), dtype=np.int32)
    touched = np.empty(len(distinct.degrees), dtype=np.int32)
    rows = np.zeros(distinct.degrees[-1] + 2, dtype=np.int64)
    total = 0
    for pattern in range(first, last):
        degree = distinct.degrees[pattern]
        multiplicity = distinct.multiplicities[pattern]
        if multiplicity > least:
            total += multiplicity * degree
            continue
        rows[: degree + 1] = 0
        met, read = _read(distinct, pattern, multiplicity, least, counts, touched, rows)
        rows[: degree + 1] = 0
        rows[degree] = multiplicity - 1
        ours = distinct.items[distinct.starts[pattern] + read : distinct.starts[pattern + 1]]
        for other in touched[:met]:
            if other != pattern:
                other_items = distinct.items[distinct.starts[other] : distinct.starts[other + 1]]
                overlap = counts[other] + common_at_the_end(ours, other_items)
                rows[overlap] += distinct.multiplicities[other]
            counts[other] = 0
        total += multiplicity * _overlap_at(rows, degree, least)
    return total


@inner
def _read(
    distinct: DistinctRows,
    pattern: int,
    multiplicity: int,
    least: int,
    counts: Array,
    touched: Array,
    rows: Array,
) -> tuple[int, int]:
    """Count items shared with each pattern, rare ones first, until no new pattern can matter.

    A distinct row that has none of the first p items shares at most degree - p. Once so many rows
    as wanted are known to share that many, only distinct rows already met are of interest; how much
    these share in the rest is looked up where that is less work than to read on.
    """
    degree, start = distinct.degrees[pattern], distinct.starts[pattern]
    met = 0
    for p in range(degree):
        left = degree - p
        known = multiplicity - 1  # rows that share at least so many of the first p
        for shared in range(left, p + 1):
            known += rows[shared]
        item = distinct.items[start + p]
        a, b = distinct.item_starts[item], distinct.item_starts[item + 1]
        if known >= least and b - a > met:
            return met, p
        for other in distinct.item_patterns[a:b]:
            size = distinct.multiplicities[other]
            if counts[other] == 0:
                touched[met] = other
                met += 1
            elif other != pattern:
                rows[counts[other]] -= size
            counts[other] += 1
            if other != pattern:
                rows[counts[other]] += size
    return met, degree


@inner
def _overlap_at(rows: Array, highest: int, least: int) -> int:
    """Overlap of the wanted-th row from the top; 0 if fewer share anything."""
    for overlap in range(highest, 0, -1):
        least -= rows[overlap]
        if least <= 0:
            return overlap
    return 0
