"""Similarities times a dense table by products with the adjacency: no similarity is ever formed.

Sums over all users of two and three steps are sums over neighbours of sums over neighbours. What
such sums count too much (walks that turn back, and the user itself) is taken off before it is
weighted, so that for tables of whole numbers, such as cluster memberships, zeros stay zeros.
"""

# Numba compiles the undeclared functions below and infers their types itself.
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np

from pplab.recommenders.similarity_rows import DAMPING, RowPlan

__all__ = ["closed_walks", "common_products", "katz_products"]

_BLOCK_ROWS = 2048


def common_products(plan: RowPlan, table: np.ndarray, users: np.ndarray) -> np.ndarray:
    """Rows of cn, aa or resource allocation times a table."""
    everyone = np.arange(len(table))
    one_step = _neighbour_sums(plan, everyone, table, None, np.ones(len(table)))
    own = None if plan.keep_self else table
    return _neighbour_sums(plan, users, one_step, own, plan.node_weights)


def katz_products(plan: RowPlan, table: np.ndarray, users: np.ndarray) -> np.ndarray:
    """Rows of katz times a table.

    With V the sums over paths of two edges, those over three are A V - (D - 1) A C - T C: from
    each neighbour go on by two edges, take off returns to u on the way, and triangles T at u.
    """
    a, ones, everyone = DAMPING, np.ones(len(table)), np.arange(len(table))
    own = table if plan.simple else None
    one_step = _neighbour_sums(plan, everyone, table, None, ones)
    two_steps = _neighbour_sums(plan, everyone, one_step, own, ones)
    three_steps = _neighbour_sums(plan, users, two_steps, None, ones)
    degrees = np.diff(plan.indptr)[users, None]
    one_step, two_steps = one_step[users], two_steps[users]
    if plan.simple:
        three_steps -= (degrees - 1) * one_step
    if not plan.keep_self:
        three_steps -= closed_walks(plan)[users, None] * table[users]
        if not plan.simple:
            two_steps -= degrees * table[users]
    return a**3 * three_steps + a**2 * two_steps + a * one_step


def closed_walks(plan: RowPlan) -> np.ndarray:
    """Walks of three edges from each user back: twice the triangles."""
    degrees = np.diff(plan.indptr)
    rows = np.repeat(np.arange(len(degrees)), degrees)
    rank = np.empty(len(degrees), dtype=np.int64)
    rank[np.lexsort((np.arange(len(degrees)), degrees))] = np.arange(len(degrees))
    upward = rank[rows] < rank[plan.indices]  # each edge once, towards the end of higher degree
    counts = np.bincount(rows[upward], minlength=len(degrees))
    return 2.0 * _triangles(np.concatenate([[0], np.cumsum(counts)]), plan.indices[upward])


def _neighbour_sums(
    plan: RowPlan,
    users: np.ndarray,
    source: np.ndarray,
    own: np.ndarray | None,
    node_weights: np.ndarray,
) -> np.ndarray:
    """Sum the rows of each user's neighbours, less that of the user's own where it is given."""
    out = np.zeros((len(users), source.shape[1]))
    subtract = own is not None
    own = source if own is None else own

    def work(start: int) -> None:
        rows = slice(start, start + _BLOCK_ROWS)
        _sum_block(
            plan.indptr, plan.indices, users[rows], source, own, subtract, node_weights, out[rows]
        )

    with ThreadPoolExecutor(numba.get_num_threads()) as pool:
        list(pool.map(work, range(0, len(users), _BLOCK_ROWS)))
    return out


@numba.njit(cache=True, nogil=True)
def _sum_block(indptr, indices, users, source, own, subtract, node_weights, out):
    columns = source.shape[1]
    for row in range(len(users)):
        user = users[row]
        for entry in range(indptr[user], indptr[user + 1]):
            neighbour = indices[entry]
            weight = node_weights[neighbour]
            if subtract:
                for column in range(columns):
                    out[row, column] += weight * (source[neighbour, column] - own[user, column])
            else:
                for column in range(columns):
                    out[row, column] += weight * source[neighbour, column]


@numba.njit(cache=True, nogil=True)
def _triangles(indptr, indices):
    users = len(indptr) - 1
    found, marked = np.zeros(users), np.zeros(users, np.bool_)
    for user in range(users):
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
