"""Pairs at k = 2: a grouping in, one that is as good or better out, by exact matching."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from scipy import sparse
from tqdm.auto import tqdm

from pplab.anonymity.kinds import Kinds, kinds_of_rows
from pplab.anonymity.search.pairing_lone import Prices, lone_rows, regrouped
from pplab.anonymity.search.pairing_regions import paired_by_regions
from pplab.anonymity.votes import publish_votes

__all__ = ["better_pairs"]

_WHOLE = 3000  # so many lone rows are paired at once
_SIZE = 1000  # rows of a region: the time grows with the square of them and more
_ROUNDS = 3  # through the table
_UNIT = 64  # of a cost, where costs are not whole numbers of items


def better_pairs(
    table: sparse.csr_array,
    labels: np.ndarray,
    *,
    rng: np.random.Generator,
    keep: str = "half",
    nearest: int = 24,
    until: Callable[[], bool] | None = None,
) -> np.ndarray:
    """Pair rows anew so that a copy for k = 2 keeps more.

    Parameters
    ----------
    table : csr_array of ones, shape (rows, items)
    labels : int64 array, shape (rows,)
        Groups of 2 or more rows.
    rng : Generator
        Draws where regions start, and decides between equals.
    keep : {"half", "more-than-half", "all"}
        What groups publish, see `publish_votes`.
    nearest : int
        So many nearest rows of each row are possible partners.
    until : callable, optional
        Asked before each region; the search ends once it says True. An interruption ends it, too.

    Returns
    -------
    int64 array, shape (rows,)
        Groups of 2 and 3, and such odd groups as were there; never worse than `labels`.

    Notes
    -----
    Groups of an even size, and groups of 3 in which two rows are equal, are free; other odd
    groups stay. A pair publishes what either row has, so what it costs is the distance of its
    rows, and the least sum of distances is best for smooth copies and for suppression.

    Equal rows are put together first. This loses nothing: where x is with a and its copy x'
    with b, the pairs (x, x') and (a, b) cost d(a, b) <= d(a, x) + d(x', b). A kind of 3 or more
    equal rows can spare one, since the rest fall into pairs and one group of 3, and to 2 equal
    rows a third one can be added. So only rows without an equal are left, and each has a partner
    or joins equal rows: a matching again.

    Where all groups are free and at most 3,000 rows are without an equal, no grouping into pairs
    and such groups of 3 is better, as far as each row's list of nearest rows reaches; with
    nearest >= rows - 1 it is the best (for smooth copies at the similarity of `labels`, rounded to
    1/64, which enters only where a third row joins two equal ones).

    References
    ----------
    Higgott and Gidney 2025, Sparse Blossom, doi 10.22331/q-2025-01-20-1600.

    Examples
    --------
    >>> rows = sparse.csr_array([[1, 1, 0, 0], [0, 0, 1, 1], [1, 1, 1, 0], [0, 0, 0, 1]])
    >>> better_pairs(rows, np.array([0, 0, 1, 1]), rng=np.random.default_rng(1))
    array([0, 1, 0, 1])
    """
    kinds = kinds_of_rows(table)
    split = _halved(labels, kinds.kind_of)
    prices = _prices(table, labels, keep)
    best, most = labels, _share(table, labels, keep)
    try:
        for start in (split, _dissolved(split, kinds)):
            if start is None:
                continue
            found = _paired(table, start, kinds, prices, nearest, rng, until)
            share = _share(table, found, keep)
            if share > most:
                best, most = found, share
    except KeyboardInterrupt:
        tqdm.write("interrupted while rows were paired: the best groups so far are returned")
    return best


def _paired(
    table: sparse.csr_array,
    labels: np.ndarray,
    kinds: Kinds,
    prices: Prices,
    nearest: int,
    rng: np.random.Generator,
    until: Callable[[], bool] | None,
) -> np.ndarray:
    """Pair the rows of free groups anew."""
    free = _free(labels, kinds)
    if not free.any():
        return labels
    part = sparse.csr_array(table[free])
    kinds = kinds_of_rows(part)
    lone = lone_rows(part, labels[free], kinds, prices=prices, nearest=nearest)
    count = len(lone.rows)
    size = count if count <= _WHOLE else _SIZE
    partner = paired_by_regions(
        sparse.csr_array(part[lone.rows]),
        lone,
        unit=prices.differs,
        nearest=nearest,
        regions=_ROUNDS * -(-count // _SIZE),
        size=size,
        rng=rng,
        until=until,
    )
    found = labels + len(labels)
    found[free] = regrouped(kinds, lone, partner)
    return np.unique(found, return_inverse=True)[1].astype(np.int64)


def _halved(labels: np.ndarray, kind_of: np.ndarray) -> np.ndarray:
    """Cut groups of an even size into pairs, equal rows next to each other."""
    order = np.lexsort((kind_of, labels))
    ordered = labels[order]
    size = np.bincount(labels)[ordered]
    place = np.arange(len(labels)) - np.searchsorted(ordered, ordered)
    cut = np.empty_like(labels)
    cut[order] = np.arange(len(labels)) - np.where(size % 2 == 0, place % 2, place)
    return cut


def _free(labels: np.ndarray, kinds: Kinds) -> np.ndarray:
    """Rows of pairs, of equal rows by threes, and of two equal ones with one that has no equal."""
    sizes = np.bincount(labels)[labels]
    order = np.lexsort((kinds.kind_of, labels))
    kind, group = kinds.kind_of[order], labels[order]
    changes = np.zeros(len(sizes), dtype=np.int64)
    np.add.at(changes, group[1:], (kind[1:] != kind[:-1]) & (group[1:] == group[:-1]))
    lone = np.bincount(labels, (np.diff(kinds.member_starts) == 1)[kinds.kind_of])
    changes = changes[labels]
    return (sizes == 2) | ((sizes == 3) & ((changes == 0) | ((changes == 1) & (lone[labels] == 1))))


def _dissolved(labels: np.ndarray, kinds: Kinds) -> np.ndarray | None:
    """The same with pairs in place of odd groups, one of them left if their number is odd."""
    fixed = np.flatnonzero(~_free(labels, kinds))
    odd = np.unique(labels[fixed])
    rows = fixed[np.isin(labels[fixed], odd[len(odd) % 2 :])]
    if not len(rows) or len(labels) > _WHOLE:
        return None
    apart = labels + len(labels)
    order = rows[np.argsort(labels[rows], kind="stable")]
    apart[order] = np.arange(len(order)) // 2
    return np.unique(apart, return_inverse=True)[1].astype(np.int64)


def _prices(table: sparse.csr_array, labels: np.ndarray, keep: str) -> Prices:
    """What the groups in question lose, for the similarity that they have."""
    if keep == "half":
        similarity = max(_share(table, labels, keep), Fraction(1, 2))  # any pairs reach half
        differs = round(_UNIT * similarity)
        return Prices(differs, _UNIT, differs)
    return Prices(1, 1, 2 if keep == "all" else 1)


def _share(table: sparse.csr_array, labels: np.ndarray, keep: str) -> Fraction:
    """Similarity of the published table, exactly."""
    published = publish_votes(table, labels, keep=keep)
    return Fraction(published.kept, max(table.nnz + published.created, 1))
