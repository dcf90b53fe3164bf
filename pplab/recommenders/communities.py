"""Communities of a social graph: the best of several random orders of the users."""

from __future__ import annotations

import math

import numpy as np
from scipy import sparse

from pplab.checks import as_rng, check_choice, check_flag, check_integer, check_positive
from pplab.graphs import GraphLike
from pplab.recommenders.community_backends import BACKENDS
from pplab.recommenders.modularity import modularity_of_csr
from pplab.recommenders.refinement import refined
from pplab.recommenders.social_graph import as_social

__all__ = ["communities"]


def communities(
    social: GraphLike,
    *,
    runs: int = 10,
    backend: str = "python-louvain",
    refine: bool = True,
    resolution: float = 1.0,
    rng: int | np.random.Generator | None = None,
) -> np.ndarray:
    """Partition the users by the social graph alone, so that modularity is high.

    Parameters
    ----------
    social : graph, users x users
        Undirected, without weights and self-loops.
    runs : int
        Random orders of the users to try, at least 1; the partition of highest modularity stays.
    backend : {"python-louvain", "igraph", "leiden", "scikit-network"}
        Louvain in Python, in igraph (multilevel) or in scikit-network, or Leiden in igraph. All
        but the first need the extra ``fast``.
    refine : bool
        Whether to move single users, and groups of them that the backend had merged on its way,
        as long as that raises modularity (Notes). It never lowers it.
    resolution : float
        Of the modularity, above 0; more makes more and smaller clusters.
    rng : int, numpy Generator or None
        Each run has a child stream of its own.

    Returns
    -------
    int64 array, shape (users,)
        Cluster of each user, from 0; the largest first, of equally large ones the one that holds
        the lowest user. A user without a friend is a cluster of one, whatever the backend says.

    Raises
    ------
    TypeError, ValueError
        If the graph has weights or self-loops or is not symmetric, or an argument leaves its
        interval.
    ModuleNotFoundError
        If the backend is not installed.
    RuntimeError
        If the modularity that the backend counts for its labels is not that of the labels on the
        original graph: then labels and users are out of step.

    Notes
    -----
    The same seed gives the same labels in whatever order the edges are listed: users are put in
    canonical order first, and each run numbers them anew by a permutation of its own. Other
    versions of a backend may find other partitions.

    Refinement begins with the partition that the backend returns. With "python-louvain" and
    "igraph" it goes through their levels from the coarsest to the finest: vertices are the groups
    that a level had merged, and they move greedily between clusters. The other two tell no levels.
    The last level of all four are single users. See ``pplab.recommenders.refinement``.

    igraph draws from one generator for the whole process. It gets one of ours for each run and
    afterwards Python's ``random``, its default; a generator of yours has to be set again.

    References
    ----------
    Jorgensen and Yu 2014, A privacy-preserving framework for personalized, social recommendations,
    EDBT 2014, doi 10.5441/002/edbt.2014.51: best of 10 with refinement. Blondel, Guillaume,
    Lambiotte and Lefebvre 2008, Fast unfolding of communities in large networks,
    doi 10.1088/1742-5468/2008/10/P10008. Rotta and Noack 2011, Multilevel local search algorithms
    for modularity clustering, doi 10.1145/1963190.1970376. Traag, Waltman and van Eck 2019, From
    Louvain to Leiden, doi 10.1038/s41598-019-41695-z.

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.Graph([(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)])
    >>> communities(graph, runs=2, rng=1)
    array([0, 0, 0, 1, 1, 1])
    """
    graph = as_social(social)
    check_integer("runs", runs, minimum=1)
    check_choice("backend", backend, tuple(BACKENDS))
    check_flag("refine", refine)
    check_positive("resolution", resolution)
    streams = as_rng(rng).spawn(runs)
    if not graph.nnz:
        return np.arange(graph.shape[0])
    best, most = np.empty(0, dtype=np.int64), -math.inf
    for stream in streams:
        levels = _one_run(graph, backend, float(resolution), stream)
        found = refined(graph, levels, float(resolution)) if refine else levels[-1]
        labels = _canonical(graph, found)
        value = modularity_of_csr(graph, labels, float(resolution))
        if value > most:
            best, most = labels, value
    return best


def _one_run(
    graph: sparse.csr_array, backend: str, resolution: float, stream: np.random.Generator
) -> list[np.ndarray]:
    """Nested partitions that a backend finds in a random order of the users, in our order."""
    users = graph.shape[0]
    place = stream.permutation(users)  # user u stands at place[u] in the backend's graph
    at = np.argsort(place)
    shuffled = graph[at][:, at]
    shuffled.sort_indices()
    found = BACKENDS[backend](shuffled, resolution, int(stream.integers(2**31)))
    levels = [np.unique(labels[place], return_inverse=True)[1] for labels in found.levels]
    ours = modularity_of_csr(graph, levels[-1], 1.0)
    if not math.isclose(ours, found.modularity, abs_tol=1e-6):
        raise RuntimeError(
            f"labels and users must be in step, got modularity {ours:.6f} on the graph where "
            f"{backend} counted {found.modularity:.6f}; please report this graph as a bug"
        )
    return levels


def _canonical(graph: sparse.csr_array, labels: np.ndarray) -> np.ndarray:
    """Number clusters by size and lowest user; take users without a friend out of any other's."""
    labels = labels + 1
    alone = np.diff(graph.indptr) == 0
    labels[alone] = labels.max() + 1 + np.arange(np.count_nonzero(alone))
    _, lowest, own, sizes = np.unique(
        labels, return_index=True, return_inverse=True, return_counts=True
    )
    rank = np.empty(len(sizes), dtype=np.int64)
    rank[np.lexsort((lowest, -sizes))] = np.arange(len(sizes))
    return rank[own]
