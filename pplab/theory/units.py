"""Levels of whole units: a node, a user and an item have so many cells."""

from __future__ import annotations

from pplab.checks import check_unit_of_shape

__all__ = [
    "cells_of_unit",
]


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
