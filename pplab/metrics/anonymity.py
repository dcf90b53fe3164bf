"""Whether a table is k-anonymous or smooth-k-anonymous, straight from the definitions."""

import math

import numpy as np
from scipy import sparse

from pplab.checks import check_k
from pplab.compiled import njit
from pplab.graphs import Array, GraphLike, as_aligned, as_matrix, numbered, refuse_values


def is_k_anonymous(biadjacency: GraphLike, k: int) -> bool:
    """Say whether every row has at least k - 1 copies.

    Parameters
    ----------
    biadjacency : csr_array, shape (users, items), or other graph
        Stored entries are edges, whatever their values; in a full table values count.
    k : int
        From 2 to the number of users.

    Returns
    -------
    bool
        Users without any edge are a class like any other: a single one among users who have
        some makes the table fail.

    Raises
    ------
    TypeError, ValueError
        If k leaves its interval or the table is empty.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definition 3.4, arXiv 2207.06358; Samarati 2001, doi 10.1109/69.971193.

    Examples
    --------
    >>> is_k_anonymous([[1, 0], [1, 0], [0, 0], [0, 0]], 2)
    True
    >>> is_k_anonymous([[1, 0], [1, 0], [0, 0]], 2)
    False
    """
    refuse_values("biadjacency", biadjacency)
    table = valued(as_matrix(biadjacency, name="biadjacency"))[0]
    k = check_k(k, table.shape[0])
    return bool(np.bincount(row_classes(table, np.ones(table.nnz))).min() >= k)


def is_smooth_k_anonymous(original: GraphLike, protected: GraphLike, k: int) -> bool:
    """Say whether a copy is k-anonymous and each class publishes only items that half of it has.

    Parameters
    ----------
    original, protected : csr_array, shape (users, items), or other graphs of one shape
        Stored entries are edges, whatever their values; in a full table values count.
    k : int
        From 2 to the number of users.

    Returns
    -------
    bool
        Whether every class of equal rows of the copy has at least k users, and each of its
        published edges is one of the original for at least half of them. A class that publishes
        nothing needs k users too.

    Raises
    ------
    TypeError, ValueError
        If k leaves its interval, the shapes differ or a table is empty.

    Notes
    -----
    The definition prints the edges of the copy on both sides of its second condition, which
    everything meets. That half of the class has the edge is read on the original here, as the
    paper's algorithms do.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definition 3.5, arXiv 2207.06358.

    Examples
    --------
    >>> is_smooth_k_anonymous([[1, 0], [1, 1]], [[1, 1], [1, 1]], 2)
    True
    >>> is_smooth_k_anonymous([[1, 0], [1, 1], [1, 0]], [[1, 1], [1, 1], [1, 1]], 2)
    False
    """
    for name, table in (("original", original), ("protected", protected)):
        refuse_values(name, table)
    graph, copy = valued(*as_aligned(original=original, protected=protected))
    k = check_k(k, graph.shape[0])
    class_of = row_classes(copy, np.ones(copy.nnz))
    sizes = np.bincount(class_of)
    published = np.unique(_cells(copy, class_of))
    cells, votes = np.unique(_cells(graph, class_of), return_counts=True)
    place = np.searchsorted(cells, published)
    support = np.where(np.append(cells, -1)[place] == published, np.append(votes, 0)[place], 0)
    half = 2 * support >= sizes[published // graph.shape[1]]
    return bool(sizes.min() >= k and half.all())


def valued(*tables: sparse.csr_array) -> list[sparse.csr_array]:
    """Make a column for each item and value of a full table with several values.

    A table without gaps says nothing by what it stores: only its values tell two rows apart. All
    others are left as they are.

    Examples
    --------
    >>> valued(sparse.csr_array([[5, 1], [5, 2]]))[0].indices
    array([2, 3, 2, 4], dtype=int32)
    """
    full = [table for table in tables if table.nnz == math.prod(table.shape)]
    if not any((table.data != table.data[0]).any() for table in full):
        return list(tables)
    values = np.unique(np.concatenate([table.data for table in tables]))
    width = tables[0].shape[1] * len(values)
    if width >= 2**31:
        raise ValueError(
            "a full table must have fewer than 2^31 pairs of an item and a value, got "
            f"{tables[0].shape[1]:,} items with {len(values):,} values; ask k_achieved for its k"
        )
    result = []
    for table in tables:
        columns = table.indices * len(values) + np.searchsorted(values, table.data)
        cells = table.data, columns.astype(np.int32), table.indptr
        result.append(sparse.csr_array(cells, (table.shape[0], width)))
    return result


def row_classes(table: sparse.csr_array, values: np.ndarray) -> np.ndarray:
    """Class of each row of a table that stores other values: equal rows are of one class.

    Equal rows have equal weighted sums, which scipy adds up from the first entry to the last. That
    unequal rows have the same sum is ruled out by looking at all entries.

    Examples
    --------
    >>> row_classes(sparse.csr_array([[1, 1], [0, 1], [1, 1]]), np.ones(5)).tolist()
    [1, 0, 1]
    """
    cells = sparse.csr_array((values, table.indices, table.indptr), shape=table.shape)
    sums = cells @ np.random.default_rng(1).random(table.shape[1])
    unique_sums, class_of = np.unique(sums, return_inverse=True)
    one_of = np.empty(len(unique_sums), dtype=np.int64)
    one_of[class_of] = np.arange(len(class_of))
    if _equal_rows(cells.indptr, cells.indices, values, one_of[class_of]):
        return class_of
    values = values + 0  # so that -0.0 and 0.0 are the same value
    bounds = zip(table.indptr[:-1], table.indptr[1:], strict=True)
    return numbered((table.indices[a:b].tobytes(), values[a:b].tobytes()) for a, b in bounds)


@njit()
def _equal_rows(indptr: Array, indices: Array, values: Array, others: Array) -> bool:
    """True if each row stores what another row does."""
    for row, other in enumerate(others):
        first, second = indptr[row], indptr[other]
        count = indptr[row + 1] - first
        if indptr[other + 1] - second != count:
            return False
        for place in range(count):
            one, two = first + place, second + place
            if indices[one] != indices[two] or values[one] != values[two]:
                return False
    return True


def _cells(table: sparse.csr_array, class_of: np.ndarray) -> np.ndarray:
    """Number class * columns + column of each entry."""
    return np.repeat(class_of, np.diff(table.indptr)) * np.int64(table.shape[1]) + table.indices
