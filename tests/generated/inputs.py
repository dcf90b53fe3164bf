"""What calls are made of, as text that can be run: containers, broken ones, and odd values.

``from tests.generated.table import *`` gives the names that a reproduction uses.
"""

import re
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
from scipy import sparse

import pplab


def read(name):
    """The entries of a text file: each starts a line, and goes on in lines that are indented."""
    text = (Path(__file__).parent / name).read_text(encoding="utf-8")
    return [" ".join(entry.split()) for entry in re.split(r"\n(?=\S)", text) if entry[0] != "#"]


# Containers of the same numbers, written with {} for nested lists.


def readonly(container):
    for part in vars(container).values() if sparse.issparse(container) else [container]:
        if isinstance(part, np.ndarray):
            part.flags.writeable = False
    return container


def boolean(cells):
    table = np.array(cells)
    return table.astype(bool) if np.isin(table, (0, 1)).all() else table


def compressed(cells, kind, dtype, index):
    """CSR or CSC by its parts: any type of number and of index."""
    matrix = getattr(sparse, f"{kind}_array")(np.array(cells))
    matrix.data = matrix.data.astype(dtype)
    matrix.indices, matrix.indptr = matrix.indices.astype(index), matrix.indptr.astype(index)
    return matrix


def unsorted(matrix):
    """Each row (of CSC: each column) backwards."""
    order = np.concatenate(
        [np.arange(*ends)[::-1] for ends in zip(matrix.indptr, matrix.indptr[1:], strict=False)]
    )
    parts = (matrix.data[order], matrix.indices[order], matrix.indptr)
    return type(matrix)(parts, shape=matrix.shape)


def shuffled(matrix):
    """COO in no order."""
    order = np.random.default_rng(1).permutation(matrix.nnz)
    places = tuple(part[order] for part in matrix.coords)
    return sparse.coo_array((matrix.data[order], places), shape=matrix.shape)


