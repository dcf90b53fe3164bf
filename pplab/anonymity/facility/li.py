"""Li's 1.488-approximation of metric facility location."""

from __future__ import annotations

from typing import Any

import numpy as np

from pplab.anonymity.facility.bound import facility_bound
from pplab.anonymity.facility.greedy import greedy_facilities
from pplab.anonymity.facility.li_distribution import draw_scale
from pplab.anonymity.facility.li_rounding import rounded_facilities
from pplab.anonymity.facility.plan import FacilityPlan, check_costs, nearest_plan
from pplab.checks import as_rng

__all__ = ["LiAlgorithm"]


class LiAlgorithm:
    """Li's algorithm with the work that all draws share done once.

    A draw is one of two algorithms. With probability 0.195583 it is the greedy one of Jain,
    Mahdian and Saberi, as it stands: its promise of 1.11 times the opening costs and 1.78 times the
    connection costs holds without scaling the opening costs first (the scaling and the later
    augmentation of Mahdian, Ye and Zhang lead to 1.52 and are no part of this). Otherwise it is
    Byrka and Aardal's rounding: an optimum of the relaxation is scaled by gamma and each client
    refilled from its nearest fractions; facilities are split so that clients use copies wholly;
    clients with disjoint close copies become centres, in the order of average plus greatest
    distance of their close copies; each centre opens one of its close copies, drawn by size, and
    every copy that no centre holds opens by a coin of its own. gamma is 1.479311 with probability
    0.503357 (of all draws) and even on (1.479311, 2.016569) otherwise. With these numbers the
    expected opening cost and the expected connection cost are each at most 1.487954 times those of
    the relaxation, if the costs are a metric.

    Parameters
    ----------
    costs : array, shape (clients, facilities)
        Connection costs, finite and not negative; at most 200 of each.
    opening_costs : array, shape (facilities,)
        Costs of opening, finite and not negative.

    Attributes
    ----------
    bound : FacilityBound
        The relaxation that is rounded.
    greedy : FacilityPlan
        The greedy solution.

    Raises
    ------
    TypeError, ValueError
        If the costs are none or there are too many.

    References
    ----------
    Li 2013, A 1.488 approximation algorithm for the uncapacitated facility location problem,
    Information and Computation 222: 45-58, doi 10.1016/j.ic.2012.01.007; Byrka and Aardal 2010,
    doi 10.1137/070708901.

    Examples
    --------
    >>> LiAlgorithm([[0, 9, 4], [9, 0, 4]], [6, 6, 3]).draw(rng=1).cost
    11.0
    """

    def __init__(self, costs: Any, opening_costs: Any) -> None:
        self.costs, self.opening_costs = check_costs(costs, opening_costs)
        self.bound = facility_bound(self.costs, self.opening_costs)
        self.greedy = greedy_facilities(self.costs, self.opening_costs)

    def draw(self, *, rng: int | np.random.Generator | None = None) -> FacilityPlan:
        """Run the random algorithm once; clients go to the nearest open facility."""
        generator = as_rng(rng)
        gamma = draw_scale(generator)
        if gamma is None:
            return self.greedy
        opened = rounded_facilities(self.costs, self.bound, gamma, generator)
        return nearest_plan(self.costs, self.opening_costs, opened)
