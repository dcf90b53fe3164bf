"""Graphs in and out: every function of the package takes and gives scipy CSR arrays.

A social graph is a square symmetric adjacency, a preference graph or a table of ratings a
users x items biadjacency. A stored value is a record even when it is zero; what is not stored
is no edge. Rows and columns stand in the order of their labels, by value, so that the order in
which somebody lists the edges never changes a result. No file but this and `own_data` looks inside
a networkx graph or a DataFrame of edges.

A level of privacy belongs to a public *frame*: which users and items exist, whatever the edges
are. A matrix and a networkx graph bring theirs; a `Table` or `Graph` knows whether its frame was
named or taken from its entries (`check_public_frame`).
"""

from __future__ import annotations

import math
import re
import sys
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from pplab.checks import as_array, check_same_shape, check_stored_values, shown
from pplab.labelled import Axis, Graph, Labelled, Table, outgoing

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    GraphLike = Any
else:

    class GraphLike:
        """A Table or Graph, a sparse or dense array, or a networkx graph, as help shows it."""


Array = np.ndarray  # as compiled functions take it


def as_matrix(data: GraphLike, *, name: str = "matrix") -> sparse.csr_array:
    """Bring a users x items table into a CSR array with sorted rows; the input stays as it is.

    Parameters
    ----------
    data : scipy sparse, 2-D array, Table or networkx bipartite graph
        A dense array stores its non-zero cells. A networkx graph needs the node attribute
        ``bipartite`` (0 for users, 1 for items).
    name : str
        What the argument is called in the sentence of a refusal.

    Returns
    -------
    csr_array, shape (users, items)

    Raises
    ------
    TypeError
        If the data are none of these; of a DataFrame the sentence types out the call of
        `pplab.table` or `pplab.graph`.
    ValueError
        If the matrix is empty, not two-dimensional, or stores a cell twice, or if labels have no
        order.

    Examples
    --------
    >>> as_matrix([[5, 3], [4, 0]]).nnz
    3
    """
    if isinstance(data, Graph):
        raise TypeError(not_a_table(name))
    if is_network(data):
        data = with_labels(data, bipartite=True, name=name)
    if isinstance(data, Table):
        return data.matrix
    return _canonical(_from_array(data, name), name)


def as_biadjacency(data: GraphLike, *, name: str = "biadjacency") -> sparse.csr_array:
    """Bring a preference graph into a CSR array of int32 ones: stored means edge."""
    refuse_values(name, data)
    matrix = as_matrix(data, name=name)
    _refuse_edge_lists({name: data}, [matrix])
    return _as_pattern(matrix)


def _refuse_edge_lists(given: dict[str, GraphLike], matrices: list, *, scale: int = 1) -> None:
    """Refuse arrays if each has two or three long columns of whole numbers, some above the scale.

    Where ratings are in place too, it is a list of edges only in the order of its first column.
    """
    for data, matrix in zip(given.values(), matrices, strict=True):
        rows, columns = matrix.shape
        long = isinstance(data, (np.ndarray, list, tuple)) and columns in (2, 3) and rows > columns
        if not long or matrix.data.max(initial=0) <= scale or (matrix.data % 1).any():
            return
        first = matrix[:, [0]].toarray()
        if scale > 1 and (first[1:] < first[:-1]).any():
            return
    raise ValueError(
        f"{' and '.join(given)} must hold users x items, got whole numbers up to "
        f"{int(matrix.data.max())} in {columns} columns, as a list of edges has them; make it with "
        "pplab.table(pandas.DataFrame(...), user=0, item=1), of people with pplab.graph(..., source"
        "=0, target=1), or pass scipy.sparse.csr_array(...) if its columns are items"
    )


def refuse_values(name: str, data: GraphLike) -> None:
    """Refuse a labelled table with values where only links count."""
    if isinstance(data, Table) and data.has_values:
        raise ValueError(
            f"{name} must be a Table of ones, got one with values; decide which count as an entry, "
            "with .keep(at_least=...), or .keep() for all"
        )


def not_a_table(name: str) -> str:
    """Say what to pass if a graph of people is given instead of a table."""
    return (
        f"{name} must be a table of users x items, got a Graph of people; pass its .rows(), whose "
        "docstring says what that protects"
    )


