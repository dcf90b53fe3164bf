"""Many releases as one table: a row per release, a column per (place, value) that was seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from pplab.attacks.entries import Entry, Path, entries, plain, sorted_csr
from pplab.graphs import cell_keys

__all__ = ["ReleaseTable"]


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
            names += [(place, plain(value)) for value in values]
        indptr = np.arange(len(stack) + 1) * flat.shape[1]
        return cls(indptr, np.column_stack(columns).ravel(), names)

    @classmethod
    def _of_sparse(cls, outputs: Sequence[Any]) -> ReleaseTable:
        matrices = [sorted_csr(output) for output in outputs]
        keys = np.concatenate([cell_keys(matrix) for matrix in matrices])
        values, codes = np.unique(
            np.concatenate([matrix.data for matrix in matrices]), return_inverse=True
        )
        cells, indices = np.unique(keys * max(len(values), 1) + codes, return_inverse=True)
        places, kinds = np.divmod(cells, max(len(values), 1))
        rows, columns = np.divmod(places, matrices[0].shape[1])
        names = [
            ((row, column), plain(value))
            for row, column, value in zip(
                rows.tolist(), columns.tolist(), values[kinds].tolist(), strict=True
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
