"""Similarities of two steps times a dense table, by products with the adjacency.

Sums over all users of two steps are sums over neighbours of sums over neighbours: no similarity is
ever formed. What such sums count too much (the user itself) is taken off before it is weighted, so
that for tables of whole numbers, such as cluster memberships, zeros stay zeros.
"""

# Numba compiles the undeclared functions below and infers their types itself.
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numba
import numpy as np

from pplab.recommenders.similarity_rows import RowPlan
from pplab.recommenders.similarity_threads import in_threads
from pplab.recommenders.similarity_walks import closed_walks

__all__ = ["closed_walks", "common_products"]


def common_products(plan: RowPlan, table: np.ndarray, users: np.ndarray) -> np.ndarray:
    """Rows of cn, aa or resource allocation times a table."""
    everyone = np.arange(len(table))
    one_step = _neighbour_sums(plan, everyone, table, None, np.ones(len(table)))
    own = None if plan.keep_self else table
    return _neighbour_sums(plan, users, one_step, own, plan.node_weights)


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

    def work(rows: slice) -> None:
        _sum_block(
            plan.indptr, plan.indices, users[rows], source, own, subtract, node_weights, out[rows]
        )

    in_threads(work, len(users))
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
