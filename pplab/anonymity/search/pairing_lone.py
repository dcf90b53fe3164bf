"""Rows like no other among groups of 2 and 3: what is left to pair once equal rows are together."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from scipy import sparse

from pplab.anonymity.kinds import Kinds, kinds_of_rows
from pplab.anonymity.nearest_rows import nearest_keys
from pplab.anonymity.search.pairing_exact import NOBODY

__all__ = ["Lone", "Prices", "lone_rows", "regrouped"]


class Prices(NamedTuple):
    """Costs of an item, whole numbers.

    Attributes
    ----------
    differs : int
        That one row of a pair has.
    lost, missing : int
        That only u has, or only the others, in a group of u and two equal rows. Both are at
        least `differs`.
    """

    differs: int
    lost: int
    missing: int


class Lone(NamedTuple):
    """Rows without an equal one.

    Attributes
    ----------
    rows : int64 array, shape (lone,)
    partner : int64 array, shape (lone,)
        Number of another lone row, or `NOBODY`: the row joins equal ones.
    near : int64 array, shape (lone, length)
        Lone rows, nearest first; `NOBODY` stands for rows that are not lone.
    host : int64 array, shape (lone,)
        Kind of the equal rows that it would join.
    leaving : int64 array, shape (lone,), or None
        What that costs; None where no two rows are equal.
    """

    rows: np.ndarray
    partner: np.ndarray
    near: np.ndarray
    host: np.ndarray
    leaving: np.ndarray | None


def lone_rows(
    table: sparse.csr_array, labels: np.ndarray, kinds: Kinds, *, prices: Prices, nearest: int
) -> Lone:
    """Pair equal rows and carry over to the others what a grouping does with them.

    Parameters
    ----------
    table : csr_array of ones, shape (rows, items)
    labels : int64 array, shape (rows,)
        Groups of 2, or of 3 with two equal rows at least.
    kinds : Kinds
        Of the table.

    Notes
    -----
    Nothing gets worse. Read each pair of unequal rows as an edge between their kinds. A kind of
    one row has one edge. Where edges meet in a kind of more rows, they are joined two by two, and
    of an odd number one stays: what comes out are paths. A path from lone row to lone row becomes
    a pair, at no more than its edges cost together, by the triangle inequality; one that stays
    in a kind becomes a row that joins it; others are dropped. The rows of a kind then make
    pairs, and a group of 3 if their number is odd.
    """
    sizes = np.diff(kinds.member_starts)
    lone = np.flatnonzero(sizes == 1)
    number = np.full(len(sizes), NOBODY)
    number[lone] = np.arange(len(lone))
    ends = _half_edges(labels, kinds.kind_of)
    reached = _paths(ends, _joined(ends, sizes), lone, len(sizes))
    rows = kinds.members[kinds.member_starts[lone]]
    one_each = sparse.csr_array(table[kinds.members[kinds.member_starts[:-1]]])
    other = kinds_of_rows(one_each)
    keys = nearest_keys(other, min(nearest + 1, len(sizes)))[other.kind_of[lone]]
    far, near = np.divmod(keys, len(sizes))
    host, leaving = _hosts(kinds, lone, near, far, prices)
    near = np.where(near == lone[:, None], NOBODY, number[near])
    return Lone(rows, np.where(reached < 0, NOBODY, number[reached]), near, host, leaving)


def regrouped(kinds: Kinds, lone: Lone, partner: np.ndarray) -> np.ndarray:
    """Groups of all rows when the lone ones have these partners; two that join one kind pair up."""
    labels = np.full(len(kinds.kind_of), NOBODY)
    sizes = np.diff(kinds.member_starts)
    paired = np.flatnonzero(partner != NOBODY)
    labels[lone.rows[paired]] = lone.rows[np.minimum(paired, partner[paired])]
    joins = np.flatnonzero(partner == NOBODY)
    joins = joins[np.argsort(lone.host[joins], kind="stable")]
    guest = np.full(len(sizes), NOBODY)
    for row, host in zip(lone.rows[joins], lone.host[joins], strict=True):
        if guest[host] == NOBODY:
            guest[host] = row
        else:
            labels[[guest[host], row]] = row
            guest[host] = NOBODY
    for kind in np.flatnonzero(sizes > 1):
        members = kinds.members[kinds.member_starts[kind] : kinds.member_starts[kind + 1]]
        if guest[kind] != NOBODY:
            members = np.append(guest[kind], members)  # a pair, or a group of 3 with both
        pairs = np.arange(len(members)) // 2
        labels[members] = members[2 * np.minimum(pairs, len(members) // 2 - 1)]
    return labels


def _half_edges(labels: np.ndarray, kind_of: np.ndarray) -> np.ndarray:
    """Kinds at the two ends of each pair of unequal rows; a group of 3 has at most one."""
    order = np.lexsort((kind_of, labels))
    follows = labels[order[1:]] == labels[order[:-1]]
    unequal = kind_of[order[1:]] != kind_of[order[:-1]]
    place = np.flatnonzero(follows & unequal)
    return np.column_stack([kind_of[order[place]], kind_of[order[place + 1]]]).ravel()


def _joined(ends: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Half-edge that each half-edge is joined to at its kind, or NOBODY."""
    order = np.argsort(ends, kind="stable")
    kind = ends[order]
    place = np.arange(len(ends)) - np.searchsorted(kind, kind)
    last = np.append(kind[1:] != kind[:-1], True)[: len(ends)]
    beside = np.where(place % 2 == 1, -1, 1)
    joined = np.full(len(ends), NOBODY)
    meets = ~((place % 2 == 0) & last) & (sizes[kind] > 1)
    joined[order[meets]] = order[np.flatnonzero(meets) + beside[meets]]
    return joined


@numba.njit(cache=True)
def _paths(ends: np.ndarray, joined: np.ndarray, lone: np.ndarray, kinds: int) -> np.ndarray:
    """Lone kind at the other end of the path of each lone kind, or NOBODY."""
    start = np.full(kinds, -1, dtype=np.int64)
    for half in range(len(ends)):
        start[ends[half]] = half
    is_lone = np.zeros(kinds, dtype=np.bool_)
    is_lone[lone] = True
    reached = np.empty(len(lone), dtype=np.int64)
    for number in range(len(lone)):
        half = start[lone[number]] ^ 1
        while joined[half] >= 0:
            half = joined[half] ^ 1
        reached[number] = ends[half] if is_lone[ends[half]] else -1
    return reached


def _hosts(
    kinds: Kinds, lone: np.ndarray, near: np.ndarray, far: np.ndarray, prices: Prices
) -> tuple[np.ndarray, np.ndarray | None]:
    """Cheapest kind of equal rows to join among those on the list and the lightest of all."""
    sizes = np.diff(kinds.member_starts)
    if not (sizes > 1).any():
        return np.full(len(lone), NOBODY), None
    degrees = kinds.degrees
    lightest = int(np.argmax(sizes > 1))  # kinds are numbered by degree
    near = np.column_stack([near, np.full(len(lone), lightest)])
    far = np.column_stack([far, degrees[lone] + degrees[lightest]])
    lost = (far + degrees[lone][:, None] - degrees[near]) // 2
    joined = prices.lost * lost + prices.missing * (far - lost)
    costs = np.where(sizes[near] > 2, prices.differs * far, joined)
    costs[sizes[near] < 2] = np.iinfo(np.int64).max
    best = np.argmin(costs, axis=1)
    return near[np.arange(len(lone)), best], costs[np.arange(len(lone)), best]
