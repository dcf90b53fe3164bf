"""Lines above the functions of all rows' items: their heights, and better slopes."""

from __future__ import annotations

import numba
import numpy as np

from pplab._compiled import in_threads
from pplab.anonymity.kinds import Kinds
from pplab.theory.certificate_hull import Hulls

__all__ = ["line_heights", "next_slopes"]

_BLOCK = 16384  # kinds per job


def line_heights(kinds: Kinds, hulls: Hulls, function: np.ndarray, slopes: np.ndarray) -> float:
    """Sum over all rows and their items of the least height at 0 of a line above the function.

    Parameters
    ----------
    kinds : Kinds
    hulls : Hulls
    function : int array, shape (items,)
        Number of each item's function.
    slopes : float array, one per entry of the kinds
        Not negative.
    """
    count = len(kinds.degrees)

    def total(first: int) -> float:
        return _heights(kinds, hulls, function, slopes, first, min(first + _BLOCK, count))

    return sum(in_threads(total, range(0, count, _BLOCK), label="heights"))


@numba.njit(cache=True, nogil=True)
def _heights(
    kinds: Kinds, hulls: Hulls, function: np.ndarray, slopes: np.ndarray, first: int, last: int
) -> float:
    total = 0.0
    for kind in range(first, last):
        heights = 0.0
        for place in range(kinds.starts[kind], kinds.starts[kind + 1]):
            number = function[kinds.items[place]]
            height = 0.0
            for vertex in range(hulls.starts[number], hulls.starts[number + 1]):
                height = max(height, hulls.worth[vertex] - slopes[place] * hulls.at[vertex])
            heights += height
        total += heights * (kinds.member_starts[kind + 1] - kinds.member_starts[kind])
    return total


@numba.njit(cache=True, nogil=True)
def next_slopes(
    items: np.ndarray,
    hulls: Hulls,
    function: np.ndarray,
    light: int,
    slopes: np.ndarray,
    alike: np.ndarray,
    rate: float,
) -> np.ndarray:
    """Slopes for the next step, by a proximal one on heights + slopes * alike.

    With a very large rate the slope is that of the function at `alike`; items from number light
    on get 0.
    """
    found = np.zeros(len(slopes))
    for place in range(len(items)):
        if items[place] >= light:
            continue
        first, last = hulls.starts[function[items[place]]], hulls.starts[function[items[place]] + 1]
        steepest = np.inf  # slope of the function before the vertex
        for vertex in range(first, last):
            flattest = 0.0  # and after it
            if vertex < last - 1:
                rise = hulls.worth[vertex + 1] - hulls.worth[vertex]
                flattest = rise / (hulls.at[vertex + 1] - hulls.at[vertex])
            slope = slopes[place] - (alike[place] - hulls.at[vertex]) * rate
            if slope >= flattest or vertex == last - 1:
                found[place] = max(min(slope, steepest), flattest)
                break
            steepest = flattest
    return found
