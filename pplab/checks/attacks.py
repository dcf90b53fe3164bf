"""Checks of group labels and of published numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from pplab.checks.numbers import _listed


def check_labels(labels: Any, records: int) -> np.ndarray:
    """Bring the group of each record into an int64 array; refuse what does not fit the records."""
    array = np.asarray(labels)
    if array.ndim != 1 or array.dtype.kind not in "iu" or len(array) != records:
        raise ValueError(
            f"labels must be {records} whole numbers, the group of each row, got shape "
            f"{array.shape} of {array.dtype}; pass the labels that the grouping returned"
        )
    if len(array) and array.min() < 0:
        raise ValueError(
            f"labels must be group numbers from 0, got {array.min()}; a row without a group "
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
