"""Odds and epsilon: ``odds = e^epsilon``, each rounded to the safe side."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from pplab.checks import check_epsilon, check_odds
from pplab.response.levels import epsilon_to_flip, flip_to_epsilon

__all__ = ["level_of", "odds_to_epsilon"]


def odds_to_epsilon(odds: Any) -> float:
    """Privacy level ``ln odds``, never below the true value.

    Examples
    --------
    >>> round(odds_to_epsilon(19), 3)
    2.944
    """
    return flip_to_epsilon(1 / (1 + Fraction(check_odds("odds", odds))))


def level_of(odds: Any, epsilon: Any) -> tuple[Fraction, float]:
    """Both sides of a privacy level that was given as one of them.

    Examples
    --------
    >>> level_of(Fraction(3), None)[0]
    Fraction(3, 1)
    """
    if (odds is None) == (epsilon is None):
        given = "neither" if odds is None else "both"
        raise ValueError(f"pass either odds (e^epsilon) or epsilon, got {given}")
    if odds is None:
        flip = Fraction(epsilon_to_flip(check_epsilon(epsilon)))
        return (1 - flip) / flip, float(epsilon)  # the odds are never above e^epsilon
    return Fraction(check_odds("odds", odds)), odds_to_epsilon(odds)
