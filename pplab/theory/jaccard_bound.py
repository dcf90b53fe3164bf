"""Theorem 4.1: the similarity that randomized response exceeds with probability delta at most.

The printed form of *Smooth Anonymity for Sparse Graphs* (arXiv 2207.06358) fails on sparse graphs;
the corrected one, the line of its proof, a Chernoff form and the exact quantile hold.
"""

import math

import numpy as np
import scipy

from pplab.checks import check_choice, check_delta, check_edges, check_level_from_zero
from pplab.theory.jaccard_law import JaccardDistribution

FORMS = ("printed", "corrected", "line", "chernoff", "exact")


def jaccard_bound(*, density: float, cells: int, epsilon: float, delta: float, form: str) -> float:
    """Bound on the Jaccard similarity of a graph and its randomized response.

    Parameters
    ----------
    density : float
        Edges over cells, in (0, 1]; density x cells is rounded to whole edges, at least 1, and
        every form is evaluated at edges / cells.
    cells : int
        Q = users x items, from 1 to 10^15.
    epsilon : float
        Level of one edge, in [0, inf).
    delta : float
        Probability with which the similarity may exceed the bound, in (0, 1).
    form : {"printed", "corrected", "line", "chernoff", "exact"}
        "printed": a / b + 2 x, as the theorem has it. "corrected": a / b + 2 x / b. "line":
        (a + x) / (b - x), the proof's line before Lemma A.1. "chernoff": the smallest similarity
        whose Chernoff bound is at most delta. "exact": the 1 - delta quantile of J.

    Returns
    -------
    float
        In [0, 1]: a bound above 1 says nothing and is given as 1.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval, no edge is left, or the exact form needs a sum over
        more than 2 * 10^7 counts.

    Notes
    -----
    f = 1 / (1 + e^epsilon) = p / 2, a = density (1 - f) and b = density + f (1 - density) are the
    means of kept edges and of the union over Q, and x = sqrt(ln(2 / delta) / (2 Q)). By Hoeffding
    the kept edges exceed Q (a + x), and the union falls below Q (b - x), with probability at most
    delta / 2 each: that is the line. The line exceeds the first term by x (a + b) / (b (b - x)).
    For a sparse graph b is small and this is more than 2 x, so the printed form fails. As
    b - a = f, it is below 2 x / b exactly when x < f / 2, the theorem's own condition
    (``is_covered``): the corrected form holds under it. Without it the corrected form is above 1
    and holds for that reason. The proof of the Chernoff form stands in
    ``_chernoff_bound``.

    One deviation instead of two says more. J > t means that S = kept - t union is positive; S is a
    sum of Q independent terms of width 1 at most and has the mean -Q (t b - a). By Hoeffding,
    P(J > t) <= exp(-2 Q (t b - a)^2) for a / b <= t <= 1, while exp(-2 Q x^2) = delta / 2. At
    t = a / b + x / b this is delta / 2: half the corrected tail is enough, under no condition. At
    t = a / b + 2 x it is (delta / 2)^(4 b^2): the printed form holds where b >= 1/2, hence at
    every density of at least 1/2.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.1 and Lemma A.1, arXiv 2207.06358.

    Examples
    --------
    >>> setting = {"density": 1e-3, "cells": 10**6, "epsilon": 5.8, "delta": 0.05}
    >>> [round(jaccard_bound(**setting, form=form), 3) for form in FORMS]
    [0.251, 0.925, 0.886, 0.257, 0.254]
    """
    check_choice("form", form, FORMS)
    edges, cells = check_edges(density, cells)
    epsilon, delta = check_level_from_zero(epsilon), check_delta(delta)
    if form == "exact":
        law = JaccardDistribution(edges, cells, epsilon, exponent=60 - math.log(delta))
        return law.quantile(delta)
    if form == "chernoff":
        return _chernoff_bound(edges=edges, cells=cells, epsilon=epsilon, delta=delta)
    flip = float(scipy.special.expit(-epsilon))
    share, x = edges / cells, _deviation(cells, delta)
    a, b = share * float(scipy.special.expit(epsilon)), share + flip * (1 - share)
    if form == "line":
        return min((a + x) / (b - x), 1.0) if x < b else 1.0
    return min(a / b + 2 * x / (b if form == "corrected" else 1), 1.0)


