"""Exact pairing of many rows, one region of similar rows after the other."""

from __future__ import annotations

from collections.abc import Callable

import numba
import numpy as np
from scipy import sparse

from pplab.anonymity.search.pairing_exact import NOBODY, cheapest_pairs, pair_distances
from pplab.anonymity.search.pairing_lone import Lone

__all__ = ["paired_by_regions"]


def paired_by_regions(
    table: sparse.csr_array,
    lone: Lone,
    *,
    unit: int,
    nearest: int,
    regions: int,
    size: int,
    rng: np.random.Generator,
    until: Callable[[], bool] | None,
) -> np.ndarray:
    """Better partners for lone rows; what a region had before stays if nothing is cheaper.

    Parameters
    ----------
    table : csr_array of ones, shape (lone, items)
        The lone rows.
    unit : int
        Cost of each item in which the rows of a pair differ.
    regions, size : int
        How many regions, and about how many rows each.

    Returns
    -------
    int64 array, shape (lone,)
        Partners, at no more than the cost of `lone.partner`.

    Notes
    -----
    Regions are cut from the table in rounds. In a round each row is in one region, and whole
    pairs are; rows where the search starts are drawn anew. It ends early after a round in which
    no region got cheaper.
    """
    partner = lone.partner.copy()
    costs = _costs(table, partner, lone.leaving, unit)
    done, gained = 0, True
    while gained:
        gained, start = False, 0
        order, used = rng.permutation(len(partner)), np.zeros(len(partner), dtype=np.bool_)
        while start < len(order):
            if done >= regions or (until is not None and until()):
                return partner
            region, start = _grown(lone.near, partner, order, start, used, size)
            done += 1
            part = sparse.csr_array(table[region])
            leaving = None if lone.leaving is None else lone.leaving[region]
            known = _known(region, partner)
            found = cheapest_pairs(part, known, leaving, unit=unit, nearest=nearest, rng=rng)
            now = _costs(part, found, leaving, unit)
            if now.sum() < costs[region].sum():
                partner[region] = np.where(found == NOBODY, NOBODY, region[found])
                costs[region], gained = now, True
        gained = gained and done < regions and len(partner) > size
    return partner


def _known(region: np.ndarray, partner: np.ndarray) -> np.ndarray:
    """Pairs of a region as they are, in its own numbers; the region ascends."""
    other = partner[region]
    one = np.flatnonzero(other > region)
    return np.column_stack([one, np.searchsorted(region, other[one])])


def _costs(
    table: sparse.csr_array, partner: np.ndarray, leaving: np.ndarray | None, unit: int
) -> np.ndarray:
    """Twice what each row pays, half of its pair or all for leaving."""
    costs = np.zeros(len(partner), dtype=np.int64)
    paired = np.flatnonzero(partner != NOBODY)
    costs[paired] = unit * pair_distances(table, paired, partner[paired])
    if leaving is not None:
        alone = partner == NOBODY
        costs[alone] = 2 * leaving[alone]
    return costs


@numba.njit(cache=True)
def _grown(
    near: np.ndarray,
    partner: np.ndarray,
    order: np.ndarray,
    start: int,
    used: np.ndarray,
    size: int,
) -> tuple[np.ndarray, int]:
    """Breadth-first over near rows and partners, from further starts once nothing is in reach.

    Returns
    -------
    int64 array
        Rows of the region, ascending; they are marked in `used`.
    int
        Place in the order of the next start that is not used.
    """
    region = np.empty(size + 2, dtype=np.int64)
    count = read = 0
    while start < len(order):
        if used[order[start]]:
            start += 1
            continue
        if count >= size:
            break
        if read == count:
            count = _taken(order[start], partner, used, region, count)
        while read < count and count < size:
            for other in near[region[read]]:
                if other >= 0 and not used[other] and count < size:
                    count = _taken(other, partner, used, region, count)
            read += 1
    return np.sort(region[:count]), start


@numba.njit(cache=True)
def _taken(row: int, partner: np.ndarray, used: np.ndarray, region: np.ndarray, count: int) -> int:
    for member in (row, partner[row]):
        if member >= 0:
            region[count] = member
            used[member] = True
            count += 1
    return count
