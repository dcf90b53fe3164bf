"""Sums over similar users, without a matrix of users x users."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
from scipy import sparse

from pplab.checks import _listed, check_users
from pplab.graphs import GraphLike, as_matrix
from pplab.recommenders.similarity import Similarity, common_weights
from pplab.recommenders.similarity_gather import gather
from pplab.recommenders.similarity_products import common_products, katz_products
from pplab.recommenders.similarity_rows import RowPlan, plan_rows
from pplab.recommenders.social_graph import as_social

__all__ = ["dense_sums", "similarity_times", "sparse_sums"]


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
    A sparse matrix is summed user by user; the memory needed is that of the result and of a few
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
    graph, how = as_social(social), Similarity(measure, paths, self_similarity)
    thin = isinstance(matrix, (nx.Graph, pd.DataFrame)) or sparse.issparse(matrix)
    table = as_matrix(matrix, name="matrix") if thin else _full(matrix)
    if table.shape[0] != graph.shape[0]:
        raise ValueError(
            f"social and matrix must have the same users, got {graph.shape[0]} and "
            f"{table.shape[0]}; give every user a row in both, an empty one where there is nothing"
        )
    rows = check_users(users, graph.shape[0])
    return (sparse_sums if thin else dense_sums)(graph, how, table, rows)


def sparse_sums(
    graph: sparse.csr_array, how: Similarity, table: sparse.csr_array, users: np.ndarray
) -> sparse.csr_array:
    """Rows of the similarity matrix times a sparse table, all of it checked."""
    return gather(_plan(graph, how), users, table)


def dense_sums(
    graph: sparse.csr_array, how: Similarity, table: np.ndarray, users: np.ndarray
) -> np.ndarray:
    """Rows of the similarity matrix times a full table of float64, all of it checked."""
    plan = _plan(graph, how)
    if how.measure in ("gd", "jaccard"):
        return gather(plan, users, sparse.csr_array(table)).toarray()
    return (katz_products if how.measure == "katz" else common_products)(plan, table, users)


def _plan(graph: sparse.csr_array, how: Similarity) -> RowPlan:
    weights = common_weights(np.diff(graph.indptr), how.measure)
    return plan_rows(graph, how.measure, how.simple, how.keeps_self, weights)


def _full(matrix: Any) -> np.ndarray:
    """Bring a dense users x columns table into a float64 array; refuse gaps."""
    table = _listed(matrix)
    if table.ndim != 2 or not table.shape[1] or table.dtype.kind not in "biuf":
        raise ValueError(
            "matrix must be a sparse matrix or a table of numbers with a row per user, got shape "
            f"{table.shape} of {table.dtype}; pass users x items or users x clusters"
        )
    full = np.ma.filled(table.astype(np.float64), np.nan)
    if not np.isfinite(full).all():
        raise ValueError(
            "matrix must hold finite numbers, got NaN, inf or a gap; write 0 where there is nothing"
        )
    return np.ascontiguousarray(full)
