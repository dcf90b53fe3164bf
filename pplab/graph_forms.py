"""The forms in which graphs come: arrays, edge lists, networkx; each into a CSR array."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
from scipy import sparse

from pplab.cells import cell_keys, from_cell_keys

__all__ = [
    "as_pattern",
    "bipartite_sides",
    "canonical",
    "edge_list",
    "from_array",
    "from_bipartite_networkx",
    "from_cells",
    "from_social_edge_list",
    "in_order",
]

_EDGE_COLUMNS = (("user", "item"), ("source", "target"))
_VALUE_COLUMNS = ("rating", "weight")


def canonical(matrix: sparse.csr_array, name: str) -> sparse.csr_array:
    """Refuse what is no table and sort its rows; the input stays as it is."""
    _check_structure(name, matrix)
    # a copy of the shell, so that what scipy notes about the order stays ours
    matrix = sparse.csr_array((matrix.data, matrix.indices, matrix.indptr), shape=matrix.shape)
    if not matrix.has_canonical_format:
        matrix = matrix.sorted_indices()
        keys = cell_keys(matrix)
        same = keys[1:] == keys[:-1]
        if same.any():
            row, column = divmod(int(keys[np.argmax(same)]), matrix.shape[1])
            raise ValueError(
                f"{name} has duplicate edges, got cell ({row}, {column}) twice; merge or drop "
                "duplicates first"
            )
    return matrix


def _check_structure(name: str, matrix: sparse.csr_array) -> None:
    """Refuse a CSR array that is empty, too large to number, or whose parts do not fit."""
    rows, columns = matrix.shape
    if rows == 0 or columns == 0:
        raise ValueError(f"{name} must have rows and columns, got shape {matrix.shape}")
    if columns >= 2**31 or rows * columns >= 2**63:
        raise ValueError(
            f"{name} must have fewer than 2^31 columns and 2^63 cells, got shape {matrix.shape}"
        )
    if matrix.data.dtype.kind not in "biuf":
        raise ValueError(f"{name} must store real numbers, got {matrix.data.dtype}")
    if matrix.data.dtype.kind == "f" and not np.isfinite(matrix.data).all():
        raise ValueError(
            f"{name} must store finite values, got NaN or inf; leave missing cells out instead"
        )
    steps_up = (matrix.indptr[1:] >= matrix.indptr[:-1]).all()
    if not steps_up or matrix.indptr[0] != 0 or matrix.indptr[-1] != len(matrix.indices):
        raise ValueError(f"{name} must be a valid CSR array, got an indptr that does not fit")
    if matrix.nnz and not 0 <= matrix.indices.min() <= matrix.indices.max() < columns:
        raise ValueError(
            f"{name} must have column numbers from 0 to {columns - 1}, got "
            f"{matrix.indices.min()} to {matrix.indices.max()}"
        )


def as_pattern(matrix: sparse.csr_array) -> sparse.csr_array:
    """Int8 ones where something is stored."""
    ones = np.ones(matrix.nnz, dtype=np.int8)
    return sparse.csr_array((ones, matrix.indices, matrix.indptr), shape=matrix.shape)


def from_cells(
    rows: np.ndarray, columns: np.ndarray, values: np.ndarray, shape: tuple[int, int]
) -> sparse.csr_array:
    """CSR array of listed cells; by hand, since scipy would add up duplicates in silence."""
    order = np.lexsort((columns, rows))
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=shape[0]))])
    return sparse.csr_array((values[order], columns[order], indptr), shape=shape)


def from_array(data: Any, name: str) -> sparse.csr_array:
    """CSR array of a sparse matrix, an array or nested lists."""
    if sparse.issparse(data):
        if data.ndim != 2:
            raise ValueError(f"{name} must have two dimensions, got {data.ndim}")
        if data.format == "csr":
            return sparse.csr_array(data)
        cells = data.tocoo()
        if data.format == "bsr":  # stores whole blocks: its zeros are padding, no records
            filled = cells.data != 0
            cells = sparse.coo_array(
                (cells.data[filled], (cells.row[filled], cells.col[filled])), shape=data.shape
            )
        return from_cells(cells.row, cells.col, cells.data, data.shape)
    if not isinstance(data, (np.ndarray, list, tuple)):
        raise TypeError(
            f"{name} must be a scipy sparse matrix, a 2-D array, a networkx graph or a DataFrame "
            f"of edges, got {type(data).__name__}"
        )
    lengths = {len(row) for row in data if isinstance(row, (list, tuple))}
    dense = np.asarray(data) if len(lengths) < 2 else np.empty(0, dtype=object)
    if dense.ndim != 2 or dense.dtype.kind not in "biuf":
        raise ValueError(
            f"{name} must be a 2-D array of numbers, got {dense.ndim} dimension(s) of {dense.dtype}"
        )
    if dense.dtype.kind == "b":
        dense = dense.astype(np.int8)
    elif dense.dtype.kind == "f" and dense.dtype.itemsize not in (4, 8):
        dense = dense.astype(float)  # scipy knows no other sizes
    return sparse.csr_array(dense)


def edge_list(frame: pd.DataFrame, name: str) -> tuple[pd.Series, pd.Series, np.ndarray]:
    """Both ends and the value of each listed edge."""
    ends = next((pair for pair in _EDGE_COLUMNS if set(pair) <= set(frame.columns)), None)
    unique = frame.columns.is_unique
    if ends is None or not unique or frame[list(ends)].isna().any(axis=None):
        raise ValueError(
            f"{name} given as a DataFrame must be an edge list with columns user, item (or source, "
            f"target), each once, and no missing ids, got columns {list(frame.columns)}; pass a "
            "table of users x items as an array (frame.to_numpy())"
        )
    value = next((column for column in _VALUE_COLUMNS if column in frame.columns), None)
    values = np.ones(len(frame), dtype=np.int8) if value is None else frame[value].to_numpy()
    if values.dtype.kind not in "biuf":
        raise ValueError(f"{name} must have numbers in its column {value}, got {values.dtype}")
    return frame[ends[0]], frame[ends[1]], values


def from_social_edge_list(frame: pd.DataFrame, name: str) -> sparse.csr_array:
    """Undirected graph: each edge is listed once, or once in each direction."""
    sources, targets, _ = edge_list(frame, name)
    codes, labels = pd.factorize(pd.concat([sources, targets]), sort=True)
    rows, columns = np.split(codes, 2)
    shape = (len(labels), len(labels))
    listed = canonical(from_cells(rows, columns, np.ones(len(rows), dtype=np.int8), shape), name)
    keys = np.union1d(cell_keys(listed), cell_keys(canonical(listed.T.tocsr(), name)))
    return from_cell_keys(keys, np.ones(len(keys), dtype=np.int8), shape)


def bipartite_sides(graph: nx.Graph, name: str) -> tuple[list, list]:
    """Users and items of a bipartite networkx graph."""
    side = nx.get_node_attributes(graph, "bipartite")
    users = [node for node in graph if side.get(node) == 0]
    items = [node for node in graph if side.get(node) == 1]
    simple = not (graph.is_multigraph() or graph.is_directed())
    complete = users and items and len(users) + len(items) == graph.number_of_nodes()
    if not simple or not complete or any(side[a] == side[b] for a, b in graph.edges):
        raise ValueError(
            f"{name} given as a networkx graph must be undirected, simple and have the node "
            f"attribute bipartite (0 for users, 1 for items) with edges between the two, got "
            f"{len(users)} users and {len(items)} items among {graph.number_of_nodes()} nodes"
        )
    return in_order(users), in_order(items)


def from_bipartite_networkx(
    graph: nx.Graph, name: str, users: list, items: list
) -> sparse.csr_array:
    """Table of a bipartite networkx graph for given orders of its nodes."""
    row = {node: number for number, node in enumerate(users)}
    column = {node: number for number, node in enumerate(items)}
    cells = [
        (row[a], column[b], weight) if a in row else (row[b], column[a], weight)
        for a, b, weight in graph.edges(data="weight", default=1)
    ]
    places = np.array([cell[:2] for cell in cells], dtype=np.int64).reshape(-1, 2)
    values = np.asarray([cell[2] for cell in cells] or [0][:0])
    if values.dtype.kind not in "biuf":
        raise ValueError(f"{name} must have numbers as edge weights, got {values.dtype}")
    return from_cells(places[:, 0], places[:, 1], values, (len(users), len(items)))


def in_order(nodes: Any) -> list:
    """Nodes in an order that does not depend on how the graph was built."""
    listed = list(nodes)
    if len({type(node) for node in listed}) == 1 and isinstance(
        listed[0], (int, float, str, tuple)
    ):
        return sorted(listed)
    return sorted(listed, key=lambda node: (type(node).__name__, repr(node)))
