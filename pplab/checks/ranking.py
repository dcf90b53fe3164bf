"""Checks of recommended lists and of utilities."""

from __future__ import annotations

from typing import Any

import numpy as np

from pplab.checks.numbers import _listed, check_integer

__all__ = [
    "check_ideal",
    "check_ranked_items",
    "check_utility_values",
]


def check_ranked_items(ranked: Any, users: int, items: int, *, top_n: Any) -> np.ndarray:
    """Bring lists of items into an int64 array of their first top_n; refuse what is no list."""
    array = _listed(ranked)
    if array.ndim != 2 or array.dtype.kind not in "iu" or len(array) != users:
        raise ValueError(
            f"ranked_items must be whole numbers of shape ({users}, top_n or more), one row per "
            f"user, got shape {array.shape} of {array.dtype}; pass .items of a recommendation"
        )
    length = check_integer("top_n", top_n, minimum=1)
    if length > array.shape[1]:
        raise ValueError(
            f"top_n must be at most the length of the lists, {array.shape[1]}, got {length}; "
            "recommend longer lists or look at fewer places"
        )
    lists = np.ascontiguousarray(array[:, :length], dtype=np.int64)
    if lists.size and not 0 <= lists.min() <= lists.max() < items:
        raise ValueError(
            f"ranked_items must be item numbers from 0 to {items - 1}, got {lists.min()} to "
            f"{lists.max()}; number the items as the columns of utilities"
        )
    ordered = np.sort(lists, axis=1)
    same = ordered[:, 1:] == ordered[:, :-1]
    if same.any():
        user, place = (int(found[0]) for found in np.nonzero(same))
        raise ValueError(
            f"ranked_items must name an item once per user, got item {ordered[user, place]} twice "
            f"for user {user}; rank every item once"
        )
    return lists


def check_utility_values(values: np.ndarray) -> None:
    """Refuse utilities that are negative, infinite or NaN."""
    if values.dtype.kind not in "biuf":
        raise TypeError(f"utilities must be numbers, got {values.dtype}; pass floats")
    # two passes without a mask the size of the values, which can be hundreds of millions
    if values.size and not (values.min() >= 0 and values.max() < np.inf):
        raise ValueError(
            f"utilities must be finite and at least 0, got {values.min()} to {values.max()}; "
            "rank by the true utilities, before noise"
        )


def check_ideal(ideal: Any, gained: np.ndarray) -> np.ndarray:
    """Refuse ideal gains that are not of the utilities at hand: too few, or below a list's."""
    array = _listed(ideal)
    if array.shape != gained.shape or array.dtype.kind not in "iuf":
        raise ValueError(
            f"ideal must hold one number per user, {len(gained)}, got shape {array.shape}; pass "
            "ideal_dcg of the same utilities"
        )
    if not (gained <= array * (1 + 1e-9)).all():
        user = int(np.argmin(gained <= array * (1 + 1e-9)))
        raise ValueError(
            f"ideal must be at least what a list gains, got {array[user]:g} below "
            f"{gained[user]:g} for user {user}; pass ideal_dcg of the same utilities and top_n"
        )
    return array
