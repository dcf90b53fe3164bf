"""The greedy facility location of Jain, Mahdian and Saberi, in which clients may switch."""

from __future__ import annotations

from typing import Any

import numpy as np

from pplab.anonymity.facility.plan import FacilityPlan, check_costs, nearest_plan

__all__ = ["greedy_facilities"]

_ROUNDING = 1e-12


def greedy_facilities(costs: Any, opening_costs: Any) -> FacilityPlan:
    """Let the budgets of all clients grow until they have opened enough facilities.

    Time runs from 0; the budget of a client without a facility equals the time. Such a client
    offers each closed facility what the budget leaves after the way there; a client who has a
    facility offers what switching would save. A closed facility opens as soon as offers cover its
    opening cost: all who offer something go there (at no offer left, those whose budget just pays
    the way), and their budgets stop. A client whose budget pays the way to an open facility goes
    there. At the end everybody goes to the nearest open facility, which can only save.

    The cost is at most 1.61 times the optimum if the costs are a metric; more precisely at most
    1.11 times the opening costs and 1.78 times the connection costs of any solution, which is what
    Li's algorithm uses. Of events at one time the lowest facility comes first.

    Parameters
    ----------
    costs : array, shape (clients, facilities)
        Connection costs, finite and not negative; at most 200 of each.
    opening_costs : array, shape (facilities,)
        Costs of opening, finite and not negative.

    Returns
    -------
    FacilityPlan
        Open facilities, facility of each client, cost.

    Raises
    ------
    TypeError, ValueError
        If the costs are none or there are too many.

    References
    ----------
    Jain, Mahdian and Saberi 2002, A new greedy approach for facility location problems,
    doi 10.1145/509907.510012, with Markakis and Vazirani 2003, doi 10.1145/950620.950621
    (algorithm 2, factor 1.61); Mahdian, Ye and Zhang 2006, doi 10.1137/S0097539703435716
    (factors 1.11 and 1.78).

    Examples
    --------
    >>> greedy_facilities([[0, 9, 4], [9, 0, 4]], [6, 6, 3]).open_facilities
    array([2])
    """
    table, prices = check_costs(costs, opening_costs)
    near = np.argsort(table, axis=0, kind="stable")
    waiting = np.ones(len(table), dtype=bool)
    way = np.full(len(table), -np.inf)  # cost of the present facility; none offers nothing
    opened = np.zeros(len(prices), dtype=bool)
    now = 0.0
    while waiting.any():
        at = np.where(opened, _arrivals(table, waiting), _openings(table, prices, near, way))
        facility = int(np.argmin(at))
        now = max(now, at[facility])
        own = table[:, facility]
        joins = np.where(waiting, own <= now * (1 + _ROUNDING), False)
        if not opened[facility]:
            joins |= ~waiting & (own < way)
        opened[facility] = True
        way[joins] = own[joins]
        waiting &= ~joins
    return nearest_plan(table, prices, np.flatnonzero(opened))


def _arrivals(table: np.ndarray, waiting: np.ndarray) -> np.ndarray:
    """When the first of the waiting reaches each facility, if it is open."""
    return np.where(waiting[:, None], table, np.inf).min(axis=0)


def _openings(
    table: np.ndarray, prices: np.ndarray, near: np.ndarray, way: np.ndarray
) -> np.ndarray:
    """When offers cover the opening cost of each facility, if it is closed.

    With what switching saves taken off the cost, m waiting clients at distances d pay the rest r
    at time t if sum of (t - d) = r: t = (r + sum of d) / m. The m nearest are those who offer
    something exactly where this is least.
    """
    rest = prices - np.maximum(way[:, None] - table, 0).sum(axis=0)
    ordered = np.take_along_axis(table, near, axis=0)
    counts = np.isneginf(way)[near]
    members = np.cumsum(counts, axis=0)
    paid = np.cumsum(np.where(counts, ordered, 0.0), axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):  # before the first waiting client: 0 / 0
        times = np.where(members > 0, (rest + paid) / members, np.inf)
    return np.where(rest <= 0, 0.0, times.min(axis=0))
