"""Broken flips: mechanisms that publish a graph and promise odds of 3 to 1 for an edge."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from pplab.attacks.zoo.base import ODDS, Animal, P, cells_of, coins, law_of, noises
from pplab.graphs import as_adjacency
from pplab.response.mechanism import Distribution

__all__ = [
    "BothDirections",
    "DesignMatrixByRows",
    "EarlyExit",
    "OnlyEdgesFlipped",
    "RedrawnUntilCountFits",
    "UserAtEdgePrice",
    "WeakNoise",
]


class WeakNoise(Animal):
    """Flips with 19/90 where 1/4 was promised: a level 1.2 times too weak."""

    flip = Fraction(19, 90)
    pair = ([[0]], [[1]])  # cells are independent, so one cell shows all there is
    odds = Fraction(71, 19)

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> np.ndarray:
        """Flip each cell too seldom."""
        cells = cells_of(data)
        return cells ^ coins(rng, size, cells.shape, self.flip)

    def distribution(self, data: Any) -> Distribution:
        """Exact probabilities of all outputs."""
        cells = cells_of(data)
        return law_of((cells ^ noise, q) for noise, q in noises(cells.shape, self.flip))


class DesignMatrixByRows(WeakNoise):
    """Answers wrongly with 9/10 either way, sold as 0.1: the printed test passes at 0."""

    flip = Fraction(9, 10)
    claimed = 0.1  # each row holds 1/10 and 9/10, so p00/p01 and p11/p10 are below 1
    odds = Fraction(9)


class UserAtEdgePrice(WeakNoise):
    """Flips rightly, but sells a user the level of n = 1 cells where the user has m = 3."""

    flip = P
    unit = "user"
    pair = ([[0, 0, 0]], [[1, 1, 1]])  # a user may change every cell of the row
    odds = ODDS**3


class BothDirections(Animal):
    """Flips the two directions of an undirected edge separately and publishes both."""

    pair = ([[0, 0], [0, 0]], [[0, 1], [1, 0]])  # two looks at one edge
    odds = ODDS**2

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> np.ndarray:
        """Flip every cell off the diagonal."""
        cells = as_adjacency(data).toarray()
        return (cells ^ coins(rng, size, cells.shape)) & ~np.eye(len(cells), dtype=np.int8)

    def distribution(self, data: Any) -> Distribution:
        """Exact probabilities of all outputs."""
        cells = as_adjacency(data).toarray()
        outside = 1 - np.eye(len(cells), dtype=int)
        return law_of(((cells ^ noise) * outside, q) for noise, q in noises(cells.shape))


class OnlyEdgesFlipped(Animal):
    """Removes edges with p and invents none: a published edge is a true one."""

    pair = ([[0]], [[1]])  # the output 1 is out of reach of the first

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> np.ndarray:
        """Remove some edges."""
        cells = cells_of(data)
        return cells & ~coins(rng, size, cells.shape)

    def distribution(self, data: Any) -> Distribution:
        """Exact probabilities of all outputs."""
        cells = cells_of(data)
        return law_of((cells * (1 - noise), q) for noise, q in noises(cells.shape))


class EarlyExit(Animal):
    """Returns early for users without edges: their empty rows are published as they are."""

    pair = ([[0, 0]], [[1, 0]])  # a single edge decides whether noise is drawn at all

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> np.ndarray:
        """Flip the rows that have edges."""
        cells = cells_of(data)
        return cells ^ coins(rng, size, cells.shape) * cells.any(axis=1, keepdims=True)

    def distribution(self, data: Any) -> Distribution:
        """Exact probabilities of all outputs."""
        cells = cells_of(data)
        busy = cells.any(axis=1, keepdims=True)
        return law_of((cells ^ noise * busy, q) for noise, q in noises(cells.shape))


class RedrawnUntilCountFits(Animal):
    """Looks at the data after the fact: redraws until as many edges are published as there are."""

    pair = ([[0, 0]], [[1, 0]])  # neighbours never have the same number of edges

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> np.ndarray:
        """Draw noise, again and again for the releases whose count is off."""
        cells = cells_of(data)
        generator = np.random.default_rng(rng)
        published = np.broadcast_to(1 - cells, (size, *cells.shape)).copy()
        off = np.ones(size, dtype=bool)
        while off.any():
            published[off] = cells ^ coins(generator, int(off.sum()), cells.shape)
            off = published.sum(axis=(1, 2)) != cells.sum()
        return published

    def distribution(self, data: Any) -> Distribution:
        """Exact probabilities of all outputs."""
        cells = cells_of(data)
        fitting = [
            (cells ^ noise, q)
            for noise, q in noises(cells.shape)
            if (cells ^ noise).sum() == cells.sum()
        ]
        total = sum((q for _, q in fitting), Fraction(0))
        return law_of((output, q / total) for output, q in fitting)
