"""Graphs in and out: every function of the package takes and gives scipy CSR arrays.

A social graph is a square symmetric adjacency, a preference graph or a table of ratings a
users x items biadjacency. A stored value is a record even when it is zero; what is not stored
is no edge. Rows and columns stand in the order of their labels, by value, so that the order in
which somebody lists the edges never changes a result. No other file looks inside a networkx graph
or a DataFrame of edges.

A level of privacy belongs to a public *frame*: which users and items exist, whatever the edges
are. A matrix and a networkx graph bring theirs. An edge list does not: its labels come and go with
its edges, so releases take the frame beside it (`public_frame`).
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence, Set
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from pplab.checks import as_array, check_integer, check_same_shape, check_stored_values, shown
from pplab.labelled import Axis, Graph, Labelled, Table, outgoing

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd


GraphLike = Any  # csr_array, csr_matrix, any scipy sparse, a dense array, networkx, a DataFrame
Labels = Any  # a list, array, index or range of labels; None
Array = np.ndarray  # as compiled functions take it


def as_matrix(
    data: GraphLike, *, name: str = "matrix", users: Labels = None, items: Labels = None
) -> sparse.csr_array:
    """Bring a users x items table into a CSR array with sorted rows; the input stays as it is.

    Parameters
    ----------
    data : scipy sparse, 2-D array, networkx bipartite graph or DataFrame
        A dense array stores its non-zero cells. A DataFrame is an edge list with columns
        ``user, item`` and perhaps ``rating`` (or ``weight``). A networkx graph
        needs the node attribute ``bipartite`` (0 for users, 1 for items).
    name : str
        What the argument is called in the sentence of a refusal.
    users, items : list of labels, optional
        Frame of an edge list: a row for each of these users and a column for each of these items,
        in the order of `labels_of`. By default the labels that occur.

    Returns
    -------
    csr_array, shape (users, items)

    Raises
    ------
    TypeError
        If the data are none of these.
    ValueError
        If the matrix is empty, not two-dimensional, or stores a cell twice; if labels have no
        order, are missing in the frame, or a frame is given beside a matrix or a networkx graph.

    Examples
    --------
    >>> import pandas as pd
    >>> edges = pd.DataFrame({"user": [7, 7, 9], "item": [1, 2, 1], "rating": [5, 3, 4]})
    >>> as_matrix(edges).toarray()
    array([[5, 3],
           [4, 0]])
    >>> as_matrix(edges, users=[7, 8, 9], items=[1, 2]).shape
    (3, 2)
    """
    users, items = as_labels("users", users), as_labels("items", items)
    if is_frame(data):
        return _from_edge_lists({name: data}, users, items)[0]
    _check_own_frame(name, users=users, items=items)
    if isinstance(data, Graph):
        raise TypeError(not_a_table(name))
    if isinstance(data, Table):
        return data.canonical.copy()
    if is_network(data):
        return as_aligned(**{name: data})[0]
    return _canonical(_from_array(data, name), name)


def as_biadjacency(
    data: GraphLike, *, name: str = "biadjacency", users: Labels = None, items: Labels = None
) -> sparse.csr_array:
    """Bring a preference graph into a CSR array of int32 ones: stored means edge."""
    refuse_values(name, data)
    return _as_pattern(as_matrix(data, name=name, users=users, items=items))


def refuse_values(name: str, data: GraphLike) -> None:
    """Refuse a labelled table with values where only who is linked counts."""
    if isinstance(data, Table) and data.has_values:
        raise ValueError(
            f"{name} must be a Table of ones, got one with values; decide which count as an entry, "
            "with .keep(at_least=...), or .keep() for all"
        )


def not_a_table(name: str) -> str:
    """Say what to pass where a graph of people comes for a table."""
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


def as_adjacency(
    data: GraphLike, *, name: str = "adjacency", nodes: Labels = None
) -> sparse.csr_array:
    """Bring an undirected graph into a symmetric CSR array of int32 ones without self-loops."""
    nodes = as_labels("nodes", nodes)
    if not is_frame(data):
        _check_own_frame(name, nodes=nodes)
    if isinstance(data, Table):
        raise TypeError(
            f"{name} must be a graph of people, got a Table; make it with pplab.graph(...)"
        )
    if isinstance(data, Graph):
        return _as_pattern(data.canonical.copy())
    if is_network(data):
        if data.is_directed() or data.is_multigraph():
            raise ValueError(
                f"{name} must be an undirected simple graph, got {type(data).__name__}; "
                "convert it with networkx.Graph(graph) first"
            )
        _edge_weights(data, name)
        listed = _in_order(data, name)
        matrix = sparse.csr_array((0, 0))
        if listed:
            import networkx as nx

            matrix = sparse.csr_array(nx.to_scipy_sparse_array(data, nodelist=listed, weight=None))
    elif is_frame(data):
        matrix = _from_social_edge_list(data, name, nodes)
    else:
        matrix = _from_array(data, name)
    matrix = _as_pattern(_canonical(matrix, name))
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


def with_labels(data: GraphLike, *, bipartite: bool, name: str = "data") -> Any:
    """Give a networkx graph as the `Table` or `Graph` that it is; all else as it came.

    The nodes of a networkx graph are its frame, and their order is that of results.
    """
    if not is_network(data):
        return data
    if not bipartite:
        axis = Axis(_in_order(data, name), list(data))
        cells = as_adjacency(data, name=name)
        return Graph(cells, (axis, axis), columns=("source", "target", None), named=True)
    matrix, listed = as_matrix(data, name=name), []
    for side in _bipartite_sides(data, name):
        known = set(side)
        listed.append(Axis(side, [node for node in data if node in known]))
    value = "weight" if (matrix.data != 1).any() else None
    axes = (listed[0], listed[1])
    return Table(outgoing(matrix), axes, columns=("user", "item", value), named=True)


def as_aligned(*, graphs_too: bool = False, **graphs: GraphLike) -> list[sparse.csr_array]:
    """Bring several tables into CSR arrays whose cells mean the same.

    Where one is a `Table`, networkx graphs beside it are taken as such; graphs_too says whether
    all may be a `Graph`.

    Edge lists and networkx graphs carry labels: their rows and columns are the labels that occur
    in any of them. Tables without labels are taken as they are and must agree in shape.

    Raises
    ------
    ValueError
        If a table with labels meets one without, or the shapes differ.
    """
    if kinds := {type(data) for data in graphs.values() if isinstance(data, Labelled)}:
        tables = kinds != {Graph} or not graphs_too
        graphs = {n: with_labels(x, bipartite=tables, name=n) for n, x in graphs.items()}
    frames = [is_frame(data) for data in graphs.values()]
    networks = [is_network(data) for data in graphs.values()]
    if all(frames):
        return _from_edge_lists(graphs)
    if all(networks):
        sides = [_bipartite_sides(data, name) for name, data in graphs.items()]
        users, items = (
            _in_order({node for side in sides for node in side[end]}, " and ".join(graphs))
            for end in (0, 1)
        )
        return [
            _canonical(_from_bipartite_networkx(data, name, users, items), name)
            for name, data in graphs.items()
        ]
    labelled = [isinstance(data, Labelled) for data in graphs.values()]
    if all(labelled):
        if kinds == {Graph} and graphs_too:
            matrices = [data.canonical.copy() for data in graphs.values()]
        else:
            matrices = [as_matrix(data, name=name) for name, data in graphs.items()]
        _check_one_frame(graphs)
        return matrices
    if any(frames) or any(networks) or any(labelled):
        raise ValueError(
            f"{', '.join(graphs)} must all carry labels of one kind or none, got "
            f"{', '.join(type(data).__name__ for data in graphs.values())}; "
            "pass tables made by pplab.table, or matrices with the same rows and columns"
        )
    matrices = [as_matrix(data, name=name) for name, data in graphs.items()]
    for name, matrix in zip(list(graphs)[1:], matrices[1:], strict=True):
        check_same_shape(matrices[0], matrix, names=(next(iter(graphs)), name))
    return matrices


def _check_one_frame(tables: Mapping[str, Labelled]) -> None:
    """Refuse tables of other users or items than the first's; say which."""
    (first, known), *others = tables.items()
    for name, other in others:
        for side, one, two in zip(("users", "items"), known.axes, other.axes, strict=True):
            if one.labels != two.labels:
                lacks, more = set(one.labels) - set(two.labels), set(two.labels) - set(one.labels)
                raise ValueError(
                    f"{first} and {name} must have the same {side}, got "
                    f"{_some(lacks)} in {first} only and {_some(more)} in {name} only; make both "
                    f"with the same {side}="
                )


