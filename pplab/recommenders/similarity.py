"""How similar two users are, by the public social graph alone."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from pplab.checks import check_flag, check_measure, check_paths
from pplab.graphs import GraphLike
from pplab.recommenders.similarity_gather import gather_similarities
from pplab.recommenders.similarity_rows import plan_rows
from pplab.recommenders.social_graph import as_social

__all__ = ["similarity"]


def similarity(
    social: GraphLike, *, measure: str, self_similarity: bool = False, paths: str = "simple"
) -> sparse.csr_array:
    """Similarity of all pairs of users.

    Parameters
    ----------
    social : adjacency, shape (users, users), networkx graph or edge list
        Undirected, unweighted, without self-loops.
    measure : {"cn", "gd", "aa", "katz", "jaccard", "resource-allocation"}
        With N(u) the neighbours of u: "cn" counts common neighbours, |N(u) and N(v)|. "gd" is 1 for
        neighbours and 1/2 for users two steps apart. "aa" (Adamic and Adar) adds 1/log |N(x)|
        over common neighbours x. "katz" adds a^l times the number of paths of l edges for l = 1,
        2, 3 and a = 0.05. "jaccard" is |N(u) and N(v)| / |N(u) or N(v)|. "resource-allocation"
        adds 1/|N(x)| over common neighbours.
    self_similarity : bool
        Keep sim(u, u), which is then what the formula gives for v = u: the degree for "cn", 1 for
        "jaccard" where u has neighbours, 0 for "katz" with simple paths, since none leads back.
        Two formulas give nothing finite: "gd" takes 1 for every user (the most that it gives to a
        pair), and "aa" leaves out neighbours of degree 1, for which 1/log would be infinite.
    paths : {"simple", "walks"}
        What "katz" counts: paths that visit no user twice, or walks (powers of the adjacency).

    Returns
    -------
    csr_array of float64, shape (users, users)
        Symmetric, rows sorted, zeros not stored.

    Raises
    ------
    TypeError, ValueError
        If the graph is directed or weighted, has a self-loop, or an argument is not known.

    Notes
    -----
    The result of "katz" is close to full on a large graph; `similarity_times` multiplies with it
    without forming it.

    References
    ----------
    Jorgensen and Yu 2014, A privacy-preserving framework for personalized, social
    recommendations, EDBT 2014, doi 10.5441/002/edbt.2014.51, Section 2.

    Examples
    --------
    >>> path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> similarity(path, measure="gd").toarray()
    array([[0. , 1. , 0.5],
           [1. , 0. , 1. ],
           [0.5, 1. , 0. ]])
    """
    graph = as_social(social)
    keep_self = check_flag("self_similarity", self_similarity)
    plan = plan_rows(graph, check_measure(measure), keep_self, check_paths(paths))
    return gather_similarities(plan, np.arange(graph.shape[0]))
