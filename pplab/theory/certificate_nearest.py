"""No k-anonymous copy is more similar than the rows are to their nearest rows."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from scipy import sparse

from pplab.anonymity.kinds import Kinds
from pplab.anonymity.nearest_rows import nearest_keys
from pplab.theory.certificate_inputs import upwards

__all__ = ["nearest_certificate"]


def nearest_certificate(table: sparse.csr_array, kinds: Kinds, k: int) -> float:
    """Bound the Jaccard similarity of every k-anonymous copy, smooth or not, by nearest rows.

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
    distances = nearest_keys(kinds, k) // len(kinds.kind_of)  # the row itself is the first
    total = int(distances.sum(axis=1) @ np.diff(kinds.member_starts))
    return upwards(1 / (1 + Fraction(total, 2 * (k - 1) * table.nnz)))
