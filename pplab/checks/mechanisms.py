"""Checks of what describes a mechanism: odds, levels, design matrices, shapes, laws."""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral, Rational
from typing import Any

import numpy as np
from scipy import sparse

from pplab.checks.numbers import _real, check_choice, check_integer, check_probability

__all__ = [
    "check_design_matrix",
    "check_enumerable",
    "check_few_inputs",
    "check_few_outputs",
    "check_law",
    "check_levels",
    "check_mechanisms",
    "check_odds",
    "check_one_level",
    "check_unit_of_shape",
    "check_values_among",
]


def check_odds(name: str, value: Any) -> Any:
    """Refuse odds below 1 or infinite."""
    _real(name, value, "[1, inf)")
    if not value >= 1 or math.isinf(value):
        raise ValueError(
            f"{name} must lie in [1, inf), got {value!r}; pass e^epsilon, for example Fraction(3)"
        )
    return value


def check_one_level(odds: Any, epsilon: Any) -> None:
    """Refuse a privacy level that is given twice or not at all."""
    if (odds is None) == (epsilon is None):
        given = "neither" if odds is None else "both"
        raise ValueError(f"pass either odds (e^epsilon) or epsilon, got {given}")


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


def check_design_matrix(rows: Iterable[tuple[Any, Any]]) -> None:
    """Refuse a design matrix whose rows are no probabilities that sum to 1."""
    for number, row in enumerate(rows):
        for column, value in enumerate(row):
            check_probability(f"p{number}{column}", value)
        if not abs(sum(row) - 1) <= 1e-12:
            raise ValueError(
                f"p{number}0 + p{number}1 must be 1, got {sum(row)}; p_jk is the probability to "
                "publish k when the truth is j"
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


def check_few_inputs(shape: Any, inputs: int, pairs: int, *, most: int) -> None:
    """Refuse to enumerate more inputs than a few seconds allow."""
    if inputs > most:
        raise ValueError(
            f"shape {shape} has {inputs:,} inputs and {pairs:,} pairs of neighbours, and at most "
            f"{most} inputs are enumerated; take a smaller shape (up to 4 nodes or 3 x 3 cells)"
        )


def check_law(law: Any) -> None:
    """Refuse a distribution whose probabilities are negative or do not sum to 1."""
    if not isinstance(law, dict) or not law:
        raise TypeError(
            f"distribution(data) must give a dict of outputs and probabilities, got {law!r}"
        )
    total = sum(law.values())
    exact = all(isinstance(share, Rational) for share in law.values())
    if not abs(total - 1) <= (0 if exact else 1e-9) or not min(law.values()) >= 0:
        raise ValueError(
            f"distribution(data) must give probabilities that sum to 1, got a sum of {total} and "
            f"a smallest one of {min(law.values())}; list every output"
        )


def check_few_outputs(inputs: int, outputs: int, *, most: int) -> None:
    """Refuse to enumerate more outputs than a few seconds allow."""
    if inputs * outputs > most:
        raise ValueError(
            f"the mechanism has {outputs:,} outputs for one of {inputs:,} inputs, and at most "
            f"{most:,} are enumerated in all; take a smaller shape or show less of the output"
        )


def check_mechanisms(mechanisms: Any) -> None:
    """Refuse a composition of nothing, or of mechanisms for different units."""
    units = sorted({part.unit for part in mechanisms})
    if len(units) != 1:
        raise ValueError(
            f"mechanisms must be at least one and share one unit, got {len(mechanisms)} with units "
            f"{units}; compose their levels for one unit"
        )


def check_enumerable(mechanism: Any) -> None:
    """Refuse a mechanism whose outputs cannot be listed."""
    if not callable(getattr(mechanism, "distribution", None)):
        raise TypeError(
            f"mechanism must have distribution(data) -> {{output: probability}}, got "
            f"{type(mechanism).__name__}; add it, or audit samples where outputs cannot be listed"
        )
