"""Slow twins of the similarities, written from the definitions, and small random graphs."""

from itertools import pairwise, permutations, product
from math import log

import numpy as np
from hypothesis import strategies as st

MEASURES = ("cn", "gd", "aa", "katz", "jaccard", "resource-allocation")


@st.composite
def graphs(draw, least=2, most=7):
    """Adjacency of an undirected graph, as a list of lists."""
    size = draw(st.integers(least, most))
    graph = [[0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i):
            graph[i][j] = graph[j][i] = draw(st.integers(0, 1))
    return graph


def random_graph(size, links, seed):
    """A graph with about so many links, some users of high degree, some isolated."""
    rng = np.random.default_rng(seed)
    ends = (size * rng.random((links, 2)) ** 2).astype(int)
    graph = np.zeros((size, size), dtype=np.int8)
    graph[ends[:, 0], ends[:, 1]] = graph[ends[:, 1], ends[:, 0]] = 1
    np.fill_diagonal(graph, 0)
    return graph


def distance(graph, u, v):
    """Length of the shortest path, by growing a ball; None where there is no path."""
    ball, steps = {u}, 0
    while v not in ball:
        larger = ball | {y for x in ball for y in range(len(graph)) if graph[x][y]}
        if larger == ball:
            return None
        ball, steps = larger, steps + 1
    return steps


def count_paths(graph, u, v, length, paths):
    """Sequences of nodes from u to v along edges; simple ones name no node twice."""
    nodes = range(len(graph))
    between = permutations if paths == "simple" else lambda n, r: product(n, repeat=r)
    routes = [(u, *middle, v) for middle in between(nodes, length - 1)]
    if paths == "simple":
        routes = [route for route in routes if len(set(route)) == len(route)]
    return sum(all(graph[a][b] for a, b in pairwise(r)) for r in routes)


def slow_pair(graph, u, v, measure, paths):
    near = [{y for y, edge in enumerate(row) if edge} for row in graph]
    both, either = near[u] & near[v], near[u] | near[v]
    if measure == "cn":
        return len(both)
    if measure == "jaccard":
        return len(both) / len(either) if either else 0
    if measure == "aa":
        return sum(1 / log(len(near[x])) for x in both if len(near[x]) > 1)
    if measure == "resource-allocation":
        return sum(1 / len(near[x]) for x in both)
    if measure == "gd":
        return {0: 1, 1: 1, 2: 0.5}.get(distance(graph, u, v), 0)
    return sum(0.05**n * count_paths(graph, u, v, n, paths) for n in (1, 2, 3))


def slow_similarity(graph, measure, *, self_similarity=False, paths="simple"):
    size = len(graph)
    return np.array(
        [
            [
                slow_pair(graph, u, v, measure, paths) if self_similarity or u != v else 0
                for v in range(size)
            ]
            for u in range(size)
        ],
        dtype=float,
    )
