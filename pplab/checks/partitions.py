"""Checks of partitions of users, and of packages that only an extra installs."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

import numpy as np

from pplab.checks.numbers import _listed


def check_partition(labels: Any, users: int, *, name: str = "labels") -> np.ndarray:
    """Bring the cluster of each user into an int64 array; refuse what is no partition of them."""
    array = _listed(labels)
    if array.ndim != 1 or len(array) != users:
        raise ValueError(
            f"{name} must hold one cluster number for each of the {users} users, got shape "
            f"{array.shape}; a partition misses no user and names none twice"
        )
    if array.dtype.kind not in "iu" or np.ma.is_masked(array):
        got = "masked cells" if np.ma.is_masked(array) else array.dtype
        raise TypeError(
            f"{name} must be whole numbers, got {got}; give every user the number of a cluster"
        )
    if len(array) and not array.min() >= 0:
        raise ValueError(
            f"{name} must be numbers from 0, got {array.min()} for user {int(np.argmin(array))}; "
            "a user who is like nobody is a cluster of one"
        )
    used = np.unique(array)
    if len(used) and used[-1] != len(used) - 1:
        empty = int(np.argmax(used != np.arange(len(used))))
        raise ValueError(
            f"{name} must leave no cluster empty, got {len(used)} clusters with numbers up to "
            f"{used[-1]} and nobody in cluster {empty}; renumber them, for example with "
            "numpy.unique(labels, return_inverse=True)[1]"
        )
    return np.asarray(array, dtype=np.int64)


def check_installed(package: str, *, module: str, extra: str) -> ModuleType:
    """Import a package of an extra; where it is missing, say how to get it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            f"{package} must be installed for this, got no such package; install the extra "
            f"{extra!r}: pip install 'pplab[{extra}]'",
            name=missing.name,
        ) from missing
