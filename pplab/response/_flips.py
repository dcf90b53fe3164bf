"""Compiled machinery of the noise graphs: each cell flips independently with probability p.

``flip_cells`` is what the mechanisms call. Tiny probabilities skip from flip to flip, others toss
64 coins at once. Every row has a random stream of its own: neither the number of threads nor the
order in which edges were listed changes the result. The readable form is the exact
``distribution`` of each mechanism; tests hold the flips against it.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import sparse

from pplab._compiled import GOLDEN, in_threads, mixed, new_key, njit, row_stream

_SKIP_BELOW = 2.0**-6  # about one flip in a word of coins
_WORTH_A_THREAD = 2**21  # cells of a block of rows; below, threads cost more than they save
_MOST_BLOCKS = 64
_ROOM = 1.1  # for so many times the expected flips, before a release has to grow


def flip_cells(
    graph: sparse.csr_array,
    *,
    flip_probability: float,
    rng: np.random.Generator,
    upper_triangle: bool = False,
) -> sparse.csr_array:
    """Flip each cell (or each cell above the diagonal) of a 0/1 matrix with probability p.

    Parameters
    ----------
    graph : csr_array, shape (n, m)
        Stored entries are ones; rows sorted. With ``upper_triangle`` all lie above the diagonal.
    flip_probability : float
        In [0, 1/2].
    rng : numpy.random.Generator
        Two 64-bit words of it are the key of all row streams.
    upper_triangle : bool
        Leave cells on and below the diagonal alone.

    Returns
    -------
    csr_array of int8 ones, shape (n, m)
    """
    (rows, columns), p = graph.shape, flip_probability
    if rows * columns * p > 2**33:
        raise ValueError(
            "flip_probability must flip at most 2^33 cells of an adjacency, a biadjacency or "
            f"ratings, got {graph.shape} cells; pass fewer users or items"
        )
    digits = np.uint64(int(math.ldexp(p, 64)))  # p = 0.digits in binary
    scale = 1 / math.log1p(-p) if p else -math.inf  # a gap is log(uniform) * scale
    flip, chance = (_skipped, scale) if p < _SKIP_BELOW else (_tossed, digits)
    key, blocks = new_key(rng), min(rows, _MOST_BLOCKS, -(-rows * columns // _WORTH_A_THREAD))
    size = -(-rows // blocks)
    csr = graph.indptr, graph.indices, columns

    def flipped(start: int) -> tuple[np.ndarray, np.ndarray]:
        stop = min(start + size, rows)
        edges, flips = graph.indptr[stop] - graph.indptr[start], p * (stop - start) * columns
        release = np.empty(int(edges + _ROOM * flips), dtype=np.int32)
        return flip(*csr, key, chance, upper_triangle, start, stop, release)

    parts = in_threads(flipped, range(0, rows, size), label="rows", quiet=True)
    counts, indices = map(np.concatenate, zip(*parts, strict=True))
    indptr = np.append(0, np.cumsum(counts))
    if indptr[-1] < 2**31:
        indptr = indptr.astype(np.int32)
    ones = np.ones(len(indices), dtype=np.int8)
    return sparse.csr_array((ones, indices, indptr), shape=graph.shape)


@njit(inline="always")
def _with_room(release, used, more):
    """Give the release, or a longer copy of it where that many more do not fit."""
    if used + more <= len(release):
        return release
    longer = np.empty(2 * (used + more), np.int32)
    longer[:used] = release[:used]
    return longer


# Flip cells by tossing 64 coins at once: for flip probabilities that are not tiny.
#
# A row is worked through in words of 64 cells. The binary digits of 64 uniform numbers are drawn
# together and compared with those of p until the last coin is decided, after about 8 random words:
# each coin is heads with *exactly* the probability that the float p is, a fraction of 64 binary
# digits from 2^-11 on. The word of the graph XOR the word of coins is the published word.

_ONE = np.uint64(1)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
# Position of the only set bit of a word, by multiplication with a de Bruijn sequence.
_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
_BIT_OF = np.zeros(64, dtype=np.int64)
for _bit in range(64):
    _BIT_OF[((1 << _bit) * int(_DE_BRUIJN) & (2**64 - 1)) >> 58] = _bit


@njit(inline="always")
def _coins(state, digits):
    """64 coins: a coin is heads when its uniform number falls below p at the first difference."""
    heads = np.uint64(0)
    undecided = _ALL
    while undecided != 0 and digits != 0:
        state += GOLDEN
        bits = mixed(state)
        if digits >> np.uint64(63):
            heads |= undecided & ~bits
            undecided &= bits
        else:
            undecided &= ~bits
        digits <<= _ONE
    return heads, state


@njit(nogil=True)
def _tossed(indptr, indices, columns, key, digits, upper, start, stop, release):
    """How many columns each published row of a block has, and which ones."""
    bits = np.empty(columns // 64 + 1, np.uint64)
    counts, used = np.empty(stop - start, np.int64), 0
    for row in range(start, stop):
        first = np.int64(row + 1 if upper else 0)
        state = row_stream(key, row)
        bits[: first // 64] = 0
        for word in range(first // 64, len(bits)):
            bits[word], state = _coins(state, digits)
        bits[first // 64] &= _ALL << np.uint64(first % 64)  # no cell before the first
        bits[-1] &= (_ONE << np.uint64(columns % 64)) - _ONE  # nor behind the last
        for entry in range(indptr[row], indptr[row + 1]):
            column = np.int64(indices[entry])
            bits[column >> 6] ^= _ONE << np.uint64(column & 63)
        release, before = _with_room(release, used, columns), used
        for number in range(len(bits)):
            word = bits[number]
            while word != 0:
                lowest = word & (~word + _ONE)
                release[used] = number * 64 + _BIT_OF[(lowest * _DE_BRUIJN) >> np.uint64(58)]
                used += 1
                word ^= lowest
        counts[row - start] = used - before
    return counts, release[:used]


# Flip cells by skipping to the next flip: for small flip probabilities.
#
# The number of cells before the next flip is geometric, so cells that stay cost nothing, and work
# grows with the edges and the flips, not with the cells. The sorted flips of a row are merged into
# its sorted edges; what is in both vanishes.

_NEVER = 2.0**60


@njit(inline="always")
def _gap(state, scale):
    """Cells that stay before the next flip, by inversion of a uniform number in (0, 1]."""
    state += GOLDEN
    uniform = (np.float64(mixed(state) >> np.uint64(11)) + 1.0) * 2.0**-53
    gap = np.log(uniform) * scale
    return np.int64(gap if gap < _NEVER else _NEVER), state


@njit(nogil=True)
def _skipped(indptr, indices, columns, key, scale, upper, start, stop, release):
    """How many columns each published row of a block has, and which ones.

    Without branches where edges and flips are merged, since chance cannot be predicted.
    """
    flips = np.empty(columns + 1, np.int32)  # of a row, and behind them a number that is no column
    counts, used = np.empty(stop - start, np.int64), 0
    for row in range(start, stop):
        count, state = 0, row_stream(key, row)
        gap, state = _gap(state, scale)
        column = np.int64(row + 1 if upper else 0) + gap
        while column < columns:
            flips[count] = column
            count += 1
            gap, state = _gap(state, scale)
            column += gap + 1
        flips[count] = columns
        entry, end, place, before = indptr[row], indptr[row + 1], 0, used
        release = _with_room(release, used, end - entry + count)
        while entry < end:
            edge, flip = indices[entry], flips[place]
            release[used] = min(edge, flip)
            used += edge != flip
            entry += edge <= flip
            place += flip <= edge
        release[used : used + count - place] = flips[place:count]
        used += count - place
        counts[row - start] = used - before
    return counts, release[:used]
