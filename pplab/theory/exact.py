"""Exact privacy by counting: every input, every neighbour, every output, in fractions.

Definitions 4 and 5 of Salas and Torra 2020 (doi 10.5220/0009833804150422), taken literally: the
level is the logarithm of the largest ratio of one output's probabilities under two neighbours. For
finitely many outputs no set of outputs has a larger ratio; for continuous noise sets are needed.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from numbers import Integral, Rational
from typing import Any

import numpy as np
from scipy import sparse

from pplab.checks import check_choice, check_integer, check_levels, shown
from pplab.graphs import from_cell_keys
from pplab.response.levels import odds_to_epsilon
from pplab.response.mechanism import level_array

_Rows = tuple[tuple[Any, ...], ...]

_MOST_INPUTS = 800
_LARGEST_SIDE = 16  # more could never be enumerated
_MOST_ENTRIES = 2**20


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
    sides = _check_unit_of_shape(shape, unit)
    check_integer("the largest side of shape", max(sides), minimum=1, maximum=_LARGEST_SIDE)
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
    return _worst_ratio(inputs, laws, grid.neighbours(unit, units=units))


def compare_inputs(mechanism: Any, pair: Sequence[_Rows]) -> ExactEpsilon:
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
    return _worst_ratio(pair, [_law(mechanism, grid, rows) for rows in (one, other)], [(0, 1)])


@dataclass(frozen=True)
class ExactEpsilon:
    """The exact privacy level of a mechanism on one shape, with the pair and output that show it.

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


def _law(mechanism: Any, grid: Grid, rows: _Rows) -> dict[Any, Fraction]:
    if not callable(getattr(mechanism, "distribution", None)):
        raise TypeError(
            f"mechanism must have distribution(data) -> {{output: probability}}, got "
            f"{type(mechanism).__name__}; add it, or audit samples where outputs cannot be listed"
        )
    law = mechanism.distribution(grid.matrix(rows))
    if not isinstance(law, dict) or not law:
        raise TypeError(
            f"distribution(data) must give a dict of outputs and probabilities, got {shown(law)}"
        )
    total, least = sum(law.values()), min(law.values())
    exact = all(isinstance(share, Rational) for share in law.values())
    if not abs(total - 1) <= (0 if exact else 1e-9) or not least >= 0:
        raise ValueError(
            f"distribution(data) must give probabilities that sum to 1, got a sum of {total} and "
            f"a smallest one of {least}; list every output"
        )
    return {output: Fraction(probability) for output, probability in law.items() if probability}


# Small inputs, all of them, and which of them are neighbours for a privacy unit.


@dataclass(frozen=True)
class Grid:
    """All graphs or tables of one shape.

    Parameters
    ----------
    shape : int or pair of int
        Nodes of an undirected graph, or users and items of a table.
    levels : tuple or None
        Possible ratings beside None for no edge; without them cells are 0 or 1.
    """

    shape: Any
    levels: tuple | None = None

    def __post_init__(self) -> None:
        if self.levels is not None:
            object.__setattr__(self, "levels", check_levels(self.levels))

    @property
    def values(self) -> tuple[Any, ...]:
        """Values that a cell may have."""
        return (0, 1) if self.levels is None else (None, *self.levels)

    @property
    def cells(self) -> list[tuple[int, int]]:
        """Places of the free cells; of an undirected graph those above the diagonal."""
        if isinstance(self.shape, (tuple, list)):
            return list(product(range(self.shape[0]), range(self.shape[1])))
        return list(combinations(range(self.shape), 2))

    def blocks(self, unit: str) -> list[list[int]]:
        """Cells that one unit may change, as places in ``cells``, for each edge, node, ..."""
        cells = self.cells
        if unit == "edge":
            return [[place] for place in range(len(cells))]
        sizes = _check_unit_of_shape(self.shape, unit)
        if unit == "node":
            return [[i for i, c in enumerate(cells) if node in c] for node in range(sizes[0])]
        axis = ("user", "item").index(unit)
        return [[i for i, c in enumerate(cells) if c[axis] == n] for n in range(sizes[axis])]

    def inputs(self) -> list[tuple[Any, ...]]:
        """All inputs as flat tuples of the free cells, in order."""
        return list(product(self.values, repeat=len(self.cells)))

    def refuse_if_large(self, unit: str) -> None:
        """Refuse a shape whose inputs are too many, before any is made."""
        cells, others = self.cells, len(self.values) - 1
        reach = sum((others + 1) ** len(block) - 1 for block in self.blocks(unit))
        if unit == "node":  # a single edge is changed by either of its nodes
            reach -= len(cells) * others
        if (inputs := (others + 1) ** len(cells)) > _MOST_INPUTS:
            raise ValueError(
                f"shape {self.shape} has {inputs:,} inputs and {inputs * reach // 2:,} pairs of "
                f"neighbours, and at most {_MOST_INPUTS} inputs are enumerated; take a smaller "
                "shape (up to 4 nodes or 3 x 3 cells)"
            )

    def neighbours(self, unit: str, *, units: int = 1) -> list[tuple[int, int]]:
        """Pairs of input numbers that differ in the cells of at most this many units, one by one.

        Parameters
        ----------
        unit : {"edge", "node", "user", "item"}
            What a neighbour may change.
        units : int, default 1
            How many of them.

        Returns
        -------
        list of pairs
            Ascending, each once.
        """
        inputs = self.inputs()
        pairs: set[tuple[int, int]] = set()
        for chosen in combinations(self.blocks(unit), units):
            changed = set().union(*chosen)
            same_rest: dict[tuple, list[int]] = defaultdict(list)
            for number, cells in enumerate(inputs):
                rest = tuple(value for i, value in enumerate(cells) if i not in changed)
                same_rest[rest].append(number)
            for group in same_rest.values():
                pairs.update(combinations(group, 2))
        return sorted(pairs)

    def rows(self, cells: tuple[Any, ...]) -> _Rows:
        """Write an input as rows; an undirected graph with both halves and an empty diagonal."""
        if isinstance(self.shape, (tuple, list)):
            columns = self.shape[1]
            return tuple(cells[i : i + columns] for i in range(0, len(cells), columns))
        value = dict(zip(self.cells, cells, strict=True))
        nodes, empty = range(self.shape), self.values[0]
        return tuple(tuple(value.get((min(i, j), max(i, j)), empty) for j in nodes) for i in nodes)

    def matrix(self, rows: _Rows) -> sparse.csr_array:
        """Give rows as the CSR array that mechanisms take; a level 0 is stored."""
        shape = (len(rows), len(rows[0]))
        flat = [value for row in rows for value in row]
        keys = [key for key, value in enumerate(flat) if value != self.values[0]]
        kind = np.dtype(np.int8) if self.levels is None else level_array(self.levels).dtype
        values = np.array([flat[key] for key in keys], dtype=kind)
        return from_cell_keys(np.array(keys, dtype=np.int64), values, shape)


