"""What calls are made of, as text that can be run: containers, broken ones, and odd values.

``from tests.generated.inputs import *`` gives the names that a reproduction uses.
"""

from __future__ import annotations

from decimal import Decimal  # noqa: F401  (names of the texts below)
from fractions import Fraction  # noqa: F401

import networkx as nx
import numpy as np
import pandas as pd
from scipy import sparse

SPARSE = ("bsr", "coo", "csc", "csr", "dia", "dok", "lil")


def _arrays(dtype):
    return lambda cells: np.array(cells, dtype=dtype)


def _readonly(container):
    for part in vars(container).values() if sparse.issparse(container) else [container]:
        if isinstance(part, np.ndarray):
            part.flags.writeable = False
    return container


def _sparse(kind, style):
    return lambda cells: getattr(sparse, f"{kind}_{style}")(np.array(cells))


def _compressed(kind, dtype, index):
    """CSR or CSC by its parts: any type of number and of index."""

    def make(cells):
        whole = getattr(sparse, f"{kind}_array")(np.array(cells))
        matrix = type(whole)(whole.shape)
        matrix.data = whole.data.astype(dtype)
        matrix.indices, matrix.indptr = whole.indices.astype(index), whole.indptr.astype(index)
        return matrix

    return make


def unsorted(cells, kind="csr"):
    """Each row (column) backwards."""
    matrix = getattr(sparse, f"{kind}_array")(np.array(cells))
    for start, end in zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True):
        matrix.indices[start:end] = matrix.indices[start:end][::-1].copy()
        matrix.data[start:end] = matrix.data[start:end][::-1].copy()
    return type(matrix)((matrix.data, matrix.indices, matrix.indptr), shape=matrix.shape)


def unsorted_csc(cells):
    return unsorted(cells, "csc")


def shuffled(cells):
    """COO in no order."""
    matrix = sparse.coo_array(np.array(cells))
    order = np.random.default_rng(1).permutation(matrix.nnz)
    rows, columns = matrix.coords
    return sparse.coo_array((matrix.data[order], (rows[order], columns[order])), shape=matrix.shape)


def social_network(cells):
    graph = nx.from_numpy_array(np.array(cells), nodelist=list(range(len(cells))))
    nx.set_edge_attributes(graph, 1, "weight")
    return graph


def network(cells):
    """Users 0, 1, ... and items i00, i01, ..., the items first."""
    table = np.array(cells)
    graph = nx.Graph()
    graph.add_nodes_from([f"i{item:02}" for item in range(table.shape[1])], bipartite=1)
    graph.add_nodes_from(range(len(table)), bipartite=0)
    for user, item in zip(*np.nonzero(table), strict=True):
        graph.add_edge(f"i{item:02}", int(user), weight=table[user, item].item())
    return graph


def _listed(cells, names):
    """Edge list in no order; where a row or column is empty it would be lost: CSR then."""
    table = np.array(cells)
    if not (table.any(axis=0).all() and table.any(axis=1).all()):
        return sparse.csr_array(table)
    rows, columns = np.nonzero(table if names[0] == "user" else np.triu(table))
    frame = pd.DataFrame({names[0]: rows, names[1]: columns})
    if names[0] == "user":
        frame["rating"] = table[rows, columns]
    return frame.sample(frac=1, random_state=1)


def social_edges(cells):
    return _listed(cells, ("source", "target"))


def edges(cells):
    return _listed(cells, ("user", "item"))


def strided(cells):
    return np.repeat(np.array(cells), 2, axis=-1)[..., ::2]


def backwards(cells):
    return np.flip(np.flip(np.array(cells)).copy())


def readonly(cells):
    return _readonly(np.array(cells))


def readonly_csr(cells):
    return _readonly(sparse.csr_array(np.array(cells)))


def nested_tuples(cells):
    return tuple(tuple(row) if isinstance(row, list) else row for row in cells)


