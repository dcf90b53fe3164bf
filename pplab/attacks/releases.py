"""Many releases as one table: a row per release, a column per (place, value) that was seen.

A place is a path: ``(row, column)`` in a matrix, ``(0, row, column)`` in the matrix that comes
first in a tuple, ``()`` for a number on its own. Absent cells of a sparse matrix have no entry, so
a stored zero differs from no edge; its shape, and that of what is empty, is an entry.
"""

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from numbers import Number
from typing import Any, Self

import numpy as np
from scipy import sparse

from pplab.graphs import cell_keys, is_frame, is_network, numbered
from pplab.labelled import Labelled

Path = tuple[Hashable, ...]
OutputEntry = tuple[Path, Hashable]


def entries(output: Any) -> tuple[OutputEntry, ...]:
    """List what a release holds, place by place: hashable, equal for equal releases.

    Equal numbers are equal whatever their type, and so are arrays, lists and tuples of equal cells.
    Sets, dicts and graphs have no order. Of a graph the direction, nodes, edges (parallel ones too)
    and all attributes are listed; of a DataFrame the cells, labels and names of labels.

    Parameters
    ----------
    output : number, text, None, array, sparse matrix, networkx graph, DataFrame or Series
        One release; or tuples, lists, sets and dicts of such.

    Returns
    -------
    tuple of (path, value)

    Raises
    ------
    TypeError
        If it is none of these, or has a mask.

    Examples
    --------
    >>> entries((np.array([7, 8]), 3.0))
    (((0, 0), 7), ((0, 1), 8), ((1,), 3))
    """
    return tuple(_walk(output, ()))


def _walk(output: Any, path: Path) -> Iterator[OutputEntry]:
    output = _as_dicts(output)
    parts = _parts(output) if len(path) < 99 else None  # a list inside itself never ends
    if parts is None:
        yield path, _plain(output)
        return
    if not parts or sparse.issparse(output):
        yield path, getattr(output, "shape", (0,))
    for place, part in parts:
        yield from _walk(part, (*path, *place))


def _parts(output: Any) -> list[tuple[Path, Any]] | None:
    """Parts of a release, each with its place; None where it is a single value."""
    if isinstance(output, Mapping):
        parts: list[tuple[Path, Any]] = [((_label(key),), part) for key, part in output.items()]
        return sorted(parts, key=lambda part: repr(part[0]))
    if isinstance(output, (list, tuple)):
        return [((place,), part) for place, part in enumerate(output)]
    if isinstance(output, np.ndarray) and not isinstance(output, np.ma.MaskedArray):
        return list(zip(np.ndindex(output.shape), np.asarray(output).ravel(), strict=True))
    if sparse.issparse(output) and output.ndim == 2:
        matrix = _sorted_csr(output)
        cells = (divmod(key, matrix.shape[1]) for key in cell_keys(matrix).tolist())
        return list(zip(cells, matrix.data, strict=True))
    return None


def _as_dicts(output: Any) -> Any:
    """Graphs, tables, sets and complex numbers as dicts of what they are made of."""
    output = output.item() if isinstance(output, np.generic) else output
    if isinstance(output, (complex, np.complexfloating)):
        return {"real": output.real, "imaginary": output.imag} if output.imag else output.real
    if isinstance(output, Set):
        return dict.fromkeys(output, True)
    if isinstance(output, Labelled):
        return {"matrix": output.matrix, "lines": output.frame(), "labels": output.axis_labels}
    if is_network(output):
        kind = {"kind": [output.is_directed(), output.is_multigraph()], "graph": output.graph}
        return {**kind, "nodes": dict(output.nodes(data=True)), "edges": output.adj}
    output = output.to_frame() if hasattr(output, "to_frame") else output  # a Series
    if is_frame(output):
        axes = {place: [list(axis), list(axis.names)] for place, axis in enumerate(output.axes)}
        return {"cells": output.to_numpy(dtype=object), **axes}
    return output


def _label(label: Any) -> Hashable:
    return tuple(map(_label, label)) if isinstance(label, tuple) else _plain(label)


_SINGLE = (Number, str, bytes, type(None))


