"""Small random social graphs."""

import numpy as np
from hypothesis import strategies as st


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
