"""Mechanisms on a few cells as tables of probabilities: their worst mean and their level."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from scipy import special

from pplab.checks import check_integer, check_level_from_zero
from pplab.theory.mechanism_orbits import similarities

__all__ = ["check_mechanism", "edge_level", "response_probabilities", "worst_case_jaccard"]


def worst_case_jaccard(probabilities: Any, *, edges: Iterable[int] | None = None) -> float:
    """Mean Jaccard similarity of a mechanism in the worst graph.

    Parameters
    ----------
    probabilities : array, shape (2^cells, 2^cells)
        Row: input graph, column: published graph, both as numbers whose bits are the cells.
    edges : iterable of int, optional
        Only graphs of these numbers of edges count.

    Returns
    -------
    float

    Raises
    ------
    TypeError, ValueError
        If the table is no table of probabilities, or no graph is left.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.3, arXiv 2207.06358.

    Examples
    --------
    >>> round(worst_case_jaccard(response_probabilities(3, math.log(3))), 2)
    0.42
    """
    table, cells = check_mechanism(probabilities)
    counts, _, similarity = similarities(cells)
    means = (table * similarity).sum(axis=1)
    asked = np.ones(len(means), bool) if edges is None else np.isin(counts, list(edges))
    if not asked.any():
        raise ValueError(f"edges must name a count from 0 to {cells}, got {edges!r}")
    return float(means[asked].min())


def edge_level(probabilities: Any) -> float:
    """Exact level of a mechanism: the largest log ratio under two graphs that differ in a cell.

    Parameters
    ----------
    probabilities : array, shape (2^cells, 2^cells)
        As for ``worst_case_jaccard``.

    Returns
    -------
    float
        Infinity where an output excludes a graph.

    Raises
    ------
    TypeError, ValueError
        If the table is no table of probabilities.

    Examples
    --------
    >>> round(edge_level(response_probabilities(2, 1.5)), 6)
    1.5
    """
    table, cells = check_mechanism(probabilities)
    graphs = np.arange(len(table))
    worst = 0.0
    for cell in range(cells):
        other = table[graphs ^ (1 << cell)]
        some = table > 0
        if (some & (other == 0)).any():
            return math.inf
        worst = max(worst, float((np.log(table[some]) - np.log(other[some])).max()))
    return worst


def response_probabilities(cells: int, epsilon: float) -> np.ndarray:
    """Table of randomized response on so many cells.

    Parameters
    ----------
    cells : int
        From 1 to 6.
    epsilon : float
        Level of one edge, in [0, inf).

    Returns
    -------
    float64 array, shape (2^cells, 2^cells)
        As for ``worst_case_jaccard``.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Algorithm 1, arXiv 2207.06358.

    Examples
    --------
    >>> response_probabilities(1, math.log(3)).round(2)
    array([[0.75, 0.25], [0.25, 0.75]])
    """
    cells = check_integer("cells", cells, minimum=1, maximum=6)
    level = check_level_from_zero(epsilon)
    graphs = np.arange(2**cells)
    flips = np.bitwise_count(graphs[:, None] ^ graphs).astype(float)
    stay, leave = special.expit(level), special.expit(-level)
    return stay ** (cells - flips) * leave**flips


def check_mechanism(probabilities: Any) -> tuple[np.ndarray, int]:
    """Table of probabilities over the graphs on some cells, and the number of cells."""
    table = np.asarray(probabilities, dtype=float)
    cells = int(table.shape[0]).bit_length() - 1 if table.ndim == 2 else 0
    if cells < 1 or table.shape != (2**cells, 2**cells):
        raise ValueError(
            f"probabilities must have shape (2^cells, 2^cells), got {table.shape}; "
            "pass a row for each graph and a column for each output"
        )
    if not ((table >= 0).all() and (np.abs(table.sum(axis=1) - 1) < 1e-6).all()):
        raise ValueError(
            "probabilities must be at least 0 and sum to 1 in each row, got a row that does not; "
            "divide each row by its sum"
        )
    return table, cells
