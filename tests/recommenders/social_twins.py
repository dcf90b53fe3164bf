"""Small random social graphs."""

import numpy as np
from hypothesis import strategies as st

from tests.helpers import mirrored


@st.composite
def graphs(draw, least=2, most=7):
    """Adjacency of an undirected graph, as a list of lists."""
    size = draw(st.integers(least, most))
    cells = st.lists(st.integers(0, 1), min_size=size**2, max_size=size**2)
    return mirrored(np.reshape(draw(cells), (size, size))).tolist()


def random_graph(size, links, seed):
    """A graph with about so many links, some users of high degree, some isolated."""
    rng = np.random.default_rng(seed)
    ends = (size * rng.random((links, 2)) ** 2).astype(int)
    graph = np.zeros((size, size), dtype=np.int8)
    graph[ends[:, 0], ends[:, 1]] = graph[ends[:, 1], ends[:, 0]] = 1
    np.fill_diagonal(graph, 0)
    return graph
