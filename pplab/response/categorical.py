"""Randomized response over {no edge} and the rating levels, in one stage, in two, and by a matrix.

The one-stage response repairs the weighted noise graph; the two-stage one draws the presence of a
rating first and is sparser; the design matrix is Warner's, with the test that the paper prints.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Self

import numpy as np
from scipy import sparse

from pplab.checks import (
    as_fraction,
    check_flip_probability,
    check_levels,
    check_odds,
    check_probability,
)
from pplab.graphs import GraphLike
from pplab.response.levels import chance_below, largest_odds, level_of, level_of_odds
from pplab.response.mechanism import (
    Distribution,
    Levelled,
    OnUsersAndItems,
    few_cells,
    independent_cells,
    level_array,
    with_answers,
)


@dataclass(frozen=True, kw_only=True)
class CategoricalResponse(Levelled):
    """Each cell publishes its true answer, no edge or a level, with odds e^epsilon against any
    other.

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
        The level for that unit. A last bit more than asked for where `sample`, which draws with
        floats, needs it.

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
    unit: str = field(default="edge", init=False)

    def __post_init__(self) -> None:
        odds, epsilon = level_of(self.odds, self.epsilon)
        object.__setattr__(self, "levels", check_levels(self.levels))
        object.__setattr__(self, "odds", odds)
        threshold, count = float(1 - self.keep_probability), len(self.levels)
        lie = chance_below(threshold)  # of a rating; of an empty cell, the float itself
        sampled = _odds(Fraction(threshold), lie / count, 1 - lie, lie / count, levels=count)
        object.__setattr__(self, "epsilon", max(epsilon, level_of_odds(sampled)))

    @property
    def keep_probability(self) -> Fraction:
        """Probability that a cell publishes the truth."""
        return self.odds / (self.odds + len(self.levels))

    def table(self) -> dict[Any, dict[Any, Fraction]]:
        """Probability of each answer for each truth."""
        answers = (None, *self.levels)
        other = 1 / (self.odds + len(self.levels))
        return {
            truth: {answer: self.odds * other if answer == truth else other for answer in answers}
            for truth in answers
        }

    def _draw(self, ratings: sparse.csr_array, rng: np.random.Generator) -> sparse.csr_array:
        *new, answer_rng = rng.spawn(3)
        lie, count, answers = float(1 - self.keep_probability), len(self.levels), ratings.data + 1
        # Another answer is one of L: 0 stands for no edge, j for the j-th level after the true one.
        lies = np.flatnonzero(answer_rng.random(ratings.nnz) < lie)
        shift = answer_rng.integers(count, size=len(lies)).astype(answers.dtype)
        answers[lies] = np.where(shift, (ratings.data[lies] + shift) % count + 1, 0)
        return with_answers(ratings, answers, level_array(self.levels), probability=lie, rngs=new)


def _odds(new: Any, gone: Any, true: Any, false: Any, *, levels: int) -> Any:
    """Largest odds between no edge, one level and another level that stands for all others.

    ``new`` of the empty cells become records, any level alike; a record goes, or gets its true
    level or the false one.
    """
    rows = [(1 - new, new / levels, new / levels), (gone, true, false), (gone, false, true)]
    return largest_odds(row[: levels + 1] for row in rows[: levels + 1])