def as_rows(matrix: sparse.csr_array, *, absent: Any = 0) -> _Rows:
    """Write a small CSR array as a tuple of rows.

    Examples
    --------
    >>> as_rows(sparse.csr_array([[0, 1], [1, 0]]))
    ((0, 1), (1, 0))
    """
    rows = [[absent] * matrix.shape[1] for _ in range(matrix.shape[0])]
    for row, cells in enumerate(rows):
        for place in range(matrix.indptr[row], matrix.indptr[row + 1]):
            cells[matrix.indices[place]] = matrix.data[place].item()
    return tuple(map(tuple, rows))


# The worst output: the largest ratio of one output's probabilities under two neighbours.

_CLOSE = 1e-9  # logarithms closer than this are compared again as fractions


def _worst_ratio(
    inputs: Sequence[_Rows], laws: Sequence[dict[Any, Fraction]], pairs: Sequence[tuple[int, int]]
) -> ExactEpsilon:
    """Find the largest ratio: all are screened by logarithms, the largest decided in fractions.

    Parameters
    ----------
    inputs : sequence of tuples of rows
    laws : sequence of {output: Fraction}
        One for each input, without zeros.
    pairs : sequence of pairs of int
        Numbers of neighbouring inputs.

    Returns
    -------
    ExactEpsilon
        Among equal ratios that of the likeliest output.
    """
    outputs, shares, table = _number_outputs(laws)
    finite = [math.log(share.numerator) - math.log(share.denominator) for share in shares[1:]]
    logs = np.array([-math.inf, *finite])
    gaps = [_gaps(logs[table[i]], logs[table[j]]).max() for i, j in pairs]
    top = max(gaps)
    best: tuple[Any, ...] = ()
    for (i, j), gap in zip(pairs, gaps, strict=True):
        if gap < top - _CLOSE:
            continue
        places = np.flatnonzero(_gaps(logs[table[i]], logs[table[j]]) >= top - _CLOSE)
        codes = table[i, places].astype(np.int64) * len(shares) + table[j, places]
        for place in places[np.sort(np.unique(codes, return_index=True)[1])]:
            ends = sorted(((shares[table[n, place]], n) for n in (i, j)), key=lambda end: -end[0])
            (high, first), (low, second) = ends
            odds = high / low if low else math.inf
            if not best or (odds, high) > best[:2]:
                best = (odds, high, (inputs[first], inputs[second]), outputs[place])
    odds, _, pair, output = best
    epsilon = math.inf if odds == math.inf else odds_to_epsilon(odds)
    return ExactEpsilon(odds, epsilon, pair, output)


def _number_outputs(
    laws: Sequence[dict[Any, Fraction]],
) -> tuple[list[Any], list[Fraction], np.ndarray]:
    """Outputs, distinct probabilities (0 first) and the table input x output of their numbers."""
    outputs = list(dict.fromkeys(output for law in laws for output in law))
    column = {output: place for place, output in enumerate(outputs)}
    numbers = {(0, 1): 0}
    table = np.zeros((len(laws), len(outputs)), dtype=np.int32)
    for row, law in enumerate(laws):
        for output, share in law.items():
            key = (share.numerator, share.denominator)  # hashed faster than a Fraction
            table[row, column[output]] = numbers.setdefault(key, len(numbers))
    return outputs, [Fraction(*key) for key in numbers], table


def _gaps(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Distances of logarithms; -1 where neither input gives the output."""
    with np.errstate(invalid="ignore"):  # inf - inf is the case that is sorted out here
        gaps = np.abs(one - other)
    return np.where(np.isnan(gaps), -1.0, gaps)


def _check_unit_of_shape(shape: Any, unit: Any) -> tuple[int, ...]:
    """Bring a shape to enumerate into (nodes,) or (users, items) and refuse a unit it lacks."""
    if isinstance(shape, (tuple, list)) and len(shape) == 2:
        sizes = tuple(check_integer(f"shape[{i}]", n, minimum=1) for i, n in enumerate(shape))
        check_choice("unit of a (users, items) table", unit, ("edge", "user", "item"))
        return sizes
    if isinstance(shape, Integral):
        nodes = check_integer("shape", shape, minimum=2)
        check_choice("unit of an undirected graph", unit, ("edge", "node"))
        return (nodes,)
    raise TypeError(
        f"shape must be a number of nodes or a pair (users, items), got {shown(shape)}; "
        "pass for example shape=3 or shape=(2, 3)"
    )
