"""Many releases of the same data: what they cost together, by three kinds of accounts.

All are about k releases with fresh noise, each of which may be chosen after the earlier ones are
seen. *Basic* adds levels up. *Advanced* pays a delta for a sum that grows like the root of k.
*Exact* gives the smallest level there is.
"""

import math

import numpy as np
from scipy import special

from pplab.checks import check_epsilon, check_integer, check_privacy_delta
from pplab.tradeoff import first_where

_MOST = 10**6


def advanced_composition(epsilon: float, *, times: int, delta: float) -> float:
    """Level of k releases together, each pure at one epsilon, by advanced composition.

    Parameters
    ----------
    epsilon : float
        Level of each release, in (0, inf).
    times : int
        Number of releases, from 1.
    delta : float
        The delta of all of them together, in (0, 1).

    Returns
    -------
    float
        ``epsilon sqrt(2 k ln(1 / delta)) + k epsilon (e^epsilon - 1)``: for few releases it is more
        than k epsilon, which holds, too.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    References
    ----------
    Dwork and Roth 2014, Theorem 3.20, doi 10.1561/0400000042.

    Examples
    --------
    >>> round(advanced_composition(0.1, times=100, delta=1e-6), 3)  # basic: 10
    6.308
    """
    epsilon = float(check_epsilon(epsilon))
    times = check_integer("times", times, minimum=1, maximum=_MOST)
    root = math.sqrt(2 * times * math.log(1 / check_privacy_delta(delta)))
    # more than 700 leaves the range of floats, and is as useless
    return epsilon * root + times * epsilon * math.expm1(min(epsilon, 700.0))


def exact_composition(epsilon: float, *, times: int, delta: float) -> float:
    """Smallest level of k releases together, each of them any pure mechanism at one epsilon.

    Parameters
    ----------
    epsilon, times, delta
        As for `advanced_composition`.

    Returns
    -------
    float
        From 0; no smaller one holds for k answers of randomized response at this epsilon.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    Notes
    -----
    Whatever is pure at epsilon can be made from an answer of randomized response at epsilon, so
    that k such answers are the worst case. Of k answers i tell against the truth, with probability
    ``C(k, i) e^(epsilon (k - i)) / (1 + e^epsilon)^k``; under the other input k - i do. What the
    first has above e^total times the second, summed up, is delta.

    References
    ----------
    Kairouz, Oh and Viswanath 2015, Theorem 3.3, arXiv 1311.0776.

    Examples
    --------
    >>> round(exact_composition(0.1, times=100, delta=1e-6), 3)
    4.775
    """
    epsilon = float(check_epsilon(epsilon))
    times = check_integer("times", times, minimum=1, maximum=_MOST)
    delta = check_privacy_delta(delta)
    if float(epsilon) * times == math.inf:  # so is the level, to a float
        return math.inf
    wrong = np.arange(times + 1)
    ways = special.gammaln(times + 1) - special.gammaln(wrong + 1)
    ways = ways - special.gammaln(times - wrong + 1) - times * np.logaddexp(0, epsilon)
    logs = ways + epsilon * (times - wrong)
    losses = epsilon * (times - 2 * wrong)  # of the privacy loss, largest first

    def excess(total: float) -> float:
        above = losses > total
        return float((np.exp(logs[above]) * -np.expm1(total - losses[above])).sum())

    return first_where(lambda total: excess(total) <= delta)
