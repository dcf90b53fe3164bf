"""The utility of every item for a user: what the recommender would like to rank by."""

from __future__ import annotations

from typing import Any

from scipy import sparse

from pplab.checks import check_users
from pplab.graphs import GraphLike
from pplab.recommenders.similarity import Similarity
from pplab.recommenders.similarity_sums import sparse_sums
from pplab.recommenders.social_graph import as_social_and_preferences

__all__ = ["utilities"]


def utilities(
    social: GraphLike,
    preferences: GraphLike,
    *,
    measure: str,
    users: Any = None,
    self_similarity: bool = False,
) -> sparse.csr_array:
    """Utility of each item: the similarities of the users who prefer it, added up.

    Parameters
    ----------
    social : adjacency, shape (users, users)
        Undirected, unweighted, without self-loops.
    preferences : biadjacency, shape (users, items)
        Weights in [0, 1]: 1 for a preference, or a rating divided by the best one. Its rows are
        the users of the social graph, in the same order.
    measure : {"cn", "gd", "aa", "katz", "jaccard", "resource-allocation"}
        See `similarity`.
    users : list of row numbers, optional
        Whose utilities to compute, in this order; all by default.
    self_similarity : bool
        Whether a user's own preferences count, with weight sim(u, u).

    Returns
    -------
    csr_array of float64, shape (users, items)
        Rows sorted, zeros not stored. A user without similar users has an empty row, and so has
        one whose similar users prefer nothing; an item that nobody prefers has an empty column.

    Raises
    ------
    TypeError, ValueError
        If a user is in one graph and not in the other, a weight leaves [0, 1], or the social
        graph is directed, weighted or has self-loops.

    References
    ----------
    Jorgensen and Yu 2014, A privacy-preserving framework for personalized, social
    recommendations, EDBT 2014, doi 10.5441/002/edbt.2014.51, equation 1.

    Examples
    --------
    >>> path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> likes = [[1, 0], [1, 0], [0, 1]]
    >>> utilities(path, likes, measure="gd").toarray()
    array([[1. , 0.5],
           [1. , 1. ],
           [1.5, 0. ]])
    """
    graph, liked = as_social_and_preferences(social, preferences)
    how = Similarity(measure, self_similarity=self_similarity)
    return sparse_sums(graph, how, liked, check_users(users, graph.shape[0]))
