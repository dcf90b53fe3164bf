"""Small inputs, all of them, and which of them are neighbours for a privacy unit."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
from scipy import sparse

from pplab.checks import check_levels, check_unit_of_shape
from pplab.graphs import from_cell_keys

__all__ = ["Grid", "Rows", "as_rows"]

Rows = tuple[tuple[Any, ...], ...]
_MOST_INPUTS = 800


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
        sizes = check_unit_of_shape(self.shape, unit)
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
        inputs = (others + 1) ** len(cells)
        if inputs > _MOST_INPUTS:
            raise ValueError(
                f"shape {self.shape} has {inputs:,} inputs and {inputs * reach // 2:,} pairs of "
                f"neighbours, and at most {_MOST_INPUTS} inputs are enumerated; take a smaller "
                "shape (up to 4 nodes or 3 x 3 cells)"
            )

    def neighbours(self, unit: str, *, units: int = 1) -> list[tuple[int, int]]:
        """Pairs of input numbers that differ in the cells of at most so many units, one by one.

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
            alike: dict[tuple, list[int]] = defaultdict(list)
            for number, cells in enumerate(inputs):
                rest = tuple(value for i, value in enumerate(cells) if i not in changed)
                alike[rest].append(number)
            for group in alike.values():
                pairs.update(combinations(group, 2))
        return sorted(pairs)

    def rows(self, cells: tuple[Any, ...]) -> Rows:
        """Write an input as rows; an undirected graph with both halves and an empty diagonal."""
        if isinstance(self.shape, (tuple, list)):
            columns = self.shape[1]
            return tuple(cells[i : i + columns] for i in range(0, len(cells), columns))
        value = dict(zip(self.cells, cells, strict=True))
        nodes, empty = range(self.shape), self.values[0]
        return tuple(tuple(value.get((min(i, j), max(i, j)), empty) for j in nodes) for i in nodes)

    def matrix(self, rows: Rows) -> sparse.csr_array:
        """Give rows as the CSR array that mechanisms take; a level 0 is stored."""
        shape = (len(rows), len(rows[0]))
        flat = [value for row in rows for value in row]
        empty = self.values[0]
        keys = [key for key, value in enumerate(flat) if value != empty]
        kind: type = np.int8
        if self.levels is not None:
            kind = np.int64 if all(isinstance(v, int) for v in self.levels) else np.float64
        values: np.ndarray = np.array([flat[key] for key in keys], dtype=kind)
        return from_cell_keys(np.array(keys, dtype=np.int64), values, shape)


def as_rows(matrix: sparse.csr_array, *, absent: Any = 0) -> Rows:
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