def categorical_response(
    ratings: GraphLike,
    *,
    levels: int | Sequence[float],
    epsilon: float,
    rng: int | np.random.Generator | None = None,
) -> sparse.csr_array:
    """Publish ratings by categorical response, the repair of the weighted noise graph.

    An empty cell can be published as any level and a rating as empty, so that no output excludes
    an input. The price is sparsity: of the empty cells ``L / (e^epsilon + L)`` become ratings.

    Parameters
    ----------
    ratings : csr_array, shape (users, items), Table or networkx graph
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
        The published ratings, epsilon-edge-differentially private for tables of this frame.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval, a stored value is not among the levels or the
        frame of a Table was taken from its entries.

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


# Two stages: whether there is a rating first, then which one.


@dataclass(frozen=True, kw_only=True)
class TwoStageResponse(Levelled):
    """Presence flips with p, kept ratings are published with odds e^eps2, invented ones are random.

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
    unit: str = field(default="edge", init=False)

    def __post_init__(self) -> None:
        check_flip_probability(self.flip_probability)
        object.__setattr__(self, "levels", check_levels(self.levels))
        second = as_fraction(check_odds("rating_odds", self.rating_odds))
        object.__setattr__(self, "rating_odds", second)

    @classmethod
    def within(cls, *, levels: Any, odds: Any, rating_odds: Any) -> Self:
        """Spend odds e^epsilon in all, with e^eps2 = rating_odds of it on the rating.

        Examples
        --------
        >>> spent = TwoStageResponse.within(levels=3, odds=9, rating_odds=2)
        >>> spent.odds, spent.flip_probability
        (Fraction(9, 1), Fraction(1, 7))
        """
        total = as_fraction(check_odds("odds", odds))
        second = Fraction(check_odds("rating_odds", rating_odds))
        check_odds("odds / rating_odds", total / second)
        presence = total / _gain(second, len(check_levels(levels)))
        return cls(levels=levels, flip_probability=1 / (1 + presence), rating_odds=second)

    @property
    def odds(self) -> Any:
        """Largest ratio of one output's probabilities under two inputs."""
        p = as_fraction(self.flip_probability)
        if p == 0:
            return float("inf")
        return max(self._second, (1 - p) / p * _gain(self._second, len(self.levels)))

    @property
    def epsilon(self) -> float:
        """Privacy level of one edge, of the floats that are sampled where it is the larger one."""
        count, new = len(self.levels), float(self.flip_probability)
        gone, lie = chance_below(new), chance_below(self._lie)  # of records
        true, false = (1 - gone) * (1 - lie), (1 - gone) * lie / max(count - 1, 1)
        return level_of_odds(self.odds, _odds(Fraction(new), gone, true, false, levels=count))

    def table(self) -> dict[Any, dict[Any, Fraction]]:
        """Probability of each answer for each truth."""
        p, count = as_fraction(self.flip_probability), len(self.levels)
        other = (1 - p) / (self._second + count - 1)
        empty = {None: 1 - p, **dict.fromkeys(self.levels, p / count)}
        rated = {
            true: {None: p}
            | {level: other * (self._second if level == true else 1) for level in self.levels}
            for true in self.levels
        }
        return {None: empty, **rated}

    def _draw(self, ratings: sparse.csr_array, rng: np.random.Generator) -> sparse.csr_array:
        *new, presence_rng, answer_rng = rng.spawn(4)
        p, count, answers = float(self.flip_probability), len(self.levels), ratings.data + 1
        kept = presence_rng.random(ratings.nnz) >= p
        answers[~kept] = 0
        stays = np.flatnonzero(kept)
        lies = stays[answer_rng.random(len(stays)) < self._lie]
        shift = answer_rng.integers(1, max(count, 2), size=len(lies))
        answers[lies] = (ratings.data[lies] + shift) % count + 1
        return with_answers(ratings, answers, level_array(self.levels), probability=p, rngs=new)

    @property
    def _lie(self) -> float:
        """Probability that a rating which stays is published as another one."""
        return float((len(self.levels) - 1) / (self._second + len(self.levels) - 1))

    @property
    def _second(self) -> Fraction:
        return self.rating_odds if len(self.levels) > 1 else Fraction(1)


def _gain(second: Fraction, count: int) -> Fraction:
    """Gain in probability of the true level over a random one."""
    return count * second / (second + count - 1)


# Design matrix: edges and empty cells lie with probabilities of their own.


