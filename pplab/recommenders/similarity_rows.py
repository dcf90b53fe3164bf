"""The similarity of one user to all others, compiled: every other module sums such rows.

A row is made in a full-length array of weights and a list of the users it reaches, so that a
user costs time in proportion to the neighbours of neighbours, not to all users.
"""

# Numba compiles the undeclared functions below and infers their types itself.
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from scipy import sparse

__all__ = ["DAMPING", "RowPlan", "plan_rows", "similar_users"]

DAMPING = 0.05  # a of the Katz measure
_COMMON, _JACCARD, _DISTANCE, _KATZ = range(4)


class RowPlan(NamedTuple):
    """A social graph and what to make of it, as the compiled loops take them."""

    kind: int
    simple: bool
    keep_self: bool
    indptr: np.ndarray
    indices: np.ndarray
    node_weights: np.ndarray


def plan_rows(
    social: sparse.csr_array, measure: str, simple: bool, keep_self: bool, node_weights: np.ndarray
) -> RowPlan:
    """Lay out a checked graph for the compiled loops."""
    kind = {"jaccard": _JACCARD, "gd": _DISTANCE, "katz": _KATZ}.get(measure, _COMMON)
    indptr, indices = social.indptr.astype(np.int64), social.indices.astype(np.uint32)
    return RowPlan(kind, simple, keep_self, indptr, indices, node_weights)


@numba.njit(cache=True, nogil=True)
def _reach(indptr, indices, source, amount, weights, touched, count):
    """Add an amount to all neighbours of a node; list those that are new."""
    for entry in range(indptr[source], indptr[source + 1]):
        user = indices[entry]
        touched[count] = user
        count += weights[user] == 0
        weights[user] += amount
    return count


@numba.njit(cache=True, nogil=True)
def _common(indptr, indices, node_weights, user, weights, touched):
    count = 0
    for entry in range(indptr[user], indptr[user + 1]):
        amount = node_weights[indices[entry]]
        if amount > 0:
            count = _reach(indptr, indices, indices[entry], amount, weights, touched, count)
    return count


@numba.njit(cache=True, nogil=True)
def _distance(indptr, indices, user, weights, touched):
    count = _reach(indptr, indices, user, 1.0, weights, touched, 0)
    weights[user] = 1.0
    touched[count] = user
    count += 1
    for entry in range(indptr[user], indptr[user + 1]):
        neighbour = indices[entry]
        for other in range(indptr[neighbour], indptr[neighbour + 1]):
            far = indices[other]
            if weights[far] == 0:
                weights[far] = 0.5
                touched[count] = far
                count += 1
    return count


@numba.njit(cache=True, nogil=True)
def _katz(indptr, indices, simple, user, weights, touched, twos, middles):
    """Counts of walks stay whole numbers until they are damped, so that rows are symmetric."""
    a, degree = DAMPING, indptr[user + 1] - indptr[user]
    middle_count, count = 0, 0
    for entry in range(indptr[user], indptr[user + 1]):
        middle_count = _reach(indptr, indices, indices[entry], 1.0, twos, middles, middle_count)
    for place in range(middle_count):
        middle = middles[place]
        count = _reach(indptr, indices, middle, twos[middle], weights, touched, count)
    if simple:  # walks u-x-u-v and u-v-x-v, of which u-v-u-v is both
        for entry in range(indptr[user], indptr[user + 1]):
            other = indices[entry]
            weights[other] -= degree + (indptr[other + 1] - indptr[other]) - 1
    for place in range(count):
        other = touched[place]
        weights[other] = a**3 * weights[other] + a**2 * twos[other]
    for entry in range(indptr[user], indptr[user + 1]):
        weights[indices[entry]] += a
    for place in range(middle_count):
        middle = middles[place]
        if weights[middle] == 0:  # two steps away, and not three
            weights[middle] = a**2 * twos[middle]
            touched[count] = middle
            count += 1
        twos[middle] = 0
    return count


@numba.njit(cache=True, nogil=True)
def similar_users(plan, user, weights, touched, twos, middles):
    """Write a user's similarities into weights (zero before) and list whom they reach."""
    kind, simple, keep_self, indptr, indices, node_weights = plan
    if kind == _DISTANCE:
        count = _distance(indptr, indices, user, weights, touched)
    elif kind == _KATZ:
        count = _katz(indptr, indices, simple, user, weights, touched, twos, middles)
    else:
        count = _common(indptr, indices, node_weights, user, weights, touched)
    kept, degree = 0, indptr[user + 1] - indptr[user]
    for place in range(count):
        other = touched[place]
        if other == user and not keep_self:
            weights[user] = 0
            continue
        if kind == _JACCARD:
            both = weights[other]
            weights[other] = both / (degree + (indptr[other + 1] - indptr[other]) - both)
        touched[kept] = other
        kept += 1
    return kept
