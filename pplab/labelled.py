"""A table of users x items, or a graph of people, that keeps the names that came in.

Inside, rows and columns stand in canonical order, that of the labels' values, in which every
function draws and breaks ties. The person's own order (of a list that was stated, of a wide table,
of the nodes of a networkx graph) is kept beside it: arrays and lists of labels follow it.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Hashable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from pplab.checks import shown

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd


class Axis:
    """Labels of rows or columns: in canonical order, with the position of each in the stated order.

    Parameters
    ----------
    labels : list
        In canonical order.
    stated : list, optional
        The same labels in the order that somebody stated.
    """

    def __init__(self, labels: Sequence[Any], stated: Sequence[Any] | None = None) -> None:
        self.labels = tuple(labels)
        # canonical number of each label as stated
        self.order: np.ndarray = np.arange(len(self.labels))
        if stated is not None:
            place = {label: number for number, label in enumerate(self.labels)}
            self.order = np.array([place[label] for label in stated], dtype=np.int64)

    @property
    def listed(self) -> tuple:
        """Labels in the stated order."""
        return tuple(self.labels[number] for number in self.order)


@dataclass(frozen=True, eq=False, repr=False)
class _Cells:
    """Cells in canonical order, read-only, with their labels, and whose frame it is."""

    canonical: sparse.csr_array
    axes: tuple[Axis, Axis]
    _: KW_ONLY
    columns: tuple[Any, Any, Any]
    named: bool
    skipped: tuple = ()

    def __post_init__(self) -> None:
        for part in (self.canonical.data, self.canonical.indices, self.canonical.indptr):
            part.flags.writeable = False


class Labelled(_Cells):
    """What `Table` and `Graph` share."""

    kind = ""

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(
            f"a {type(self).__name__} does not change, got {name} = {shown(value)}; make another"
        )

    def __reduce__(self) -> Any:
        kind = partial(type(self), columns=self.columns, named=self.named, skipped=self.skipped)
        return kind, (self.canonical, self.axes)

    def __array__(self, *_args: Any, **_options: Any) -> np.ndarray:
        raise TypeError(
            f"a {type(self).__name__} is not an array; take its .matrix, whose rows and columns "
            f"are in the order of its {' and '.join(self.kind.split(' x '))}"
        )

    @property
    def matrix(self) -> sparse.csr_array:
        """CSR array in the stated order: ones as int32, values as float64."""
        return self._ordered.copy()

    @cached_property
    def _ordered(self) -> sparse.csr_array:
        rows, columns = (axis.order for axis in self.axes)
        if all((order[1:] > order[:-1]).all() for order in (rows, columns)):
            return self.canonical
        ordered = sparse.csr_array(self.canonical[rows][:, columns])
        ordered.sort_indices()
        return ordered

    @property
    def axis_labels(self) -> list[list]:
        """Labels of rows and columns, in the stated order."""
        return [list(axis.listed) for axis in self.axes]

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return self.canonical.shape

    @property
    def has_values(self) -> bool:
        """True if something other than ones is stored."""
        return bool((self.canonical.data != 1).any())

    def with_cells(self, canonical: sparse.csr_array, axes: Any = None) -> Any:
        """Give other cells, in canonical order, the same labels, or others from the same frame."""
        return replace(self, canonical=outgoing(canonical), axes=axes or self.axes, skipped=())

    def by_value(self) -> Any:
        """The same data in canonical order, so that draws do not depend on the stated one."""
        rows, columns = (Axis(axis.labels) for axis in self.axes)
        return replace(self, axes=(rows, columns))

    def of_rows(self, rows: np.ndarray, cells: sparse.csr_array) -> Any:
        """Cells of some rows, which are given by their canonical numbers and in their order."""
        chosen = [self.axes[0].labels[row] for row in rows]
        order = np.argsort(rows, kind="stable")
        axis = Axis([chosen[place] for place in order], chosen)
        return self.with_cells(sparse.csr_array(cells[order]), (axis, self.axes[1]))

    def cell(self, row: int, column: int) -> str:
        """Name a cell by its labels; the numbers are those of the matrix."""
        sides = zip(self.columns, self.axis_labels, (row, column), strict=False)
        return " and ".join(f"{name} {shown(labels[number])}" for name, labels, number in sides)

    def frame(self) -> pd.DataFrame:
        """Long table in the columns that came in, lines in canonical order of the cells."""
        import pandas as pd

        rows, columns, values = self._entries()
        ends = (pd.Index(axis.labels, tupleize_cols=False) for axis in self.axes)
        sides = zip(self.columns, ends, (rows, columns), strict=False)
        cells = {name: labels[numbers] for name, labels, numbers in sides}
        if self.columns[2] is not None or (values != 1).any():
            names = self.columns[2], "value", "x", "number"
            cells[next(x for x in names if x is not None and x not in cells)] = values
        return pd.DataFrame(cells)

    def _entries(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Canonical row and column, and value, of each line of the frame."""
        rows = np.repeat(np.arange(self.shape[0]), np.diff(self.canonical.indptr))
        return rows, self.canonical.indices, self.canonical.data

    def to_csv(self, path: str | Path) -> None:
        """Write `frame` as a CSV file."""
        self.frame().to_csv(path, index=False)

    def __repr__(self) -> str:
        if type(self) is Graph:
            size = f"{self.shape[0]:,} people, {self.canonical.nnz // 2:,} edges"
        else:
            size = f"{self.shape[0]:,} users x {self.shape[1]:,} items"
            size += f", {self.canonical.nnz:,} entries"
        stored = "with values" if self.has_values else "ones"
        frame = "named" if self.named else "taken from the entries"
        text = f"<{type(self).__name__}: {size}, {stored}; frame {frame}"
        return text + (f"; not read: {shown(list(self.skipped))}>" if self.skipped else ">")


