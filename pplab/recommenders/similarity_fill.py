"""Rows of similarities times a sparse matrix, written into a dense table."""

# Numba compiles the undeclared functions below and infers their types itself.
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from scipy import sparse

from pplab.recommenders.similarity_rows import similar_users

__all__ = ["Rows", "Scratch", "fill_products", "lay_out", "new_scratch"]

_LINE = 64  # bytes that memory hands over at a time
_TOGETHER = 16  # rows of the matrix that are fetched at a time
_MANY = 16  # a user similar to one in so many is served in the order of the rows


class Rows(NamedTuple):
    """A sparse matrix as the compiled loops take it."""

    indptr: np.ndarray
    indices: np.ndarray
    values: np.ndarray
    ones: bool  # then the values are not read


class Scratch(NamedTuple):
    """Full-length arrays of one block of rows; weights and twos are all 0 between two rows."""

    weights: np.ndarray
    twos: np.ndarray
    touched: np.ndarray
    middles: np.ndarray


def lay_out(matrix: sparse.csr_array) -> Rows:
    """Numbers of columns as narrow as they get: what is read decides the time."""
    narrow = np.uint16 if matrix.shape[1] <= 2**16 else np.uint32
    ones = bool((matrix.data == 1).all())
    values = np.ones(1) if ones else matrix.data.astype(np.float64)
    return Rows(matrix.indptr.astype(np.int64), matrix.indices.astype(narrow), values, ones)


def new_scratch(size: int) -> Scratch:
    """Room for rows of a graph of so many users."""
    one, other = np.empty(size + 1, np.uint32), np.empty(size + 1, np.uint32)
    return Scratch(np.zeros(size), np.zeros(size), one, other)


@numba.njit(cache=True, nogil=True)
def fill_products(plan, users, scratch, rows, table):
    """Add up rows of the matrix in a table of zeros; how many cells are not zero in each."""
    weights, twos, touched, middles = scratch
    counts = np.zeros(len(users), np.int64)
    for row in range(len(users)):
        count = similar_users(plan, users[row], weights, touched, twos, middles)
        if count * _MANY > len(weights):
            count = _by_number(weights, touched)
        sums = table[row]
        for start in range(0, count, _TOGETHER):
            others = touched[start : min(start + _TOGETHER, count)]
            _fetch(rows, others, middles)
            _add_rows(rows, others, weights, sums)
        counts[row] = np.count_nonzero(sums)
    return counts


@numba.njit(cache=True, nogil=True)
def _by_number(weights, touched):
    """List the users with a weight in their order, in which memory is read ahead."""
    count = 0
    for other in range(len(weights)):  # without a branch: the next one overwrites a zero
        touched[count] = other
        count += weights[other] != 0
    return count


@numba.njit(cache=True, nogil=True)
def _fetch(rows, others, unused):
    """Read a number of each line of the rows, so that memory looks for all of them at once."""
    step, seen = _LINE // rows.indices.itemsize, 0
    for other in others:
        for entry in range(rows.indptr[other], rows.indptr[other + 1], step):
            seen += rows.indices[entry]
    unused[-1] = seen  # else the compiler leaves the reading out


@numba.njit(cache=True, nogil=True)
def _add_rows(rows, others, weights, sums):
    for other in others:
        weight = weights[other]
        weights[other] = 0
        if rows.ones:
            for entry in range(rows.indptr[other], rows.indptr[other + 1]):
                sums[rows.indices[entry]] += weight
        else:
            for entry in range(rows.indptr[other], rows.indptr[other + 1]):
                sums[rows.indices[entry]] += weight * rows.values[entry]
