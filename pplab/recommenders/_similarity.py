"""Products with sparse matrices, compiled, in blocks of rows and in threads.

Rows of `product` come out sorted, which takes scipy three times as long. `common_products` and
`katz_products` multiply a full table with the adjacency and form no row of similarities; a test
holds them against the formulas of `similarity.py`.
"""

# Numba compiles the undeclared functions below and infers their types itself.
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numba
import numpy as np
from scipy import sparse

from pplab.compiled import in_threads, njit

DAMPING = 0.05  # a of the Katz measure


class Rows(NamedTuple):
    """A sparse matrix as the compiled loops take it."""

    indptr: np.ndarray
    indices: np.ndarray
    values: np.ndarray
    step: int  # from one value to the next: 0 where all are one 1, which is then read once
    columns: int


def lay_out(matrix: sparse.csr_array) -> Rows:
    """Bring a matrix into one type, without the values of a pattern: reading decides the time."""
    ones = bool((matrix.data == 1).all())
    values = np.ones(1) if ones else matrix.data.astype(np.float64)
    narrow = np.uint16 if matrix.shape[1] <= 2**16 else np.uint32
    indptr, indices = matrix.indptr.astype(np.int64), matrix.indices.astype(narrow)
    return Rows(indptr, indices, values, int(not ones), matrix.shape[1])


def product(
    left: sparse.csr_array, right: Rows, *, without: np.ndarray | None = None
) -> sparse.csr_array:
    """A few rows times a matrix; of each row, one column may be left out."""
    without = np.full(left.shape[0], -1) if without is None else without
    parts = _product(lay_out(left), right, without)
    result = sparse.csr_array(parts, shape=(left.shape[0], right.columns))
    result.has_canonical_format = True
    return result


@njit(nogil=True)
def _product(left, right, without):
    """Values, columns and ends of the rows: sorted, and zeros not stored."""
    sums, marks = np.zeros(right.columns), np.zeros(right.columns // 64 + 1, np.uint64)
    most, one = len(without) * right.columns + 1, np.uint64(1)
    indices, values = np.empty(most, np.int32), np.empty(most)
    ends, used = np.zeros(len(without) + 1, np.int64), 0
    for row in range(len(without)):
        for entry in range(left.indptr[row], left.indptr[row + 1]):
            other, weight = left.indices[entry], left.values[entry * left.step]
            for place in range(right.indptr[other], right.indptr[other + 1]):
                column = right.indices[place]
                marks[column >> 6] |= one << np.uint64(column & 63)
                sums[column] += weight * right.values[place * right.step]
        if without[row] >= 0:
            sums[without[row]] = 0
        for number in range(len(marks)):
            mark = marks[number]
            marks[number] = 0
            while mark != 0:
                lowest = mark & (~mark + one)  # its place is its exponent as a float
                column = number * 64 + (np.float64(lowest).view(np.int64) >> 52) - 1023
                mark ^= lowest
                indices[used], values[used] = column, sums[column]
                used += sums[column] != 0  # without a branch: the next cell overwrites a zero
                sums[column] = 0
        ends[row + 1] = used
    return values[:used].copy(), indices[:used].copy(), ends


def in_blocks(
    work: Callable[[np.ndarray], Any], users: np.ndarray, columns: int, stack: Callable[..., Any]
) -> Any:
    """Rows of blocks of users, whose tables stay in the processor's cache, made in threads."""
    size = max(1, min(_BLOCK_CELLS // columns, len(users) // numba.get_num_threads()))
    blocks = [users[at : at + size] for at in range(0, len(users), size)]
    try:
        return stack(in_threads(work, blocks, label="rows", quiet=True))
    except MemoryError as error:
        cells = len(users) * columns
        raise MemoryError(
            f"up to {cells:,} cells of a table of users x items need {cells * 12 / 2**30:,.1f} "
            "GiB, and this machine has less left; ask for fewer users at a time (users=...)"
        ) from error


_BLOCK_CELLS = 2**19  # 4 MB


# Similarities times a full table, by two or three products with the adjacency.
#
# Sums over all users of two steps are sums over neighbours of sums over neighbours: no similarity
# is ever formed. What such sums count too much (the user itself) is taken off before it is
# weighted, so that for tables of whole numbers, such as cluster memberships, zeros stay zeros.


def common_products(
    links: Rows, table: np.ndarray, users: np.ndarray, *, less: bool, weights: np.ndarray
) -> np.ndarray:
    """Rows of cn, aa or resource allocation times a table, less what returns to the user."""
    one = _steps(links, table, np.arange(len(table)), table, 0.0, np.ones(len(table)))
    return _steps(links, table, users, one, float(less), weights)


def katz_products(
    links: Rows, table: np.ndarray, users: np.ndarray, *, less: bool, simple: bool
) -> np.ndarray:
    """Rows of katz times a table.

    With V the sums over paths of two edges, those over three are A V - (D - 1) A C - T C: from
    each neighbour go on by two edges, take off returns to u on the way, and triangles T at u.
    """
    everyone, ones = np.arange(len(table)), np.ones(len(table))
    all_one = _steps(links, table, everyone, table, 0.0, ones)
    all_two = _steps(links, table, everyone, all_one, float(simple), ones)
    closed = _closed_walks(links) if less else np.zeros(len(table))

    def rows(some: np.ndarray) -> np.ndarray:
        own, one, two = table[some], all_one[some], all_two[some]
        three, degrees = _sums(links, table, some, all_two, 0.0, ones), np.diff(links.indptr)[some]
        if simple:
            three -= (degrees[:, None] - 1) * one
        elif less:
            two -= degrees[:, None] * own
        three -= closed[some, None] * own
        return DAMPING**3 * three + DAMPING**2 * two + DAMPING * one

    return in_blocks(rows, users, table.shape[1], np.concatenate)


def _steps(links: Rows, table: np.ndarray, users: np.ndarray, *step: Any) -> np.ndarray:
    """Go one step: `_sums` with the source, how much is taken off and the neighbours' weights."""

    def rows(some: np.ndarray) -> np.ndarray:
        return _sums(links, table, some, *step)

    return in_blocks(rows, users, table.shape[1], np.concatenate)


@njit(nogil=True)
def _sums(links, table, users, source, less, weights):
    """Sum the rows of each user's neighbours, from each less the user's row of the table."""
    out = np.zeros((len(users), table.shape[1]))
    for row in range(len(users)):
        sums, own = out[row], less * table[users[row]]
        for entry in range(links.indptr[users[row]], links.indptr[users[row] + 1]):
            step, weight = source[links.indices[entry]], weights[links.indices[entry]]
            for column in range(len(sums)):
                sums[column] += weight * (step[column] - own[column])
    return out


@njit(nogil=True)
def _closed_walks(links):
    """Walks of three edges from each user back: twice the triangles."""
    users = len(links.indptr) - 1
    walks, near = np.zeros(users), np.zeros(users, np.bool_)
    for user in range(users):
        friends = links.indices[links.indptr[user] : links.indptr[user + 1]]
        near[friends] = True
        for friend in friends:
            theirs = links.indices[links.indptr[friend] : links.indptr[friend + 1]]
            if (len(theirs), friend) < (len(friends), user):  # the shorter list of each edge
                common = 0
                for other in theirs:
                    common += near[other]
                walks[user] += common
                walks[friend] += common
        near[friends] = False
    return walks
