"""A zoo of broken mechanisms, with a right one next to them, to try an auditor on."""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from pplab.checks import as_rng
from pplab.counts.mechanism import truncated_geometric
from pplab.counts.statistics import local_sensitivity, triangles
from pplab.graphs import GraphLike, as_adjacency, as_biadjacency, as_matrix
from pplab.response.levels import flip_to_epsilon
from pplab.response.mechanism import Distribution, independent_cells
from pplab.response.ratings import WeightedNoiseGraph

P = Fraction(1, 4)  # the flip probability that everybody promises: odds of 3 to 1
_ODDS = (1 - P) / P
PROMISED = flip_to_epsilon(P)


class Animal(ABC):
    """A mechanism with its stated level and the neighbours on which that level is tightest.

    Attributes
    ----------
    unit : str
        The privacy unit of the promise.
    claimed : float
        The promised epsilon for that unit, natural log.
    pair : tuple
        Two neighbouring inputs, the worst case for this mechanism.
    odds : Fraction or float
        True worst odds of the pair; infinity where an output excludes one of the two.
    """

    unit: ClassVar[str] = "edge"
    claimed: ClassVar[float] = PROMISED
    pair: ClassVar[tuple[Any, Any]]
    odds: ClassVar[Fraction | float] = math.inf
    delta: ClassVar[float] = 0.0  # they all promise a pure level

    @property
    def epsilon(self) -> float:
        """The promise."""
        return self.claimed

    @abstractmethod
    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> Any:
        """Draw independent releases of the data."""

    def sample(self, data: Any, *, rng: int | np.random.Generator | None = None) -> Any:
        """Draw one release."""
        return self.sample_many(data, 1, rng=rng)[0]


class Flips(Animal):
    """Draws noise of 0 and 1, each 1 with probability ``flip``, and publishes cells and noise.

    Written once, `publish` serves both single noise and a stack of it, drawn or listed.
    """

    flip: ClassVar[Fraction] = P

    def cells(self, data: Any) -> np.ndarray:
        """Give the data as 0 and 1."""
        return cells_of(data)

    def noise_shape(self, cells: np.ndarray) -> tuple[int, ...]:
        """Shape of the noise for one release."""
        return cells.shape

    def publish(self, cells: np.ndarray, noise: np.ndarray) -> np.ndarray:
        """Turn noise into releases."""
        return cells ^ noise

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> Any:
        """Draw independent releases of the data."""
        cells = self.cells(data)
        return self.publish(cells, _coins(rng, size, self.noise_shape(cells), self.flip))

    def distribution(self, data: Any) -> Distribution:
        """Exact probabilities of all outputs."""
        cells = self.cells(data)
        noises = _noises(self.noise_shape(cells), self.flip)
        return _law_of((self.publish(cells, noise), q) for noise, q in noises)


def cells_of(data: GraphLike) -> np.ndarray:
    """Cells of a small users x items graph as 0 and 1."""
    return as_biadjacency(data).toarray()


def _coins(rng: Any, size: int, shape: tuple[int, ...], p: Fraction = P) -> np.ndarray:
    """Independent noise, 0 and 1, for a number of releases."""
    return (as_rng(rng).random((size, *shape)) < float(p)).astype(np.int8)


def _noises(shape: tuple[int, ...], p: Fraction) -> Iterator[tuple[np.ndarray, Fraction]]:
    """All noise of a shape with its exact probability."""
    cells = int(np.prod(shape))
    for bits in product((0, 1), repeat=cells):
        flips = sum(bits)
        yield np.array(bits, dtype=np.int8).reshape(shape), p**flips * (1 - p) ** (cells - flips)


def _law_of(outcomes: Iterable[tuple[Any, Fraction]]) -> Distribution:
    """Add up the probabilities of equal outputs; an array becomes a tuple of rows."""
    law: Distribution = {}
    for output, probability in outcomes:
        rows = output.tolist() if isinstance(output, np.ndarray) else output
        key = tuple(tuple(row) if isinstance(row, list) else row for row in rows)
        if probability:
            law[key] = law.get(key, Fraction(0)) + probability
    return law


# Flips: mechanisms that publish a graph and promise odds of 3 to 1 for an edge; one is right.


class WeakNoise(Flips):
    """Flips with 19/90 where 1/4 was promised: a level 1.2 times too high."""

    flip = Fraction(19, 90)
    pair = ([[0]], [[1]])  # cells are independent, so one cell shows all there is
    odds = Fraction(71, 19)


