"""No smooth copy is more similar than rows that choose each other could make it."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from pplab.anonymity.kinds import Kinds
from pplab.theory.certificate_rounds import Table, least_price_of_rounds

__all__ = ["symmetric_certificate"]

_MOST_READ = 2 * 10**8  # pairs of kinds that share an item, read in each round
_ROUNDS = 40  # each gives a bound; the search stops before if it hardly gains any more


def symmetric_certificate(table: sparse.csr_array, kinds: Kinds, k: int) -> float:
    """Bound the Jaccard similarity of every smooth k-anonymous copy, by rows that pair up.

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
    *What is bounded.* As `row_column_certificate` proves, a smooth copy of Jaccard similarity J or
    more exists only if for some grouping the values of its entries sum to at least J N, where an
    entry of row u and item i is worth at most H_i(t). Here t is the share of the other s - 1 rows
    of u's group that have i, and H_i the concave function of `worth_hulls` at the price J.

    *Company is mutual.* For two different rows let y_uv be 1 / (s - 1) if they are in one group of
    s rows, else 0. Then y_uv = y_vu, the y of one row sum to 1, 0 <= y_uv <= 1 / (k - 1), and
    t = sum over v that have i of y_uv. The row-and-column bound lets each row choose its y alone;
    here y_uv = y_vu is used.

    *The bound.* Take any slopes a_ui >= 0 and any tolls p_u >= 0. With
    b_ui = max over t of H_i(t) - a_ui t, the entry is worth at most b_ui + a_ui t. In the sum of
    all a_ui t, the y_uv of a pair of rows stands with the factor

        W_uv = sum over items i of both of (a_ui + a_vi),

    so all entries together are worth at most sum of b_ui + sum over pairs of y_uv W_uv. Write
    W_uv = p_u + p_v + x_uv. As the y of each row sum to 1 and p >= 0, the tolls add sum of p_u at
    most; as y_uv is from 0 to 1 / (k - 1), x_uv adds max(0, x_uv) / (k - 1) at most. Hence

        B(J) = sum of b_ui + sum of p_u + 1 / (k - 1) * (sum over pairs of max(0, x_uv)),

    and if B(J) < J N, every smooth copy is less similar than J. QED.

    *What the proof allows.* (1) Equal rows may have equal slopes and one toll: a kind of m rows
    counts m times in the first two sums; two kinds of m and m' rows have m m' pairs with one x_uv
    in common, and there are m (m - 1) / 2 pairs inside a kind, with W_uu = 2 * (sum of a_ui).
    (2) Slope 0 is allowed, with b_ui = max H_i. The items that most rows have get it where reading
    all pairs would take too long; their pairs need not be looked at. (3) Two rows that share no
    item with a positive slope have W_uv = 0 and x_uv <= 0. (4) Only pairs with
    W_uv > (p_u - d_u) + (p_v - d_v) are listed, with margins d >= 0, and afterwards no toll is
    lowered below max(0, p_u - d_u): for pairs that are not listed x_uv stays 0 or less. (5) Of all
    terms only b_ui depends on J. So each choice of slopes and tolls has its own least J with
    B(J) < J N, and that is searched in every round: what is returned is the least J of all at
    which B(J) < J N was found, with the sums taken a little larger than floats make them.

    *The choice* decides how good the bound is, never whether it holds. B is convex in slopes and
    tolls. The tolls are lowered or raised one after the other until each row has about k - 1 pairs
    with x_uv > 0; the slopes take a proximal step against the shares t that these pairs give.

    At k = 2 every H_i is the line 1 - J + J t, all slopes are J, and B is the dual of a fractional
    matching of the rows.

    It is tight, for example, where rows come in groups of k copies, and at k = 2 wherever the best
    fractional matching is one of whole pairs.

    Memory grows with the entries and with the pairs that are listed; from about 2 * 10^7 on, the
    margins shrink. The number of threads does not change the result. The order of rows and
    columns hardly does: it decides in which order tolls move.

    References
    ----------
    Dinkelbach 1967, On nonlinear fractional programming, doi 10.1287/mnsc.13.7.492; Edmonds 1965,
    Maximum matching and a polyhedron with 0,1-vertices, doi 10.6028/jres.069B.013, for the
    polytope whose fractional relaxation is used; Parikh and Boyd 2014, Proximal algorithms,
    doi 10.1561/2400000003.
    """
    counts = np.sort(np.bincount(table.indices, minlength=table.shape[1]))  # as items are
    read = np.cumsum(np.diff(kinds.item_starts) ** 2)
    light = int(np.searchsorted(read, _MOST_READ, side="right"))
    function = np.minimum(counts, 4 * k - 1)
    by_item = np.argsort(kinds.items, kind="stable")
    return least_price_of_rounds(Table(kinds, function, by_item, light, table.nnz, k), _ROUNDS)