def _some(labels: Set[Any]) -> str:
    """Some of a set of labels, in words."""
    few = ", ".join(sorted(map(shown, labels))[:3])
    return f"{few} and {len(labels) - 3:,} more" if len(labels) > 3 else few or "none"


# Social graphs and preferences: the same users in both, matched by label where there are labels.


def as_social(social: GraphLike, *, nodes: Labels = None) -> sparse.csr_array:
    """Bring a social graph into a symmetric CSR array of int32 ones; refuse weights.

    A networkx graph is taken as its pattern: networkx ships its own examples with weights.
    Elsewhere, `as_adjacency` takes whatever is stored as an edge. The similarities of the paper
    know no weights, so a weight here is more likely a table of ratings in the wrong place.
    """
    if is_network(social):
        return as_adjacency(social, name="social", nodes=nodes)
    if isinstance(social, Labelled):
        if isinstance(social, Graph) and social.has_values:
            raise ValueError(
                "social must be without weights, got a Graph with some; leave weight= out of "
                "pplab.graph"
            )
        return as_adjacency(social, name="social", nodes=nodes)
    if is_frame(social):
        weights = _edge_list(social, "social")[2]
    else:
        social = _from_array(social, "social")
        weights = social.data
    if not (weights == 1).all():
        raise ValueError(
            f"social must be without weights, 1 for each edge, got {weights[weights != 1][0]}; "
            "decide which weights count as an edge first, for example (graph > 0).astype(int)"
        )
    return as_adjacency(social, name="social", nodes=nodes)


