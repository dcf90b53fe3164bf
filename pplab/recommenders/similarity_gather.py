"""Rows of similarities times a sparse matrix, made block by block in threads.

A block of rows is summed in a dense table that stays in the processor's cache. Once it is known
how many of its cells are not zero, they are packed straight into the arrays of the result, so
that the result is written once and nothing else of its size exists: to write to memory for the
first time costs more than to sum.
"""

# Numba compiles the undeclared functions below and infers their types itself.
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor

import numba
import numpy as np
from scipy import sparse

from pplab.recommenders.similarity_fill import Scratch, fill_products, lay_out, new_scratch
from pplab.recommenders.similarity_rows import RowPlan

__all__ = ["gather"]

_BLOCK_CELLS = 2**19  # of a table: 4 MB
_BLOCK_ROWS = 64
_FIRST_ROOM = 2**29  # cells; what is not written costs address space only


def gather(plan: RowPlan, users: np.ndarray, matrix: sparse.csr_array) -> sparse.csr_array:
    """Rows of the similarity matrix times a sparse matrix, those of the users in their order.

    A row does not depend on the thread that made it. Blocks are filled ahead of their turn; the
    place of a block in the result is known when all before it have been counted, and then any
    thread packs it.
    """
    (size, columns), laid_out = matrix.shape, lay_out(matrix)
    rows = min(_BLOCK_ROWS, max(1, _BLOCK_CELLS // columns))
    blocks = deque(users[at : at + rows] for at in range(0, len(users), rows))
    threads = min(numba.get_num_threads(), len(blocks))
    ahead = 2 * threads
    spare = [(new_scratch(size), np.zeros((rows, columns))) for _ in range(ahead + threads)]
    room = min(len(users) * columns, _FIRST_ROOM)
    indices, values = np.empty(room, dtype=np.int32), np.empty(room)
    counts, used = [np.zeros(1, dtype=np.int64)], 0

    def filled(block: np.ndarray) -> tuple[np.ndarray, Scratch, np.ndarray]:
        scratch, table = spare.pop()
        return fill_products(plan, block, scratch, laid_out, table), scratch, table

    def packed(found: np.ndarray, scratch: Scratch, table: np.ndarray, start: int) -> None:
        _pack(table, found, indices[start:], values[start:])
        spare.append((scratch, table))

    filling: deque[Future[tuple[np.ndarray, Scratch, np.ndarray]]] = deque()
    packing: deque[Future[None]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        while blocks or filling:
            while blocks and len(filling) < ahead:
                filling.append(pool.submit(filled, blocks.popleft()))
            found, scratch, table = filling.popleft().result()
            start, used = used, used + int(found.sum())
            counts.append(found)
            if used > len(values):
                _finish(packing)
                indices, values = _longer(indices, start, used), _longer(values, start, used)
            packing.append(pool.submit(packed, found, scratch, table, start))
        _finish(packing)
    indices.resize(used, refcheck=False)
    values.resize(used, refcheck=False)
    indptr = np.cumsum(np.concatenate(counts))
    result = sparse.csr_array((values, indices, indptr), shape=(len(users), columns))
    result.has_canonical_format = True
    return result


def _finish(jobs: deque[Future[None]]) -> None:
    while jobs:
        jobs.popleft().result()


def _longer(array: np.ndarray, used: int, needed: int) -> np.ndarray:
    longer = np.empty(2 * needed, dtype=array.dtype)
    longer[:used] = array[:used]
    return longer


@numba.njit(cache=True, nogil=True)
def _pack(table, counts, indices, values):
    """Move what is not zero out of a table, and leave it all 0."""
    used = 0
    for row in range(len(counts)):
        column, end = 0, used + counts[row]
        while used < end:  # without a branch: the next cell overwrites a zero
            value = table[row, column]
            indices[used], values[used] = column, value
            used += value != 0
            column += 1
        table[row] = 0
