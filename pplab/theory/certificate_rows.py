"""No smooth copy is more similar than each row, with its best company, could make it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import sparse

from pplab._compiled import in_threads
from pplab.anonymity.kinds import Kinds
from pplab.theory.certificate_hull import worth_hulls
from pplab.theory.certificate_price import least_price
from pplab.theory.certificate_row_steps import best_companies

__all__ = ["row_column_certificate"]

_BLOCK = 4096  # kinds per job
_MOST_PAIRS = 2 * 10**8  # pairs of kinds that share an item, read in each step
_SLACK = 1e-9  # beyond what sums of floats can be wrong by, relative
_CLOSENESS = 2e-5  # to which the least bound of this kind is enclosed
_STEPS = (6, 2)  # at the first price, and at each later one


class _Search(NamedTuple):
    """A table, and how alike the companies of its rows are so far."""

    kinds: Kinds
    counts: np.ndarray  # rows that have each item
    heavy: np.ndarray  # items whose rows are not read
    alike: np.ndarray  # per entry of a kind: share of the row's company that has the item
    k: int


def row_column_certificate(table: sparse.csr_array, kinds: Kinds, k: int) -> float:
    """Bound the Jaccard similarity of every smooth k-anonymous copy, row by row.

    Parameters
    ----------
    table : csr_array of ones, shape (rows, items), with entries
    kinds : Kinds
        Its distinct rows.
    k : int
        From 2 to the number of rows.

    Returns
    -------
    float
        In (0, 1].

    Notes
    -----
    *A price turns a ratio into a sum.* A copy that keeps K of N entries and creates C has
    K / (N + C) >= J exactly if K (1 + J) - J (K + C) >= J N. A group of s rows of which c have a
    published item adds c (1 + J) - J s to the left side. So if B(J) is at least the left side of
    every smooth copy and B(J) < J N, then every smooth copy is less similar than J. This holds
    for each J on its own; the search reports a J only where it found B(J) < J N.

    *The bound B(J).* Share out what a group adds in equal parts among the c entries: each gets
    1 - J (s - c) / c. Let y give 1 / (s - 1) to each other row of u's group, and 0 to the rest.
    Then y sums to 1, no part of it is above 1 / (k - 1), and the rows that have item i, too, get
    t_i(y) = (c - 1) / (s - 1) together. So the entry is worth at most H_i(t_i(y)), with the
    concave function of `worth_hulls`; an item that is not published adds 0 <= H_i. Hence

        B(J) = sum over rows u of max over y of sum over items i of u of H_i(t_i(y)),

    where y runs over all y >= 0 on the other rows with sum 1 and no part above 1 / (k - 1).

    *Each line gives a bound.* For any slopes a_i >= 0, H_i(t) <= b_i + a_i t with
    b_i = max over t of H_i(t) - a_i t. So the maximum over y is at most sum of b_i plus the sum
    of the k - 1 largest scores over k - 1, where a row's score is the sum of a_i over the items
    shared with u: a linear function is largest where y sits on the k - 1 best rows. The slopes
    follow the companies found (Frank and Wolfe), and the least bound is taken. For an item
    that very many different rows have, a_i = 0. QED.

    It is tight, for example, where groups of k copies leave nothing to lose, and at k = 2 where
    rows pair up so that each has as many items in common with its partner as with any other row.

    Memory grows with the entries and with the square of k, time at large k with its cube: beyond
    a few hundred it is long. The number of threads does not change the result; the order of
    rows and columns does not beyond the accuracy.

    References
    ----------
    Frank and Wolfe 1956, An algorithm for quadratic programming, doi 10.1002/nav.3800030109;
    Dinkelbach 1967, On nonlinear fractional programming, doi 10.1287/mnsc.13.7.492.
    """
    counts = np.sort(np.bincount(table.indices, minlength=table.shape[1]))  # as items are numbered
    pairs = np.cumsum(np.diff(kinds.item_starts) ** 2)
    search = _Search(kinds, counts, pairs > _MOST_PAIRS, np.full(len(kinds.items), 0.5), k)
    return _least_price(search, table.nnz)


def _least_price(search: _Search, entries: int) -> float:
    """Search the price at which the bound meets J N, with steps made on the way."""
    passed = 0

    def excess(price: float) -> float:
        nonlocal passed
        steps = _STEPS[passed > 0]
        bound = _bound(search, price, passed, steps)
        passed += steps
        return bound * (1 + _SLACK) - price * entries

    guess = float(entries)
    return least_price(excess, low=0.0, high=1.0, above=guess, below=-guess, accuracy=_CLOSENESS)


def _bound(search: _Search, price: float, passed: int, steps: int) -> float:
    kinds = search.kinds
    hulls = worth_hulls(search.k, price)
    function = np.minimum(search.counts, len(hulls.starts) - 2)
    count = len(kinds.degrees)

    def total(first: int) -> float:
        last = min(first + _BLOCK, count)
        part = (first, last, search.k, passed, steps)
        return best_companies(kinds, hulls, function, search.heavy, search.alike, part)

    return sum(in_threads(total, range(0, count, _BLOCK), label="rows and columns"))