def as_ones(data: GraphLike, *, name: str = "biadjacency") -> sparse.csr_array:
    """Bring a binary table into a CSR array; refuse stored values other than 1."""
    refuse_values(name, data)
    matrix = as_matrix(data, name=name)
    other = matrix.data != 1
    if other.any():
        raise ValueError(
            f"{name} must store ones only, got {matrix.data[other][0].item()!r}; decide first "
            "which values count as an entry, for example (ratings >= 4).astype(int), and drop "
            "stored zeros with eliminate_zeros()"
        )
    return matrix


def as_adjacency(data: GraphLike, *, name: str = "adjacency") -> sparse.csr_array:
    """Bring an undirected graph into a symmetric CSR array of int32 ones without self-loops."""
    if isinstance(data, Table):
        raise TypeError(
            f"{name} must be a graph of people, got a Table; make it with pplab.graph(...)"
        )
    data = with_labels(data, bipartite=False, name=name)
    if isinstance(data, Graph):
        return _as_pattern(data.matrix)
    return _undirected(_from_array(data, name, people=True), name)


def _undirected(adjacency: sparse.csr_array, name: str) -> sparse.csr_array:
    """Ones where an undirected graph has an edge."""
    matrix = _as_pattern(_canonical(adjacency, name))
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(
            f"{name} must be a square adjacency matrix, got {matrix.shape[0]} x {matrix.shape[1]}; "
            "for users x items use the bipartite function"
        )
    if (matrix.indices == rows_of_entries(matrix)).any():
        raise ValueError(
            f"{name} must have no self-loops, got some; drop the diagonal first, of a networkx "
            "graph with graph.remove_edges_from(list(networkx.selfloop_edges(graph)))"
        )
    turned = matrix.T.tocsr()  # its rows come out sorted
    if not (matrix.indptr == turned.indptr).all() or not (matrix.indices == turned.indices).all():
        raise ValueError(
            f"{name} must be symmetric (an undirected graph), got an edge in one direction only; "
            "add its transpose first"
        )
    return matrix


def with_labels(data: GraphLike, *, bipartite: bool | None, name: str = "data") -> Any:
    """Turn a networkx graph into a `Table` or `Graph`; return everything else unchanged.

    The nodes of a networkx graph are its frame, and their order is that of results. With None all
    nodes are people, also of a bipartite graph.
    """
    if not is_network(data):
        return data
    sides = {str(side) for _, side in data.nodes(data="bipartite")}
    if bipartite is False and sides == {"0", "1"}:
        raise TypeError(
            f"{name} must be a graph of people, got nodes that are users and items (bipartite); to "
            "a function of users x items pass pplab.table(graph), here pplab.graph(graph) of people"
        )
    if not bipartite:
        import networkx as nx

        _check_simple(data, name)
        edge_weights(data, name, "weight", missing=1)  # to refuse what is no number
        axis = Axis(_in_order(data, name), list(data))
        check_shape(name, (len(data), len(data)))
        pattern = nx.to_scipy_sparse_array(data, nodelist=axis.labels, weight=None)
        cells = _undirected(sparse.csr_array(pattern), name)
        return Graph(cells, (axis, axis), columns=("source", "target", None), named=True)
    weighted = any(value is not None for *_, value in data.edges(data="weight"))
    made = from_bipartite(data, name, "weight" if weighted else None)
    return made if made.has_values else made.keep()


def _check_simple(graph: nx.Graph, name: str) -> None:
    """Refuse a networkx graph whose edges have a direction or stand several times."""
    if graph.is_directed() or graph.is_multigraph():
        raise ValueError(
            f"{name} must be an undirected simple graph, got {type(graph).__name__}; convert it "
            "with networkx.Graph(graph) first, which keeps the last of several weights of a pair; "
            "where they count, add up those in networkx.to_pandas_edgelist(graph)"
        )


def from_bipartite(
    data: nx.Graph, name: str, weight: Any, *, label: Callable[[Any], Any] = lambda node: node
) -> Table:
    """Table of a bipartite networkx graph in the order of its nodes; `label` names them."""
    sides = _bipartite_sides(data, name)
    row, column = ({node: number for number, node in enumerate(side)} for side in sides)
    ends = ((a, b) if a in row else (b, a) for a, b in data.edges)
    places = np.array([(row[a], column[b]) for a, b in ends], dtype=np.int64).reshape(-1, 2)
    values, shape = edge_weights(data, name, weight), (len(row), len(column))
    matrix = from_cells(places[:, 0], places[:, 1], values, shape)
    users, items = ([label(node) for node in side] for side in sides)
    return with_frame(matrix, users, items, ("user", "item", weight), (name, name))


