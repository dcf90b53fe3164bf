"""How similar to the original a k-anonymous copy can be at most, whoever makes it.

Each certificate has its proof in its Notes. `nearest_certificate` and `column_certificate` hold for
every k-anonymous copy, `suppression_certificate` for those that create nothing,
`row_column_certificate` and `symmetric_certificate` for smooth copies; the last two search for
the least ratio J at which a bound B(J) stays below J N, and stand on the same functions H_i
(`value_hulls`). The compiled sums are in `_certificates.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from scipy import sparse

from pplab._compiled import in_threads
from pplab.checks import check_choice, check_k, check_ones
from pplab.graphs import GraphLike, as_matrix
from pplab.smooth._certificates import (
    Hulls,
    Slopes,
    best_partners,
    first_duals,
    line_heights,
    lower_duals,
    next_slopes,
    pairs_above,
    pairs_and_duals,
    shared_items,
    upper_hulls,
)
from pplab.smooth._rows import DistinctRows, distinct_rows, nearest_keys

_BLOCK = 4096  # distinct rows per job
_MOST_READ = 2 * 10**8  # pairs of distinct rows that share an item, read in each step or round
_SLACK = 1e-9  # beyond what sums of floats can be wrong by, relative


def jaccard_certificate(biadjacency: GraphLike, k: int) -> float:
    """Bound from above the Jaccard similarity that any smooth k-anonymous copy can have.

    Parameters
    ----------
    biadjacency : csr_array of ones, shape (rows, items), or other graph
    k : int
        Smallest size of a group, from 2 to the number of rows.

    Returns
    -------
    float
        In [0, 1]: the least of the `jaccard_certificates`. 1 for a table without entries.

    Raises
    ------
    TypeError, ValueError
        If k leaves its interval, or the table is empty or stores anything but ones.

    Notes
    -----
    The bound holds for both ways with ties: a copy that drops what exactly half of a group has is
    a smooth copy too. It holds for copies by Mondrian with suppression and by every other method.
    An unrestricted copy may be more similar than all smooth ones, since publishing what a third
    of a group has pays while J < 1/2; `jaccard_certificates` bounds those, too.

    The number of threads does not change the result. The order of rows and columns moves it: by
    up to 3e-4 on tables of five rows; each value is a valid bound. The bound at k also holds at
    every larger k, where the function may give a larger one.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definitions 3.4 to 3.6, arXiv 2207.06358, where no bound of this kind is given.

    Examples
    --------
    >>> table = [[1, 1, 1], [1, 1, 0], [0, 0, 1], [0, 0, 1]]
    >>> jaccard_certificate(table, 2)
    0.875
    """
    return min(jaccard_certificates(biadjacency, k).values())


def jaccard_certificates(
    biadjacency: GraphLike, k: int, *, copies: str = "smooth", effort: str = "thorough"
) -> dict[str, float]:
    """Give each certificate by name, for smooth and for other k-anonymous copies.

    Parameters
    ----------
    biadjacency : csr_array of ones, shape (rows, items), or other graph
    k : int
        Smallest size of a group, from 2 to the number of rows.
    copies : {"smooth", "any", "suppression"}, default "smooth"
        Which copies: those of smooth anonymity, which publish for a group only what at least half
        of it has; all in which each row has k - 1 equal ones; or those that leave entries out and
        add none. The copies of "suppression" are among the smooth ones, and these among "any".
    effort : {"thorough", "fast"}, default "thorough"
        Whether to compute `symmetric_certificate` too, the closest one for smooth copies and by
        far the slowest. For other copies the two are the same.

    Returns
    -------
    dict of float
        "nearest" and "columns"; "row-column" and, at thorough effort, "symmetric" for smooth
        copies; "suppression" for those by suppression. Each is a bound of its own, proved in
        `nearest_certificate`, `column_certificate`, `row_column_certificate`,
        `symmetric_certificate` and `suppression_certificate`. 1 for a table without entries.

    Raises
    ------
    TypeError, ValueError
        If k leaves its interval, the table is empty or stores anything but ones, or copies or
        effort is not known.

    Examples
    --------
    >>> table = [[1, 1, 1], [1, 1, 0], [0, 0, 1], [0, 0, 1]]
    >>> result = jaccard_certificates(table, 2, copies="suppression")
    >>> {name: round(bound, 4) for name, bound in result.items()}
    {'nearest': 0.875, 'columns': 1.0, 'suppression': 0.8571}
    """
    check_choice("copies", copies, ("smooth", "any", "suppression"))
    check_choice("effort", effort, ("thorough", "fast"))
    table = as_matrix(biadjacency, name="biadjacency")
    check_ones("biadjacency", table)
    k = check_k(k, table.shape[0])
    distinct = distinct_rows(table)
    bounds: dict[str, Callable[[], float]] = {
        "nearest": lambda: nearest_certificate(table, distinct, k),
        "columns": lambda: column_certificate(table, k, copies),
    }
    if copies == "smooth":
        bounds["row-column"] = lambda: row_column_certificate(table, distinct, k)
        if effort == "thorough":
            bounds["symmetric"] = lambda: symmetric_certificate(table, distinct, k)
    if copies == "suppression":
        bounds["suppression"] = lambda: suppression_certificate(table, k)
    return {name: bound() if table.nnz else 1.0 for name, bound in bounds.items()}


def upwards(bound: Fraction) -> float:
    """Least float that is not below a fraction: a bound must not be lost in rounding.

    Examples
    --------
    >>> upwards(Fraction(1, 2)), upwards(Fraction(1, 10**20)) >= Fraction(1, 10**20)
    (0.5, True)
    """
    nearest = float(bound)
    return nearest if Fraction(nearest) >= bound else math.nextafter(nearest, math.inf)


def column_certificate(table: sparse.csr_array, k: int, copies: str) -> float:
    """Bound the Jaccard similarity of k-anonymous copies by how many rows have each item.

    Parameters
    ----------
    table : csr_array of ones, shape (rows, items), with entries
    k : int
        From 2 to the number of rows.
    copies : {"smooth", "any", "suppression"}
        Which copies the bound holds for, see `jaccard_certificate`.

    Returns
    -------
    float
        The bound, rounded upwards, in [0, 1].

    Notes
    -----
    *Proof.* Let I be the items that some group publishes in a copy of Jaccard similarity J. Item
    i is had by c_i rows and published for at least k, so at most c_i of its entries are kept and
    at least k - c_i created, if that is positive. With N entries in all

        J <= (sum of c_i) / (N + sum of max(0, k - c_i)),    both sums over I.

    In a smooth copy, half of a group of at least k rows has what it publishes, so c_i >= k / 2
    on I; a copy by suppression creates nothing, so c_i >= k. It remains to take the I with the
    largest right-hand side. One more item adds c_i above and max(0, k - c_i) below, which does
    not lower the fraction, at most 1 as it is, if c_i >= k - c_i. So all allowed items together
    are best in a smooth copy, and in one by suppression. In any other copy items are best taken
    by descending c_i, since a larger c_i adds more above and no more below: the bound is the
    largest fraction over all such beginnings. QED.

    It is tight when the columns with enough entries can be had by the same groups throughout.

    Examples
    --------
    >>> table = sparse.csr_array([[1, 1], [1, 0], [1, 0], [1, 0]])
    >>> column_certificate(table, 4, "smooth")  # the second column is lost
    0.8
    """
    counts = -np.sort(-np.bincount(table.indices))
    enough = {"smooth": (k + 1) // 2, "any": 1, "suppression": k}[copies]
    counts = counts[counts >= enough]
    kept = np.cumsum(counts).tolist()
    created = np.cumsum(np.maximum(k - counts, 0)).tolist()
    places = range(len(kept)) if copies == "any" else range(len(kept))[-1:]
    result = (Fraction(kept[place], table.nnz + created[place]) for place in places)
    return upwards(max(result, default=Fraction(0)))


def nearest_certificate(table: sparse.csr_array, distinct: DistinctRows, k: int) -> float:
    """Bound the Jaccard similarity of every k-anonymous copy, smooth or not, by nearest rows.

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
        N / (N + Q), rounded upwards, in (0, 1]: N entries, and Q half the sum over rows of the
        mean Hamming distance to the k - 1 nearest other rows.

    Notes
    -----
    *Proof.* Rows that are published alike form a group of s >= k rows. An item that c of them
    have costs c lost entries if it is not published and s - c created ones if it is, so at least
    min(c, s - c). For 0 < c < s the larger of c and s - c is at most s - 1, hence
    min(c, s - c) >= c (s - c) / (s - 1); for c = 0 and c = s both sides are 0. There are
    c (s - c) pairs of rows that disagree on the item. Summed over items, a group costs at least

        1 / (s - 1) * (sum of distances over its pairs of rows)
        = 1/2 * (sum over its rows of the mean distance to the s - 1 others),

    and a mean over s - 1 >= k - 1 other rows is at least the mean over the k - 1 nearest ones.
    So lost and created entries together are at least Q. With S lost and C created entries
    J = (N - S) / (N + C), and among all S + C >= Q that is largest at S = 0, C = Q: since
    (N - S) (N + Q) <= N (N + C) follows from N Q <= N (S + C) by leaving out - S Q. QED.

    It is tight when rows come in groups of k rows of which, on every item, all or all but one
    agree, and the one lacks it, while no row is nearer to a row of another group.
    """
    distances = nearest_keys(distinct, k) // len(distinct.pattern_of)  # the row itself is the first
    total = int(distances.sum(axis=1) @ distinct.multiplicities)
    return upwards(1 / (1 + Fraction(total, 2 * (k - 1) * table.nnz)))


def suppression_certificate(table: sparse.csr_array, k: int) -> float:
    """Bound the Jaccard similarity of every k-anonymous copy that only leaves entries out.

    Parameters
    ----------
    table : csr_array of ones, shape (rows, items), with entries
    k : int
        From 2 to the number of rows.

    Returns
    -------
    float
        Sum over rows of the (k - 1)-th largest number of items shared with another row, divided
        by the number of entries, rounded upwards, in [0, 1]; only items that at least k rows
        have are counted. The bound does not hold for copies that
        create entries.

    Notes
    -----
    *Proof.* What is published for row u is published for at least k - 1 other rows v as well, and
    each of them had it. So it lies within the items shared with v, for k - 1 different v, and the
    poorest of these k - 1 shares at most as many items as the (k - 1)-th largest overlap. An item
    that fewer than k rows have is in no published row, so overlaps are counted without such
    items. Nothing is created, so J is the number of published entries over all entries. QED.

    It is tight when each row has k - 1 others with the same intersection, as copies have.

    Time grows with the sum over items of the square of the number of different rows that have
    it; frequent items are not read where the rare ones already settle the answer.

    Examples
    --------
    >>> table = sparse.csr_array([[1, 1, 0], [1, 1, 1], [0, 0, 1], [0, 0, 1]])
    >>> suppression_certificate(table, 2)
    0.8571428571428572
    """
    distinct = distinct_rows(_frequent(table, k))
    count = len(distinct.degrees)

    def total(first: int) -> int:
        return shared_items(distinct, first, min(first + _BLOCK, count), k - 1)

    kept = in_threads(total, range(0, count, _BLOCK), label="shared items")
    return upwards(Fraction(sum(kept), table.nnz))


def _frequent(table: sparse.csr_array, k: int) -> sparse.csr_array:
    """The table without the entries of columns that have fewer than k."""
    stays = np.bincount(table.indices, minlength=table.shape[1])[table.indices] >= k
    indptr = np.concatenate([[0], np.cumsum(stays)])[table.indptr]
    return sparse.csr_array((table.data[stays], table.indices[stays], indptr), shape=table.shape)


# Smooth copies: the value of an entry, and the least ratio at which a bound holds.


def value_hulls(k: int, ratio: float) -> Hulls:
    """Least concave functions above the value of an entry of a smooth copy.

    Parameters
    ----------
    k : int
        Smallest size of a group.
    ratio : float
        In [0, 1]; what a created entry costs.

    Returns
    -------
    Hulls
        Functions number 0 to 4k - 1, by the number of rows that have the item.

    Notes
    -----
    In a group of s rows of which c have an item, 2c >= s, each of the c entries has the value
    1 - ratio (s - c) / c, and its row meets the item in a share t = (c - 1) / (s - 1) of the
    other rows. The function for an item that m rows have is the least concave one that is 0 or
    more at 0 and has these points at or below it, for all s >= k and c <= m.

    *Sizes from 4k on add nothing.* Let s >= 4k.

    - c = s is the point (1, 1), there for s = k too where m allows it. For c < s, the point lies
      on or below the line 1 - ratio (1 - t), as (s - c) / c >= (s - c) / (s - 1). For s = k that
      line joins the points of c = k - 1 and c = k.
    - With t from (a - 1) / (k - 1) to a / (k - 1), where k / 2 <= a <= k - 2: put
      x = t + (1 - t) / k and x' = t + (1 - t) / s, which is c / s. The chord of the points of a
      and a + 1 rows among k is 1 + ratio - ratio (1 / x + e), with
      e = p (1 - p) / (x a (a + 1)) and p = k x - a in [0, 1]. The point lies below it if e is at
      most 1 / x' - 1 / x = (1 - t) (1 / k - 1 / s) / (x x'), where (k - 1) (1 - t) = k - a - p.
      With d = k - a >= 2 this follows from (a + d / s) / (a (a + 1)) <= d (s - k) / (k s), that
      is from k / (a + 1) (1 + d / (4 a k)) <= 3 d / 4. For d = 2 the left side is at most
      4/3 * 17/16 < 3/2, since k >= 4; for d >= 3 we have a >= d, k >= 6, k / (a + 1) < 2, and it
      is below 2 (1 + 1 / (4 k)) <= 25/12 < 9/4.
    - Below the first point of s = k: for even k no larger group has a point there, since
      2c >= s means t >= (s - 2) / (2 (s - 1)). For odd k those with 2c = s have, and all of them
      have the value 1 - ratio, as is the point of k + 1 rows, which is the first.

    If m < k, no point has t above (m - 1) / (k - 1), the last point of s = k. QED.

    Examples
    --------
    >>> hulls = value_hulls(2, 0.25)  # for two rows and more: the line 1 - ratio (1 - t)
    >>> part = slice(*hulls.starts[2:4])
    >>> hulls.at[part].tolist(), hulls.value[part].tolist()
    ([0.0, 1.0], [0.75, 1.0])
    """
    sizes, have = np.meshgrid(np.arange(k, 4 * k), np.arange(1, 4 * k), indexing="ij")
    real = (have <= sizes) & (2 * have >= sizes)
    sizes, have = sizes[real], have[real]
    at, value = (have - 1) / (sizes - 1), 1 - ratio * (sizes - have) / have
    order = np.lexsort((value, at))
    return Hulls(*upper_hulls(4 * k, have[order], at[order], value[order]))


def least_ratio(
    excess: Callable[[float], float],
    *,
    low: float,
    high: float,
    above: float,
    below: float,
    accuracy: float,
) -> float:
    """Enclose the ratio at which an excess turns negative; the upper end always has it negative.

    Regula falsi, with the value of an end halved that stays for a second time (Illinois rule).

    Parameters
    ----------
    excess : callable
        Of a ratio; tried once at each.
    low, high : float
        Where to search; high is returned if no lower ratio has a negative excess.
    above, below : float
        Values there, the first positive, the second negative; guesses will do, since they only
        decide where the search begins.
    accuracy : float
        Positive; how closely to enclose.

    Examples
    --------
    >>> result = least_ratio(
    ...     lambda ratio: 2 - ratio**2, low=0.0, high=2.0, above=2.0, below=-2.0, accuracy=1e-6
    ... )
    >>> result**2 > 2, round(result, 5)
    (True, 1.41421)
    """
    last = 0
    accuracy = max(accuracy, 4 * float(np.spacing(high)))  # else neighbouring ends never meet
    while high - low > accuracy:
        ratio = low + (high - low) * above / (above - below)
        ratio = min(max(ratio, low + accuracy / 2), high - accuracy / 2)
        value = excess(ratio)
        side = -1 if value < 0 else 1
        if side < 0:
            high, below = ratio, value
            above /= 2 if last == side else 1
        else:
            low, above = ratio, value
            below /= 2 if last == side else 1
        last = side
    return high


# Each row with its best partners.


_CLOSENESS = 2e-5  # to which the least bound of row and columns is enclosed
_STEPS = (6, 2)  # at the first ratio, and at each later one


def row_column_certificate(table: sparse.csr_array, distinct: DistinctRows, k: int) -> float:
    """Bound the Jaccard similarity of every smooth k-anonymous copy, row by row.

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
    *A ratio turns a ratio into a sum.* A copy that keeps K of N entries and creates C has
    K / (N + C) >= J exactly if K (1 + J) - J (K + C) >= J N. A group of s rows of which c have a
    published item adds c (1 + J) - J s to the left side. So if B(J) is at least the left side of
    every smooth copy and B(J) < J N, then every smooth copy is less similar than J. This holds
    for each J on its own; the search reports a J only where it found B(J) < J N.

    *The bound B(J).* Share out what a group adds in equal parts among the c entries: each gets
    1 - J (s - c) / c. Let y give 1 / (s - 1) to each other row of u's group, and 0 to the rest.
    Then y sums to 1, no part of it is above 1 / (k - 1), and the rows that have item i, too, get
    t_i(y) = (c - 1) / (s - 1) together. So the entry is worth at most H_i(t_i(y)), with the
    concave function of `value_hulls`; an item that is not published adds 0 <= H_i. Hence

        B(J) = sum over rows u of max over y of sum over items i of u of H_i(t_i(y)),

    where y runs over all y >= 0 on the other rows with sum 1 and no part above 1 / (k - 1).

    *Each line gives a bound.* For any slopes a_i >= 0, H_i(t) <= b_i + a_i t with
    b_i = max over t of H_i(t) - a_i t. So the maximum over y is at most sum of b_i plus the sum
    of the k - 1 largest scores over k - 1, where a row's score is the sum of a_i over the items
    shared with u: a linear function is largest where y sits on the k - 1 best rows. The slopes
    follow the partners found (Frank and Wolfe), and the least bound is taken. For an item
    that very many different rows have, a_i = 0. QED.

    It is tight, for example, where groups of k copies leave nothing to lose, and at k = 2 where
    rows pair up so that each has as many items in common with its partner as with any other row.

    Memory grows with the entries and with the square of k, time at large k with its cube: beyond
    a few hundred it is long. The number of threads does not change the result; the order of
    rows and columns moves it, as `jaccard_certificate` says.

    References
    ----------
    Frank and Wolfe 1956, An algorithm for quadratic programming, doi 10.1002/nav.3800030109;
    Dinkelbach 1967, On nonlinear fractional programming, doi 10.1287/mnsc.13.7.492.
    """
    counts = np.sort(np.bincount(table.indices, minlength=table.shape[1]))  # as items are numbered
    heavy = np.cumsum(np.diff(distinct.item_starts) ** 2) > _MOST_READ  # their rows are not read
    shares = np.full(len(distinct.items), 0.5)  # of the row's partners that have the item, so far
    count, passed, guess = len(distinct.degrees), 0, float(table.nnz)

    def excess(ratio: float) -> float:
        nonlocal passed
        hulls, steps = value_hulls(k, ratio), _STEPS[passed > 0]
        function = np.minimum(counts, len(hulls.starts) - 2)

        def total(first: int) -> float:
            part = (first, min(first + _BLOCK, count), k, passed, steps)
            return best_partners(distinct, hulls, function, heavy, shares, part)

        bound = sum(in_threads(total, range(0, count, _BLOCK), label="rows and columns"))
        passed += steps
        return bound * (1 + _SLACK) - ratio * table.nnz

    return least_ratio(excess, low=0.0, high=1.0, above=guess, below=-guess, accuracy=_CLOSENESS)


# Rows whose partners are mutual.


_ROUNDS = 40  # each gives a bound; the search stops before if it hardly gains any more
_MANY_PAIRS = 2 * 10**7  # listed pairs of distinct rows from which on fewer are listed
_ACCURACY = 5e-6  # of each ratio
_STALL = (12, 1e-4)  # so many rounds that bring less than this are the last
_GUESS = 0.8  # ratio for the first slopes
# Rate of slopes at first, and share of the rounds: fast steps suit graphs, slow ones tables with
# many equal rows.
_SEARCHES = ((0.1, 0.6), (0.03, 0.4))
_INERTIA = 0.5
_SLOWER, _SLOWEST = 0.8, 0.02  # times the rate after a round that gained nothing; least rate
_WIDTHS = (0.3, 0.05)  # over which dual variables of pairs are softened, at first and in the end


def symmetric_certificate(table: sparse.csr_array, distinct: DistinctRows, k: int) -> float:
    """Bound the Jaccard similarity of every smooth k-anonymous copy, by rows that pair up.

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
    *What is bounded.* As `row_column_certificate` proves, a smooth copy of Jaccard similarity J or
    more exists only if for some grouping the values of its entries sum to at least J N, where an
    entry of row u and item i is worth at most H_i(t). Here t is the share of the other s - 1 rows
    of u's group that have i, and H_i the concave function of `value_hulls` at the ratio J.

    *Partners are mutual.* For two different rows let y_uv be 1 / (s - 1) if they are in one group
    of s rows, else 0. Then y_uv = y_vu, the y of one row sum to 1, 0 <= y_uv <= 1 / (k - 1), and t
    = sum over v that have i of y_uv. The row-and-column bound lets each row choose its y alone;
    here y_uv = y_vu is used.

    *The bound.* Take any slopes a_ui >= 0 and any dual variables p_u >= 0. With
    b_ui = max over t of H_i(t) - a_ui t, the entry is worth at most b_ui + a_ui t. In the sum of
    all a_ui t, the y_uv of a pair of rows stands with the factor

        W_uv = sum over items i of both of (a_ui + a_vi),

    so all entries together are worth at most sum of b_ui + sum over pairs of y_uv W_uv. Write W_uv
    = p_u + p_v + x_uv. As the y of each row sum to 1 and p >= 0, the dual variables add sum of p_u
    at most; as y_uv is from 0 to 1 / (k - 1), x_uv adds max(0, x_uv) / (k - 1) at most. Hence

        B(J) = sum of b_ui + sum of p_u + 1 / (k - 1) * (sum over pairs of max(0, x_uv)),

    and if B(J) < J N, every smooth copy is less similar than J. QED.

    *What the proof allows.* (1) Equal rows may have equal slopes and one dual variable: a distinct
    row of multiplicity m counts m times in the first two sums; two of multiplicities m and m' have
    m m' pairs with one x_uv in common, and there are m (m - 1) / 2 pairs inside a distinct row,
    with W_uu = 2 * (sum of a_ui). (2) Slope 0 is allowed, with b_ui = max H_i. The items that most
    rows have get it where reading all pairs would take too long; their pairs need not be looked at.
    (3) Two rows that share no item with a positive slope have W_uv = 0 and x_uv <= 0. (4) Only
    pairs with W_uv > (p_u - d_u) + (p_v - d_v) are listed, with margins d >= 0, and afterwards no
    dual variable is lowered below max(0, p_u - d_u): for pairs that are not listed x_uv stays 0 or
    less. (5) Of all terms only b_ui depends on J. So each choice of slopes and dual variables has
    its own least J with B(J) < J N, and that is searched in every round: what is returned is the
    least J of all at which B(J) < J N was found, with the sums taken a little larger than floats
    make them.

    *The choice* decides how good the bound is, never whether it holds. B is convex in slopes and
    dual variables. The dual variables are lowered or raised one after the other until each row has
    about k - 1 pairs with x_uv > 0; the slopes take a proximal step against the shares t that these
    pairs give.

    At k = 2 every H_i is the line 1 - J + J t, all slopes are J, and B is the dual of a fractional
    matching of the rows.

    It is tight, for example, where rows come in groups of k copies, and at k = 2 wherever the best
    fractional matching is one of whole pairs.

    Memory grows with the entries and with the pairs that are listed; from about 2 * 10^7 on, the
    margins shrink. The number of threads does not change the result. The order of rows and
    columns hardly does: it decides in which order dual variables move.

    References
    ----------
    Dinkelbach 1967, On nonlinear fractional programming, doi 10.1287/mnsc.13.7.492; Edmonds 1965,
    Maximum matching and a polyhedron with 0,1-vertices, doi 10.6028/jres.069B.013, for the
    polytope whose fractional relaxation is used; Parikh and Boyd 2014, Proximal algorithms,
    doi 10.1561/2400000003.
    """
    counts = np.sort(np.bincount(table.indices, minlength=table.shape[1]))  # as items are
    read = np.cumsum(np.diff(distinct.item_starts) ** 2)
    light = int(np.searchsorted(read, _MOST_READ, side="right"))
    function = np.minimum(counts, 4 * k - 1)
    by_item = np.argsort(distinct.items, kind="stable")
    laid = Table(distinct, function, by_item, light, table.nnz, k)
    return min(_search(laid, max(1, round(part * _ROUNDS)), rate) for rate, part in _SEARCHES)


class _State(NamedTuple):
    """Where the search stands after some rounds."""

    slopes: np.ndarray  # per entry of the distinct rows
    duals: np.ndarray  # per distinct row
    share: float  # of the margins in use
    rate: float  # of slopes
    ratio: float  # least one at which the bound held


class Table(NamedTuple):
    """A table laid out for the search, and what does not change in it."""

    distinct: DistinctRows
    function: np.ndarray  # number of each item's function
    by_item: np.ndarray  # entries of the distinct rows in the order of `DistinctRows.item_patterns`
    light: int  # items from here on get the slope 0
    entries: int
    k: int


def _search(table: Table, rounds: int, rate: float) -> float:
    half = np.full(len(table.distinct.items), 0.5)
    slopes = _step(table, _GUESS, np.zeros(len(half)), half, np.inf)
    duals = first_duals(table.distinct, _both_ways(table, slopes), table.k)
    state = _State(slopes, duals, 0.25, rate, 1.0)
    ratios = []
    for number in range(rounds):
        state = _round(table, state, number, rounds)
        ratios.append(state.ratio)
        if number >= _STALL[0] and ratios[-1 - _STALL[0]] - ratios[-1] < _STALL[1]:
            break
    return state.ratio


def _round(table: Table, state: _State, number: int, rounds: int) -> _State:
    """List pairs, move dual variables, see which ratio holds, move slopes."""
    distinct, k = table.distinct, table.k
    width = _WIDTHS[0] * (_WIDTHS[1] / _WIDTHS[0]) ** min(1, number / (0.9 * rounds))
    margins = state.share * (0.5 + 0.1 * distinct.degrees)
    slopes = _both_ways(table, state.slopes)
    pairs = pairs_above(distinct, slopes, state.duals, margins)
    floors = np.maximum(state.duals - margins, 0)
    duals = lower_duals(distinct, pairs, k, state.duals, floors, width)
    rest, shares = pairs_and_duals(distinct, pairs, k, duals, width)
    ratio = _ratio_of_round(table, state, rest)
    if number == 0:
        moved = _step(table, ratio, state.slopes, 0.5 + (shares - 0.5) / 3, np.inf)
    else:
        moved = _step(table, ratio, state.slopes, shares, state.rate)
        moved = np.maximum(moved + _INERTIA * (moved - state.slopes), 0)
    grow = np.clip(_MANY_PAIRS / max(len(pairs.others), 1), 0.25, 2)
    rate = max(state.rate * (1.0 if ratio < state.ratio else _SLOWER), _SLOWEST)
    return _State(moved, duals, min(1.0, state.share * grow), rate, ratio)


def _both_ways(table: Table, slopes: np.ndarray) -> Slopes:
    return Slopes(slopes, slopes[table.by_item], table.light)


def _step(
    table: Table, ratio: float, slopes: np.ndarray, shares: np.ndarray, rate: float
) -> np.ndarray:
    hulls = value_hulls(table.k, ratio)
    items = table.distinct.items
    return next_slopes(items, hulls, table.function, table.light, slopes, shares, min(rate, 1e9))


def _ratio_of_round(table: Table, state: _State, rest: float) -> float:
    """Least ratio at which the bound holds with these slopes, if it is below the one known.

    The excess falls with the ratio at a rate from once to twice the entries, as a created entry
    is counted at most once for each kept one.
    """

    def excess(ratio: float) -> float:
        hulls = value_hulls(table.k, ratio)
        heights = line_heights(table.distinct, hulls, table.function, state.slopes)
        return (heights + rest) * (1 + _SLACK) - ratio * table.entries

    high = state.ratio
    below = excess(high)
    if not below < 0:
        return high
    low = max(high + below / table.entries, 0.0)
    return least_ratio(excess, low=low, high=high, above=-below, below=below, accuracy=_ACCURACY)
