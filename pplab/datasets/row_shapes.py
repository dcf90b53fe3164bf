"""How alike the rows of a matrix of ones are, in a few numbers: what a stand-in has to match.

k-anonymity can do well where rows have copies, or near neighbours, and badly elsewhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

__all__ = ["describe_rows"]

_SEED = 8  # of the rows that are looked at
_BLOCK = 50  # of them at a time: the memory does not grow with the square of the rows


def describe_rows(biadjacency: sparse.csr_array, *, k: int, sample: int = 1000) -> dict[str, Any]:
    """Summarise degrees, equal rows and near rows.

    Parameters
    ----------
    biadjacency : csr_array of ones, sorted, shape (rows, columns)
        Every row stores at least one.
    k : int
        From how many copies on a row counts as anonymous as it is; `k` - 1 near rows are looked at.
    sample : int
        How many rows are asked for their near ones, drawn with a fixed seed.

    Returns
    -------
    dict
        ``row_degrees`` and ``column_degrees`` (21 quantiles, from the smallest to the largest),
        ``column_tops`` (entries of the 1st, 2nd, 4th, ... column by size, at most twelve),
        ``distinct_rows``, ``alike`` (share of the rows that are one of `k` or more equal ones) and
        ``distance`` (mean Hamming distance from a row to its k - 1 nearest ones, summed over the
        sample and divided by twice its entries: 0 where all have copies, towards 1 where nobody
        has anything in common).

    Examples
    --------
    >>> two = sparse.csr_array([[1, 1, 0], [1, 1, 0], [0, 1, 1]])
    >>> found = describe_rows(two, k=2)
    >>> found["distinct_rows"], round(found["alike"], 3), round(found["distance"], 3)
    (2, 0.667, 0.167)
    """
    degrees = np.diff(biadjacency.indptr)
    columns = np.bincount(biadjacency.indices, minlength=biadjacency.shape[1])
    copies = _copies(biadjacency)
    points = np.linspace(0, 1, 21)
    tops = np.sort(columns)[::-1]
    chosen = np.random.default_rng(_SEED).permutation(len(degrees))[:sample]
    distances = _distances(biadjacency.astype(np.int32), degrees, np.sort(chosen), k - 1)
    return {
        "row_degrees": np.quantile(degrees, points, method="nearest").tolist(),
        "column_degrees": np.quantile(columns, points, method="nearest").tolist(),
        "column_tops": [int(tops[2**place - 1]) for place in range(12) if 2**place <= len(tops)],
        "distinct_rows": len(copies),
        "alike": round(float(copies[copies >= k].sum() / len(degrees)), 4),
        "distance": round(float(distances.sum() / (2 * degrees[chosen].sum())), 4),
    }


def _copies(biadjacency: sparse.csr_array) -> np.ndarray:
    """How often each distinct row occurs; rows are told apart by a 64-bit sum of column codes."""
    codes = np.random.default_rng(_SEED).integers(2**63, size=biadjacency.shape[1], dtype=np.uint64)
    sums = np.add.reduceat(codes[biadjacency.indices], biadjacency.indptr[:-1])
    return np.unique(sums, return_counts=True)[1]


def _distances(
    matrix: sparse.csr_array, degrees: np.ndarray, chosen: np.ndarray, count: int
) -> np.ndarray:
    """Mean distance from each of the chosen rows to its `count` nearest other rows."""
    turned = sparse.csr_array(matrix.T)
    far = np.sort(degrees)[:count]  # of rows without a common entry the smallest are nearest
    found = []
    for start in range(0, len(chosen), _BLOCK):
        rows = chosen[start : start + _BLOCK]
        common = matrix[rows] @ turned
        for place, row in enumerate(rows):
            part = slice(common.indptr[place], common.indptr[place + 1])
            others = common.indices[part]
            gaps = degrees[row] + degrees[others] - 2 * common.data[part]
            gaps = np.concatenate([gaps[others != row], degrees[row] + far])
            found.append(np.partition(gaps, count - 1)[:count].mean())
    return np.array(found)