def outgoing(matrix: sparse.csr_array) -> sparse.csr_array:
    """Values that a reader may multiply: ones as int32, everything else as float64."""
    plain = matrix.data.dtype.kind in "bi" and bool((matrix.data == 1).all())
    kind = np.int32 if plain else np.float64
    cells = matrix.data.astype(kind, copy=False), matrix.indices, matrix.indptr
    return sparse.csr_array(cells, shape=matrix.shape)


class Table(Labelled):
    """Users x items, with the labels of both; made by `pplab.table` and `pplab.read_table`.

    Attributes
    ----------
    users, items : tuple
        Labels, in the order that was stated, else by value.
    matrix : csr_array, shape (users, items)
        Ones as int32, ratings as float64; a stored zero is a rating.
    named : bool
        Whether users and items were named, or taken from the entries.
    """

    kind = "users x items"

    @property
    def users(self) -> tuple:
        """Labels of the rows."""
        return self.axes[0].listed

    @property
    def items(self) -> tuple:
        """Labels of the columns."""
        return self.axes[1].listed

    def keep(self, *, at_least: float | None = None) -> Table:
        """Make ones of the entries whose value is large enough; by default of every entry.

        Everybody keeps the row that they have, also whoever has no such entry.
        """
        from pplab.checks import check_finite_numbers

        rows, columns, values = self._entries()
        if at_least is not None:
            check_finite_numbers("at_least", [at_least])
            rows, columns = rows[values >= at_least], columns[values >= at_least]
        ones = np.ones(len(rows), dtype=np.int32)
        kept = sparse.csr_array((ones, (rows, columns)), shape=self.shape)
        return replace(self, canonical=kept, columns=(*self.columns[:2], None))

    def to_networkx(self) -> nx.Graph:
        """Give a bipartite graph with nodes ("user", id) and ("item", id); weights are values."""
        import networkx as nx

        graph = nx.Graph()
        graph.add_nodes_from((("user", label) for label in self.users), bipartite=0)
        graph.add_nodes_from((("item", label) for label in self.items), bipartite=1)
        users, items = (axis.labels for axis in self.axes)
        for row, column, value in zip(*(part.tolist() for part in self._entries()), strict=True):
            graph.add_edge(("user", users[row]), ("item", items[column]), weight=value)
        return graph


