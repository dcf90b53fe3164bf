"""Two groups become one, one becomes two, one goes: what changes the number of groups."""

from __future__ import annotations

import numba
import numpy as np

from pplab._compiled import accepted, draw_below
from pplab.anonymity.search.alike import Alike, group_alike
from pplab.anonymity.search.changes import group_worth, worth_with
from pplab.anonymity.search.state import POOL, State, add_row, has_room, take_row, takes_row

__all__ = ["dissolve_group", "join_groups", "split_group"]

_ASKED = 3  # groups alike that a row of a dissolved one may go to


@numba.njit(cache=True, nogil=True)
def join_groups(
    state: State, worth: np.ndarray, home: int, away: int, temperature: float, seed: np.ndarray
) -> None:
    """Propose to put all rows of a group into another one; its slot becomes a spare."""
    size = state.sizes[home]
    if size + state.sizes[away] > state.members.shape[1]:
        return
    if not has_room(state, away, state.used[home]):
        return
    before = group_worth(state, worth, home) + group_worth(state, worth, away)
    rows = state.members[home, :size].copy()
    _send(state, rows, away)
    if accepted(group_worth(state, worth, away) - before, temperature, seed):
        _give_up(state, home)
    else:
        _send(state, rows, home)


@numba.njit(cache=True, nogil=True)
def split_group(
    state: State, worth: np.ndarray, k: int, home: int, temperature: float, seed: np.ndarray
) -> None:
    """Propose to send k or more random rows of a group of 2k or more to a spare one."""
    if state.spares[0] == 0:
        return
    size, away = state.sizes[home], state.spare[state.spares[0] - 1]
    if not has_room(state, away, state.used[home]):
        return
    before = group_worth(state, worth, home)
    rows = state.members[home, :size].copy()
    sent = k + draw_below(seed, size - 2 * k + 1)
    for place in range(sent):  # the first steps of a shuffle
        other = place + draw_below(seed, size - place)
        rows[place], rows[other] = rows[other], rows[place]
    _send(state, rows[:sent], away)
    gain = group_worth(state, worth, home) + group_worth(state, worth, away) - before
    if accepted(gain, temperature, seed):
        state.spares[0] -= 1
    else:
        _send(state, rows[:sent], home)


@numba.njit(cache=True, nogil=True)
def dissolve_group(
    state: State,
    alike: Alike,
    worth: np.ndarray,
    home: int,
    temperature: float,
    seed: np.ndarray,
) -> None:
    """Propose to send each row of a group to the best of a few others; its slot becomes a spare."""
    rows = state.members[home, : state.sizes[home]].copy()
    gain = -group_worth(state, worth, home)
    for row in rows:
        best, most = POOL, -np.inf
        for _ in range(_ASKED):
            away = group_alike(state, alike, row, seed)
            if away != POOL and away != home and takes_row(state, away, row):
                more = worth_with(state, worth, away, row) - group_worth(state, worth, away)
                if more > most:
                    best, most = away, more
        if best == POOL:
            gain = -np.inf
            break
        take_row(state, row)
        add_row(state, best, row)
        gain += most
    if accepted(gain, temperature, seed):
        _give_up(state, home)
    else:
        _send(state, rows, home)


@numba.njit(cache=True, nogil=True)
def _give_up(state: State, group: int) -> None:
    """Put a group without rows among the spare ones."""
    state.spare[state.spares[0]] = group
    state.spares[0] += 1


@numba.njit(cache=True, nogil=True)
def _send(state: State, rows: np.ndarray, group: int) -> None:
    """Put rows into a group, wherever they are."""
    for row in rows:
        take_row(state, row)
        add_row(state, group, row)
