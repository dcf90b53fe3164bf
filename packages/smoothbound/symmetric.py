"""The closest certificate for smooth copies: rows whose partners are mutual.

The search here is free to be wrong: what it finds are multipliers, and `smoothbound.proof` sums
up in whole numbers what they prove.
"""

import math
from copy import copy
from typing import NamedTuple

import numpy as np
from scipy import sparse
from threadpoolctl import threadpool_limits

from pplab.compiled import in_ranges
from pplab.smooth.rows import Array, DistinctRows
from smoothbound._blocks import Semidefinite, joined
from smoothbound._certificates import (
    Hulls,
    Slopes,
    Table,
    first_duals,
    laid_out,
    line_heights,
    lower_duals,
    next_slopes,
    pairs_above,
    pairs_and_duals,
    split_cases,
    weighed,
)
from smoothbound.hulls import least_ratio, value_hulls
from smoothbound.proof import BITS, Certificate, surplus

_STEPS = (64, 192)  # at least; at most, or one for each row up to twice as many
_READ = 1_700_000_000  # pairs of rows that share an item, read in all steps together at most
_LISTED = 4  # steps until pairs are listed anew
_JOINED = 4  # step at which blocks are formed
_MANY_PAIRS = 2 * 10**7  # listed pairs of distinct rows from which on fewer are listed
_ACCURACY = 5e-6  # of each ratio
_AHEAD = 0.99  # of the ratio reached: cases are made for what they may lead to
_NEVER = -1e3  # value at share 0 of an item that is published, in place of 0
_CASE_BLOCK = 256  # distinct rows per job
_PROVED = 2e-6  # accuracy of the ratio that is stated
_GUESS = 0.8  # ratio for the first slopes
_WIDTHS = (0.3, 0.02)  # over which pairs are softened, at first and in the end
_SLOPE_RATE, _Z_RATE = 0.35, 1.2  # of steps, for each width
_SLOWER = 0.7  # times the rates where pairs were listed and nothing was gained
_INERTIA = 0.5


