"""The cost of a release: the squared error of its cells, and the edges that survive."""

from typing import Any

import numpy as np

from pplab.checks import check_full, check_labels, check_same_shape, check_squares
from pplab.compiled import njit
from pplab.graphs import Array, GraphLike, as_aligned, refuse_values, with_labels
from pplab.labelled import one_each
from pplab.metrics.anonymity import valued
from pplab.tables import as_aligned_tables, as_table, squared_error

_COMPLETE = "fill it with pplab.microaggregation.complete first"


def sum_of_squared_errors(original: GraphLike, protected: GraphLike) -> float:
    """Sum over all cells of (original - protected)^2.

    Parameters
    ----------
    original, protected : array, shape (users, items)
        Complete tables; row i of both is the same user.

    Returns
    -------
    float
        In squared units of the ratings.

    Raises
    ------
    ValueError
        If the shapes differ, or a table is empty, has unrated cells or numbers beyond 1e50.

    References
    ----------
    Casino, Domingo-Ferrer, Patsakis, Puig and Solanas 2015, A k-anonymous approach to privacy
    preserving collaborative filtering, equation 2, doi 10.1016/j.jcss.2014.12.013.

    Examples
    --------
    >>> sum_of_squared_errors([[1, 2], [3, 4]], [[2, 2], [3, 2]])
    5.0
    """
    before, after = as_aligned_tables(original=original, protected=protected)
    check_same_shape(before, after)
    for name, table in (("original", before), ("protected", after)):
        check_full(name, table, remedy=_COMPLETE)
        check_squares(name, table)
    return squared_error(before, after)


def within_group_sse(points: GraphLike, labels: Any) -> float:
    """Sum of the squared distances of all points to the mean of their group.

    It is the error of the release that puts the mean of its group in place of every point.

    Parameters
    ----------
    points : array, shape (points, dimensions)
        A complete table.
    labels : int array, shape (points,)
        Group of each point; a Series by label, or by row number where the points have none.

    Returns
    -------
    float
        In squared units of the points.

    Raises
    ------
    ValueError
        If a point has unrated cells or numbers beyond 1e50, or labels are not one group number
        per point.

    References
    ----------
    Casino, Domingo-Ferrer, Patsakis, Puig and Solanas 2015, A k-anonymous approach to privacy
    preserving collaborative filtering, equation 1, doi 10.1016/j.jcss.2014.12.013.

    Examples
    --------
    >>> within_group_sse([[1.0], [3.0], [10.0], [10.0]], [0, 0, 1, 1])
    2.0
    """
    points = with_labels(points, bipartite=True, name="points")
    table = as_table(points, name="points")
    check_full("points", table, remedy=_COMPLETE)
    check_squares("points", table)
    groups = check_labels(one_each(points, labels, "labels"), len(table))
    order = np.argsort(groups, kind="stable")
    starts = np.unique(groups[order], return_index=True)[1]
    # one group at a time: its points are near each other, and their mean is taken first
    parts = (table[rows] for rows in np.split(order, starts[1:]))
    return float(sum(float(np.square(part - part.mean(axis=0)).sum()) for part in parts))


def jaccard_similarity(original: GraphLike, protected: GraphLike) -> float:
    """Jaccard similarity of two edge sets: shared edges over all edges.

    Parameters
    ----------
    original, protected : csr_array, shape (users, items), or other graphs of one shape
        Stored entries are edges, whatever their values; in a full table values count.

    Returns
    -------
    float
        In [0, 1]; 1 when both are empty.

    Raises
    ------
    ValueError
        If the shapes differ, or both are arrays that list edges by their ends.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definition 3.6, arXiv 2207.06358.

    Examples
    --------
    >>> jaccard_similarity([[1, 1, 0]], [[1, 0, 1]])  # one edge shared, three in all
    0.3333333333333333
    """
    for name, table in (("original", original), ("protected", protected)):
        refuse_values(name, table)
    left, right = valued(*as_aligned(graphs_too=True, original=original, protected=protected))
    one, two, width = left.indices, right.indices, min(left.shape[1], left.nnz + right.nnz)
    if width < left.shape[1]:  # columns without an edge do not count
        one, two = np.split(np.unique(np.r_[one, two], return_inverse=True)[1], [left.nnz])
    shared = _shared_cells(left.indptr, one, right.indptr, two, width)
    union = left.nnz + right.nnz - shared
    return shared / union if union else 1.0


@njit()
def _shared_cells(indptr: Array, indices: Array, others: Array, columns: Array, width: int) -> int:
    """Cells that both of two tables store."""
    shared, last = 0, np.full(width, -1, dtype=np.int32)  # row of the first table with each column
    for row in range(len(indptr) - 1):
        for column in indices[indptr[row] : indptr[row + 1]]:
            last[column] = row
        for column in columns[others[row] : others[row + 1]]:
            shared += last[column] == row
    return shared