def _plain(value: Any) -> Hashable:
    """One form for equal values: 3.0 is 3, and NaN equals itself."""
    value = value.item() if isinstance(value, np.generic) else value
    # what hashes by identity, such as an object of a class, never equals another release
    if not isinstance(value, _SINGLE):
        raise TypeError(
            "a release must be made of numbers, text, None, arrays without masks, sparse matrices, "
            "networkx graphs, DataFrames, and tuples, lists, sets and dicts of these, got "
            f"{type(value).__name__}; turn it into one of these in sample"
        )
    if isinstance(value, Number) and value != value:
        return math.nan  # always this one: a NaN equals nothing but itself
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _sorted_csr(matrix: Any) -> sparse.csr_array:
    """Any sparse matrix in canonical order; the original stays as it is."""
    ordered = matrix if isinstance(matrix, sparse.csr_array) else sparse.csr_array(matrix)
    return ordered if ordered.has_sorted_indices else ordered.sorted_indices()


@dataclass(frozen=True)
class ReleaseTable:
    """Indicators of what each release holds; ``indptr, indices`` are the structure of a CSR."""

    indptr: np.ndarray
    indices: np.ndarray
    names: Sequence[OutputEntry]

    def __len__(self) -> int:
        return len(self.indptr) - 1

    @classmethod
    def of(cls, batches: Sequence[Any]) -> Self:
        """Tabulate batches of releases, one below the other."""
        numbers = all(type(b) is np.ndarray and b.dtype.kind in "biuf" for b in batches)
        if numbers and len({batch.shape[1:] for batch in batches}) == 1:
            return cls._of_arrays(np.concatenate(batches))
        outputs = [output for batch in batches for output in batch]
        tables = all(sparse.issparse(o) and o.ndim == 2 and o.dtype.kind in "biuf" for o in outputs)
        if tables and len({output.shape for output in outputs}) == 1:
            return cls._of_sparse(outputs)
        return cls._of_anything(outputs)

    @classmethod
    def _of_arrays(cls, stack: np.ndarray) -> Self:
        flat = stack.reshape(len(stack), -1)
        names: list[OutputEntry] = []
        columns = []
        for place, column in zip(np.ndindex(stack.shape[1:]), flat.T, strict=True):
            values, codes = np.unique(column, return_inverse=True)
            columns.append(codes + len(names))
            names += [(place, _plain(value)) for value in values]
        indptr = np.arange(len(stack) + 1) * flat.shape[1]
        return cls(indptr, np.column_stack(columns).ravel(), names)

    @classmethod
    def _of_sparse(cls, outputs: Sequence[Any]) -> Self:
        matrices = [_sorted_csr(output) for output in outputs]
        keys = np.concatenate([cell_keys(matrix) for matrix in matrices])
        stored = np.concatenate([matrix.data for matrix in matrices])
        values, codes = np.unique(stored, return_inverse=True)
        cells, indices = np.unique(keys * max(len(values), 1) + codes, return_inverse=True)
        places, numbers = np.divmod(cells, max(len(values), 1))
        rows, columns = np.divmod(places, matrices[0].shape[1])
        entries = zip(rows.tolist(), columns.tolist(), values[numbers].tolist(), strict=True)
        names = [((row, column), _plain(value)) for row, column, value in entries]
        return cls(np.cumsum([0, *(matrix.nnz for matrix in matrices)]), indices, names)

    @classmethod
    def _of_anything(cls, outputs: Iterable[Any]) -> Self:
        known: dict[OutputEntry, int] = {}
        indices: list[int] = []
        ends = [0]
        for output in outputs:
            indices += [known.setdefault(entry, len(known)) for entry in entries(output)]
            ends.append(len(indices))
        return cls(np.array(ends), np.array(indices, dtype=np.int64), list(known))

    @cached_property
    def indicators(self) -> sparse.csr_array:
        """Releases x entries: 1.0 where a release holds the entry."""
        shape = (len(self), len(self.names))
        return sparse.csr_array((np.ones(len(self.indices)), self.indices, self.indptr), shape)

    @cached_property
    def path_numbers(self) -> np.ndarray:
        """Number of each entry's place, in order of first appearance."""
        return numbered(path for path, _ in self.names)

    @cached_property
    def outputs(self) -> tuple[np.ndarray, list[int]]:
        """Number of each release's output, and a release that shows each output."""
        numbers = numbered(row.tobytes() for row in np.split(self.indices, self.indptr[1:-1]))
        return numbers, np.unique(numbers, return_index=True)[1].tolist()

    def entries_of(self, row: int) -> tuple[OutputEntry, ...]:
        """Entries of a release; of sparse matrices, which all have one shape, without the shape."""
        columns = self.indices[self.indptr[row] : self.indptr[row + 1]]
        return tuple(self.names[i] for i in columns)
