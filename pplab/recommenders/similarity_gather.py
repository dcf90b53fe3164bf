"""Rows of similarities, or their products with a sparse matrix, made block by block in threads."""

# Numba compiles the undeclared functions below and infers their types itself.
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
from scipy import sparse

from pplab.recommenders.similarity_rows import RowPlan, similar_users

__all__ = ["gather", "gather_similarities"]

_BLOCK_ROWS = 64
_FIRST_ROOM = 2**29  # cells; what is not written costs address space only


def gather_similarities(plan: RowPlan, users: np.ndarray) -> sparse.csr_array:
    """Rows of the similarity matrix."""
    columns = len(plan.indptr) - 1
    return _in_blocks(lambda block: _similarity_block(plan, block), users, columns)


def gather(plan: RowPlan, users: np.ndarray, matrix: sparse.csr_array) -> sparse.csr_array:
    """Rows of the similarity matrix times a sparse matrix."""
    ones = bool((matrix.data == 1).all())  # then the values need not be read
    indptr, indices = matrix.indptr.astype(np.int64), matrix.indices.astype(np.uint32)
    values = np.ones(1) if ones else matrix.data.astype(np.float64)
    columns = matrix.shape[1]

    def work(block: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return _product_block(plan, block, indptr, indices, values, ones, columns)

    return _in_blocks(work, users, columns)


def _in_blocks(
    work: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]],
    users: np.ndarray,
    columns: int,
) -> sparse.csr_array:
    """Rows of all users in their order; a row does not depend on the thread that made it."""
    blocks = [users[at : at + _BLOCK_ROWS] for at in range(0, len(users), _BLOCK_ROWS)]
    room = min(len(users) * columns, _FIRST_ROOM)
    indices, values = np.empty(room, dtype=np.int32), np.empty(room)
    counts, used = [], 0
    with ThreadPoolExecutor(min(numba.get_num_threads(), len(blocks))) as pool:
        for lengths, block_indices, block_values in pool.map(work, blocks):
            counts.append(lengths)
            start, used = used, used + int(lengths.sum())
            if used > len(values):
                indices, values = _longer(indices, start, used), _longer(values, start, used)
            indices[start:used] = block_indices[: used - start]
            values[start:used] = block_values[: used - start]
    indices.resize(used, refcheck=False)
    values.resize(used, refcheck=False)
    indptr = np.concatenate([[0], np.cumsum(np.concatenate(counts))])
    rows = sparse.csr_array((values, indices, indptr), shape=(len(users), columns))
    rows.has_canonical_format = True
    return rows


def _longer(array: np.ndarray, used: int, needed: int) -> np.ndarray:
    longer = np.empty(2 * needed, dtype=array.dtype)
    longer[:used] = array[:used]
    return longer


@numba.njit(cache=True, nogil=True)
def _similarity_block(plan, users):
    size = len(plan.indptr) - 1
    weights, twos = np.zeros(size), np.zeros(size)
    touched, middles = np.empty(size + 1, np.uint32), np.empty(size + 1, np.uint32)
    counts = np.zeros(len(users), np.int64)
    indices, values = np.empty(len(users) * size, np.int32), np.empty(len(users) * size)
    used = 0
    for row in range(len(users)):
        count = similar_users(plan, users[row], weights, touched, twos, middles)
        for other in np.sort(touched[:count]):
            indices[used], values[used] = other, weights[other]
            used += 1
            weights[other] = 0
        counts[row] = count
    return counts, indices, values


@numba.njit(cache=True, nogil=True)
def _product_block(plan, users, m_indptr, m_indices, m_values, ones, columns):
    size = len(plan.indptr) - 1
    weights, twos, sums = np.zeros(size), np.zeros(size), np.zeros(columns)
    touched, middles = np.empty(size + 1, np.uint32), np.empty(size + 1, np.uint32)
    counts = np.zeros(len(users), np.int64)
    indices = np.empty(len(users) * columns + 1, np.int32)
    values = np.empty(len(users) * columns + 1)
    used = 0
    for row in range(len(users)):
        count = similar_users(plan, users[row], weights, touched, twos, middles)
        for place in range(count):
            other = touched[place]
            weight = weights[other]
            weights[other] = 0
            if ones:
                for entry in range(m_indptr[other], m_indptr[other + 1]):
                    sums[m_indices[entry]] += weight
            else:
                for entry in range(m_indptr[other], m_indptr[other + 1]):
                    sums[m_indices[entry]] += weight * m_values[entry]
        before = used
        for column in range(columns):  # without a branch: the next cell overwrites a zero
            indices[used], values[used] = column, sums[column]
            used += sums[column] != 0
            sums[column] = 0
        counts[row] = used - before
    return counts, indices, values
