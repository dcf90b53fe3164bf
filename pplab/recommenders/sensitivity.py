"""How far one preference edge can move the utilities: the sensitivity of all utility queries."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from pplab.graphs import GraphLike
from pplab.recommenders.similarity import Similarity
from pplab.recommenders.similarity_sums import dense_sums
from pplab.recommenders.social_graph import as_social

__all__ = ["sensitivity_of", "utility_sensitivity"]


def utility_sensitivity(social: GraphLike, *, measure: str) -> float:
    """Give the sensitivity of all utilities of one item together: the largest column sum of S.

    A preference (v, i) of weight 1 that comes or goes moves the utility of item i for user u by
    sim(u, v), so all of them together by column v of the similarity matrix S. Weights in [0, 1]
    move them by no more. S is symmetric and is never formed: it is multiplied with ones.

    Parameters
    ----------
    social : csr_array, shape (users, users), or networkx graph or DataFrame of edges
        Symmetric, without weights and self-loops.
    measure : str
        A similarity measure of ``pplab.recommenders.similarity``.

    Returns
    -------
    float
        D >= 0; 0 if no two users are similar.

    Raises
    ------
    TypeError, ValueError
        If the graph is directed or weighted, has a self-loop, or an argument is not known.

    References
    ----------
    Jorgensen and Yu 2014, A privacy-preserving framework for personalized, social
    recommendations, EDBT 2014, Definition 7 and Section 5.1 (noise on utilities), doi
    10.5441/002/edbt.2014.51.

    Examples
    --------
    >>> star = [[0, 1, 1, 1], [1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]
    >>> utility_sensitivity(star, measure="cn")  # each leaf shares the centre with two others
    2.0
    """
    return sensitivity_of(as_social(social), Similarity(measure))


def sensitivity_of(graph: sparse.csr_array, how: Similarity) -> float:
    """Largest column sum of the similarities on a checked graph."""
    users = graph.shape[0]
    return float(dense_sums(graph, how, np.ones((users, 1)), np.arange(users)).max())