# The n-th label of a kind. As text, numbers beyond nine, dates and fractions have another order.
DAY = date(2026, 9, 25)
LABELS = {
    "int": int,
    "numpy": np.int64,
    "whole": lambda n: (int, np.int64, np.uint8, np.float32, Fraction)[n % 5](n),
    "number": lambda n: (np.float64, Decimal)[n % 2](n) / 4 if n % 3 else Fraction(n, 4),
    "large": lambda n: 10**25 + n,
    "date": lambda n: DAY + timedelta(n),
    "datetime64": lambda n: np.datetime64(DAY) + np.timedelta64(n, "D"),
    "text": lambda n: f"user {n:03}",
    "tuple": lambda n: (n // 4, f"{n % 4}"),
}


def network(cells, kind="int"):
    """Users of a kind of label and items, the items first; nodes are in order, edges are not."""
    table, graph, name = np.array(cells), nx.Graph(), LABELS[kind]
    graph.add_nodes_from([("item", item) for item in range(table.shape[1])], bipartite=1)
    graph.add_nodes_from([name(user) for user in range(len(table))], bipartite=0)
    for user, item in list(zip(*np.nonzero(table), strict=True))[::-1]:
        graph.add_edge(("item", int(item)), name(int(user)), weight=table[user, item].item())
    return graph


def friends(cells, kind="int"):
    """A social network; nodes are in order, edges are not."""
    graph = nx.Graph()
    graph.add_nodes_from(range(len(cells)))
    graph.add_edges_from(np.argwhere(np.triu(cells)).tolist()[::-1])
    return nx.relabel_nodes(graph, LABELS[kind])


def edges(cells, kind="int", *, social=False):
    """Forms of an edge list in no order; pandas must not make one float of whole numbers."""
    table, name, dtype = np.array(cells), LABELS[kind], object if kind == "whole" else None
    rows, columns = np.nonzero(np.triu(table) if social else table)
    everybody = [name(n) for n in range(len(table))]
    ends = [pd.Series([name(int(n)) for n in end], dtype=dtype) for end in (rows, columns)]
    if social:
        frame = pd.DataFrame({"source": ends[0], "target": ends[1]}).sample(frac=1, random_state=1)
        return pplab.graph(frame, source="source", target="target", nodes=everybody)
    frame = pd.DataFrame({"user": ends[0], "item": columns, "x": table[rows, columns]})
    names = {"user": "user", "item": "item", "value": "x"}
    items = range(table.shape[1])
    frame = frame.sample(frac=1, random_state=1)
    return pplab.table(frame, **names, users=everybody, items=items)


def people(numbers, kind):
    """Labels of some users."""
    return [LABELS[kind](n) for n in numbers]


WHOLE = [f"np.array({{}}, {dtype!r})" for dtype in ("int8", "uint16", "int32", ">i4", "uint64")]
FLOATS = [f"np.array({{}}, {dtype!r})" for dtype in ("f2", "f4", ">f8", "longdouble")]
LISTS = ["{}", "tuple({})", "readonly(np.array({}))", "np.flip(np.flip({}).copy())"]
LISTS += ["np.repeat({}, 2, axis=-1)[..., ::2]"]
TABLES = ["np.asfortranarray({})", "np.matrix({})"]
DENSE = [*WHOLE, *FLOATS, *LISTS, *TABLES, "boolean({})"]
SPARSE = ["readonly(sparse.csr_array({}))", "shuffled(sparse.coo_array({}))"]
for kind in ("bsr", "coo", "csc", "csr"):
    SPARSE += [f"sparse.{kind}_array({{}})", f"sparse.{kind}_matrix({{}})"]
for kind in ("csr", "csc"):
    SPARSE += [f"unsorted(sparse.{kind}_array({{}}))"]
    for types in (("int8", "int64"), (">f8", "int32"), ("longdouble", "int64"), ("f2", "int32")):
        SPARSE += [f"compressed({{}}, {kind!r}, '{types[0]}', '{types[1]}')"]
# The forms of each shape; the first is what the others are compared with.
FORMS = {
    "square": ["sparse.csr_array({})", *DENSE, *SPARSE],
    "matrix": ["sparse.csr_array({})", *DENSE, *SPARSE],
    "sparse": ["sparse.csr_array({})", *SPARSE],
    "points": ["np.array({})", *DENSE, *SPARSE, "pd.DataFrame({})"],
    "dense": ["np.array({})", *DENSE],
    "ranks": ["np.array({})", *WHOLE, *LISTS, *TABLES],
    "line": ["np.array({})", *WHOLE, *FLOATS, *LISTS, "pd.Series({})"],
    "labels": ["np.array({})", *WHOLE, *LISTS, "pd.Series({})"],
}
FORMS["numbers"] = FORMS["matrix"]
# Those with labels go together.
LABELLED = [
    {"square": "friends({}, KIND)", "matrix": "network({}, KIND)"},
    {"square": "edges({}, KIND, social=True)", "matrix": "edges({}, KIND)"},
]


# Valid data with one thing wrong, and what nobody should pass nearly anywhere.


def changed(cells, cell):
    """An array with one other cell, of a type that holds it."""
    table = np.array(cells, dtype=object)
    table.flat[min(1, table.size - 1)] = cell
    if isinstance(cell, complex):
        return table.astype(complex)
    plain = isinstance(cell, float) or (isinstance(cell, int) and abs(cell) < 2**63)
    return table.astype(type(cell)) if plain else table


def stored(matrix, cell):
    """A sparse container with one other cell."""
    matrix.data = matrix.data.astype(np.array(cell).dtype)
    matrix.data.flat[0] = cell
    return matrix


def masked(cells):
    table = np.array(cells)
    return np.ma.masked_array(table, np.arange(table.size).reshape(table.shape) == 1)


def twice(cells):
    """COO with a cell listed twice."""
    matrix = sparse.coo_array(np.array(cells))
    places = tuple(np.append(part, part[:1]) for part in matrix.coords)
    return sparse.coo_array((np.append(matrix.data, 1), places), shape=matrix.shape)


def weighted(cells, weight):
    """A network with one weight of another kind."""
    graph = network(cells)
    nx.set_edge_attributes(graph, {next(iter(graph.edges)): weight}, "weight")
    return graph


def sided(*, user, item):
    """One edge between nodes 1 and 2, the first node always 1."""
    graph = nx.Graph()
    graph.add_nodes_from([(node, {"bipartite": int(node == item)}) for node in (1, 2)])
    graph.add_edge(user, item)
    return graph


ODD, SPOILED = read("odd.txt"), read("spoiled.txt")


# Sparse containers whose parts do not fit; most of these scipy makes without a word.

PARTS = ["coo.row", "coo.col"]
PARTS += [f"{kind}.{part}" for kind in ("csr", "csc", "bsr") for part in ("indices", "indptr")]
NUMBERS = (-1, -(2**31), 10**4, 10**8, 2**31 - 1, 2**40)
FAULTS = {
    "number": lambda part, number, place: np.where(np.arange(len(part)) == place, number, part),
    "same": lambda part, number, *_: np.full_like(part, number),
    "first": lambda part, *_: np.append(part[:1] + 10**6, part[1:]),
    "short": lambda part, *_: part[:-1],
    "long": lambda part, *_: np.append(part, part[-1:]),
    "float": lambda part, *_: part + 0.5,
    "square": lambda part, *_: part[:, None],
    "data": lambda part, *_: part,
}


def broken(cells, part, fault, place, number, assigned):
    """A sparse container with one part broken: given to its constructor, or assigned later."""
    kind, part = part.split(".")
    matrix = getattr(sparse, f"{kind}_array")(np.array(cells))
    number = 10**8 if (kind, number) == ("coo", 2**40) else number  # COO keeps its own type
    array = np.array(getattr(matrix, part), dtype=np.int64 if abs(number) > 2**31 else None)
    if (kind, fault) == ("coo", "float"):
        fault = "square"  # COO makes whole numbers of others
    array = FAULTS[fault](array, number, place % len(array))
    # a constructor makes whole numbers of others
    if assigned or fault in ("data", "float"):
        getattr(matrix, "has_canonical_format", None)  # what scipy found it keeps
        setattr(matrix, part, array)
        matrix.data = matrix.data[: -1 if fault == "data" else None]
        return matrix
    parts = {name: getattr(matrix, name) for name in ("indices", "indptr") if kind != "coo"}
    parts = (parts or {"row": matrix.row, "col": matrix.col}) | {part: array}
    whole = tuple(parts.values())
    arguments = (matrix.data, whole) if kind == "coo" else (matrix.data, *whole)
    return type(matrix)(arguments, shape=matrix.shape)
