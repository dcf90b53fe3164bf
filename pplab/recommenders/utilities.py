"""The utility of every item for a user: what the recommender would like to rank by."""

from typing import Any

import numpy as np
from scipy import sparse

from pplab.graphs import GraphLike, as_social, as_social_and_preferences, by_value, with_labels
from pplab.labelled import Labelled, relabelled, rows_of
from pplab.recommenders.similarity import Similarity, check_users, dense_sums, sparse_sums


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
    measure : {"cn", "gd", "aa", "katz", "jaccard", "resource-allocation", "sorensen"}
        See `similarity`.
    users : list of row numbers, optional
        Whose utilities to compute, in this order; all by default. Labels where the preferences
        are a Table.
    self_similarity : bool
        Whether a user's own preferences count, with weight sim(u, u).

    Returns
    -------
    csr_array of float64, shape (users, items)
        Rows sorted, zeros not stored. A user without similar users has an empty row, and so has
        one whose similar users prefer nothing; an item that nobody prefers has an empty column.
        A Table where the preferences are one.

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
    preferences = with_labels(preferences, bipartite=True, name="preferences")
    ordered = by_value(preferences, bipartite=True)
    people = by_value(social, bipartite=False, name="social")
    graph, liked = as_social_and_preferences(people, ordered)
    record = Similarity(measure, self_similarity=self_similarity)
    rows = check_users(rows_of(ordered, users), graph.shape[0])
    sums = sparse_sums(graph, record, liked, rows)
    if users is None or not isinstance(preferences, Labelled):
        return relabelled(preferences, sums)
    return preferences.of_rows(rows, sums)


# How far one preference edge can move the utilities: the sensitivity of all utility queries.


def utility_sensitivity(social: GraphLike, *, measure: str) -> float:
    """Give the sensitivity of all utilities of one item together: the largest column sum of S.

    A preference (v, i) of weight 1 that comes or goes moves the utility of item i for user u by
    sim(u, v), so all of them together by column v of the similarity matrix S. Weights in [0, 1]
    move them by no more. S is symmetric and is never formed: it is multiplied with ones.

    Parameters
    ----------
    social : csr_array, shape (users, users), Graph or networkx graph
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


def sensitivity_of(graph: sparse.csr_array, record: Similarity) -> float:
    """Largest column sum of the similarities on a checked graph."""
    users = graph.shape[0]
    return float(dense_sums(graph, record, np.ones((users, 1)), np.arange(users)).max())
