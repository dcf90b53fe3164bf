"""Lines above the functions of a row's items."""

from __future__ import annotations

import numba
import numpy as np

from pplab.anonymity.kinds import Kinds
from pplab.theory.certificate_hull import Hulls

__all__ = ["row_slopes"]


@numba.njit(cache=True, nogil=True)
def row_slopes(
    kinds: Kinds,
    hulls: Hulls,
    function: np.ndarray,
    heavy: np.ndarray,
    alike: np.ndarray,
    kind: int,
    k: int,
    slopes: np.ndarray,
) -> float:
    """Fill in the slopes of a row's items; the sum of the heights at 0 of their lines.

    Slopes are softened over the width of one row's share. Any slope gives a bound: the height is
    the least with which the line stays above the function.
    """
    start, end = kinds.starts[kind], kinds.starts[kind + 1]
    half, heights = 0.5 / (k - 1), 0.0
    for place in range(end - start):
        item = kinds.items[start + place]
        a, b = hulls.starts[function[item]], hulls.starts[function[item] + 1]
        slope, t = 0.0, alike[start + place]
        if not heavy[item]:
            left, right = max(t - half, 0.0), min(t + half, 1.0)
            rise = _worth(hulls, a, b, right) - _worth(hulls, a, b, left)
            slope = max(rise / (right - left), 0.0)
        slopes[place] = slope
        height = hulls.worth[a]
        for vertex in range(a + 1, b):
            height = max(height, hulls.worth[vertex] - slope * hulls.at[vertex])
        heights += height
    return heights


@numba.njit(cache=True, nogil=True)
def _worth(hulls: Hulls, first: int, end: int, t: float) -> float:
    """Value at t of the function with these vertices."""
    for vertex in range(first + 1, end):
        if t < hulls.at[vertex]:
            x, y = hulls.at[vertex - 1], hulls.worth[vertex - 1]
            return y + (t - x) * (hulls.worth[vertex] - y) / (hulls.at[vertex] - x)
    return hulls.worth[end - 1]
