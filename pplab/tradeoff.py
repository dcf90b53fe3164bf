"""Approximate privacy: what delta buys, the Gaussian mechanism exactly, and trade-off curves.

A trade-off curve f says how well one release tells two neighbours apart: whoever accuses wrongly
with probability a misses the truth with probability at least f(a). ``f(a) = 1 - a`` is perfect
privacy.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from pplab.checks import check_level_from_zero, check_positive, check_privacy_delta

_LARGEST_MU = 1e150
_HALVINGS = 200  # of an interval, until nothing lies between two floats


def gaussian_delta(epsilon: float, *, mu: float) -> float:
    """Smallest delta at which Gaussian noise is (epsilon, delta)-private.

    Parameters
    ----------
    epsilon : float
        In [0, inf).
    mu : float
        Sensitivity in the Euclidean norm over standard deviation, in (0, inf). Releases with mu_1,
        mu_2, ... are together one with the root of the sum of their squares.

    Returns
    -------
    float

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    Notes
    -----
    The log of the ratio of two normal densities at distance mu is normal, with mean ``mu**2 / 2``
    and standard deviation mu. Those outputs count whose ratio is above e^epsilon:
    ``delta = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)``.

    References
    ----------
    Balle and Wang 2018, Theorem 8, arXiv 1805.06530.

    Examples
    --------
    >>> round(gaussian_delta(1.0, mu=0.5), 5)
    0.00683
    """
    epsilon, mu = check_level_from_zero(epsilon), float(check_positive("mu", mu))
    return _gaussian_delta(epsilon, mu)


def _gaussian_delta(epsilon: float, mu: float) -> float:
    above = special.log_ndtr(mu / 2 - epsilon / mu)
    if above == -np.inf:  # below the smallest float; so is what would be taken off
        return 0.0
    below = epsilon + special.log_ndtr(-mu / 2 - epsilon / mu)
    return float(-np.exp(above) * np.expm1(min(below - above, 0.0)))


def gaussian_epsilon(delta: float, *, mu: float) -> float:
    """Smallest epsilon at which Gaussian noise is (epsilon, delta)-private.

    Parameters
    ----------
    delta : float
        In (0, 1).
    mu : float
        As for `gaussian_delta`.

    Returns
    -------
    float
        From 0, rounded up; infinity where it, about ``mu**2 / 2``, leaves the range of floats.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    References
    ----------
    Balle and Wang 2018, Theorem 8, arXiv 1805.06530.

    Examples
    --------
    >>> round(gaussian_epsilon(1e-5, mu=1.0), 3)
    4.377
    """
    delta, mu = check_privacy_delta(delta), float(check_positive("mu", mu))
    if mu > _LARGEST_MU:
        return math.inf
    return first_where(lambda epsilon: _gaussian_delta(epsilon, mu) <= delta)


def gaussian_mu(epsilon: float, delta: float) -> float:
    """Give the largest mu with which Gaussian noise is (epsilon, delta)-private; rounded down.

    Examples
    --------
    >>> round(gaussian_mu(1.0, 1e-6), 4)
    0.2367
    """
    return 1 / first_where(lambda sigma: sigma > 0 and _gaussian_delta(epsilon, 1 / sigma) <= delta)


def first_where(holds: Callable[[float], bool]) -> float:
    """Give the smallest number from 0 on from which a monotone condition holds.

    Examples
    --------
    >>> first_where(lambda x: x * x >= 2) ** 2
    2.0000000000000004
    """
    if holds(0.0):
        return 0.0
    low, high = 0.0, 1.0
    while not holds(high):
        low, high = high, 2 * high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


# Trade-off curves: the least share of misses at each share of false alarms.


def gaussian_curve(false_alarms: Any, *, mu: float) -> np.ndarray:
    """Misses of the best test between two normal laws at distance mu.

    Examples
    --------
    >>> gaussian_curve(0.5, mu=1.0).round(3)
    np.float64(0.159)
    """
    return special.ndtr(-special.ndtri(np.asarray(false_alarms, dtype=float)) - mu)


def pure_curve(false_alarms: Any, *, epsilon: float, delta: float = 0.0) -> np.ndarray:
    """Lower bound on the misses of any test of an (epsilon, delta)-private release: two lines and
    0.

    Examples
    --------
    >>> pure_curve([0.0, 0.5, 1.0], epsilon=1.0, delta=0.1).round(3)
    array([0.9  , 0.147, 0.   ])
    """
    alarms, odds = np.asarray(false_alarms, dtype=float), math.exp(epsilon)
    lines = np.maximum(1 - delta - odds * alarms, (1 - delta - alarms) / odds)
    return np.maximum(lines, 0.0)
