"""The similarity that a copy exceeds with a given probability, found on the exact law."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import optimize, special

if TYPE_CHECKING:
    from pplab.theory.jaccard_distribution import JaccardDistribution

__all__ = ["similarity_quantile"]

_CLOSE = 1e-13  # relative width at which a bracket counts as one similarity


def similarity_quantile(law: JaccardDistribution, delta: float) -> float:
    """Smallest similarity that is exceeded with probability at most delta.

    Parameters
    ----------
    law : JaccardDistribution
    delta : float
        In (0, 1).

    Returns
    -------
    float
        On the safe side: it is exceeded with probability at most delta. Good to 1e-13 of its size,
        and an attained similarity where these lie further apart.

    Examples
    --------
    >>> from pplab.theory.jaccard_distribution import jaccard_distribution
    >>> similarity_quantile(jaccard_distribution(density=1.0, cells=4, epsilon=0.0), 0.1)
    0.75
    """
    if law.above(0.0) <= delta:
        return 0.0
    aim = float(special.ndtri(delta))

    def gap(similarity: float) -> float:
        # On this scale the law is almost a straight line, so that few steps are enough.
        return float(special.ndtri(np.clip(law.above(similarity), 1e-320, 1 - 1e-16)) - aim)

    low, high = _guess(law, delta, aim)
    if gap(low) > 0 > gap(high):
        root = float(optimize.brentq(gap, low, high, xtol=1e-300, rtol=1e-14, maxiter=500))
        low, high = _around(law, root, delta)
    while high - low > _CLOSE * high:
        middle = (low + high) / 2
        low, high = (low, middle) if law.above(middle) <= delta else (middle, high)
    attained = law.attained_below(high)
    return attained if low < attained and law.above(attained) <= delta else high


def _guess(law: JaccardDistribution, delta: float, aim: float) -> tuple[float, float]:
    """A bracket about the quantile of the normal law with the same spread."""
    mean, rest = law.mean, law.cells - law.edges
    stay, leave = float(special.expit(law.epsilon)), float(special.expit(-law.epsilon))
    union = law.edges / mean * stay
    spread = float(np.sqrt(stay * leave * (law.edges + mean**2 * rest))) / union
    step, centre = spread / 64, mean - aim * spread
    while step < 1:
        low, high = max(centre - step, 0.0), min(centre + step, 1.0)
        if law.above(high) <= delta < law.above(low):
            return low, high
        step = max(step * 8, 1e-12)
    return 0.0, 1.0


def _around(law: JaccardDistribution, root: float, delta: float) -> tuple[float, float]:
    """A narrow bracket about a root."""
    step = 2e-14
    while step < 1:
        low, high = root * (1 - step), min(root * (1 + step), 1.0)
        if law.above(high) <= delta < law.above(low):
            return low, high
        step *= 8
    return 0.0, 1.0
