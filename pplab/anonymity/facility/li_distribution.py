"""Which algorithm Li's 1.488 draws: the greedy one or a rounding, and at what scale."""

from __future__ import annotations

import math

import numpy as np

__all__ = ["FACTOR", "connection_factor", "draw_scale", "opening_factor", "rounding_factor"]

GREEDY = 0.195583  # probability of the greedy algorithm
POINT = 0.503357  # probability of rounding at LOW itself
LOW, HIGH = 1.479311, 2.016569  # otherwise at a scale drawn evenly between these two
EVEN = 1 - GREEDY - POINT
GREEDY_OPENING, GREEDY_CONNECTION = 1.11, 1.7764  # what the greedy algorithm promises
FACTOR = 1.488  # Li's factor; the distribution reaches 1.487954


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


def opening_factor() -> float:
    """Expected opening cost over the relaxation's: rounding at gamma pays gamma, greedy 1.11.

    Examples
    --------
    >>> round(opening_factor(), 6)
    1.487953
    """
    return GREEDY * GREEDY_OPENING + POINT * LOW + EVEN * (LOW + HIGH) / 2


def rounding_factor(gamma: float, part: float) -> float:
    """Bound on the expected connection cost of rounding at gamma over the relaxation's.

    The client's fractions lie at distance 0 up to `part` of them and at 1 / (1 - part) from there
    on. Such steps are the worst case: the bound is linear in the distances, and every client's
    are a mixture of steps.

    Parameters
    ----------
    gamma : float
        Scale, from 1 to 3.
    part : float
        In [0, 1).

    Returns
    -------
    float
        integral of h(p) gamma e^(-gamma p) dp + e^-gamma (gamma + (3 - gamma) h(1 / gamma)).

    References
    ----------
    Li 2013, doi 10.1016/j.ic.2012.01.007, Section 4 (the function alpha).
    """
    far = 1 / (1 - part)
    by_itself = far * (math.exp(-gamma * part) - math.exp(-gamma))
    at_centre = gamma + (3 - gamma) * (far if gamma * part < 1 else 0)
    return by_itself + math.exp(-gamma) * at_centre


def connection_factor(part: float, *, steps: int = 2000) -> float:
    """Expected connection cost over the relaxation's, against a step as in `rounding_factor`.

    Below 1.487954 for every part, as the opening factor is: Li's factor 1.488.

    Examples
    --------
    >>> round(connection_factor(0.0), 4), round(connection_factor(0.5), 4)
    (1.4873, 1.4872)
    """
    scales = LOW + (HIGH - LOW) * (np.arange(steps) + 0.5) / steps
    even = float(np.mean([rounding_factor(scale, part) for scale in scales]))
    return GREEDY * GREEDY_CONNECTION + POINT * rounding_factor(LOW, part) + EVEN * even