def with_frame(
    matrix: sparse.csr_array, users: list, items: list | None, columns: tuple, names: tuple = ()
) -> Any:
    """A matrix with the labels of its rows and columns; a `Graph` where the items are None.

    Labels without an order are refused by the names of both, which are else those of the columns.
    """
    sides = zip((users, users if items is None else items), names or columns, strict=False)
    axes = [Axis(_in_order(side, name), side) for side, name in sides]
    rows, goods = axes[0].order[rows_of_entries(matrix)], axes[1].order[matrix.indices]
    cells = outgoing(from_cells(rows, goods, matrix.data, matrix.shape))
    kind = Graph if items is None else Table
    return kind(cells, (axes[0], axes[1]), columns=columns, named=True)


def by_value(data: GraphLike, *, bipartite: bool, name: str = "data") -> Any:
    """Labelled data and networkx graphs in canonical order, for draws; the rest unchanged."""
    people = with_labels(data, bipartite=bipartite, name=name)
    return people.by_value() if isinstance(people, Labelled) else people


def as_aligned(*, graphs_too: bool = False, **graphs: GraphLike) -> list[sparse.csr_array]:
    """Bring several tables into CSR arrays whose cells mean the same.

    Networkx graphs are taken as the `Table` or `Graph` that they are; graphs_too says whether all
    may be a `Graph`. Labels must be the same in all, and come in canonical order. Tables without
    labels are taken as they are and must agree in shape.

    Raises
    ------
    ValueError
        If a table with labels meets one without, or one of other labels, the shapes differ, or all
        are lists of edges.
    """
    kinds = {type(data) for data in graphs.values() if isinstance(data, Labelled)}
    people = kinds == {Graph} and graphs_too
    graphs = {n: with_labels(x, bipartite=not people, name=n) for n, x in graphs.items()}
    labelled = [isinstance(data, Labelled) for data in graphs.values()]
    if all(labelled):
        for name, data in graphs.items():
            if isinstance(data, Graph) and not people:
                raise TypeError(not_a_table(name))
        check_one_frame(graphs)
        return [data.canonical.copy() for data in graphs.values()]
    if any(labelled):
        for name, data in graphs.items():
            if not isinstance(data, Labelled):
                _from_array(data, name)  # what is no table at all is told so
        raise ValueError(
            f"{', '.join(graphs)} must all carry labels of one kind or none, got "
            f"{', '.join(type(data).__name__ for data in graphs.values())}; "
            "pass tables made by pplab.table, or matrices with the same rows and columns"
        )
    matrices = [as_matrix(data, name=name) for name, data in graphs.items()]
    for name, matrix in zip(list(graphs)[1:], matrices[1:], strict=True):
        check_same_shape(matrices[0], matrix, names=(next(iter(graphs)), name))
    if graphs_too:
        _refuse_edge_lists(graphs, matrices, scale=10)  # few scales of ratings go further
    return matrices


def check_one_frame(
    tables: Mapping[str, Labelled], *, sides: tuple[str, ...] = ("users", "items")
) -> None:
    """Refuse tables of other users or items than the first's; say which."""
    (first, known), *others = tables.items()
    for name, other in others:
        for side, one, two in zip(("users", "items"), known.axes, other.axes, strict=True):
            if side in sides and one.labels != two.labels:
                lacks, more = set(one.labels) - set(two.labels), set(two.labels) - set(one.labels)
                raise ValueError(
                    f"{first} and {name} must have the same {side}, got {side} {_some(lacks)} in "
                    f"{first} only and {_some(more)} in {name} only; make both with the same "
                    f"{side}=, or add the nodes that a networkx graph lacks"
                )


def _some(labels: Set[Any]) -> str:
    """Some of a set of labels, in words."""
    few = ", ".join(sorted(map(shown, labels))[:3])
    return f"{few} and {len(labels) - 3:,} more" if len(labels) > 3 else few or "none"


# Social graphs and preferences: the same users in both, matched by label where there are labels.


