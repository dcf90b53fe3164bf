"""What exact binomial bounds say about the ratio of two probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np

from pplab.binomial import binomial_lower, binomial_upper

__all__ = ["log_ratio_bound"]


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
