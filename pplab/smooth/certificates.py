"""How similar to the original any k-anonymous copy can be at most: two bounds with their proofs.

``smoothbound.certificates`` has closer ones, for smooth copies.
"""

import math
from fractions import Fraction

import numpy as np
from scipy import sparse

from pplab.smooth.rows import DistinctRows, nearest_keys


def upwards(bound: Fraction) -> float:
    """Smallest float that is not below a fraction, so that rounding keeps a bound valid.

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