def as_social_and_preferences(
    social: GraphLike,
    preferences: GraphLike,
    *,
    frame_users: Labels = None,
    frame_items: Labels = None,
) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Bring both graphs into CSR arrays whose rows are the same users.

    Edge lists and networkx graphs carry labels. Where both graphs do, users are matched by label
    and stand in the order of the social graph (`labels_of`), and a user whom only one of them has
    is refused. Where one does, its labels must be the row numbers 0, 1, 2, ... of the other.

    Parameters
    ----------
    social : graph, users x users
        Undirected, without weights and self-loops.
    preferences : users x items
        Weights in [0, 1].
    frame_users, frame_items : list of labels, optional
        Frame of what is an edge list: all its users, and all items of the preferences.

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
    >>> import pandas as pd
    >>> friends = pd.DataFrame({"source": ["Ada", "Bo"], "target": ["Bo", "Cy"]})
    >>> likes = pd.DataFrame({"user": ["Cy", "Ada", "Bo"], "item": ["tea", "ale", "tea"]})
    >>> as_social_and_preferences(friends, likes)[1].toarray()
    array([[1, 0],
           [0, 1],
           [0, 1]], dtype=int32)
    """
    frame_users = as_labels("frame_users", frame_users)
    frame_items = as_labels("frame_items", frame_items)
    lists = [is_frame(data) for data in (social, preferences)]
    if not any(lists):
        _check_own_frame("social and preferences", frame_users=frame_users)
    if not lists[1]:
        _check_own_frame("preferences", frame_items=frame_items)
    nodes, users = (frame_users if listed else None for listed in lists)
    graph = as_social(social, nodes=nodes)
    table = as_matrix(preferences, name="preferences", users=users, items=frame_items)
    friends, fans = None, None
    if isinstance(social, Graph):
        friends = social.axes[0].labels
    elif is_frame(social) or is_network(social):
        friends = labels_of(social, bipartite=False, nodes=nodes)
    if isinstance(preferences, Table):
        fans = preferences.axes[0].labels
    elif is_frame(preferences) or is_network(preferences):
        fans = labels_of(preferences, bipartite=True, users=users, items=frame_items)[0]
    if friends is not None and fans is not None:
        one_sided = set(friends) ^ set(fans)
        if one_sided:
            label = next(label for label in (*friends, *fans) if label in one_sided)
            raise ValueError(
                "social and preferences must name the same users, got "
                f"{shown(label)} in {'social' if label in friends else 'preferences'} only (and "
                f"{len(one_sided)} such users in all); drop them, or pass matrices with a row for "
                "every user in both"
            )
        row = {label: number for number, label in enumerate(fans)}
        table = sparse.csr_array(table[[row[label] for label in friends]])
    elif friends is not None:
        _check_row_numbers("social", friends, other="preferences")
    elif fans is not None:
        _check_row_numbers("preferences", fans, other="social")
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
    strange = [label for row, label in enumerate(labels) if label != row]
    if strange:
        raise ValueError(
            f"{name} must carry no labels where {other} has none, got user {shown(strange[0])}, "
            "who is no row number; give both as edge lists or networkx graphs, or as matrices"
        )


# Labels, their order, and the frame.


def labels_of(
    graph: GraphLike,
    *,
    bipartite: bool | None = None,
    users: Labels = None,
    items: Labels = None,
    nodes: Labels = None,
) -> Any:
    """List the labels of rows and columns in the order in which every function takes them.

    The order is that of the values: numbers, names, dates, and tuples of these. Labels that have
    no order, such as sets, NaN, or a name beside a number, are refused.

    Parameters
    ----------
    graph : scipy sparse, 2-D array, networkx graph or DataFrame of edges
    bipartite : bool, optional
        Whether rows and columns are users and items, or both are the nodes of one graph. By
        default the data decide: a matrix, a DataFrame with columns ``user, item`` and a networkx
        graph all of whose nodes have the attribute ``bipartite`` are users x items.
    users, items, nodes : list of labels, optional
        Frame of an edge list, as in the function that the edge list is for.

    Returns
    -------
    (users, items) : two lists
        Of a bipartite graph; of a matrix two ranges, the numbers of its rows and columns.
    nodes : list
        Of any other graph.

    Raises
    ------
    TypeError, ValueError
        If the labels have no order, or the data are no such graph.

    Examples
    --------
    >>> import networkx as nx
    >>> import numpy as np
    >>> [int(node) for node in labels_of(nx.path_graph(np.arange(9, 12)))]
    [9, 10, 11]
    >>> labels_of([[1, 0, 1]])
    (range(0, 1), range(0, 3))
    """
    frame = {"users": users, "items": items, "nodes": nodes}
    frame = {key: as_labels(key, labels) for key, labels in frame.items()}
    if isinstance(graph, Table):
        return graph.users, graph.items
    if isinstance(graph, Graph):
        return graph.nodes
    if bipartite is None and is_network(graph):
        bipartite = len(graph) > 0 and all("bipartite" in data for data in graph.nodes.values())
    elif bipartite is None:
        bipartite = not is_frame(graph) or {"user", "item"} <= set(graph.columns)
    if is_frame(graph):
        ends = _edge_list(graph, "graph", bipartite=bipartite)[:2]
        if not bipartite:
            return _numbered("graph", ends, frame["nodes"])[1]
        return tuple(
            _numbered("graph", [end], frame[key])[1]
            for key, end in zip(("users", "items"), ends, strict=True)
        )
    _check_own_frame("graph", **frame)
    if is_network(graph):
        return _bipartite_sides(graph, "graph") if bipartite else _in_order(graph, "graph")
    shape = np.shape(graph)
    check_shape("graph", shape)
    return tuple(map(range, shape)) if bipartite else range(shape[0])


def public_frame(name: str, data: GraphLike, **frame: Labels) -> dict[str, Labels]:
    """Give the frame of a release to the door that converts its data; refuse a missing one.

    Two edge lists that differ in one edge can differ in the labels that occur, so tables made of
    them have different shapes, and no level holds.

    Parameters
    ----------
    name : str
        What the argument is called in the sentence of a refusal.
    data : graph
    **frame : list of labels
        ``users`` and ``items``, or ``nodes``, under the names of the arguments; none where the
        function takes no edge lists.

    Examples
    --------
    >>> public_frame("biadjacency", [[1]], users=None, items=None)
    {'users': None, 'items': None}
    """
    if isinstance(data, Labelled) and not data.named:
        call = "users=..., items=..." if isinstance(data, Table) else "nodes=..."
        raise ValueError(
            f"{name} must come with a public frame, got one that was found in the entries; make it "
            f"with {call} naming all that may occur, or with listed='public' if who is listed is "
            "public"
        )
    missing = [key for key, labels in frame.items() if labels is None]
    if is_frame(data) and (missing or not frame):
        wanted = f"{' and '.join(f'{key}=' for key in frame)} with all labels that may occur"
        raise ValueError(
            f"{name} given as an edge list must come with a public frame, got no "
            f"{missing[0] if frame else 'place for one'}; pass {wanted if frame else 'a matrix'}, "
            "since a level holds only where the edges do not decide which rows and columns exist"
        )
    return frame


def as_labels(name: str, labels: Labels) -> tuple | None:
    """Bring the labels of a frame into a tuple in their order; None stays None."""
    if labels is None:
        return None
    several = isinstance(labels, Collection) and getattr(labels, "ndim", 1) == 1
    if not several or isinstance(labels, (str, bytes, Mapping)) or is_network(labels):
        raise TypeError(
            f"{name} must be a list of labels, got {shown(labels)}; pass for example range(100) or "
            "a list of names"
        )
    check_integer(f"the number of {name}", len(labels), minimum=1, maximum=2**31 - 1)
    return tuple(_in_order(labels.tolist() if hasattr(labels, "tolist") else labels, name))


def _check_own_frame(name: str, **frame: Labels) -> None:
    """Refuse a frame beside data that bring their own."""
    given = [key for key, labels in frame.items() if labels is not None]
    if given:
        raise ValueError(
            f"{given[0]} must be left out where {name} is no edge list, got "
            f"{shown(frame[given[0]])}; the rows and columns of a matrix and the nodes of a "
            "networkx graph are the frame"
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
            f"{name} must have labels with one order (numbers but NaN, names, dates or tuples of "
            f"these), each once, got {' beside '.join(map(shown, odd))}; rename them, for example "
            "with frame.astype(str) or networkx.relabel_nodes(graph, str)"
        )
    return ordered


def _is_comparable(label: Any) -> bool:
    """Whether a label has a place among others of its type: sets, NaN, NA and None have none."""
    if isinstance(label, tuple):
        return all(map(_is_comparable, label))
    try:
        hash(label)
        return bool(label == label) and not label < label and not isinstance(label, Set)
    except (TypeError, ValueError, ArithmeticError):
        return False


def _value(label: Any) -> Any:
    """A number of numpy as one of Python, which compares with all others."""
    is_number = isinstance(label, np.generic) and label.dtype.kind in "biuf"
    return label.item() if is_number else label


# The way back.


def to_networkx(matrix: sparse.csr_array) -> nx.Graph:
    """Give a biadjacency (any shape) as a networkx bipartite graph: users u0.., items i0.."""
    import networkx as nx

    graph = nx.Graph()
    users, items = (_padded(letter, n) for letter, n in zip("ui", matrix.shape, strict=True))
    graph.add_nodes_from(users, bipartite=0)
    graph.add_nodes_from(items, bipartite=1)
    # weights are Python's numbers: int8 would wrap in the sums of other libraries
    entries = zip(rows_of_entries(matrix), matrix.indices, matrix.data.tolist(), strict=True)
    graph.add_weighted_edges_from((users[row], items[column], x) for row, column, x in entries)
    return graph


def to_pandas(matrix: sparse.csr_array) -> pd.DataFrame:
    """Give a matrix as a long table with columns user, item, rating."""
    import pandas as pd

    cells = {"user": rows_of_entries(matrix), "item": matrix.indices, "rating": matrix.data}
    return pd.DataFrame(cells)


def _padded(letter: str, count: int) -> list[str]:
    """Names whose alphabetic order is the order of the numbers."""
    width = len(str(count - 1))
    return [f"{letter}{number:0{width}d}" for number in range(count)]


# Cells of a CSR array as ascending numbers: row * columns + column.


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


def numbered(values: Iterable[Hashable]) -> np.ndarray:
    """Number values in the order in which each comes up first."""
    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(value, len(known)) for value in values], dtype=np.int64)


def from_cells(
    rows: np.ndarray, columns: np.ndarray, values: np.ndarray, shape: tuple[int, int]
) -> sparse.csr_array:
    """Build a CSR array with sorted rows from listed cells; zeros stay, and so do duplicates."""
    keys = rows * np.int64(shape[1]) + columns
    order = np.argsort(keys, kind="stable")  # of duplicates the first stays first
    return from_cell_keys(keys[order], values[order], shape)


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


# The forms in which graphs come: arrays, edge lists, networkx; each into a CSR array.


def is_network(data: Any) -> bool:
    """Say whether data are a networkx graph; where networkx was never imported they are none."""
    networkx = sys.modules.get("networkx")
    return networkx is not None and isinstance(data, networkx.Graph)


def is_frame(data: Any) -> bool:
    """Say whether data are a DataFrame; where pandas was never imported they are none."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.DataFrame)


