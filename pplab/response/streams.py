"""Random streams for compiled loops: one per row, addressed by (key, row).

A stream is a counter in steps of the golden ratio whose values are scrambled (SplitMix64; Steele,
Lea and Flood 2014, doi 10.1145/2660193.2660195). Whoever works on a row starts its stream anew,
so neither threads nor blocks nor the order of the edges change what a row draws.
"""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["GOLDEN", "mix", "new_key", "row_stream"]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def new_key(rng: np.random.Generator) -> np.ndarray:
    """Draw the 128-bit key that addresses all row streams of one release."""
    return rng.integers(0, 2**64, size=2, dtype=np.uint64)


@numba.njit(cache=True, inline="always")
def mix(z):
    """Scramble 64 bits."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@numba.njit(cache=True, inline="always")
def row_stream(key, row):
    """Start of a row's stream: add GOLDEN and mix for each random word."""
    return mix(key[0] ^ mix(key[1] + np.uint64(row) * GOLDEN))
