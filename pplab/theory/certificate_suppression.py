"""No k-anonymous copy by suppression keeps more than rows share with k - 1 others."""

from __future__ import annotations

from fractions import Fraction

import numba
import numpy as np
from scipy import sparse

from pplab._compiled import in_threads
from pplab.anonymity.kinds import Kinds, common_at_the_end, kinds_of_rows
from pplab.theory.certificate_inputs import upwards

__all__ = ["suppression_certificate"]

_BLOCK = 4096  # kinds per job


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
    kinds = kinds_of_rows(_frequent(table, k))
    count = len(kinds.degrees)

    def total(first: int) -> int:
        return _shared(kinds, first, min(first + _BLOCK, count), k - 1)

    kept = in_threads(total, range(0, count, _BLOCK), label="shared items")
    return upwards(Fraction(sum(kept), table.nnz))


def _frequent(table: sparse.csr_array, k: int) -> sparse.csr_array:
    """The table without the entries of columns that have fewer than k."""
    stays = np.bincount(table.indices, minlength=table.shape[1])[table.indices] >= k
    indptr = np.concatenate([[0], np.cumsum(stays)])[table.indptr]
    return sparse.csr_array((table.data[stays], table.indices[stays], indptr), shape=table.shape)


@numba.njit(cache=True, nogil=True)
def _shared(kinds: Kinds, first: int, last: int, wanted: int) -> int:
    """Sum over the rows of some kinds of the wanted-th largest overlap with another row."""
    counts = np.zeros(len(kinds.degrees), dtype=np.int32)
    touched = np.empty(len(kinds.degrees), dtype=np.int32)
    rows = np.zeros(kinds.degrees[-1] + 2, dtype=np.int64)
    total = 0
    for kind in range(first, last):
        degree = kinds.degrees[kind]
        own = kinds.member_starts[kind + 1] - kinds.member_starts[kind]
        if own > wanted:
            total += own * degree
            continue
        rows[: degree + 1] = 0
        met, read = _read(kinds, kind, own, wanted, counts, touched, rows)
        rows[: degree + 1] = 0
        rows[degree] = own - 1
        ours = kinds.items[kinds.starts[kind] + read : kinds.starts[kind + 1]]
        for other in touched[:met]:
            if other != kind:
                theirs = kinds.items[kinds.starts[other] : kinds.starts[other + 1]]
                overlap = counts[other] + common_at_the_end(ours, theirs)
                rows[overlap] += kinds.member_starts[other + 1] - kinds.member_starts[other]
            counts[other] = 0
        total += own * _reached(rows, degree, wanted)
    return total


@numba.njit(cache=True, nogil=True)
def _read(
    kinds: Kinds,
    kind: int,
    own: int,
    wanted: int,
    counts: np.ndarray,
    touched: np.ndarray,
    rows: np.ndarray,
) -> tuple[int, int]:
    """Count items shared with each kind, rare ones first, until no new kind can matter.

    A kind that has none of the first p items shares at most degree - p. Once so many rows as
    wanted are known to share that many, only kinds already met are of interest; how much these
    share in the rest is looked up where that is less work than to read on.
    """
    degree, start = kinds.degrees[kind], kinds.starts[kind]
    met = 0
    for p in range(degree):
        left = degree - p
        known = own - 1  # rows that share at least so many of the first p
        for shared in range(left, p + 1):
            known += rows[shared]
        item = kinds.items[start + p]
        a, b = kinds.item_starts[item], kinds.item_starts[item + 1]
        if known >= wanted and b - a > met:
            return met, p
        for other in kinds.item_kinds[a:b]:
            size = kinds.member_starts[other + 1] - kinds.member_starts[other]
            if counts[other] == 0:
                touched[met] = other
                met += 1
            elif other != kind:
                rows[counts[other]] -= size
            counts[other] += 1
            if other != kind:
                rows[counts[other]] += size
    return met, degree


@numba.njit(cache=True, nogil=True)
def _reached(rows: np.ndarray, highest: int, wanted: int) -> int:
    """Overlap of the wanted-th row from the top; 0 if fewer share anything."""
    for overlap in range(highest, 0, -1):
        wanted -= rows[overlap]
        if wanted <= 0:
            return overlap
    return 0
