"""Compiled machinery of the noise graphs: each cell flips independently with probability p.

``flip_cells`` is what the mechanisms call. Tiny probabilities skip from flip to flip, others toss
64 coins at once. Every row has a random stream of its own: neither the number of threads nor the
order in which edges were listed changes the result. The readable form is the exact
``distribution`` of each mechanism; tests hold the flips against it.
"""

import math
from collections.abc import Callable

import numba
import numpy as np
from scipy import sparse

from pplab.compiled import GOLDEN, in_ranges, mixed, new_key, njit, row_stream

_SKIP_BELOW = 2.0**-6  # about one flip in a word of coins
_WORTH_THREADS = 2**23  # cells; below, starting the threads costs more than it saves


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
    csr_array of int32 ones, shape (n, m)
    """
    flip = _flip_by_skips if flip_probability < _SKIP_BELOW else _flip_by_coins
    rows, columns = graph.shape
    if rows * columns * flip_probability > 2**33:
        raise ValueError(
            "flip_probability must flip at most 2^33 cells of an adjacency, a biadjacency or "
            f"ratings, got {graph.shape} cells; pass fewer users or items"
        )
    parts = 4 * numba.get_num_threads() if rows * columns >= _WORTH_THREADS else 1
    indptr, indices = flip(graph, flip_probability, new_key(rng), upper_triangle, parts)
    if indptr[-1] < 2**31:
        indptr = indptr.astype(np.int32)
    ones = np.ones(len(indices), dtype=np.int32)
    return sparse.csr_array((ones, indices, indptr), shape=graph.shape)


def _empty_release(cells: int, edges: int, p: float) -> np.ndarray:
    """Buffer for the column numbers of a release: its mean size and eight standard deviations."""
    mean = edges + p * max(cells - 2 * edges, 0)
    return np.empty(int(mean + 8 * math.sqrt(cells * p * (1 - p))) + 1, dtype=np.int32)


def _grown(release: np.ndarray, used: int, needed: int) -> np.ndarray:
    """Give the release, or a longer copy of it where chance asks for more."""
    if needed <= len(release):
        return release
    longer = np.empty(2 * needed, dtype=release.dtype)
    longer[:used] = release[:used]
    return longer


def _for_rows(work: Callable[..., None], rows: int, parts: int, *arguments: object) -> None:
    """Call for ranges of the rows of a block, in threads where there are several parts."""
    in_ranges(work, rows, -(-rows // parts), *arguments, label="rows", quiet=True)


# Flip cells by tossing 64 coins at once: for flip probabilities that are not tiny.
#
# A row is worked through in words of 64 cells. The binary digits of 64 uniform numbers are drawn
# together and compared with those of p until the last coin is decided, after about 8 random words:
# each coin is heads with *exactly* the probability that the float p is. The word of the graph XOR
# the word of coins is the published word. Rows are taken in blocks whose bits stay in the
# processor's cache, so that nothing larger than the output is held.

_BLOCK_WORDS = 2**17  # one megabyte of bits
_ONE = np.uint64(1)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
# Position of the only set bit of a word, by multiplication with a de Bruijn sequence.
_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
_BIT_OF = np.zeros(64, dtype=np.int64)
for _bit in range(64):
    _BIT_OF[((1 << _bit) * int(_DE_BRUIJN) & (2**64 - 1)) >> 58] = _bit


def _flip_by_coins(
    graph: sparse.csr_array, p: float, key: np.ndarray, upper_triangle: bool, parts: int
) -> tuple[np.ndarray, np.ndarray]:
    """Flip each cell with a probability of at least 2^-11, a binary fraction of 64 digits.

    ``indptr, indices`` are the CSR structure of the graph, columns sorted within rows; those of the
    published graph come back (int64 and int32). ``key`` addresses the row streams. With
    ``upper_triangle`` cells on and below the diagonal stay. The rows of a block are worked on in
    ``parts``, which do not change the result.
    """
    digits = np.uint64(int(math.ldexp(p, 64)))  # p = 0.digits in binary
    (rows, columns), words = graph.shape, -(-graph.shape[1] // 64)
    indptr, indices = graph.indptr, graph.indices
    block = max(1, _BLOCK_WORDS // words)
    bits = np.empty((min(block, rows), words), dtype=np.uint64)
    out_indptr = np.zeros(rows + 1, dtype=np.int64)
    out = _empty_release(rows * columns, len(indices), p)
    for start in range(0, rows, block):
        block_rows = min(block, rows - start)
        coins = columns, key, digits, upper_triangle, start, bits
        _for_rows(_toss_rows, block_rows, parts, indptr, indices, *coins)
        places = out_indptr[start : start + block_rows + 1]
        ones = np.bitwise_count(bits[:block_rows]).sum(axis=1, dtype=np.int64)
        places[1:] = places[0] + np.cumsum(ones)
        out = _grown(out, places[0], places[-1])
        _for_rows(_write_rows, block_rows, parts, bits, places, out)
    return out_indptr, out[: out_indptr[-1]]


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


@njit(inline="always")
def _existing_cells(base, first, columns):
    """Bits of a word that are cells: not before the first, not after the last column."""
    mask = _ALL
    if base < first:
        mask = mask << np.uint64(first - base) if first - base < 64 else np.uint64(0)
    if columns - base < 64:
        mask &= (_ONE << np.uint64(columns - base)) - _ONE
    return mask


@njit(nogil=True)
def _toss_rows(indptr, indices, columns, key, digits, upper, start, bits, begin, end):
    """Published bits of some rows of a block, and how many of them are set."""
    for place in range(begin, end):
        row = start + place
        first = np.int64(row + 1 if upper else 0)
        state = row_stream(key, row)
        for word in range(first // 64):
            bits[place, word] = 0
        for word in range(first // 64, bits.shape[1]):
            coins, state = _coins(state, digits)
            bits[place, word] = coins & _existing_cells(word * 64, first, columns)
        for entry in range(indptr[row], indptr[row + 1]):
            column = np.int64(indices[entry])
            bits[place, column >> 6] ^= _ONE << np.uint64(column & 63)


@njit(nogil=True)
def _write_rows(bits, places, out, begin, end):
    """Column numbers of the set bits."""
    for place in range(begin, end):
        target = places[place]
        for number in range(bits.shape[1]):
            word = bits[place, number]
            while word != 0:
                lowest = word & (~word + _ONE)
                out[target] = number * 64 + _BIT_OF[(lowest * _DE_BRUIJN) >> np.uint64(58)]
                target += 1
                word ^= lowest


# Flip cells by skipping to the next flip: for small flip probabilities.
#
# The number of cells before the next flip is geometric, so cells that stay cost nothing, and work
# grows with the edges and the flips, not with the cells. The sorted flips of a row are merged into
# its sorted edges; what is in both vanishes. Rows are merged in blocks that stay in the processor's
# cache and are then moved to where they belong, so that nothing larger than the output is held.

_BLOCK_ENTRIES = 2**18  # one megabyte of column numbers
_NEVER = 2.0**60


def _flip_by_skips(
    graph: sparse.csr_array, p: float, key: np.ndarray, upper_triangle: bool, parts: int
) -> tuple[np.ndarray, np.ndarray]:
    """Flip each cell with a small probability; arguments as for ``_flip_by_coins``."""
    (rows, columns), indptr, indices = graph.shape, graph.indptr, graph.indices
    scale = 1 / math.log1p(-p) if p else -math.inf  # a gap is log(uniform) * scale
    capacity = _row_capacity(columns, p)
    ends = indptr + capacity * np.arange(rows + 1)  # where each row would end in an endless buffer
    out_indptr = np.zeros(rows + 1, dtype=np.int64)
    out = _empty_release(rows * columns, len(indices), p)
    buffer = np.empty(_BLOCK_ENTRIES, dtype=np.int32)
    start = 0
    while start < rows:
        stop = int(np.searchsorted(ends, ends[start] + _BLOCK_ENTRIES, side="right")) - 1
        stop = min(max(stop, start + 1), rows)
        offsets = ends[start : stop + 1] - ends[start]
        if offsets[-1] > len(buffer):
            buffer = np.empty(offsets[-1], dtype=np.int32)
        counts = np.empty(stop - start, dtype=np.int64)
        flips = columns, key, scale, upper_triangle, start, offsets, buffer, counts
        _for_rows(_merge_rows, stop - start, parts, indptr, indices, *flips)
        if (counts < 0).any():  # a row had more flips than its buffer holds
            ends += capacity * np.arange(rows + 1)
            capacity *= 2
            continue
        places = out_indptr[start : stop + 1]
        places[1:] = places[0] + np.cumsum(counts)
        out = _grown(out, places[0], places[-1])
        _for_rows(_move_rows, stop - start, parts, buffer, offsets, places, out)
        start = stop
    return out_indptr, out[: out_indptr[-1]]


def _row_capacity(columns: int, p: float) -> int:
    """Buffer for the flips of a row: mean, eight standard deviations, some for small means."""
    mean = columns * p
    return int(mean + 8 * math.sqrt(mean) + 16)


@njit(inline="always")
def _gap(state, scale):
    """Cells that stay before the next flip, by inversion of a uniform number in (0, 1]."""
    state += GOLDEN
    uniform = (np.float64(mixed(state) >> np.uint64(11)) + 1.0) * 2.0**-53
    gap = np.log(uniform) * scale
    return np.int64(gap if gap < _NEVER else _NEVER), state


@njit(inline="always")
def _draw_flips(buffer, first, stop, flip, columns, state, scale):
    """Write a row's flips in ascending order and a sentinel; -1 where the buffer is too small."""
    place = first
    gap, state = _gap(state, scale)
    flip += gap
    while flip < columns and place < stop - 1:
        buffer[place] = flip
        place += 1
        gap, state = _gap(state, scale)
        flip += gap + 1
    buffer[place] = columns
    return place - first if flip >= columns else -1


