"""An unbiased estimate of the edges of a graph whose cells were flipped."""

from __future__ import annotations

from dataclasses import dataclass

from pplab.checks import check_flip_probability
from pplab.graphs import GraphLike, as_biadjacency


@dataclass(frozen=True)
class Estimate:
    """An estimate with its bias and its variance over the flips, given the true graph."""

    value: float
    bias: float
    variance: float


def estimate_edges(noisy: GraphLike, *, flip_probability: float) -> Estimate:
    """Estimate the number of true edges: ``(published - p Q) / (1 - 2p)`` over Q cells.

    Parameters
    ----------
    noisy : csr_array, shape (users, items), or other graph
        A graph published by ``bipartite_noise_graph``.
    flip_probability : float
        The p of that release, in [0, 1/2).

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
    graph = as_biadjacency(noisy, name="noisy")
    cells = graph.shape[0] * graph.shape[1]
    p = float(check_flip_probability(flip_probability, below_half=True))
    value = (float(graph.nnz) - p * cells) / (1 - 2 * p)
    return Estimate(value, 0.0, cells * p * (1 - p) / (1 - 2 * p) ** 2)
