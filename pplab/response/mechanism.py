"""What a mechanism is: something to sample from and, on small data, to enumerate exactly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

import numpy as np

from pplab.checks import check_integer

__all__ = ["Distribution", "Mechanism", "independent_cells"]

# Output -> exact probability. An output is a tuple of rows, a row a tuple of cells.
Distribution = dict[tuple, Fraction]
_MOST_OUTPUTS = 2**20


@runtime_checkable
class Mechanism(Protocol):
    """The shape shared by every mechanism: enumerators, auditors and zoos take nothing else."""

    @property
    def unit(self) -> str:
        """The privacy unit that epsilon speaks of: "edge", "node", "user" or "item"."""

    @property
    def epsilon(self) -> float:
        """The privacy level for that unit; infinity when there is none."""

    def sample(self, data: Any, *, rng: int | np.random.Generator | None = None) -> Any:
        """Draw one release of the data."""

    def distribution(self, data: Any) -> Distribution:
        """All releases of small data with their exact probabilities."""


def independent_cells(cells: Iterable[Mapping[Any, Fraction]], *, columns: int) -> Distribution:
    """Combine cells that are answered independently into the distribution of whole tables.

    Parameters
    ----------
    cells : iterable of {answer: probability}
        Row by row.
    columns : int
        Cells in a row.

    Returns
    -------
    dict of {table: Fraction}
    """
    possible = [[(a, q) for a, q in cell.items() if q] for cell in cells]
    outputs = int(np.prod([len(cell) for cell in possible], dtype=float))
    check_integer("number of outputs to enumerate", outputs, minimum=1, maximum=_MOST_OUTPUTS)
    flat: dict[tuple, Fraction] = {(): Fraction(1)}
    for cell in possible:
        flat = {
            (*answers, answer): probability * q
            for answers, probability in flat.items()
            for answer, q in cell
        }
    return {_rows(answers, columns): probability for answers, probability in flat.items()}


def _rows(answers: tuple, columns: int) -> tuple:
    return tuple(answers[i : i + columns] for i in range(0, len(answers), columns))