_EDGE_COLUMNS = (("user", "item"), ("source", "target"))
_VALUE_COLUMNS = ("rating", "weight")


def _canonical(matrix: sparse.csr_array, name: str) -> sparse.csr_array:
    """Refuse what is no table, and sort the rows of an array of our own."""
    check_shape(name, matrix.shape)
    if matrix.data.dtype.kind == "b":
        matrix.data = matrix.data.astype(np.int32)
    with np.errstate(all="ignore"):  # a finite sum has finite parts, and takes no mask
        total = matrix.data.sum()
    if not np.isfinite(total) and not np.isfinite(matrix.data).all():
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
    """Refuse what is no table, an empty one, or one with too many rows or columns to number."""
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
    """Int8 ones where something is stored."""
    ones = np.ones(matrix.nnz, dtype=np.int32)
    return sparse.csr_array((ones, matrix.indices, matrix.indptr), shape=matrix.shape)


def _from_array(data: Any, name: str) -> sparse.csr_array:
    """CSR array of a sparse matrix, an array or nested lists."""
    if sparse.issparse(data):
        whole = _sound(data, name)
        if whole.format == "csr":
            return whole
        cells = whole.tocoo()
        # bsr stores whole blocks: its zeros are padding, no records
        kept = cells.data != 0 if whole.format == "bsr" else slice(None)
        return from_cells(cells.row[kept], cells.col[kept], cells.data[kept], cells.shape)
    if not isinstance(data, (np.ndarray, list, tuple)):
        raise TypeError(
            f"{name} must be a scipy sparse matrix, a 2-D array, a networkx graph or a DataFrame "
            f"of edges, got {type(data).__name__}; convert it to one of them first"
        )
    dense = as_array(name, data)
    if dense.ndim != 2 or dense.dtype.kind not in "biuf":
        raise ValueError(
            f"{name} must be a 2-D array of numbers, got {dense.ndim} dimension(s) of "
            f"{dense.dtype}; give each user a row of numbers"
        )
    return sparse.csr_array(dense)


