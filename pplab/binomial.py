"""Exact bounds on a probability from counts of successes."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

__all__ = ["binomial_lower", "binomial_upper"]


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
