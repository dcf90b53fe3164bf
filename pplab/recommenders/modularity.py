"""Modularity: how many more edges lie inside clusters than the degrees alone would put there."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from pplab.checks import check_partition
from pplab.graphs import GraphLike, rows_of_entries
from pplab.recommenders.social_graph import as_social

__all__ = ["modularity", "modularity_of_csr"]


def modularity(social: GraphLike, labels: np.ndarray) -> float:
    """Measure how well a partition of the users fits their graph.

    The share of the edges that lie inside a cluster, less the share that would lie there if the
    edges were dealt out anew among users who keep their degrees.

    Parameters
    ----------
    social : graph, users x users
        Undirected, without weights and self-loops, with at least one edge.
    labels : int array, shape (users,)
        Cluster of each user, numbered from 0 without gaps.

    Returns
    -------
    float
        In [-1/2, 1).

    Raises
    ------
    TypeError, ValueError
        If the graph has weights, self-loops, no edges or is not symmetric, or if labels are no
        partition of its users.

    Notes
    -----
    With m edges, m_c of them inside cluster c, and D_c the sum of the degrees in c::

        sum over c of  m_c / m - (D_c / 2m)^2

    Equation 8 of Jorgensen and Yu 2014 prints m_c / 2m as its first term. With m_c the number of
    edges inside c that halves the first term: all users in one cluster then have -1/2 instead of 0.

    References
    ----------
    Newman and Girvan 2004, Finding and evaluating community structure in networks,
    doi 10.1103/PhysRevE.69.026113. Jorgensen and Yu 2014, A
    privacy-preserving framework for personalized, social recommendations, EDBT 2014,
    doi 10.5441/002/edbt.2014.51, equation 8.

    Examples
    --------
    Two triangles with one edge between them:

    >>> import networkx as nx
    >>> graph = nx.Graph([(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)])
    >>> round(modularity(graph, [0, 0, 0, 1, 1, 1]), 4)
    0.3571
    >>> modularity(graph, [0, 0, 0, 0, 0, 0])
    0.0
    """
    graph = as_social(social)
    if not graph.nnz:
        raise ValueError(
            "social must have at least one edge, got none; a share of no edges is not defined"
        )
    return modularity_of_csr(graph, check_partition(labels, graph.shape[0]), 1.0)


def modularity_of_csr(graph: sparse.csr_array, labels: np.ndarray, resolution: float) -> float:
    """Compute the modularity of checked arguments, from whole numbers up to the last step.

    The resolution weighs the expected share (Reichardt and Bornholdt 2006,
    doi 10.1103/PhysRevE.74.016110): more favours smaller clusters.
    """
    ends = graph.nnz
    inside = np.count_nonzero(labels[rows_of_entries(graph)] == labels[graph.indices])
    degree_sums = np.bincount(labels, weights=np.diff(graph.indptr))
    return float(inside / ends - resolution * (np.square(degree_sums).sum() / ends**2))
