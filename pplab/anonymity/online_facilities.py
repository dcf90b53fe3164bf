"""Meyerson's online facility location over the rows of a sparse binary table."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

from pplab._compiled import in_threads
from pplab.anonymity.kinds import Kinds
from pplab.anonymity.nearest_rows import nearest_keys
from pplab.anonymity.open_facilities import (
    FAR,
    OpenFacilities,
    nearest_open,
    no_facilities,
    open_at,
)

__all__ = ["Located", "online_facilities", "opening_costs"]


class Located(NamedTuple):
    """Facilities and who goes to which.

    Attributes
    ----------
    facilities : OpenFacilities
    assigned : int64 array, shape (rows,)
        Number of the facility of each row.
    cost : float
        Opening costs of all facilities and distances of all rows on their arrival.
    """

    facilities: OpenFacilities
    assigned: np.ndarray
    cost: float


def opening_costs(kinds: Kinds, k: int, *, spread: int) -> np.ndarray:
    """Cost of a facility at each kind: (2a / (1 - a)) times the distances to its nearest rows.

    With a = 1 / spread, over the spread * k rows nearest to it, or all where there are fewer; the
    row itself is one of them, at distance 0.

    Returns
    -------
    float64 array, shape (kinds,)
    """
    rows = len(kinds.kind_of)
    keys = nearest_keys(kinds, min(spread * k, rows))
    share = 1 / spread
    return 2 * share / (1 - share) * (keys // rows).sum(axis=1)


def online_facilities(
    kinds: Kinds,
    costs: np.ndarray,
    *,
    orders: int,
    assignment: str,
    rng: np.random.Generator,
) -> Located:
    """Let the rows arrive in several random orders and keep the cheapest outcome.

    A row that arrives goes to the nearest open facility, or, with probability
    min(1, distance / cost), a facility opens where it is. The first one always opens one.

    Parameters
    ----------
    kinds : Kinds
    costs : float64 array, shape (kinds,)
        Opening cost at each kind.
    orders : int
        Number of orders; of equally cheap ones the first is kept.
    assignment : {"arrival", "nearest"}
        Whether a row stays with the facility of its arrival, or goes to the nearest one of those
        that are open in the end. The cheapest order is chosen by the costs on arrival.
    rng : Generator
        Gives one child per order, so that threads change nothing.

    Returns
    -------
    Located

    References
    ----------
    Meyerson 2001, Online facility location, doi 10.1109/SFCS.2001.959917; as Esfandiari, Epasto,
    Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, Appendix D, arXiv 2207.06358,
    run it.
    """

    def one_order(child: np.random.Generator) -> tuple[float, Located, Memory]:
        rows = len(kinds.kind_of)
        order, coins = child.permutation(rows), child.random(rows)
        facilities, memory = no_facilities(kinds), _nothing_known(len(costs))
        assigned, cost = _arrivals(kinds, facilities, memory, costs, order, coins)
        return cost, Located(facilities, assigned, cost), memory

    runs = in_threads(one_order, rng.spawn(orders), label="orders of arrival")
    _, located, memory = min(runs, key=lambda run: run[0])
    if assignment == "nearest":
        nearest = _nearest_in_the_end(kinds, located.facilities, memory)
        located = located._replace(assigned=nearest[kinds.kind_of])
    return located


class Memory(NamedTuple):
    """The nearest of the first `seen` facilities, per kind: new ones alone are looked at."""

    seen: np.ndarray
    distance: np.ndarray
    place: np.ndarray
    number: np.ndarray


def _nothing_known(kinds: int) -> Memory:
    return Memory(
        np.zeros(kinds, dtype=np.int64),
        np.full(kinds, FAR),
        np.full(kinds, FAR),
        np.full(kinds, -1),
    )


@numba.njit(cache=True, nogil=True)
def _arrivals(
    kinds: Kinds,
    facilities: OpenFacilities,
    memory: Memory,
    costs: np.ndarray,
    order: np.ndarray,
    coins: np.ndarray,
) -> tuple[np.ndarray, float]:
    """Serve the rows in an order; coins in [0, 1) decide about openings."""
    assigned, total = np.empty(len(order), dtype=np.int64), 0.0
    for row in order:
        kind = kinds.kind_of[row]
        distance, number = _look(kinds, facilities, memory, kind)
        if number < 0 or coins[row] * costs[kind] < distance:
            assigned[row] = open_at(kinds, facilities, kind)
            total += costs[kind]
        else:
            assigned[row] = number
            total += distance
    return assigned, total


@numba.njit(cache=True, nogil=True)
def _look(kinds: Kinds, facilities: OpenFacilities, memory: Memory, kind: int) -> tuple[int, int]:
    """Distance and number of the nearest facility, which is remembered."""
    if facilities.here[kind] >= 0:
        return 0, facilities.here[kind]
    known = (memory.distance[kind], memory.place[kind], memory.number[kind])
    if memory.seen[kind] < facilities.opened[0]:
        known = nearest_open(kinds, facilities, kind, memory.seen[kind], known)
        memory.distance[kind], memory.place[kind], memory.number[kind] = known
        memory.seen[kind] = facilities.opened[0]
    return known[0], known[2]


@numba.njit(cache=True, nogil=True)
def _nearest_in_the_end(kinds: Kinds, facilities: OpenFacilities, memory: Memory) -> np.ndarray:
    nearest = np.empty(len(kinds.degrees), dtype=np.int64)
    for kind in range(len(nearest)):
        nearest[kind] = _look(kinds, facilities, memory, kind)[1]
    return nearest