def symmetric_certificate(table: sparse.csr_array, distinct: DistinctRows, k: int) -> float:
    """Bound the Jaccard similarity of every smooth k-anonymous copy, by pairs of rows.

    Parameters
    ----------
    table : csr_array of ones, shape (rows, items), with entries
    distinct : DistinctRows
        Its distinct rows.
    k : int
        From 2 to the number of rows.

    Returns
    -------
    float
        In (0, 1].

    Notes
    -----
    *What is bounded.* As `row_column_certificate` shows, a smooth copy that is more similar than J
    >= 0 exists only if for some grouping the values of its entries sum to more than J N. In a group
    of s rows of which c have item i, the entry of each is worth 1 - J (s - c) / c if i is published
    for the group, which needs 2c >= s, and 0 if not.

    *Partners are mutual.* For two different rows let y_uv be 1 / (s - 1) if they are in one group
    of s rows, else 0. Then y_uv = y_vu, the y of one row sum to 1 and 0 <= y_uv <= 1 / (k - 1). The
    share t = (c - 1) / (s - 1) of the other rows of u's group that have i is the sum of y_uv over
    the rows v that have it. The row-and-column bound lets each row choose its y alone;
    here y_uv = y_vu is used.

    *Y is nearly positive semidefinite.* On a group of s rows the matrix of the y_uv, its diagonal
    0, has the eigenvalues 1 and -1 / (s - 1) >= -1 / (k - 1). So Y + I / (k - 1) is positive
    semidefinite, and its inner product with every positive semidefinite Z is at least 0: twice the
    sum over pairs of y_uv Z_uv, plus tr(Z) / (k - 1).

    *The bound.* Take any slopes a_ui >= 0, any dual variables p_u >= 0 and any positive
    semidefinite Z. With A_uv the sum of a_ui over the items of both rows, let

        2 l_uv = A_vu - A_uv + 2 Z_uv - p_u - p_v.

    In the sum of all y_uv l_uv over ordered pairs the A cancel, as y_uv = y_vu; the p add - sum of
    p_u, as the y of a row sum to 1; and Z adds - tr(Z) / (k - 1) at least. So the sum is at least
    - sum of p_u - tr(Z) / (k - 1), and subtracting it shows that all entries together are worth at
    most

        B(J) = sum over rows of (p_u + M_u) + tr(Z) / (k - 1).

    Here M_u is the most, over all groups that u could be in and all choices of what they publish,
    of what u's entries are worth together plus the sum of its y_uv l_uv. If B(J) <= J N, no smooth
    copy is more similar than J.

    *Cases.* Split these possibilities by questions "is item i published for u?", one after the
    other, as often as you like: M_u is at most the largest bound of any case. In a case take any
    slopes r_i >= 0 for u's items. Let b_i be the most of an entry's worth less r_i t over all
    groups in which i is published; where nothing is said of i, 0 if that is more; where i is not
    published, r_i = b_i = 0. Then u's entries are worth at most the sum of b_i plus the sum of y_uv
    R_uv, with R_uv the sum of r_i over the items of both. Numbers y_uv from 0 to 1 / (k - 1) that
    sum to 1 give the most where k - 1 of them are 1 / (k - 1). So the case has at most the sum of
    b_i plus the mean of the k - 1 highest of the numbers l_uv + R_uv, over the other rows v. QED.

    With one case and r_i = a_ui, l_uv + R_uv is half of x_uv = W_uv + 2 Z_uv - p_u - p_v, where
    W_uv = A_uv + A_vu. The search makes the sum of all positive x_uv small, then splits cases.

    *What the proof allows.* (1) Equal rows may have equal multipliers: a distinct row of
    multiplicity m counts m times in sums over rows, and gives m partners to each other row, m - 1
    to its own. (2) Slope 0 is allowed. The items that most rows have get it, in each case too,
    where reading all pairs would take too long. (3) Z is L L' with everything outside of blocks of
    rows set to 0: L L' and the matrix that is 1 inside blocks and 0 outside are positive
    semidefinite, and so is their product entry by entry (Schur). (4) Two rows of different blocks
    that share no item with a slope have R_uv = 0 and 2 l_uv = - p_u - p_v, at most - p_u - min p:
    the sums use that value for k - 1 rows, in place of reading them.

    *Whole numbers.* The sums that decide (`smoothbound.proof`) are whole numbers: J, slopes and
    dual variables are multiples of 2^-28, entries of L of 2^-14, and b_i is taken over groups of
    k to 4k - 1 rows, rounded up: points of larger groups lie on or below chords between theirs
    (`value_hulls`). So rounding cannot make a bound too small.

    *The choice* decides how good the bound is, never whether it holds. B is convex in slopes, dual
    variables and Z. The dual variables are lowered or raised one after the other until each row has
    about k - 1 pairs with x_uv > 0; the slopes take proximal steps against the shares t that these
    pairs give, and Z steps against Y + I / (k - 1), after each of which negative eigenvalues are
    set to 0. A block is a set of rows that the first steps paired. Pairs are listed now and then,
    with a margin. Then the worst case of each row is split again and again; each case has slopes of
    its own.

    At k = 2 an entry is worth 1 - J + J t if two rows or more have its item, all slopes are J, and
    B is the dual of a fractional matching of the rows.

    It is tight, for example, where rows come in groups of k copies, and at k = 2 wherever the best
    fractional matching is one of whole pairs.

    Memory grows with the entries, each once for every case of its row, with 64 numbers for each
    row, with the square of k and with the pairs that are listed; from about 2 * 10^7 on, the
    margins shrink. The number of threads does not change the result. The order of rows and columns
    does, by up to 3e-3 on tables of a hundred rows: it decides in which order dual variables move.

    References
    ----------
    Dinkelbach 1967, On nonlinear fractional programming, doi 10.1287/mnsc.13.7.492; Edmonds 1965,
    Maximum matching and a polyhedron with 0,1-vertices, doi 10.6028/jres.069B.013, for the
    polytope whose fractional relaxation is used; Parikh and Boyd 2014, Proximal algorithms,
    doi 10.1561/2400000003.
    """
    return prove(table, distinct, k).ratio / 2**BITS


