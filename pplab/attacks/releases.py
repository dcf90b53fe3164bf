"""Many releases as one table: a row per release, a column per (place, value) that was seen.

A place is a path: ``(row, column)`` in a matrix, ``(0, row, column)`` in the matrix that comes
first in a tuple, ``()`` for a number on its own. Absent cells of a sparse matrix have no entry, so
a stored zero differs from no edge.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from pplab.graphs import cell_keys

Path = tuple[Hashable, ...]
Entry = tuple[Path, Hashable]


def entries(output: Any) -> tuple[Entry, ...]:
    """List what a release holds, place by place: hashable, equal for equal releases.

    Parameters
    ----------
    output : array, sparse matrix, number, string or other hashable, or tuples and lists of such
        One release.

    Returns
    -------
    tuple of (path, value)

    Raises
    ------
    TypeError
        If it is none of these.

    Examples
    --------
    >>> entries((np.array([7, 8]), 3.0))
    (((0, 0), 7), ((0, 1), 8), ((1,), 3))
    """
    return tuple(_walk(output, ()))


def _walk(output: Any, path: Path) -> Iterator[Entry]:
    if sparse.issparse(output):
        matrix = _sorted_csr(output)
        keys, columns = cell_keys(matrix).tolist(), matrix.shape[1]
        for key, value in zip(keys, matrix.data.tolist(), strict=True):
            yield (*path, *divmod(key, columns)), _plain(value)
    elif isinstance(output, np.ndarray):
        for cell, value in np.ndenumerate(output):
            yield (*path, *cell), _plain(value)
    elif isinstance(output, (list, tuple)):
        for place, part in enumerate(output):
            yield from _walk(part, (*path, place))
    else:
        yield path, _plain(output)


def _plain(value: Any) -> Hashable:
    """One form for equal values: 3.0 is 3, and NaN equals itself."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float):
        return "nan" if value != value else int(value) if value.is_integer() else value
    # what hashes by identity, such as a networkx graph, never equals another release
    if value is not None and type(value).__hash__ in (None, object.__hash__):
        raise TypeError(
            f"a release must be made of numbers, strings, arrays, sparse matrices, tuples and "
            f"lists, got {type(value).__name__}; turn it into one of these in sample"
        )
    return value


def _sorted_csr(matrix: Any) -> sparse.csr_array:
    """Any sparse matrix in canonical order; the original stays as it is."""
    ordered = matrix if isinstance(matrix, sparse.csr_array) else sparse.csr_array(matrix)
    return ordered if ordered.has_sorted_indices else ordered.sorted_indices()


@dataclass(frozen=True)
class ReleaseTable:
    """Indicators of what each release holds; ``indptr, indices`` are the structure of a CSR."""

    indptr: np.ndarray
    indices: np.ndarray
    names: Sequence[Entry]

    def __len__(self) -> int:
        return len(self.indptr) - 1

    @classmethod
    def of(cls, batches: Sequence[Any]) -> ReleaseTable:
        """Tabulate batches of releases, one below the other."""
        numbers = all(isinstance(b, np.ndarray) and b.dtype.kind in "biuf" for b in batches)
        if numbers and len({batch.shape[1:] for batch in batches}) == 1:
            return cls._of_arrays(np.concatenate(batches))
        outputs = [output for batch in batches for output in batch]
        if all(map(sparse.issparse, outputs)) and len({o.shape for o in outputs}) == 1:
            return cls._of_sparse(outputs)
        return cls._of_anything(outputs)

    @classmethod
    def _of_arrays(cls, stack: np.ndarray) -> ReleaseTable:
        flat = stack.reshape(len(stack), -1)
        names: list[Entry] = []
        columns = []
        for place, column in zip(np.ndindex(stack.shape[1:]), flat.T, strict=True):
            values, codes = np.unique(column, return_inverse=True)
            columns.append(codes + len(names))
            names += [(place, _plain(value)) for value in values]
        indptr = np.arange(len(stack) + 1) * flat.shape[1]
        return cls(indptr, np.column_stack(columns).ravel(), names)

    @classmethod
    def _of_sparse(cls, outputs: Sequence[Any]) -> ReleaseTable:
        matrices = [_sorted_csr(output) for output in outputs]
        keys = np.concatenate([cell_keys(matrix) for matrix in matrices])
        values, codes = np.unique(
            np.concatenate([matrix.data for matrix in matrices]), return_inverse=True
        )
        cells, indices = np.unique(keys * max(len(values), 1) + codes, return_inverse=True)
        places, found = np.divmod(cells, max(len(values), 1))
        rows, columns = np.divmod(places, matrices[0].shape[1])
        names = [
            ((row, column), _plain(value))
            for row, column, value in zip(
                rows.tolist(), columns.tolist(), values[found].tolist(), strict=True
            )
        ]
        sizes = [matrix.nnz for matrix in matrices]
        return cls(np.concatenate([[0], np.cumsum(sizes)]), indices, names)

    @classmethod
    def _of_anything(cls, outputs: Iterable[Any]) -> ReleaseTable:
        known: dict[Entry, int] = {}
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
        """Number of each entry's place, in the order in which places come up."""
        known: dict[Path, int] = {}
        return np.array([known.setdefault(path, len(known)) for path, _ in self.names], dtype=int)

    @cached_property
    def outputs(self) -> tuple[np.ndarray, list[int]]:
        """Number of each release's output, and a release that shows each output."""
        seen: dict[bytes, int] = {}
        first: list[int] = []
        numbers = np.empty(len(self), dtype=np.int64)
        for row in range(len(numbers)):
            held = self.indices[self.indptr[row] : self.indptr[row + 1]].tobytes()
            numbers[row] = seen.setdefault(held, len(seen))
            if len(seen) > len(first):
                first.append(row)
        return numbers, first

    def entries_of(self, row: int) -> tuple[Entry, ...]:
        """What a release holds, as ``entries`` would list it."""
        return tuple(self.names[i] for i in self.indices[self.indptr[row] : self.indptr[row + 1]])
