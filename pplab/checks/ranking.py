"""Checks of recommended lists, of utilities and of who is attacked."""

from __future__ import annotations

from typing import Any

import numpy as np

from pplab.checks.numbers import _listed, check_choice

__all__ = [
    "check_game_method",
    "check_lonely_friends",
    "check_some_victims",
    "check_victims",
]


def check_victims(victims: Any, users: int) -> np.ndarray:
    """Bring one victim or a list of them into an int64 array; refuse strangers and repeats."""
    found = np.atleast_1d(_listed(victims))
    if found.ndim != 1 or not len(found) or found.dtype.kind not in "iu":
        raise TypeError(
            f"victim must be a row number or a list of them, got {victims!r}; pass for example 1"
        )
    if not 0 <= found.min() <= found.max() < users:
        raise ValueError(
            f"victim must be a row number from 0 to {users - 1}, got {found.min()} to "
            f"{found.max()}; count the rows of the social graph from 0"
        )
    if len(np.unique(found)) < len(found):
        raise ValueError(
            f"victim must name each user once, got {len(found)} with repeats; drop the repeats"
        )
    return found.astype(np.int64)


def check_lonely_friends(friends: np.ndarray, victims: np.ndarray) -> None:
    """Refuse to go through a friend where each friend knows somebody else (-1)."""
    if (friends < 0).any():
        raise ValueError(
            f"victim must have a friend who knows nobody else, got user {victims[friends < 0][0]} "
            'without one; pass through="victim" and let the victim accept a fake friend'
        )


def check_some_victims(count: int, through: str) -> None:
    """Refuse to draw victims where nobody fits."""
    if not count:
        raise ValueError(
            f"preferences must leave somebody to attack, got nobody who has one with "
            f"through={through!r}; pass other data or another way"
        )


def check_game_method(method: Any, clusters: Any) -> str:
    """Refuse a method whose noise on one utility has no closed form, or clusters out of place."""
    check_choice("method", method, ("exact", "cluster", "nou", "noe"))
    if (clusters is not None) != (method == "cluster"):
        got = "none" if clusters is None else "some"
        raise ValueError(
            f"clusters must come with method 'cluster' and with no other, got {got} with "
            f"{method!r}; pass a partition of all users, fakes included, where it is needed"
        )
    return str(method)
