"""Draw flips: each cell of a users x items matrix flips independently with probability p.

Every row has a random stream of its own, addressed by (key, row): the result does not depend on
the number of threads, nor on the order in which edges were listed. A row is worked through in
words of 64 cells: the word of the graph XOR a word of noise is the published word. Two ways lead
to a word of noise, and both run twice (count, then write), so nothing larger than the output is
ever held:

- ``p >= 2**-8``: 64 uniform numbers are compared with p bit by bit, all 64 at once, until the
  last one is decided: about 8 random words for 64 cells, and *exactly* the float p.
- below: the distance to the next flip is geometric, so cells that do not flip cost nothing.
"""

from __future__ import annotations

import math

import numba
import numpy as np
from scipy import sparse

__all__ = ["flip_cells"]

_SKIP_BELOW = 2.0**-8
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_ONE = np.uint64(1)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_NEVER = np.int64(2**62)
_WORTH_THREADS = 2**20  # cells; below, starting the threads costs more than it saves

# Position of the only set bit of a word, by multiplication with a de Bruijn sequence.
_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
_BIT_OF = np.zeros(64, dtype=np.int64)
for _bit in range(64):
    _BIT_OF[((1 << _bit) * int(_DE_BRUIJN) & (2**64 - 1)) >> 58] = _bit


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
    key = rng.integers(0, 2**64, size=2, dtype=np.uint64)
    # p as a binary fraction, its first digit in the top bit; exact for every float above 2^-11
    digits = np.uint64(min(int(math.ldexp(flip_probability, 64)), 2**64 - 1))
    log_stay = math.log1p(-flip_probability) if flip_probability < _SKIP_BELOW else 0.0
    arguments = (graph.indptr, graph.indices, graph.shape[1], key, digits, log_stay, upper_triangle)
    counts = np.zeros(graph.shape[0] + 1, dtype=np.int64)
    threads = graph.shape[0] * graph.shape[1] >= _WORTH_THREADS
    (_count_threaded if threads else _count)(*arguments, counts)
    indptr = np.cumsum(counts)
    small = indptr[-1] < 2**31 and graph.shape[1] < 2**31
    index_type = np.int32 if small else np.int64
    indices = np.empty(indptr[-1], dtype=index_type)
    (_write_threaded if threads else _write)(*arguments, indptr, indices)
    ones = np.ones(len(indices), dtype=np.int8)
    return sparse.csr_array((ones, indices, indptr.astype(index_type)), shape=graph.shape)


@numba.njit(cache=True, inline="always")
def _mix(z):
    """Scramble 64 bits (the output function of SplitMix64, Steele, Lea and Flood 2014)."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@numba.njit(cache=True, inline="always")
def _row_stream(key, row):
    return _mix(key[0] ^ _mix(key[1] + np.uint64(row) * _GOLDEN))


@numba.njit(cache=True, inline="always")
def _bernoulli_word(state, digits):
    """64 coins at once: bit by bit, a lane is heads when its uniform number falls below p."""
    heads = np.uint64(0)
    undecided = _ALL
    while undecided != 0 and digits != 0:
        state += _GOLDEN
        bits = _mix(state)
        if digits >> np.uint64(63):
            heads |= undecided & ~bits
            undecided &= bits
        else:
            undecided &= ~bits
        digits <<= _ONE
    return heads, state


@numba.njit(cache=True, inline="always")
def _gap(state, log_stay):
    """Cells that stay before the next flip: geometric, by inversion of a uniform in (0, 1]."""
    state += _GOLDEN
    uniform = (np.float64(_mix(state) >> np.uint64(11)) + 1.0) * 2.0**-53
    gap = np.log(uniform) / log_stay
    return (np.int64(gap) if gap < 2.0**60 else _NEVER), state


@numba.njit(cache=True, inline="always")
def _graph_word(indices, entry, stop, base):
    """Bits of one row's stored columns in [base, base + 64)."""
    word = np.uint64(0)
    while entry < stop and indices[entry] < base + 64:
        word |= _ONE << np.uint64(indices[entry] - base)
        entry += 1
    return word, entry


@numba.njit(cache=True, inline="always")
def _noise_word(state, flip, base, digits, log_stay):
    """Flips in [base, base + 64), by coins or, when log_stay is set, by skipping."""
    if log_stay == 0.0:
        word, state = _bernoulli_word(state, digits)
        return word, state, flip
    word = np.uint64(0)
    while flip < base + 64:
        if flip >= base:
            word |= _ONE << np.uint64(flip - base)
        gap, state = _gap(state, log_stay)
        flip += gap + 1
    return word, state, flip


@numba.njit(cache=True, inline="always")
def _first_flip(state, log_stay, first):
    if log_stay == 0.0:
        return np.int64(0), state
    gap, state = _gap(state, log_stay)
    return first + gap, state


@numba.njit(cache=True, inline="always")
def _next_base(base, flip, indices, entry, stop, log_stay):
    """Start of the next word to look at; when skipping, words without edge or flip are passed."""
    if log_stay == 0.0:
        return base + 64
    event = flip
    if entry < stop:
        event = min(event, np.int64(indices[entry]))
    return max(base + 64, event // 64 * 64)


@numba.njit(cache=True, inline="always")
def _valid_cells(base, first, columns):
    """Bits of the cells of a word that exist: not before the first, not after the last column."""
    mask = _ALL
    if base < first:
        mask &= _ALL << np.uint64(first - base)
    if columns - base < 64:
        mask &= (_ONE << np.uint64(columns - base)) - _ONE
    return mask


@numba.njit(cache=True, inline="always")
def _ones(word):
    word = word - ((word >> _ONE) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + (
        (word >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


def _count_rows(indptr, indices, columns, key, digits, log_stay, upper, counts):
    for row in numba.prange(len(indptr) - 1):
        first = np.int64(row + 1 if upper else 0)
        entry, stop, total = indptr[row], indptr[row + 1], 0
        flip, state = _first_flip(_row_stream(key, row), log_stay, first)
        base = first // 64 * 64
        while base < columns:
            word, entry = _graph_word(indices, entry, stop, base)
            noise, state, flip = _noise_word(state, flip, base, digits, log_stay)
            total += _ones(word ^ (noise & _valid_cells(base, first, columns)))
            base = _next_base(base, flip, indices, entry, stop, log_stay)
        counts[row + 1] = total


def _write_rows(indptr, indices, columns, key, digits, log_stay, upper, out_indptr, out):
    for row in numba.prange(len(indptr) - 1):
        first = np.int64(row + 1 if upper else 0)
        entry, stop, place = indptr[row], indptr[row + 1], out_indptr[row]
        flip, state = _first_flip(_row_stream(key, row), log_stay, first)
        base = first // 64 * 64
        while base < columns:
            word, entry = _graph_word(indices, entry, stop, base)
            noise, state, flip = _noise_word(state, flip, base, digits, log_stay)
            word ^= noise & _valid_cells(base, first, columns)
            while word != 0:
                lowest = word & (~word + _ONE)
                out[place] = base + _BIT_OF[(lowest * _DE_BRUIJN) >> np.uint64(58)]
                place += 1
                word ^= lowest
            base = _next_base(base, flip, indices, entry, stop, log_stay)


_count, _write = (numba.njit(cache=True)(body) for body in (_count_rows, _write_rows))
_count_threaded, _write_threaded = (
    numba.njit(cache=True, parallel=True)(body) for body in (_count_rows, _write_rows)
)