def prove(table: sparse.csr_array, distinct: DistinctRows, k: int) -> Certificate:
    """Search for multipliers and state the smallest ratio that they prove."""
    layout, one = laid_out(table, distinct, k), 2**BITS
    with threadpool_limits(limits=1, user_api="blas"):  # threads of threads wait for each other
        best = _search(layout)
    cuts, splits, case_slopes = _cases(layout, best)
    proof = Certificate(
        k,
        math.ceil(best.ratio * one),
        distinct.starts,
        distinct.items,
        distinct.multiplicities,
        np.rint(best.slopes * one).astype(np.int64),
        np.rint(best.duals * one).astype(np.int64),
        best.matrices.blocks.block_of,
        np.rint(best.matrices.factors() * 2 ** (BITS // 2)).astype(np.int32),
        cuts,
        splits,
        np.rint(case_slopes * 2 ** (BITS // 2)).astype(np.int64) << (BITS // 2),
    )
    whole = proof._replace(
        cuts=np.zeros_like(cuts), splits=splits[:0], case_slopes=proof.slopes
    )  # better where splits gain little, since cases are made for a lower ratio
    try:
        proof = min(proof, whole, key=surplus)
        return proof._replace(ratio=_least_proved(proof, table.nnz))
    except OverflowError:  # then nothing is claimed
        return proof._replace(ratio=one)


def _least_proved(proof: Certificate, entries: int) -> int:
    """Least ratio at which a certificate holds, closely enough; 2**28 if there is none.

    An entry's worth falls with the ratio at a rate from 0 to 1, and J N rises at the rate N. So a
    step up of all that is missing is enough.
    """
    one, unit = 2**BITS, 2 * (proof.k - 1) * entries

    def missing(ratio: float) -> float:
        return surplus(proof._replace(ratio=math.ceil(ratio))) / unit

    high = proof.ratio
    while high < one and (deficit := missing(high)) > 0:
        high = min(high + math.ceil(deficit), one)
    if high == one:
        return one
    low = max(high + deficit, 0.0)
    close = _PROVED * one
    return math.ceil(
        least_ratio(missing, low=low, high=high, above=-deficit, below=deficit, accuracy=close)
    )


class _Result(NamedTuple):
    """Multipliers, and the least ratio at which they seem to hold."""

    ratio: float
    slopes: Array  # per entry of the distinct rows
    duals: Array  # per distinct row
    matrices: Semidefinite


def _search(table: Table) -> _Result:
    distinct, k = table.distinct, table.k
    half = np.full(len(distinct.items), 0.5)
    slopes = _step(table, _GUESS, np.zeros(len(half)), half, np.inf)
    duals = first_duals(table, _both_ways(table, slopes))
    matrices = Semidefinite(distinct, np.arange(len(duals)))
    best = _Result(1.0, slopes, duals, matrices)
    share, pace = 1.0, 1.0  # of the margins in use, and of the rates
    least, most = _STEPS
    most = int(np.clip(len(duals), most, 2 * most))
    steps = int(np.clip(_READ // max(table.read, 1), least, most))
    for number in range(steps + 1):
        width = _WIDTHS[0] * (_WIDTHS[1] / _WIDTHS[0]) ** (number / steps)
        both = _both_ways(table, slopes)
        listing = number < 2 * _LISTED or number % _LISTED == 0
        if listing:
            margins = share * (0.5 + 0.1 * distinct.degrees)
            floors = np.maximum(duals - margins, 0)
            pairs = pairs_above(table, both, matrices.blocks, duals, margins)
            grow = np.clip(_MANY_PAIRS / max(len(pairs.others), 1), 0.25, 2)
            share = min(1.0, share * grow)
        else:
            pairs = weighed(table, both, matrices.blocks, pairs)
        duals = lower_duals(table, pairs, duals, floors, width)
        rest, shares = pairs_and_duals(table, pairs, duals, width)
        if listing:
            rest += matrices.trace() / (k - 1)
            ratio = _ratio(table, slopes, rest, best.ratio)
            if ratio < best.ratio:
                best = _Result(ratio, slopes, duals, copy(matrices))
            else:
                pace *= _SLOWER
        if number == 0:
            moved = _step(table, best.ratio, slopes, 0.5 + (shares - 0.5) / 3, np.inf)
        else:
            moved = _step(table, best.ratio, slopes, shares, pace * _SLOPE_RATE * width)
            moved = np.maximum(moved + _INERTIA * (moved - slopes), 0)
        if number == _JOINED:
            matrices = Semidefinite(distinct, joined(distinct, pairs, duals, width))
        matrices.step(pairs, duals, width, pace * _Z_RATE * width)
        slopes = moved
    return best


def _cases(table: Table, best: _Result) -> tuple[Array, Array, Array]:
    """Cuts, splits and slopes of each row's cases, as in `Certificate`; the slopes are floats.

    Functions have the numbers 0 to 4k - 1 while nothing is said of an item, 4k more once it is
    published, and 0, which is 0 everywhere, where it is not.
    """
    ratio = _AHEAD * best.ratio
    free, published = value_hulls(table.k, ratio), value_hulls(table.k, ratio, _NEVER)
    starts = np.concatenate([free.starts, free.starts[-1] + published.starts[1:]])
    hulls = Hulls(starts, *map(np.concatenate, zip(free[1:], published[1:], strict=True)))
    slopes, blocks = _both_ways(table, best.slopes), best.matrices.blocks
    arguments = table, hulls, slopes, blocks, best.duals
    parts = in_ranges(split_cases, len(best.duals), _CASE_BLOCK, *arguments, label="cases")
    cuts, splits, case_slopes = (np.concatenate(each) for each in zip(*parts, strict=True))
    return cuts, splits, case_slopes


def _both_ways(table: Table, slopes: Array) -> Slopes:
    return Slopes(slopes, slopes[table.by_item])


def _step(table: Table, ratio: float, slopes: Array, shares: Array, rate: float) -> Array:
    return next_slopes(table, value_hulls(table.k, ratio), slopes, shares, min(rate, 1e9))


def _ratio(table: Table, slopes: Array, rest: float, high: float) -> float:
    """Least ratio at which the bound seems to hold, if it is below the one known."""
    entries = int(table.distinct.degrees @ table.distinct.multiplicities)

    def excess_at(ratio: float) -> float:
        return line_heights(table, value_hulls(table.k, ratio), slopes) + rest - ratio * entries

    below = excess_at(high)
    if not below < 0:
        return high
    low = max(high + below / entries, 0.0)
    return least_ratio(excess_at, low=low, high=high, above=-below, below=below, accuracy=_ACCURACY)
