"""No k-anonymous copy is more similar than the counts of the columns allow."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from scipy import sparse

from pplab.theory.certificate_inputs import upwards

__all__ = ["column_certificate"]


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
    found = (Fraction(kept[place], table.nnz + created[place]) for place in places)
    return upwards(max(found, default=Fraction(0)))
