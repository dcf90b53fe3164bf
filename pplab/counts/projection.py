"""Counts for a person: what a node moves once its edges, or its triangles, are capped.

Two graphs are neighbours for a *node* when they have the same nodes and differ in edges of one node
only. That can mean two things, and each level says which: the node's edges are *removed* (one of
the graphs has none of them), or changed *at will*. At will is two removals, so no pure level is
more than doubled; ``exact_epsilon(unit="node")`` means at will.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize, sparse

from pplab.checks import check_integer
from pplab.counts.statistics import degrees, edges, triangle_list
from pplab.graphs import GraphLike, as_adjacency, from_cell_keys, rows_of_entries


def project_degrees(adjacency: GraphLike, *, theta: int) -> sparse.csr_array:
    """Keep edges, in a fixed public order, while both ends have fewer than theta kept ones.

    Parameters
    ----------
    adjacency : csr_array, shape (n, n), Graph or networkx graph
        Symmetric, without self-loops. The order is that of the pairs (0, 1), (0, 2), ..., (1, 2),
        ...: public like the nodes, and the same for every graph.
    theta : int
        Largest degree of the result, from 1; chosen without looking at the graph.

    Returns
    -------
    csr_array of int32 ones, shape (n, n)

    Raises
    ------
    TypeError, ValueError
        If theta is no such number, or the graph none.

    Notes
    -----
    *What one node moves.* Let G' be G without the edges of node v. Run through the pairs in order
    for both graphs, and look at D, the sum over all nodes w other than v of the absolute difference
    of w's two degrees so far. (1) A kept edge of v raises D by at most 1, and at most t <= theta
    such edges are kept. (2) An edge without v is offered to both. Kept by both or by none, it
    changes nothing. Kept in one only, it has an end that is full in the other and not yet full in
    this one: there the difference falls by 1; at its other end it grows by at most 1. So D grows
    in (1) only, and ``D <= t <= theta`` at the end.

    *Edges*: twice their difference is t plus a sum of differences between -t and t, so G has 0 to
    theta kept edges more than G'. Two graphs that differ at v at will have both 0 to theta more
    than their common G': sensitivity **theta, removed and at will**.

    *Degree histogram* (nodes of degree 1 to theta): at most t nodes other than v change their
    degree, each moves the histogram by at most 2; v itself, of degree 0 in G', enters one bin:
    **2 theta + 1, removed**. The nodes that move leave bins with a total of at most t
    and enter bins with at most t + 1: in the Euclidean norm at most the root of
    ``theta**2 + (theta + 1)**2``. *At will*, with t and t' kept edges of v: at most t + t' other
    nodes change, and v moves the histogram by at most 2, if t and t' differ; then
    ``t + t' <= 2 theta - 1``. Either way **4 theta, at will**. As many
    bins are left as entered (where t or t' is 0 it is a removal), so at most ``sqrt(8) theta``
    in the Euclidean norm.

    *Triangles*: nothing like it holds. One edge of v can begin a chain of edges, each kept in one
    of the graphs only, as long as the graph. Use `capped_triangles`.

    References
    ----------
    Day, Li and Lyu 2016, doi 10.1145/2882903.2926745.

    Examples
    --------
    >>> star = [[0, 1, 1, 1], [1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]
    >>> project_degrees(star, theta=2).toarray().tolist()
    [[0, 1, 1, 0], [1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]]
    """
    check_integer("theta", theta, minimum=1)
    graph = as_adjacency(adjacency)
    nodes, rows = graph.shape[0], rows_of_entries(graph)
    upper = graph.indices > rows
    pairs = zip(rows[upper].tolist(), graph.indices[upper].tolist(), strict=True)
    kept = np.array(kept_edges(pairs, nodes, theta), dtype=np.int64).reshape(-1, 2)
    keys = np.sort(np.concatenate([kept @ [nodes, 1], kept @ [1, nodes]]))
    return from_cell_keys(keys, np.ones(len(keys), dtype=np.int32), graph.shape)


def kept_edges(pairs: Iterable[tuple[int, int]], nodes: int, theta: int) -> list[tuple[int, int]]:
    """Run through edges that come in the public order."""
    degree, kept = [0] * nodes, []
    for i, j in pairs:
        if degree[i] < theta and degree[j] < theta:
            degree[i] += 1
            degree[j] += 1
            kept.append((i, j))
    return kept


def capped_triangles(adjacency: GraphLike, *, theta: int) -> float:
    """Largest number of triangles, counted in parts, with theta (theta - 1) / 2 at each node.

    Parameters
    ----------
    adjacency : csr_array, shape (n, n), Graph or networkx graph
        Symmetric, without self-loops.
    theta : int
        From 2; chosen without looking at the graph. A node of degree at most theta is in at most
        ``theta (theta - 1) / 2`` triangles, so with theta from the largest degree on all count in
        full.

    Returns
    -------
    float
        The optimum of a linear program, right to the tolerance of its solver (1e-7 of a
        constraint; an exact level would need an exact solver).

    Raises
    ------
    TypeError, ValueError
        If theta is no such number, or the graph none.

    Notes
    -----
    Each triangle gets a weight in [0, 1]; the weights of the triangles at one node sum to at most
    ``c = theta (theta - 1) / 2``; the result f is the largest sum of weights.

    *What one node moves.* Let G' be G without the edges of node v. Weights for G' are weights for
    G, the triangles at v getting 0: f(G') <= f(G). Weights for G without those at v are weights for
    G', and those at v sum to at most c: f(G) <= f(G') + c. Two graphs that differ at v at will have
    both 0 to c more than their common G'. So the sensitivity is **c, removed and at will**.

    A node in at most c triangles binds nothing. Triangles with the same binding nodes are alike, so
    they share one variable, and those without binding nodes count in full.

    References
    ----------
    Kasiviswanathan, Nissim, Raskhodnikova and Smith 2013, doi 10.1007/978-3-642-36594-2_26.

    Examples
    --------
    >>> complete = np.ones((4, 4)) - np.eye(4)
    >>> capped_triangles(complete, theta=3), round(capped_triangles(complete, theta=2), 6)
    (4.0, 1.333333)
    """
    check_integer("theta", theta, minimum=2)
    graph, cap = as_adjacency(adjacency), int(theta) * (int(theta) - 1) // 2
    nodes, trios = graph.shape[0], triangle_list(graph)
    binds = np.bincount(trios.ravel(), minlength=nodes) > cap
    members = np.where(binds[trios], trios, nodes)  # the number n stands for a node that binds not
    some = (members < nodes).any(axis=1)
    free = int((~some).sum())
    if not some.any():
        return float(free)
    kinds, sizes = np.unique(np.sort(members[some], axis=1), axis=0, return_counts=True)
    places = np.nonzero(kinds < nodes)
    rows = np.searchsorted(np.flatnonzero(binds), kinds[places])
    shape = (int(binds.sum()), len(kinds))
    table = sparse.csr_array((np.ones(len(rows)), (rows, places[0])), shape=shape)
    caps, bounds = np.full(shape[0], cap), np.stack([np.zeros(len(sizes)), sizes], axis=1)
    solved = optimize.linprog(-np.ones(len(kinds)), A_ub=table, b_ub=caps, bounds=bounds)
    if solved.status:
        raise RuntimeError(f"the linear program was not solved: {solved.message}")
    return free - float(solved.fun)


# The counts for a node, each with the proof of its move above.


@dataclass(frozen=True)
class CappedCount:
    """A count of a graph under a cap theta, and how far one node moves it.

    Attributes
    ----------
    of : callable
        Takes a checked adjacency and theta.
    moves : callable
        Takes theta and whether edges are only removed; absolute changes summed, and Euclidean.
    theta : int
        Least theta.
    whole : bool
        Whether the count is of whole numbers.
    """

    of: Callable[..., Any]
    moves: Callable[[int, bool], tuple[int, float]]
    theta: int = 1
    whole: bool = True


def _edges(graph: sparse.csr_array, *, theta: int) -> int:
    return edges(project_degrees(graph, theta=theta))


def _degrees(graph: sparse.csr_array, *, theta: int) -> np.ndarray:
    sequence = degrees(project_degrees(graph, theta=theta))[:theta]
    return np.concatenate([sequence, np.zeros(theta - len(sequence), dtype=np.int64)])


def _moves_of_degrees(theta: int, removed: bool) -> tuple[int, float]:
    if removed:
        return 2 * theta + 1, math.hypot(theta, theta + 1)
    return 4 * theta, math.sqrt(8) * theta


def _moves_of_triangles(theta: int, _removed: bool) -> tuple[int, float]:
    return math.comb(theta, 2), float(math.comb(theta, 2))


CAPPED = {
    "edges": CappedCount(_edges, lambda theta, _: (theta, float(theta))),
    "degrees": CappedCount(_degrees, _moves_of_degrees),
    "triangles": CappedCount(capped_triangles, _moves_of_triangles, theta=2, whole=False),
}