def boolean(cells):
    table = np.array(cells)
    return table.astype(bool) if np.isin(table, (0, 1)).all() else table


def fortran(cells):
    return np.asfortranarray(np.array(cells))


WHOLE = ("int8", "uint16", "int32", ">i4", "uint64")
FLOATS = ("float16", "float32", ">f8", "longdouble")
TYPED = {f"as_{dtype.replace('>', 'big_')}": _arrays(dtype) for dtype in (*WHOLE, *FLOATS)}
LISTED = ("list", "nested_tuples", "readonly", "strided", "backwards")
LINE = (*TYPED, *LISTED, "pd.Series")
DENSE = (*TYPED, *LISTED, "boolean", "fortran", "np.matrix")
INTEGERS = (*list(TYPED)[: len(WHOLE)], *LISTED)
STORED = {f"{kind}_{style}": _sparse(kind, style) for kind in SPARSE for style in ("array", "matrix")}
STORED |= {
    f"{kind}_{dtype.replace('>', 'big_')}_{index}": _compressed(kind, dtype, index)
    for kind in ("csr", "csc")
    for dtype, index in (("int8", "int64"), (">f8", "int32"), ("longdouble", "int64"))
} | {f"{kind}_float16_int32": _compressed(kind, "float16", "int32") for kind in ("csr", "csc")}
globals().update(TYPED | STORED)
LAYOUTS = (*STORED, "unsorted", "unsorted_csc", "shuffled", "readonly_csr")
FORMS = {
    "square": (*DENSE, *LAYOUTS, "social_network", "social_edges"),
    "matrix": (*DENSE, *LAYOUTS, "network", "edges"),
    "points": (*DENSE, *LAYOUTS, "pd.DataFrame"),
    "dense": DENSE,
    "sparse": LAYOUTS,
    "line": LINE,
    "ranks": (*INTEGERS, "fortran", "np.matrix"),
    "labels": (*INTEGERS, "pd.Series"),
}
LABELLED = ("social_network", "social_edges", "network", "edges")


# Valid data with one thing wrong.

CELLS = {  # one cell is this
    "nan": np.nan, "inf": -np.inf, "negative": -1, "huge": 1e308, "half": 0.5, "nine": 9,
    "infinite": 10**400, "complex": 1j, "none": None, "text": "x", "digits": "1", "date": pd.NaT,
    "missing": pd.NA, "fraction": Fraction(1, 3), "decimal": Decimal(1),
}  # fmt: skip


def spoiled(cells, how, form="array"):
    """Numbers with one cell that is none, or of another shape or type."""
    table = np.array(cells)
    if how in CELLS:
        table = table.astype(object)
        table.flat[min(1, table.size - 1)] = CELLS[how]
        if isinstance(CELLS[how], (int, float, complex)) and abs(CELLS[how]) < 10**400:
            table = table.astype(complex if how == "complex" else float)
        elif how in ("text", "digits"):
            table = table.astype(str)
    else:
        table = SHAPES[how](table)
    if form == "array":
        return table
    if form == "list":
        return table.tolist()
    if form == "frame":
        return pd.DataFrame(table)
    if form == "network" and table.ndim == 2:  # the weight of one edge
        graph = network(cells)
        nx.set_edge_attributes(graph, {next(iter(graph.edges)): CELLS.get(how)}, "weight")
        return graph
    matrix = getattr(sparse, f"{form}_array")(np.atleast_2d(cells))
    matrix.data = matrix.data.astype(table.dtype)
    matrix.data.flat[:1] = CELLS.get(how, 1)
    return matrix


