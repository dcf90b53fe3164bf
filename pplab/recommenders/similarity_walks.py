"""Counts of walks of three edges: those that end where they began, and the most from any user."""

# Numba compiles the undeclared functions below and infers their types itself.
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numba
import numpy as np

from pplab.recommenders.similarity_rows import RowPlan
from pplab.recommenders.similarity_threads import in_threads

__all__ = ["closed_walks", "most_walks"]

_PARTS = 8  # each with a count per user of its own


def closed_walks(plan: RowPlan) -> np.ndarray:
    """Walks of three edges from each user back: twice the triangles."""
    degrees = np.diff(plan.indptr)
    rank = np.empty(len(degrees), dtype=np.int64)
    rank[np.argsort(degrees, kind="stable")] = np.arange(len(degrees))
    indptr, indices = _upward(plan.indptr, plan.indices, rank)
    found: list[np.ndarray] = []
    in_threads(
        lambda users: found.append(_triangles(indptr, indices, users.start, users.stop)),
        len(degrees),
        len(degrees) // _PARTS + 1,
    )
    return 2.0 * np.sum(found, axis=0)  # of whole numbers, so that their order does not matter


def most_walks(plan: RowPlan) -> int:
    """Count the walks of up to three edges from each user; the most from any."""
    return int(_walks(plan.indptr, plan.indices).max(initial=0))


@numba.njit(cache=True, nogil=True)
def _upward(indptr, indices, rank):
    """Each edge once, towards the end of higher degree: no user then has many."""
    starts, ahead = np.zeros(len(indptr), np.int64), np.empty(len(indices) // 2 + 1, np.uint32)
    used = 0
    for user in range(len(rank)):
        for entry in range(indptr[user], indptr[user + 1]):
            other = indices[entry]
            ahead[used] = other
            used += rank[user] < rank[other]
        starts[user + 1] = used
    return starts, ahead


@numba.njit(cache=True, nogil=True)
def _triangles(indptr, indices, start, stop):
    """Triangles at each user, of those that are found from some users."""
    users = len(indptr) - 1
    found, marked = np.zeros(users, np.int64), np.zeros(users, np.bool_)
    for user in range(start, stop):
        ahead = indices[indptr[user] : indptr[user + 1]]
        for second in ahead:
            marked[second] = True
        for second in ahead:
            for entry in range(indptr[second], indptr[second + 1]):
                third = indices[entry]
                if marked[third]:
                    found[user] += 1
                    found[second] += 1
                    found[third] += 1
        for second in ahead:
            marked[second] = False
    return found


@numba.njit(cache=True, nogil=True)
def _walks(indptr, indices):
    one = (indptr[1:] - indptr[:-1]).astype(np.float64)
    two, three = np.zeros(len(one)), np.zeros(len(one))
    for user in range(len(one)):
        for entry in range(indptr[user], indptr[user + 1]):
            two[user] += one[indices[entry]]
    for user in range(len(one)):
        for entry in range(indptr[user], indptr[user + 1]):
            three[user] += two[indices[entry]]
    return one + two + three
