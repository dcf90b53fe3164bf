"""Costs of the facility location algorithms side by side."""

from __future__ import annotations

from typing import Any

import numpy as np

from pplab.anonymity.facility.exact import exact_facilities
from pplab.anonymity.facility.li import LiAlgorithm
from pplab.anonymity.facility.meyerson import meyerson_facilities
from pplab.checks import as_rng, check_integer

__all__ = ["cost_ratios", "random_instance"]


def random_instance(
    clients: int, facilities: int, *, rng: int | np.random.Generator | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Draw a metric instance: shortest ways in a random bipartite graph, random opening costs.

    Ways of 1 and 3 (or ways drawn from an interval and completed by detours) are harder for
    approximations than points in a plane; which kind it is, is drawn too.

    Parameters
    ----------
    clients, facilities : int
        At least 1 each.
    rng : int, Generator or None
        Seed or generator.

    Returns
    -------
    costs : float array, shape (clients, facilities)
        With c_ij <= c_il + c_kl + c_kj for all clients i, k and facilities j, l.
    opening_costs : float array, shape (facilities,)

    Raises
    ------
    TypeError, ValueError
        If a number is not a positive integer.

    Examples
    --------
    >>> costs, opening_costs = random_instance(4, 3, rng=1)
    >>> costs.shape, opening_costs.shape
    ((4, 3), (3,))
    """
    check_integer("clients", clients, minimum=1)
    check_integer("facilities", facilities, minimum=1)
    generator = as_rng(rng)
    if generator.random() < 0.5:
        costs = np.where(generator.random((clients, facilities)) < 0.4, 1.0, 3.0)
    else:
        costs = generator.exponential(1.0, (clients, facilities))
        for _ in range(clients):  # ways get shorter by detours; each visits a client once at most
            between = (costs[:, None] + costs[None]).min(axis=2)
            costs = np.minimum(costs, (between[:, :, None] + costs[None]).min(axis=1))
    scale = generator.choice([0.3, 1.0, 3.0]) * costs.mean()
    return costs, scale * generator.uniform(0.2, 1.8, facilities) * clients / facilities


def cost_ratios(
    costs: Any,
    opening_costs: Any,
    *,
    draws: int = 100,
    rng: int | np.random.Generator | None = None,
) -> dict[str, float]:
    """Give the cost of each algorithm over the bound of the relaxation.

    Parameters
    ----------
    costs : array, shape (clients, facilities)
        Connection costs, finite and not negative; at most 200 of each.
    opening_costs : array, shape (facilities,)
        Costs of opening, finite and not negative.
    draws : int, default 100
        Runs of Li's algorithm, at least 2.
    rng : int, Generator or None
        Seed or generator.

    Returns
    -------
    dict
        "bound" is the bound itself. "exact", "greedy", "li" (mean of the draws), "li_error"
        (standard error of that mean) and "meyerson" (best of 10 orders) are ratios to it.

    Raises
    ------
    TypeError, ValueError
        If the costs are none, there are too many, or the bound is 0.

    Examples
    --------
    >>> ratios = cost_ratios([[1, 1, 3], [1, 3, 1], [3, 1, 1]], [2, 2, 2], rng=1)
    >>> round(ratios["exact"], 3)
    1.167
    """
    check_integer("draws", draws, minimum=2)
    generator, li = as_rng(rng), LiAlgorithm(costs, opening_costs)
    if not li.bound.value > 0:
        raise ValueError("costs must not all be avoidable, got a bound of 0; pass another instance")
    runs = np.array([li.draw(rng=generator).cost for _ in range(draws)])
    found = {
        "exact": exact_facilities(costs, opening_costs).cost,
        "greedy": li.greedy.cost,
        "li": runs.mean(),
        "li_error": runs.std(ddof=1) / np.sqrt(draws),
        "meyerson": meyerson_facilities(costs, opening_costs, rng=generator).cost,
    }
    ratios = {name: float(value / li.bound.value) for name, value in found.items()}
    return {"bound": li.bound.value, **ratios}
