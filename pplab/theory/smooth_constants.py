"""The constants of Theorems 5.4 and 5.5, and the similarities from which they promise anything."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from pplab.checks import as_fraction, check_positive, check_probability

__all__ = [
    "LI",
    "LOWER_BOUNDED_MEDIAN",
    "alg1_factor",
    "alg2_factor",
    "distance_constant",
    "largest_a",
    "least_jaccard",
]

LOWER_BOUNDED_MEDIAN = Fraction("82.6")  # Ahmadian and Swamy 2012
LI = Fraction("1.488")  # Li 2013, metric uncapacitated facility location


def distance_constant(approximation: Any, *, a: Any = 0) -> Fraction:
    """Give c for which an algorithm has ``J >= 1 - c phi / (1 - phi)`` where the best has 1 - phi.

    The chain: the best copy lies within c1 phi/(1 - phi) |E| of the data (Lemma 5.2), centres that
    are rows of the data at most double that, the algorithm multiplies by its own factor, and a
    total distance of d |E| leaves a similarity of 1 - c2 d (Lemma 5.3). As printed c1 = 2 and
    c2 = 1/2, where c2 = 1/2 is false; repaired both are 1: the product is the same, and the
    constants of both theorems survive.

    Parameters
    ----------
    approximation : number
        Factor of the algorithm, 82.6 (`LOWER_BOUNDED_MEDIAN`) or 1.488 (`LI`); positive.
    a : number, default 0
        Share of k below which Alg2 removes a cluster, in [0, 1): multiplies by (1 + a)/(1 - a).

    Returns
    -------
    Fraction

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorems 5.4 and 5.5, arXiv 2207.06358.

    Examples
    --------
    >>> float(distance_constant(LOWER_BOUNDED_MEDIAN)), float(distance_constant(LI))
    (165.2, 2.976)
    """
    check_positive("approximation", approximation)
    share = _share(a)
    first, last = 2, Fraction(1, 2)  # as printed; repaired both are 1
    centres = 2
    return first * centres * _exact(approximation) * last * (1 + share) / (1 - share)


def alg1_factor(jaccard: Any, *, approximation: Any = LOWER_BOUNDED_MEDIAN) -> Fraction:
    """Similarity that Theorem 5.4 promises Alg1, ``1 - 165.2 phi/(1 - phi)``, phi = 1 - best J.

    Parameters
    ----------
    jaccard : number
        Similarity of the best copy, in (0, 1]; a float counts as the decimal it prints as.
    approximation : number, default 82.6
        Factor of the lower-bounded median; 1 when it is solved exactly, which leaves 2 for 165.2.

    Returns
    -------
    Fraction
        Perhaps negative: then nothing is promised.

    Raises
    ------
    TypeError, ValueError
        If the similarity leaves its interval, or the factor is not positive.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 5.4, arXiv 2207.06358.

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

    Parameters
    ----------
    jaccard : number
        Similarity of the best copy, in (0, 1].
    a : number
        In [0, 1).
    approximation : number, default 1.488
        Factor of facility location; 1 when it is solved exactly.

    Returns
    -------
    Fraction

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 5.5, arXiv 2207.06358.

    Examples
    --------
    >>> print(f"{float(alg2_factor(Fraction('0.75'), a=Fraction('0.004'))):.1e}")
    6.4e-11
    """
    share = _share(a)
    return share**2 / 8 * (1 - distance_constant(approximation, a=share) * _odds(jaccard))


def least_jaccard(constant: Any) -> Fraction:
    """Similarity above which ``1 - constant * phi/(1 - phi)`` is positive: c / (1 + c).

    Parameters
    ----------
    constant : number
        Positive, as `distance_constant` gives it.

    Returns
    -------
    Fraction

    Raises
    ------
    TypeError, ValueError
        If the constant is not positive.

    Examples
    --------
    >>> round(float(least_jaccard(distance_constant(LOWER_BOUNDED_MEDIAN))), 3)
    0.994
    >>> round(float(least_jaccard(distance_constant(LI, a=Fraction("0.004")))), 5)
    0.74999
    """
    value = _exact(check_positive("constant", constant))
    return value / (1 + value)


def largest_a(jaccard: Any) -> Fraction:
    """Share a below which Theorem 5.5's factor is positive where the best copy has this J.

    Parameters
    ----------
    jaccard : number
        In (0, 1].

    Returns
    -------
    Fraction
        (1 - c) / (1 + c) with c = 2.976 phi/(1 - phi); 0 when no a serves.

    Raises
    ------
    TypeError, ValueError
        If the similarity leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 5.5, arXiv 2207.06358.

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


def _share(a: Any) -> Fraction:
    if not check_probability("a", a) < 1:
        raise ValueError(
            f"a must lie in [0, 1), got {a!r}; pass a share below 1, for example 0.004"
        )
    return _exact(a)


def _odds(jaccard: Any) -> Fraction:
    """phi / (1 - phi) for phi = 1 - jaccard."""
    check_positive("jaccard", check_probability("jaccard", jaccard))
    value = _exact(jaccard)
    return (1 - value) / value
