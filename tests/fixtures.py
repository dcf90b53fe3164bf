"""Tiny named graphs, each with its counts, so that a test can say what it expects by hand."""

import numpy as np
import pytest
from scipy import sparse

__all__ = ["bigraph_6x8", "disconnected", "empty_graph", "path_of_4"]


def _undirected(nodes, edges):
    adjacency = np.zeros((nodes, nodes), dtype=np.int8)
    for one, other in edges:
        adjacency[one, other] = adjacency[other, one] = 1
    return sparse.csr_array(adjacency)


@pytest.fixture
def path_of_4():
    """Path 0 - 1 - 2 - 3: 4 nodes, 3 edges (6 stored cells), degrees 1, 2, 2, 1, density 1/2."""
    return _undirected(4, [(0, 1), (1, 2), (2, 3)])


@pytest.fixture
def bigraph_6x8():
    """Users x items, 6 x 8: 18 edges of 48 cells, density 3/8.

    User degrees 4, 4, 4, 4, 2, 0; item degrees 3, 2, 2, 2, 3, 2, 2, 2. Users 0 and 1 have equal
    rows, and so have 2 and 3; user 4 likes one item of either half, user 5 none.
    """
    likes = [
        [1, 1, 1, 1, 0, 0, 0, 0],
        [1, 1, 1, 1, 0, 0, 0, 0],
        [0, 0, 0, 0, 1, 1, 1, 1],
        [0, 0, 0, 0, 1, 1, 1, 1],
        [1, 0, 0, 0, 1, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0],
    ]
    return sparse.csr_array(np.array(likes, dtype=np.int8))


@pytest.fixture
def empty_graph():
    """Five nodes and no edge: 0 stored cells, every degree 0, density 0."""
    return sparse.csr_array((5, 5), dtype=np.int8)


@pytest.fixture
def disconnected():
    """Triangle 0 1 2, edge 3 - 4, lone node 5: 6 nodes, 4 edges (8 stored cells), 3 components.

    Degrees 2, 2, 2, 1, 1, 0.
    """
    return _undirected(6, [(0, 1), (0, 2), (1, 2), (3, 4)])
