"""Noise graphs and their addition: the two halves of the noise-graph mechanism, apart."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from pplab.cells import from_cell_keys, paired_values
from pplab.checks import as_rng, check_flip_probability, check_integer
from pplab.graphs import GraphLike, as_aligned
from pplab.response.noise_graph import BipartiteNoiseGraph, NoiseGraph

__all__ = ["add_graphs", "bipartite_gilbert_graph", "gilbert_graph"]


def add_graphs(left: GraphLike, right: GraphLike) -> sparse.csr_array:
    """Add two graphs on the same nodes: the edges that are in exactly one of them.

    Parameters
    ----------
    left, right : csr_array of one shape, or other graphs
        Adjacencies or biadjacencies; stored entries are edges.

    Returns
    -------
    csr_array of int8 ones
        The symmetric difference of the edge sets.

    Raises
    ------
    ValueError
        If the shapes differ.

    References
    ----------
    Salas and Torra 2020, Definition 1, doi 10.5220/0009833804150422.

    Examples
    --------
    >>> add_graphs([[1, 1, 0]], [[0, 1, 1]]).toarray()
    array([[1, 0, 1]], dtype=int8)
    """
    graphs = as_aligned(left=left, right=right)
    keys, one, other = paired_values(*graphs, absent=np.nan)
    alone = keys[np.isnan(one) | np.isnan(other)]
    return from_cell_keys(alone, np.ones(len(alone), dtype=np.int8), graphs[0].shape)


def gilbert_graph(
    nodes: int, *, flip_probability: float, rng: int | np.random.Generator | None = None
) -> sparse.csr_array:
    """Draw a Gilbert graph G(n, p): each pair of n nodes is an edge with probability p.

    Parameters
    ----------
    nodes : int
        n, at least 1.
    flip_probability : float
        p in [0, 1/2].
    rng : int, Generator or None
        Seed or generator; adding this graph is what ``noise_graph`` does for the same seed.

    Returns
    -------
    csr_array of int8 ones, shape (n, n)

    Raises
    ------
    TypeError, ValueError
        If n is no positive integer or p leaves [0, 1/2].

    References
    ----------
    Salas and Torra 2020, Definition 2, doi 10.5220/0009833804150422.

    Examples
    --------
    >>> gilbert_graph(4, flip_probability=0.5, rng=1).shape
    (4, 4)
    """
    size = check_integer("nodes", nodes, minimum=1)
    check_flip_probability(flip_probability)
    nothing = sparse.csr_array((size, size), dtype=np.int8)
    return NoiseGraph(flip_probability).sample(nothing, rng=as_rng(rng))


def bipartite_gilbert_graph(
    users: int,
    items: int,
    *,
    flip_probability: float,
    rng: int | np.random.Generator | None = None,
) -> sparse.csr_array:
    """Draw a bipartite noise graph G(n, m, p): each of n x m cells is an edge with probability p.

    Parameters
    ----------
    users, items : int
        n and m, at least 1.
    flip_probability : float
        p in [0, 1/2].
    rng : int, Generator or None
        Seed or generator; adding this graph is what ``bipartite_noise_graph`` does for the same
        seed.

    Returns
    -------
    csr_array of int8 ones, shape (n, m)

    Raises
    ------
    TypeError, ValueError
        If n or m is no positive integer or p leaves [0, 1/2].

    References
    ----------
    Salas and Torra 2020, Section 2.1, doi 10.5220/0009833804150422.

    Examples
    --------
    >>> bipartite_gilbert_graph(2, 3, flip_probability=0.0).nnz
    0
    """
    shape = (check_integer("users", users, minimum=1), check_integer("items", items, minimum=1))
    check_flip_probability(flip_probability)
    nothing = sparse.csr_array(shape, dtype=np.int8)
    return BipartiteNoiseGraph(flip_probability).sample(nothing, rng=as_rng(rng))
