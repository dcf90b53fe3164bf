"""Fuzzy exclusive or: the XOR of two weights through a t-norm, its conorm and the complement."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pplab.checks import check_choice, check_positive

__all__ = ["NORMS", "fuzzy_xor"]

_Norms = tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]


def _ratio(numerator: Any, denominator: Any, when_zero: int) -> Any:
    """Divide, with a value for 0/0; also for exact fractions."""
    zero = denominator == 0
    return (numerator + when_zero * zero) / (denominator + zero)


# Name -> (t-norm, its dual conorm) on [0, 1].
NORMS: dict[str, _Norms] = {
    "min-max": (np.minimum, np.maximum),
    "product": (lambda x, y: x * y, lambda x, y: x + y - x * y),
    "lukasiewicz": (
        lambda x, y: np.maximum(x + y - 1, 0),
        lambda x, y: np.minimum(x + y, 1),
    ),
    "hamacher": (
        lambda x, y: _ratio(x * y, x + y - x * y, 0),
        lambda x, y: _ratio(x + y - 2 * x * y, 1 - x * y, 1),
    ),
}


def fuzzy_xor(x: Any, y: Any, *, norm: str, top: float = 1) -> Any:
    """Fuzzy exclusive or ``T(S(x, y), N(T(x, y)))`` of two weights in [0, top].

    Parameters
    ----------
    x, y : float, Fraction or ndarray
        Weights in [0, top].
    norm : {"min-max", "product", "lukasiewicz", "hamacher"}
        The t-norm T; S is its dual conorm and N(x) = top - x.
    top : float, default 1
        The largest weight. Whole ratings stay exact under "min-max" and "lukasiewicz".

    Returns
    -------
    float, Fraction or ndarray
        In [0, top]; 0 exactly when both weights are 0 or both are top.

    Raises
    ------
    ValueError
        If the norm is unknown or top is not positive.

    References
    ----------
    Salas and Torra 2020, Section 2.3, doi 10.5220/0009833804150422; Klir and Yuan 1995,
    *Fuzzy Sets and Fuzzy Logic*.

    Examples
    --------
    >>> [int(fuzzy_xor(r, r, norm="min-max", top=5)) for r in (1, 2, 3, 4, 5)]
    [1, 2, 2, 1, 0]
    """
    check_choice("norm", norm, NORMS)
    check_positive("top", top)
    if norm == "min-max":  # the same formula on any scale, without a division
        return np.minimum(np.maximum(x, y), top - np.minimum(x, y))
    if norm == "lukasiewicz":
        return np.minimum(x + y, top) - np.maximum(x + y - top, 0)
    t_norm, conorm = NORMS[norm]
    x, y = x / top, y / top
    return t_norm(conorm(x, y), 1 - t_norm(x, y)) * top
