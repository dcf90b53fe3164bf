"""Exact binomial bounds and what they say about the ratio of two probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

__all__ = ["binomial_lower", "binomial_upper", "log_ratio_bound"]


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
    found = successes > 0
    # the alpha quantile of a beta distribution
    bound = special.betaincinv(np.where(found, successes, 1), trials - successes + 1, alpha)
    return np.where(found, bound, 0.0)


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


def log_ratio_bound(likely: Any, unlikely: Any, trials: Any, *, alpha: float) -> np.ndarray:
    """Lower bound on ``ln(P / Q)`` from counts of an event in as many trials of each.

    Each side gets half of alpha, so that the bound lies above the truth in at most alpha of runs.

    Parameters
    ----------
    likely, unlikely : int or array of them
        How often the event came up under P and under Q.
    trials : int or array of them
        Trials of each.
    alpha : float
        Error of the bound in (0, 1).

    Returns
    -------
    ndarray
        In natural-log units; minus infinity where the event never came up under P.

    References
    ----------
    Clopper and Pearson 1934, doi 10.1093/biomet/26.4.404.

    Examples
    --------
    >>> round(float(log_ratio_bound(750, 250, 1000, alpha=0.05)), 2)  # ln 3 = 1.10
    0.95
    """
    low = binomial_lower(likely, trials, alpha=alpha / 2)
    high = binomial_upper(unlikely, trials, alpha=alpha / 2)
    return np.log(low, out=np.full(low.shape, -np.inf), where=low > 0) - np.log(high)