@dataclass(frozen=True, kw_only=True)
class DesignMatrix(OnUsersAndItems):
    """Warner's response: p_jk is the probability of publishing k for a cell that is j.

    Parameters
    ----------
    p00, p01, p10, p11 : float or Fraction
        In [0, 1]; each row sums to 1. An edge is removed with p10 and invented with p01.

    Attributes
    ----------
    unit : str
        ``"edge"``.
    odds : Fraction or infinity
        ``max(p00/p10, p10/p00, p01/p11, p11/p01)``: one output, two inputs, both directions.
    epsilon : float
        Logarithm of the odds, rounded up.
    printed_odds : Fraction or infinity
        ``max(p00/p01, p11/p10)``, the ratio that the paper bounds by e^epsilon: it compares two
        outputs of one input, and says nothing of privacy when both lie often.

    Raises
    ------
    TypeError, ValueError
        If an entry is no probability or a row does not sum to 1.

    References
    ----------
    Salas and Torra 2020, Definition 3 (equation 1), doi 10.5220/0009833804150422; Warner 1965,
    doi 10.1080/01621459.1965.10480775.

    Examples
    --------
    >>> often, seldom = Fraction(9, 10), Fraction(1, 10)
    >>> lying = DesignMatrix(p00=seldom, p01=often, p10=often, p11=seldom)
    >>> lying.printed_odds, lying.odds  # the printed test passes at epsilon = 0
    (Fraction(1, 9), Fraction(9, 1))
    """

    p00: Any
    p01: Any
    p10: Any
    p11: Any
    unit: str = field(default="edge", init=False)

    def __post_init__(self) -> None:
        for number, row in enumerate([(self.p00, self.p01), (self.p10, self.p11)]):
            for column, value in enumerate(row):
                check_probability(f"p{number}{column}", value)
            total = float(row[0]) + float(row[1])  # a Fraction does not add to every number
            if not abs(total - 1) <= 1e-12:
                raise ValueError(
                    f"p{number}0 + p{number}1 must be 1, got {total}; p_jk is the probability "
                    "to publish k when the truth is j"
                )

    @property
    def odds(self) -> Any:
        """Largest ratio of one output's probabilities under two inputs."""
        return largest_odds(self._rows())

    @property
    def epsilon(self) -> float:
        """Privacy level of one edge, of the floats that are sampled where it is the larger one."""
        new, gone = Fraction(float(self.p01)), chance_below(float(self.p10))
        return level_of_odds(self.odds, largest_odds([(1 - new, new), (gone, 1 - gone)]))

    @property
    def printed_odds(self) -> Any:
        """The paper's ratio; its test passes at epsilon when this is at most e^epsilon."""
        (none_none, none_edge), (edge_none, edge_edge) = self._rows()
        return max(_ratio(none_none, none_edge), _ratio(edge_edge, edge_none))

    def _draw(self, graph: sparse.csr_array, rng: np.random.Generator) -> sparse.csr_array:
        rngs = rng.spawn(2)
        answers = (rngs[1].random(graph.nnz) >= float(self.p10)).astype(np.uint8)
        one = np.ones(1, dtype=graph.dtype)
        return with_answers(graph, answers, one, probability=float(self.p01), rngs=rngs)

    def distribution(self, data: GraphLike) -> Distribution:
        """Exact probabilities of all published graphs."""
        graph, rows = self._read(data), self._rows()
        cells = (dict(enumerate(rows[int(x)])) for x in few_cells(graph).ravel())
        return independent_cells(cells, columns=graph.shape[1])

    def _rows(self) -> list[tuple[Fraction, Fraction]]:
        """Rows as fractions that sum to 1 exactly, the lies as they were given."""
        none_edge, edge_none = as_fraction(self.p01), as_fraction(self.p10)
        return [(1 - none_edge, none_edge), (edge_none, 1 - edge_none)]


def _ratio(one: Fraction, other: Fraction) -> Any:
    return one / other if other else math.inf
