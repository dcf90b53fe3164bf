"""A binomial law on the counts that matter, for up to 10^15 trials."""

from __future__ import annotations

import math

import numpy as np
from scipy import special

__all__ = ["binomial_window"]

_NO_ODDS = -1000.0  # e^-1000 times 10^15 trials is 0 in float64
_MOST_COUNTS = 2 * 10**7


def binomial_window(trials: int, *, log_odds: float, exponent: float) -> tuple[int, np.ndarray]:
    """Probabilities of the counts around the mean; outside lies less than 2 e^-exponent.

    Parameters
    ----------
    trials : int
        n, from 0 to 10^15.
    log_odds : float
        ``ln(p / (1 - p))``; below -1000 the probability counts as e^-1000.
    exponent : float
        L > 0.

    Returns
    -------
    first : int
        First count.
    shares : float64 array
        Probabilities of first, first + 1, ...; they sum to 1.

    Raises
    ------
    ValueError
        If more than 2 * 10^7 counts matter.

    Notes
    -----
    The width is Bernstein's: with variance v, a binomial count lies x or more to one side of its
    mean with probability at most ``exp(-x^2 / (2 (v + x / 3)))``; setting this to e^-L gives x.
    Neighbouring probabilities have the ratio ``(n - k) / (k + 1) * odds``; sums of its logarithms
    keep a relative error near 1e-11 where differences of log-factorials of 10^11 would lose five
    digits of every probability.

    Examples
    --------
    >>> first, shares = binomial_window(2, log_odds=0.0, exponent=60.0)
    >>> first, shares.round(3).tolist()
    (0, [0.25, 0.5, 0.25])
    """
    log_odds = max(log_odds, _NO_ODDS)
    chance = float(special.expit(log_odds))
    spread = trials * chance * float(special.expit(-log_odds))
    reach = exponent / 3 + math.sqrt(exponent**2 / 9 + 2 * exponent * spread)
    first = max(0, math.floor(trials * chance - reach))
    last = min(trials, math.ceil(trials * chance + reach))
    if last - first >= _MOST_COUNTS:
        raise ValueError(
            f"the exact law needs a sum over {last - first + 1} counts, at most {_MOST_COUNTS} are "
            "allowed; use form='chernoff' or fewer cells"
        )
    counts = np.arange(first, last, dtype=np.float64)
    logs = np.zeros(last - first + 1)
    np.cumsum(np.log((trials - counts) / (counts + 1)) + log_odds, out=logs[1:])
    shares = np.exp(logs - logs.max())
    return first, shares / shares.sum()
