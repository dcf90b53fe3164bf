"""Checks of what attackers know: group labels, published means, insiders and known ratings."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np

from pplab.checks.numbers import _listed, check_integer

__all__ = [
    "check_filling",
    "check_finite_numbers",
    "check_insiders",
    "check_known_counts",
    "check_labels",
    "check_unique_users",
]


def check_labels(labels: Any, records: int, *, name: str = "labels") -> np.ndarray:
    """Bring the group of each record into an int64 array; refuse what does not fit the records."""
    array = np.asarray(labels)
    if array.ndim != 1 or array.dtype.kind not in "iu" or len(array) != records:
        raise ValueError(
            f"{name} must be {records} whole numbers, the group of each row, got shape "
            f"{array.shape} of {array.dtype}; pass the labels that the grouping returned"
        )
    if len(array) and array.min() < 0:
        raise ValueError(
            f"{name} must be group numbers from 0, got {array.min()}; a row without a group "
            "has no place here"
        )
    return array.astype(np.int64)


def check_finite_numbers(name: str, values: Any, *, allow_nan: bool = False) -> np.ndarray:
    """Bring numbers into a float64 array; refuse inf, and NaN where a gap has no meaning."""
    array = _listed(values)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be numbers, got {values!r}; pass an array of numbers")
    array = np.asarray(np.ma.filled(array.astype(np.float64), np.nan))
    good = ~np.isinf(array) if allow_nan else np.isfinite(array)
    if not array.size or not good.all():
        got = "none" if not array.size else repr(float(array[~good].flat[0]))
        raise ValueError(f"{name} must be finite numbers, got {got}; leave such items out")
    return array


def check_filling(filling: Any, items: int) -> np.ndarray:
    """Bring what gaps were filled with into one number per item."""
    array = check_finite_numbers("filling", filling)
    if array.shape not in ((), (items,)):
        raise ValueError(
            f"filling must be one number or {items}, one per item, got shape {array.shape}; pass "
            "what the completion wrote into the gaps"
        )
    return np.broadcast_to(array, (items,))


def check_insiders(means: np.ndarray, known: np.ndarray, size: Any) -> int:
    """Refuse records of insiders that leave other than one member of a group unknown."""
    members = check_integer("size", size, minimum=2)
    if known.ndim != means.ndim + 1 or known.shape[1:] != means.shape:
        raise ValueError(
            f"known must hold a row per insider like the means, of shape {means.shape}, got shape "
            f"{known.shape}; pass an array of shape (insiders, items)"
        )
    if len(known) != members - 1:
        raise ValueError(
            f"known must hold the records of all members but one, {members - 1} of {members}, got "
            f"{len(known)}; with fewer only the sum of the others follows"
        )
    return members


def check_known_counts(known: Any) -> tuple[int, ...]:
    """Refuse what is not an ascending list of numbers of known ratings."""
    if not isinstance(known, (tuple, list, range, np.ndarray)) or not len(known):
        raise TypeError(f"known must list numbers of ratings, got {known!r}; pass (1, 2, 4)")
    counts = tuple(check_integer("known", count, minimum=1) for count in known)
    if any(not less < more for less, more in pairwise(counts)):
        raise ValueError(f"known must ascend, got {known!r}; list each number once, least first")
    return counts


def check_unique_users(name: str, users: Any, records: int) -> np.ndarray:
    """Bring the user of each row into an array; refuse a number that does not fit, or repeats."""
    array = np.asarray(users)
    if array.ndim != 1 or len(array) != records:
        raise ValueError(
            f"{name} must name the user of each of the {records} rows, got shape {array.shape}; "
            "pass one name per row"
        )
    if array.dtype.kind == "f" and not all(math.isfinite(number) for number in array):
        raise ValueError(f"{name} must be names or numbers, got NaN or inf; name every row")
    names, counts = np.unique(array, return_counts=True)
    if len(names) != records:
        raise ValueError(
            f"{name} must name each user once, got {names[np.argmax(counts)]!r} "
            f"{counts.max()} times; give every row a name of its own"
        )
    return array
