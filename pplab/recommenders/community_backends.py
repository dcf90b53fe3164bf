"""Programs that find communities: each gets a numbered graph and gives nested partitions of it.

Each also says what modularity it sees, by its own count and on the graph it was given. Held
against ours on the original graph, that tells whether its labels came back to the right users.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import community
import networkx as nx
import numpy as np
from scipy import sparse

from pplab.checks import check_installed
from pplab.graphs import rows_of_entries

__all__ = ["BACKENDS", "Found"]


@dataclass(frozen=True)
class Found:
    """What a program found.

    Attributes
    ----------
    levels : list of int64 arrays, shape (users,)
        Nested partitions, the finest first; the last one is the result.
    modularity : float
        Of the last one at resolution 1, by the program's own count.
    """

    levels: list[np.ndarray]
    modularity: float


def python_louvain(graph: sparse.csr_array, resolution: float, seed: int) -> Found:
    """Louvain in Python, on a networkx graph."""
    network = nx.Graph()
    network.add_nodes_from(range(graph.shape[0]))
    network.add_edges_from(_edges(graph).tolist())
    # Its resolution weighs the edges, ours what is expected of them: one is the other's inverse.
    dendrogram = community.generate_dendrogram(
        network, resolution=1 / resolution, random_state=np.random.RandomState(seed)
    )
    levels: list[np.ndarray] = []
    for partition in dendrogram:
        step = np.array([partition[vertex] for vertex in range(len(partition))])
        levels.append(step[levels[-1]] if levels else step)
    said = community.modularity(dict(enumerate(levels[-1].tolist())), network)
    return Found(levels, said)


def igraph_multilevel(graph: sparse.csr_array, resolution: float, seed: int) -> Found:
    """Louvain in C."""
    return _with_igraph(graph, seed, "community_multilevel", resolution, return_levels=True)


def igraph_leiden(graph: sparse.csr_array, resolution: float, seed: int) -> Found:
    """Leiden in C."""
    kind = {"objective_function": "modularity"}
    return _with_igraph(graph, seed, "community_leiden", resolution, **kind)


def scikit_network(graph: sparse.csr_array, resolution: float, seed: int) -> Found:
    """Louvain in Cython, with stops finer than its default (its float32 allows no finer ones)."""
    clustering = check_installed("scikit-network", module="sknetwork.clustering", extra="fast")
    matrix = sparse.csr_matrix(graph.astype(np.float64))  # it does not know sparse arrays
    program = clustering.Louvain(
        resolution=resolution,
        modularity="newman",
        tol_optimization=1e-5,
        tol_aggregation=1e-5,
        return_probs=False,
        return_aggregate=False,
        random_state=seed,
    )
    labels = np.asarray(program.fit_predict(matrix), dtype=np.int64)
    return Found([labels], clustering.get_modularity(matrix, labels))


def _with_igraph(
    graph: sparse.csr_array, seed: int, method: str, resolution: float, **options: object
) -> Found:
    """Run a method of igraph with a generator of our own, then give it back Python's."""
    igraph = check_installed("igraph", module="igraph", extra="fast")
    network = igraph.Graph(n=graph.shape[0], edges=_edges(graph))
    igraph.set_random_number_generator(random.Random(seed))
    try:
        found = getattr(network, method)(resolution=resolution, **options)
    finally:
        igraph.set_random_number_generator(random)
    partitions = found if isinstance(found, list) else [found]
    levels = [np.array(partition.membership, dtype=np.int64) for partition in partitions]
    return Found(levels, network.modularity(levels[-1].tolist()))


def _edges(graph: sparse.csr_array) -> np.ndarray:
    """Edges, each once, sorted."""
    rows, columns = rows_of_entries(graph), graph.indices
    return np.column_stack([rows, columns])[rows < columns].astype(np.int64)


BACKENDS: dict[str, Callable[[sparse.csr_array, float, int], Found]] = {
    "python-louvain": python_louvain,
    "igraph": igraph_multilevel,
    "leiden": igraph_leiden,
    "scikit-network": scikit_network,
}
