"""Variables of the linear programme over mechanisms: pairs of graphs, by symmetry."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np

__all__ = ["Orbits", "orbits", "similarities"]


@dataclass(frozen=True)
class Orbits:
    """Classes of pairs (input graph, output graph) that share one probability.

    Attributes
    ----------
    inputs : int64 array
        For each class, the number of its input (here its number of edges).
    edges : int64 array
        Edges of the inputs in each class.
    similarity : float64 array
        Jaccard similarity of input and output.
    outputs : float64 array
        Outputs that one input has in the class.
    neighbours : int64 array, shape (pairs, 2)
        Classes of one output under two inputs that differ in one cell.
    places : int64 array, shape (2^cells, 2^cells)
        Class of every pair of graphs, written as bits of their cells.
    """

    inputs: np.ndarray
    edges: np.ndarray
    similarity: np.ndarray
    outputs: np.ndarray
    neighbours: np.ndarray
    places: np.ndarray


def similarities(cells: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Edges of all graphs on so many cells, shared edges and similarities of all their pairs."""
    graphs = np.arange(2**cells)
    edges = np.bitwise_count(graphs).astype(np.int64)
    shared = np.bitwise_count(graphs[:, None] & graphs).astype(np.int64)
    union = edges[:, None] + edges - shared
    similarity = np.where(union == 0, 1.0, shared / np.maximum(union, 1))
    return edges, shared, similarity


def orbits(cells: int) -> Orbits:
    """Pairs of graphs up to the order of the cells: edges of input and output, and shared ones."""
    keys = [
        (given, told, shared)
        for given in range(cells + 1)
        for told in range(cells + 1)
        for shared in range(max(0, given + told - cells), min(given, told) + 1)
    ]
    number = {key: place for place, key in enumerate(keys)}
    neighbours = []
    for place, (given, told, shared) in enumerate(keys):
        # One more edge in the input, at a cell outside it: inside the output or outside it.
        if given < cells and told > shared:
            neighbours.append((place, number[given + 1, told, shared + 1]))
        if given < cells and cells - given > told - shared:
            neighbours.append((place, number[given + 1, told, shared]))
    table = np.zeros((cells + 1, cells + 1, cells + 1), dtype=np.int64)
    for key, place in number.items():
        table[key] = place
    edges, both, _ = similarities(cells)
    sizes = np.array([key[0] for key in keys])
    return Orbits(
        inputs=sizes,
        edges=sizes,
        similarity=np.array([s / (g + t - s) if g + t else 1.0 for g, t, s in keys]),
        outputs=np.array([float(comb(g, s) * comb(cells - g, t - s)) for g, t, s in keys]),
        neighbours=np.array(neighbours, dtype=np.int64).reshape(-1, 2),
        places=table[edges[:, None], edges, both],
    )
