"""Why the weighted noise graph protects no edge: its worst output, and what its noise leaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pplab.graphs import GraphLike
from pplab.response import NORMS, WeightedNoiseGraph
from pplab.response.mechanism import Distribution
from pplab.theory.exact import ExactEpsilon, compare_inputs
from pplab.theory.post_processing import PostProcessed

__all__ = ["OnLevels", "unused_level_leak", "weighted_refutation"]

_EMPTY = ((None,),)  # a single cell without an edge


@dataclass(frozen=True)
class OnLevels:
    """A mechanism with the ratings that its cells may hold, so that they can be enumerated.

    Parameters
    ----------
    mechanism : mechanism
    levels : tuple
        Possible ratings beside no edge.

    Examples
    --------
    >>> from pplab.theory import exact_epsilon
    >>> weighted = WeightedNoiseGraph(0.25, top_rating=5, noise_weights="uniform")
    >>> exact_epsilon(OnLevels(weighted, (1, 2)), shape=(1, 1), unit="edge").odds
    inf
    """

    mechanism: Any
    levels: tuple

    @property
    def unit(self) -> str:
        """Unit of the mechanism."""
        return self.mechanism.unit

    @property
    def epsilon(self) -> float:
        """Level of the mechanism."""
        return self.mechanism.epsilon

    def sample(self, data: GraphLike, *, rng: int | np.random.Generator | None = None) -> Any:
        """Draw a release."""
        return self.mechanism.sample(data, rng=rng)

    def distribution(self, data: GraphLike) -> Distribution:
        """Exact probabilities of all releases."""
        return self.mechanism.distribution(data)


def weighted_refutation(
    *, flip_probability: Any, top_rating: int = 5, norms: Sequence[str] = tuple(NORMS)
) -> dict[str, ExactEpsilon]:
    """Worst rating and output of the weighted mechanism against an empty cell, for each t-norm.

    Parameters
    ----------
    flip_probability : float or Fraction
        p in (0, 1/2].
    top_rating : int, default 5
        Ratings are 1..top_rating, and noise ratings any of them alike.
    norms : sequence of str
        The t-norms behind the fuzzy exclusive or.

    Returns
    -------
    dict of {norm: ExactEpsilon}
        Infinite odds each: an empty cell in the output excludes every rating.

    Raises
    ------
    TypeError, ValueError
        If p leaves its interval or a norm is unknown.

    References
    ----------
    Salas and Torra 2020, Definition 8 and Section 5 (future work), doi 10.5220/0009833804150422.

    Examples
    --------
    >>> worst = weighted_refutation(flip_probability=0.1)
    >>> {(norm, found.odds, found.output) for norm, found in worst.items()} == {
    ...     (norm, float("inf"), ((None,),)) for norm in NORMS
    ... }
    True
    """
    levels = tuple(range(1, top_rating + 1))
    found = {}
    for norm in norms:
        mechanism = WeightedNoiseGraph(flip_probability, top_rating, norm, "uniform")
        rated = (((level,),) for level in levels)
        trials = [compare_inputs(OnLevels(mechanism, levels), (_EMPTY, one)) for one in rated]
        found[norm] = max(trials, key=lambda trial: trial.odds)
    return found


def unused_level_leak(*, flip_probability: Any, noise_weights: Any = "empirical") -> ExactEpsilon:
    """What an empty cell alone tells about a rating elsewhere, with noise drawn from the data.

    Two tables differ in one rating, (4, 3, none) and (4, 4, none), and only the last cell of the
    release is shown. With noise drawn from the data a 3 there proves that somebody rated 3; with
    public noise weights the cell tells nothing.

    Parameters
    ----------
    flip_probability : float or Fraction
        p in (0, 1/2].
    noise_weights : {"empirical", "uniform"} or sequence of float
        As for ``weighted_noise_graph``.

    Returns
    -------
    ExactEpsilon
        Odds infinity for "empirical", 1 for public weights.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    References
    ----------
    Salas and Torra 2020, Section 4.2, doi 10.5220/0009833804150422.

    Examples
    --------
    >>> found = unused_level_leak(flip_probability=0.1)
    >>> found.odds, found.output, found.pair[0]
    (inf, 3, ((4, 3, None),))
    """
    mechanism = WeightedNoiseGraph(flip_probability, 5, noise_weights=noise_weights)
    last = PostProcessed(OnLevels(mechanism, (1, 2, 3, 4, 5)), lambda rows: rows[0][-1])
    return compare_inputs(last, [((4, 3, None),), ((4, 4, None),)])
