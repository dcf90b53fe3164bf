"""Sums over similar users, without a matrix of users x users."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
from scipy import sparse

from pplab.checks import (
    check_flag,
    check_measure,
    check_paths,
    check_same_users,
    check_user_table,
    check_users,
)
from pplab.graphs import GraphLike, as_matrix
from pplab.recommenders.similarity_gather import gather
from pplab.recommenders.similarity_katz import katz_products
from pplab.recommenders.similarity_products import common_products
from pplab.recommenders.similarity_rows import RowPlan, plan_rows
from pplab.recommenders.social_graph import as_social

__all__ = ["similarity_times"]


def similarity_times(
    social: GraphLike,
    matrix: Any,
    *,
    measure: str,
    self_similarity: bool = False,
    paths: str = "simple",
    users: Any = None,
) -> np.ndarray | sparse.csr_array:
    """Rows of the similarity matrix times a matrix: for each user, sums over similar users.

    Parameters
    ----------
    social : adjacency, shape (users, users)
        Undirected, unweighted, without self-loops.
    matrix : sparse users x items, or array users x columns
        What to sum: preferences, or for instance memberships of clusters. Finite numbers.
    measure, self_similarity, paths
        As `similarity` takes them.
    users : list of row numbers, optional
        Whose rows to compute, in this order; all by default.

    Returns
    -------
    csr_array or ndarray of float64, shape (users asked for, columns of matrix)
        Sparse with sorted rows and without zeros if the matrix is sparse, else dense.

    Raises
    ------
    TypeError, ValueError
        If the rows of the matrix are not the users of the graph, a user is not in it, a number is
        not finite, or an argument is not known.

    Notes
    -----
    A sparse matrix is summed user by user; the room needed is that of the result and of a few
    tables of 4 MB per thread. A dense one is multiplied with the adjacency once ("cn", "aa",
    "resource-allocation": twice; "katz": three times), which takes a few tables of its size; "gd"
    and "jaccard" have no such form and go user by user. Rows do not depend on the number of
    threads, nor on which other users are asked for.

    References
    ----------
    Jorgensen and Yu 2014, A privacy-preserving framework for personalized, social
    recommendations, EDBT 2014, doi 10.5441/002/edbt.2014.51, equation 1 and the inner sum of
    equation 4.

    Examples
    --------
    >>> path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> similarity_times(path, [[1, 0], [0, 1], [0, 1]], measure="gd")
    array([[0. , 1.5],
           [1. , 1. ],
           [0.5, 1. ]])
    """
    graph = as_social(social)
    keep_self = check_flag("self_similarity", self_similarity)
    plan = plan_rows(graph, check_measure(measure), keep_self, check_paths(paths))
    if isinstance(matrix, (nx.Graph, pd.DataFrame)) or sparse.issparse(matrix):
        table = as_matrix(matrix, name="matrix")
        check_same_users(graph, table, name="matrix")
        return gather(plan, check_users(users, graph.shape[0]), table)
    full = check_user_table("matrix", matrix)
    check_same_users(graph, full, name="matrix")
    return _dense(plan, measure, full, check_users(users, graph.shape[0]))


def _dense(plan: RowPlan, measure: str, table: np.ndarray, users: np.ndarray) -> np.ndarray:
    if measure == "katz":
        return katz_products(plan, table, users)
    if measure in ("gd", "jaccard"):
        return gather(plan, users, sparse.csr_array(table)).toarray()
    return common_products(plan, table, users)