@njit(nogil=True)
def _merge_rows(
    indptr, indices, columns, key, scale, upper, start, offsets, buffer, counts, begin, end
):
    """Edges and flips of some rows of a block in sorted runs; -1 where the buffer is too small.

    The flips wait at the end of the row's buffer and are overtaken by nothing: what is written
    never passes the sum of what was read. Without branches, since chance cannot be predicted.
    """
    for number in range(begin, end):
        row = start + number
        entry, stop = indptr[row], indptr[row + 1]
        place, limit = offsets[number], offsets[number + 1]
        flip = place + stop - entry
        state, first = row_stream(key, row), np.int64(row + 1 if upper else 0)
        flips = _draw_flips(buffer, flip, limit, first, columns, state, scale)
        last = flip + flips
        while entry < stop:
            edge, column = indices[entry], buffer[flip]
            buffer[place] = min(edge, column)
            place += edge != column
            entry += edge <= column
            flip += column <= edge
        while flip < last:
            buffer[place] = buffer[flip]
            place += 1
            flip += 1
        counts[number] = place - offsets[number] if flips >= 0 else -1


@njit(nogil=True)
def _move_rows(buffer, offsets, places, out, begin, end):
    """Close the gaps between the rows of a block."""
    for number in range(begin, end):
        source = offsets[number] - places[number]
        for place in range(places[number], places[number + 1]):
            out[place] = buffer[source + place]