def _sound(data: Any, name: str) -> Any:
    """A scipy container made anew from its parts, checked before anything reads them."""
    form, shape = data.format, data.shape
    check_shape(name, shape)
    try:
        given, *places = (as_array(name, part) for part in _parts(data))
        whole_numbers = all(part.dtype.kind in "iu" or not part.size for part in places)
        if given.dtype.kind not in "biuf" or not whole_numbers:
            raise ValueError(f"{given.dtype} in places of {[str(part.dtype) for part in places]}")
        if form in ("csr", "csc", "bsr") and (np.diff(places[1].astype(np.int64)) < 0).any():
            raise ValueError("its indptr falls")
        # lists and keys hold Python's numbers
        listed = form in ("lil", "dok", "coo")
        values = given if form not in ("lil", "dok") else as_array(name, given.astype(data.dtype))
        make = sparse.coo_array if listed else getattr(sparse, f"{form}_array")
        whole = make((values, tuple(places)) if listed else (values, *places), shape=shape)
        if form in ("csr", "csc", "bsr"):
            whole.check_format(full_check=True)
        same = whole.data.shape == given.shape and (values is given or (values == given).all())
        if not same or (form == "dia" and (whole.offsets != places[0]).any()):
            raise ValueError("some of its parts do not fit")
    except (TypeError, ValueError, ZeroDivisionError) as error:
        raise ValueError(
            f"{name} must be a sound {form.upper()} array of real numbers, got one with a fault "
            f"({error}); make it anew from its cells"
        ) from error
    return whole


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
        places = {"coo": ("row", "col"), "dia": ("offsets",)}
        names = places.get(data.format, ("indices", "indptr"))
        return data.data, *(getattr(data, name) for name in names)
    return tuple(zip(*cells, strict=True)) or ((), (), ())