class Graph(Labelled):
    """An undirected graph of people, with their labels; made by `pplab.graph`.

    Attributes
    ----------
    nodes : tuple
        Labels, in the order that was stated, else by value.
    matrix : csr_array, shape (nodes, nodes)
        Symmetric, without a diagonal: ones as int32, weights as float64.
    named : bool
        Whether the nodes were named, or taken from the edges.
    """

    kind = "nodes"

    @property
    def nodes(self) -> tuple:
        """Labels of rows and columns."""
        return self.axes[0].listed

    def rows(self) -> Table:
        """Read the graph as a table: each person's row holds their friends.

        A copy of that table protects a person's row, not the pair: a friendship may be published
        in the row of one friend and not of the other, so what comes out is not a friendship graph.
        """
        return Table(self.canonical, self.axes, columns=self.columns, named=self.named)

    def _entries(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        rows, columns, values = super()._entries()
        once = rows < columns
        return rows[once], columns[once], values[once]

    def to_networkx(self) -> nx.Graph:
        """Give an undirected networkx graph; weights, where there are any, are Python's numbers."""
        import networkx as nx

        graph = nx.Graph()
        graph.add_nodes_from(self.nodes)
        names, weighted = self.axes[0].labels, self.has_values
        for row, column, weight in zip(*(part.tolist() for part in self._entries()), strict=True):
            graph.add_edge(names[row], names[column], **({"weight": weight} if weighted else {}))
        return graph


class Told:
    """A result whose repr is a line for each part, however large the parts are."""

    def __repr__(self) -> str:
        lines = [f"{name}: {_sized(value)}" for name, value in vars(self).items()]
        return f"<{type(self).__name__}\n  " + "\n  ".join(lines) + ">"


def _sized(value: Any) -> str:
    if sparse.issparse(value):
        return f"{value.shape[0]:,} x {value.shape[1]:,}, {value.nnz:,} stored"
    if isinstance(value, np.ndarray):
        return f"{' x '.join(f'{size:,}' for size in value.shape)} of {value.dtype}"
    if isinstance(value, (list, tuple)) and len(value) > 4:
        return f"{len(value):,} labels, {shown(value[0])} to {shown(value[-1])}"
    if hasattr(value, "columns"):  # a DataFrame
        return f"{value.shape[0]:,} x {value.shape[1]:,}"
    return repr(value)


# What comes with the data: one value a person, and whom to serve.


def by_person(data: Any, values: Any, name: str) -> Any:
    """One value a person in canonical order: a Series by its labels, a list in the data's order.

    Raises
    ------
    ValueError
        If a Series has other labels than the people of the data.
    """
    values = one_each(data, values, name)
    if not isinstance(data, Labelled) or np.ndim(values) != 1 or len(values) != data.shape[0]:
        return values  # the caller says how many it needs
    return in_rows_of(data, np.asarray(values))


def one_each(data: Any, values: Any, name: str) -> Any:
    """One value a person in the order of the data: a Series by its labels, a list as it came."""
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(values, pandas.Series):
        return values
    people = data.index.tolist() if isinstance(data, pandas.DataFrame) else None
    people = data.axes[0].listed if isinstance(data, Labelled) else people
    return in_order_of(people, values, name)


def in_rows_of(data: Any, table: Any) -> Any:
    """Rows in the order of the data, brought into canonical order."""
    return table[np.argsort(data.axes[0].order)] if isinstance(data, Labelled) else table


def in_order_of(people: Sequence[Any] | None, values: Any, name: str) -> np.ndarray:
    """Values of a Series in the order of its people; without labels, of the row numbers."""
    labels = range(len(values)) if people is None else people
    place = {label: number for number, label in enumerate(values.index.tolist())}
    lacks = [label for label in labels if label not in place]
    if lacks or len(place) < len(values) or len(labels) < len(place):
        more = [label for label in place if label not in set(labels)]
        got = f"none for {shown(lacks[0])}" if lacks else "another index"
        got = f"one for {shown(more[0])}, who is not among them" if more and not lacks else got
        noun = "row number" if people is None else "person of the data"
        raise ValueError(
            f"{name} given as a Series must have one value for each {noun}, got {got}; reindex it, "
            "or pass a list in the order of the rows"
        )
    return values.to_numpy()[[place[label] for label in labels]]


def rows_of(data: Any, users: Any, *, name: str = "users") -> Any:
    """Row numbers of some users, by label where the data have labels; of `by_value` canonical."""
    if not isinstance(data, Labelled) or users is None:
        return users
    place = {label: number for number, label in enumerate(data.axes[0].listed)}
    several = isinstance(users, Collection) and not isinstance(users, str)
    listed = list(users) if several else []
    strange = [x for x in listed if not isinstance(x, Hashable) or x not in place]
    if strange or not several:
        got = shown(strange[0] if strange else users)
        raise ValueError(f"{name} must be people of the data, got {got}; pass a list of labels")
    return np.array([place[label] for label in listed], dtype=np.int64)


# What functions give back: as the data came in.


def relabelled(data: Any, canonical: sparse.csr_array) -> Any:
    """A matrix in canonical order with the labels of the data; without any, the matrix itself."""
    return data.with_cells(canonical) if isinstance(data, Labelled) else canonical


def full_table(data: Any, protected: np.ndarray) -> Any:
    """A full table of numbers, in canonical order, with the labels of the data; else None."""
    if not isinstance(data, Labelled):
        return None
    users, items = protected.shape
    columns = np.tile(np.arange(items, dtype=np.int32), users)
    indptr = np.arange(users + 1) * items
    full = sparse.csr_array((protected.ravel(), columns, indptr), shape=protected.shape)
    return data.with_cells(full)


def in_stated_order(data: Any, rows: np.ndarray, *, columns: bool = False) -> np.ndarray:
    """Rows (and columns) of an array in canonical order, brought into the stated order."""
    if not isinstance(data, Labelled):
        return rows
    ordered = rows[data.axes[0].order]
    return ordered[:, data.axes[1].order] if columns else ordered


def per_person(data: Any, values: np.ndarray, name: str) -> Any:
    """One value a person, in canonical order: a Series by label where the data have labels."""
    return as_series(data, in_stated_order(data, values), name)


def as_series(data: Any, values: np.ndarray, name: str) -> Any:
    """One value a person, in the order of the data: a Series where the data have labels."""
    if not isinstance(data, Labelled):
        return values
    import pandas as pd

    labels = pd.Index(data.axes[0].listed, tupleize_cols=False, name=data.columns[0])
    return pd.Series(values, index=labels, name=name)
