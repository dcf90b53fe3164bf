"""Checks of recommendations: lists, their users and options, and the noise they carry."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from pplab.checks.matrices import check_stored_values
from pplab.checks.numbers import _listed, check_integer

_LARGEST_SCALE = 1e30  # sums and products of noise stay finite in float32 too


def check_top_n(top_n: Any, items: int) -> int:
    """Refuse a length of the lists below 1 or above the number of items."""
    number = check_integer("top_n", top_n, minimum=1)
    if number > items:
        raise ValueError(
            f"top_n must be at most the number of items, {items}, got {number}; pass a smaller "
            "top_n, or preferences that keep the items nobody likes as empty columns"
        )
    return number


def check_preferences(preferences: sparse.csr_array, users: int) -> None:
    """Refuse preferences of other users than those of the social graph, or weights off [0, 1].

    Noise is scaled for a change of a weight by at most 1.
    """
    if preferences.shape[0] != users:
        raise ValueError(
            f"preferences must have a row for each of the {users} users of the social graph, got "
            f"{preferences.shape[0]}; drop users who are in one graph only, or give them an empty "
            "row"
        )
    check_stored_values("preferences", preferences, low=0, high=1)


def check_users(users: Any, total: int) -> np.ndarray:
    """Bring row numbers of users into an int64 array; None means all of them."""
    if users is None:
        return np.arange(total, dtype=np.int64)
    array = _listed(users)
    if array.ndim != 1 or not len(array) or array.dtype.kind not in "iu":
        raise ValueError(
            f"users must be a list of at least one row number, got shape {array.shape} of "
            f"{array.dtype}; pass for example [0, 3], or None for all users"
        )
    if array.min() < 0 or array.max() >= total:
        raise ValueError(
            f"users must be row numbers from 0 to {total - 1}, got {array.min()} to {array.max()}; "
            "count the rows of the social graph from 0"
        )
    return np.asarray(array, dtype=np.int64)


def check_estimates(utilities: Any) -> None:
    """Refuse estimated utilities that cannot be ranked: no table, NaN or infinite."""
    if getattr(utilities, "ndim", 0) != 2:
        raise ValueError(
            f"utilities must be a users x items table, got {type(utilities).__name__}; pass a 2-D "
            "array or a csr_array"
        )
    values = utilities if isinstance(utilities, np.ndarray) else utilities.data
    # two passes without a mask the size of the values, which can be hundreds of millions
    if values.size and not (values.min() > -np.inf and values.max() < np.inf):
        raise ValueError(
            f"utilities must be finite to be ranked, got {values.min()} to {values.max()}; "
            "write 0 where there is none"
        )


def check_noise_scale(scale: float, epsilon: float) -> float:
    """Refuse an epsilon so small that its noise would overflow."""
    if not scale <= _LARGEST_SCALE:
        raise ValueError(
            f"epsilon must leave noise of a scale up to {_LARGEST_SCALE:g}, got {epsilon!r} and a "
            f"scale of {scale:g}; pass a larger epsilon"
        )
    return scale
