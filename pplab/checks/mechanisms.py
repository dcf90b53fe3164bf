"""Checks of what describes a mechanism: odds, levels, shapes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral
from typing import Any

import numpy as np
from scipy import sparse

from pplab.checks.numbers import _real, check_choice, check_integer


def check_odds(name: str, value: Any) -> Any:
    """Refuse odds below 1 or infinite."""
    _real(name, value, "[1, inf)")
    if not value >= 1 or math.isinf(value):
        raise ValueError(
            f"{name} must lie in [1, inf), got {value!r}; pass e^epsilon, for example Fraction(3)"
        )
    return value


def check_levels(levels: Any) -> tuple:
    """Bring rating levels into an ascending tuple; an integer L stands for 1..L."""
    if isinstance(levels, Integral):
        return tuple(range(1, check_integer("levels", levels, minimum=1) + 1))
    if isinstance(levels, (str, bytes)) or not isinstance(levels, Iterable):
        raise TypeError(
            f"levels must be a number of levels or a sequence of ratings, got {levels!r}; "
            "pass for example levels=5"
        )
    listed = [level.item() if isinstance(level, np.generic) else level for level in levels]
    for level in listed:
        _real("each of levels", level, "(-inf, inf)")
    if not listed or len(set(listed)) < len(listed) or not all(map(math.isfinite, listed)):
        raise ValueError(
            f"levels must be finite ratings, at least one and none twice, got {listed!r}; "
            "list each possible rating once"
        )
    return tuple(sorted(int(level) if level == int(level) else level for level in listed))


def check_values_among(name: str, matrix: sparse.csr_array, levels: tuple) -> None:
    """Refuse stored values that are not among the levels; a stored 0 is a value."""
    strange = ~np.isin(matrix.data, np.array(levels, dtype=float))
    if strange.any():
        shown = ", ".join(map(str, levels))
        raise ValueError(
            f"{name} must store only the levels {shown}, got {matrix.data[strange][0]}; "
            "add it to levels or drop such entries (a stored 0 is a rating too)"
        )


def check_unit_of_shape(shape: Any, unit: Any) -> tuple[int, ...]:
    """Bring a shape to enumerate into (nodes,) or (users, items) and refuse a unit it lacks."""
    if isinstance(shape, (tuple, list)) and len(shape) == 2:
        sizes = tuple(check_integer(f"shape[{i}]", n, minimum=1) for i, n in enumerate(shape))
        check_choice("unit of a (users, items) table", unit, ("edge", "user", "item"))
        return sizes
    if isinstance(shape, Integral):
        check_choice("unit of an undirected graph", unit, ("edge", "node"))
        return (check_integer("shape", shape, minimum=2),)
    raise TypeError(
        f"shape must be a number of nodes or a pair (users, items), got {shape!r}; "
        "pass for example shape=3 or shape=(2, 3)"
    )
