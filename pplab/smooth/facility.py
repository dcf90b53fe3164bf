"""Facility location: a bound, the exact programme, a greedy algorithm and Li's rounding."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy  # scipy.optimize is loaded when it is used
from scipy import sparse

from pplab.checks import as_array, as_rng, check_integer

MOST_ROWS = 200  # tables of all pairs, and linear programmes on them, serve no more


class FacilityPlan(NamedTuple):
    """Open facilities, and the facility of each client.

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


def _check_costs(costs: Any, opening_costs: Any) -> tuple[np.ndarray, np.ndarray]:
    """Bring the costs of a facility location instance into float64; refuse what is none.

    Examples
    --------
    >>> _check_costs([[0, 2]], [1, 1])
    (array([[0., 2.]]), array([1., 1.]))
    """
    table, prices = as_array("costs", costs), as_array("opening_costs", opening_costs)
    if table.ndim != 2 or not table.size or prices.shape != (table.shape[1],):
        raise ValueError(
            "costs must be a table of clients x facilities and opening_costs one "
            f"opening cost for each facility, got shapes {table.shape} and "
            f"{prices.shape}; pass at least one of each"
        )
    for name, values in (("costs", table), ("opening_costs", prices)):
        if values.dtype.kind not in "biuf":
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


# The linear programme of facility location, with the connections that no optimum uses left out.


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
    served, opened = served_and_opened(client, facility, costs.shape)
    most = 2 * float(reach.sum()) or 1.0
    price = np.concatenate([costs[client, facility], np.minimum(opening_costs, most)])
    unit = float(reach.max()) or 1.0
    return Programme(price / unit, served, opened, client, facility, unit)


def served_and_opened(
    client: np.ndarray, facility: np.ndarray, shape: tuple[int, ...]
) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Constraint rows: service of each client, and excess of connections over openings."""
    pairs, (clients, facilities) = len(client), shape
    ones, number, wide = np.ones(pairs), np.arange(pairs), pairs + facilities
    served = sparse.csr_array((ones, (client, number)), shape=(clients, wide))
    places = (np.concatenate([number, number]), np.concatenate([number, pairs + facility]))
    return served, sparse.csr_array((np.concatenate([ones, -ones]), places), shape=(pairs, wide))


def opened_by_search(
    price: np.ndarray,
    served: sparse.csr_array,
    opened: sparse.csr_array,
    *more: scipy.optimize.LinearConstraint,
    gap: float,
    seconds: float,
) -> np.ndarray:
    """Facilities that are open in the best solution of the integer programme, ascending."""
    pairs, wide = opened.shape
    limits = scipy.optimize.LinearConstraint
    whole = [limits(served, 1, 1), limits(opened, -np.inf, 0)]
    result = scipy.optimize.milp(
        price,
        constraints=[*whole, *more],
        bounds=scipy.optimize.Bounds(0, 1),
        integrality=np.repeat([0, 1], [pairs, wide - pairs]),
        options={"time_limit": seconds, "mip_rel_gap": gap},
    )
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
    return np.flatnonzero(result.x[pairs:] > 0.5)


# The linear relaxation of facility location: a lower bound, and what Li's algorithm rounds.


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
    table, prices = _check_costs(costs, opening_costs)
    listed = programme(table, prices)
    pairs = len(listed.client)
    result = scipy.optimize.linprog(
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


# Random instances of metric facility location.


def random_instance(
    clients: int, facilities: int, *, rng: int | np.random.Generator | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Draw a metric instance: shortest paths in a random bipartite graph, random opening costs.

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


# Facility location solved exactly, as an integer programme.


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
    table, prices = _check_costs(costs, opening_costs)
    listed = programme(table, prices)
    rows = listed.price, listed.served, listed.opened
    opened = opened_by_search(*rows, gap=0, seconds=_SECONDS)  # scipy's default stops at 1e-4
    return nearest_plan(table, prices, opened)


# The greedy facility location of Jain, Mahdian and Saberi, in which clients may switch.


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
    table, prices = _check_costs(costs, opening_costs)
    near = np.argsort(table, axis=0, kind="stable")
    waiting = np.ones(len(table), dtype=bool)
    way = np.full(len(table), -np.inf)  # cost of the present facility; none offers nothing
    opened = np.zeros(len(prices), dtype=bool)
    now = 0.0
    while waiting.any():
        at = np.where(opened, _arrivals(table, waiting), _openings(table, prices, near, way))
        facility = int(np.argmin(at))
        now = max(now, at[facility])
        column = table[:, facility]
        joins = np.where(waiting, column <= now * (1 + _ROUNDING), False)
        if not opened[facility]:
            joins |= ~waiting & (column < way)
        opened[facility] = True
        way[joins] = column[joins]
        waiting &= ~joins
    return nearest_plan(table, prices, np.flatnonzero(opened))


def _arrivals(table: np.ndarray, waiting: np.ndarray) -> np.ndarray:
    """Time at which the first waiting client reaches each facility, if it is open."""
    return np.where(waiting[:, None], table, np.inf).min(axis=0)


def _openings(
    table: np.ndarray, prices: np.ndarray, near: np.ndarray, way: np.ndarray
) -> np.ndarray:
    """Time at which offers cover the opening cost of each facility, if it is closed.

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


