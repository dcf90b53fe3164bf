"""Flip cells by tossing 64 coins at once: for flip probabilities that are not tiny.

A row is worked through in words of 64 cells. The binary digits of 64 uniform numbers are drawn
together and compared with those of p until the last coin is decided, after about 8 random words:
each coin is heads with *exactly* the probability that the float p is. The word of the graph XOR the
word of coins is the published word. Rows are taken in blocks whose bits stay in the processor's
cache, so that nothing larger than the output is held.
"""

from __future__ import annotations

import math

import numba
import numpy as np

from pplab._compiled import GOLDEN, mix, row_stream
from pplab.response.compiled import plain_and_threaded
from pplab.response.room import empty_release, with_room

__all__ = ["flip_by_coins"]

_BLOCK_WORDS = 2**17  # one megabyte of bits
_ONE = np.uint64(1)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)

# Position of the only set bit of a word, by multiplication with a de Bruijn sequence.
_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
_BIT_OF = np.zeros(64, dtype=np.int64)
for _bit in range(64):
    _BIT_OF[((1 << _bit) * int(_DE_BRUIJN) & (2**64 - 1)) >> 58] = _bit


def flip_by_coins(
    indptr: np.ndarray,
    indices: np.ndarray,
    columns: int,
    flip_probability: float,
    key: np.ndarray,
    upper_triangle: bool,
    threads: bool,
) -> tuple[np.ndarray, np.ndarray]:
    """Flip each cell with a probability of at least 2^-11.

    Parameters
    ----------
    indptr, indices : ndarray
        CSR structure of the graph, columns sorted within rows.
    columns : int
        Number of columns.
    flip_probability : float
        In [2^-11, 1/2], where it is a binary fraction of at most 64 digits.
    key : ndarray of two uint64
        Address of the row streams.
    upper_triangle : bool
        Leave cells on and below the diagonal alone.
    threads : bool
        Whether to work on several rows at once; the result is the same.

    Returns
    -------
    tuple of ndarray
        indptr (int64) and indices (int32) of the published graph.
    """
    toss, write = (_toss_threaded, _write_threaded) if threads else (_toss, _write)
    digits = np.uint64(int(math.ldexp(flip_probability, 64)))  # p = 0.digits in binary
    rows, words = len(indptr) - 1, -(-columns // 64)
    block = max(1, _BLOCK_WORDS // words)
    bits = np.empty((min(block, rows), words), dtype=np.uint64)
    counts = np.empty(min(block, rows), dtype=np.int64)
    out_indptr = np.zeros(rows + 1, dtype=np.int64)
    out = empty_release(rows * columns, len(indices), flip_probability)
    for start in range(0, rows, block):
        here = min(block, rows - start)
        toss(indptr, indices, columns, key, digits, upper_triangle, start, here, bits, counts)
        places = out_indptr[start : start + here + 1]
        places[1:] = places[0] + np.cumsum(counts[:here])
        out = with_room(out, places[0], places[-1])
        write(bits, here, places, out)
    return out_indptr, out[: out_indptr[-1]]


@numba.njit(cache=True, inline="always")
def _coins(state, digits):
    """64 coins: a coin is heads when its uniform number falls below p at the first difference."""
    heads = np.uint64(0)
    undecided = _ALL
    while undecided != 0 and digits != 0:
        state += GOLDEN
        bits = mix(state)
        if digits >> np.uint64(63):
            heads |= undecided & ~bits
            undecided &= bits
        else:
            undecided &= ~bits
        digits <<= _ONE
    return heads, state


@numba.njit(cache=True, inline="always")
def _existing_cells(base, first, columns):
    """Bits of a word that are cells: not before the first, not after the last column."""
    mask = _ALL
    if base < first:
        mask = mask << np.uint64(first - base) if first - base < 64 else np.uint64(0)
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


def _toss_rows(indptr, indices, columns, key, digits, upper, start, here, bits, counts):
    """Published bits of the rows of a block, and how many of them are set."""
    for place in numba.prange(here):
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
        total = 0
        for word in range(bits.shape[1]):
            total += _ones(bits[place, word])
        counts[place] = total


def _write_rows(bits, here, places, out):
    """Column numbers of the set bits."""
    for place in numba.prange(here):
        target = places[place]
        for number in range(bits.shape[1]):
            word = bits[place, number]
            while word != 0:
                lowest = word & (~word + _ONE)
                out[target] = number * 64 + _BIT_OF[(lowest * _DE_BRUIJN) >> np.uint64(58)]
                target += 1
                word ^= lowest


_toss, _toss_threaded = plain_and_threaded(_toss_rows)
_write, _write_threaded = plain_and_threaded(_write_rows)
