"""Checks of the settings in which the similarity of a copy is computed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pplab.checks.numbers import _real, check_integer

__all__ = [
    "check_delta",
    "check_density",
    "check_edges",
    "check_inside",
    "check_level_from_zero",
    "check_mechanism",
    "check_window",
]

_MOST_CELLS = 10**15  # counts and their ratios stay exact in float64
_MOST_COUNTS = 2 * 10**7


def check_level_from_zero(epsilon: Any) -> float:
    """Refuse an epsilon outside [0, inf)."""
    _real("epsilon", epsilon, "[0, inf)")
    if not 0 <= epsilon < math.inf:
        raise ValueError(
            f"epsilon must lie in [0, inf), got {epsilon!r}; 0 is a coin for every cell"
        )
    return float(epsilon)


def check_inside(name: str, value: Any) -> float:
    """Refuse a number outside (0, 1)."""
    _real(name, value, "(0, 1)")
    if not 0 < value < 1:
        raise ValueError(f"{name} must lie in (0, 1), got {value!r}; pass a number between")
    return float(value)


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


def check_window(counts: int) -> None:
    """Refuse a sum over more counts than fit in memory comfortably."""
    if not counts <= _MOST_COUNTS:
        raise ValueError(
            f"the exact law needs a sum over {counts} counts, at most {_MOST_COUNTS} are allowed; "
            "use form='chernoff' or fewer cells"
        )


def check_mechanism(probabilities: Any) -> tuple[np.ndarray, int]:
    """Refuse what is not a table of probabilities over the graphs on some cells."""
    table = np.asarray(probabilities, dtype=float)
    cells = int(table.shape[0]).bit_length() - 1 if table.ndim == 2 else 0
    if cells < 1 or table.shape != (2**cells, 2**cells):
        raise ValueError(
            f"probabilities must have shape (2^cells, 2^cells), got {table.shape}; "
            "pass a row for each graph and a column for each output"
        )
    if not ((table >= 0).all() and (np.abs(table.sum(axis=1) - 1) < 1e-6).all()):
        raise ValueError(
            "probabilities must be at least 0 and sum to 1 in each row, got a row that does not; "
            "divide each row by its sum"
        )
    return table, cells
