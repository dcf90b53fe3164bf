"""Checks of single numbers, names and seeds."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any

import numpy as np


def as_rng(rng: int | np.random.Generator | None) -> np.random.Generator:
    """Turn a seed, a generator or None into a generator (SPEC 7); never global state.

    Examples
    --------
    >>> as_rng(1).integers(10) == as_rng(1).integers(10)
    np.True_
    """
    if isinstance(rng, np.random.Generator):
        return rng
    if rng is None or (isinstance(rng, Integral) and not isinstance(rng, bool) and rng >= 0):
        return np.random.default_rng(None if rng is None else int(rng))
    raise TypeError(
        f"rng must be a non-negative integer seed, a numpy.random.Generator or None, got {rng!r}; "
        "pass for example rng=1"
    )


def as_fraction(value: Any) -> Fraction:
    """Carry a number exactly: fractions and integers as they are, floats as binary fractions."""
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    return Fraction(float(value))


def _listed(values: Any) -> np.ndarray:
    """As numpy reads it, masked cells kept; rows of different lengths make an array of objects."""
    try:
        return np.ma.asarray(values)
    except ValueError:
        return np.empty(0, dtype=object)


def _real(name: str, value: Any, interval: str) -> None:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number in {interval}, got {value!r}")


def check_alpha(alpha: Any) -> Any:
    """Refuse a rate of false alarms outside (0, 1)."""
    _real("alpha", alpha, "(0, 1)")
    if not 0 < alpha < 1:
        raise ValueError(
            f"alpha must lie in (0, 1), got {alpha!r}; it is the greatest rate of false alarms, "
            "for example 1e-6"
        )
    return alpha


def check_epsilon(epsilon: Any, *, allow_infinity: bool = False) -> Any:
    """Refuse an epsilon that is not a positive (finite) number."""
    interval = "(0, inf]" if allow_infinity else "(0, inf)"
    _real("epsilon", epsilon, interval)
    if not epsilon > 0 or (epsilon == math.inf and not allow_infinity):
        raise ValueError(
            f"epsilon must lie in {interval}, got {epsilon!r}; "
            "smaller is more private, 1 multiplies an attacker's odds by at most 2.72"
        )
    return epsilon


def check_flip_probability(flip_probability: Any, *, below_half: bool = False) -> Any:
    """Refuse a flip probability outside [0, 1/2], or at 1/2 where that leaves nothing to learn."""
    _real("flip_probability", flip_probability, "[0, 1/2]")
    if not 0 <= flip_probability <= 0.5:
        raise ValueError(
            f"flip_probability must lie in [0, 1/2], got {flip_probability!r}; "
            "above 1/2 publish the complement instead: it tells the same at 1 - flip_probability"
        )
    if below_half and float(flip_probability) == 0.5:
        raise ValueError(
            "flip_probability must be below 1/2 here, got 1/2: such a release is pure noise and "
            "holds nothing to estimate"
        )
    return flip_probability


def check_probability(name: str, value: Any) -> Any:
    """Refuse a number outside [0, 1]."""
    _real(name, value, "[0, 1]")
    if not 0 <= value <= 1:
        raise ValueError(f"{name} must lie in [0, 1], got {value!r}; pass a probability")
    return value


def check_positive(name: str, value: Any) -> Any:
    """Refuse a number that is not positive and finite."""
    _real(name, value, "(0, inf)")
    if not 0 < value < math.inf:
        raise ValueError(
            f"{name} must be positive and finite, got {value!r}; pass a number above 0"
        )
    return value


def check_integer(name: str, value: Any, *, minimum: int, maximum: int | None = None) -> int:
    """Refuse what is not an integer between minimum and maximum."""
    interval = f"at least {minimum}" if maximum is None else f"between {minimum} and {maximum}"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Integral):
        raise TypeError(f"{name} must be an integer {interval}, got {value!r}")
    number = int(value)
    if number < minimum or (maximum is not None and number > maximum):
        raise ValueError(f"{name} must be an integer {interval}, got {number}")
    return number


def check_k(k: Any, records: int) -> int:
    """Refuse a k below 2 or above the number of records."""
    if records < 2:
        raise ValueError(f"k-anonymity needs at least 2 records, got {records}; pass more rows")
    return check_integer("k", k, minimum=2, maximum=records)


def check_choice(name: str, value: Any, choices: Iterable[str]) -> str:
    """Refuse a name that is not among the choices."""
    known = list(choices)
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, known))}, got {value!r}")
    return value


def check_settings(method: str, owner: str, settings: dict[str, Any]) -> None:
    """Refuse settings of one method that are given (not None) with another one."""
    given = [name for name, value in settings.items() if value is not None]
    if given and method != owner:
        raise ValueError(
            f"{given[0]} is a setting of the method {owner!r}, got it with {method!r}; leave it "
            f"out or pass method={owner!r}"
        )


def check_flag(name: str, value: Any) -> bool:
    """Refuse what is not True or False: a string such as 'no' would count as True."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {value!r}; pass one of them")
    return bool(value)


def check_not_empty(name: str, values: np.ndarray) -> None:
    """Refuse an empty collection."""
    if not len(values):
        raise ValueError(
            f"{name} must be at least one, got none; pass data or a list that has some"
        )