def as_social(social: GraphLike) -> sparse.csr_array:
    """Bring a social graph into a symmetric CSR array of int32 ones; refuse weights.

    A networkx graph is taken as its pattern: networkx ships its own examples with weights.
    Elsewhere, `as_adjacency` takes whatever is stored as an edge. The similarities of the paper
    know no weights, so a weight here is more likely a table of ratings in the wrong place.
    """
    if isinstance(social, Graph) and social.has_values:
        raise ValueError(
            "social must be without weights, got a Graph with some; leave weight= out of "
            "pplab.graph"
        )
    if not (is_network(social) or isinstance(social, Labelled)):
        social = _from_array(social, "social", people=True)
        if (other := social.data != 1).any():
            raise ValueError(
                f"social must be without weights, 1 for each edge, got {social.data[other][0]}; "
                "decide which weights count as an edge first, for example (graph > 0).astype(int)"
            )
    return as_adjacency(social, name="social")


def as_social_and_preferences(
    social: GraphLike, preferences: GraphLike
) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Bring both graphs into CSR arrays whose rows are the same users.

    Where both carry labels, users are matched by them and stand in the order of the social graph,
    and a user whom only one of them has is refused. Where one does, its labels must be the row
    numbers 0, 1, 2, ... of the other.

    Parameters
    ----------
    social : graph, users x users
        Undirected, without weights and self-loops.
    preferences : users x items
        Weights in [0, 1].

    Returns
    -------
    social : csr_array of int32 ones, shape (users, users)
    preferences : csr_array, shape (users, items)

    Raises
    ------
    TypeError, ValueError
        If one is no such graph, or they have not the same users.

    Examples
    --------
    >>> import networkx as nx
    >>> friends = nx.relabel_nodes(nx.path_graph(3), {0: "Ada", 1: "Bo", 2: "Cy"})
    >>> likes = nx.Graph([("Cy", 1), ("Ada", 2), ("Bo", 1)])
    >>> nx.set_node_attributes(likes, {n: int(n in (1, 2)) for n in likes}, "bipartite")
    >>> as_social_and_preferences(friends, likes)[1].toarray()
    array([[0, 1],
           [1, 0],
           [1, 0]], dtype=int32)
    """
    social = with_labels(social, bipartite=False, name="social")
    preferences = with_labels(preferences, bipartite=True, name="preferences")
    if not (isinstance(social, Labelled) and isinstance(preferences, Labelled)):
        social, preferences = (  # labels that stand alone must be row numbers
            x.by_value() if isinstance(x, Labelled) else x for x in (social, preferences)
        )
    graph, table = as_social(social), as_matrix(preferences, name="preferences")
    if isinstance(social, Labelled) and isinstance(preferences, Labelled):
        check_one_frame({"social": social, "preferences": preferences}, sides=("users",))
        axes = social.axes[0], preferences.axes[1]
        table = preferences.with_cells(preferences.canonical, axes).matrix
    elif isinstance(social, Labelled):
        _check_row_numbers("social", social.axes[0].listed, other="preferences")
    elif isinstance(preferences, Labelled):
        _check_row_numbers("preferences", preferences.axes[0].listed, other="social")
    check_preferences(table, graph.shape[0])
    return graph, table


def check_preferences(preferences: sparse.csr_array, users: int) -> None:
    """Refuse preferences of other users than those of the social graph, or weights off [0, 1].

    Noise is scaled for a change of a weight by at most 1.
    """
    if preferences.shape[0] != users:
        raise ValueError(
            f"preferences must have a row for each of the {users} users of the social graph, got "
            f"{preferences.shape[0]}; drop users who are in one graph only, or give them an empty "
            "row"
        )
    check_stored_values("preferences", preferences, low=0, high=1)


def _check_row_numbers(name: str, labels: Sequence[Any], *, other: str) -> None:
    """Refuse labels beside a table without any, unless they are the row numbers themselves."""
    if strange := [label for row, label in enumerate(labels) if label != row]:
        raise ValueError(
            f"{name} must carry no labels where {other} has none, got user {shown(strange[0])}, "
            "who is no row number; make both by pplab.graph and pplab.table, or pass matrices"
        )


# Labels, their order, and the frame.


def labels_of(table: GraphLike) -> tuple[Sequence[Any], Sequence[Any]]:
    """List users and items in the order in which every function takes them.

    That is the order in which they were stated, of a networkx graph that of its nodes; of a matrix
    they are the numbers of its rows and columns.

    Examples
    --------
    >>> labels_of([[1, 0, 1]])
    (range(0, 1), range(0, 3))
    """
    table = with_labels(table, bipartite=True, name="table")
    if isinstance(table, Table):
        return table.users, table.items
    rows, columns = np.shape(table)
    return range(rows), range(columns)


def check_public_frame(name: str, data: GraphLike) -> None:
    """Refuse data whose frame was taken from their entries.

    Two edge lists that differ in one edge can differ in the labels that occur, so tables made of
    them have different shapes, and no level holds.
    """
    if isinstance(data, Labelled) and not data.named:
        call = "users=..., items=..." if isinstance(data, Table) else "nodes=..."
        raise ValueError(
            f"{name} must come with a public frame, got one that was taken from the entries; make "
            f"it with {call} naming all that may occur, or with listed='public' if who is listed "
            "is public"
        )


def _in_order(labels: Iterable[Any], name: str) -> list:
    """Labels by their values, whatever the listing; refuse those that have no such order."""
    listed = list(labels)
    odd, ordered = [label for label in listed if not _is_comparable(label)][:1], []
    if not odd:
        try:
            ordered = sorted(listed, key=_value)
        except (TypeError, ValueError):
            kinds = {type(label): label for label in reversed(listed)}  # one of each type
            odd = (list(kinds.values()) if len(kinds) > 1 else listed)[:2]
    # a chain of labels, each below the next, is the only order there is
    for pair in pairwise(ordered):
        if not _value(pair[0]) < _value(pair[1]):
            odd = list(pair)
            break
    if odd:
        raise ValueError(
            f"{name} must have labels with one order (no NaN, but numbers, names, dates, tuples of "
            f"these), each once, got {' beside '.join(map(shown, odd))}; leave a repeated one out, "
            "or rename, for example with frame.astype(str) or networkx.relabel_nodes(graph, str)"
        )
    check_blanks(listed)
    return ordered


def check_blanks(labels: Iterable[Any]) -> None:
    """Refuse names that look the same: but for blanks, the code of a letter, or 12.0 for 12."""
    seen: dict[str, str] = {}
    for label in (name for name in labels if isinstance(name, str)):
        plain = unicodedata.normalize("NFC", label).strip("\ufeff\u200b")
        look = re.sub(r"^(\d+)\.0$", r"\1", " ".join(plain.split()))
        if (other := seen.setdefault(look, label)) != label:
            raise ValueError(
                f"data must have names that a reader can tell apart, got {other!a} beside "
                f"{label!a}; write them in one way if they are one, or rename one"
            )


def _is_comparable(label: Any) -> bool:
    """True if a label has a place among others of its type: sets, NaN, NA and None have none."""
    if isinstance(label, tuple):
        return all(map(_is_comparable, label))
    try:
        hash(label)
        return bool(label == label) and not label < label and not isinstance(label, Set)
    except (TypeError, ValueError, ArithmeticError):
        return False


def _value(label: Any) -> Any:
    """A number of numpy as one of Python, which compares with all others."""
    return label.item() if isinstance(label, np.generic) and label.dtype.kind in "biuf" else label


# Cells of a CSR array as ascending numbers: row * columns + column.


def rows_of_entries(matrix: sparse.csr_array) -> Array:
    """Row number of each stored entry, in stored order."""
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))


def cell_keys(matrix: sparse.csr_array) -> Array:
    """Number row * columns + column of each stored cell: ascending, since rows are sorted."""
    return rows_of_entries(matrix) * np.int64(matrix.shape[1]) + matrix.indices


def from_cell_keys(keys: Array, values: Array, shape: tuple[int, int]) -> sparse.csr_array:
    """Build a CSR array from ascending cell numbers and their values, zeros kept."""
    rows, columns = np.divmod(keys, shape[1])
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=shape[0]))])
    return sparse.csr_array((values, columns.astype(np.int32), indptr), shape=shape)


def numbered(values: Iterable[Hashable]) -> Array:
    """Number values in order of first appearance."""
    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(value, len(known)) for value in values], dtype=np.int64)


def from_cells(
    rows: Array, columns: Array, values: Array, shape: tuple[int, int]
) -> sparse.csr_array:
    """Build a CSR array with sorted rows from listed cells; zeros stay, and so do duplicates."""
    keys = rows * np.int64(shape[1]) + columns
    order = np.argsort(keys, kind="stable")  # of duplicates the first stays first
    return from_cell_keys(keys[order], values[order], shape)


def paired_values(
    left: sparse.csr_array, right: sparse.csr_array, *, absent: float = 0.0
) -> tuple[Array, Array, Array]:
    """Cells stored in either matrix, ascending, and both matrices' values there."""
    sides = [(cell_keys(matrix), matrix.data) for matrix in (left, right)]
    both = np.concatenate([keys for keys, _ in sides])
    both.sort(kind="stable")  # merges two sorted runs: no sorting is left to do
    union = both[np.append(True, both[1:] != both[:-1])] if len(both) else both
    values = np.full((2, len(union)), absent)
    for column, (keys, data) in zip(values, sides, strict=True):
        column[np.searchsorted(union, keys)] = data
    return union, values[0], values[1]


