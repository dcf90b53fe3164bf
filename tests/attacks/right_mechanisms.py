"""Right mechanisms beside the zoo, each at the level it claims: no auditor may refute them."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import sparse

from pplab.attacks.zoo import PROMISED, Animal, FairCoins, P, cells_of
from pplab.checks import as_rng
from pplab.graphs import as_adjacency
from pplab.response.mechanism import Distribution
from pplab.response.noise_graph import BipartiteNoiseGraph, NoiseGraph
from pplab.theory.composition import PostProcessed


class BipartiteFlips(Animal):
    """The bipartite noise graph."""

    pair = ([[0, 0], [1, 0]], [[1, 0], [1, 0]])  # any cell: all are flipped alike
    odds = (1 - P) / P
    _mechanism = BipartiteNoiseGraph(P)

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> list:
        """Draw independent releases."""
        return self._mechanism.sample_many(data, size, rng=rng)

    def distribution(self, data: Any) -> Distribution:
        """Exact probabilities of all outputs."""
        return self._mechanism.distribution(data)


class UserAtFullPrice(BipartiteFlips):
    """The same flips, at three times the level for a user with three cells."""

    unit = "user"
    claimed = 3 * PROMISED
    pair = ([[0, 0, 0]], [[1, 1, 1]])  # every cell of the row changes
    odds = Fraction(27)


class UndirectedFlips(Animal):
    """The noise graph; many releases are drawn as one of the disjoint union of copies."""

    pair = ([[0, 1, 0], [1, 0, 1], [0, 1, 0]], [[0, 1, 1], [1, 0, 1], [1, 1, 0]])  # one edge
    odds = (1 - P) / P
    _mechanism = NoiseGraph(P)
    _at_once = 200  # copies; pairs of nodes in different copies are drawn and thrown away

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> np.ndarray:
        """Draw releases of disjoint unions and read the blocks on the diagonal."""
        graph, generator = as_adjacency(data), as_rng(rng)
        nodes, published = graph.shape[0], []
        copies = sparse.csr_array(sparse.block_diag([graph] * self._at_once, format="csr"))
        for _ in range(0, size, self._at_once):
            union = self._mechanism.sample(copies, rng=generator).toarray()
            blocks = union.reshape(self._at_once, nodes, self._at_once, nodes)
            published.append(np.einsum("iaib->iab", blocks))
        return np.concatenate(published)[:size]

    def distribution(self, data: Any) -> Distribution:
        """Exact probabilities of all outputs."""
        return self._mechanism.distribution(data)


class DegreesOfNoisyGraph(BipartiteFlips):
    """Degrees counted after the noise: post-processing costs nothing."""

    pair = ([[0]], [[1]])  # of one cell the degree tells as much as the graph

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> list:
        """Give the degrees of each release."""
        return [np.diff(graph.indptr) for graph in super().sample_many(data, size, rng=rng)]

    def distribution(self, data: Any) -> Distribution:
        """Exact probabilities of all outputs."""
        degrees = PostProcessed(self._mechanism, lambda graph: tuple(map(sum, graph)))
        return degrees.distribution(data)


class LaplaceCount(Animal):
    """The number of edges plus Laplace noise of scale 1 / epsilon."""

    claimed = 1.0
    odds = math.e
    pair = ([[1, 0]], [[1, 1]])  # an edge moves the count by one

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> np.ndarray:
        """Give noisy counts."""
        return cells_of(data).sum() + as_rng(rng).laplace(scale=1 / self.claimed, size=size)


RIGHT: tuple[Animal, ...] = (
    BipartiteFlips(),
    UndirectedFlips(),
    DegreesOfNoisyGraph(),
    FairCoins(),
    UserAtFullPrice(),
    LaplaceCount(),
)
