"""Checks of the settings in which the similarity of a copy is computed."""

from __future__ import annotations

import math
from typing import Any

from pplab.checks.numbers import _real, check_integer

_MOST_CELLS = 10**15  # counts and their ratios stay exact in float64


def check_level_from_zero(epsilon: Any) -> float:
    """Refuse an epsilon outside [0, inf)."""
    _real("epsilon", epsilon, "[0, inf)")
    if not 0 <= epsilon < math.inf:
        raise ValueError(
            f"epsilon must lie in [0, inf), got {epsilon!r}; 0 is a coin for every cell"
        )
    return float(epsilon)


def check_delta(delta: Any) -> float:
    """Refuse a probability of failure outside (0, 1), or too small for a float."""
    _real("delta", delta, "(0, 1)")
    if not 0 < delta < 1 or not 0 < float(delta) < 1:
        raise ValueError(
            f"delta must lie in (0, 1), got {delta!r}; it is how often a bound may fail, "
            "for example 0.05"
        )
    return float(delta)


def check_density(density: Any) -> float:
    """Refuse a share of edges among cells outside (0, 1]."""
    _real("density", density, "(0, 1]")
    if not 0 < density <= 1 or float(density) == 0:
        raise ValueError(
            f"density must lie in (0, 1], got {density!r}; it is edges over cells, a graph "
            "without edges has no Jaccard similarity worth bounding"
        )
    return float(density)


def check_edges(density: Any, cells: Any) -> tuple[int, int]:
    """Turn a density and a number of cells into whole edges and cells, at least one edge."""
    share = check_density(density)
    number = check_integer("cells", cells, minimum=1, maximum=_MOST_CELLS)
    edges = round(share * number)
    if edges < 1:
        raise ValueError(
            f"density times cells must be at least one edge, got {share!r} x {number}; "
            "pass a higher density or more cells"
        )
    return min(edges, number), number
