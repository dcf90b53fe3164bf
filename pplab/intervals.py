"""Exact bounds on a probability from counts of successes."""

import math
from typing import Any

import numpy as np
from scipy import special

from pplab.checks import check_alpha, check_finite_numbers, check_privacy_delta


def binomial_lower(successes: Any, trials: Any, *, alpha: float) -> np.ndarray:
    """Lower Clopper-Pearson bound: above the true probability in at most alpha of all runs.

    Parameters
    ----------
    successes, trials : int or array of them
        Counts; fractions of counts are allowed where a bound is only forecast.
    alpha : float
        One-sided error in (0, 1).

    Returns
    -------
    ndarray
        0 where nothing was counted.

    References
    ----------
    Clopper and Pearson 1934, doi 10.1093/biomet/26.4.404.

    Examples
    --------
    >>> round(float(binomial_lower(10, 10, alpha=0.05)), 3)  # 0.05 ** (1 / 10)
    0.741
    """
    successes, trials = np.asarray(successes, dtype=float), np.asarray(trials, dtype=float)
    positive = successes > 0
    # the alpha quantile of a beta distribution
    bound = special.betaincinv(np.where(positive, successes, 1), trials - successes + 1, alpha)
    return np.where(positive, bound, 0.0)


def binomial_upper(successes: Any, trials: Any, *, alpha: float) -> np.ndarray:
    """Upper Clopper-Pearson bound: below the true probability in at most alpha of all runs.

    Parameters
    ----------
    successes, trials : int or array of them
        Counts.
    alpha : float
        One-sided error in (0, 1).

    Returns
    -------
    ndarray
        1 where every trial succeeded.

    References
    ----------
    Clopper and Pearson 1934, doi 10.1093/biomet/26.4.404.

    Examples
    --------
    >>> round(float(binomial_upper(0, 10, alpha=0.05)), 3)  # 1 - 0.05 ** (1 / 10)
    0.259
    """
    successes, trials = np.asarray(successes, dtype=float), np.asarray(trials, dtype=float)
    return 1 - binomial_lower(trials - successes, trials, alpha=alpha)


# An interval for the mean of a measure over users.


def mean_interval(values: Any, *, alpha: float) -> tuple[float, float]:
    """Interval for the mean over users of a value in [0, 1], whatever its distribution.

    Of all variables in [0, 1] with one mean, the one that is 0 or 1 spreads widest. That alone
    orders averages of convex functions, not tails; for tails Bentkus proved that a sum of n
    independent ones reaches a whole number at most e = 2.718... times as often as a binomial count
    does. So the exact binomial interval at alpha / e holds for all of them, with the sum rounded
    down for its lower end and up for its upper end.

    Parameters
    ----------
    values : array, shape (users,)
        In [0, 1], one per user, such as a disclosure risk; users are independent draws.
    alpha : float
        Most that the interval misses the mean, in (0, 1); both ends take half of it.

    Returns
    -------
    tuple of float
        Lower and upper end, in [0, 1].

    Raises
    ------
    TypeError, ValueError
        If alpha leaves (0, 1), or values are not a list of numbers in [0, 1].

    References
    ----------
    Bentkus 2004, On Hoeffding's inequalities, doi 10.1214/009117904000000360;
    Hoeffding 1963, doi 10.1080/01621459.1963.10500830; Clopper and Pearson 1934,
    doi 10.1093/biomet/26.4.404.

    Examples
    --------
    >>> low, high = mean_interval([0.5, 0.5, 0.0, 1.0] * 100, alpha=0.05)
    >>> round(low, 3), round(high, 3)
    (0.44, 0.56)
    """
    check_alpha(alpha)
    shares = np.ma.filled(np.ma.asarray(values, dtype=np.float64), np.nan)
    if shares.ndim != 1 or not len(shares):
        raise ValueError(f"values must be a list of at least one number, got shape {shares.shape}")
    if not ((shares >= 0) & (shares <= 1)).all():
        raise ValueError(
            "values must lie in [0, 1]; pass shares or probabilities, and leave users out for whom "
            "there is none"
        )
    total, users = math.fsum(shares), len(shares)
    side = float(alpha) / (2 * math.e)
    low = binomial_lower(math.floor(total), users, alpha=side)
    high = binomial_upper(math.ceil(total), users, alpha=side)
    return float(low), float(high)


# The ratio of two probabilities, by exact binomial bounds.


def log_ratio_bound(
    likely: Any, unlikely: Any, trials: Any, *, alpha: float, delta: float = 0.0
) -> np.ndarray:
    """Lower bound on ``ln((P - delta) / Q)`` from counts of an event in equally many trials of
    each.

    Each side gets half of alpha, so that the bound lies above the truth in at most alpha of runs.

    Parameters
    ----------
    likely, unlikely : int or array of them
        How often the event came up under P and under Q.
    trials : int or array of them
        Trials of each.
    alpha : float
        Error of the bound in (0, 1).
    delta : float
        In [0, 1): what an (epsilon, delta)-private release may give the event for nothing.

    Returns
    -------
    ndarray
        In natural-log units; minus infinity where P is not seen to exceed delta.

    References
    ----------
    Clopper and Pearson 1934, doi 10.1093/biomet/26.4.404.

    Examples
    --------
    >>> round(float(log_ratio_bound(750, 250, 1000, alpha=0.05)), 2)  # ln 3 = 1.10
    0.95
    """
    side = check_alpha(alpha) / 2
    least = check_privacy_delta(delta, allow_zero=True)
    arguments = {"likely": likely, "unlikely": unlikely, "trials": trials}
    *counts, total = (check_finite_numbers(name, values) for name, values in arguments.items())
    try:
        inside = [(n >= 0) & (n <= total) & (total <= 1e15) for n in counts]
    except ValueError as error:
        raise ValueError("likely, unlikely and trials must be of one shape, got others") from error
    if not all(good.all() for good in inside):
        raise ValueError("likely and unlikely must be counts from 0 to trials, got others")
    low = binomial_lower(counts[0], total, alpha=side) - least
    high = binomial_upper(counts[1], total, alpha=side)
    return np.log(low, out=np.full(low.shape, -np.inf), where=low > 0) - np.log(high)