class DesignMatrixByRows(Flips):
    """Answers wrongly with 9/10 either way, and is sold at ε = 0.1: the row test passes."""

    flip = Fraction(9, 10)
    claimed = 0.1  # each row holds 1/10 and 9/10, so p00/p01 and p11/p10 are below 1
    pair = ([[0]], [[1]])  # cells are independent
    odds = Fraction(9)


class UserAtEdgePrice(Flips):
    """Flips correctly, but states the odds of one cell for a user with three cells."""

    unit = "user"
    pair = ([[0, 0, 0]], [[1, 1, 1]])  # a user may change every cell of the row
    odds = _ODDS**3


class BothDirections(Flips):
    """Flips the two directions of an undirected edge separately and publishes both."""

    pair = ([[0, 0], [0, 0]], [[0, 1], [1, 0]])  # two looks at one edge
    odds = _ODDS**2

    def cells(self, data: Any) -> np.ndarray:
        """Give the adjacency."""
        return as_adjacency(data).toarray()

    def publish(self, cells: np.ndarray, noise: np.ndarray) -> np.ndarray:
        """Flip every cell off the diagonal."""
        return (cells ^ noise) * (1 - np.eye(len(cells), dtype=np.int8))


class OnlyEdgesFlipped(Flips):
    """Removes edges with p and invents none: a published edge is a true one."""

    pair = ([[0]], [[1]])  # the output 1 is out of reach of the first

    def publish(self, cells: np.ndarray, noise: np.ndarray) -> np.ndarray:
        """Remove some edges."""
        return cells * (1 - noise)


class EarlyExit(Flips):
    """Returns early for users without edges: their empty rows are published as they are."""

    pair = ([[0, 0]], [[1, 0]])  # a single edge decides whether noise is drawn at all

    def publish(self, cells: np.ndarray, noise: np.ndarray) -> np.ndarray:
        """Flip the rows that have edges."""
        return cells ^ noise * cells.any(axis=1, keepdims=True)


class RedrawnUntilCountFits(Flips):
    """Draws its noise again until exactly as many edges are published as there truly are."""

    pair = ([[0, 0]], [[1, 0]])  # neighbours never have the same number of edges

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> np.ndarray:
        """Draw noise, repeatedly for the releases whose count is off."""
        cells = self.cells(data)
        generator = np.random.default_rng(rng)
        published = np.broadcast_to(1 - cells, (size, *cells.shape)).copy()
        off = np.ones(size, dtype=bool)
        while off.any():
            published[off] = cells ^ _coins(generator, int(off.sum()), cells.shape)
            off = published.sum(axis=(1, 2)) != cells.sum()
        return published

    def distribution(self, data: Any) -> Distribution:
        """Exact probabilities of all outputs: the flips, given that the count fits."""
        edges = self.cells(data).sum()
        law = super().distribution(data)
        fitting = {output: q for output, q in law.items() if sum(map(sum, output)) == edges}
        total = sum(fitting.values(), Fraction(0))
        return {output: q / total for output, q in fitting.items()}


class FairCoins(Flips):
    """Replaces each cell by a fair coin with probability 2p: the same law as a flip with p."""

    pair = ([[0]], [[1]])  # cells are independent
    odds = _ODDS

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> np.ndarray:
        """Replace some cells."""
        cells, generator = self.cells(data), as_rng(rng)
        replaced = _coins(generator, size, cells.shape, 2 * P)
        return np.where(replaced, _coins(generator, size, cells.shape, Fraction(1, 2)), cells)


# Leaks next to the flips: shared noise, telling weights, exact extras.


class DegreeInTheClear(Flips):
    """Publishes the noisy graph and, "for research", the true degree of every user."""

    pair = ([[0, 0]], [[1, 0]])  # one edge more is one degree more

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> list:
        """Give (graph, degrees) pairs."""
        graphs = super().sample_many(data, size, rng=rng).tolist()
        degrees = self._degrees(data)
        return [(tuple(map(tuple, graph)), degrees) for graph in graphs]

    def distribution(self, data: Any) -> Distribution:
        """Exact probabilities of all outputs."""
        law, degrees = super().distribution(data), self._degrees(data)
        return {(graph, degrees): q for graph, q in law.items()}

    def _degrees(self, data: Any) -> tuple[int, ...]:
        return tuple(self.cells(data).sum(axis=1).tolist())


