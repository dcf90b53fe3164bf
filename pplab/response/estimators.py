"""Unbiased estimates of totals from a graph whose cells were flipped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pplab.checks import check_choice, check_flip_probability, check_integer
from pplab.graphs import GraphLike, as_adjacency, as_biadjacency

__all__ = ["Estimate", "estimate_degrees", "estimate_density", "estimate_edges"]


@dataclass(frozen=True)
class Estimate:
    """An estimate with its bias and its variance over the flips, given the true graph."""

    value: Any
    bias: float
    variance: float

    @property
    def standard_deviation(self) -> float:
        """Root of the variance."""
        return float(np.sqrt(self.variance))


def estimate_edges(
    noisy: GraphLike, *, flip_probability: float, unipartite: bool = False
) -> Estimate:
    """Estimate the number of true edges: ``(published - p Q) / (1 - 2p)`` over Q cells.

    Parameters
    ----------
    noisy : csr_array, shape (users, items), or (n, n) with unipartite
        A graph published by ``bipartite_noise_graph`` or ``noise_graph``.
    flip_probability : float
        The p of that release, in [0, 1/2).
    unipartite : bool, default False
        Whether the graph is an undirected graph: Q = n (n - 1) / 2 pairs, each edge counted once.

    Returns
    -------
    Estimate
        ``.value`` edges, ``.bias`` 0, ``.variance`` ``Q p (1 - p) / (1 - 2p)^2``.

    Raises
    ------
    ValueError
        If p is 1/2 (nothing can be learned) or outside [0, 1/2].

    References
    ----------
    Warner 1965, doi 10.1080/01621459.1965.10480775: the estimator of randomized response.

    Examples
    --------
    >>> estimate_edges([[1, 1, 0, 0]], flip_probability=0.25).value
    2.0
    """
    sums, cells = _sums(noisy, unipartite, axis=None)
    return _unflip(float(sums), cells, flip_probability)


def estimate_degrees(
    noisy: GraphLike, *, flip_probability: float, axis: str = "users", unipartite: bool = False
) -> Estimate:
    """Estimate the true degree of every user, item or node.

    Parameters
    ----------
    noisy : csr_array, shape (users, items), or (n, n) with unipartite
        A published graph.
    flip_probability : float
        The p of that release, in [0, 1/2).
    axis : {"users", "items"}
        Whose degrees; of no matter with unipartite.
    unipartite : bool, default False
        Whether the graph is an undirected graph.

    Returns
    -------
    Estimate
        ``.value`` one degree each (may be negative: cutting at 0 would bias it), ``.bias`` 0,
        ``.variance`` of each.

    Raises
    ------
    ValueError
        If p is 1/2 or outside [0, 1/2], or the axis is unknown.

    References
    ----------
    Warner 1965, doi 10.1080/01621459.1965.10480775.

    Examples
    --------
    >>> estimate_degrees([[1, 1, 0, 0], [1, 0, 0, 0]], flip_probability=0.25).value
    array([2., 0.])
    """
    check_choice("axis", axis, ("users", "items"))
    sums, cells = _sums(noisy, unipartite, axis=1 if axis == "users" else 0)
    return _unflip(np.asarray(sums, dtype=float), cells, flip_probability)


def estimate_density(
    noisy: GraphLike, *, flip_probability: float, unipartite: bool = False
) -> Estimate:
    """Estimate the share of cells that are true edges.

    Parameters
    ----------
    noisy : csr_array, shape (users, items), or (n, n) with unipartite
        A published graph.
    flip_probability : float
        The p of that release, in [0, 1/2).
    unipartite : bool, default False
        Whether the graph is an undirected graph.

    Returns
    -------
    Estimate
        ``.value`` a density (may leave [0, 1]: cutting would bias it), ``.bias`` 0, ``.variance``.

    Raises
    ------
    ValueError
        If p is 1/2 or outside [0, 1/2].

    References
    ----------
    Warner 1965, doi 10.1080/01621459.1965.10480775.

    Examples
    --------
    >>> estimate_density([[1, 1, 0, 0]], flip_probability=0.25).value
    0.5
    """
    sums, cells = _sums(noisy, unipartite, axis=None)
    edges = _unflip(float(sums), cells, flip_probability)
    return Estimate(edges.value / cells, 0.0, edges.variance / cells**2)


def _sums(noisy: GraphLike, unipartite: bool, axis: int | None) -> tuple[Any, int]:
    """Published edges (in all or per row or column) and the cells they were drawn from."""
    if unipartite:
        graph = as_adjacency(noisy, name="noisy")
        nodes = check_integer("number of nodes", graph.shape[0], minimum=2)
        if axis is None:
            return graph.nnz // 2, nodes * (nodes - 1) // 2
        return np.diff(graph.indptr), nodes - 1
    graph = as_biadjacency(noisy, name="noisy")
    rows, columns = graph.shape
    if axis is None:
        return graph.nnz, rows * columns
    if axis == 1:
        return np.diff(graph.indptr), columns
    return np.bincount(graph.indices, minlength=columns), rows


def _unflip(published: Any, cells: int, flip_probability: float) -> Estimate:
    p = float(check_flip_probability(flip_probability, below_half=True))
    value = (published - p * cells) / (1 - 2 * p)
    return Estimate(value, 0.0, cells * p * (1 - p) / (1 - 2 * p) ** 2)
