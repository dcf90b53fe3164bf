"""A count with noise: Laplace, geometric or Gaussian; for an edge or for a node."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import sparse

from pplab import checks
from pplab.counts.projection import CAPPED
from pplab.counts.statistics import COUNTS
from pplab.graphs import GraphLike, as_adjacency, by_value, check_public_frame
from pplab.response.levels import level_of
from pplab.response.mechanism import independent
from pplab.tradeoff import gaussian_mu

_MOST_OUTPUTS = 2**16


@dataclass(frozen=True)
class Noise:
    """A noise for counts.

    Attributes
    ----------
    draw : callable
        Takes a generator, the scale (of geometric noise the ratio) and a shape.
    delta : bool
        Whether it needs one above 0.
    listed : bool
        Whether it is of whole numbers, brought into the range of the count: finitely many outputs.
    scale : callable
        Takes mechanism and both sensitivities.
    """

    draw: Callable[[np.random.Generator, float, tuple[int, ...]], np.ndarray]
    delta: bool = False
    listed: bool = False
    scale: Callable[["NoisyCount", float, float], float] = lambda of, l1, _: l1 / of.epsilon


def _laplace(rng: np.random.Generator, scale: float, shape: tuple[int, ...]) -> np.ndarray:
    return rng.laplace(0.0, scale, shape)


def _geometric(rng: np.random.Generator, ratio: float, shape: tuple[int, ...]) -> np.ndarray:
    steps = rng.geometric(1 - ratio, size=(2, *shape))
    return steps[0] - steps[1]


NOISES = {
    "laplace": Noise(_laplace),
    "geometric": Noise(_geometric, listed=True),
    "gaussian": Noise(
        lambda rng, scale, shape: rng.normal(0.0, scale, shape),
        delta=True,
        scale=lambda of, _, l2: l2 / gaussian_mu(of.epsilon, of.delta),
    ),
}


@dataclass(frozen=True, kw_only=True)
class NoisyCount:
    """The edges, degrees or triangles of a graph with noise: central, pure or approximate.

    Parameters
    ----------
    count : {"edges", "degrees", "triangles"}
        Degrees: an array of the number of nodes of each degree from 1 on.
    noise : {"laplace", "geometric", "gaussian"}
        Geometric noise is that of whole numbers, and the result is brought into the public range
        of the count; its outputs are finite.
    unit : {"edge", "node"}
        What neighbours differ in.
    epsilon : float, optional
        Level for that unit, in (0, inf).
    odds : Fraction or float, optional
        e^epsilon in place of epsilon.
    delta : float
        In (0, 1) for Gaussian noise, else 0.
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
        If an argument leaves its interval, or noise, unit and delta do not go together; when
        sampling, if the data are no graph, or one whose frame was
        found in its edges.

    Notes
    -----
    *Global sensitivity for an edge.* Edges: 1. Triangles: n - 2, since an edge is in a triangle
    with each other node at most. Degrees: two nodes change their degree by 1, and each leaves one
    bin and enters another: 4 in all, the root of 8 in the Euclidean norm (two nodes leave the same
    bin for the same bin).

    *For a node*: with the proofs in `project_degrees` and `capped_triangles`.

    *Gaussian*: the exact condition of `pplab.tradeoff.gaussian_delta`.

    Noise is drawn with floats (`docs/LIMITATIONS.md`); the levels are those of real numbers, but
    for geometric noise, whose ratio is a fraction on the safe side of e^(-epsilon / sensitivity).

    References
    ----------
    Dwork, McSherry, Nissim and Smith 2006, doi 10.1007/11681878_14; Ghosh, Roughgarden and
    Sundararajan 2012, doi 10.1137/09076828X (truncated geometric noise); Balle and Wang 2018, arXiv
    1805.06530.

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
    theta: int | None = None
    node_edges: str | None = None

    def __post_init__(self) -> None:
        checks.check_choice("count", self.count, COUNTS)
        checks.check_choice("noise", self.noise, NOISES)
        checks.check_choice("unit", self.unit, ("edge", "node"))
        odds, epsilon = level_of(self.odds, self.epsilon)
        object.__setattr__(self, "odds", odds)
        object.__setattr__(self, "epsilon", checks.check_epsilon(epsilon))
        object.__setattr__(self, "delta", checks.check_privacy_delta(self.delta, allow_zero=True))
        self._check_unit()
        self._check_noise()

    def _check_unit(self) -> None:
        if self.unit == "edge" and not (self.theta is None and self.node_edges is None):
            raise ValueError(
                "theta and node_edges must be None for unit 'edge', got "
                f"{checks.shown(self.theta)} and {checks.shown(self.node_edges)}; leave them out, "
                "or take unit='node'"
            )
        if self.unit == "node":
            checks.check_choice("node_edges", self.node_edges, ("removed", "at will"))
            checks.check_integer("theta", self.theta, minimum=CAPPED[self.count].theta)

    def _check_noise(self) -> None:
        law = self._law
        if law.delta != (self.delta > 0):
            fit = "above 0" if law.delta else "0"
            raise ValueError(
                f"delta must be {fit} with noise {self.noise!r}, got {self.delta!r}; change one of "
                "the two"
            )
        if law.listed and self.unit == "node" and not CAPPED[self.count].whole:
            raise ValueError(
                "noise 'geometric' must be added to whole numbers, got parts of triangles; "
                "take 'laplace' for capped triangles"
            )

    def moves(self, nodes: int) -> tuple[float, float]:
        """Global sensitivity on this many nodes: in the sum of absolute changes, and Euclidean."""
        if self.unit == "edge":
            count = COUNTS[self.count]
            return count.l1(nodes), count.l2(nodes)
        return CAPPED[self.count].moves(int(self.theta or 0), self.node_edges == "removed")

    @property
    def _law(self) -> Noise:
        return NOISES[self.noise]

    def scale(self, adjacency: GraphLike) -> float:
        """Scale of the noise; of Gaussian noise its standard deviation."""
        return self._scale(self._read(adjacency).shape[0])

    def _scale(self, nodes: int) -> float:
        return self._law.scale(self, *self.moves(nodes))

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
        width = float(self._ratio(nodes)) if law.listed else self._scale(nodes)
        noisy = value + law.draw(checks.as_rng(rng), width, (size, *value.shape))
        return np.clip(noisy, 0, COUNTS[self.count].most(nodes)) if law.listed else noisy

    def distribution(self, data: GraphLike) -> dict[Any, Fraction]:
        """Exact probabilities of all outputs; of geometric noise only, the others have too many."""
        if not self._law.listed:
            raise TypeError(
                f"noise must be 'geometric' for outputs that can be listed, got {self.noise!r}; "
                "audit samples instead"
            )
        graph = self._read(data)
        most, ratio = COUNTS[self.count].most(graph.shape[0]), self._ratio(graph.shape[0])
        values = np.atleast_1d(self._value(graph)).tolist()
        checks.check_integer("outputs", (most + 1) ** len(values), minimum=1, maximum=_MOST_OUTPUTS)
        laws = [dict(enumerate(truncated_geometric(value, ratio, most))) for value in values]
        return independent(laws) if self.count == "degrees" else laws[0]

    def _ratio(self, nodes: int) -> Fraction:
        """Fraction r with ``r**-l1 <= odds``, nearly equal: a step of noise is r times rarer."""
        steps = int(self.moves(nodes)[0])
        nearest = float(self.odds) ** (-1 / max(steps, 1))
        ratio = Fraction(nearest).limit_denominator(10**6)
        # compared as logarithms first: powers of fractions with many steps are large
        if steps <= 64 and ratio and ratio**-steps <= self.odds:
            return ratio
        return Fraction(min(nearest * (1 + 1e-12), 1 - 2.0**-53))

    def _read(self, data: GraphLike) -> sparse.csr_array:
        check_public_frame("adjacency", data)
        graph = as_adjacency(by_value(data, bipartite=False, name="adjacency"))
        least = 3 if self.count == "triangles" else 2
        checks.check_integer("number of nodes of data", graph.shape[0], minimum=least)
        return graph


def truncated_geometric(value: int, ratio: Fraction, most: int) -> list[Fraction]:
    """Geometric noise on a whole number, clipped to 0 to ``most``: the ends hold the tails."""
    law = [ratio ** abs(output - value) / (1 + ratio) for output in range(most + 1)]
    return [q * (1 - ratio) if 0 < x < most else q for x, q in enumerate(law)]
