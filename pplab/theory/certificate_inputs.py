"""Fractions rounded upwards, as bounds must be."""

from __future__ import annotations

import math
from fractions import Fraction

__all__ = ["upwards"]


def upwards(bound: Fraction) -> float:
    """Least float that is not below a fraction: a bound must not be lost in rounding.

    Examples
    --------
    >>> upwards(Fraction(1, 2)), upwards(Fraction(1, 10**20)) >= Fraction(1, 10**20)
    (0.5, True)
    """
    nearest = float(bound)
    return nearest if Fraction(nearest) >= bound else math.nextafter(nearest, math.inf)
