"""Byrka and Aardal's rounding: scale the relaxation, cluster clients, toss coins."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pplab.anonymity.facility.bound import FacilityBound

__all__ = ["Copies", "close_fractions", "cluster_centres", "rounded_facilities", "split_copies"]

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
        wanted = np.concatenate([close[:, number], gamma * bound.assigned[:, number], [1.0, 2.0]])
        cuts = np.sort(np.append(wanted[(wanted > _SAME) & (wanted < top - _SAME)], top))
        cuts = cuts[np.diff(cuts, prepend=0.0) > _SAME]
        facility += [number] * len(cuts)
        starts += [0.0, *cuts[:-1]]
        ends += cuts.tolist()
    places, upto = np.array(facility), np.array(ends)
    return Copies(places, upto - np.array(starts), upto <= close[:, places] + len(close) * _SAME)


def cluster_centres(costs: np.ndarray, close: np.ndarray, copies: Copies) -> list[int]:
    """Choose clients with disjoint close copies: least average plus greatest close distance first.

    A client that shares a close copy with a centre is a member of its cluster and no centre.
    """
    average = (close * costs).sum(axis=1)
    greatest = np.where(close > 0, costs, 0).max(axis=1)
    taken = np.zeros(len(copies.facility), dtype=bool)
    centres = []
    for client in np.argsort(average + greatest, kind="stable"):
        if not (copies.close[client] & taken).any():
            centres.append(int(client))
            taken |= copies.close[client]
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
        mine = np.flatnonzero(copies.close[centre])
        coins[mine] = False
        share = copies.size[mine] / copies.size[mine].sum()
        coins[rng.choice(mine, p=share)] = True
    return np.unique(copies.facility[coins])