class SeedReusedAcrossUsers(Flips):
    """Starts every user's stream at the same seed, so that all rows get the same noise."""

    pair = ([[0], [0]], [[1], [0]])  # the difference of two rows is published exactly

    def noise_shape(self, cells: np.ndarray) -> tuple[int, ...]:
        """Give one row of noise; the others repeat it."""
        return 1, cells.shape[1]

    def publish(self, cells: np.ndarray, noise: np.ndarray) -> np.ndarray:
        """Flip all rows by the same noise."""
        times = len(cells) // noise.shape[-2]
        return cells ^ np.concatenate([noise] * times, axis=-2)


class NoiseReused(SeedReusedAcrossUsers):
    """Flips an old and a new table by the same noise; publishes both, old rows above new ones."""

    claimed = 2 * PROMISED  # what composition promises for two releases with fresh noise
    pair = ([[0], [0]], [[0], [1]])  # an edge that is new in the second version

    def noise_shape(self, cells: np.ndarray) -> tuple[int, ...]:
        """Give noise for one of the versions."""
        return max(len(cells) // 2, 1), cells.shape[1]


class SeedFromData(Animal):
    """Computes its noise from the number of edges and a key, one of 8: other data, other noise."""

    pair = ([[1, 0], [0, 1]], [[1, 1], [0, 1]])  # each input reaches at most 8 of 16 outputs
    secrets = 8

    def _published(self, data: Any) -> np.ndarray:
        cells = cells_of(data)
        streams = [np.random.default_rng([s, int(cells.sum())]) for s in range(self.secrets)]
        return np.array([cells ^ _coins(stream, 1, cells.shape)[0] for stream in streams])

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> np.ndarray:
        """Draw secrets; the data do the rest."""
        return self._published(data)[as_rng(rng).integers(self.secrets, size=size)]

    def distribution(self, data: Any) -> Distribution:
        """Exact probabilities of all outputs."""
        return _law_of((output, Fraction(1, self.secrets)) for output in self._published(data))


class MarkedNoise(Animal):
    """Gives invented ratings the weight 1/2, which no true rating has: 1 to 5 are true."""

    pair = ([[0]], [[3]])  # the output 3 is out of reach of the empty cell
    mark = 0.5
    levels = (1, 2, 3, 4, 5)

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> list:
        """Remove ratings and invent marked ones, each with p."""
        ratings = as_matrix(data)
        flips = _coins(rng, size, ratings.shape)
        stored = np.zeros(ratings.shape, dtype=bool)
        stored[ratings.nonzero()] = True
        values = np.where(stored, ratings.toarray(), self.mark)
        return list(map(sparse.csr_array, values * (stored ^ flips.astype(bool))))

    def distribution(self, data: Any) -> Distribution:
        """Exact probabilities of all outputs; None stands for no edge."""
        ratings = as_matrix(data).toarray()
        mark = Fraction(self.mark)
        cells = [{int(r): 1 - P, None: P} if r else {None: 1 - P, mark: P} for r in ratings.ravel()]
        return independent_cells(cells, columns=ratings.shape[1])


class PaperWeighted(Animal):
    """Adds weighted noise as the paper does: no edge is ever removed."""

    pair = ([[0]], [[3]])  # published empty, the cell was empty
    levels = (1, 2, 3, 4, 5)
    _mechanism = WeightedNoiseGraph(P, 5, noise_weights="uniform")

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> list:
        """Draw one release of many stacked copies, whose rows are independent, and cut it up."""
        copies = sparse.csr_array(sparse.vstack([as_matrix(data)] * size, format="csr"))
        published, rows = self._mechanism.sample(copies, rng=rng), copies.shape[0] // size
        return [published[top : top + rows] for top in range(0, copies.shape[0], rows)]

    def distribution(self, data: Any) -> Distribution:
        """Exact probabilities of all outputs; None stands for no edge."""
        return self._mechanism.distribution(data)


class CountNeverBelowTruth(Animal):
    """Adds the absolute value of geometric noise to the number of edges: never below the truth."""

    claimed = 1.0
    pair = ([[1, 0]], [[1, 1]])  # the output 1 is out of reach of two edges

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> np.ndarray:
        """Give counts."""
        steps = as_rng(rng).geometric(1 - np.exp(-self.claimed), size=(size, 2)) - 1
        return cells_of(data).sum() + abs(steps[:, 0] - steps[:, 1])


class OneDrawForAll(Animal):
    """Adds one Laplace draw to all users' degrees: their differences are published exactly."""

    claimed = 1.0  # rightly so for each degree alone
    pair = ([[1], [0]], [[1], [1]])  # the degrees differ by one, or are equal

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> np.ndarray:
        """Give noisy degrees."""
        draws = as_rng(rng).laplace(scale=1 / self.claimed, size=(size, 1))
        return cells_of(data).sum(axis=1) + draws


# Counts of a graph on four nodes: noise as wide as the data ask for, and a cap that forgets edges.


class Geometric(Animal):
    """Adds noise of whole numbers to a count, and brings it into the count's public range."""

    most: ClassVar[int]  # of the count, on four nodes

    @abstractmethod
    def count_and_ratio(self, graph: sparse.csr_array) -> tuple[int, Fraction]:
        """Give the count, and the factor by which each step is less likely; 0 is no noise."""

    def distribution(self, data: Any) -> Distribution:
        """Exact probabilities of all outputs."""
        count, ratio = self.count_and_ratio(as_adjacency(data))
        law = truncated_geometric(count, ratio, self.most)
        return {output: share for output, share in enumerate(law) if share}

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> np.ndarray:
        """Give noisy counts."""
        count, ratio = self.count_and_ratio(as_adjacency(data))
        steps = as_rng(rng).geometric(1 - float(ratio), size=(2, size))
        return np.clip(count + steps[0] - steps[1], 0, self.most)


class LocalSensitivityAsItStands(Geometric):
    """Fits its noise to the change that one edge makes in this very graph, which reveals it."""

    claimed = flip_to_epsilon(Fraction(1, 10))
    odds = math.inf  # without common neighbours there is no noise at all
    pair = (  # with the second edge two nodes have a common neighbour
        [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
        [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0]],
    )
    most = 4

    def count_and_ratio(self, graph: sparse.csr_array) -> tuple[int, Fraction]:
        """Take e^epsilon = 9 for the largest sensitivity, 2, so that its root is a fraction."""
        local = local_sensitivity(graph, count="triangles")
        return triangles(graph), Fraction(0) if not local else Fraction(1, 3) ** (2 // local)


class LocalSensitivityWithLaplace(Animal):
    """Does the same with Laplace noise: no noise means that there are no common neighbours."""

    claimed = 1.0
    pair = LocalSensitivityAsItStands.pair

    def sample_many(self, data: Any, size: int, *, rng: Any = None) -> np.ndarray:
        """Give noisy counts."""
        graph = as_adjacency(data)
        scale = local_sensitivity(graph, count="triangles") / self.claimed
        return triangles(graph) + as_rng(rng).laplace(scale=scale, size=size)


class NaiveTruncation(Geometric):
    """Drops nodes of degree above 2, counts edges, assumes sensitivity 2; one node drops others."""

    unit = "node"
    claimed = flip_to_epsilon(Fraction(1, 10))
    odds = Fraction(81)
    pair = (  # a square loses all its edges when node 0 gets a third one
        [[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]],
        [[0, 1, 1, 1], [1, 0, 1, 0], [1, 1, 0, 1], [1, 0, 1, 0]],
    )
    most = 4  # edges of four nodes of degree at most 2

    def count_and_ratio(self, graph: sparse.csr_array) -> tuple[int, Fraction]:
        """Count edges between nodes that stay, with odds of 9 for a move of 2."""
        stay = np.diff(graph.indptr) <= 2
        return graph[stay][:, stay].nnz // 2, Fraction(1, 3)


BROKEN: tuple[Animal, ...] = (
    WeakNoise(),
    BothDirections(),
    DegreeInTheClear(),
    SeedFromData(),
    OnlyEdgesFlipped(),
    NoiseReused(),
    SeedReusedAcrossUsers(),
    MarkedNoise(),
    PaperWeighted(),
    RedrawnUntilCountFits(),
    DesignMatrixByRows(),
    EarlyExit(),
    UserAtEdgePrice(),
    CountNeverBelowTruth(),
    OneDrawForAll(),
)
# Those of counts, which want graphs on four nodes: the notebook on counts hunts them.
BROKEN_COUNTS: tuple[Animal, ...] = (
    LocalSensitivityAsItStands(),
    LocalSensitivityWithLaplace(),
    NaiveTruncation(),
)
