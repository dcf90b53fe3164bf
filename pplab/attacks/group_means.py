"""Exact group means give records away: to readers of two releases, and to insiders of one.

Who joined or left a group is read from the difference of two releases; all members but one read the
last member's ratings from the mean, exactly, or within an interval where it was rounded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pplab.checks import (
    check_finite_numbers,
    check_integer,
    check_rating_range,
    check_same_shape,
    check_squares,
    shown,
)
from pplab.graphs import GraphLike
from pplab.tables import as_published, distinct_points, in_one_order

if TYPE_CHECKING:
    import pandas as pd

_SLACK = 1e-6  # of one rating: means that were scaled and scaled back differ by less


@dataclass(frozen=True)
class TwoReleases:
    """Records of single members that two releases reveal together.

    Attributes
    ----------
    changes : DataFrame
        A row per group that changed by one member: ``kind`` ("joined" or "left") and
        ``size_before``.
    rows : ndarray, shape (changes, items)
        Records of those members.
    unchanged : int
        Groups published twice with the same members and means.
    unexplained : int
        Groups of either release that are neither unchanged nor changed by one member.

    References
    ----------
    Ganta, Kasiviswanathan and Smith 2008, doi 10.1145/1401890.1401926.

    Examples
    --------
    >>> found = compare_releases([[3.0]] * 3, [[3.5]] * 4, rating_range=(1, 5))
    >>> found.changes.kind.tolist(), found.rows, found.unexplained
    (['joined'], array([[5.]]), 0)
    """

    changes: pd.DataFrame
    rows: np.ndarray
    unchanged: int
    unexplained: int


def compare_releases(
    before: GraphLike, after: GraphLike, *, rating_range: tuple[float, float]
) -> TwoReleases:
    """Find groups that grew or shrank by one member, and read that member's record.

    Equal rows with equal counts are the same group, and two groups are taken for one that changed
    only where no other partner gives a record on the scale. The readings rest on old members
    whose records stayed as they were, gaps filled alike both times: a filling that follows the
    data (such as item means) moves all means a little, and shows up as ``.unexplained``.

    Parameters
    ----------
    before, after : array, shape (users, items), or other tables
        Published rows, equal inside a group, not rounded.
    rating_range : pair of float
        Lowest and highest rating; a record that leaves the scale is no one's.

    Returns
    -------
    TwoReleases
        ``.changes``, ``.rows``, ``.unchanged`` and ``.unexplained``.

    Raises
    ------
    TypeError, ValueError
        If a table is not complete, or the items differ in number.

    References
    ----------
    Ganta, Kasiviswanathan and Smith 2008, doi 10.1145/1401890.1401926.

    Examples
    --------
    >>> first, second = [[2.0], [2.0], [4.0], [4.0]], [[2.0], [2.0], [3.0], [3.0], [3.0]]
    >>> found = compare_releases(first, second, rating_range=(1, 5))
    >>> found.changes.kind.tolist(), found.rows, found.unchanged
    (['joined'], array([[1.]]), 1)
    """
    import pandas as pd

    scale = check_rating_range(rating_range)
    before, after = in_one_order(before=before, after=after, sides=("items",))
    old, new = _groups(before, "before"), _groups(after, "after")
    check_same_shape(old.means[:1], new.means[:1], names=("a row of before", "a row of after"))
    same = _equal_groups(old, new)
    old_left = np.setdiff1d(np.arange(len(old.sizes)), [i for i, _ in same])
    new_left = np.setdiff1d(np.arange(len(new.sizes)), [j for _, j in same])
    pairs = _partners(old, new, old_left, new_left, scale)
    facts = ((old.means[i], new.means[j], old.sizes[i], new.sizes[j]) for i, j in pairs)
    records = [_record(*each) for each in facts]
    kinds = ["joined" if new.sizes[j] > old.sizes[i] else "left" for i, j in pairs]
    sizes = old.sizes[[i for i, _ in pairs]] if pairs else np.zeros(0, dtype=np.int64)
    return TwoReleases(
        changes=pd.DataFrame({"kind": kinds, "size_before": sizes}),
        rows=np.array(records).reshape(len(pairs), old.means.shape[1]),
        unchanged=len(same),
        unexplained=len(old_left) + len(new_left) - 2 * len(pairs),
    )


class _Groups(NamedTuple):
    """Groups as a release shows them: means and sizes."""

    means: np.ndarray
    sizes: np.ndarray


def _groups(data: GraphLike, name: str) -> _Groups:
    table = as_published(data, name=name)
    distinct = distinct_points(table)
    return _Groups(table[distinct.first], distinct.sizes)


def _equal_groups(old: _Groups, new: _Groups) -> list[tuple[int, int]]:
    """Pairs of groups with equal sizes and means."""
    of_size = {size: np.flatnonzero(new.sizes == size) for size in np.unique(new.sizes)}
    free = np.ones(len(new.sizes), dtype=bool)
    pairs = []
    for i in range(len(old.sizes)):
        like = of_size.get(old.sizes[i], np.zeros(0, dtype=np.int64))
        same = _narrow(old, new, i, like, lambda first, second, *_: _near(second, first, first))
        same = same[free[same]]
        if len(same):
            free[same[0]] = False
            pairs.append((i, int(same[0])))
    return pairs


def _partners(
    old: _Groups,
    new: _Groups,
    old_left: np.ndarray,
    new_left: np.ndarray,
    scale: tuple[float, float],
) -> list[tuple[int, int]]:
    """Pairs that differ by one member and are the only ones possible for either group."""
    pairs = []
    for i in old_left.tolist():
        near = new_left[np.abs(new.sizes[new_left] - old.sizes[i]) == 1]
        good = _narrow(old, new, i, near, lambda *facts: _near(_record(*facts), *scale))
        pairs += [(i, j) for j in good.tolist()]
    of_old, of_new = Counter(i for i, _ in pairs), Counter(j for _, j in pairs)
    return [(i, j) for i, j in pairs if of_old[i] == of_new[j] == 1]


def _narrow(
    old: _Groups,
    new: _Groups,
    i: int,
    candidates: np.ndarray,
    good: Callable[..., np.ndarray],
) -> np.ndarray:
    """Candidates whose means are good at every item; the first few items rule most of them out."""
    start, items = 0, 2
    while start < old.means.shape[1] and len(candidates):
        part = slice(start, start + items)
        means, sizes = new.means[:, part][candidates], new.sizes[candidates, np.newaxis]
        fits = good(old.means[i, part], means, old.sizes[i], sizes)
        candidates = candidates[fits.all(axis=1)]
        start, items = start + items, 2 * items
    return candidates


def _near(values: np.ndarray, low: Any, high: Any) -> np.ndarray:
    return (values >= low - _SLACK) & (values <= high + _SLACK)


def _record(before: np.ndarray, after: np.ndarray, size: Any, other: Any) -> np.ndarray:
    """Record of the one member that only the larger group has: what it adds to the sum."""
    return np.asarray((other - size) * (other * after - size * before))


# Insiders: all members of a group but one read the last one's ratings from the mean.


_INSIDER_SLACK = 1e-9  # of one rating: means and sums carry errors of floating point


def last_member(means: Any, *, known: Any, size: int) -> Any:
    """Recover the one record that insiders do not know: ``size * mean - sum of the others``.

    The identity holds for any size, so a larger k delays this attack and never stops it. Where
    gaps were filled before the averaging, the records are completed ones: an insider knows the
    filling of own gaps, and a last value equal to the filling may be a gap too.

    Parameters
    ----------
    means : float or array, shape (items,)
        What the group published, not rounded.
    known : array, shape (size - 1, items), or (size - 1,) for one item
        Records of the other members; NaN where one of them is not known.
    size : int
        Members of the group, 2 at least.

    Returns
    -------
    float or ndarray, shape (items,)
        The last member's record, up to floating point; NaN where an insider's value is NaN.

    Raises
    ------
    TypeError, ValueError
        If the shapes do not fit, a number is infinite, or other than one member is unknown.

    References
    ----------
    Casino, Domingo-Ferrer, Patsakis, Puig and Solanas 2015, doi 10.1016/j.jcss.2014.12.013,
    publishes such means; Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam 2007,
    doi 10.1145/1217299.1217302, on what k-anonymity leaves open.

    Examples
    --------
    >>> last_member(11 / 3, known=[4, 2], size=3)
    5.0
    """
    published, others, members = _arguments(means, known, size)
    last = members * published - others.sum(axis=0)
    return float(last) if not last.ndim else last


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
    check_integer("decimals", decimals, minimum=0, maximum=12)
    bottom, top = check_rating_range(rating_range)
    step = 10.0**-decimals
    sums = others.sum(axis=0)
    low = members * (published - step / 2) - sums
    high = members * (published - step / 2 + step) - sums
    last = np.floor(high + _INSIDER_SLACK)
    first = np.maximum(np.ceil(low - _INSIDER_SLACK), np.ceil(bottom))
    possible = np.nan_to_num(np.minimum(last, np.floor(top)) - first + 1).clip(0).astype(np.int64)
    return InsiderIntervals(
        low=np.maximum(low, bottom),
        high=np.minimum(high, top),
        possible=possible,
        value=np.where(possible == 1, first, np.nan),
        width=members * step,
    )


def _arguments(means: Any, known: Any, size: Any) -> tuple[np.ndarray, np.ndarray, int]:
    published = check_finite_numbers("means", means)
    others = check_finite_numbers("known", known, allow_nan=True)
    for name, table in (("means", published), ("known", others)):
        check_squares(name, table)
    members = check_integer("size", size, minimum=2)
    if others.ndim != published.ndim + 1 or others.shape[1:] != published.shape:
        raise ValueError(
            f"known must hold a row per insider like the means, of shape {published.shape}, got "
            f"shape {others.shape}; pass an array of shape (insiders, items)"
        )
    if len(others) != members - 1:
        raise ValueError(
            "known must hold the records of all members but one, "
            f"{shown(members - 1)} of {shown(members)}, got {len(others)}; "
            "with fewer only the sum of the others follows"
        )
    return published, others, members
