"""The least price at which a bound still holds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

__all__ = ["least_price"]


def least_price(
    excess: Callable[[float], float],
    *,
    low: float,
    high: float,
    above: float,
    below: float,
    accuracy: float,
) -> float:
    """Enclose the price at which an excess turns negative; the upper end always has it negative.

    Regula falsi, with the value of an end halved that stays for a second time (Illinois rule).

    Parameters
    ----------
    excess : callable
        Of a price; tried once at each.
    low, high : float
        Where to search; high is returned if no lower price has a negative excess.
    above, below : float
        Values there, the first positive, the second negative; guesses will do, since they only
        decide where the search begins.
    accuracy : float
        Positive; how closely to enclose.

    Examples
    --------
    >>> found = least_price(
    ...     lambda price: 2 - price**2, low=0.0, high=2.0, above=2.0, below=-2.0, accuracy=1e-6
    ... )
    >>> found**2 > 2, round(found, 5)
    (True, 1.41421)
    """
    last = 0
    accuracy = max(accuracy, 4 * float(np.spacing(high)))  # else neighbouring ends never meet
    while high - low > accuracy:
        price = low + (high - low) * above / (above - below)
        price = min(max(price, low + accuracy / 2), high - accuracy / 2)
        value = excess(price)
        side = -1 if value < 0 else 1
        if side < 0:
            high, below = price, value
            above /= 2 if last == side else 1
        else:
            low, above = price, value
            below /= 2 if last == side else 1
        last = side
    return high
