"""Graphs in and out: every function of the package takes and gives scipy CSR arrays.

A social graph is a square symmetric adjacency, a preference graph or a table of ratings a
users x items biadjacency. A stored value is a record even when it is zero; what is not stored
is no edge. Rows and columns are put in canonical (sorted) order at the door, so that the order
in which somebody lists the edges never changes a result.
"""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
from scipy import sparse

from pplab.checks import check_no_duplicates, check_square_symmetric

__all__ = [
    "GraphLike",
    "as_adjacency",
    "as_biadjacency",
    "as_matrix",
    "cell_keys",
    "from_cell_keys",
    "paired_values",
    "rows_of_entries",
    "to_networkx",
    "to_pandas",
]

GraphLike = Any  # csr_array, csr_matrix, any scipy sparse, a dense array, networkx, a DataFrame

_EDGE_COLUMNS = (("user", "item"), ("source", "target"))
_VALUE_COLUMNS = ("rating", "weight")


def as_matrix(data: GraphLike, *, name: str = "matrix") -> sparse.csr_array:
    """Bring a users x items table into a CSR array with sorted rows; the input stays as it is.

    Parameters
    ----------
    data : scipy sparse, 2-D array, networkx bipartite graph or DataFrame
        A dense array stores its non-zero cells. A DataFrame is an edge list with columns
        ``user, item`` and perhaps ``rating`` (or ``source, target, weight``). A networkx graph
        needs the node attribute ``bipartite`` (0 for users, 1 for items).
    name : str
        What the argument is called in the sentence of a refusal.

    Returns
    -------
    csr_array, shape (users, items)

    Raises
    ------
    TypeError
        If the data are none of these.
    ValueError
        If the matrix is empty, not two-dimensional, or stores a cell twice.

    Examples
    --------
    >>> import pandas as pd
    >>> edges = pd.DataFrame({"user": [7, 7, 9], "item": [1, 2, 1], "rating": [5, 3, 4]})
    >>> as_matrix(edges).toarray()
    array([[5, 3],
           [4, 0]])
    """
    if isinstance(data, nx.Graph):
        matrix = _from_bipartite_networkx(data, name)
    elif isinstance(data, pd.DataFrame):
        matrix = _from_edge_list(data, name, square=False)
    else:
        matrix = _from_array(data, name)
    return _canonical(matrix, name)


def as_biadjacency(data: GraphLike, *, name: str = "biadjacency") -> sparse.csr_array:
    """Bring a preference graph into a CSR array of int8 ones: stored means edge."""
    return _pattern(as_matrix(data, name=name))


def as_adjacency(data: GraphLike, *, name: str = "adjacency") -> sparse.csr_array:
    """Bring an undirected graph into a symmetric CSR array of int8 ones without self-loops."""
    if isinstance(data, nx.Graph):
        if data.is_directed() or data.is_multigraph():
            raise ValueError(
                f"{name} must be an undirected simple graph, got {type(data).__name__}; "
                "convert it with networkx.Graph(graph) first"
            )
        matrix = sparse.csr_array(nx.to_scipy_sparse_array(data, nodelist=_sorted_nodes(data)))
    elif isinstance(data, pd.DataFrame):
        matrix = _from_edge_list(data, name, square=True)
    else:
        matrix = _from_array(data, name)
    matrix = _pattern(_canonical(matrix, name))
    check_square_symmetric(name, matrix)
    return matrix


def to_networkx(matrix: sparse.csr_array) -> nx.Graph:
    """Give a biadjacency (any shape) as a networkx bipartite graph with nodes u0.., i0..."""
    graph = nx.Graph()
    rows, columns = matrix.shape
    graph.add_nodes_from((f"u{row}" for row in range(rows)), bipartite=0)
    graph.add_nodes_from((f"i{column}" for column in range(columns)), bipartite=1)
    entries = zip(rows_of_entries(matrix), matrix.indices, matrix.data, strict=True)
    graph.add_weighted_edges_from(
        (f"u{row}", f"i{column}", value) for row, column, value in entries
    )
    return graph


def to_pandas(matrix: sparse.csr_array) -> pd.DataFrame:
    """Give a matrix as a long table with columns user, item, rating."""
    return pd.DataFrame(
        {"user": rows_of_entries(matrix), "item": matrix.indices, "rating": matrix.data}
    )


def rows_of_entries(matrix: sparse.csr_array) -> np.ndarray:
    """Row number of each stored entry, in stored order."""
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))


def cell_keys(matrix: sparse.csr_array) -> np.ndarray:
    """Number row * columns + column of each stored cell: ascending, since rows are sorted."""
    return rows_of_entries(matrix) * np.int64(matrix.shape[1]) + matrix.indices


def from_cell_keys(
    keys: np.ndarray, values: np.ndarray, shape: tuple[int, int]
) -> sparse.csr_array:
    """Build a CSR array from ascending cell numbers and their values, zeros kept."""
    rows, columns = np.divmod(keys, shape[1])
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=shape[0]))])
    return sparse.csr_array((values, columns.astype(np.int32), indptr), shape=shape)


