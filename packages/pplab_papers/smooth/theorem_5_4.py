"""Theorems 5.4 and 5.5: their constants, from the factors of the algorithms that they use.

`constants` works out what both print, and the similarities from which they promise anything.
Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, Section 5,
arXiv 2207.06358.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import log
from typing import Any

import pandas as pd

from pplab.checks import as_fraction

LOWER_BOUNDED_MEDIAN = Fraction("82.6")  # Ahmadian and Swamy 2012
LI = Fraction("1.488")  # Li 2013, metric uncapacitated facility location
A = Fraction("0.004")  # the a of Theorem 5.5
FAR = Fraction("0.75")  # the similarity from which Theorem 5.5 is said to hold


def distance_constant(approximation: Any, *, a: Any = 0) -> Fraction:
    """Give c such that an algorithm has ``J >= 1 - c phi / (1 - phi)`` if the best J is 1 - phi.

    The chain: the best copy lies within c1 phi/(1 - phi) |E| of the data (Lemma 5.2), centres that
    are rows of the data at most double that, the algorithm multiplies by its own factor, and a
    total distance of d |E| leaves a similarity of 1 - c2 d (Lemma 5.3). As printed c1 = 2 and
    c2 = 1/2, where c2 = 1/2 is false; repaired both are 1: the product is the same, and the
    constants of both theorems survive. The share a of k below which Alg2 removes a cluster
    multiplies c by (1 + a) / (1 - a).

    Examples
    --------
    >>> float(distance_constant(LOWER_BOUNDED_MEDIAN)), float(distance_constant(LI))
    (165.2, 2.976)
    """
    share = _exact(a)
    first, last = 2, Fraction(1, 2)  # as printed; repaired both are 1
    centres = 2
    return first * centres * _exact(approximation) * last * (1 + share) / (1 - share)


def alg1_factor(jaccard: Any, *, approximation: Any = LOWER_BOUNDED_MEDIAN) -> Fraction:
    """Similarity that Theorem 5.4 promises Alg1, ``1 - 165.2 phi/(1 - phi)``, phi = 1 - best J.

    With an exact solver, factor 1, 2 stands for 165.2. Where it is negative nothing is promised.

    Examples
    --------
    >>> round(float(alg1_factor(Fraction("0.994"))), 4)
    0.0028
    """
    return 1 - distance_constant(approximation) * _odds(jaccard)


def alg2_factor(jaccard: Any, *, a: Any, approximation: Any = LI) -> Fraction:
    """Similarity that Theorem 5.5 promises Alg2: ``a^2/8 (1 - 2.976 (1+a)/(1-a) phi/(1-phi))``.

    The theorem is false for merging as printed (see `merging_counterexample`); this is what it
    says.

    Examples
    --------
    >>> print(f"{float(alg2_factor(Fraction('0.75'), a=Fraction('0.004'))):.1e}")
    6.4e-11
    """
    share = _exact(a)
    return share**2 / 8 * (1 - distance_constant(approximation, a=share) * _odds(jaccard))


def least_jaccard(constant: Any) -> Fraction:
    """Similarity above which ``1 - constant * phi/(1 - phi)`` is positive: c / (1 + c).

    Examples
    --------
    >>> round(float(least_jaccard(distance_constant(LOWER_BOUNDED_MEDIAN))), 3)
    0.994
    >>> round(float(least_jaccard(distance_constant(LI, a=Fraction("0.004")))), 5)
    0.74999
    """
    value = _exact(constant)
    return value / (1 + value)


def largest_a(jaccard: Any) -> Fraction:
    """Share a below which Theorem 5.5's factor is positive where the best copy has this J.

    It is (1 - c) / (1 + c) with c = 2.976 phi/(1 - phi), or 0.

    Examples
    --------
    >>> round(float(largest_a(Fraction(3, 4))), 5)
    0.00402
    """
    cost = distance_constant(LI) * _odds(jaccard)
    return max(Fraction(0), (1 - cost) / (1 + cost))


def _exact(value: Any) -> Fraction:
    """Decimal numbers as they are written: 1.488 is 1488/1000, not the nearest binary fraction."""
    return Fraction(repr(float(value))) if isinstance(value, float) else as_fraction(value)


def _odds(jaccard: Any) -> Fraction:
    """phi / (1 - phi) for phi = 1 - jaccard."""
    value = _exact(jaccard)
    return (1 - value) / value


def constants() -> pd.DataFrame:
    """Work out the constants of both theorems from the factors of the algorithms they use."""
    first, second = distance_constant(LOWER_BOUNDED_MEDIAN), distance_constant(LI)
    values = {
        "median": 2 * distance_constant(1),
        "cost of 5.4": 2 * first,  # before Lemma 5.3 halves it
        "constant of 5.4": first,
        "threshold of 5.4": least_jaccard(first),
        "phi of 5.4": 1 - least_jaccard(first),
        "cost of 5.5": 2 * second,
        "constant of 5.5": second,
        "threshold of 5.5": least_jaccard(distance_constant(LI, a=A)),
        "phi of 5.5": 1 - least_jaccard(distance_constant(LI, a=A)),
        "largest a": largest_a(FAR),
    }
    rows: list[dict[str, object]] = [
        {"quantity": name, "value": float(v)} for name, v in values.items()
    ]
    return pd.DataFrame(rows)


def guarantee() -> pd.DataFrame:
    """Share of the entries that a guarantee of log k allows to remove, by that of the optimum."""
    return pd.DataFrame(_removed())


def _removed() -> Iterator[dict[str, object]]:
    for exponent in (5, 10, 20):
        factor = exponent * log(10)
        shares = {"a tenth": 0.1, "1 / (log k)^2": factor**-2, "1 / (2 log k)": 1 / (2 * factor)}
        for optimum, share in shares.items():
            row = {"quantity": "removed", "optimum": optimum, "k": f"10^{exponent}"}
            yield row | {"value": factor * share}
