"""What every facility location algorithm returns."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pplab.checks import check_not_empty
from pplab.checks.facilities import check_costs

__all__ = ["FacilityPlan", "nearest_plan"]


class FacilityPlan(NamedTuple):
    """Which facilities are open and who goes where.

    Attributes
    ----------
    open_facilities : int64 array, shape (opened,)
        Numbers of the open facilities, ascending; each has a client.
    assignment : int64 array, shape (clients,)
        Facility of each client, one of the open ones.
    cost : float
        Opening costs of the open facilities and connection costs of the clients.
    """

    open_facilities: np.ndarray
    assignment: np.ndarray
    cost: float


def nearest_plan(costs: Any, opening_costs: Any, opened: Any) -> FacilityPlan:
    """Send each client to the nearest of some facilities and close those that nobody uses.

    Neither step can raise the cost, so every algorithm here ends with it. Of facilities equally
    near, the one with the lowest number serves.

    Parameters
    ----------
    costs : array, shape (clients, facilities)
        Connection costs, finite and not negative.
    opening_costs : array, shape (facilities,)
        Costs of opening, finite and not negative.
    opened : int array
        Numbers of the facilities to choose from, at least one.

    Returns
    -------
    FacilityPlan

    Raises
    ------
    TypeError, ValueError
        If the costs are none or no facility is opened.

    Examples
    --------
    >>> nearest_plan([[0, 3], [3, 1]], [1, 1], [0, 1])
    FacilityPlan(open_facilities=array([0, 1]), assignment=array([0, 1]), cost=3.0)
    """
    table, prices = check_costs(costs, opening_costs)
    choice = np.unique(np.asarray(opened, dtype=np.int64))
    check_not_empty("opened", choice)
    assignment = choice[np.argmin(table[:, choice], axis=1)]
    used = np.unique(assignment)
    paid = table[np.arange(len(table)), assignment].sum() + prices[used].sum()
    return FacilityPlan(used, assignment, float(paid))
