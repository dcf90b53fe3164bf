"""Exact privacy by counting: every input, every neighbour, every output, in fractions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import Any

from pplab.checks import check_integer, check_unit_of_shape
from pplab.response.odds import odds_to_epsilon
from pplab.theory.inputs import Grid, Rows
from pplab.theory.worst import worst_ratio

__all__ = ["ExactEpsilon", "compare_inputs", "exact_epsilon", "exact_group_epsilon"]

_MOST_ENTRIES = 2**20


@dataclass(frozen=True)
class ExactEpsilon:
    """The exact privacy level of a mechanism on one shape, with what shows it.

    Attributes
    ----------
    odds : Fraction or infinity
        Largest ratio of the probabilities of one output under two neighbouring inputs.
    epsilon : float
        Its natural logarithm, rounded up; infinity when an output excludes an input.
    pair : tuple of two inputs
        Each a tuple of rows; the output is likelier under the first. Cells are 0 and 1, or None
        (no edge) and the ratings where the mechanism has levels.
    output : object
        The output at which the ratio is worst, as the mechanism's distribution writes it.

    References
    ----------
    Salas and Torra 2020, Definition 4, doi 10.5220/0009833804150422.

    Examples
    --------
    >>> from pplab.response import BipartiteNoiseGraph
    >>> exact_epsilon(BipartiteNoiseGraph(Fraction(1, 4)), shape=(1, 1), unit="edge")
    ExactEpsilon(odds=Fraction(3, 1), epsilon=1.0986..., pair=(((0,),), ((1,),)), output=((0,),))
    """

    odds: Any
    epsilon: float
    pair: tuple[Any, Any]
    output: Any


def exact_epsilon(mechanism: Any, *, shape: int | tuple[int, int], unit: str) -> ExactEpsilon:
    """Count the exact privacy level of a mechanism on all inputs of a small shape.

    Parameters
    ----------
    mechanism : object
        With ``distribution(data) -> {output: probability}``, where data is a CSR array (symmetric
        for graphs) and probabilities are Fractions (or floats, then carried as they are). With an
        attribute ``levels`` the cells are None or a level, else 0 or 1.
    shape : int or pair of int
        n for the undirected graphs on n nodes (2 to 4), or (users, items), up to 3 x 3 for 0/1.
    unit : {"edge", "node", "user", "item"}
        What neighbours differ in: one cell, all edges of one node (graphs), one row or one column
        (tables). An edge's rating may change too, not only its presence.

    Returns
    -------
    ExactEpsilon
        With ``.odds``, ``.epsilon``, ``.pair`` and ``.output``; among equally bad outputs the
        likeliest.

    Raises
    ------
    TypeError, ValueError
        If the shape lacks the unit or is too large, or a distribution does not sum to 1.

    References
    ----------
    Salas and Torra 2020, Definitions 4 and 5, doi 10.5220/0009833804150422.

    Examples
    --------
    >>> from pplab.response import NoiseGraph
    >>> exact_epsilon(NoiseGraph(Fraction(1, 4)), shape=3, unit="node").odds  # two cells: 3 * 3
    Fraction(9, 1)
    """
    return exact_group_epsilon(mechanism, shape=shape, unit=unit, units=1)


def exact_group_epsilon(mechanism: Any, *, shape: Any, unit: str, units: int) -> ExactEpsilon:
    """Count the exact level against neighbours that differ in several units.

    Parameters
    ----------
    mechanism, shape, unit
        As for ``exact_epsilon``.
    units : int
        How many edges, nodes, users or items may differ, at least 1.

    Returns
    -------
    ExactEpsilon

    Examples
    --------
    >>> from pplab.response import BipartiteNoiseGraph
    >>> mechanism = BipartiteNoiseGraph(Fraction(1, 4))
    >>> exact_group_epsilon(mechanism, shape=(2, 2), unit="edge", units=3).odds
    Fraction(27, 1)
    """
    check_unit_of_shape(shape, unit)
    grid = Grid(shape, getattr(mechanism, "levels", None))
    check_integer("units", units, minimum=1, maximum=len(grid.blocks(unit)))
    grid.refuse_if_large(unit)
    inputs = [grid.rows(cells) for cells in grid.inputs()]
    laws = []
    for rows in inputs:
        laws.append(_law(mechanism, grid, rows))
        if len(inputs) * len(laws[-1]) > _MOST_ENTRIES:
            raise ValueError(
                f"the mechanism has {len(laws[-1]):,} outputs for one of {len(inputs):,} inputs, "
                f"and at most {_MOST_ENTRIES:,} are enumerated in all; take a smaller shape or "
                "show less of the output"
            )
    return _result(inputs, laws, grid.neighbours(unit, units=units))


def compare_inputs(mechanism: Any, pair: Sequence[Rows]) -> ExactEpsilon:
    """Count the worst output for two given inputs, in either direction.

    Parameters
    ----------
    mechanism : object
        As for ``exact_epsilon``.
    pair : two tuples of rows
        Cells 0 and 1, or None and levels where the mechanism has levels.

    Returns
    -------
    ExactEpsilon

    Examples
    --------
    >>> from pplab.response import BipartiteNoiseGraph
    >>> compare_inputs(BipartiteNoiseGraph(Fraction(1, 4)), [((1, 1),), ((0, 0),)]).odds
    Fraction(9, 1)
    """
    one, other = pair
    grid = Grid((len(one), len(one[0])), getattr(mechanism, "levels", None))
    laws = [_law(mechanism, grid, rows) for rows in (one, other)]
    return _result([one, other], laws, [(0, 1)])


def _law(mechanism: Any, grid: Grid, rows: Rows) -> dict[Any, Fraction]:
    if not callable(getattr(mechanism, "distribution", None)):
        raise TypeError(
            f"mechanism must have distribution(data) -> {{output: probability}}, got "
            f"{type(mechanism).__name__}; add it, or audit samples where outputs cannot be listed"
        )
    law = mechanism.distribution(grid.matrix(rows))
    if not isinstance(law, dict) or not law:
        raise TypeError(
            f"distribution(data) must give a dict of outputs and probabilities, got {law!r}"
        )
    total, least = sum(law.values()), min(law.values())
    exact = all(isinstance(share, Rational) for share in law.values())
    if not abs(total - 1) <= (0 if exact else 1e-9) or not least >= 0:
        raise ValueError(
            f"distribution(data) must give probabilities that sum to 1, got a sum of {total} and "
            f"a smallest one of {least}; list every output"
        )
    return {output: Fraction(probability) for output, probability in law.items() if probability}


def _result(
    inputs: Sequence[Rows], laws: Sequence[dict[Any, Fraction]], pairs: Sequence[tuple[int, int]]
) -> ExactEpsilon:
    odds, one, other, output = worst_ratio(inputs, laws, pairs)
    epsilon = math.inf if odds == math.inf else odds_to_epsilon(odds)
    return ExactEpsilon(odds, epsilon, (one, other), output)
