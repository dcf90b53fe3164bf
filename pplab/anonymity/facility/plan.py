"""What every facility location algorithm returns."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pplab.checks import _listed

__all__ = ["MOST_ROWS", "FacilityPlan", "check_costs", "nearest_plan"]

MOST_ROWS = 200  # tables of all pairs, and linear programmes on them, serve no more


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


def check_costs(costs: Any, opening_costs: Any) -> tuple[np.ndarray, np.ndarray]:
    """Bring the costs of a facility location instance into float64; refuse what is none.

    Examples
    --------
    >>> check_costs([[0, 2]], [1, 1])
    (array([[0., 2.]]), array([1., 1.]))
    """
    table, prices = _listed(costs), _listed(opening_costs)
    if table.ndim != 2 or not table.size or prices.shape != (table.shape[1],):
        raise ValueError(
            "costs must be a table of clients x facilities with one opening cost for each "
            f"facility, got shapes {table.shape} and {prices.shape}; pass at least one of each"
        )
    for name, values in (("costs", table), ("opening_costs", prices)):
        if values.dtype.kind not in "biuf" or np.ma.is_masked(values):
            raise TypeError(f"{name} must be numbers in [0, inf), got {values.dtype}; pass floats")
        finite = np.isfinite(values) & (values >= 0)
        if not finite.all():
            wrong = values.ravel()[int(np.argmin(finite))]
            raise ValueError(
                f"{name} must be finite and not negative, got {wrong}; a connection that is not "
                "allowed may cost more than all others together"
            )
    if max(table.shape) > MOST_ROWS:
        raise ValueError(
            f"this serves at most {MOST_ROWS} clients or facilities, got {max(table.shape)}; take "
            "a part of them"
        )
    return np.array(table, dtype=np.float64), np.array(prices, dtype=np.float64)


def nearest_plan(costs: np.ndarray, opening_costs: np.ndarray, opened: np.ndarray) -> FacilityPlan:
    """Send each client to the nearest of some facilities and close those that nobody uses.

    Neither step can raise the cost, so every algorithm here ends with it. Of facilities equally
    near, the one with the lowest number serves.

    Parameters
    ----------
    costs, opening_costs : arrays, shapes (clients, facilities) and (facilities,)
    opened : int array
        Numbers of the facilities to choose from, at least one.

    Examples
    --------
    >>> nearest_plan(np.array([[0, 3], [3, 1]]), np.array([1, 1]), [0, 1])
    FacilityPlan(open_facilities=array([0, 1]), assignment=array([0, 1]), cost=3.0)
    """
    choice = np.unique(opened)
    assignment = choice[np.argmin(costs[:, choice], axis=1)]
    used = np.unique(assignment)
    paid = costs[np.arange(len(costs)), assignment].sum() + opening_costs[used].sum()
    return FacilityPlan(used, assignment, float(paid))
