"""Categorical response: randomized response over {no edge} and the rating levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import sparse

from pplab.checks import as_rng, check_levels
from pplab.graphs import GraphLike
from pplab.response.cells import Levelled, invented_cells, level_array, with_records
from pplab.response.odds import level_of

__all__ = ["CategoricalResponse", "categorical_response"]


@dataclass(frozen=True, kw_only=True)
class CategoricalResponse(Levelled):
    """Each cell tells its true answer, no edge or a level, with odds e^epsilon against any other.

    With L levels there are L + 1 answers: the true one has probability
    ``e^epsilon / (e^epsilon + L)``, each other one ``1 / (e^epsilon + L)``.

    Parameters
    ----------
    levels : int or sequence of float
        The possible ratings; L stands for 1..L. If 0 is stored somewhere it must be among them.
    odds : Fraction or float, optional
        e^epsilon, at least 1; exact in ``distribution``.
    epsilon : float, optional
        The privacy level of one edge, in place of ``odds``; e^epsilon is rounded down.

    Attributes
    ----------
    unit : str
        ``"edge"``.
    epsilon : float
        The level for that unit, and no smaller one will do.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval, or both or neither of odds and epsilon are given.

    References
    ----------
    Wang, Wu and Hu 2016, Using Randomized Response for Differential Privacy Preserving Data
    Collection; Kairouz, Oh and Viswanath 2016, Extremal Mechanisms for Local Differential Privacy.

    Examples
    --------
    >>> CategoricalResponse(levels=2, odds=Fraction(3)).distribution([[2]])
    {((None,),): Fraction(1, 5), ((1,),): Fraction(1, 5), ((2,),): Fraction(3, 5)}
    """

    levels: Any
    odds: Any = None
    epsilon: Any = None
    unit: str = "edge"

    def __post_init__(self) -> None:
        odds, epsilon = level_of(self.odds, self.epsilon)
        object.__setattr__(self, "levels", check_levels(self.levels))
        object.__setattr__(self, "odds", odds)
        object.__setattr__(self, "epsilon", epsilon)

    @property
    def keep_probability(self) -> Fraction:
        """Probability that a cell tells the truth."""
        return self.odds / (self.odds + len(self.levels))

    def table(self) -> dict[Any, dict[Any, Fraction]]:
        """Probability of each answer for each truth."""
        answers = (None, *self.levels)
        other = 1 / (self.odds + len(self.levels))
        return {
            truth: {answer: self.odds * other if answer == truth else other for answer in answers}
            for truth in answers
        }

    def sample(
        self, data: GraphLike, *, rng: int | np.random.Generator | None = None
    ) -> sparse.csr_array:
        """Draw one published table of ratings."""
        ratings, count = self._ratings(data), len(self.levels)
        levels = level_array(self.levels)
        pattern_rng, invented_rng, answer_rng = as_rng(rng).spawn(3)
        lie = 1 - self.keep_probability
        new = invented_cells(ratings, probability=float(lie), rng=pattern_rng)
        values = levels[invented_rng.integers(count, size=len(new))]
        # Another answer is one of L: 0 stands for no edge, j for the j-th level after the true one.
        shift = np.zeros(ratings.nnz, dtype=np.int64)
        lies = answer_rng.random(ratings.nnz) < float(lie)
        shift[lies] = answer_rng.integers(count, size=int(lies.sum()))
        kept = ~lies | (shift > 0)
        true = np.searchsorted(levels, ratings.data[kept])
        answers = levels[(true + shift[kept]) % count]
        return with_records(ratings, kept=kept, answers=answers, invented=(new, values))


def categorical_response(
    ratings: GraphLike,
    *,
    levels: int | Sequence[float],
    epsilon: float,
    rng: int | np.random.Generator | None = None,
) -> sparse.csr_array:
    """Publish ratings by categorical response: what the weighted noise graph lacks, repaired.

    An empty cell can be published as any level and a rating as empty, so that no output excludes
    an input. The price is sparsity: of the empty cells ``L / (e^epsilon + L)`` become ratings.

    Parameters
    ----------
    ratings : csr_array, shape (users, items), or networkx graph or DataFrame of edges
        Stored values are levels; a stored 0 is a rating.
    levels : int or sequence of float
        The possible ratings, a public list; L stands for 1..L. Never read it off the data.
    epsilon : float
        Privacy level of one edge (one cell, whatever its rating) in (0, inf).
    rng : int, Generator or None
        Seed or generator.

    Returns
    -------
    csr_array, shape (users, items)
        The published ratings, epsilon-edge-differentially private.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval or a stored value is not among the levels.

    References
    ----------
    Salas and Torra 2020, Section 5 (future work), doi 10.5220/0009833804150422; Wang, Wu and Hu
    2016, Using Randomized Response for Differential Privacy Preserving Data Collection.

    Examples
    --------
    >>> published = categorical_response([[5, 0, 3], [0, 1, 0]], levels=5, epsilon=3.0, rng=1)
    >>> set(published.data.tolist()) <= {1, 2, 3, 4, 5}
    True
    """
    return CategoricalResponse(levels=levels, epsilon=epsilon).sample(ratings, rng=rng)