def _edge_list(
    frame: pd.DataFrame, name: str, *, bipartite: bool = False
) -> tuple[pd.Series, pd.Series, np.ndarray]:
    """Both ends and the value of each listed edge; a column of numbers is never dropped."""
    import pandas as pd

    ends = next((pair for pair in _EDGE_COLUMNS if set(pair) <= set(frame.columns)), None)
    if ends is None or not frame.columns.is_unique:
        raise ValueError(
            f"{name} given as a DataFrame must be an edge list with columns user, item (or source, "
            f"target), each once, got columns {shown(list(frame.columns))}; rename them with "
            "frame.rename(columns=...), or pass a full table of users x items by position "
            "(frame.to_numpy())"
        )
    if bipartite and ends == _EDGE_COLUMNS[1]:
        raise ValueError(
            f"{name} must be a table of users x items, got a list of friendships with columns "
            "source, target; rename them to user, item if these are two kinds, or pass the "
            "symmetric matrix of the graph to protect each person's row"
        )
    without = frame[list(ends)].isna().any(axis=1)
    if without.any():
        raise ValueError(
            f"{name} must have an id at both ends of each edge, got none in the line with index "
            f"{shown(frame.index[int(np.argmax(without))])} ({int(without.sum())} such lines in "
            "all); drop such lines, or fill them in"
        )
    value = next((column for column in _VALUE_COLUMNS if column in frame.columns), None)
    others = frame.columns.drop([*ends, value] if value else list(ends))
    strange = [column for column in others if frame[column].dtype.kind in "iufc"]
    if value is None and strange:
        raise ValueError(
            f"{name} must name its values, got a column {shown(strange[0])} of numbers; rename it "
            f"to {_VALUE_COLUMNS[0]}, or pass frame[{list(ends)}] for edges without values"
        )
    values = np.ones(len(frame), dtype=np.int32)
    if value is not None:
        values = _weights(name, frame[value], f"in its column {value}")
    users, items = (pd.Series(np.asarray(frame[end])) for end in ends)
    return users, items, values