# The forms in which graphs come: arrays and networkx, each into a CSR array.


def is_network(data: Any) -> bool:
    """Say whether data are a networkx graph; where networkx was never imported they are none."""
    networkx = sys.modules.get("networkx")
    return networkx is not None and isinstance(data, networkx.Graph)


def is_frame(data: Any) -> bool:
    """Say whether data are a DataFrame; where pandas was never imported they are none."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.DataFrame)


def as_pandas(data: Any) -> Any:
    """A frame of polars or Arrow as one of pandas; everything else unchanged."""
    return data.to_pandas() if hasattr(data, "to_pandas") else data


def call_for(frame: pd.DataFrame, *, people: bool = False) -> str:
    """Type out the call that makes a Table or a Graph of the columns of a DataFrame."""
    if len(frame) > 1 and frame.columns.equals(frame.index) and frame.equals(frame.T):
        return "pplab.graph(networkx.from_pandas_adjacency(frame))"
    columns = list(zip(frame.columns, frame.dtypes, strict=True))
    have, numbers = [c for c, _ in columns], [c for c, kind in columns if kind.kind in "biuf"]
    wide = len(have) > _LONG or frame.columns.name is not None  # a pivot's columns have a name
    if wide and len(numbers) == len(have):
        return f"pplab.table(frame, columns={shown(have)}) if each column is an item"
    named = {"user", "item"} <= set(have)
    first, second = ("user", "item") if named else [*have, "...", "..."][:2]
    if {"source", "target"} <= set(have):
        first, second, people = "source", "target", True
    rest = [column for column in numbers if column not in (first, second)]
    value = {word: f", {word}={rest[0]!r}" if rest else "" for word in ("value", "weight")}
    table = f"pplab.table(frame, user={first!r}, item={second!r}{value['value']})"
    graph = f"pplab.graph(frame, source={first!r}, target={second!r}{value['weight']})"
    either = not (people or named) and len(set(have)) == len(have) > 1
    if either and set(frame[first].dropna()) & set(frame[second].dropna()):
        return f"{graph} if both columns are people, {table} if not"
    return graph if people else table


def refuse_frame(name: str, data: Any, *, people: bool = False) -> None:
    """Refuse a DataFrame where a Table or a Graph is asked for, with the call that makes one."""
    if is_frame(data := as_pandas(data)):
        raise TypeError(
            f"{name} must be a {'Graph' if people else 'Table'} or a matrix, got a DataFrame with "
            f"columns {shown(list(data.columns))}; pass {call_for(data, people=people)}, or "
            "frame.to_numpy() if its rows are people and its columns items by position"
        )


_LONG = 4  # columns of a long frame: who, what, a value, a time


def _canonical(matrix: sparse.csr_array, name: str) -> sparse.csr_array:
    """Refuse what is no table, and sort the rows of an array of our own."""
    check_shape(name, matrix.shape)
    if matrix.data.dtype.kind == "b":
        matrix.data = matrix.data.astype(np.int32)
    with np.errstate(all="ignore"):  # a finite sum has finite parts, and takes no mask
        total = matrix.data.sum()
    if not math.isfinite(total) and not np.isfinite(matrix.data).all():
        raise ValueError(
            f"{name} must store finite values, got NaN or inf; leave missing cells out instead"
        )
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


def check_shape(name: str, shape: tuple[int, ...]) -> None:
    """Refuse what is not a table, an empty one, or one with too many rows or columns to number."""
    if len(shape) != 2:
        raise ValueError(
            f"{name} must have two dimensions, got {len(shape)}; pass a row for each user or point"
        )
    if not min(shape):
        raise ValueError(f"{name} must have rows and columns, got shape {shape}; pass some")
    if max(shape) >= 2**31:
        raise ValueError(
            f"{name} must have fewer than 2^31 columns and 2^31 rows, got shape {shape}; number "
            "users and items without gaps"
        )


def _as_pattern(matrix: sparse.csr_array) -> sparse.csr_array:
    """Ones where something is stored."""
    ones = np.ones(matrix.nnz, dtype=np.int32)
    return sparse.csr_array((ones, matrix.indices, matrix.indptr), shape=matrix.shape)


def _from_array(data: Any, name: str, *, people: bool = False) -> sparse.csr_array:
    """CSR array of a sparse matrix, an array or nested lists."""
    if sparse.issparse(data):
        whole = _sound(data, name)
        if whole.format == "csr":
            return whole
        cells = whole.tocoo()
        # bsr stores whole blocks: its zeros are padding, no records
        kept = cells.data != 0 if whole.format == "bsr" else slice(None)
        return from_cells(cells.row[kept], cells.col[kept], cells.data[kept], cells.shape)
    dense = as_dense(data, name, people=people)
    if not dense.all():
        return sparse.csr_array(dense)
    rows, columns = dense.shape  # nothing is left out, so nothing is looked for
    index = sparse.get_index_dtype(maxval=dense.size)
    places = np.tile(np.arange(columns, dtype=index), rows)
    starts = np.arange(rows + 1, dtype=index) * columns
    full = sparse.csr_array((dense.flatten(), places, starts), dense.shape)
    full.has_canonical_format = True
    return full


def as_dense(data: Any, name: str, *, people: bool = False) -> Array:
    """Bring an array or nested lists into a plain array of two dimensions; it may be the same."""
    refuse_frame(name, data, people=people)
    if not isinstance(data, (np.ndarray, list, tuple)):
        parts = ("table", "graph", "biadjacency", "protected", "to_networkx()")
        held = [part for part in parts if getattr(data, part.strip("()"), None) is not None]
        remedy = f"pass its .{held[0]}" if held else "make a DataFrame of its edges"
        raise TypeError(
            f"{name} must be a scipy sparse matrix, a 2-D array, a networkx graph, or what "
            f"pplab.table and pplab.graph make, got {type(data).__name__}; {remedy}"
        )
    dense = as_array(name, data)
    if dense.ndim != 2 or dense.dtype.kind not in "biuf":
        raise ValueError(
            f"{name} must be a 2-D array of numbers, got shape {dense.shape} of {dense.dtype}; "
            "give each user a row of numbers, or make a DataFrame of pairs"
        )
    return dense


def _sound(data: Any, name: str) -> Any:
    """A scipy container made anew from its parts, checked before anything reads them."""
    form, shape = data.format, data.shape
    check_shape(name, shape)
    try:
        parts = _parts(data)
        if form == "csr" and _is_canonical(shape, *parts):
            whole = sparse.csr_array(data)  # of the same arrays, without the flags
            whole.has_canonical_format = True
            return whole
        entries, *places = (as_array(name, part) for part in parts)
        whole_numbers = all(part.dtype.kind in "iu" or not part.size for part in places)
        if entries.dtype.kind not in "biuf" or not whole_numbers:
            raise ValueError(f"{entries.dtype} in places of {[str(part.dtype) for part in places]}")
        if form in ("csr", "csc", "bsr") and (np.diff(places[1].astype(np.int64)) < 0).any():
            raise ValueError("its indptr falls")
        listed, of_objects = form in ("lil", "dok", "coo"), form in ("lil", "dok")
        # lists and keys hold Python's numbers
        values = as_array(name, entries.astype(data.dtype)) if of_objects else entries
        make = sparse.coo_array if listed else getattr(sparse, f"{form}_array")
        whole = make((values, tuple(places)) if listed else (values, *places), shape=shape)
        if form in ("csr", "csc", "bsr"):
            whole.check_format(full_check=True)
        same = whole.data.shape == entries.shape and (not of_objects or (values == entries).all())
        if not same or (form == "dia" and (whole.offsets != places[0]).any()):
            raise ValueError("some of its parts do not fit")
    except (TypeError, ValueError, ZeroDivisionError) as error:
        raise ValueError(
            f"{name} must be a sound {form.upper()} array of real numbers, got one with a fault "
            f"({error}); make it anew from its cells"
        ) from error
    return whole


_NATIVE = {np.dtype(kind) for kind in "?bhilqBHILQfd"}


def _is_canonical(shape: tuple[int, int], values: Any, indices: Any, indptr: Any) -> bool:
    """True if a CSR array is sound, of native numbers, and its columns rise in each row.

    Most are, and this takes a third of the time that scipy takes to look.
    """
    for part in (values, indices, indptr):
        if type(part) is not np.ndarray or part.ndim != 1 or part.dtype not in _NATIVE:
            return False
    places = indices.dtype.kind == indptr.dtype.kind == "i" and len(indptr) == shape[0] + 1
    if not places or indptr[0] != 0 or not indptr[-1] == len(indices) == len(values) < 2**31:
        return False
    if (indptr[1:] < indptr[:-1]).any():
        return False
    rises = np.empty(len(indices) + 1, dtype=bool)
    np.greater(indices[1:], indices[:-1], out=rises[1:-1])
    rises[indptr] = True
    last = indices.view(f"u{indices.itemsize}").max(initial=0)  # a negative one is large
    return bool(last < shape[1] and rises.all())


def _parts(data: Any) -> tuple[Any, ...]:
    """Values of a scipy container, and the arrays that say where they stand."""
    if data.format == "dok":
        cells = [(value, *key) for key, value in data.items()]
    elif data.format == "lil":
        lists = zip(range(data.shape[0]), data.rows, data.data, strict=True)
        cells = [
            (value, row, column)
            for row, columns, values in lists
            for column, value in zip(columns, values, strict=True)
        ]
    else:
        names = {"coo": ("row", "col"), "dia": ("offsets",)}.get(data.format, ("indices", "indptr"))
        return data.data, *(getattr(data, name) for name in names)
    return tuple(zip(*cells, strict=True)) or ((), (), ())


def _weights(name: str, values: Any, where: str) -> Array:
    """Bring the weights of listed edges into an array of finite numbers."""
    weights = as_array(name, values)
    if weights.ndim != 1 or weights.dtype.kind not in "biuf":
        cells = weights.ravel().tolist()
        odd = [x for x in cells if not re.fullmatch(r"[-+]?(\d*\.)?\d+(e[-+]?\d+)?", str(x))]
        strange = (odd or cells or [None])[0]
        raise ValueError(f"{name} must have numbers {where}, got {shown(strange)}; convert them")
    if not np.isfinite(weights).all():
        raise ValueError(
            f"{name} must have finite numbers {where}, got NaN or inf; drop such edges"
        )
    return weights


def _bipartite_sides(graph: nx.Graph, name: str) -> tuple[list, list]:
    """Users and items of a bipartite networkx graph, in the order of its nodes."""
    _check_simple(graph, name)
    side = {node: value for node, value in graph.nodes(data="bipartite") if np.ndim(value) == 0}
    users = [node for node in side if side[node] == 0]
    items = [node for node in side if side[node] == 1]
    complete = users and items and len(users) + len(items) == graph.number_of_nodes()
    if not complete or any(side[a] == side[b] for a, b in graph.edges):
        raise ValueError(
            f"{name} given as a networkx graph must have the node attribute bipartite (0 for "
            f"users, 1 for items) with edges between the two, got {len(users)} users and "
            f"{len(items)} items among {graph.number_of_nodes()} nodes; set the numbers 0 and 1 "
            "there, or pass people as a matrix: networkx.to_scipy_sparse_array(graph)"
        )
    return users, items


def edge_weights(graph: nx.Graph, name: str, weight: Any, *, missing: Any = None) -> Array:
    """An attribute of the edges of a networkx graph; None for ones.

    An edge without it is refused, unless there is a value for what is missing.
    """
    if weight is None:
        return np.ones(graph.number_of_edges(), dtype=np.int32)
    listed = []
    for one, other, value in graph.edges(data=weight, default=missing):
        if value is None:
            raise ValueError(
                f"{name} must have the attribute {weight} on each edge, got none between "
                f"{shown(one)} and {shown(other)}; set it there, or name one that all edges have"
            )
        listed.append(value)
    return _weights(name, listed, f"as {weight} of its edges")
