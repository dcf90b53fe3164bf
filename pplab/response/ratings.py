"""Weighted noise-graph addition: a noise graph with weights, added by a fuzzy exclusive or.

Salas and Torra 2020 (doi 10.5220/0009833804150422), Section 2.3 and Definition 8. The fuzzy
exclusive or is the XOR of two weights through a t-norm, its conorm and the complement.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np
from scipy import sparse

from pplab import checks
from pplab.checks import shown
from pplab.graphs import GraphLike, cell_keys, from_cell_keys, paired_values
from pplab.response._flips import flip_cells
from pplab.response.mechanism import Distribution, OnUsersAndItems, independent_cells

_LARGEST_TOP = 10**7  # "uniform" lists the ratings from 1 up to it


def _ratio(numerator: Any, denominator: Any, when_zero: int) -> Any:
    """Divide, with a value for 0/0; also for exact fractions."""
    zero = denominator == 0
    return (numerator + when_zero * zero) / (denominator + zero)


@dataclass(frozen=True)
class Norm:
    """A t-norm T with its dual conorm S on [0, 1], and the exclusive or that the two make.

    Attributes
    ----------
    t_norm, conorm : callable
        Of two weights in [0, 1]: floats, arrays or exact fractions.
    on_scale : callable, optional
        The exclusive or of two weights in [0, top], where it needs no division.
    """

    t_norm: Callable[[Any, Any], Any]
    conorm: Callable[[Any, Any], Any]
    on_scale: Callable[[Any, Any, Any], Any] | None = None

    def xor(self, x: Any, y: Any, top: Any) -> Any:
        """T(S(x, y), N(T(x, y))) of weights in [0, top]."""
        if self.on_scale is not None:
            return self.on_scale(x, y, top)
        x, y = x / top, y / top
        return self.t_norm(self.conorm(x, y), 1 - self.t_norm(x, y)) * top


NORMS = {
    "min-max": Norm(
        np.minimum,
        np.maximum,
        lambda x, y, top: np.minimum(np.maximum(x, y), top - np.minimum(x, y)),
    ),
    "product": Norm(lambda x, y: x * y, lambda x, y: x + y - x * y),
    "lukasiewicz": Norm(
        lambda x, y: np.maximum(x + y - 1, 0),
        lambda x, y: np.minimum(x + y, 1),
        lambda x, y, top: np.minimum(x + y, top) - np.maximum(x + y - top, 0),
    ),
    "hamacher": Norm(
        lambda x, y: _ratio(x * y, x + y - x * y, 0),
        lambda x, y: _ratio(x + y - 2 * x * y, 1 - x * y, 1),
    ),
}


def _check_top(name: str, top: Any) -> Any:
    if not checks.check_positive(name, top) <= _LARGEST_TOP:
        raise ValueError(
            f"{name} must be at most {_LARGEST_TOP:,}, got {shown(top)}; divide all ratings by a "
            "number"
        )
    return top


def fuzzy_xor(x: Any, y: Any, *, norm: str, top: float = 1) -> Any:
    """Fuzzy exclusive or ``T(S(x, y), N(T(x, y)))`` of two weights in [0, top].

    Parameters
    ----------
    x, y : float, Fraction or ndarray
        Weights in [0, top].
    norm : {"min-max", "product", "lukasiewicz", "hamacher"}
        The t-norm T; S is its dual conorm and N(x) = top - x.
    top : float, default 1
        The largest weight. Whole ratings stay exact under "min-max" and "lukasiewicz".

    Returns
    -------
    float, Fraction or ndarray
        In [0, top]; 0 exactly when both weights are 0 or both are top.

    Raises
    ------
    ValueError
        If the norm is unknown or top is not positive.

    References
    ----------
    Salas and Torra 2020, Section 2.3, doi 10.5220/0009833804150422; Klir and Yuan 1995,
    *Fuzzy Sets and Fuzzy Logic*.

    Examples
    --------
    >>> [int(fuzzy_xor(r, r, norm="min-max", top=5)) for r in (1, 2, 3, 4, 5)]
    [1, 2, 2, 1, 0]
    """
    checks.check_choice("norm", norm, NORMS)
    top = _check_top("top", top)
    top = top.item() if isinstance(top, np.integer) else top  # as long as it needs to be
    for name, weight in (("x", x), ("y", y)):
        plain = checks.as_array(name, weight)
        number = isinstance(weight, (Real, np.ndarray)) and plain.dtype.kind in "iuf"
        if not number or not ((plain >= 0) & (plain <= top)).all():
            raise ValueError(f"{name} must hold weights from 0 to {top}, got {shown(weight)}")
    return NORMS[norm].xor(x, y, top)


NoiseWeights = str | Sequence[float]


@dataclass(frozen=True)
class WeightedNoiseGraph(OnUsersAndItems):
    """The weighted noise-graph mechanism, as the paper runs it on ratings.

    It never removes an edge: a cell published empty was empty. So no finite epsilon holds for
    an edge, and ``epsilon`` says infinity.

    Parameters
    ----------
    flip_probability : float or Fraction
        Probability in [0, 1/2] that a cell holds a noise edge.
    top_rating : float
        The largest rating; ratings lie in 0..top_rating.
    norm : {"min-max", "product", "lukasiewicz", "hamacher"}
        The t-norm behind the fuzzy exclusive or.
    noise_weights : {"empirical", "uniform"} or sequence of float
        Where noise ratings come from: the data's own ratings (as in the paper; this leaks which
        ratings occur), 1..top_rating alike, or a public list, each entry alike.

    Attributes
    ----------
    unit : str
        ``"edge"``.
    epsilon : float
        Infinity.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    References
    ----------
    Salas and Torra 2020, Definition 8 and Section 4.2, doi 10.5220/0009833804150422.

    Examples
    --------
    >>> mechanism = WeightedNoiseGraph(Fraction(1, 4), top_rating=5, noise_weights=[3])
    >>> mechanism.distribution([[3]])  # a 3 stays, or meets a noise 3: 3 xor 3 = 2
    {((3,),): Fraction(3, 4), ((2,),): Fraction(1, 4)}
    """

    flip_probability: Any
    top_rating: float
    norm: str = "min-max"
    noise_weights: NoiseWeights = "empirical"
    unit: str = field(default="edge", init=False)
    epsilon: float = field(default=float("inf"), init=False)
    reads = "ratings"

    def __post_init__(self) -> None:
        checks.check_flip_probability(self.flip_probability)
        _check_top("top_rating", self.top_rating)
        checks.check_choice("norm", self.norm, NORMS)
        if isinstance(self.noise_weights, str):
            checks.check_choice("noise_weights", self.noise_weights, ("empirical", "uniform"))
        else:
            object.__setattr__(self, "noise_weights", self._listed_weights())

    def draw_noise(
        self, data: GraphLike, *, rng: int | np.random.Generator | None = None
    ) -> sparse.csr_array:
        """Draw the weighted noise graph alone: ``sample`` adds this one for the same rng."""
        return self._noise(self._read(data), checks.as_rng(rng))

    def _noise(self, ratings: sparse.csr_array, rng: np.random.Generator) -> sparse.csr_array:
        pattern_rng, weight_rng = rng.spawn(2)
        nothing = sparse.csr_array(ratings.shape, dtype=np.int32)
        noise = flip_cells(nothing, flip_probability=float(self.flip_probability), rng=pattern_rng)
        pool = self._pool(ratings)  # sorted, so that the order of the data's edges is no matter
        weights = pool[weight_rng.integers(len(pool), size=noise.nnz)]
        return sparse.csr_array((weights, noise.indices, noise.indptr), shape=noise.shape)

    def add(self, data: GraphLike, noise: sparse.csr_array) -> sparse.csr_array:
        """Add a noise graph: the union of both, with the fuzzy exclusive or on shared cells."""
        return self._sum(self._read(data), noise)

    def _sum(self, ratings: sparse.csr_array, noise: sparse.csr_array) -> sparse.csr_array:
        keys, weights, other = paired_values(ratings, noise, absent=np.nan)
        alone, common = np.isnan(weights), ~(np.isnan(weights) | np.isnan(other))
        weights[alone] = other[alone]
        both = weights[common], other[common]
        weights[common] = fuzzy_xor(*both, norm=self.norm, top=self.top_rating)
        return from_cell_keys(keys, weights, ratings.shape)

    def _draw(self, ratings: sparse.csr_array, rng: np.random.Generator) -> sparse.csr_array:
        return self._sum(ratings, self._noise(ratings, rng))

    def distribution(self, data: GraphLike) -> Distribution:
        """Exact probabilities of all published tables; None stands for no edge."""
        ratings = self._read(data)
        pool = [_exact(weight) for weight in self._pool(ratings)]
        share = checks.as_fraction(self.flip_probability) / len(pool)
        stored = dict(zip(cell_keys(ratings).tolist(), ratings.data.tolist(), strict=True))
        cells = []
        for key in range(ratings.shape[0] * ratings.shape[1]):
            rating = _exact(stored[key]) if key in stored else None
            cell = {rating: 1 - share * len(pool)}
            for weight in pool:
                answer = weight
                if rating is not None:
                    xor = fuzzy_xor(rating, weight, norm=self.norm, top=_exact(self.top_rating))
                    answer = _exact(xor)
                cell[answer] = cell.get(answer, Fraction(0)) + share
            cells.append(cell)
        return independent_cells(cells, columns=ratings.shape[1])

    def _read(self, data: GraphLike) -> sparse.csr_array:
        ratings = self._table(data)
        checks.check_stored_values("ratings", ratings, low=0, high=self.top_rating)
        return ratings

    def _pool(self, ratings: sparse.csr_array) -> np.ndarray:
        """Noise weights to draw from, each entry alike."""
        if self.noise_weights == "empirical":
            pool = ratings.data.astype(float)
        elif self.noise_weights == "uniform":
            pool = np.arange(1.0, np.floor(self.top_rating) + 1)
        else:
            pool = np.array(self.noise_weights, dtype=float)
        if not len(pool):
            raise ValueError(
                "noise_weights must leave at least one rating to draw from, got none; pass ratings "
                "or a list of weights"
            )
        return np.sort(pool)

    def _listed_weights(self) -> tuple[float, ...]:
        weights: Any = self.noise_weights
        several = isinstance(weights, list | tuple | range | np.ndarray)
        listed = checks.as_array("noise_weights", weights if several else 0)
        if listed.ndim != 1 or not len(listed) or listed.dtype.kind not in "iuf":
            raise TypeError(f"noise_weights must be a list of numbers, got {shown(weights)}")
        if not ((listed >= 0) & (listed <= self.top_rating)).all():
            raise ValueError(
                f"noise_weights must lie between 0 and {float(self.top_rating):g}, got "
                f"{shown(weights)}"
            )
        return tuple(listed.tolist())


def weighted_noise_graph(
    ratings: GraphLike,
    *,
    flip_probability: float,
    top_rating: float,
    norm: str = "min-max",
    noise_weights: NoiseWeights = "empirical",
    rng: int | np.random.Generator | None = None,
) -> sparse.csr_array:
    """Add a weighted noise graph to ratings, as the paper does; no finite level holds for an edge.

    A cell published empty was empty, whatever the flip probability, so this mechanism is not
    epsilon-edge-differentially private for any finite epsilon.

    Parameters
    ----------
    ratings : csr_array, shape (users, items), Table or networkx graph
        Stored values in 0..top_rating; a stored 0 is a rating.
    flip_probability : float
        Probability in [0, 1/2] that a cell holds a noise edge.
    top_rating : float
        The largest rating. The fuzzy exclusive or acts on ratings / top_rating.
    norm : {"min-max", "product", "lukasiewicz", "hamacher"}
        The t-norm behind the fuzzy exclusive or.
    noise_weights : {"empirical", "uniform"} or sequence of float
        Noise ratings drawn from the data's own, from 1..top_rating, or from a public list.
    rng : int, Generator or None
        Seed or generator.

    Returns
    -------
    csr_array of float, shape (users, items)
        The union of ratings and noise, on the scale of the ratings; zeros are kept as records.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval, a rating lies outside 0..top_rating or the
        frame of a Table was taken from its entries.

    References
    ----------
    Salas and Torra 2020, Definition 8 and Section 4.2, doi 10.5220/0009833804150422.

    Examples
    --------
    >>> published = weighted_noise_graph([[5, 0, 3]], flip_probability=0.5, top_rating=5, rng=1)
    >>> published.nnz >= 2  # no rating is ever removed
    True
    """
    mechanism = WeightedNoiseGraph(flip_probability, top_rating, norm, noise_weights)
    return mechanism.sample(ratings, rng=rng)


def _exact(value: Any) -> Any:
    """Carry a whole number as int, any other float as the fraction it is."""
    fraction = Fraction(value.item() if isinstance(value, np.generic) else value)
    return fraction.numerator if fraction.denominator == 1 else fraction
