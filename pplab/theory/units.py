"""Levels of whole units: a node, a user and an item have so many cells."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from pplab.checks import check_flip_probability, check_unit_of_shape
from pplab.response.odds import odds_to_epsilon

__all__ = ["cells_of_unit", "unit_epsilon", "unit_odds"]


def cells_of_unit(shape: int | tuple[int, int], unit: str) -> int:
    """Cells in which neighbours may differ.

    Parameters
    ----------
    shape : int or pair of int
        n nodes, or (n users, m items).
    unit : {"edge", "node", "user", "item"}
        1, n - 1, m and n cells.

    Returns
    -------
    int

    Raises
    ------
    TypeError, ValueError
        If the shape lacks the unit.

    Examples
    --------
    >>> cells_of_unit(5, "node"), cells_of_unit((943, 1650), "user"), cells_of_unit((2, 3), "item")
    (4, 1650, 2)
    """
    sizes = check_unit_of_shape(shape, unit)
    return {"edge": 1, "node": sizes[0] - 1, "user": sizes[-1], "item": sizes[0]}[unit]


def unit_odds(*, flip_probability: Any, shape: int | tuple[int, int], unit: str) -> Any:
    """Exact odds of the noise-graph mechanism for a unit: ``((1 - p)/p)^cells``, and tight.

    Parameters
    ----------
    flip_probability : float or Fraction
        p in [0, 1/2].
    shape : int or pair of int
        n nodes, or (n users, m items).
    unit : {"edge", "node", "user", "item"}

    Returns
    -------
    Fraction or infinity

    Raises
    ------
    TypeError, ValueError
        If p leaves its interval or the shape lacks the unit.

    References
    ----------
    Salas and Torra 2020, Theorems 1 and 2, doi 10.5220/0009833804150422, with n - 1 cells for a
    node, m for a user and n for an item where the paper says n throughout.

    Examples
    --------
    >>> unit_odds(flip_probability=Fraction(1, 4), shape=3, unit="node")
    Fraction(9, 1)
    """
    p = Fraction(check_flip_probability(flip_probability))
    cells = cells_of_unit(shape, unit)
    return ((1 - p) / p) ** cells if p else float("inf")


def unit_epsilon(*, flip_probability: Any, shape: int | tuple[int, int], unit: str) -> float:
    """Exact level of the noise-graph mechanism for a unit: ``cells * ln((1 - p)/p)``, rounded up.

    Parameters
    ----------
    flip_probability : float or Fraction
        p in [0, 1/2].
    shape : int or pair of int
        n nodes, or (n users, m items).
    unit : {"edge", "node", "user", "item"}

    Returns
    -------
    float

    Raises
    ------
    TypeError, ValueError
        If p leaves its interval or the shape lacks the unit.

    References
    ----------
    Salas and Torra 2020, Theorems 1 and 2, doi 10.5220/0009833804150422.

    Examples
    --------
    >>> round(unit_epsilon(flip_probability=0.25, shape=(1, 3), unit="user"), 4)  # ln 27
    3.2958
    """
    odds = unit_odds(flip_probability=flip_probability, shape=shape, unit=unit)
    return odds if odds == float("inf") else odds_to_epsilon(odds)
