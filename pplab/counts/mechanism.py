"""A count with noise: Laplace, geometric, Gaussian, Cauchy; for an edge or for a node."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import sparse

from pplab.checks import (
    as_rng,
    check_choice,
    check_epsilon,
    check_integer,
    check_privacy_delta,
    shown,
)
from pplab.counts.projection import CAPPED
from pplab.counts.statistics import COUNTS, shared_neighbours, smooth_of
from pplab.graphs import GraphLike, as_adjacency, by_value, check_public_frame
from pplab.response.levels import level_of
from pplab.response.mechanism import independent
from pplab.tradeoff import first_where, gaussian_curve, gaussian_mu, laplace_curve, pure_curve

_MOST_OUTPUTS = 2**16


@dataclass(frozen=True)
class Noise:
    """A noise for one kind of sensitivity.

    Attributes
    ----------
    draw : callable
        Takes a generator, the scale (of geometric noise the ratio) and a shape.
    delta : bool
        Whether it needs one above 0.
    listed : bool
        Whether it is of whole numbers, brought into the range of the count: finitely many outputs.
    beta : callable, optional
        Smoothness that noise of smooth sensitivity asks for, from half of epsilon and delta.
    scale : callable
        Takes mechanism and both sensitivities.
    """

    draw: Callable[[np.random.Generator, float, tuple[int, ...]], np.ndarray]
    delta: bool = False
    listed: bool = False
    beta: Callable[[float, float], float] | None = None
    scale: Callable[[NoisyCount, float, float], float] = lambda of, l1, _: l1 / of.epsilon


def _laplace(rng: np.random.Generator, scale: float, shape: tuple[int, ...]) -> np.ndarray:
    return rng.laplace(0.0, scale, shape)


def _geometric(rng: np.random.Generator, ratio: float, shape: tuple[int, ...]) -> np.ndarray:
    steps = rng.geometric(1 - ratio, size=(2, *shape))
    return steps[0] - steps[1]


def _beta_of_laplace(half: float, delta: float) -> float:
    # the left side of the condition, as a function of how far beta is below its largest value
    return half - first_where(lambda less: _dilation(half - less, half) <= delta)


# By the names of noise and sensitivity.
NOISES = {
    ("laplace", "global"): Noise(_laplace),
    ("geometric", "global"): Noise(_geometric, listed=True),
    ("gaussian", "global"): Noise(
        lambda rng, scale, shape: rng.normal(0.0, scale, shape), delta=True,
        scale=lambda of, _, l2: l2 / gaussian_mu(of.epsilon, of.delta),
    ),
    ("cauchy", "smooth"): Noise(
        lambda rng, scale, shape: scale * rng.standard_cauchy(shape), beta=lambda half, _: half
    ),
    ("laplace", "smooth"): Noise(_laplace, delta=True, beta=_beta_of_laplace),
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class NoisyCount:
    """The edges, degrees or triangles of a graph with noise: central, pure or approximate.

    Parameters
    ----------
    count : {"edges", "degrees", "triangles"}
        Degrees: an array of the number of nodes of each degree from 1 on.
    noise : {"laplace", "geometric", "gaussian", "cauchy"}
        Geometric noise is that of whole numbers, and the result is brought into the public range
        of the count; its outputs are finite.
    unit : {"edge", "node"}
        What neighbours differ in.
    epsilon : float, optional
        Level for that unit, in (0, inf).
    odds : Fraction or float, optional
        e^epsilon in place of epsilon.
    delta : float
        In (0, 1) for Gaussian noise and for Laplace noise of smooth sensitivity, else 0.
    sensitivity : {"global", "smooth"}
        Smooth: for triangles and an edge, with Cauchy or Laplace noise.
    theta : int, optional
        For a node: the public cap on degrees, see `project_degrees` and `capped_triangles`.
    node_edges : {None, "removed", "at will"}
        For a node: what neighbours may do with its edges.

    Attributes
    ----------
    unit : str
    epsilon, delta : float
        For "node" with its edges as ``node_edges`` says. A level for "removed" is at will one of
        twice the epsilon at most (pure), and ``exact_epsilon(unit="node")`` counts that one.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval, or noise, sensitivity, unit and delta do not go
        together; when sampling, if the data are no graph, or one whose frame was
        found in its edges.
    ModuleNotFoundError
        If opendp is missing.

    Notes
    -----
    *Global sensitivity for an edge.* Edges: 1. Triangles: n - 2, since an edge is in a triangle
    with each other node at most. Degrees: two nodes change their degree by 1, and each leaves one
    bin and enters another: 4 in all, the root of 8 in the Euclidean norm (two nodes leave the same
    bin for the same bin).

    *For a node*: with the proofs in `project_degrees` and `capped_triangles`.

    *Cauchy noise of smooth sensitivity S, scale S / alpha, alpha = beta = epsilon / 2, is
    epsilon-private.* The log of the density ``1 / (pi (1 + z**2))`` has slope at most 1 in size.
    Between neighbours the count moves by at most S, so by alpha scales: a factor of at most
    e^alpha. Then the scale moves by a factor c with ``|ln c| <= beta``, and
    ``c (1 + z**2) / (1 + c**2 z**2)`` lies between 1/c and c: a factor of at most e^beta. Together
    ``alpha + beta = epsilon``. (The general theorem of the paper, for this density, asks for
    alpha = beta = epsilon / 6.) The noise has no variance: half of all draws are within one scale.

    *Laplace noise of smooth sensitivity, scale S / alpha, alpha = epsilon / 2, is (epsilon,
    delta)-private* with the largest beta up to eta = epsilon / 2 at which
    ``(1 - e^-beta) exp(-(eta + beta) / (e^beta - 1)) <= delta``. First the scale moves by a factor
    c, ``|ln c| <= beta``. To a wider law the ratio of densities is at most e^beta. To a
    narrower one it is above e^eta where ``|z| > z0 = (eta + beta) / (e^beta - 1)``, and there
    ``P - e^eta Q = e^-z0 - e^eta e^(-z0 e^beta)``, which is the left side; it grows with beta. Then
    the count moves, by at most alpha of the new scales, since S of the neighbour bounds this move,
    too: a factor of e^alpha, and no delta more.

    *Gaussian*: the exact condition of `pplab.tradeoff.gaussian_delta`.

    Noise is drawn with floats (`docs/LIMITATIONS.md`); the levels are those of real numbers, but
    for geometric noise, whose ratio is a fraction on the safe side of e^(-epsilon / sensitivity).

    References
    ----------
    Dwork, McSherry, Nissim and Smith 2006, doi 10.1007/11681878_14; Ghosh, Roughgarden and
    Sundararajan 2012, doi 10.1137/09076828X (truncated geometric noise); Nissim, Raskhodnikova and
    Smith 2007, doi 10.1145/1250790.1250803; Balle and Wang 2018, arXiv 1805.06530.

    Examples
    --------
    >>> path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> two = NoisyCount(count="edges", noise="geometric", unit="edge", odds=Fraction(3))
    >>> two.distribution(path)  # two edges of at most three
    {0: Fraction(1, 12), 1: Fraction(1, 6), 2: Fraction(1, 2), 3: Fraction(1, 4)}
    """

    count: str
    noise: str
    unit: str
    epsilon: Any = None
    odds: Any = None
    delta: float = 0.0
    sensitivity: str = "global"
    theta: int | None = None
    node_edges: str | None = None

    def __post_init__(self) -> None:
        check_choice("count", self.count, COUNTS)
        check_choice("noise", self.noise, sorted({noise for noise, _ in NOISES}))
        check_choice("unit", self.unit, ("edge", "node"))
        check_choice("sensitivity", self.sensitivity, ("global", "smooth"))
        odds, epsilon = level_of(self.odds, self.epsilon)
        object.__setattr__(self, "odds", odds)
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        delta = check_privacy_delta(self.delta, allow_zero=True)
        object.__setattr__(self, "delta", delta)
        self._check_unit()
        self._check_noise()

    def _check_unit(self) -> None:
        if self.unit == "edge" and not (self.theta is None and self.node_edges is None):
            raise ValueError(
                "theta and node_edges must be None for unit 'edge', got "
                f"{shown(self.theta)} and {shown(self.node_edges)}; leave them out, or take "
                "unit='node'"
            )
        if self.unit == "node":
            check_choice("node_edges", self.node_edges, ("removed", "at will"))
            check_integer("theta", self.theta, minimum=CAPPED[self.count].theta)

    def _check_noise(self) -> None:
        smooth = self.sensitivity == "smooth"
        if smooth and (self.count, self.unit) != ("triangles", "edge"):
            raise ValueError(
                "sensitivity 'smooth' must come with count='triangles' and unit='edge', got "
                f"{self.count!r} and {self.unit!r}; elsewhere the global one is nearly the local"
            )
        if smooth and self.epsilon > 700:
            raise ValueError(
                f"epsilon must be at most 700 with sensitivity 'smooth', got {self.epsilon:g}: "
                "beyond, e^-epsilon is 0 in floats, and so would be the noise"
            )
        law = NOISES.get((self.noise, self.sensitivity))
        if law is None or law.delta != (self.delta > 0):
            fit = "; ".join(
                f"{noise!r} with {kind!r} and delta {'above 0' if each.delta else '0'}"
                for (noise, kind), each in NOISES.items()
            )
            raise ValueError(
                f"noise, sensitivity and delta must go together: {fit}; got {self.noise!r}, "
                f"{self.sensitivity!r}, {self.delta!r}"
            )
        whole = self.unit == "edge" or CAPPED[self.count].whole
        if law.listed and not whole:
            raise ValueError(
                "noise 'geometric' must have whole numbers to go to, got parts of triangles; "
                "take 'laplace' for capped triangles"
            )

    def moves(self, nodes: int) -> tuple[float, float]:
        """Global sensitivity on so many nodes: in the sum of absolute changes, and Euclidean."""
        if self.unit == "edge":
            count = COUNTS[self.count]
            return count.l1(nodes), count.l2(nodes)
        return CAPPED[self.count].moves(int(self.theta or 0), self.node_edges == "removed")

    @property
    def _law(self) -> Noise:
        return NOISES[self.noise, self.sensitivity]

    @property
    def beta(self) -> float | None:
        """Smoothness that the noise of smooth sensitivity asks for; None with a global one."""
        beta = self._law.beta
        return beta and beta(self.epsilon / 2, self.delta)

    def scale(self, adjacency: GraphLike) -> float:
        """Scale of the noise; of Gaussian noise its standard deviation.

        Only that of smooth sensitivity depends on more than the number of nodes, and is not to be
        published.
        """
        return self._scale(self._read(adjacency))

    def _scale(self, graph: sparse.csr_array) -> float:
        nodes, beta = graph.shape[0], self.beta
        if beta is None:
            return self._law.scale(self, *self.moves(nodes))
        return smooth_of(shared_neighbours(graph), most=nodes - 2, beta=beta) / (self.epsilon / 2)

    def value(self, adjacency: GraphLike) -> Any:
        """Give the count without noise, after the cap where there is one."""
        return self._value(self._read(adjacency))

    def _value(self, graph: sparse.csr_array) -> Any:
        if self.unit == "edge":
            return COUNTS[self.count].of(graph)
        return CAPPED[self.count].of(graph, theta=int(self.theta or 0))

    def sample(self, data: GraphLike, *, rng: int | np.random.Generator | None = None) -> Any:
        """Draw one release: a number, or for degrees an array."""
        return self.sample_many(data, 1, rng=rng)[0]

    def sample_many(
        self, data: GraphLike, size: int, *, rng: int | np.random.Generator | None = None
    ) -> np.ndarray:
        """Draw so many releases; the first axis numbers them."""
        graph, law = self._read(data), self._law
        value, nodes = np.asarray(self._value(graph)), graph.shape[0]
        shape = (size, *value.shape)
        width = float(self._ratio(nodes)) if law.listed else self._scale(graph)
        noisy = value + law.draw(as_rng(rng), width, shape)
        return np.clip(noisy, 0, self._most(nodes)) if law.listed else noisy

    def distribution(self, data: GraphLike) -> dict[Any, Fraction]:
        """Exact probabilities of all outputs; of geometric noise only, the others have too many."""
        if not self._law.listed:
            raise TypeError(
                f"noise must be 'geometric' for outputs that can be listed, got {self.noise!r}; "
                "audit samples instead"
            )
        graph = self._read(data)
        most, ratio = self._most(graph.shape[0]), self._ratio(graph.shape[0])
        values = np.atleast_1d(self._value(graph)).tolist()
        check_integer("outputs", (most + 1) ** len(values), minimum=1, maximum=_MOST_OUTPUTS)
        laws = [dict(enumerate(truncated_geometric(value, ratio, most))) for value in values]
        if self.count != "degrees":
            return laws[0]
        return independent(laws)

    def _ratio(self, nodes: int) -> Fraction:
        """Fraction r with ``r**-l1 <= odds``, nearly equal: a step of noise is r times rarer."""
        steps = int(self.moves(nodes)[0])
        nearest = float(self.odds) ** (-1 / max(steps, 1))
        ratio = Fraction(nearest).limit_denominator(10**6)
        # compared as logarithms first: powers of fractions with many steps are large
        if steps <= 64 and ratio and ratio**-steps <= self.odds:
            return ratio
        return Fraction(min(nearest * (1 + 1e-12), 1 - 2.0**-53))

    def _most(self, nodes: int) -> int:
        return COUNTS[self.count].most(nodes)

    def trade_off(self, false_alarms: Any) -> np.ndarray:
        """Least share of misses at these shares of false alarms, by any test of one unit.

        Exact, where the sensitivity is reached, for Gaussian noise, and for Laplace noise of a
        single number with global sensitivity; else the two lines that every (epsilon,
        delta)-private release keeps.
        """
        epsilon = self.epsilon
        if self.noise == "gaussian":
            return gaussian_curve(false_alarms, mu=gaussian_mu(epsilon, self.delta))
        if (self.noise, self.sensitivity) == ("laplace", "global") and self.count != "degrees":
            return laplace_curve(false_alarms, epsilon=epsilon)
        return pure_curve(false_alarms, epsilon=epsilon, delta=self.delta)

    def _read(self, data: GraphLike) -> sparse.csr_array:
        check_public_frame("adjacency", data)
        graph = as_adjacency(by_value(data, bipartite=False, name="adjacency"))
        least = 3 if self.count == "triangles" else 2
        check_integer("number of nodes of data", graph.shape[0], minimum=least)
        return graph


def _dilation(beta: float, eta: float) -> float:
    """By how much a Laplace law exceeds e^eta times one that is narrower by a factor of e^beta."""
    if beta <= 0:
        return 0.0
    return -math.expm1(-beta) * math.exp(-(eta + beta) / math.expm1(beta))


def truncated_geometric(value: int, ratio: Fraction, most: int) -> list[Fraction]:
    """Geometric noise on a whole number, brought into 0 to most: the ends hold the tails."""
    law = [ratio ** abs(output - value) / (1 + ratio) for output in range(most + 1)]
    return [q * (1 - ratio) if 0 < x < most else q for x, q in enumerate(law)]
