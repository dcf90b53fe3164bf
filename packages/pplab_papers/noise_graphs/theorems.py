"""Why the weighted noise graph protects no edge, and two noise graphs as a design matrix.

`weighted_refutation` gives the worst output of Definition 8 for each t-norm, `unused_level_leak`
what noise drawn from the data tells of other cells, `two_noise_graphs` the law behind the sentence
after Definition 3. Salas and Torra 2020, doi 10.5220/0009833804150422.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from claimbook.part import Rng
from pplab.graphs import GraphLike, as_biadjacency
from pplab.response.mechanism import Distribution
from pplab.response.ratings import NORMS, WeightedNoiseGraph
from pplab.theory.composition import PostProcessed
from pplab.theory.exact import ExactEpsilon, as_rows, compare_inputs

_LEVELS = (1, 2, 3, 4, 5)
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

    def sample(self, data: GraphLike, *, rng: Rng = None) -> Any:
        """Draw a release."""
        return self.mechanism.sample(data, rng=rng)

    def distribution(self, data: GraphLike) -> Distribution:
        """Exact probabilities of all releases."""
        return self.mechanism.distribution(data)


def weighted_refutation(*, flip_probability: Any) -> dict[str, ExactEpsilon]:
    """Worst rating and output of the weighted mechanism against an empty cell, for each t-norm.

    Ratings are 1..5, and noise ratings any of them alike.

    Definition 8 and Section 5 (future work).

    Parameters
    ----------
    flip_probability : float or Fraction
        p in (0, 1/2].

    Returns
    -------
    dict of {norm: ExactEpsilon}
        Infinite odds each: an empty cell in the output excludes every rating.

    Examples
    --------
    >>> worst = weighted_refutation(flip_probability=0.1)
    >>> {(norm, found.odds, found.output) for norm, found in worst.items()} == {
    ...     (norm, float("inf"), ((None,),)) for norm in NORMS
    ... }
    True
    """
    worst = {}
    for norm in NORMS:
        mechanism = OnLevels(WeightedNoiseGraph(flip_probability, 5, norm, "uniform"), _LEVELS)
        trials = [compare_inputs(mechanism, (_EMPTY, ((level,),))) for level in _LEVELS]
        worst[norm] = max(trials, key=lambda trial: trial.odds)
    return worst


def unused_level_leak(*, flip_probability: Any) -> ExactEpsilon:
    """Odds at which an empty cell reveals a rating elsewhere, with noise drawn from the data.

    Two tables differ in one rating, (4, 3, none) and (4, 4, none), and only the last cell of the
    release is shown. With noise drawn from the data a 3 there proves that somebody rated 3; with
    public noise weights the cell tells nothing.

    Section 4.2.

    Parameters
    ----------
    flip_probability : float or Fraction
        p in (0, 1/2].

    Returns
    -------
    ExactEpsilon
        Odds infinity.

    Examples
    --------
    >>> found = unused_level_leak(flip_probability=0.1)
    >>> found.odds, found.output, found.pair[0]
    (inf, 3, ((4, 3, None),))
    """
    mechanism = OnLevels(WeightedNoiseGraph(flip_probability, 5), _LEVELS)
    last = PostProcessed(mechanism, lambda rows: rows[0][-1])
    return compare_inputs(last, [((4, 3, None),), ((4, 4, None),)])


# Two noise graphs, one inside the graph and one outside: the design matrix as an addition.


def two_noise_graphs(biadjacency: GraphLike, *, removed: Any, added: Any) -> Distribution:
    """Law of ``G + g1 + g2``: g1 drawn among the edges of G, g2 among its empty cells.

    All pairs (g1, g2) are enumerated and added to G by symmetric difference, as the sentence after
    Definition 3 has it.

    Examples
    --------
    >>> two_noise_graphs([[1, 0]], removed=Fraction(1, 4), added=Fraction(1, 3))[((0, 1),)]
    Fraction(1, 12)
    """
    p1, p2 = Fraction(removed), Fraction(added)
    rows = as_rows(as_biadjacency(biadjacency))
    edges = [(i, j) for i, row in enumerate(rows) for j, cell in enumerate(row) if cell]
    empty = [(i, j) for i, row in enumerate(rows) for j, cell in enumerate(row) if not cell]
    law: Distribution = {}
    for inside in product((0, 1), repeat=len(edges)):
        for outside in product((0, 1), repeat=len(empty)):
            flipped = dict(zip(edges + empty, inside + outside, strict=True))
            share = _share(inside, p1) * _share(outside, p2)
            published = tuple(
                tuple(cell ^ flipped[i, j] for j, cell in enumerate(row))
                for i, row in enumerate(rows)
            )
            if share:
                law[published] = law.get(published, Fraction(0)) + share
    return law


def _share(bits: tuple[int, ...], p: Fraction) -> Fraction:
    return p ** sum(bits) * (1 - p) ** (len(bits) - sum(bits))
