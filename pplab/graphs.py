"""Graphs in and out: every function of the package takes and gives scipy CSR arrays.

A social graph is a square symmetric adjacency, a preference graph or a table of ratings a
users x items biadjacency. A stored value is a record even when it is zero; what is not stored
is no edge. Rows and columns are put in canonical (sorted) order at the door, so that the order
in which somebody lists the edges never changes a result.
"""

from __future__ import annotations

from typing import Any

import networkx as nx
import pandas as pd
from scipy import sparse

from pplab.cells import rows_of_entries
from pplab.checks import check_same_shape
from pplab.graph_forms import (
    as_pattern,
    bipartite_sides,
    canonical,
    edge_list,
    from_array,
    from_bipartite_networkx,
    from_cells,
    from_social_edge_list,
    in_order,
)

__all__ = [
    "GraphLike",
    "as_adjacency",
    "as_aligned",
    "as_biadjacency",
    "as_matrix",
    "to_networkx",
    "to_pandas",
]

GraphLike = Any  # csr_array, csr_matrix, any scipy sparse, a dense array, networkx, a DataFrame


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
        matrix = from_bipartite_networkx(data, name, *bipartite_sides(data, name))
    elif isinstance(data, pd.DataFrame):
        users, items, values = edge_list(data, name)
        rows, columns = (pd.factorize(ids, sort=True) for ids in (users, items))
        shape = (len(rows[1]), len(columns[1]))
        matrix = from_cells(rows[0], columns[0], values, shape)
    else:
        matrix = from_array(data, name)
    return canonical(matrix, name)


def as_aligned(**graphs: GraphLike) -> list[sparse.csr_array]:
    """Bring several tables into CSR arrays whose cells mean the same.

    Edge lists and networkx graphs carry labels: their rows and columns are the labels that occur
    in any of them. Tables without labels are taken as they are and must agree in shape.

    Raises
    ------
    ValueError
        If a table with labels meets one without, or the shapes differ.
    """
    frames = [isinstance(data, pd.DataFrame) for data in graphs.values()]
    networks = [isinstance(data, nx.Graph) for data in graphs.values()]
    if all(frames):
        lists = {name: edge_list(data, name) for name, data in graphs.items()}
        labels = [
            pd.factorize(pd.concat([entry[side] for entry in lists.values()]), sort=True)[1]
            for side in (0, 1)
        ]
        shape = (len(labels[0]), len(labels[1]))
        matrices = []
        for name, (users, items, values) in lists.items():
            rows, columns = labels[0].get_indexer(users), labels[1].get_indexer(items)
            matrices.append(canonical(from_cells(rows, columns, values, shape), name))
        return matrices
    if all(networks):
        sides = [bipartite_sides(data, name) for name, data in graphs.items()]
        users, items = (in_order({n for side in sides for n in side[k]}) for k in (0, 1))
        return [
            canonical(from_bipartite_networkx(data, name, users, items), name)
            for name, data in graphs.items()
        ]
    if any(frames) or any(networks):
        raise ValueError(
            f"{', '.join(graphs)} must all carry labels of one kind or none, got "
            f"{', '.join(type(data).__name__ for data in graphs.values())}; "
            "convert them to matrices with the same rows and columns first"
        )
    matrices = [as_matrix(data, name=name) for name, data in graphs.items()]
    for name, matrix in zip(list(graphs)[1:], matrices[1:], strict=True):
        check_same_shape(matrices[0], matrix, names=(next(iter(graphs)), name))
    return matrices


def as_biadjacency(data: GraphLike, *, name: str = "biadjacency") -> sparse.csr_array:
    """Bring a preference graph into a CSR array of int8 ones: stored means edge."""
    return as_pattern(as_matrix(data, name=name))


def as_adjacency(data: GraphLike, *, name: str = "adjacency") -> sparse.csr_array:
    """Bring an undirected graph into a symmetric CSR array of int8 ones without self-loops."""
    if isinstance(data, nx.Graph):
        if data.is_directed() or data.is_multigraph():
            raise ValueError(
                f"{name} must be an undirected simple graph, got {type(data).__name__}; "
                "convert it with networkx.Graph(graph) first"
            )
        nodes = in_order(data)
        matrix = sparse.csr_array((0, 0))
        if nodes:
            matrix = sparse.csr_array(nx.to_scipy_sparse_array(data, nodelist=nodes, weight=None))
    elif isinstance(data, pd.DataFrame):
        matrix = from_social_edge_list(data, name)
    else:
        matrix = from_array(data, name)
    matrix = as_pattern(canonical(matrix, name))
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(
            f"{name} must be a square adjacency matrix, got {matrix.shape[0]} x {matrix.shape[1]}; "
            "for users x items use the bipartite function"
        )
    if (matrix.indices == rows_of_entries(matrix)).any():
        raise ValueError(f"{name} must have no self-loops, got some; drop the diagonal first")
    turned = matrix.T.tocsr()  # its rows come out sorted
    if not (matrix.indptr == turned.indptr).all() or not (matrix.indices == turned.indices).all():
        raise ValueError(
            f"{name} must be symmetric (an undirected graph), got an edge in one direction only; "
            "add its transpose first"
        )
    return matrix


def to_networkx(matrix: sparse.csr_array) -> nx.Graph:
    """Give a biadjacency (any shape) as a networkx bipartite graph: users u0.., items i0.."""
    graph = nx.Graph()
    users, items = (_padded(letter, n) for letter, n in zip("ui", matrix.shape, strict=True))
    graph.add_nodes_from(users, bipartite=0)
    graph.add_nodes_from(items, bipartite=1)
    entries = zip(rows_of_entries(matrix), matrix.indices, matrix.data, strict=True)
    graph.add_weighted_edges_from((users[row], items[column], x) for row, column, x in entries)
    return graph


def to_pandas(matrix: sparse.csr_array) -> pd.DataFrame:
    """Give a matrix as a long table with columns user, item, rating."""
    return pd.DataFrame(
        {"user": rows_of_entries(matrix), "item": matrix.indices, "rating": matrix.data}
    )


def _padded(letter: str, count: int) -> list[str]:
    """Names whose alphabetic order is the order of the numbers."""
    width = len(str(count - 1))
    return [f"{letter}{number:0{width}d}" for number in range(count)]
