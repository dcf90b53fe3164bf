"""Common neighbours and triangles, compiled: what `statistics.py` says in words, at dblp's size."""

# Numba compiles the undeclared functions below and infers their types itself.
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from pplab.compiled import count_in_lists, njit


@njit(nogil=True)
def common_and_single(indptr, indices, degree, by_degree):
    """For each number of common neighbours the most single ones of a pair; -1 where there is none.

    Node by node: its neighbours' neighbours are counted in a full-length array. Pairs with nothing
    in common are not listed but looked for, nodes of large degree first.
    """
    nodes = len(degree)
    best = np.full(degree.max() + 1 if nodes else 1, -1, dtype=np.int64)
    common = np.zeros(nodes, dtype=np.int64)
    joined = np.full(nodes, -1, dtype=np.int64)
    touched = np.empty(nodes, dtype=np.int64)
    for i in range(nodes):
        neighbours = indices[indptr[i] : indptr[i + 1]]
        joined[neighbours] = i
        count = count_in_lists(indptr, indices, neighbours, common, touched)
        for j in touched[:count]:
            if j == i:
                continue
            single = degree[i] + degree[j] - 2 * common[j] - 2 * (joined[j] == i)
            best[common[j]] = max(best[common[j]], single)
        for j in by_degree:
            if degree[i] + degree[j] <= best[0]:
                break
            if j != i and common[j] == 0:
                best[0] = max(best[0], degree[i] + degree[j] - 2 * (joined[j] == i))
        common[touched[:count]] = 0
    return best


@njit(nogil=True)
def triangles_of(indptr, indices, trios):
    """Fill trios with the triangles i < j < k in order, as far as it reaches; give their number."""
    nodes, count = len(indptr) - 1, 0
    mark = np.full(nodes, -1, dtype=np.int64)
    for i in range(nodes):
        for entry in range(indptr[i], indptr[i + 1]):
            mark[indices[entry]] = i
        for entry in range(indptr[i], indptr[i + 1]):
            j = indices[entry]
            if j < i:
                continue
            for other in range(indptr[j], indptr[j + 1]):
                k = indices[other]
                if k > j and mark[k] == i:
                    if count < len(trios):
                        trios[count, 0], trios[count, 1], trios[count, 2] = i, j, k
                    count += 1
    return count
