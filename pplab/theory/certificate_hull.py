"""What an entry can be worth at most, given how many rows of its group are alike in its item."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

__all__ = ["Hulls", "worth_hulls"]


class Hulls(NamedTuple):
    """Concave, nondecreasing, piecewise linear functions on [0, 1], one per count of an item.

    Attributes
    ----------
    starts : int64 array, shape (counts + 1,)
        Vertices of each function; an item that more rows have belongs to the last one.
    at, worth : float arrays
        Vertices, the first at 0; beyond its last vertex a function is constant.
    """

    starts: np.ndarray
    at: np.ndarray
    worth: np.ndarray


def worth_hulls(k: int, price: float) -> Hulls:
    """Least concave functions above what an entry of a smooth copy can be worth.

    Parameters
    ----------
    k : int
        Smallest size of a group.
    price : float
        In [0, 1]; what a created entry costs.

    Returns
    -------
    Hulls
        Functions number 0 to 4k - 1, by the number of rows that have the item.

    Notes
    -----
    In a group of s rows of which c have an item, 2c >= s, each of the c entries is worth
    1 - price (s - c) / c, and its row meets the item in a share t = (c - 1) / (s - 1) of the
    other rows. The function for an item that m rows have is the least concave one that is 0 or
    more at 0 and has these points at or below it, for all s >= k and c <= m.

    *Sizes from 4k on add nothing.* Let s >= 4k.

    - c = s is the point (1, 1), there for s = k too where m allows it. For c < s, the point lies
      on or below the line 1 - price (1 - t), as (s - c) / c >= (s - c) / (s - 1). For s = k that
      line joins the points of c = k - 1 and c = k.
    - With t from (a - 1) / (k - 1) to a / (k - 1), where k / 2 <= a <= k - 2: put
      x = t + (1 - t) / k and x' = t + (1 - t) / s, which is c / s. The chord of the points of a
      and a + 1 rows among k is 1 + price - price (1 / x + e), with
      e = p (1 - p) / (x a (a + 1)) and p = k x - a in [0, 1]. The point lies below it if e is at
      most 1 / x' - 1 / x = (1 - t) (1 / k - 1 / s) / (x x'), where (k - 1) (1 - t) = k - a - p.
      With d = k - a >= 2 this follows from (a + d / s) / (a (a + 1)) <= d (s - k) / (k s), that
      is from k / (a + 1) (1 + d / (4 a k)) <= 3 d / 4. For d = 2 the left side is at most
      4/3 * 17/16 < 3/2, since k >= 4; for d >= 3 we have a >= d, k >= 6, k / (a + 1) < 2, and it
      is below 2 (1 + 1 / (4 k)) <= 25/12 < 9/4.
    - Below the first point of s = k: for even k no larger group has a point there, since
      2c >= s means t >= (s - 2) / (2 (s - 1)). For odd k those with 2c = s have, and all of them
      are worth 1 - price, as is the point of k + 1 rows, which is the first.

    If m < k, no point has t above (m - 1) / (k - 1), the last point of s = k. QED.

    Examples
    --------
    >>> hulls = worth_hulls(2, 0.25)  # for two rows and more: the line 1 - price (1 - t)
    >>> part = slice(*hulls.starts[2:4])
    >>> hulls.at[part].tolist(), hulls.worth[part].tolist()
    ([0.0, 1.0], [0.75, 1.0])
    """
    sizes, have = np.meshgrid(np.arange(k, 4 * k), np.arange(1, 4 * k), indexing="ij")
    real = (have <= sizes) & (2 * have >= sizes)
    sizes, have = sizes[real], have[real]
    at, worth = (have - 1) / (sizes - 1), 1 - price * (sizes - have) / have
    order = np.lexsort((worth, at))
    return Hulls(*_hulls(4 * k, have[order], at[order], worth[order]))


@numba.njit(cache=True)
def _hulls(
    counts: int, have: np.ndarray, at: np.ndarray, worth: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Upper hulls of the points with so many rows at most, from left to right."""
    starts = np.zeros(counts + 1, dtype=np.int64)
    chain = np.empty((2, counts * counts), dtype=np.float64)
    filled = 0
    for most in range(counts):
        first = filled
        chain[:, filled] = 0
        filled += 1
        for point in range(len(have)):
            if have[point] > most:
                continue
            x, y = at[point], worth[point]
            if x == chain[0, filled - 1]:  # points come with ascending worth
                filled -= 1
            while filled - first >= 2 and not _turns_right(chain[:, :filled], x, y):
                filled -= 1
            chain[0, filled], chain[1, filled] = x, y
            filled += 1
        starts[most + 1] = filled
    return starts, chain[0, :filled].copy(), chain[1, :filled].copy()


@numba.njit(cache=True)
def _turns_right(chain: np.ndarray, x: float, y: float) -> bool:
    """Whether the last vertex stays when a point to its right is added."""
    a, b = chain[:, -2], chain[:, -1]
    return bool((b[1] - a[1]) * (x - b[0]) > (y - b[1]) * (b[0] - a[0]))
