"""Right mechanisms beside the zoo, each at the level it claims: no auditor may refute them."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from pplab.attacks.zoo import PROMISED, Animal, FairCoins, P, cells_of
from pplab.checks import as_rng
from pplab.response.mechanism import Distribution
from pplab.response.noise_graph import BipartiteNoiseGraph


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
    FairCoins(),
    UserAtFullPrice(),
    LaplaceCount(),
)
