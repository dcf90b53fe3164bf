"""Katz similarities times a dense table, by three products with the adjacency.

With V the sums over paths of two edges, those over three are A V - (D - 1) A C - T C: from each
neighbour go on by two edges, take off returns to u on the way, and triangles T at u.
"""

# Numba compiles the undeclared functions below and infers their types itself.
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numba
import numpy as np

from pplab.recommenders.similarity_rows import DAMPING, RowPlan
from pplab.recommenders.similarity_threads import in_threads
from pplab.recommenders.similarity_walks import closed_walks, most_walks

__all__ = ["katz_products"]

_TWO, _THREE = DAMPING**2, DAMPING**3


def katz_products(plan: RowPlan, table: np.ndarray, users: np.ndarray) -> np.ndarray:
    """Rows of katz times a table."""
    csr = plan.indptr, plan.indices
    labels = np.empty(len(table), dtype=np.uint32)
    # Steps from memberships are counts; small integers take half the way through memory.
    counts = bool(_read_labels(table, labels)) and most_walks(plan) < 2**31
    one_step = np.empty(table.shape, dtype=np.int32 if counts else np.float64)
    two_steps, out = np.empty_like(one_step), np.empty((len(users), table.shape[1]))
    closed = np.zeros(len(table)) if plan.keep_self else closed_walks(plan)

    def first(rows: slice) -> None:
        if counts:
            _neighbour_counts(*csr, rows.start, labels, one_step[rows])
        else:
            _neighbour_sums(*csr, rows.start, table, table, False, one_step[rows])

    def second(rows: slice) -> None:
        _neighbour_sums(*csr, rows.start, one_step, table, plan.simple, two_steps[rows])

    def third(rows: slice) -> None:
        _katz_rows(plan, users[rows], table, closed, one_step, two_steps, out[rows])

    in_threads(first, len(table))
    in_threads(second, len(table))
    in_threads(third, len(users))
    return out


@numba.njit(cache=True, nogil=True)
def _read_labels(table, labels):
    """Note the column of the 1 in each row; whether each row has one, and nothing else."""
    for row in range(len(table)):
        zeros, ones = 0, 0
        for column in range(table.shape[1]):
            cell = table[row, column]
            zeros += cell == 0
            ones += cell == 1
            if cell == 1:
                labels[row] = column
        if ones != 1 or zeros != table.shape[1] - 1:
            return False
    return True


@numba.njit(cache=True, nogil=True)
def _neighbour_counts(indptr, indices, first, labels, out):
    """How many neighbours each user has in each cluster."""
    out[:] = 0
    for row in range(len(out)):
        for entry in range(indptr[first + row], indptr[first + row + 1]):
            out[row, labels[indices[entry]]] += 1


@numba.njit(cache=True, nogil=True)
def _neighbour_sums(indptr, indices, first, source, table, subtract, out):
    """Sum the rows of each user's neighbours, from each less the user's row of the table."""
    own = np.zeros(out.shape[1], out.dtype)
    for row in range(len(out)):
        user, sums = first + row, out[row]
        sums[:] = 0
        if subtract:
            own[:] = table[user].astype(out.dtype)
        for entry in range(indptr[user], indptr[user + 1]):
            step = source[indices[entry]]
            for column in range(len(sums)):
                sums[column] += step[column] - own[column]


@numba.njit(cache=True, nogil=True)
def _katz_rows(plan, users, table, closed, one_step, two_steps, out):
    """Take the third step, and weigh all three."""
    sums = np.empty(out.shape[1], two_steps.dtype)
    for row in range(len(users)):
        user = users[row]
        degree = plan.indptr[user + 1] - plan.indptr[user]
        sums[:] = 0
        for entry in range(plan.indptr[user], plan.indptr[user + 1]):
            step = two_steps[plan.indices[entry]]
            for column in range(len(sums)):
                sums[column] += step[column]
        for column in range(len(sums)):
            own = 0.0 if plan.keep_self else table[user, column]
            one, two = float(one_step[user, column]), float(two_steps[user, column])
            three = sums[column] - closed[user] * own
            if plan.simple:
                three = sums[column] - (degree - 1) * one - closed[user] * own
            else:
                two -= degree * own
            out[row, column] = _THREE * three + _TWO * two + DAMPING * one
