"""Checks of rating scales, of tables of ratings and of what noise and grouping take."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pplab.checks.numbers import _listed, _real

_WIDEST = 1e50  # squares of such ratings times such noise, summed over a table, are still finite


def check_rating_range(rating_range: Any) -> tuple[float, float]:
    """Bring the lowest and highest rating into two floats; refuse what is no such pair."""
    if not isinstance(rating_range, (tuple, list, np.ndarray)) or len(rating_range) != 2:
        raise TypeError(
            f"rating_range must be a pair (lowest, highest rating), got {rating_range!r}; "
            "pass for example rating_range=(1, 5)"
        )
    for side, bound in zip(("lowest", "highest"), rating_range, strict=True):
        _real(f"the {side} rating of rating_range", bound, "(-inf, inf)")
    # Python floats: a bound of numpy's float32 would overflow in the comparison with _WIDEST
    low, high = (_as_float(bound) for bound in rating_range)
    if not -_WIDEST <= low < high <= _WIDEST:
        raise ValueError(
            f"rating_range must be two finite numbers that ascend, at most {_WIDEST:g} in size, "
            f"got ({low}, {high}); pass for example rating_range=(1, 5)"
        )
    return low, high


def check_not_negative(name: str, value: Any) -> float:
    """Refuse a number that is negative, not finite, or so large that its square could not be."""
    _real(name, value, "[0, inf)")
    number = _as_float(value)
    if not 0 <= number <= _WIDEST:
        raise ValueError(
            f"{name} must lie in [0, {_WIDEST:g}], got {value!r}; pass a finite number from 0"
        )
    return number


def check_table_values(
    name: str, table: np.ndarray, rating_range: tuple[float, float] | None
) -> None:
    """Refuse infinite ratings, and ratings outside the scale where one is given; NaN is no rating.

    Raises
    ------
    ValueError
        With the number of such ratings and the first of them.
    """
    low, high = rating_range or (-np.finfo(float).max, np.finfo(float).max)
    # fmin and fmax pass over NaN and need no table of True and False beside a good table
    if not np.fmin.reduce(table, axis=None) < low and not np.fmax.reduce(table, axis=None) > high:
        return
    outside = (table < low) | (table > high)
    user, item = (int(place[0]) for place in np.nonzero(outside))
    if rating_range is None:
        wanted = "hold finite ratings, NaN where there is none"
        remedy = "mark missing ratings with NaN and rescale what overflows"
    else:
        wanted = f"hold ratings from {low:g} to {high:g}"
        remedy = "drop them, or pass the rating_range of these data"
    raise ValueError(
        f"{name} must {wanted}, got {np.count_nonzero(outside):,} outside, the first "
        f"{table[user, item]:g} at user {user}, item {item}; {remedy}"
    )


def check_squares(name: str, table: np.ndarray) -> None:
    """Refuse a table with values too large to square and add up; NaN passes."""
    low, high = (float(f.reduce(table, axis=None)) for f in (np.fmin, np.fmax))
    largest = low if -low > high else high
    if abs(largest) > _WIDEST:
        raise ValueError(
            f"{name} must hold numbers of at most {_WIDEST:g} in size, got {largest:g}; rescale "
            "them, or use other units"
        )


def check_items(name: str, table: np.ndarray, items: int) -> None:
    """Refuse a table of other items than those that were standardised."""
    if table.shape[1] != items:
        raise ValueError(
            f"{name} must have the {items} items that were standardised, got shape {table.shape}; "
            "pass rows of the same table"
        )


def check_whole_ratings(rating_range: tuple[float, float]) -> tuple[float, float]:
    """Bring a scale to the whole numbers in it; refuse a scale without any."""
    low, high = float(math.ceil(rating_range[0])), float(math.floor(rating_range[1]))
    if not low <= high:
        raise ValueError(
            f"rating_range must hold a whole number to round to, got {rating_range}; "
            "pass rounding=None"
        )
    return low, high


def check_line(name: str, values: Any) -> np.ndarray:
    """Bring numbers on a line into a float64 array; refuse what is no such list."""
    listed = _listed(values)
    if listed.ndim != 1 or listed.dtype.kind not in "biuf" or not len(listed):
        raise ValueError(
            f"{name} must be a list of numbers, got shape {listed.shape} of {listed.dtype}; "
            "pass for example [1, 2, 10, 12]"
        )
    with np.errstate(over="ignore"):  # a wide float that overflows becomes inf, refused here
        line = np.ma.filled(listed.astype(np.float64), np.nan)
    good = np.abs(line) <= _WIDEST
    if not good.all():
        raise ValueError(
            f"{name} must be finite numbers of at most {_WIDEST:g} in size, got "
            f"{line[~good][0]}; drop or rescale them"
        )
    return line


def check_dense_room(name: str, shape: tuple[int, ...], *, limit: int) -> None:
    """Refuse a table that needs more than limit bytes once every cell is filled."""
    needed = math.prod(shape) * 8
    if needed > limit:
        raise ValueError(
            f"{name} must fill at most {limit / 2**30:g} GiB as a full table, got {shape[0]:,} x "
            f"{shape[1]:,} cells, which need {needed / 2**30:.1f} GiB; take fewer users or items"
        )


def check_rated(name: str, rated: int) -> None:
    """Refuse a table without a single rating."""
    if not rated:
        raise ValueError(
            f"{name} must hold at least one rating for a mean or median to fill the gaps, got "
            'none; pass some, or impute="midpoint"'
        )


def check_few_points(points: int, *, most: int) -> None:
    """Refuse to search all groupings of more points than a moment allows."""
    if points > most:
        raise ValueError(
            f"all groupings of at most {most} points are searched, got {points}; take fewer "
            "points, or optimal_microaggregation_1d where they lie on a line"
        )


def _as_float(value: Any) -> float:
    """A Python float; a whole number too large for one is infinite."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
