"""Which algorithm Li's 1.488 draws: the greedy one or a rounding, and at what scale."""

from __future__ import annotations

import numpy as np

__all__ = ["draw_scale"]

GREEDY = 0.195583  # probability of the greedy algorithm
POINT = 0.503357  # probability of rounding at LOW itself
LOW, HIGH = 1.479311, 2.016569  # otherwise at a scale drawn evenly between these two


def draw_scale(rng: np.random.Generator) -> float | None:
    """Draw gamma, or None for the greedy algorithm.

    Examples
    --------
    >>> rng = np.random.default_rng(3)
    >>> [draw_scale(rng) for _ in range(2)]
    [None, 1.479311]
    """
    coin = rng.random()
    if coin < GREEDY:
        return None
    return LOW if coin < GREEDY + POINT else float(rng.uniform(LOW, HIGH))
