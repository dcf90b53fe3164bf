"""What the animals of the zoo have in common, and the bricks of their exact laws."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from pplab.checks import as_rng
from pplab.graphs import GraphLike, as_biadjacency
from pplab.response.levels import flip_to_epsilon
from pplab.response.mechanism import Distribution

__all__ = ["ODDS", "PROMISED", "Animal", "Flips", "P", "cells_of", "coins", "law_of", "split_rows"]

P = Fraction(1, 4)  # the flip probability that everybody promises: odds of 3 to 1
ODDS = (1 - P) / P
PROMISED = flip_to_epsilon(P)


class Animal(ABC):
    """A mechanism with its promise and the neighbours on which the promise is tightest.

    Attributes
    ----------
    unit : str
        The privacy unit of the promise.
    claimed : float
        The promised epsilon for that unit, natural log.
    pair : tuple
        Two neighbouring inputs, the worst case for this mechanism.
    odds : Fraction or float
        True worst odds of the pair; infinity where an output excludes one of the two.
    """

    unit: ClassVar[str] = "edge"
    claimed: ClassVar[float] = PROMISED
    pair: ClassVar[tuple[Any, Any]]
    odds: ClassVar[Fraction | float] = math.inf

    @property
    def epsilon(self) -> float:
        """The promise."""
        return self.claimed

    @abstractmethod
    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> Any:
        """Draw independent releases of the data."""

    def sample(self, data: Any, *, rng: int | np.random.Generator | None = None) -> Any:
        """Draw one release."""
        return self.sample_many(data, 1, rng=rng)[0]


class Flips(Animal):
    """Draws noise of 0 and 1, each 1 with probability ``flip``, and publishes cells and noise.

    Written once, `publish` serves both single noise and a stack of it, drawn or listed.
    """

    flip: ClassVar[Fraction] = P

    def cells(self, data: Any) -> np.ndarray:
        """Give the data as 0 and 1."""
        return cells_of(data)

    def drawn(self, cells: np.ndarray) -> tuple[int, ...]:
        """Shape of the noise for one release."""
        return cells.shape

    def publish(self, cells: np.ndarray, noise: np.ndarray) -> np.ndarray:
        """Turn noise into releases."""
        return cells ^ noise

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> Any:
        """Draw independent releases of the data."""
        cells = self.cells(data)
        return self.publish(cells, coins(rng, size, self.drawn(cells), self.flip))

    def distribution(self, data: Any) -> Distribution:
        """Exact probabilities of all outputs."""
        cells = self.cells(data)
        drawn = _noises(self.drawn(cells), self.flip)
        return law_of((self.publish(cells, noise), q) for noise, q in drawn)


def cells_of(data: GraphLike) -> np.ndarray:
    """Cells of a small users x items graph as 0 and 1."""
    return as_biadjacency(data).toarray()


def coins(rng: Any, size: int, shape: tuple[int, ...], p: Fraction = P) -> np.ndarray:
    """Independent noise, 0 and 1, for so many releases."""
    return (as_rng(rng).random((size, *shape)) < float(p)).astype(np.int8)


def _noises(shape: tuple[int, ...], p: Fraction) -> Iterator[tuple[np.ndarray, Fraction]]:
    """All noise of a shape with its exact probability."""
    cells = int(np.prod(shape))
    for bits in product((0, 1), repeat=cells):
        flips = sum(bits)
        yield np.array(bits, dtype=np.int8).reshape(shape), p**flips * (1 - p) ** (cells - flips)


def law_of(outcomes: Iterable[tuple[Any, Fraction]]) -> Distribution:
    """Add up the probabilities of equal outputs; an array becomes a tuple of rows."""
    law: Distribution = {}
    for output, probability in outcomes:
        rows = output.tolist() if isinstance(output, np.ndarray) else output
        key = tuple(tuple(row) if isinstance(row, list) else row for row in rows)
        if probability:
            law[key] = law.get(key, Fraction(0)) + probability
    return law


def split_rows(stacked: sparse.csr_array, size: int) -> list[sparse.csr_array]:
    """Cut a tall matrix into so many of equal height."""
    height, columns = stacked.shape[0] // size, stacked.shape[1]
    parts = []
    for top in range(0, stacked.shape[0], height):
        ends = stacked.indptr[top : top + height + 1]
        inside = slice(ends[0], ends[-1])
        structure = stacked.data[inside], stacked.indices[inside], ends - ends[0]
        parts.append(sparse.csr_array(structure, shape=(height, columns)))
    return parts
