"""Meyerson's online facility location on dense costs: the small twin of the one at scale."""

from __future__ import annotations

from typing import Any

import numpy as np

from pplab.anonymity.facility.plan import FacilityPlan, nearest_plan
from pplab.checks import as_rng, check_choice, check_integer
from pplab.checks.facilities import check_costs, check_own_facilities

__all__ = ["meyerson_facilities"]


def meyerson_facilities(
    costs: Any,
    opening_costs: Any,
    *,
    rule: str = "classes",
    orders: int = 10,
    rng: int | np.random.Generator | None = None,
) -> FacilityPlan:
    """Take clients one by one in random order, each of whom may open a facility.

    The first client opens the facility that is cheapest for it alone. Later ones: by rule "own" a
    client at distance d from the open facilities opens its own with probability min(1, d / f). By
    rule "classes" (Meyerson's for opening costs that differ) opening costs are rounded down to
    powers of 2, classes are taken from cheap to dear, and the nearest facility up to a class opens
    with probability (what it brings the client nearer than the class before) / (cost of the
    class), capped at 1. The cheapest of several orders is kept; clients then go to the nearest
    open facility (the online algorithm leaves them where they first went, which costs no less).

    Parameters
    ----------
    costs : array, shape (clients, facilities)
        Connection costs, finite and not negative; at most 200 of each.
    opening_costs : array, shape (facilities,)
        Costs of opening, finite and not negative.
    rule : {"classes", "own"}
        "own" needs a facility at each client, in the order of the clients.
    orders : int, default 10
        Random orders to try, at least 1.
    rng : int, Generator or None
        Seed or generator.

    Returns
    -------
    FacilityPlan
        Open facilities, facility of each client, cost.

    Raises
    ------
    TypeError, ValueError
        If the costs are none or there are too many, or an option is not known.

    References
    ----------
    Meyerson 2001, Online facility location, doi 10.1109/SFCS.2001.959917; 10 orders as in
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Appendix D, arXiv 2207.06358.

    Examples
    --------
    >>> meyerson_facilities([[0, 9], [9, 0]], [1, 1], rng=1).cost
    2.0
    """
    table, prices = check_costs(costs, opening_costs)
    check_integer("orders", orders, minimum=1)
    if check_choice("rule", rule, ("classes", "own")) == "own":
        check_own_facilities(table.shape)
    generator = as_rng(rng)
    plans = []
    for _ in range(orders):
        order = generator.permutation(len(table))
        opened = np.zeros(len(prices), dtype=bool)
        opened[np.argmin(table[order[0]] + prices)] = True
        for client in order[1:]:
            own = client if rule == "own" else None
            for facility, gain, price in _offers(table[client], prices, opened, own=own):
                # at no cost a facility opens whenever it brings the client nearer
                opened[facility] |= generator.random() * price < gain
        plans.append(nearest_plan(table, prices, np.flatnonzero(opened)))
    return min(plans, key=lambda plan: plan.cost)


def _offers(
    way: np.ndarray, prices: np.ndarray, opened: np.ndarray, *, own: int | None
) -> list[tuple[int, float, float]]:
    """List facilities that may open, how much nearer each is, and the cost it is weighed with."""
    distance = way[opened].min()
    if own is not None:
        return [(own, distance, prices[own])]
    with np.errstate(divide="ignore"):  # free facilities are a class of their own, at -inf
        classes = np.floor(np.log2(prices))
    found = []
    for level in np.unique(classes):
        allowed = np.where(classes <= level, way, np.inf)
        nearest = int(np.argmin(allowed))
        if allowed[nearest] < distance:
            found.append((nearest, distance - allowed[nearest], 2.0**level))
            distance = allowed[nearest]
    return found
