"""Two-stage response: whether there is a rating first, then which one; sparser than one stage."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import sparse

from pplab.checks import (
    as_rng,
    check_flip_probability,
    check_levels,
    check_odds,
)
from pplab.graphs import GraphLike
from pplab.response.cells import Levelled, invented_cells, level_array, with_records
from pplab.response.odds import odds_to_epsilon

__all__ = ["TwoStageResponse"]


@dataclass(frozen=True, kw_only=True)
class TwoStageResponse(Levelled):
    """Presence flips with p, ratings that stay are told with odds e^eps2, invented ones are random.

    With L levels, a rating that stays present is published truly with probability
    ``e^eps2 / (e^eps2 + L - 1)``, else as one of the other levels alike; a rating that was never
    there is any of the L levels alike.

    Parameters
    ----------
    levels : int or sequence of float
        The possible ratings; L stands for 1..L.
    flip_probability : float or Fraction
        p in [0, 1/2].
    rating_odds : Fraction or float
        e^eps2 of the second stage, at least 1. Of no matter with a single level.

    Attributes
    ----------
    unit : str
        ``"edge"``.
    odds : Fraction or infinity
        ``max(e^eps2, (1 - p)/p * L e^eps2 / (e^eps2 + L - 1))`` for L >= 2, ``(1 - p)/p`` for one
        level: less than the product of both stages' odds, because an invented rating is random.
    epsilon : float
        Logarithm of the odds, rounded up.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    References
    ----------
    Warner 1965, doi 10.1080/01621459.1965.10480775, for the first stage. The level of both stages
    together is checked by enumeration in the tests.

    Examples
    --------
    >>> TwoStageResponse(levels=5, flip_probability=Fraction(1, 4), rating_odds=4).odds
    Fraction(15, 2)
    """

    levels: Any
    flip_probability: Any
    rating_odds: Any
    unit: str = "edge"

    def __post_init__(self) -> None:
        check_flip_probability(self.flip_probability)
        object.__setattr__(self, "levels", check_levels(self.levels))
        object.__setattr__(
            self, "rating_odds", Fraction(check_odds("rating_odds", self.rating_odds))
        )

    @classmethod
    def within(cls, *, levels: Any, odds: Any, rating_odds: Any) -> TwoStageResponse:
        """Spend odds e^epsilon in all, with e^eps2 = rating_odds of it on the rating.

        Examples
        --------
        >>> spent = TwoStageResponse.within(levels=5, odds=19, rating_odds=4)
        >>> spent.odds, round(float(spent.flip_probability), 4)
        (Fraction(19, 1), 0.1163)
        """
        total, second = Fraction(check_odds("odds", odds)), check_odds("rating_odds", rating_odds)
        check_odds("odds / rating_odds", total / Fraction(second))
        count = len(check_levels(levels))
        presence = total / _gain(Fraction(second), count)
        return cls(levels=levels, flip_probability=1 / (1 + presence), rating_odds=second)

    @property
    def odds(self) -> Any:
        """Largest ratio of one output's probabilities under two inputs."""
        p = Fraction(self.flip_probability)
        if p == 0:
            return float("inf")
        return max(self._second, (1 - p) / p * _gain(self._second, len(self.levels)))

    @property
    def epsilon(self) -> float:
        """Privacy level of one edge."""
        return float("inf") if self.flip_probability == 0 else odds_to_epsilon(self.odds)

    @property
    def keep_probability(self) -> Fraction:
        """Probability that a rating is published as it is."""
        p, count = Fraction(self.flip_probability), len(self.levels)
        return (1 - p) * self._second / (self._second + count - 1)

    def table(self) -> dict[Any, dict[Any, Fraction]]:
        """Probability of each answer for each truth."""
        p, count = Fraction(self.flip_probability), len(self.levels)
        other = (1 - p) / (self._second + count - 1)
        empty = {None: 1 - p, **dict.fromkeys(self.levels, p / count)}
        rated = {
            true: {None: p}
            | {level: other * (self._second if level == true else 1) for level in self.levels}
            for true in self.levels
        }
        return {None: empty, **rated}

    def sample(
        self, data: GraphLike, *, rng: int | np.random.Generator | None = None
    ) -> sparse.csr_array:
        """Draw one published table of ratings."""
        ratings, levels, count = self._ratings(data), level_array(self.levels), len(self.levels)
        pattern_rng, invented_rng, presence_rng, answer_rng = as_rng(rng).spawn(4)
        p = float(self.flip_probability)
        new = invented_cells(ratings, probability=p, rng=pattern_rng)
        values = levels[invented_rng.integers(count, size=len(new))]
        kept = presence_rng.random(ratings.nnz) >= p
        true = np.searchsorted(levels, ratings.data[kept])
        other = float((count - 1) / (self._second + count - 1))
        lies = answer_rng.random(len(true)) < other
        true[lies] += answer_rng.integers(1, max(count, 2), size=int(lies.sum()))
        answers = levels[true % count]
        return with_records(ratings, kept=kept, answers=answers, invented=(new, values))

    @property
    def _second(self) -> Fraction:
        return self.rating_odds if len(self.levels) > 1 else Fraction(1)


def _gain(second: Fraction, count: int) -> Fraction:
    """How much likelier the true level is than a random one."""
    return count * second / (second + count - 1)
