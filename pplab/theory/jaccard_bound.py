"""Theorem 4.1: the similarity that randomized response exceeds with probability delta at most."""

from __future__ import annotations

import math

from scipy import special

from pplab.checks import check_choice, check_delta, check_edges, check_level_from_zero
from pplab.theory.jaccard_chernoff import chernoff_bound
from pplab.theory.jaccard_distribution import JaccardDistribution

__all__ = ["FORMS", "is_covered", "jaccard_bound", "violation_probability"]

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
    ``pplab.theory.jaccard_chernoff``.

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
        return chernoff_bound(edges=edges, cells=cells, epsilon=epsilon, delta=delta)
    flip = float(special.expit(-epsilon))
    share, x = edges / cells, _deviation(cells, delta)
    a, b = share * float(special.expit(epsilon)), share + flip * (1 - share)
    if form == "line":
        return min((a + x) / (b - x), 1.0) if x < b else 1.0
    return min(a / b + 2 * x / (b if form == "corrected" else 1), 1.0)


def is_covered(*, cells: int, epsilon: float, delta: float) -> bool:
    """Whether Theorem 4.1 speaks about a setting: p / 4 >= sqrt(C / Q), C = ln(2 / delta) / 2.

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
    flip = float(special.expit(-check_level_from_zero(epsilon)))
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
