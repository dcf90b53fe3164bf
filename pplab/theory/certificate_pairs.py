"""Pairs of rows that are worth more together than what the two rows pay alone."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

from pplab._compiled import in_threads
from pplab.anonymity.kinds import Kinds
from pplab.theory.certificate_row_steps import insert, other_rows

__all__ = ["Pairs", "Slopes", "first_tolls", "pairs_above"]

_BLOCK = 1024  # kinds per job


class Slopes(NamedTuple):
    """Slopes of the lines above the functions of each row's items.

    Attributes
    ----------
    of_kinds : float array, one per entry of the kinds
    of_items : float array
        The same, in the order of `Kinds.item_kinds`.
    light : int
        Items from this number on have the slope 0 everywhere; their rows are not read.
    """

    of_kinds: np.ndarray
    of_items: np.ndarray
    light: int


class Pairs(NamedTuple):
    """For each kind, other kinds (or itself) and what a pair of their rows is worth.

    Attributes
    ----------
    starts : int64 array, shape (kinds + 1,)
    others : int32 array
    worths : float array
    """

    starts: np.ndarray
    others: np.ndarray
    worths: np.ndarray


def first_tolls(kinds: Kinds, slopes: Slopes, k: int) -> np.ndarray:
    """Half the (k - 1)-th highest worth of a pair with another row, for each kind."""
    count = len(kinds.degrees)
    tolls = np.empty(count)

    def fill(first: int) -> None:
        _half_of_last(kinds, slopes, (first, min(first + _BLOCK, count)), k, tolls)

    in_threads(fill, range(0, count, _BLOCK), label="tolls")
    return tolls


def pairs_above(kinds: Kinds, slopes: Slopes, tolls: np.ndarray, margins: np.ndarray) -> Pairs:
    """List the pairs worth more than what is left of their two tolls without the margins.

    Each pair of kinds is listed from both sides; memory grows with the pairs that are listed.
    """
    count = len(kinds.degrees)
    limits = tolls - margins

    def part(first: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return _listed(kinds, slopes, (first, min(first + _BLOCK, count)), limits)

    parts = in_threads(part, range(0, count, _BLOCK), label="pairs")
    lengths, others, worths = (np.concatenate(each) for each in zip(*parts, strict=True))
    return Pairs(np.concatenate([[0], np.cumsum(lengths)]), others, worths)


@numba.njit(cache=True, nogil=True)
def _meet(kinds: Kinds, slopes: Slopes, kind: int, worths: np.ndarray, met: np.ndarray) -> int:
    """Add up the worth of a pair with each kind that shares an item with a slope."""
    found, start = 0, kinds.starts[kind]
    for place in range(start, kinds.starts[kind + 1]):
        item = kinds.items[place]
        if item >= slopes.light:  # items come in ascending order
            break
        own = slopes.of_kinds[place]
        for entry in range(kinds.item_starts[item], kinds.item_starts[item + 1]):
            worth = own + slopes.of_items[entry]
            if worth > 0:
                other = kinds.item_kinds[entry]
                if worths[other] == 0:
                    met[found] = other
                    found += 1
                worths[other] += worth
    return found


@numba.njit(cache=True, nogil=True)
def _half_of_last(
    kinds: Kinds, slopes: Slopes, part: tuple[int, int], k: int, tolls: np.ndarray
) -> None:
    worths = np.zeros(len(kinds.degrees))
    met = np.empty(len(kinds.degrees), dtype=np.int32)
    best = np.empty(k - 1)
    for kind in range(part[0], part[1]):
        best[:] = 0
        for other in met[: _meet(kinds, slopes, kind, worths, met)]:
            worth, worths[other] = worths[other], 0
            rows = other_rows(kinds, other, kind)
            while rows > 0 and worth > best[-1]:
                insert(best, worth)
                rows -= 1
        tolls[kind] = best[-1] / 2


@numba.njit(cache=True, nogil=True)
def _listed(
    kinds: Kinds, slopes: Slopes, part: tuple[int, int], limits: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    worths = np.zeros(len(kinds.degrees))
    met = np.empty(len(kinds.degrees), dtype=np.int32)
    lengths = np.zeros(part[1] - part[0], dtype=np.int64)
    others, above = np.empty(4096, dtype=np.int32), np.empty(4096)
    filled = 0
    for kind in range(part[0], part[1]):
        found, first = _meet(kinds, slopes, kind, worths, met), filled
        if filled + found > len(others):
            others, above = _longer(others, filled + found), _longer(above, filled + found)
        alone = kinds.member_starts[kind + 1] - kinds.member_starts[kind] == 1
        for other in met[:found]:
            worth, worths[other] = worths[other], 0
            if worth > limits[kind] + limits[other] and not (other == kind and alone):
                others[filled], above[filled] = other, worth
                filled += 1
        lengths[kind - part[0]] = filled - first
    return lengths, others[:filled].copy(), above[:filled].copy()


@numba.njit(cache=True, nogil=True)
def _longer(values: np.ndarray, least: int) -> np.ndarray:
    longer = np.empty(2 * least, dtype=values.dtype)
    longer[: len(values)] = values
    return longer