def _numbered(
    name: str, columns: Sequence[pd.Series], frame: tuple | None = None
) -> tuple[list[np.ndarray], list]:
    """Number the labels of columns that belong together; list them, or their frame, in order."""
    import pandas as pd

    known = frame or ()
    labels = pd.concat([pd.Series(list(known))] * bool(known) + list(columns))
    if labels.dtype == object:
        _check_alike(name, labels.tolist())
    elif labels.dtype.kind == "f" and labels.abs().max() >= 2**53:
        raise ValueError(
            f"{name} must have ids up to 2^53 where some are floats, got {labels.abs().max():g}; "
            "convert all of them to integers or names"
        )
    sortable = labels.dtype != object and labels.dtype.kind != "c"
    codes, distinct = pd.factorize(labels, sort=sortable)
    listed = distinct.tolist()
    if not sortable:
        place = {label: number for number, label in enumerate(_in_order(listed, name))}
        codes, listed = np.array([place[label] for label in listed])[codes], list(place)
    if known and len(listed) > len(known):
        strange = listed[np.setdiff1d(codes, codes[: len(known)])[0]]
        raise ValueError(
            f"{name} must have labels of its frame only, got {shown(strange)}, which is not in it; "
            "add it to the frame, or drop its edges"
        )
    ends = np.cumsum([len(known), *map(len, columns)])
    return [codes[start:end] for start, end in pairwise(ends)], listed


def _check_alike(name: str, labels: list[Any]) -> None:
    """Refuse labels that cannot be compared, or are equal and of different types."""
    try:
        distinct = len(set(labels))
    except TypeError as error:
        from pandas.api.types import is_hashable

        unfit = next((label for label in labels if not is_hashable(label)), error)
        raise TypeError(
            f"{name} must have names or numbers as labels, got {shown(unfit)}; turn lists into "
            "tuples"
        ) from error
    if len(set(zip(map(str, labels), labels, strict=True))) > distinct:
        raise ValueError(
            f"{name} must have labels of one type, got labels that are equal and of different "
            "types, such as 1 and True; convert them, for example with frame.astype(str)"
        )


