"""What a release of any kind holds: a list of (place, value) that can be hashed and compared.

A place is a path: ``(row, column)`` in a matrix, ``(0, row, column)`` in the matrix that comes
first in a tuple, ``()`` for a number on its own. Absent cells of a sparse matrix have no entry,
so a stored zero differs from no edge.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np
from scipy import sparse

from pplab.graphs import cell_keys

__all__ = ["Entry", "Path", "entries", "plain", "sorted_csr"]

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
        matrix = sorted_csr(output)
        keys, columns = cell_keys(matrix).tolist(), matrix.shape[1]
        for key, value in zip(keys, matrix.data.tolist(), strict=True):
            yield (*path, *divmod(key, columns)), plain(value)
    elif isinstance(output, np.ndarray):
        for cell, value in np.ndenumerate(output):
            yield (*path, *cell), plain(value)
    elif isinstance(output, (list, tuple)):
        for place, part in enumerate(output):
            yield from _walk(part, (*path, place))
    else:
        yield path, plain(output)


def plain(value: Any) -> Hashable:
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


def sorted_csr(matrix: Any) -> sparse.csr_array:
    """Any sparse matrix in canonical order; the original stays as it is."""
    ordered = matrix if isinstance(matrix, sparse.csr_array) else sparse.csr_array(matrix)
    return ordered if ordered.has_sorted_indices else ordered.sorted_indices()