def is_covered(*, cells: int, epsilon: float, delta: float) -> bool:
    """True if Theorem 4.1 covers a setting: p / 4 >= sqrt(C / Q), C = ln(2 / delta) / 2.

    Parameters
    ----------
    cells : int
        Q, from 1 to 10^15.
    epsilon : float
        Level of one edge, in [0, inf); p = 2 / (1 + e^epsilon).
    delta : float
        In (0, 1).

    Returns
    -------
    bool

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.1, arXiv 2207.06358.

    Examples
    --------
    >>> [is_covered(cells=10**6, epsilon=level, delta=0.05) for level in (5.8, 6.0)]
    [True, False]
    """
    _, cells = check_edges(1.0, cells)
    flip = float(scipy.special.expit(-check_level_from_zero(epsilon)))
    return flip / 2 >= _deviation(cells, check_delta(delta))


def violation_probability(
    *, density: float, cells: int, epsilon: float, delta: float, form: str
) -> float:
    """Exact probability that the similarity exceeds a form of Theorem 4.1's bound.

    Parameters
    ----------
    density, cells, epsilon, delta, form
        As for ``jaccard_bound``.

    Returns
    -------
    float
        In [0, 1]; the form holds in this setting when it is at most delta.

    Raises
    ------
    TypeError, ValueError
        As ``jaccard_bound``.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.1, arXiv 2207.06358.

    Examples
    --------
    >>> setting = {"density": 2e-5, "cells": 10**10, "epsilon": 9, "delta": 0.05}
    >>> round(violation_probability(**setting, form="printed"), 2)
    0.4
    """
    bound = jaccard_bound(density=density, cells=cells, epsilon=epsilon, delta=delta, form=form)
    edges, cells = check_edges(density, cells)
    # As many counts as the exact form looks at, so that the two agree to the last digit.
    law = JaccardDistribution(edges, cells, float(epsilon), exponent=60 - math.log(delta))
    return law.above(bound)


def _deviation(cells: int, delta: float) -> float:
    """x = sqrt(C / Q) with C = ln(2 / delta) / 2."""
    return math.sqrt((math.log(2) - math.log(delta)) / 2 / cells)


# The Chernoff form: what exponential moments say about the similarity.


def _chernoff_bound(*, edges: int, cells: int, epsilon: float, delta: float) -> float:
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
    >>> round(_chernoff_bound(edges=1000, cells=10**6, epsilon=5.8, delta=0.05), 3)
    0.257
    """
    aim = math.log(delta)

    def left(similarity: float) -> bool:
        return chernoff_exponent(similarity, edges=edges, cells=cells, epsilon=epsilon) > aim

    low, high = float(scipy.special.expit(math.log(edges / cells) + epsilon)), 1.0
    if low >= 1 or left(float(np.nextafter(1.0, 0.0))):
        return 1.0
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if left(middle) else (low, middle)
    return high


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
        lost = scipy.special.expit(-epsilon - s)
        invented = scipy.special.expit(-epsilon - s * similarity)
        return float(edges * (1 - similarity - lost) - rest * similarity * invented)

    if slope(0.0) >= 0:  # t is not above the mean
        return 0.0
    high = 1.0
    while slope(high) <= 0 and high < 1e6:
        high *= 2
    s = high
    if slope(high) > 0:
        s = scipy.optimize.brentq(slope, 0.0, high, xtol=1e-300, rtol=1e-12)
    flip = float(scipy.special.expit(-epsilon))
    stay = s * (1 - similarity) + math.log1p(flip * math.expm1(-s))
    return min(edges * stay + rest * math.log1p(flip * math.expm1(-s * similarity)), 0.0)
