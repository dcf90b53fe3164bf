"""The Jaccard similarity that randomized response leaves on average, and the level it takes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from pplab.checks import check_density, check_level_from_zero
from pplab.theory.jaccard_distribution import jaccard_distribution

__all__ = [
    "epsilon_for_jaccard",
    "expected_jaccard",
    "jaccard_first_term",
    "jaccard_of_log_density",
]


def expected_jaccard(*, density: float, cells: int, epsilon: float) -> float:
    """Exact mean of the Jaccard similarity of a graph and its randomized response.

    Parameters
    ----------
    density : float
        Edges over cells, in (0, 1]; density x cells is rounded to whole edges, at least 1.
    cells : int
        Q = users x items, from 1 to 10^15.
    epsilon : float
        Level of one edge, in [0, inf).

    Returns
    -------
    float
        In (0, 1].

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval or no edge is left.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.1, arXiv 2207.06358, whose first term this is up to terms that vanish with Q.

    Examples
    --------
    >>> expected_jaccard(density=0.5, cells=2, epsilon=0.0)  # J is 1, 1/2 with 1/4 each, else 0
    0.375
    """
    return jaccard_distribution(density=density, cells=cells, epsilon=epsilon).mean


def jaccard_first_term(*, density: float, epsilon: float) -> float:
    """First term of Theorem 4.1: the mean Jaccard similarity of a copy of a large graph.

    Parameters
    ----------
    density : float
        Edges over cells, in (0, 1].
    epsilon : float
        Level of one edge, in [0, inf).

    Returns
    -------
    float
        ``(1 - f) / (1 + f (1 - density) / density)`` with ``f = 1 / (1 + e^epsilon)``; its odds
        J / (1 - J) are ``density * e^epsilon``, which no large level overflows.

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
    >>> round(jaccard_first_term(density=1e-4, epsilon=5), 3)
    0.015
    """
    log_density = math.log(check_density(density))
    return float(special.expit(log_density + check_level_from_zero(epsilon)))


def jaccard_of_log_density(log_density: Any, *, epsilon: Any) -> np.ndarray:
    """First term of Theorem 4.1 for densities that no float can hold.

    Parameters
    ----------
    log_density : float or array
        Natural logarithms of densities, at most 0.
    epsilon : float or array
        Levels of one edge, in [0, inf), broadcast against the densities.

    Returns
    -------
    float64 array

    Raises
    ------
    ValueError
        If a logarithm is above 0 or a level below 0, or one is no finite number.

    Notes
    -----
    Corollary 4.2 at average degree m^0.99 and epsilon = sqrt(ln m): the odds of J are
    ``exp(sqrt(ln m) - 0.01 ln m)``. They rise up to ln m = 2,500 and tend to 0 beyond; J is 1/2
    again at ln m = 10,000.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Corollary 4.2, arXiv 2207.06358.

    Examples
    --------
    >>> jaccard_of_log_density([-100, -160], epsilon=[100, 126.5]).round(3)
    array([0.5, 0. ])
    """
    logs, levels = np.asarray(log_density, dtype=float), np.asarray(epsilon, dtype=float)
    if not ((logs <= 0) & np.isfinite(logs)).all():
        raise ValueError("log_density must be finite and at most 0; pass logarithms of densities")
    if not ((levels >= 0) & np.isfinite(levels)).all():
        raise ValueError("epsilon must lie in [0, inf); pass levels that are finite")
    return np.asarray(special.expit(logs + levels))


def epsilon_for_jaccard(jaccard: float, *, density: float) -> float:
    """Level at which randomized response keeps a given Jaccard similarity on average.

    Parameters
    ----------
    jaccard : float
        Target J in (0, 1).
    density : float
        Edges over cells, in (0, 1].

    Returns
    -------
    float
        ``ln(J / ((1 - J) density))``, or 0 where even fair coins keep J.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.1's first term solved for epsilon; Figure 2, arXiv 2207.06358.

    Examples
    --------
    >>> round(epsilon_for_jaccard(0.5, density=3.14e-5), 2)
    10.37
    """
    if not 0 < jaccard < 1:
        raise ValueError(f"jaccard must lie in (0, 1), got {jaccard!r}; pass a number between")
    return max(0.0, float(special.logit(jaccard)) - math.log(check_density(density)))
