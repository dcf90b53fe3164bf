"""The exponential mechanism, as the private choice of the most liked item."""

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import sparse, special

from pplab.checks import as_rng, check_choice, check_epsilon
from pplab.graphs import GraphLike
from pplab.labelled import Labelled, Table
from pplab.response.levels import level_of
from pplab.response.mechanism import Distribution, OnUsersAndItems

_MOST_DIGITS = 2**16  # of an exact probability: seconds


@dataclass(frozen=True, kw_only=True)
class TopItem(OnUsersAndItems):
    """Choose one item of a users x items graph, with probability growing with its number of users.

    Item j has probability proportional to ``step ** (users of j)``.

    Parameters
    ----------
    unit : {"edge", "user"}
        What neighbours differ in: one cell, or one user's row, changed at will.
    epsilon : float, optional
        Level for that unit, in (0, inf).
    odds : Fraction or float, optional
        e^epsilon in place of epsilon.

    Attributes
    ----------
    unit : str
    epsilon : float
    delta : float
        0.
    step : Fraction
        e^epsilon for an edge, e^(epsilon / 2) for a user, rounded down.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval; when sampling, if the data are no such graph.

    Notes
    -----
    Let a neighbour raise some scores by 1. *User:* the row may raise some and lower others. An
    item's weight moves by a factor between 1/step and step, and so does the sum of all weights: a
    factor of at most ``step**2``, whatever the number of items. *Edge:* one score moves, say up.
    That item's weight moves by step and the sum by a factor between 1 and step, so its probability
    by 1 to step; any other's by 1/step to 1: a factor of at most step. The same holds for a user
    whose row is added or removed.

    References
    ----------
    McSherry and Talwar 2007, Theorem 6, doi 10.1109/FOCS.2007.66.

    Examples
    --------
    >>> TopItem(unit="edge", odds=Fraction(3)).distribution([[1, 0], [1, 1]])
    {0: Fraction(3, 4), 1: Fraction(1, 4)}
    """

    unit: str
    epsilon: Any = None
    odds: Any = None

    def __post_init__(self) -> None:
        check_choice("unit", self.unit, ("edge", "user"))
        odds, epsilon = level_of(self.odds, self.epsilon)
        object.__setattr__(self, "odds", odds)
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))

    @property
    def step(self) -> Fraction:
        """Factor by which one more user makes an item more likely."""
        if self.unit == "edge":
            return self.odds
        root = Fraction(math.isqrt(self.odds.numerator), math.isqrt(self.odds.denominator))
        if root**2 == self.odds:
            return root
        return max(Fraction(1), Fraction(math.sqrt(self.odds) * (1 - 1e-15)))

    def distribution(self, data: GraphLike) -> Distribution:
        """Exact probabilities of all items: their labels, or the numbers of the columns."""
        people = self._with_labels(data)
        scores = self._read(people).sum(axis=0).astype(np.int64).tolist()
        items = people.items if isinstance(people, Table) else range(len(scores))
        counts, most = Counter(scores), max(scores)
        digits = (most - min(scores)) * max(*map(int.bit_length, self.step.as_integer_ratio()), 1)
        if digits > _MOST_DIGITS:
            raise ValueError(
                f"exact probabilities must have at most {_MOST_DIGITS:,} binary digits, these "
                f"have {digits:,}: items with up to {most:,} users; sample, or take fewer users"
            )
        weights = {score: self.step ** (score - most) for score in counts}
        total = sum(weight * counts[score] for score, weight in weights.items())
        chances = {score: weight / total for score, weight in weights.items()}
        return {item: chances[score] for item, score in zip(items, scores, strict=True)}

    def _draw(self, graph: sparse.csr_array, rng: np.random.Generator) -> Any:
        logs = graph.sum(axis=0) * math.log(self.step)
        return int(rng.choice(len(logs), p=special.softmax(logs)))

    def _told(self, people: Any, release: int) -> Any:
        return people.axes[1].labels[release] if isinstance(people, Labelled) else release

    def sample(self, data: GraphLike, *, rng: int | np.random.Generator | None = None) -> Any:
        """Draw one item: its label, or the number of its column where the data have no labels."""
        return super().sample(data, rng=as_rng(rng))
