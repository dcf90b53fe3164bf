"""Exact mean and spread of the edge counts of a noise graph and of what is published."""

from __future__ import annotations

import math
from typing import Any

__all__ = ["edge_counts"]

Row = dict[str, Any]


def edge_counts(*, p: float, cells: int, edges: int, reading: str) -> list[Row]:
    """Law of the two counts that the paper's tables print, as sums of independent flips.

    Parameters
    ----------
    p : float
        Flip probability.
    cells, edges : int
        Cells of the users x items matrix and edges of the original graph.
    reading : str
        How the number of cells was read.

    Returns
    -------
    list of dict
        Noise edges, and published edges read as symmetric difference (Definition 1, a true edge
        that is hit vanishes) and as union (Definition 8, it stays).
    """
    flip_variance = p * (1 - p)
    empty = cells - edges

    def row(quantity: str, how: str, mean: float, flips: int) -> Row:
        name = ", ".join(filter(None, (reading, how)))
        sd = math.sqrt(flips * flip_variance)
        return {"p": p, "quantity": quantity, "reading": name, "value": mean, "sd": sd}

    return [
        row("noise_edges", "", p * cells, cells),
        row("published_edges", "symmetric difference", edges + p * (empty - edges), cells),
        row("published_edges", "union", edges + p * empty, empty),
    ]