SHAPES = {
    "masked": lambda table: np.ma.masked_array(table, np.arange(table.size).reshape(table.shape) == 1),
    "one less": lambda table: table[:-1],
    "one more": lambda table: np.concatenate([table, table[:1]]),
    "narrow": lambda table: table[..., :-1],
    "deep": lambda table: table[None],
    "flat": lambda table: table.ravel(),
    "empty": lambda table: table[:0],
    "turned": lambda table: table.T,
    "objects": lambda table: table.astype(object),
    "dates": lambda table: table.astype("M8[s]"),
    "bytes": lambda table: table.astype("S"),
    "records": lambda table: np.array([(1, 2.0)], dtype=[("a", int), ("b", float)]),
    "zeros": lambda table: table * 0,
    "diagonal": lambda table: table + np.eye(*table.shape, dtype=int) if table.ndim == 2 else table,
}


def twice(cells, kind="coo"):
    """A cell listed twice."""
    matrix = sparse.coo_array(np.array(cells))
    rows, columns = (np.append(part, part[:1]) for part in matrix.coords)
    listed = np.append(matrix.data, matrix.data[:1])
    if kind == "coo":
        return sparse.coo_array((listed, (rows, columns)), shape=matrix.shape)
    order = np.lexsort((columns, rows))
    indptr = np.searchsorted(rows[order], np.arange(matrix.shape[0] + 1))
    return sparse.csr_array((listed[order], columns[order], indptr), shape=matrix.shape)


def masked():
    return np.ma.masked_array([[1, 1, 0], [1, 0, 1]], [[0, 1, 0], [0, 0, 0]])


def weighted(weight):
    return nx.Graph([(0, 1, {"weight": weight})])


def sided(*, user, item):
    graph = nx.Graph()
    graph.add_node(1, bipartite=int(item == 1))
    graph.add_node(2, bipartite=int(item == 2))
    graph.add_edge(user, item)
    return graph


def ones_and_true():
    return pd.DataFrame({"user": np.array([1, True], object), "item": [1, 2]})


SPOILED = (
    *((how, "array") for how in (*CELLS, *SHAPES)),
    *((how, "list") for how in (*CELLS, *SHAPES) if how != "records"),
    *((how, form) for how in ("nan", "inf", "complex", "none") for form in ("csr", "coo", "bsr")),
)


# Sparse containers whose parts do not fit; most of these scipy makes without a word.

NUMBERS = (-1, -(2**31), 10**4, 10**8, 2**31 - 1, 2**40)
PARTS = (
    "csr.indices", "csr.indptr", "csc.indices", "csc.indptr", "bsr.indices", "bsr.indptr",
    "coo.row", "coo.col", "dia.offsets", "lil.rows", "dok.keys",
)  # fmt: skip
FAULTS = ("number", "short", "long", "float", "objects", "square", "decreasing", "data", "shape")


def broken(cells, part, fault, place, number, assigned):
    """A sparse container with one part broken: given to its constructor, or assigned later."""
    kind, part = part.split(".")
    matrix = getattr(sparse, f"{kind}_array")(np.array(cells))
    if kind == "lil":
        matrix.rows[place % len(matrix.rows)][:1] = [number]
        return matrix
    if kind == "dok":
        matrix._dict[number, 0] = 1
        return matrix
    array = np.array(getattr(matrix, part))
    fault = "decreasing" if kind == "dia" and fault == "number" else fault
    array = array.astype(np.int64 if abs(number) > 2**31 else array.dtype)
    if fault == "number":
        array[place % len(array)] = number
    elif fault == "decreasing":
        array = array[::-1].copy() if part == "indptr" else np.full_like(array, number)
    elif fault not in ("data", "shape"):
        array = {
            "short": lambda: array[:-1],
            "long": lambda: np.append(array, array[-1:]),
            "float": lambda: array + 0.5,
            "objects": lambda: array.astype(object),
            "square": lambda: array[:, None],
        }[fault]()
    # a constructor makes whole numbers of what it is given, and of DIA takes any offset
    if assigned or fault in ("data", "shape", "float", "objects") or kind == "dia":
        getattr(matrix, "has_canonical_format", None)  # what scipy found is kept
        setattr(matrix, part, array)
        if fault == "data":
            matrix.data = matrix.data[:-1]
        if fault == "shape":
            matrix._shape = (matrix.shape[0] + 10**5, matrix.shape[1])
        return matrix
    if kind == "coo":
        both = {"row": matrix.row, "col": matrix.col} | {part: array}
        return sparse.coo_array((matrix.data, (both["row"], both["col"])), shape=matrix.shape)
    both = {"indices": matrix.indices, "indptr": matrix.indptr} | {part: array}
    make = type(matrix)
    return make((matrix.data, both["indices"], both["indptr"]), shape=matrix.shape)


