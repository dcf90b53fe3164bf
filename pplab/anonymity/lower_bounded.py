"""Lower-bounded r-median: few centres among the points, none of whom serves fewer than k."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, linear_sum_assignment, milp

from pplab.anonymity.alg2 import alg2_steps
from pplab.anonymity.facility.programme import check_solved
from pplab.anonymity.hamming import row_distances
from pplab.graphs import GraphLike

__all__ = ["LowerBounded", "exact_lower_bounded"]

_SECONDS = 60.0


class LowerBounded(NamedTuple):
    """Groups with a centre each.

    Attributes
    ----------
    centres : int64 array, shape (groups,)
        A user for each group, not always one of its members.
    labels : int64 array, shape (users,)
        Group of each user.
    cost : int
        Sum of the Hamming distances from the users to their centres.
    """

    centres: np.ndarray
    labels: np.ndarray
    cost: int


def exact_lower_bounded(biadjacency: GraphLike, k: int) -> LowerBounded:
    """Find the cheapest centres by HiGHS' branch and bound.

    Centres are rows of the graph. That at most r = n // k of them are open follows from the lower
    bound: r + 1 centres would need (r + 1) k > n points. The search begins below the cost of the
    groups of Alg2. Distances are whole numbers, so it may stop less than 1 above what it can rule
    out.

    Parameters
    ----------
    biadjacency : csr_array, shape (users, items), or other graph
        At most 200 users. 20 take less than a second, 40 up to half a minute where rows are like
        noise, 80 often more than a minute.
    k : int
        Least number of points of a centre, from 2 to the number of users.

    Returns
    -------
    LowerBounded

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval or there are too many users.
    TimeoutError
        If the search takes more than a minute.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, Section
    5.2, arXiv 2207.06358; Svitkina 2010, Lower-bounded facility location,
    doi 10.1145/1824777.1824789.

    Examples
    --------
    >>> exact_lower_bounded([[1, 1, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1]], 2).cost
    1
    """
    away, k = row_distances(biadjacency, k)
    users = len(away)
    known = _reduced(biadjacency, k)
    if not known.cost:
        return known
    costs = np.concatenate([away.ravel(), np.zeros(users)])
    result = milp(
        costs,
        constraints=[*_constraints(users, k), LinearConstraint(costs, 0, known.cost)],
        bounds=Bounds(0, 1),
        integrality=np.repeat([0, 1], [users * users, users]),
        options={"time_limit": _SECONDS, "mip_rel_gap": 0.99 / known.cost},
    )
    check_solved(result, seconds=_SECONDS)
    return _seated(away, np.flatnonzero(result.x[users * users :] > 0.5), k)


def _reduced(biadjacency: GraphLike, k: int) -> LowerBounded:
    """Centres by the reduction to facility location: steps 2 to 5 of Alg2.

    Each centre is the user with the least total distance to the group.
    """
    steps = alg2_steps(biadjacency, k, facility="greedy")
    groups = range(steps.groups)
    totals = np.array([steps.distances[steps.merged == group].sum(axis=0) for group in groups])
    return LowerBounded(totals.argmin(axis=1), steps.merged, int(totals.min(axis=1).sum()))


def _constraints(users: int, k: int) -> list[LinearConstraint]:
    """Every user has one centre, that centre is open, and whoever is open has k users."""
    pairs = users * users
    number, ones = np.arange(pairs), np.ones(pairs)
    user, centre = np.divmod(number, users)
    shape = (users, pairs + users)
    served = sparse.csr_array((ones, (user, number)), shape=shape)
    twice = (np.concatenate([number, number]), np.concatenate([number, pairs + centre]))
    opened = sparse.csr_array((np.concatenate([ones, -ones]), twice), shape=(pairs, shape[1]))
    places = np.concatenate([centre, np.arange(users)])
    numbers = np.arange(pairs + users)
    loads = np.concatenate([ones, np.full(users, -float(k))])
    full = sparse.csr_array((loads, (places, numbers)), shape=shape)
    return [
        LinearConstraint(served, 1, 1),
        LinearConstraint(opened, -np.inf, 0),
        LinearConstraint(full, 0, np.inf),
    ]


def _seated(away: np.ndarray, centres: np.ndarray, k: int) -> LowerBounded:
    """Give every centre k seats; the other users go wherever it is nearest.

    An assignment of users to seats, which is whole by itself: the fractions that the programme
    may leave where distances are equal do not matter.
    """
    users, held = len(away), np.repeat(centres, k)
    ways = away[:, centres]
    free = np.repeat(ways.min(axis=1)[:, None], users - len(held), axis=1)
    seats = linear_sum_assignment(np.concatenate([away[:, held], free], axis=1))[1]
    anywhere = np.repeat(-1, users - len(held))
    chosen = np.concatenate([held, anywhere])[seats]
    chosen = np.where(chosen < 0, centres[ways.argmin(axis=1)], chosen)
    used, labels = np.unique(chosen, return_inverse=True)
    cost = away[np.arange(users), chosen].sum()
    return LowerBounded(used, labels.astype(np.int64), int(cost))
