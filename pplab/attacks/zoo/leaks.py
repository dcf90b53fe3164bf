"""Leaks beside the flips: shared noise, telling weights, exact extras."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from scipy import sparse

from pplab.attacks.zoo.base import (
    PROMISED,
    Animal,
    Flips,
    P,
    cells_of,
    coins,
    law_of,
    split_rows,
)
from pplab.checks import as_rng
from pplab.graphs import as_matrix
from pplab.response.mechanism import Distribution, independent_cells
from pplab.response.weighted import WeightedNoiseGraph

__all__ = [
    "CountNeverBelowTruth",
    "DegreeInTheClear",
    "MarkedNoise",
    "NoiseReused",
    "PaperWeighted",
    "SeedFromData",
    "SeedReusedAcrossUsers",
]


class DegreeInTheClear(Flips):
    """Publishes the noisy graph and, "for research", the true degree of every user."""

    pair = ([[0, 0]], [[1, 0]])  # one edge more is one degree more

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> list:
        """Give (graph, degrees) pairs."""
        graphs = super().sample_many(data, size, rng=rng).tolist()
        degrees = self._degrees(data)
        return [(tuple(map(tuple, graph)), degrees) for graph in graphs]

    def distribution(self, data: Any) -> Distribution:
        """Exact probabilities of all outputs."""
        law, degrees = super().distribution(data), self._degrees(data)
        return {(graph, degrees): q for graph, q in law.items()}

    def _degrees(self, data: Any) -> tuple[int, ...]:
        return tuple(self.cells(data).sum(axis=1).tolist())


class SeedReusedAcrossUsers(Flips):
    """Starts every user's stream at the same seed, so that all rows get the same noise."""

    pair = ([[0], [0]], [[1], [0]])  # the difference of two rows is published exactly

    def drawn(self, cells: np.ndarray) -> tuple[int, ...]:
        """Give one row of noise; the others repeat it."""
        return 1, cells.shape[1]

    def publish(self, cells: np.ndarray, noise: np.ndarray) -> np.ndarray:
        """Flip all rows by the same noise."""
        times = len(cells) // noise.shape[-2]
        return cells ^ np.concatenate([noise] * times, axis=-2)


class NoiseReused(SeedReusedAcrossUsers):
    """Publishes two versions of the data, the old rows above the new, with the same noise."""

    claimed = 2 * PROMISED  # what composition promises for two releases with fresh noise
    pair = ([[0], [0]], [[0], [1]])  # an edge that is new in the second version

    def drawn(self, cells: np.ndarray) -> tuple[int, ...]:
        """Give noise for one of the versions."""
        return max(len(cells) // 2, 1), cells.shape[1]


class SeedFromData(Animal):
    """Seeds its stream with the number of edges and one of eight secrets: the data choose noise."""

    pair = ([[1, 0], [0, 1]], [[1, 1], [0, 1]])  # each input reaches at most 8 of 16 outputs
    secrets = 8

    def _published(self, data: Any) -> np.ndarray:
        cells = cells_of(data)
        streams = [np.random.default_rng([s, int(cells.sum())]) for s in range(self.secrets)]
        return np.array([cells ^ coins(stream, 1, cells.shape)[0] for stream in streams])

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> np.ndarray:
        """Draw secrets; the data do the rest."""
        return self._published(data)[as_rng(rng).integers(self.secrets, size=size)]

    def distribution(self, data: Any) -> Distribution:
        """Exact probabilities of all outputs."""
        return law_of((output, Fraction(1, self.secrets)) for output in self._published(data))


class MarkedNoise(Animal):
    """Gives invented ratings the weight 1/2, which no true rating has: 1 to 5 are true."""

    pair = ([[0]], [[3]])  # the output 3 is out of reach of the empty cell
    mark = 0.5
    levels = (1, 2, 3, 4, 5)

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> list:
        """Remove ratings and invent marked ones, each with p."""
        ratings = as_matrix(data)
        flips = coins(rng, size, ratings.shape)
        stored = np.zeros(ratings.shape, dtype=bool)
        stored[ratings.nonzero()] = True
        values = np.where(stored, ratings.toarray(), self.mark)
        published = values * (stored ^ flips.astype(bool))
        return split_rows(sparse.csr_array(published.reshape(-1, ratings.shape[1])), size)

    def distribution(self, data: Any) -> Distribution:
        """Exact probabilities of all outputs; None stands for no edge."""
        ratings = as_matrix(data).toarray()
        mark = Fraction(self.mark)
        cells = [{int(r): 1 - P, None: P} if r else {None: 1 - P, mark: P} for r in ratings.ravel()]
        return independent_cells(cells, columns=ratings.shape[1])


class PaperWeighted(Animal):
    """Adds weighted noise as the paper does: no edge is ever removed."""

    pair = ([[0]], [[3]])  # published empty, the cell was empty
    levels = (1, 2, 3, 4, 5)
    _mechanism = WeightedNoiseGraph(P, 5, noise_weights="uniform")

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> list:
        """Draw one release of many copies, rows being independent, and cut it up."""
        copies = sparse.csr_array(sparse.vstack([as_matrix(data)] * size, format="csr"))
        return split_rows(self._mechanism.sample(copies, rng=rng), size)

    def distribution(self, data: Any) -> Distribution:
        """Exact probabilities of all outputs; None stands for no edge."""
        return self._mechanism.distribution(data)


class CountNeverBelowTruth(Animal):
    """Adds geometric noise to the number of edges and keeps its sign to itself: never below it."""

    claimed = 1.0
    pair = ([[1, 0]], [[1, 1]])  # the output 1 is out of reach of two edges

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> np.ndarray:
        """Give counts."""
        steps = as_rng(rng).geometric(1 - np.exp(-self.claimed), size=(size, 2)) - 1
        return cells_of(data).sum() + abs(steps[:, 0] - steps[:, 1])
