"""Cheapest pairs among rows of a small table, by sparse blossom."""

from __future__ import annotations

from types import ModuleType

import numpy as np
from scipy import sparse

from pplab.anonymity.kinds import kinds_of_rows
from pplab.anonymity.nearest_rows import nearest_keys
from pplab.checks import check_installed

__all__ = ["NOBODY", "cheapest_pairs", "matching_library", "pair_distances"]

NOBODY = -1  # partner of a row that leaves for a group of equal rows
_HEAVIEST = 2**24 - 1  # weights that PyMatching takes; whole numbers up to this stay exact


def matching_library() -> ModuleType:
    """PyMatching, which the extra "fast" brings."""
    return check_installed("PyMatching", module="pymatching", extra="fast")


def cheapest_pairs(
    table: sparse.csr_array,
    known: np.ndarray,
    leaving: np.ndarray | None,
    *,
    unit: int,
    nearest: int,
    rng: np.random.Generator,
) -> np.ndarray:
    """Pair the rows of a table at the least sum of distances, or let some of them leave.

    Parameters
    ----------
    table : csr_array of ones, shape (rows, items)
    known : int64 array, shape (pairs, 2)
        Pairs that are possible whether or not they are near.
    leaving : int64 array, shape (rows,), or None
        What it costs if a row stays without partner; None if every row must have one, and then
        the number of rows is even.
    unit : int
        Cost of each item in which the rows of a pair differ.
    nearest : int
        So many nearest rows of each row are possible partners.
    rng : Generator
        Decides between solutions that cost the same.

    Returns
    -------
    int64 array, shape (rows,)
        Partner of each row, or `NOBODY`.

    Notes
    -----
    A solution costs no more than any other that takes pairs from the lists of nearest rows, from
    `known`, or through the empty row (rows u and v at |u| + |v|, which is no less than their
    distance). With nearest >= rows - 1 it is thus the best there is. The library finds a least
    set of edges in which every row has an odd number of ends. Such a set falls apart into paths
    between rows, and by the triangle inequality the two ends of a path may be paired directly.

    References
    ----------
    Higgott and Gidney 2025, Sparse Blossom: correcting a million errors per core second with
    minimum-weight matching, doi 10.22331/q-2025-01-20-1600.
    """
    rows = table.shape[0]
    left, right, distances = _edges(table, known, nearest)
    empty, degrees = np.full(rows, rows), np.diff(table.indptr)
    left, right = np.concatenate([left, np.arange(rows)]), np.concatenate([right, empty])
    costs = unit * np.concatenate([distances, degrees]).astype(np.int64)
    ends = np.column_stack([left, right]).ravel()
    starts = np.arange(0, len(ends) + 1, 2)
    if leaving is not None:
        costs = np.concatenate([costs, leaving])
        starts = np.concatenate([starts, len(ends) + 1 + np.arange(rows)])
        ends = np.concatenate([ends, np.arange(rows)])
    incidence = sparse.csc_matrix(
        (np.ones(len(ends), dtype=np.uint8), ends, starts), shape=(rows + 1, len(costs))
    )
    matching = matching_library().Matching()
    matching.load_from_check_matrix(
        incidence,
        weights=_untied(costs, rows, rng).astype(np.float64),
        faults_matrix=sparse.csc_matrix((1, len(costs)), dtype=np.uint8),
        use_virtual_boundary_node=True,
    )
    asked = np.ones(rows + 1, dtype=np.uint8)
    asked[rows] = 0
    partner = np.full(rows, NOBODY, dtype=np.int64)
    for one, other in matching.decode_to_matched_dets_array(asked):
        partner[one] = other
        if other != NOBODY:
            partner[other] = one
    return partner


def pair_distances(table: sparse.csr_array, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Numbers of items in which rows left[i] and right[i] differ, int64."""
    degrees = np.diff(table.indptr).astype(np.int64)
    common = table[left].multiply(table[right]).sum(axis=1)
    return degrees[left] + degrees[right] - 2 * np.asarray(common, dtype=np.int64).ravel()


def _edges(
    table: sparse.csr_array, known: np.ndarray, nearest: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Possible pairs, each once, and their distances."""
    rows = table.shape[0]
    kinds = kinds_of_rows(table)
    keys = nearest_keys(kinds, min(nearest + 1, rows))[kinds.kind_of]
    one, other = np.repeat(np.arange(rows), keys.shape[1]), (keys % rows).ravel()
    far = np.concatenate([(keys // rows).ravel(), pair_distances(table, known[:, 0], known[:, 1])])
    one, other = np.concatenate([one, known[:, 0]]), np.concatenate([other, known[:, 1]])
    low, high = np.minimum(one, other), np.maximum(one, other)
    _, first = np.unique(low * rows + high, return_index=True)
    first = first[low[first] != high[first]]
    return low[first], high[first], far[first]


def _untied(costs: np.ndarray, rows: int, rng: np.random.Generator) -> np.ndarray:
    """Scale the costs and add noise that cannot outweigh a difference of 1.

    A solution has at most `rows` edges and as many leaving rows. Fewer ties make fewer and
    smaller blossoms.
    """
    scale = _HEAVIEST // (int(costs.max(initial=0)) + 1)
    noise = scale // (2 * rows + 1)
    return costs * scale + rng.integers(0, noise, len(costs)) if noise > 1 else costs
