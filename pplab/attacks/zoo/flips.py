"""Flips: mechanisms that publish a graph and promise odds of 3 to 1 for an edge; one is right."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from pplab.attacks.zoo.base import ODDS, Flips, P, coins
from pplab.checks import as_rng
from pplab.graphs import as_adjacency
from pplab.response.mechanism import Distribution

__all__ = [
    "BothDirections",
    "DesignMatrixByRows",
    "EarlyExit",
    "FairCoins",
    "OnlyEdgesFlipped",
    "RedrawnUntilCountFits",
    "UserAtEdgePrice",
    "WeakNoise",
]


class WeakNoise(Flips):
    """Flips with 19/90 where 1/4 was promised: a level 1.2 times too weak."""

    flip = Fraction(19, 90)
    pair = ([[0]], [[1]])  # cells are independent, so one cell shows all there is
    odds = Fraction(71, 19)


class DesignMatrixByRows(Flips):
    """Answers wrongly with 9/10 either way, sold as 0.1: the printed test passes at 0."""

    flip = Fraction(9, 10)
    claimed = 0.1  # each row holds 1/10 and 9/10, so p00/p01 and p11/p10 are below 1
    pair = ([[0]], [[1]])  # cells are independent
    odds = Fraction(9)


class UserAtEdgePrice(Flips):
    """Flips rightly, but sells a user the level of n = 1 cells where the user has m = 3."""

    flip = P
    unit = "user"
    pair = ([[0, 0, 0]], [[1, 1, 1]])  # a user may change every cell of the row
    odds = ODDS**3


class BothDirections(Flips):
    """Flips the two directions of an undirected edge separately and publishes both."""

    pair = ([[0, 0], [0, 0]], [[0, 1], [1, 0]])  # two looks at one edge
    odds = ODDS**2

    def cells(self, data: Any) -> np.ndarray:
        """Give the adjacency."""
        return as_adjacency(data).toarray()

    def publish(self, cells: np.ndarray, noise: np.ndarray) -> np.ndarray:
        """Flip every cell off the diagonal."""
        return (cells ^ noise) * (1 - np.eye(len(cells), dtype=np.int8))


class OnlyEdgesFlipped(Flips):
    """Removes edges with p and invents none: a published edge is a true one."""

    pair = ([[0]], [[1]])  # the output 1 is out of reach of the first

    def publish(self, cells: np.ndarray, noise: np.ndarray) -> np.ndarray:
        """Remove some edges."""
        return cells * (1 - noise)


class EarlyExit(Flips):
    """Returns early for users without edges: their empty rows are published as they are."""

    pair = ([[0, 0]], [[1, 0]])  # a single edge decides whether noise is drawn at all

    def publish(self, cells: np.ndarray, noise: np.ndarray) -> np.ndarray:
        """Flip the rows that have edges."""
        return cells ^ noise * cells.any(axis=1, keepdims=True)


class RedrawnUntilCountFits(Flips):
    """Looks at the data after the fact: redraws until as many edges are published as there are."""

    pair = ([[0, 0]], [[1, 0]])  # neighbours never have the same number of edges

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> np.ndarray:
        """Draw noise, again and again for the releases whose count is off."""
        cells = self.cells(data)
        generator = np.random.default_rng(rng)
        published = np.broadcast_to(1 - cells, (size, *cells.shape)).copy()
        off = np.ones(size, dtype=bool)
        while off.any():
            published[off] = cells ^ coins(generator, int(off.sum()), cells.shape)
            off = published.sum(axis=(1, 2)) != cells.sum()
        return published

    def distribution(self, data: Any) -> Distribution:
        """Exact probabilities of all outputs: the flips, given that the count fits."""
        edges = self.cells(data).sum()
        law = super().distribution(data)
        fitting = {output: q for output, q in law.items() if sum(map(sum, output)) == edges}
        total = sum(fitting.values(), Fraction(0))
        return {output: q / total for output, q in fitting.items()}


class FairCoins(Flips):
    """Replaces each cell by a fair coin with probability 2p: the same law as a flip with p."""

    pair = ([[0]], [[1]])  # cells are independent
    odds = ODDS

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> np.ndarray:
        """Replace some cells."""
        cells, generator = self.cells(data), as_rng(rng)
        replaced = coins(generator, size, cells.shape, 2 * P)
        return np.where(replaced, coins(generator, size, cells.shape, Fraction(1, 2)), cells)