# What nobody should pass, nearly anywhere. Which kind of argument takes which is in table.py.

ODD = """
None | 'abc' | '' | b'x' | '1' * 10_000 | np.str_('x') | ... | np | int | object() | lambda *a: 1
np.nan | np.inf | -np.inf | -1 | 0 | 1 | 2 | 3 | 0.5 | 1.5 | -0.0 | 2.0 | True | np.True_ | 1j
10**400 | -10**400 | 10**5000 | 2**31 | 2**63 | 2**64 | 1e308 | 5e-324 | 1e-310 | -1e-300
Fraction(1, 3) | Fraction(1, 10**400) | Fraction(10**400, 3) | Decimal(1) | Decimal('NaN')
np.float32(0.25) | np.longdouble(1) | np.int64(-1) | np.int8(2) | np.uint64(2**63) | np.complex64(1)
pd.NA | pd.NaT | pd.Timestamp(0) | np.datetime64('2020-01-01') | np.timedelta64(1, 'D')
[] | () | {} | set() | {1, 2} | {'a': 1} | [None] | ['a'] | [True] | [np.nan] | [10**400] | [1j]
[0.5] | [-1] | [0] * 100_000 | [[]] | [[[1]]] | [[1], [1, 2]] | [['a', 'b']] | range(3) | iter([1])
(x for x in [1, 2]) | bytearray(b'1') | memoryview(b'1') | [1, 'a'] | (1, 5) | (5, 1) | (0, np.inf)
[Fraction(1, 3), 1 / 3] | [1, True] | [1, 2, 2] | (1, 10**400) | (True, 5) | (1, 2, 3) | (2**40, 2)
np.array(2) | np.array(np.nan) | np.array([]) | np.zeros((2, 2, 2)) | np.zeros((0, 3))
np.zeros((3, 0)) | np.array([object()]) | np.array([[1, None]], object) | np.array(['a'])
np.array(['2020-01-01'], 'M8[D]') | np.array([(1, 2)], 'i,i') | np.ma.masked | np.array([1, 0, 2**62])
np.ma.masked_array([1, 2], [0, 1]) | np.ma.masked_array([[1, 0], [1, 1]], [[0, 1], [0, 0]])
[[np.nan, 1], [1, 0]] | [[0, np.inf], [1, 0]] | [[0, -1], [1, 0]] | [[0, 10**400], [1, 0]]
sparse.coo_array([1, 2]) | sparse.csr_array((0, 0)) | sparse.csr_array((2, 2**40), dtype='i1')
sparse.csr_array((2**20, 2**20)) | sparse.csr_array(([np.nan], [0], [0, 1]), shape=(1, 1))
pd.DataFrame() | pd.DataFrame({'a': ['x', 'y']}) | pd.Series([1, 2]) | pd.Series(['a', 'b'])
pd.DataFrame({'user': [1, 1], 'item': [2, 2]}) | pd.DataFrame({'user': [1, None], 'item': [1, 2]})
pd.DataFrame({'user': [1], 'item': [2], 'rating': ['good']}) | pd.array([1, None])
pd.DataFrame({'source': ['a', 'a'], 'target': ['a', 'b']}) | pd.Categorical(['a', 'b'])
nx.Graph() | nx.DiGraph([(0, 1)]) | nx.MultiGraph([(0, 1), (0, 1)]) | nx.Graph([(0, 0)])
"""
ODD = tuple(text.strip() for line in ODD.strip().splitlines() for text in line.split(" | "))