def paired_values(
    left: sparse.csr_array, right: sparse.csr_array, *, absent: float = 0.0
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cells stored in either matrix, ascending, and both matrices' values there."""
    sides = [(cell_keys(matrix), matrix.data) for matrix in (left, right)]
    both = np.concatenate([keys for keys, _ in sides])
    both.sort(kind="stable")  # merges two sorted runs: no sorting is left to do
    union = both[np.append(True, both[1:] != both[:-1])] if len(both) else both
    values = []
    for keys, data in sides:
        column = np.full(len(union), absent)
        column[np.searchsorted(union, keys)] = data
        values.append(column)
    return union, values[0], values[1]


def _canonical(matrix: sparse.csr_array, name: str) -> sparse.csr_array:
    if 0 in matrix.shape:
        raise ValueError(f"{name} must have rows and columns, got shape {matrix.shape}")
    whole_numbers = np.issubdtype(matrix.dtype, np.integer)
    if not whole_numbers and not np.isfinite(matrix.data).all():
        raise ValueError(
            f"{name} must store finite values, got NaN or inf; leave missing cells out instead"
        )
    # a copy of the shell, so that what scipy notes about the order stays ours
    matrix = sparse.csr_array((matrix.data, matrix.indices, matrix.indptr), shape=matrix.shape)
    if not matrix.has_canonical_format:
        matrix = matrix.sorted_indices()
        check_no_duplicates(name, matrix)
    return matrix


def _pattern(matrix: sparse.csr_array) -> sparse.csr_array:
    ones = np.ones(matrix.nnz, dtype=np.int8)
    return sparse.csr_array((ones, matrix.indices, matrix.indptr), shape=matrix.shape)


def _from_array(data: Any, name: str) -> sparse.csr_array:
    if sparse.issparse(data):
        if data.ndim != 2:
            raise ValueError(f"{name} must have two dimensions, got {data.ndim}")
        if data.format == "csr":
            return sparse.csr_array(data)
        coordinates = data.tocoo()  # built by hand: scipy would add up duplicates in silence
        order = np.lexsort((coordinates.col, coordinates.row))
        counts = np.bincount(coordinates.row, minlength=data.shape[0])
        indptr = np.concatenate([[0], np.cumsum(counts)])
        return sparse.csr_array(
            (coordinates.data[order], coordinates.col[order], indptr), shape=data.shape
        )
    if not isinstance(data, (np.ndarray, list, tuple)):
        raise TypeError(
            f"{name} must be a scipy sparse matrix, a 2-D array, a networkx graph or a DataFrame "
            f"of edges, got {type(data).__name__}"
        )
    dense = np.asarray(data)
    if dense.ndim != 2 or not np.issubdtype(dense.dtype, np.number):
        if dense.dtype == bool and dense.ndim == 2:
            return sparse.csr_array(dense.astype(np.int8))
        raise ValueError(
            f"{name} must be a 2-D array of numbers, got {dense.ndim} dimension(s) of {dense.dtype}"
        )
    return sparse.csr_array(dense)


def _from_edge_list(frame: pd.DataFrame, name: str, *, square: bool) -> sparse.csr_array:
    ends = next((pair for pair in _EDGE_COLUMNS if set(pair) <= set(frame.columns)), None)
    if ends is None or frame[list(ends)].isna().any(axis=None):
        raise ValueError(
            f"{name} given as a DataFrame must be an edge list with columns user, item (or source, "
            f"target) and no missing ids, got columns {list(frame.columns)}"
        )
    value = next((column for column in _VALUE_COLUMNS if column in frame.columns), None)
    values = np.ones(len(frame), dtype=np.int8) if value is None else frame[value].to_numpy()
    if square:
        labels = pd.Index(pd.unique(pd.concat([frame[end] for end in ends]))).sort_values()
        rows, columns = (labels.get_indexer(frame[end]) for end in ends)
        both = sparse.coo_array((values, (rows, columns)), shape=(len(labels), len(labels)))
        return sparse.csr_array(both.tocsr().maximum(both.T.tocsr()))
    codes = [pd.factorize(frame[end], sort=True) for end in ends]
    shape = (len(codes[0][1]), len(codes[1][1]))
    return _from_array(sparse.coo_array((values, (codes[0][0], codes[1][0])), shape=shape), name)


def _from_bipartite_networkx(graph: nx.Graph, name: str) -> sparse.csr_array:
    sides = nx.get_node_attributes(graph, "bipartite")
    users = [node for node in _sorted_nodes(graph) if sides.get(node) == 0]
    items = [node for node in _sorted_nodes(graph) if sides.get(node) == 1]
    if graph.is_multigraph() or not users or len(users) + len(items) != graph.number_of_nodes():
        raise ValueError(
            f"{name} given as a networkx graph must be simple and have the node attribute "
            f"bipartite (0 for users, 1 for items), got {len(users)} users and {len(items)} items "
            f"among {graph.number_of_nodes()} nodes"
        )
    return sparse.csr_array(nx.bipartite.biadjacency_matrix(graph, users, items))


def _sorted_nodes(graph: nx.Graph) -> list:
    """Nodes in an order that does not depend on how the graph was built."""
    try:
        return sorted(graph)
    except TypeError:  # nodes of mixed types have no order of their own
        return sorted(graph, key=lambda node: (type(node).__name__, str(node)))