def _weights(name: str, values: Any, where: str) -> np.ndarray:
    """Bring the weights of listed edges into an array of finite numbers."""
    weights = as_array(name, values)
    if weights.ndim != 1 or weights.dtype.kind not in "biuf":
        raise ValueError(f"{name} must have numbers {where}, got {weights.dtype}; convert them")
    if not np.isfinite(weights).all():
        raise ValueError(
            f"{name} must have finite numbers {where}, got NaN or inf; drop such edges"
        )
    return weights


def _from_edge_lists(
    graphs: Mapping[str, pd.DataFrame], users: tuple | None = None, items: tuple | None = None
) -> list[sparse.csr_array]:
    """Tables of edge lists that share their users and items."""
    names = " and ".join(graphs)
    lists = [_edge_list(data, name, bipartite=True) for name, data in graphs.items()]
    rows, fans = _numbered(names, [edges[0] for edges in lists], users)
    columns, goods = _numbered(names, [edges[1] for edges in lists], items)
    return [
        _canonical(from_cells(r, c, edges[2], (len(fans), len(goods))), name)
        for name, edges, r, c in zip(graphs, lists, rows, columns, strict=True)
    ]


def _from_social_edge_list(frame: pd.DataFrame, name: str, nodes: tuple | None) -> sparse.csr_array:
    """Undirected graph: each edge is listed once, or once in each direction."""
    *listed_ends, weights = _edge_list(frame, name)
    if (weights <= 0).any():
        raise ValueError(
            f"{name} must have edges of positive weight, got {weights[weights <= 0][0]}; drop the "
            "lines that are not an edge"
        )
    (rows, columns), labels = _numbered(name, listed_ends, nodes)
    shape = (len(labels), len(labels))
    ones = np.ones(len(rows), dtype=np.int32)
    listed = _canonical(from_cells(rows, columns, ones, shape), name)
    keys = np.union1d(cell_keys(listed), cell_keys(_canonical(listed.T.tocsr(), name)))
    return from_cell_keys(keys, np.ones(len(keys), dtype=np.int32), shape)


def _bipartite_sides(graph: nx.Graph, name: str) -> tuple[list, list]:
    """Users and items of a bipartite networkx graph."""
    side = {node: value for node, value in graph.nodes(data="bipartite") if np.ndim(value) == 0}
    users = [node for node in side if side[node] == 0]
    items = [node for node in side if side[node] == 1]
    simple = not (graph.is_multigraph() or graph.is_directed())
    complete = users and items and len(users) + len(items) == graph.number_of_nodes()
    if not simple or not complete or any(side[a] == side[b] for a, b in graph.edges):
        raise ValueError(
            f"{name} given as a networkx graph must be undirected, simple and have the node "
            f"attribute bipartite (0 for users, 1 for items) with edges between the two, got "
            f"{len(users)} users and {len(items)} items among {graph.number_of_nodes()} nodes; "
            "another graph goes in as a matrix: networkx.to_scipy_sparse_array(graph)"
        )
    return _in_order(users, name), _in_order(items, name)


def _edge_weights(graph: nx.Graph, name: str) -> np.ndarray:
    """Weights of the edges of a networkx graph, 1 where there is none."""
    listed = [weight for *_, weight in graph.edges(data="weight", default=1)]
    return _weights(name, listed, "as edge weights")


def _from_bipartite_networkx(
    graph: nx.Graph, name: str, users: list, items: list
) -> sparse.csr_array:
    """Table of a bipartite networkx graph for given orders of its nodes."""
    row = {node: number for number, node in enumerate(users)}
    column = {node: number for number, node in enumerate(items)}
    ends = ((a, b) if graph.nodes[a]["bipartite"] == 0 else (b, a) for a, b in graph.edges)
    places = np.array([(row[a], column[b]) for a, b in ends], dtype=np.int64).reshape(-1, 2)
    values = _edge_weights(graph, name)
    return from_cells(places[:, 0], places[:, 1], values, (len(users), len(items)))
