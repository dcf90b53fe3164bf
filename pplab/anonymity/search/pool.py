"""From rows without a group to groups: copies, groups grown around seeds, pairs of half groups."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from pplab.anonymity.kinds import Kinds, kinds_of_rows
from pplab.anonymity.search.alike import alike_kinds
from pplab.anonymity.search.build import grow_groups
from pplab.anonymity.search.state import POOL
from pplab.anonymity.search.worth import publishable

__all__ = ["copies_first", "fill_from_pool"]

_ALIKE = 32  # kinds listed for each
_ROUNDS = 8  # at most; each lists the kinds anew among the rows that are left
_WORTHWHILE = 0.02  # of the rows that are left must find a group for another round


def copies_first(table: sparse.csr_array, k: int) -> np.ndarray:
    """Put k or more equal rows into groups of k to 2k - 1 of their own, and others into the pool.

    Groups above k can spare a row for others later on.

    Returns
    -------
    int64 array, shape (rows,)

    Examples
    --------
    >>> copies_first(sparse.csr_array([[1, 0]] * 5 + [[1, 1]]), 2)
    array([ 0,  0,  1,  1,  1, -1])
    """
    kinds = kinds_of_rows(table)
    labels = np.full(table.shape[0], POOL)
    groups = 0
    for kind in np.flatnonzero((np.diff(kinds.member_starts) >= k) & (kinds.degrees > 0)):
        rows = kinds.members[kinds.member_starts[kind] : kinds.member_starts[kind + 1]]
        pieces = len(rows) // k
        labels[rows] = groups + np.minimum(np.arange(len(rows)) // k, pieces - 1)
        groups += pieces
    return labels


def fill_from_pool(
    table: sparse.csr_array,
    labels: np.ndarray,
    k: int,
    *,
    keep: str,
    price: float,
    quiet: bool = False,
) -> np.ndarray:
    """Make groups of rows in the pool, as far as they are worth anything.

    Parameters
    ----------
    table : csr_array of ones, shape (rows, items)
    labels : int64 array, shape (rows,)
        Group of each row, or POOL.
    k : int
    keep : {"half", "more-than-half", "all"}
    price : float
        Of `worth_table`.

    Notes
    -----
    Two groups of h = ceil(k / 2) rows that agree make one of 2 h rows, whatever the two have in
    common: half of it has each item, so that each publishes its own at the price of as many
    created entries. Ties make this legal; with other rules nothing is gained.
    """
    labels = _grow(table, labels, k, 1, keep, price, quiet)
    if keep == "half":
        labels = _grow(table, labels, (k + 1) // 2, 2, "all", price, quiet)
    return labels


def _grow(
    table: sparse.csr_array,
    labels: np.ndarray,
    size: int,
    together: int,
    keep: str,
    price: float,
    quiet: bool,
) -> np.ndarray:
    """Grow groups of some size, and put so many of them together as they come."""
    labels = labels.copy()
    for _ in range(_ROUNDS):
        left = np.flatnonzero(labels == POOL)
        if len(left) < size * together:
            break
        kinds = kinds_of_rows(publishable(sparse.csr_array(table[left]), size, keep=keep))
        if size == 1:
            grown = np.sort(kinds.kind_of)[:, None]
        else:
            free, alike = np.diff(kinds.member_starts), alike_kinds(kinds, _ALIKE, quiet=quiet)
            grown = grow_groups(kinds, free, alike, size, keep=keep, price=price)
        whole = grown[: len(grown) // together * together].reshape(-1, size * together)
        rows = left[_rows_of(kinds, whole)]
        labels[rows] = labels.max() + 1 + np.arange(len(whole))[:, None]
        if rows.size < max(_WORTHWHILE * len(left), 1):
            break
    return labels


def _rows_of(kinds: Kinds, groups: np.ndarray) -> np.ndarray:
    """Turn kinds into rows, each row once."""
    flat = groups.ravel()
    order = np.argsort(flat, kind="stable")
    ordered = flat[order]
    first = np.searchsorted(ordered, ordered)  # where its kind begins
    rows = np.empty(len(flat), dtype=np.int64)
    rows[order] = kinds.members[kinds.member_starts[ordered] + np.arange(len(flat)) - first]
    return rows.reshape(groups.shape)
