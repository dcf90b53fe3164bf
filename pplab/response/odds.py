"""Odds and epsilon: ``odds = e^epsilon``, each rounded to the safe side."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from pplab.checks import check_epsilon, check_odds, check_one_level
from pplab.response.levels import epsilon_to_flip, flip_to_epsilon

__all__ = ["epsilon_to_odds", "level_of", "odds_to_epsilon"]


def odds_to_epsilon(odds: Any) -> float:
    """Privacy level ``ln odds``, never below the true value.

    Examples
    --------
    >>> round(odds_to_epsilon(19), 3)
    2.944
    """
    return flip_to_epsilon(1 / (1 + Fraction(check_odds("odds", odds))))


def epsilon_to_odds(epsilon: Any) -> Fraction:
    """Odds ``e^epsilon`` as an exact fraction, never above the true value.

    Examples
    --------
    >>> round(float(epsilon_to_odds(1.0)), 3)
    2.718
    """
    flip = Fraction(epsilon_to_flip(check_epsilon(epsilon)))
    return (1 - flip) / flip


def level_of(odds: Any, epsilon: Any) -> tuple[Fraction, float]:
    """Both sides of a privacy level that was given as one of them.

    Examples
    --------
    >>> level_of(Fraction(3), None)[0]
    Fraction(3, 1)
    """
    check_one_level(odds, epsilon)
    if odds is None:
        return epsilon_to_odds(epsilon), float(epsilon)
    return Fraction(check_odds("odds", odds)), odds_to_epsilon(odds)
