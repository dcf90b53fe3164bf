"""Refine a partition level by level: move vertices as long as that raises the modularity."""

from __future__ import annotations

from collections.abc import Sequence

import numba
import numpy as np
from scipy import sparse

__all__ = ["refined"]

LEAST_GAIN = 1e-9  # in edges; at resolution 1 no gain is less than 1 / (2 edges), so none is lost


def refined(graph: sparse.csr_array, levels: Sequence[np.ndarray], resolution: float) -> np.ndarray:
    """Refine the coarsest of nested partitions, from the coarsest level down to single users.

    At each level the clusters of the next finer partition are the vertices, and at the last one
    the users. Vertices are visited by number, in rounds: each moves to the cluster of a neighbour,
    or to one of its own, where modularity rises most (of equal ones the first neighbour's), until
    a round moves nobody. No move lowers modularity, so neither does the whole.

    Parameters
    ----------
    graph : csr_array, shape (users, users)
        Symmetric, without self-loops, each edge once in each direction.
    levels : sequence of int64 arrays, shape (users,)
        Partitions numbered without gaps, the finest first, each within the next; at least one.
    resolution : float
        Of the modularity.

    Returns
    -------
    int64 array, shape (users,)
        Numbers of the clusters, perhaps with gaps.

    References
    ----------
    Rotta and Noack 2011, Multilevel local search algorithms for modularity clustering,
    doi 10.1145/1963190.1970376: the refinement phase, with greedy moves of single vertices.
    """
    labels = levels[-1]
    for vertices in (*reversed(levels[:-1]), np.arange(graph.shape[0])):
        _, first = np.unique(vertices, return_index=True)
        small = _contracted(graph, vertices)
        own = np.unique(labels[first], return_inverse=True)[1]
        _move_vertices(small, own, resolution)
        labels = own[vertices]
    return labels


def _contracted(graph: sparse.csr_array, vertices: np.ndarray) -> sparse.csr_array:
    """Graph of the clusters: its weights count edges, on the diagonal twice."""
    users = len(vertices)
    member = sparse.csr_array((np.ones(users), vertices, np.arange(users + 1)))
    small = (member.T @ (graph.astype(np.float64) @ member)).tocsr()
    small.sort_indices()
    return small


def _move_vertices(graph: sparse.csr_array, labels: np.ndarray, resolution: float) -> None:
    """Rounds over all vertices, in place, until one of them moves nobody."""
    vertices = len(labels)
    degrees = graph.sum(axis=1)
    totals = np.bincount(labels, weights=degrees, minlength=vertices)
    sizes = np.bincount(labels, minlength=vertices)
    price = resolution / degrees.sum()
    links = np.zeros(vertices)
    csr = graph.indptr.astype(np.int64), graph.indices.astype(np.int64), graph.data
    while _round(*csr, degrees, price, labels, totals, sizes, links):
        pass


@numba.njit(cache=True)
def _round(
    indptr: np.ndarray,
    indices: np.ndarray,
    weights: np.ndarray,
    degrees: np.ndarray,
    price: float,
    labels: np.ndarray,
    totals: np.ndarray,
    sizes: np.ndarray,
    links: np.ndarray,
) -> int:
    """Give each vertex its best cluster, in turn; how many moved. links is all 0 between them."""
    moves = 0
    for vertex in range(len(labels)):
        row = slice(indptr[vertex], indptr[vertex + 1])
        neighbours, counts = indices[row], weights[row]
        for neighbour, count in zip(neighbours, counts):  # noqa: B905 (numba has no strict=)
            if neighbour != vertex:
                links[labels[neighbour]] += count
        home = labels[vertex]
        totals[home] -= degrees[vertex]
        cost = price * degrees[vertex]
        best, most = home, links[home] - cost * totals[home] + LEAST_GAIN
        for neighbour in neighbours:
            cluster = labels[neighbour]
            gain = links[cluster] - cost * totals[cluster]
            if gain > most and cluster != home:
                best, most = cluster, gain
        if most < 0 and sizes[home] > 1:  # nobody's cluster is better than an empty one
            best = np.argmin(sizes)
        for neighbour in neighbours:
            links[labels[neighbour]] = 0
        totals[best] += degrees[vertex]
        sizes[home] -= 1
        sizes[best] += 1
        labels[vertex] = best
        moves += best != home
    return moves
