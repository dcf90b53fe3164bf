"""The Chernoff form of Theorem 4.1: what exponential moments say about the similarity."""

from __future__ import annotations

import math

import numpy as np
from scipy import optimize, special

__all__ = ["chernoff_bound", "chernoff_exponent"]


def chernoff_exponent(similarity: float, *, edges: int, cells: int, epsilon: float) -> float:
    """Logarithm of the Chernoff bound on the probability that J exceeds a similarity.

    Parameters
    ----------
    similarity : float
        t in (0, 1).
    edges, cells : int
        Edges of the graph and all cells.
    epsilon : float
        Level of one edge, in [0, inf).

    Returns
    -------
    float
        At most 0.

    Notes
    -----
    J > t says that S = kept - t (edges + invented) is positive. For every s >= 0 its probability is
    at most E e^(sS), and the counts are sums of independent coins, so that
    ``ln E e^(sS) = edges ln((1-f) e^s + f) - s t edges + (cells-edges) ln(1-f + f e^(-st))``.
    This is convex in s; its slope at s is the mean of S when an edge stays with odds e^(epsilon+s)
    and one is invented with odds e^(-epsilon-st), which no large level overflows.

    Examples
    --------
    >>> round(chernoff_exponent(0.8, edges=100, cells=1000, epsilon=3.0), 2)
    -7.06
    """
    rest = cells - edges

    def slope(s: float) -> float:
        lost, invented = special.expit(-epsilon - s), special.expit(-epsilon - s * similarity)
        return float(edges * (1 - similarity - lost) - rest * similarity * invented)

    if slope(0.0) >= 0:  # t is not above the mean
        return 0.0
    high = 1.0
    while slope(high) <= 0 and high < 1e6:
        high *= 2
    s = optimize.brentq(slope, 0.0, high, xtol=1e-300, rtol=1e-12) if slope(high) > 0 else high
    flip = float(special.expit(-epsilon))
    stay = s * (1 - similarity) + math.log1p(flip * math.expm1(-s))
    leave = math.log1p(flip * math.expm1(-s * similarity))
    return min(edges * stay + rest * leave, 0.0)


def chernoff_bound(*, edges: int, cells: int, epsilon: float, delta: float) -> float:
    """Similarity above which the Chernoff bound leaves at most delta.

    Parameters
    ----------
    edges, cells, epsilon
        As for ``chernoff_exponent``.
    delta : float
        In (0, 1).

    Returns
    -------
    float
        In (0, 1]; good to 1e-13, on the safe side.

    Notes
    -----
    Valid: S falls with t, hence so does E e^(sS) for every s >= 0, hence the similarities whose
    bound is at most delta are all those from some t on; at that t, P(J > t) <= delta.

    Nowhere above the line (a + x) / (b - x) of the printed proof, with a = density (1 - f),
    b = density + f (1 - density), x = sqrt(ln(2 / delta) / (2 Q)): let t be that line, below 1.
    Then E S = Q (a - t b) = -Q x (1 + t). S is a sum of independent terms, one per edge of width 1
    and one per other cell of width t, and Hoeffding bounds the same moments E e^(sS), so that the
    Chernoff bound at t is at most
    ``exp(-2 Q^2 x^2 (1 + t)^2 / (edges + (Q - edges) t^2)) <= exp(-2 Q x^2) = delta / 2``,
    since edges + (Q - edges) t^2 <= Q <= Q (1 + t)^2. The smallest such similarity is therefore
    not above the line. The corrected form a / b + 2 x / b is not below the line where x <= f / 2,
    by the repaired Lemma A.1; where x > f / 2 it is above a / b + f / b = 1. So the Chernoff form,
    capped at 1, is nowhere above the corrected one.

    Examples
    --------
    >>> round(chernoff_bound(edges=1000, cells=10**6, epsilon=5.8, delta=0.05), 3)
    0.257
    """
    aim = math.log(delta)

    def left(similarity: float) -> bool:
        exponent = chernoff_exponent(similarity, edges=edges, cells=cells, epsilon=epsilon)
        return exponent > aim

    low, high = float(special.expit(math.log(edges / cells) + epsilon)), 1.0
    if low >= 1 or left(float(np.nextafter(1.0, 0.0))):
        return 1.0
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if left(middle) else (low, middle)
    return high
