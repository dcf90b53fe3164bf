"""Similarities times a dense table, by two or three products with the adjacency.

Sums over all users of two steps are sums over neighbours of sums over neighbours: no similarity is
ever formed. What such sums count too much (the user itself) is taken off before it is weighted, so
that for tables of whole numbers, such as cluster memberships, zeros stay zeros.
"""

# Numba compiles the undeclared functions below and infers their types itself.
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numba
import numpy as np
from scipy import sparse

from pplab.recommenders.similarity_rows import DAMPING, RowPlan
from pplab.recommenders.similarity_threads import in_threads

__all__ = ["closed_walks", "common_products", "katz_products", "most_walks"]

_TWO, _THREE = DAMPING**2, DAMPING**3
_PARTS = 8  # blocks of users in which triangles are found, each with a count per user of its own


def common_products(plan: RowPlan, table: np.ndarray, users: np.ndarray) -> np.ndarray:
    """Rows of cn, aa or resource allocation times a table."""
    one_step, out = np.empty(table.shape), np.empty((len(users), table.shape[1]))
    csr, everyone, weights = (plan.indptr, plan.indices), np.arange(len(table)), plan.node_weights

    def first(rows: slice) -> None:
        _neighbour_sums(*csr, everyone[rows], table, table, False, weights, False, one_step[rows])

    def second(rows: slice) -> None:
        less = not plan.keep_self
        _neighbour_sums(*csr, users[rows], one_step, table, less, weights, True, out[rows])

    in_threads(first, len(table))
    in_threads(second, len(users))
    return out


def katz_products(plan: RowPlan, table: np.ndarray, users: np.ndarray) -> np.ndarray:
    """Rows of katz times a table.

    With V the sums over paths of two edges, those over three are A V - (D - 1) A C - T C: from
    each neighbour go on by two edges, take off returns to u on the way, and triangles T at u.
    """
    csr, everyone, weights = (plan.indptr, plan.indices), np.arange(len(table)), plan.node_weights
    labels = table.argmax(axis=1).astype(np.uint32)
    member = np.count_nonzero(table) == len(table) and (table[everyone, labels] == 1).all()
    # Steps from memberships are counts; small integers take half the way through memory.
    counts = bool(member) and most_walks(plan) < 2**31
    one_step = np.empty(table.shape, dtype=np.int32 if counts else np.float64)
    two_steps, out = np.empty_like(one_step), np.empty((len(users), table.shape[1]))
    closed = np.zeros(len(table)) if plan.keep_self else closed_walks(plan)

    def first(rows: slice) -> None:
        if counts:
            _neighbour_counts(*csr, everyone[rows], labels, one_step[rows])
        else:
            _neighbour_sums(
                *csr, everyone[rows], table, table, False, weights, False, one_step[rows]
            )

    def second(rows: slice) -> None:
        _neighbour_sums(
            *csr, everyone[rows], one_step, table, plan.simple, weights, False, two_steps[rows]
        )

    def third(rows: slice) -> None:
        here = users[rows]
        sums = np.empty((len(here), table.shape[1]), dtype=two_steps.dtype)
        _neighbour_sums(*csr, here, two_steps, table, False, weights, False, sums)
        _weigh_steps(plan, here, table, closed, one_step, two_steps, sums, out[rows])

    in_threads(first, len(table))
    in_threads(second, len(table))
    in_threads(third, len(users))
    return out


def closed_walks(plan: RowPlan) -> np.ndarray:
    """Walks of three edges from each user back: twice the triangles."""
    degrees = np.diff(plan.indptr)
    rank = np.empty(len(degrees), dtype=np.int32)
    rank[np.argsort(degrees, kind="stable")] = np.arange(len(degrees))
    # each edge once, towards the end of higher degree: no user then has many
    ahead = np.repeat(rank, degrees) < rank[plan.indices]
    indptr, indices = np.append(0, np.cumsum(ahead))[plan.indptr], plan.indices[ahead]
    found: list[np.ndarray] = []
    in_threads(
        lambda part: found.append(_triangles(indptr, indices, part.start, part.stop)),
        len(degrees),
        len(degrees) // _PARTS + 1,
    )
    return 2.0 * np.sum(found, axis=0)  # of whole numbers, so that their order does not matter


def most_walks(plan: RowPlan) -> int:
    """Count the walks of up to three edges from each user; the most from any."""
    one = np.diff(plan.indptr).astype(np.float64)
    cells = (np.ones(len(plan.indices)), plan.indices.astype(np.int64), plan.indptr)
    a = sparse.csr_array(cells, shape=(len(one), len(one)))
    two = a @ one
    return int((one + two + a @ two).max(initial=0))


@numba.njit(cache=True, nogil=True)
def _neighbour_counts(indptr, indices, users, labels, out):
    """How many neighbours each user has in each cluster."""
    out[:] = 0
    for row in range(len(users)):
        for entry in range(indptr[users[row]], indptr[users[row] + 1]):
            out[row, labels[indices[entry]]] += 1


@numba.njit(cache=True, nogil=True)
def _neighbour_sums(indptr, indices, users, source, table, subtract, weights, weighted, out):
    """Sum the rows of each user's neighbours, from each less the user's row of the table."""
    own = np.zeros(out.shape[1], out.dtype)
    for row in range(len(users)):
        user, sums = users[row], out[row]
        sums[:] = 0
        if subtract:
            own[:] = table[user].astype(out.dtype)
        for entry in range(indptr[user], indptr[user + 1]):
            step = source[indices[entry]]
            if weighted:
                weight = weights[indices[entry]]
                for column in range(len(sums)):
                    sums[column] += weight * (step[column] - own[column])
            else:
                for column in range(len(sums)):
                    sums[column] += step[column] - own[column]


@numba.njit(cache=True, nogil=True)
def _weigh_steps(plan, users, table, closed, one_step, two_steps, sums, out):
    """Take off what returns to the user, and add up one, two and three steps."""
    for row in range(len(users)):
        user = users[row]
        degree = plan.indptr[user + 1] - plan.indptr[user]
        for column in range(out.shape[1]):
            own = 0.0 if plan.keep_self else table[user, column]
            one, two = float(one_step[user, column]), float(two_steps[user, column])
            three = sums[row, column] - closed[user] * own
            if plan.simple:
                three = sums[row, column] - (degree - 1) * one - closed[user] * own
            else:
                two -= degree * own
            out[row, column] = _THREE * three + _TWO * two + DAMPING * one


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
