"""Facility location solved exactly, as an integer programme."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from pplab.anonymity.facility.plan import FacilityPlan, check_costs, nearest_plan
from pplab.anonymity.facility.programme import check_solved, programme

__all__ = ["exact_facilities"]

_SECONDS = 600.0  # 200 clients and facilities at Hamming distances take a few


def exact_facilities(costs: Any, opening_costs: Any) -> FacilityPlan:
    """Find the cheapest set of facilities, by HiGHS' branch and bound.

    Parameters
    ----------
    costs : array, shape (clients, facilities)
        Connection costs, finite and not negative; at most 200 of each. They need not be a metric.
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
    TimeoutError
        If the search takes more than ten minutes.

    References
    ----------
    Balinski 1965, Integer programming: methods, uses, computation, doi 10.1287/mnsc.12.3.253
    (the programme); Huangfu and Hall 2018, doi 10.1007/s12532-017-0130-5 (HiGHS).

    Examples
    --------
    >>> exact_facilities([[0, 9, 4], [9, 0, 4]], [6, 6, 3]).cost
    11.0
    """
    table, prices = check_costs(costs, opening_costs)
    listed = programme(table, prices)
    pairs = len(listed.client)
    result = milp(
        listed.price,
        constraints=[
            LinearConstraint(listed.served, 1, 1),
            LinearConstraint(listed.opened, -np.inf, 0),
        ],
        bounds=Bounds(0, 1),
        integrality=np.repeat([0, 1], [pairs, len(prices)]),
        options={"time_limit": _SECONDS, "mip_rel_gap": 0},  # scipy's default stops at 1e-4
    )
    check_solved(result, seconds=_SECONDS)
    return nearest_plan(table, prices, np.flatnonzero(result.x[pairs:] > 0.5))
