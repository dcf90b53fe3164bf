"""The linear programme of facility location, with the connections that no optimum uses left out."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

__all__ = ["Programme", "check_solved", "programme"]


class Programme(NamedTuple):
    """Minimise ``price @ z`` where ``served @ z = 1``, ``opened @ z <= 0`` and z >= 0.

    z holds one number for each listed connection (client, facility), then one for each facility.
    Prices are in units of ``unit``, so that the solver's tolerances fit whatever the costs are.
    """

    price: np.ndarray
    served: sparse.csr_array
    opened: sparse.csr_array
    client: np.ndarray
    facility: np.ndarray
    unit: float


def programme(costs: np.ndarray, opening_costs: np.ndarray) -> Programme:
    """List the programme of an instance.

    Nobody goes further than min over i of c_ij + f_i: in whole numbers, the client could open that
    facility alone and save. In fractions, the dual of a client is at most c_ij + f_i for each i
    (no client pays more than all of f_i), and a connection in use costs at most that dual.
    """
    reach = (costs + opening_costs).min(axis=1, keepdims=True)
    client, facility = np.nonzero(costs <= reach * (1 + 1e-9))
    pairs, (clients, facilities) = len(client), costs.shape
    ones, number = np.ones(pairs), np.arange(pairs)
    wide = pairs + facilities
    served = sparse.csr_array((ones, (client, number)), shape=(clients, wide))
    places = (np.concatenate([number, number]), np.concatenate([number, pairs + facility]))
    opened = sparse.csr_array((np.concatenate([ones, -ones]), places), shape=(pairs, wide))
    most = 2 * float(reach.sum()) or 1.0
    price = np.concatenate([costs[client, facility], np.minimum(opening_costs, most)])
    unit = float(reach.max()) or 1.0
    return Programme(price / unit, served, opened, client, facility, unit)


def check_solved(result: Any, *, seconds: float) -> None:
    """Refuse to go on with an integer programme that was not solved to the end."""
    if result.status not in (0, 1):
        raise RuntimeError(
            f"the integer programme was not solved ({result.message}); round the costs, so that "
            "they differ by no more than nine digits"
        )
    if result.status == 1:
        raise TimeoutError(
            f"the search for the best solution did not end within {seconds:g} seconds "
            f"(it has {result.fun} and knows that none is below {result.mip_dual_bound}); pass "
            "fewer rows"
        )