# Which algorithm Li's 1.488 draws: the greedy one or a rounding, and at what scale.


GREEDY = 0.195583  # probability of the greedy algorithm
POINT = 0.503357  # probability of rounding at LOW itself
LOW, HIGH = 1.479311, 2.016569  # otherwise at a scale drawn evenly between these two


def draw_scale(rng: np.random.Generator) -> float | None:
    """Draw gamma, or None for the greedy algorithm.

    Examples
    --------
    >>> rng = np.random.default_rng(3)
    >>> [draw_scale(rng) for _ in range(2)]
    [None, 1.479311]
    """
    coin = rng.random()
    if coin < GREEDY:
        return None
    return LOW if coin < GREEDY + POINT else float(rng.uniform(LOW, HIGH))


# Byrka and Aardal's rounding: scale the relaxation, cluster clients, toss coins.


_SAME = 1e-9


class Copies(NamedTuple):
    """Facilities cut into copies that a client uses wholly or not at all.

    Attributes
    ----------
    facility : int array, shape (copies,)
    size : float array, shape (copies,)
        Fraction that is open, at most 1.
    close : bool array, shape (clients, copies)
        Whether a copy belongs to the nearest fractions of a client that sum to 1.
    """

    facility: np.ndarray
    size: np.ndarray
    close: np.ndarray


def close_fractions(costs: np.ndarray, bound: FacilityBound, gamma: float) -> np.ndarray:
    """Refill each client from its own facilities, scaled by gamma, nearest first, up to 1."""
    order = np.argsort(costs, axis=1, kind="stable")
    scaled = gamma * np.take_along_axis(bound.assigned, order, axis=1)
    before = np.cumsum(scaled, axis=1) - scaled
    filled = np.zeros_like(costs)
    np.put_along_axis(filled, order, np.clip(1 - before, 0, scaled), axis=1)
    return np.where(filled > _SAME, filled, 0.0)


def split_copies(bound: FacilityBound, close: np.ndarray, gamma: float) -> Copies:
    """Cut the interval [0, gamma y_i] of each facility where some client stops using it.

    A client that takes a fraction of a facility takes it from the left end on. Cuts at whole
    numbers keep each copy at most 1.
    """
    facility, starts, ends = [], [], []
    for number in np.flatnonzero(bound.opened > _SAME):
        top = gamma * bound.opened[number]
        fractions = np.concatenate(
            [close[:, number], gamma * bound.assigned[:, number], [1.0, 2.0]]
        )
        cuts = np.sort(np.append(fractions[(fractions > _SAME) & (fractions < top - _SAME)], top))
        cuts = cuts[np.diff(cuts, prepend=0.0) > _SAME]
        facility += [number] * len(cuts)
        starts += [0.0, *cuts[:-1]]
        ends += cuts.tolist()
    places, upto = np.array(facility), np.array(ends)
    return Copies(places, upto - np.array(starts), upto <= close[:, places] + len(close) * _SAME)


def cluster_centres(costs: np.ndarray, close: np.ndarray, copies: Copies) -> list[int]:
    """Choose clients with disjoint close copies, by smallest average plus largest close distance.

    A client that shares a close copy with a centre is a member of its cluster and no centre.
    """
    average = (close * costs).sum(axis=1)
    greatest = np.where(close > 0, costs, 0).max(axis=1)
    covered = np.zeros(len(copies.facility), dtype=bool)
    centres = []
    for client in np.argsort(average + greatest, kind="stable"):
        if not (copies.close[client] & covered).any():
            centres.append(int(client))
            covered |= copies.close[client]
    return centres


def rounded_facilities(
    costs: np.ndarray, bound: FacilityBound, gamma: float, rng: np.random.Generator
) -> np.ndarray:
    """Open exactly one close copy of each centre, and any other copy by a coin of its own.

    Parameters
    ----------
    costs : float array, shape (clients, facilities)
    bound : FacilityBound
        Optimum of the relaxation.
    gamma : float
        Scale, above 1.
    rng : Generator

    Returns
    -------
    int array
        Facilities of which at least one copy opened, ascending.

    References
    ----------
    Byrka and Aardal 2010, An optimal bifactor approximation algorithm for the metric uncapacitated
    facility location problem, doi 10.1137/070708901, Algorithm A1(gamma).
    """
    close = close_fractions(costs, bound, gamma)
    copies = split_copies(bound, close, gamma)
    coins = rng.random(len(copies.size)) < copies.size
    for centre in cluster_centres(costs, close, copies):
        close_copies = np.flatnonzero(copies.close[centre])
        coins[close_copies] = False
        share = copies.size[close_copies] / copies.size[close_copies].sum()
        coins[rng.choice(close_copies, p=share)] = True
    return np.unique(copies.facility[coins])


# Li's 1.488-approximation of metric facility location.


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
        self.costs, self.opening_costs = _check_costs(costs, opening_costs)
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
