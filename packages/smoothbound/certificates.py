"""How similar to the original a k-anonymous copy can be at most, whoever makes it.

Each certificate has its proof in its Notes. `nearest_certificate` and `column_certificate`
(in ``pplab.smooth.certificates``) hold for every k-anonymous copy, `suppression_certificate` for
those that create nothing,
`row_column_certificate` and `symmetric_certificate` (in `symmetric.py`) for smooth copies; the last
two search for the least ratio J at which a bound B(J) stays below J N, and stand on the same
functions H_i (`hulls.py`). The compiled sums are in `_certificates.py`.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import overload

import numpy as np
from scipy import sparse

from pplab.checks import check_choice, check_k
from pplab.compiled import in_ranges
from pplab.graphs import GraphLike, as_ones, by_value
from pplab.smooth.certificates import column_certificate, nearest_certificate, upwards
from pplab.smooth.rows import DistinctRows, distinct_rows
from pplab.smooth.vote import publishable
from smoothbound._certificates import best_partners, laid_out, shared_items
from smoothbound.hulls import least_ratio, value_hulls
from smoothbound.symmetric import symmetric_certificate

_BLOCK = 4096  # distinct rows per job
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


@overload
def jaccard_certificates(
    biadjacency: GraphLike, k: int, *, copies: str = ..., effort: str = ...
) -> dict[str, float]: ...


@overload
def jaccard_certificates(
    biadjacency: GraphLike, k: Sequence[int], *, copies: str = ..., effort: str = ...
) -> dict[int, dict[str, float]]: ...


def jaccard_certificates(
    biadjacency: GraphLike,
    k: int | Sequence[int],
    *,
    copies: str = "smooth",
    effort: str = "thorough",
) -> dict[str, float] | dict[int, dict[str, float]]:
    """Give each certificate by name, for smooth and for other k-anonymous copies.

    Parameters
    ----------
    biadjacency : csr_array of ones, shape (rows, items), or other graph
    k : int or sequence of int
        Smallest size of a group, from 2 to the number of rows. With several, no bound is above the
        one of the same name at a smaller k, since a group of k + 1 rows is one of k.
    copies : {"smooth", "any", "suppression"}, default "smooth"
        Which copies: those of smooth anonymity, which publish for a group only what at least half
        of it has; all in which each row has k - 1 equal ones; or those that leave entries out and
        add none. The copies of "suppression" are among the smooth ones, and these among "any".
    effort : {"thorough", "fast"}, default "thorough"
        Whether to compute `symmetric_certificate` too, the closest one for smooth copies and by
        far the slowest. For other copies the two are the same.

    Returns
    -------
    dict of float, or for several k a dict of these, by ascending k
        "nearest" and "columns"; "row-column" and, at thorough effort, "symmetric" for smooth
        copies; "suppression" for those by suppression. Each is a bound of its own, proved in
        `nearest_certificate`, `column_certificate`, `row_column_certificate`,
        `symmetric_certificate` and `suppression_certificate`. 1 for a table without entries.

    Raises
    ------
    TypeError, ValueError
        If a k leaves its interval, there is none, the table is empty or stores anything but ones,
        or copies or effort is not known.

    Examples
    --------
    >>> table = [[1, 1, 1], [1, 1, 0], [0, 0, 1], [0, 0, 1]]
    >>> result = jaccard_certificates(table, 2, copies="suppression")
    >>> {name: round(bound, 4) for name, bound in result.items()}
    {'nearest': 0.875, 'columns': 1.0, 'suppression': 0.8571}
    >>> several = jaccard_certificates(table, [2, 4])
    >>> {k: round(min(bounds.values()), 4) for k, bounds in several.items()}
    {2: 0.875, 4: 0.5833}
    """
    check_choice("copies", copies, ("smooth", "any", "suppression"))
    check_choice("effort", effort, ("thorough", "fast"))
    table = as_ones(by_value(biadjacency, bipartite=True, name="biadjacency"))
    all_k = list(k) if isinstance(k, Sequence) else [k]
    sizes = sorted({check_k(number, table.shape[0]) for number in all_k})
    if not sizes:
        raise ValueError("k names no size of a group; give one or more whole numbers from 2 on")
    distinct = distinct_rows(table)
    result: dict[int, dict[str, float]] = {}
    least: dict[str, float] = {}
    for size in sizes:
        bounds = _bounds(table, distinct, size, copies, effort)
        least = {name: min(bound, least.get(name, 1.0)) for name, bound in bounds.items()}
        result[size] = least
    return result if isinstance(k, Sequence) else least


def _bounds(
    table: sparse.csr_array, distinct: DistinctRows, k: int, copies: str, effort: str
) -> dict[str, float]:
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


def suppression_certificate(table: sparse.csr_array, k: int) -> float:
    """Bound the Jaccard similarity of every k-anonymous copy that only suppresses entries.

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
    distinct = distinct_rows(publishable(table, k, keep="all"))
    arguments = distinct, k - 1
    kept = in_ranges(shared_items, len(distinct.degrees), _BLOCK, *arguments, label="shared items")
    return upwards(Fraction(sum(kept), table.nnz))


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
    layout = laid_out(table, distinct, k)
    shares = np.full(len(distinct.items), 0.5)  # of the row's partners that have the item, so far
    passed, guess = 0, float(table.nnz)

    def excess(ratio: float) -> float:
        nonlocal passed
        hulls, steps = value_hulls(k, ratio), _STEPS[passed > 0]
        arguments = layout, hulls, shares, passed, steps
        count = len(distinct.degrees)
        bound = sum(in_ranges(best_partners, count, _BLOCK, *arguments, label="rows and columns"))
        passed += steps
        return bound * (1 + _SLACK) - ratio * table.nnz

    return least_ratio(excess, low=0.0, high=1.0, above=guess, below=-guess, accuracy=_CLOSENESS)
