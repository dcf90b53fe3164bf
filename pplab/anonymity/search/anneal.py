"""Simulated annealing over groups: rows move and change places; groups join, split, break up."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

from pplab._compiled import accepted, draw_below, draw_share
from pplab.anonymity.search.alike import Alike, group_alike
from pplab.anonymity.search.changes import (
    group_worth,
    swap_gain,
    swap_sides,
    worth_with,
    worth_without,
)
from pplab.anonymity.search.joins import dissolve_group, join_groups, split_group
from pplab.anonymity.search.state import POOL, State, add_row, has_room, take_row, takes_row

__all__ = ["Search", "anneal"]

_LOOKED_AT = 3  # rows of a group among which the best one to change places with is taken
_JOINS = 0.05  # share of proposals to make one group of two, or two of one
_DISSOLVES = 0.3  # of those to dissolve a group, times its rows: each asks for a place


class Search(NamedTuple):
    """What stays the same while groups change.

    Attributes
    ----------
    alike : Alike
    worth : float array, shape (largest + 1, largest + 1)
        At [size, count], see `worth_table`.
    k : int
    """

    alike: Alike
    worth: np.ndarray
    k: int


def anneal(
    state: State, search: Search, seed: np.ndarray, *, temperature: float, proposals: int
) -> None:
    """Make proposals at one temperature; groups and counts change in place.

    A proposal takes a random row and a random one alike, from another group. The first goes to the
    group of the second, if its own can spare it, or changes places with one of its rows. Now and
    then its group is dissolved, or the two groups are made one, or its own is made two. What lowers
    the worth by d is done with probability exp(-d / temperature).

    Parameters
    ----------
    state : State
    search : Search
    seed : uint64 array, shape (1,)
        Moves on.
    temperature : float
        In entries.
    proposals : int

    References
    ----------
    Kirkpatrick, Gelatt and Vecchi 1983, Optimization by simulated annealing,
    doi 10.1126/science.220.4598.671.
    """
    _anneal(state, search, seed, temperature, proposals)


@numba.njit(cache=True, nogil=True)
def _anneal(
    state: State, search: Search, seed: np.ndarray, temperature: float, proposals: int
) -> None:
    most = state.kinds.degrees[-1]
    sides = (np.empty(most), np.empty(most))
    for _ in range(proposals):
        row = draw_below(seed, len(state.group_of))
        away = group_alike(state, search.alike, row, seed)
        home = state.group_of[row]
        if home == away:
            continue
        if home != POOL and draw_share(seed) < _DISSOLVES / search.k:
            dissolve_group(state, search.alike, search.worth, home, temperature, seed)
        elif draw_share(seed) < _JOINS:
            if home != POOL and state.sizes[home] >= 2 * search.k:
                split_group(state, search.worth, search.k, home, temperature, seed)
            elif home != POOL and away != POOL:
                join_groups(state, search.worth, home, away, temperature, seed)
        elif _may_leave(state, search.k, home) and (away == POOL or draw_share(seed) < 0.5):
            _move(state, search, row, away, temperature, seed)
        elif away != POOL:
            _swap(state, search, row, away, sides, temperature, seed)


@numba.njit(cache=True, nogil=True)
def _may_leave(state: State, k: int, home: int) -> bool:
    return (state.pool_size[0] if home == POOL else state.sizes[home]) > k


@numba.njit(cache=True, nogil=True)
def _move(
    state: State, search: Search, row: int, away: int, temperature: float, seed: np.ndarray
) -> None:
    home, worth = state.group_of[row], search.worth
    if not takes_row(state, away, row):
        return
    gain = worth_with(state, worth, away, row) - group_worth(state, worth, away)
    gain += worth_without(state, worth, home, row) - group_worth(state, worth, home)
    if accepted(gain, temperature, seed):
        take_row(state, row)
        add_row(state, away, row)


@numba.njit(cache=True, nogil=True)
def _swap(
    state: State,
    search: Search,
    row: int,
    away: int,
    sides: tuple[np.ndarray, np.ndarray],
    temperature: float,
    seed: np.ndarray,
) -> None:
    home, kind_of = state.group_of[row], state.kinds.kind_of
    first = swap_sides(state, search.worth, kind_of[row], home, away, sides[0])
    best, most = -1, -np.inf
    for _ in range(_LOOKED_AT):
        other = state.members[away, draw_below(seed, state.sizes[away])]
        if kind_of[other] != kind_of[row]:
            gain = swap_gain(state, search.worth, (row, other), (home, away), sides, first)
            if gain > most:
                best, most = other, gain
    if best < 0 or not accepted(most, temperature, seed):
        return
    degrees = state.kinds.degrees
    if not (
        has_room(state, away, degrees[kind_of[row]])
        and has_room(state, home, degrees[kind_of[best]])
    ):
        return
    take_row(state, row)
    take_row(state, best)
    add_row(state, away, row)
    add_row(state, home, best)
