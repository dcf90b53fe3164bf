"""Close facilities with too few clients until every one that is left has enough."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

from pplab.anonymity.kinds import Kinds
from pplab.anonymity.online_facilities import Located
from pplab.anonymity.open_facilities import FAR, OpenFacilities, nearest_open

__all__ = ["close_small"]


def close_small(kinds: Kinds, located: Located, k: int, *, rng: np.random.Generator) -> np.ndarray:
    """Close facilities with fewer than k clients one by one, in a random order.

    The clients of a facility that closes go to the nearest one that is open then. Each facility
    is looked at once: those that are open only gain clients. The last one is never closed, since
    all rows are its clients and k is at most their number.

    Parameters
    ----------
    kinds : Kinds
    located : Located
        Facilities and clients; the facilities are closed in place.
    k : int
        From 2 to the number of rows.
    rng : Generator
        Draws the order.

    Returns
    -------
    int64 array, shape (rows,)
        Group of each row, 0 to groups - 1, each of k rows or more.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Appendix D, steps 4 and 5 as run, arXiv 2207.06358.
    """
    facilities, assigned = located.facilities, located.assigned.copy()
    count = int(facilities.opened[0])
    weights = kinds.degrees[facilities.at[:count]]
    lightest = np.argsort(weights, kind="stable")
    _close(kinds, facilities, assigned, k, rng.permutation(count), lightest)
    labels: np.ndarray = np.unique(assigned, return_inverse=True)[1]
    return labels


class _Clients(NamedTuple):
    """Chains of clients: the last to join a facility, and who joined before whom."""

    last: np.ndarray
    before: np.ndarray
    sizes: np.ndarray


@numba.njit(cache=True)
def _close(
    kinds: Kinds,
    facilities: OpenFacilities,
    assigned: np.ndarray,
    k: int,
    order: np.ndarray,
    lightest: np.ndarray,
) -> None:
    clients = _Clients(
        np.full(len(order), -1),
        np.full(len(assigned), -1),
        np.zeros(len(order), dtype=np.int64),
    )
    for row in range(len(assigned)):
        _join(clients, row, assigned[row])
    place = 0
    for closing in order:
        if clients.sizes[closing] >= k:
            continue
        facilities.is_open[closing] = False
        while not facilities.is_open[lightest[place]]:
            place += 1
        facilities.lightest[0] = lightest[place]
        row = clients.last[closing]
        kind, number = -1, -1
        while row >= 0:
            following = clients.before[row]
            if kinds.kind_of[row] != kind:  # copies often follow each other
                kind = kinds.kind_of[row]
                number = nearest_open(kinds, facilities, kind, 0, (FAR, FAR, -1))[2]
            assigned[row] = number
            _join(clients, row, number)
            row = following


@numba.njit(cache=True)
def _join(clients: _Clients, row: int, facility: int) -> None:
    clients.before[row] = clients.last[facility]
    clients.last[facility] = row
    clients.sizes[facility] += 1
