"""Flip probability p, odds (1 - p)/p and level ln odds, each rounded to the safe side."""

import math
from collections.abc import Iterable
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from pplab.checks import as_array, as_fraction, check_epsilon, check_flip_probability, check_odds

# 60 digits, divisions rounded up; ln and exp are right to the last digit, and one step outward.
_EXACT = Context(prec=60, rounding=ROUND_CEILING)


def flip_to_epsilon(flip_probability: Any) -> Any:
    """Privacy level ``epsilon = ln((1 - p) / p)`` of flipping each cell with probability p.

    The result is never below the true value: the exact logarithm is rounded up.

    Parameters
    ----------
    flip_probability : float, Fraction or array of them
        Probability that a cell is published wrongly, in [0, 1/2].

    Returns
    -------
    float or ndarray
        epsilon in natural-log units, per edge; 0 at p = 1/2 and infinity at p = 0.

    Raises
    ------
    TypeError, ValueError
        If the probability is no number in [0, 1/2].

    References
    ----------
    Salas and Torra 2020, Theorem 1, doi 10.5220/0009833804150422.

    Examples
    --------
    >>> round(flip_to_epsilon(0.1), 4)  # odds of 9 to 1
    2.1972
    >>> flip_to_epsilon(0.5)
    0.0
    """
    return _elementwise(_flip_to_epsilon, flip_probability)


def epsilon_to_flip(epsilon: Any) -> Any:
    """Flip probability ``p = 1 / (1 + e^epsilon)`` that gives a privacy level.

    The result is never below the true value, so that the level is never exceeded.

    Parameters
    ----------
    epsilon : float, Fraction or array of them
        Privacy level per edge in (0, inf).

    Returns
    -------
    float or ndarray
        Flip probability in (0, 1/2].

    Raises
    ------
    TypeError, ValueError
        If epsilon is no positive finite number.

    References
    ----------
    Salas and Torra 2020, Theorem 1, solved for p, doi 10.5220/0009833804150422.

    Examples
    --------
    >>> round(epsilon_to_flip(1.0), 4)
    0.2689
    """
    return _elementwise(_epsilon_to_flip, epsilon)


def _elementwise(function: Any, values: Any) -> Any:
    if isinstance(values, np.ndarray):
        values = values.tolist()  # a single number when it has no dimension
    if isinstance(values, (list, tuple)):
        return as_array("epsilon or flip_probability", [_elementwise(function, x) for x in values])
    return function(values)


def _flip_to_epsilon(flip_probability: Any) -> float:
    p = as_fraction(check_flip_probability(flip_probability))
    return level_of_odds((1 - p) / p if p else math.inf)


def _epsilon_to_flip(epsilon: Any) -> float:
    level = as_fraction(check_epsilon(epsilon))
    if level > 745:  # 1 / (1 + e^745) is below the smallest positive float
        return math.ulp(0.0)
    odds = _EXACT.next_minus(_EXACT.exp(-_decimal_above(-level)))
    return min(_float_above(_EXACT.divide(Decimal(1), _EXACT.add(odds, Decimal(1)))), 0.5)


def _decimal_above(value: Fraction) -> Decimal:
    return _EXACT.divide(Decimal(value.numerator), Decimal(value.denominator))


def _float_above(value: Decimal) -> float:
    """Nearest float that is not below a decimal."""
    nearest = float(value)
    return nearest if Decimal(nearest) >= value else math.nextafter(nearest, math.inf)


def odds_to_epsilon(odds: Any) -> float:
    """Privacy level ``ln odds``, never below the true value.

    Examples
    --------
    >>> round(odds_to_epsilon(19), 3)
    2.944
    """
    return level_of_odds(as_fraction(check_odds("odds", odds)))


def chance_below(threshold: float) -> Fraction:
    """Probability that ``rng.random()``, a whole number of 2^-53, is below a threshold in [0, 1].

    Examples
    --------
    >>> chance_below(2.0**-60) == Fraction(1, 2**53)  # that it is 0
    True
    """
    return Fraction(math.ceil(Fraction(threshold) * 2**53), 2**53)


def largest_odds(rows: Iterable[Iterable[Fraction]]) -> Any:
    """Largest ratio of one answer's probabilities under two truths; a row for each truth.

    Examples
    --------
    >>> largest_odds([(Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 2), Fraction(1, 2))])
    Fraction(2, 1)
    """
    worst: Any = Fraction(1)
    for answer in zip(*rows, strict=True):
        low, high = min(answer), max(answer)
        if high:  # one that never occurs compares with nothing
            worst = max(worst, high / low if low else math.inf)
    return worst


def level_of_odds(*odds: Any) -> float:
    """Level ln odds of the largest of some odds, which may be infinite; rounded up."""
    worst = max(odds)
    if worst in (1, math.inf):
        return math.log(worst)
    return _float_above(_EXACT.next_plus(_EXACT.ln(_decimal_above(worst))))


def level_of(odds: Any, epsilon: Any) -> tuple[Fraction, float]:
    """Both sides of a privacy level that was given as one of them.

    Examples
    --------
    >>> level_of(Fraction(3), None)[0]
    Fraction(3, 1)
    """
    given_odds = None if odds is None else as_fraction(check_odds("odds", odds))
    if (odds is None) == (epsilon is None):
        arguments = "neither" if odds is None else "both"
        raise ValueError(f"pass either odds (e^epsilon) or epsilon, got {arguments}")
    if given_odds is not None:
        return given_odds, odds_to_epsilon(odds)
    flip = Fraction(epsilon_to_flip(check_epsilon(epsilon)))
    return (1 - flip) / flip, float(epsilon)  # the odds are never above e^epsilon
