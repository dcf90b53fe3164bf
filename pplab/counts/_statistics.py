"""Triangles, compiled."""

# Numba compiles the undeclared functions below and infers their types itself.
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from pplab.compiled import njit


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
