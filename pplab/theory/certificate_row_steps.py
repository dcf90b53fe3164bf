"""Bounds of single rows: slopes, the k - 1 rows with the best scores, and the next slopes."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

from pplab.anonymity.kinds import Kinds
from pplab.theory.certificate_hull import Hulls
from pplab.theory.certificate_slopes import row_slopes

__all__ = ["best_companies", "insert", "other_rows"]


class _Room(NamedTuple):
    """Scratch of one thread; `scores` and `places` are zero between steps."""

    scores: np.ndarray  # of each kind
    touched: np.ndarray  # kinds that share an item
    reached: np.ndarray  # their scores
    places: np.ndarray  # of the row's items, from 1
    slopes: np.ndarray  # of the row's items
    found: np.ndarray  # share of the best company that has each of the row's items
    best: np.ndarray  # highest scores, descending


@numba.njit(cache=True, nogil=True)
def best_companies(
    kinds: Kinds,
    hulls: Hulls,
    function: np.ndarray,
    heavy: np.ndarray,
    alike: np.ndarray,
    part: tuple[int, int, int, int, int],
) -> float:
    """Sum over the rows of some kinds of the least bound met in a few steps.

    Parameters
    ----------
    kinds : Kinds
    hulls : Hulls
    function : int array, shape (items,)
        Number of each item's function.
    heavy : bool array, shape (items,)
        Items that get the slope 0.
    alike : float array, one per entry of the kinds
        Where slopes are taken; moved on in place, for these kinds only.
    part : (first, last, k, passed, steps)
        Kinds from first to last, and how many steps were made before.
    """
    first, last, k, passed, steps = part
    highest = kinds.degrees[-1]
    room = _Room(
        np.zeros(len(kinds.degrees)),
        np.empty(len(kinds.degrees), dtype=np.int32),
        np.empty(len(kinds.degrees)),
        np.zeros(len(function), dtype=np.int32),
        np.empty(highest),
        np.empty(highest),
        np.empty(k - 1),
    )
    total = 0.0
    for kind in range(first, last):
        start, end = kinds.starts[kind], kinds.starts[kind + 1]
        least = np.inf
        for step in range(passed, passed + steps):
            bound = row_slopes(kinds, hulls, function, heavy, alike, kind, k, room.slopes)
            met = _scores(kinds, kind, room)
            bound += _company(kinds, kind, met, k, room)
            least = min(least, bound)
            for place in range(end - start):
                move = 2 / (step + 2) * (room.found[place] - alike[start + place])
                alike[start + place] += move
        total += least * (kinds.member_starts[kind + 1] - kinds.member_starts[kind])
    return total


@numba.njit(cache=True, nogil=True)
def _scores(kinds: Kinds, kind: int, room: _Room) -> int:
    """Score every kind that shares an item with a slope."""
    start, met = kinds.starts[kind], 0
    for place in range(kinds.degrees[kind]):
        slope, item = room.slopes[place], kinds.items[start + place]
        if slope > 0:
            for other in kinds.item_kinds[kinds.item_starts[item] : kinds.item_starts[item + 1]]:
                if room.scores[other] == 0:
                    room.touched[met] = other
                    met += 1
                room.scores[other] += slope
    return met


@numba.njit(cache=True, nogil=True)
def _company(kinds: Kinds, kind: int, met: int, k: int, room: _Room) -> float:
    """Mean of the k - 1 highest scores of other rows; who has what among them.

    Rows that tie for the last places share them.
    """
    room.best[:] = 0
    for place in range(met):
        other = room.touched[place]
        score = room.scores[other]
        room.reached[place], room.scores[other] = score, 0
        if score > room.best[-1]:
            rows = other_rows(kinds, other, kind)
            while rows > 0 and score > room.best[-1]:
                insert(room.best, score)
                rows -= 1
    last = room.best[-1]
    surely, tied = 0, 0
    for score in room.best:
        surely += score > last
    for place in range(met):
        if room.reached[place] == last:
            tied += other_rows(kinds, room.touched[place], kind)
    _who_shares(kinds, kind, met, last, (k - 1 - surely) / max(tied, 1), room)
    room.found[: kinds.degrees[kind]] /= k - 1
    return room.best.sum() / (k - 1)


@numba.njit(cache=True, nogil=True)
def other_rows(kinds: Kinds, other: int, kind: int) -> int:
    """Rows of one kind, without the one in question if that is of this kind."""
    return kinds.member_starts[other + 1] - kinds.member_starts[other] - (other == kind)


@numba.njit(cache=True, nogil=True)
def insert(best: np.ndarray, score: float) -> None:
    """Put a score into a descending list in place of its last."""
    place = len(best) - 1
    while place > 0 and best[place - 1] < score:
        best[place] = best[place - 1]
        place -= 1
    best[place] = score


@numba.njit(cache=True, nogil=True)
def _who_shares(
    kinds: Kinds, kind: int, met: int, last: float, tied_weight: float, room: _Room
) -> None:
    """Number of rows of the company that have each item."""
    start, end = kinds.starts[kind], kinds.starts[kind + 1]
    room.found[: end - start] = 0
    for place in range(start, end):
        room.places[kinds.items[place]] = place - start + 1
    for candidate in range(met):
        score, other = room.reached[candidate], room.touched[candidate]
        if score < last:
            continue
        weight = other_rows(kinds, other, kind) * (tied_weight if score == last else 1.0)
        for item in kinds.items[kinds.starts[other] : kinds.starts[other + 1]]:
            if room.places[item] > 0:
                room.found[room.places[item] - 1] += weight
    for place in range(start, end):
        room.places[kinds.items[place]] = 0
