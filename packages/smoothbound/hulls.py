"""What an entry of a smooth copy is worth at most, and the least ratio at which a bound holds."""

from collections.abc import Callable

import numpy as np

from smoothbound._certificates import Hulls, upper_hulls


def value_hulls(k: int, ratio: float, at_zero: float = 0.0) -> Hulls:
    """Least concave functions above the value of an entry of a smooth copy.

    Parameters
    ----------
    k : int
        Smallest size of a group.
    ratio : float
        In [0, 1]; what a created entry costs.
    at_zero : float, default 0
        Value at 0: what an entry that is not published is worth.

    Returns
    -------
    Hulls
        Functions number 0 to 4k - 1, by the number of rows that have the item.

    Notes
    -----
    In a group of s rows of which c have an item, 2c >= s, each of the c entries has the value
    1 - ratio (s - c) / c, and its row meets the item in a share t = (c - 1) / (s - 1) of the
    other rows. The function for an item that m rows have is the least concave one that is
    at_zero or more at 0 and has these points at or below it, for all s >= k and c <= m.

    *Sizes from 4k on add nothing.* Let s >= 4k.

    - c = s is the point (1, 1), there for s = k too where m allows it. For c < s, the point lies
      on or below the line 1 - ratio (1 - t), as (s - c) / c >= (s - c) / (s - 1). For s = k that
      line joins the points of c = k - 1 and c = k.
    - With t from (a - 1) / (k - 1) to a / (k - 1), where k / 2 <= a <= k - 2: put
      x = t + (1 - t) / k and x' = t + (1 - t) / s, which is c / s. The chord of the points of a
      and a + 1 rows among k is 1 + ratio - ratio (1 / x + e), with
      e = p (1 - p) / (x a (a + 1)) and p = k x - a in [0, 1]. The point lies below it if e is at
      most 1 / x' - 1 / x = (1 - t) (1 / k - 1 / s) / (x x'), where (k - 1) (1 - t) = k - a - p.
      With d = k - a >= 2 this follows from (a + d / s) / (a (a + 1)) <= d (s - k) / (k s), that
      is from k / (a + 1) (1 + d / (4 a k)) <= 3 d / 4. For d = 2 the left side is at most
      4/3 * 17/16 < 3/2, since k >= 4; for d >= 3 we have a >= d, k >= 6, k / (a + 1) < 2, and it
      is below 2 (1 + 1 / (4 k)) <= 25/12 < 9/4.
    - Below the first point of s = k: for even k no larger group has a point there, since
      2c >= s means t >= (s - 2) / (2 (s - 1)). For odd k those with 2c = s have, and all of them
      have the value 1 - ratio, as is the point of k + 1 rows, which is the first.

    If m < k, every t is at most (m - 1) / (k - 1), so chords end at points with c <= m. QED. No
    chord ends at (0, 0): the same holds of the points alone, where an item is surely published.

    Examples
    --------
    >>> hulls = value_hulls(2, 0.25)  # for two rows and more: the line 1 - ratio (1 - t)
    >>> part = slice(*hulls.starts[2:4])
    >>> hulls.at[part].tolist(), hulls.value[part].tolist()
    ([0.0, 1.0], [0.75, 1.0])
    """
    sizes, have = np.meshgrid(np.arange(k, 4 * k), np.arange(1, 4 * k), indexing="ij")
    real = (have <= sizes) & (2 * have >= sizes)
    sizes, have = sizes[real], have[real]
    at, value = (have - 1) / (sizes - 1), 1 - ratio * (sizes - have) / have
    order = np.lexsort((value, at, have))
    return Hulls(*upper_hulls(4 * k, have[order], at[order], value[order], at_zero))


def least_ratio(
    excess: Callable[[float], float],
    *,
    low: float,
    high: float,
    above: float,
    below: float,
    accuracy: float,
) -> float:
    """Enclose the ratio at which an excess turns negative; the upper end always has it negative.

    Regula falsi, with the value of an end halved that stays for a second time (Illinois rule).

    Parameters
    ----------
    excess : callable
        Of a ratio; tried once at each.
    low, high : float
        Where to search; high is returned if no lower ratio has a negative excess.
    above, below : float
        Values there, the first positive, the second negative; guesses will do, since they only
        decide where the search begins.
    accuracy : float
        Positive; how closely to enclose.

    Examples
    --------
    >>> result = least_ratio(
    ...     lambda ratio: 2 - ratio**2, low=0.0, high=2.0, above=2.0, below=-2.0, accuracy=1e-6
    ... )
    >>> result**2 > 2, round(result, 5)
    (True, 1.41421)
    """
    last = 0
    accuracy = max(accuracy, 4 * float(np.spacing(high)))  # else neighbouring ends never meet
    while high - low > accuracy:
        ratio = low + (high - low) * above / (above - below)
        ratio = min(max(ratio, low + accuracy / 2), high - accuracy / 2)
        value = excess(ratio)
        side = -1 if value < 0 else 1
        if side < 0:
            high, below = ratio, value
            above /= 2 if last == side else 1
        else:
            low, above = ratio, value
            below /= 2 if last == side else 1
        last = side
    return high
