"""All members of a group but one read the last one's ratings from the group's rounded mean."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from pplab import checks

_SLACK = 1e-9  # of one rating: means and sums carry errors of floating point


@dataclass(frozen=True)
class InsiderIntervals:
    """Knowledge of insiders about the last member when the mean was rounded.

    Attributes
    ----------
    low, high : ndarray, shape of the means
        The last value lies between them, cut to the scale; NaN where an insider's value is.
    possible : int array
        Whole ratings of the scale inside the interval. 0 says that mean, records and scale
        contradict each other, or that the last rating is not whole.
    value : float array
        The rating where only one is possible, NaN elsewhere.
    width : float
        Length of the interval before it is cut to the scale.

    References
    ----------
    Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam 2007, doi 10.1145/1217299.1217302.

    Examples
    --------
    >>> found = insider_intervals([3.7, 4.0], known=[[4, 5], [2, 5]], size=3, decimals=1,
    ...                           rating_range=(1, 5))
    >>> found.value
    array([5., 2.])
    """

    low: np.ndarray
    high: np.ndarray
    possible: np.ndarray
    value: np.ndarray
    width: float

    @property
    def pinned(self) -> np.ndarray:
        """Say for each item whether only one whole rating is possible."""
        return self.possible == 1


def insider_intervals(
    means: Any, *, known: Any, size: int, decimals: int, rating_range: tuple[float, float]
) -> InsiderIntervals:
    """Bound the record that insiders do not know when the group published rounded means.

    Rounding to steps of ``10**-decimals`` leaves an interval of ``size`` steps. One decimal pins
    whole ratings in groups of up to 9 whatever the records are; means in whole ratings pin only
    what the ends of the scale cut off. Truncation to the scale (clipping) saves nothing: a mean
    never leaves the scale.

    Parameters
    ----------
    means : float or array, shape (items,)
        Means of the group, rounded to the nearest; both ends count, for ties go either way.
    known : array, shape (size - 1, items), or (size - 1,) for one item
        Records of the other members; NaN where one of them is not known.
    size : int
        Members of the group, 2 at least.
    decimals : int
        Decimals that the mean kept, 0 to 12; 0 is a mean in whole ratings.
    rating_range : pair of float
        Lowest and highest rating.

    Returns
    -------
    InsiderIntervals
        ``.low``, ``.high``, ``.possible``, ``.value``, ``.width`` and ``.pinned``.

    Raises
    ------
    TypeError, ValueError
        If the shapes do not fit, an argument leaves its interval, or other than one member is
        unknown.

    References
    ----------
    Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam 2007, doi 10.1145/1217299.1217302.

    Examples
    --------
    >>> found = insider_intervals(4, known=[4, 2], size=3, decimals=0, rating_range=(1, 5))
    >>> float(found.low), float(found.high), int(found.possible)  # 3.5 to 4.5, times 3, minus 6
    (4.5, 5.0, 1)
    """
    published, others, members = _arguments(means, known, size)
    checks.check_integer("decimals", decimals, minimum=0, maximum=12)
    bottom, top = checks.check_rating_range(rating_range)
    step = 10.0**-decimals
    sums = others.sum(axis=0)
    low = members * (published - step / 2) - sums
    high = members * (published - step / 2 + step) - sums
    last = np.floor(high + _SLACK)
    first = np.maximum(np.ceil(low - _SLACK), np.ceil(bottom))
    possible = np.nan_to_num(np.minimum(last, np.floor(top)) - first + 1).clip(0).astype(np.int64)
    return InsiderIntervals(
        low=np.maximum(low, bottom),
        high=np.minimum(high, top),
        possible=possible,
        value=np.where(possible == 1, first, np.nan),
        width=members * step,
    )


def _arguments(means: Any, known: Any, size: Any) -> tuple[np.ndarray, np.ndarray, int]:
    published = checks.check_finite_numbers("means", means)
    others = checks.check_finite_numbers("known", known, allow_nan=True)
    for name, table in (("means", published), ("known", others)):
        checks.check_squares(name, table)
    members = checks.check_integer("size", size, minimum=2)
    if others.ndim != published.ndim + 1 or others.shape[1:] != published.shape:
        raise ValueError(
            f"known must hold a row per insider like the means, of shape {published.shape}, got "
            f"shape {others.shape}; pass an array of shape (insiders, items)"
        )
    if len(others) != members - 1:
        raise ValueError(
            "known must hold the records of all members but one, "
            f"{checks.shown(members - 1)} of {checks.shown(members)}, got {len(others)}; "
            "with fewer only the sum of the others follows"
        )
    return published, others, members
