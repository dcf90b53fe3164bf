"""The linear relaxation of facility location: a lower bound, and what Li's algorithm rounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import linprog

from pplab.anonymity.facility.plan import check_costs
from pplab.anonymity.facility.programme import programme

__all__ = ["FacilityBound", "facility_bound"]

_NOTHING = 1e-9  # the solver's fractions are right to about 1e-9


@dataclass(frozen=True)
class FacilityBound:
    """An optimum of the relaxation and of its dual.

    Attributes
    ----------
    value : float
        No solution costs less.
    assigned : float array, shape (clients, facilities)
        Fraction of each client that each facility serves; rows sum to 1.
    opened : float array, shape (facilities,)
        Fraction of each facility that is open, at least the fraction of any client it serves.
    budgets : float array, shape (clients,)
        What each client pays. They sum to ``value``, and no facility could be opened from what
        budgets leave after the way there: sum over j of max(0, budget_j - cost_ij) <= f_i. That
        proves the bound without any trust in the solver.
    """

    value: float
    assigned: np.ndarray
    opened: np.ndarray
    budgets: np.ndarray


def facility_bound(costs: Any, opening_costs: Any) -> FacilityBound:
    """Solve the relaxation in which facilities may be open in part.

    Parameters
    ----------
    costs : array, shape (clients, facilities)
        Connection costs, finite and not negative; at most 200 of each.
    opening_costs : array, shape (facilities,)
        Costs of opening, finite and not negative.

    Returns
    -------
    FacilityBound

    Raises
    ------
    TypeError, ValueError
        If the costs are none or there are too many.
    RuntimeError
        If the solver fails.

    References
    ----------
    Balinski 1965, doi 10.1287/mnsc.12.3.253; the relaxation and its dual as in Jain, Mahdian,
    Markakis, Saberi and Vazirani 2003, doi 10.1145/950620.950621.

    Examples
    --------
    Three clients, of whom any two are near one facility: half of each facility is enough.

    >>> facility_bound([[1, 1, 3], [1, 3, 1], [3, 1, 1]], [2, 2, 2]).opened
    array([0.5, 0.5, 0.5])
    """
    table, prices = check_costs(costs, opening_costs)
    listed = programme(table, prices)
    pairs = len(listed.client)
    result = linprog(
        listed.price,
        A_ub=listed.opened,
        b_ub=np.zeros(pairs),
        A_eq=listed.served,
        b_eq=np.ones(len(table)),
        bounds=(0, None),
        method="highs-ds",
    )
    if result.status != 0:
        raise RuntimeError(
            f"the linear programme was not solved ({result.message}); round the costs, so that "
            "they differ by no more than nine digits"
        )
    fractions = np.where(result.x > _NOTHING, result.x, 0.0)
    assigned = np.zeros_like(table)
    assigned[listed.client, listed.facility] = fractions[:pairs]
    assigned /= assigned.sum(axis=1, keepdims=True)
    opened = np.maximum(fractions[pairs:], assigned.max(axis=0))
    budgets = result.eqlin.marginals * listed.unit
    return FacilityBound(float(result.fun * listed.unit), assigned, opened, budgets)
