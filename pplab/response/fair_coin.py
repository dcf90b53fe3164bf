"""Replacement by a fair coin: the same response as the flip, told in another way."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import sparse

from pplab.checks import as_rng, check_probability
from pplab.graphs import GraphLike, as_biadjacency
from pplab.response.levels import flip_to_epsilon
from pplab.response.mechanism import Distribution, independent_cells
from pplab.response.sampling import flip_cells

__all__ = ["FairCoin"]


@dataclass(frozen=True, kw_only=True)
class FairCoin:
    """Each cell is replaced by a fair coin with probability rho; half of the coins change nothing.

    Parameters
    ----------
    replacement_probability : float or Fraction
        rho in [0, 1]; the cell flips with probability rho / 2.

    Attributes
    ----------
    unit : str
        ``"edge"``.
    epsilon : float
        ``ln((2 - rho) / rho)``.

    Raises
    ------
    TypeError, ValueError
        If rho is no number in [0, 1].

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Algorithm 1, arXiv 2207.06358.

    Examples
    --------
    >>> FairCoin(replacement_probability=Fraction(1, 2)).distribution([[1]])
    {((1,),): Fraction(3, 4), ((0,),): Fraction(1, 4)}
    """

    replacement_probability: Any
    unit: str = "edge"

    def __post_init__(self) -> None:
        check_probability("replacement_probability", self.replacement_probability)

    @property
    def epsilon(self) -> float:
        """Privacy level of one edge."""
        return flip_to_epsilon(Fraction(self.replacement_probability) / 2)

    def sample(
        self, data: GraphLike, *, rng: int | np.random.Generator | None = None
    ) -> sparse.csr_array:
        """Draw one published graph; by the flip, which has the same law and is faster."""
        flip = float(self.replacement_probability) / 2
        return flip_cells(as_biadjacency(data), flip_probability=flip, rng=as_rng(rng))

    def distribution(self, data: GraphLike) -> Distribution:
        """Exact probabilities of all published graphs, by the steps of the algorithm."""
        graph, rho = as_biadjacency(data), Fraction(self.replacement_probability)
        cells = []
        for value in graph.toarray().ravel().tolist():
            cell = {value: 1 - rho, 1 - value: Fraction(0)}
            for coin in (0, 1):
                cell[coin] += rho / 2
            cells.append(cell)
        return independent_cells(cells, columns=graph.shape[1])
