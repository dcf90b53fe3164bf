"""Edges, degrees and triangles of a graph, and how far one edge moves them.

Two graphs are neighbours for an *edge* when they have the same nodes and differ in one edge. The
*global* sensitivity is the farthest that a count moves between any two neighbours, the *local* one
between this graph and its neighbours.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from pplab.checks import check_choice, check_integer
from pplab.compiled import njit
from pplab.graphs import Array, GraphLike, as_adjacency, rows_of_entries


def edges(graph: sparse.csr_array) -> int:
    """Count the edges of a checked adjacency."""
    return graph.nnz // 2


def degrees(graph: sparse.csr_array) -> np.ndarray:
    """Count the nodes of degree 1, 2, ..., n - 1; those of degree 0 are what n leaves over."""
    nodes = graph.shape[0]
    return np.bincount(np.diff(graph.indptr), minlength=nodes)[1:nodes]


def triangles(graph: sparse.csr_array) -> int:
    """Count the triangles of a checked adjacency."""
    return int(_triangles(graph.indptr, graph.indices, np.empty((0, 3), dtype=np.int64)))


@dataclass(frozen=True)
class Count:
    """A count of a graph on n nodes, how far one edge moves it, and how large it can be.

    Attributes
    ----------
    of : callable
        Takes a checked adjacency.
    l1, l2 : callable
        Global sensitivity for an edge, as a function of n: absolute changes summed, and Euclidean.
    most : callable
        Largest value that an entry can have, as a function of n.
    """

    of: Callable[[sparse.csr_array], Any]
    l1: Callable[[int], int]
    l2: Callable[[int], float]
    most: Callable[[int], int]


COUNTS = {
    "edges": Count(edges, lambda _: 1, lambda _: 1.0, lambda n: math.comb(n, 2)),
    "degrees": Count(degrees, lambda _: 4, lambda _: math.sqrt(8), lambda n: n),
    "triangles": Count(triangles, lambda n: n - 2, lambda n: n - 2.0, lambda n: math.comb(n, 3)),
}


def triangle_list(graph: sparse.csr_array) -> np.ndarray:
    """List all triangles i < j < k of a checked adjacency: int64 array, shape (triangles, 3).

    Examples
    --------
    >>> triangle_list(as_adjacency([[0, 1, 1], [1, 0, 1], [1, 1, 0]])).tolist()
    [[0, 1, 2]]
    """
    trios = np.empty((triangles(graph), 3), dtype=np.int64)
    _triangles(graph.indptr, graph.indices, trios)
    return trios


@njit()
def _triangles(indptr: Array, indices: Array, trios: Array) -> int:
    """Fill trios with the triangles i < j < k in order, as far as it reaches; give their number."""
    nodes, count = len(indptr) - 1, 0
    mark = np.full(nodes, -1, dtype=np.int64)
    for i in range(nodes):
        for entry in range(indptr[i], indptr[i + 1]):
            mark[indices[entry]] = i
        for entry in range(indptr[i], indptr[i + 1]):
            j = indices[entry]
            if j < i:
                continue
            for other in range(indptr[j], indptr[j + 1]):
                k = indices[other]
                if k > j and mark[k] == i:
                    if count < len(trios):
                        trios[count, 0], trios[count, 1], trios[count, 2] = i, j, k
                    count += 1
    return count


def local_sensitivity(adjacency: GraphLike, *, count: str) -> int:
    """Largest change of a count by one edge of this graph.

    It depends on the graph, so it tells of the graph: noise scaled to it keeps no promise.

    Parameters
    ----------
    adjacency : csr_array, shape (n, n), Graph or networkx graph
        Symmetric, without self-loops; n from 2.
    count : {"edges", "triangles"}

    Returns
    -------
    int

    Raises
    ------
    TypeError, ValueError
        If the graph is none, or the count unknown.

    Notes
    -----
    An edge more or less between i and j moves the triangles by the neighbours that i and j have in
    common, whether or not they are joined: the local sensitivity is the most of them of any pair.

    References
    ----------
    Nissim, Raskhodnikova and Smith 2007, Section 3.2, doi 10.1145/1250790.1250803.

    Examples
    --------
    >>> square = [[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]]
    >>> local_sensitivity(square, count="triangles")
    2
    """
    check_choice("count", count, ("edges", "triangles"))
    graph = as_adjacency(adjacency)
    check_integer("number of nodes of adjacency", graph.shape[0], minimum=2)
    return 1 if count == "edges" else _most_in_common(graph)


_ROWS = 2048  # of nodes whose common neighbours with all others are held at once


def _most_in_common(graph: sparse.csr_array) -> int:
    """Largest number of common neighbours of two nodes."""
    most, counted = 0, graph.astype(np.int64)
    for first in range(0, graph.shape[0], _ROWS):
        common = counted[first : first + _ROWS] @ counted
        other = rows_of_entries(common) + first != common.indices
        most = max(most, int(common.data[other].max(initial=0)))
    return most
