"""Noise-graph addition: publish the graph XOR a random graph (randomized response on edges).

Salas and Torra 2020 (doi 10.5220/0009833804150422), Definitions 6 and 7 and Theorem 1: a flip with
probability p protects an edge at ``epsilon = ln((1 - p) / p)``. Replacing cells by fair coins
(``FairCoin``) is the same response in other words.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import sparse

from pplab.checks import as_fraction, check_flip_probability, check_probability, check_sampler
from pplab.graphs import GraphLike, as_adjacency, check_public_frame
from pplab.response._flips import flip_cells
from pplab.response.levels import flip_to_epsilon
from pplab.response.mechanism import (
    Distribution,
    OnUsersAndItems,
    Sampled,
    few_cells,
    independent_cells,
)
from pplab.vetted import GridFlips, VettedNoise


@dataclass(frozen=True)
class _Flips(Sampled):
    """Common part of both kinds of noise graph: a flip probability, a level for one edge."""

    flip_probability: Any
    unit: str = field(default="edge", init=False)

    def __post_init__(self) -> None:
        check_flip_probability(self.flip_probability)

    @property
    def epsilon(self) -> float:
        """Privacy level of one edge, of the float that is sampled where it is the larger one."""
        return flip_to_epsilon(min(self.flip_probability, float(self.flip_probability)))


@dataclass(frozen=True)
class BipartiteNoiseGraph(_Flips, OnUsersAndItems):
    """The bipartite noise-graph mechanism: each user-item cell flips with probability p.

    Parameters
    ----------
    flip_probability : float or Fraction
        p in [0, 1/2]; a Fraction is carried exactly by ``distribution``.
    sampler : {"teaching", "vetted"}
        Who flips: pplab, or OpenDP (extra ``vetted``), which takes no rng and p from 1e-300.

    Attributes
    ----------
    unit : str
        ``"edge"``.
    epsilon : float
        ``ln((1 - p) / p)`` for that unit.
    vetted : VettedNoise or None
        With sampler "vetted", the privacy loss that OpenDP states, and by which sampler.

    Raises
    ------
    TypeError, ValueError
        If the probability is no number in [0, 1/2]; when sampling, if the frame of a Table was
        taken from its entries, there is an rng with sampler "vetted", or the table has more than
        2^31 cells.
    ModuleNotFoundError
        If opendp is missing.

    References
    ----------
    Salas and Torra 2020, Definition 7, doi 10.5220/0009833804150422.

    Examples
    --------
    >>> mechanism = BipartiteNoiseGraph(Fraction(1, 4))
    >>> mechanism.distribution([[1, 0]])[((0, 0),)]
    Fraction(3, 16)
    """

    sampler: str = field(default="teaching", kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_sampler(self.sampler)

    @property
    def vetted(self) -> VettedNoise | None:
        """The statement of OpenDP about its flips."""
        p = float(self.flip_probability)
        return GridFlips(p, self.epsilon).statement if self.sampler == "vetted" else None

    def sample_many(
        self, data: GraphLike, size: int, *, rng: int | np.random.Generator | None = None
    ) -> list[sparse.csr_array]:
        """Draw this many published graphs, one after another from the same stream."""
        check_sampler(self.sampler, rng)
        return super().sample_many(data, size, rng=rng)

    def _draw(self, graph: sparse.csr_array, rng: np.random.Generator) -> sparse.csr_array:
        p = float(self.flip_probability)
        if self.sampler == "vetted":
            return GridFlips(p, self.epsilon)(graph)
        return flip_cells(graph, flip_probability=p, rng=rng)

    def distribution(self, data: GraphLike) -> Distribution:
        """Exact probabilities of all published graphs: 2^(cells) of them."""
        graph = self._read(data)
        p = as_fraction(self.flip_probability)
        cells = ({int(x): 1 - p, 1 - int(x): p} for x in few_cells(graph).ravel())
        return independent_cells(cells, columns=graph.shape[1])


@dataclass(frozen=True)
class NoiseGraph(_Flips):
    """The noise-graph mechanism on an undirected graph: each pair of nodes flips with p.

    Parameters
    ----------
    flip_probability : float or Fraction
        p in [0, 1/2]; a Fraction is carried exactly by ``distribution``.

    Attributes
    ----------
    unit : str
        ``"edge"``.
    epsilon : float
        ``ln((1 - p) / p)`` for that unit.

    Raises
    ------
    TypeError, ValueError
        If the probability is no number in [0, 1/2]; when sampling, if the frame of a Graph was
        found in its edges.

    References
    ----------
    Salas and Torra 2020, Definition 6 and Theorem 1, doi 10.5220/0009833804150422. The paper
    prints the range 1/2 < p < 1, for which its own epsilon would be negative.

    Examples
    --------
    >>> mechanism = NoiseGraph(Fraction(1, 4))
    >>> len(mechanism.distribution([[0, 1, 0], [1, 0, 0], [0, 0, 0]]))  # graphs on three nodes
    8
    """

    bipartite = False
    reads = "adjacency"

    def _read(self, data: GraphLike) -> sparse.csr_array:
        upper = sparse.csr_array(sparse.triu(self._graph(data), k=1, format="csr"))
        upper.sort_indices()
        return upper

    def _draw(self, upper: sparse.csr_array, rng: np.random.Generator) -> sparse.csr_array:
        """Flips above the diagonal, mirrored below."""
        p = float(self.flip_probability)
        flipped = flip_cells(upper, flip_probability=p, rng=rng, upper_triangle=True)
        both = sparse.csr_array(flipped + flipped.T)
        both.sort_indices()
        return both

    def distribution(self, data: GraphLike) -> Distribution:
        """Exact probabilities of all published graphs: 2^(pairs) of them."""
        graph = few_cells(self._graph(data))
        nodes = len(graph)
        p = as_fraction(self.flip_probability)
        pairs = [(i, j) for i in range(nodes) for j in range(i + 1, nodes)]
        cells = ({int(graph[pair]): 1 - p, 1 - int(graph[pair]): p} for pair in pairs)
        table: Distribution = {}
        if not pairs:
            return {((0,),): Fraction(1)}
        for (answers,), probability in independent_cells(cells, columns=len(pairs)).items():
            published = np.zeros_like(graph)
            for pair, answer in zip(pairs, answers, strict=True):
                published[pair] = published[pair[::-1]] = answer
            table[tuple(map(tuple, published.tolist()))] = probability
        return table

    def _graph(self, data: GraphLike) -> sparse.csr_array:
        check_public_frame("adjacency", data)
        return as_adjacency(data)


def noise_graph(
    adjacency: GraphLike,
    *,
    flip_probability: float,
    rng: int | np.random.Generator | None = None,
) -> sparse.csr_array:
    """Add Gilbert noise to an undirected graph: each pair of nodes flips with probability p.

    Parameters
    ----------
    adjacency : csr_array, shape (n, n), Graph or networkx graph
        Symmetric, without self-loops; stored entries are edges.
    flip_probability : float
        p in [0, 1/2]. More private towards 1/2, more accurate towards 0.
    rng : int, Generator or None
        Seed or generator.

    Returns
    -------
    csr_array of int32 ones, shape (n, n)
        The published graph, ``ln((1-p)/p)``-edge-differentially private for graphs on these nodes.

    Raises
    ------
    TypeError, ValueError
        If p leaves [0, 1/2], the graph is not square, symmetric and free of self-loops, or an edge
        list comes without its nodes.

    References
    ----------
    Salas and Torra 2020, Definitions 1, 2 and 6, doi 10.5220/0009833804150422.

    Examples
    --------
    >>> path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> noise_graph(path, flip_probability=0.0, rng=1).toarray().tolist() == path
    True
    """
    return NoiseGraph(flip_probability).sample(adjacency, rng=rng)


def bipartite_noise_graph(
    biadjacency: GraphLike,
    *,
    flip_probability: float,
    sampler: str = "teaching",
    rng: int | np.random.Generator | None = None,
) -> sparse.csr_array:
    """Add bipartite noise: each user-item cell flips with probability p.

    Time grows with the cells / 64 and memory with the edges of the result. With sampler "vetted" a
    million cells take most of a second; ``BipartiteNoiseGraph(p, sampler="vetted").vetted`` holds
    the privacy loss that OpenDP states.

    Parameters
    ----------
    biadjacency : csr_array, shape (users, items), Table or networkx graph
        Stored entries are edges, whatever their values.
    flip_probability : float
        p in [0, 1/2]. More private towards 1/2, more accurate towards 0.
    sampler : {"teaching", "vetted"}
        Who flips: pplab, or OpenDP, which the extra ``vetted`` installs.
    rng : int, Generator or None
        Seed or generator; None with sampler "vetted", since a seed is a key.

    Returns
    -------
    csr_array of int32 ones, shape (users, items)
        The published graph, ``ln((1-p)/p)``-edge-differentially private for tables of this frame.

    Raises
    ------
    TypeError, ValueError
        If p leaves [0, 1/2], the matrix is empty or stores a cell twice, the frame of a
        Table was taken from its entries, or, with sampler "vetted", there is an rng, p is below
        1e-300 or there are more than 2^31 cells.
    ModuleNotFoundError
        If opendp is missing.

    References
    ----------
    Salas and Torra 2020, Definitions 1, 2 and 7, doi 10.5220/0009833804150422.

    Examples
    --------
    >>> published = bipartite_noise_graph([[1, 0, 1], [0, 1, 0]], flip_probability=0.2, rng=1)
    >>> published.shape
    (2, 3)
    """
    return BipartiteNoiseGraph(flip_probability, sampler=sampler).sample(biadjacency, rng=rng)


@dataclass(frozen=True, kw_only=True)
class FairCoin(OnUsersAndItems):
    """Each cell is replaced by a fair coin with probability rho; half of the coins change nothing.

    Parameters
    ----------
    replacement_probability : float or Fraction
        rho in [0, 1]; the cell flips with probability rho / 2.

    Attributes
    ----------
    unit : str
        ``"edge"``.
    epsilon : float
        ``ln((2 - rho) / rho)``.

    Raises
    ------
    TypeError, ValueError
        If rho is no number in [0, 1].

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Algorithm 1, arXiv 2207.06358.

    Examples
    --------
    >>> FairCoin(replacement_probability=Fraction(1, 2)).distribution([[1]])
    {((1,),): Fraction(3, 4), ((0,),): Fraction(1, 4)}
    """

    replacement_probability: Any
    unit: str = field(default="edge", init=False)

    def __post_init__(self) -> None:
        check_probability("replacement_probability", self.replacement_probability)

    @property
    def epsilon(self) -> float:
        """Privacy level of one edge."""
        rho = as_fraction(self.replacement_probability)
        return flip_to_epsilon(min(rho / 2, float(rho) / 2))

    def _draw(self, graph: sparse.csr_array, rng: np.random.Generator) -> sparse.csr_array:
        """By the flip, which has the same law and is faster."""
        flip = float(self.replacement_probability) / 2
        return flip_cells(graph, flip_probability=flip, rng=rng)

    def distribution(self, data: GraphLike) -> Distribution:
        """Exact probabilities of all published graphs: half of the coins change nothing."""
        graph, rho = self._read(data), as_fraction(self.replacement_probability)
        values = few_cells(graph).ravel().tolist()
        cells = ({value: 1 - rho + rho / 2, 1 - value: rho / 2} for value in values)
        return independent_cells(cells, columns=graph.shape[1])
