"""Random draws for compiled loops, from a state that the caller owns."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["accepted", "draw_below", "draw_share", "mixed"]


@numba.njit(cache=True, nogil=True)
def mixed(number: np.uint64) -> np.uint64:
    """Scatter 64 bits: the steps of Steele, Lea and Flood, doi 10.1145/2660193.2660195."""
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


@numba.njit(cache=True, nogil=True)
def _next(seed: np.ndarray) -> np.uint64:
    """SplitMix64 (Steele, Lea and Flood 2014, doi 10.1145/2660193.2660195)."""
    seed[0] += np.uint64(0x9E3779B97F4A7C15)
    return mixed(seed[0])


@numba.njit(cache=True, nogil=True)
def draw_share(seed: np.ndarray) -> float:
    """Draw from [0, 1); `seed` is a uint64 array of length 1 and moves on."""
    return float(_next(seed) >> np.uint64(11)) * 2.0**-53


@numba.njit(cache=True, nogil=True)
def draw_below(seed: np.ndarray, end: int) -> int:
    """Draw one of 0 .. end - 1."""
    return int(draw_share(seed) * end)


@numba.njit(cache=True, nogil=True)
def accepted(gain: float, temperature: float, seed: np.ndarray) -> bool:
    """Whether a change is made: a gain always, a loss of d with probability exp(-d / temperature).

    Metropolis et al. 1953, doi 10.1063/1.1699114.
    """
    return gain >= 0 or draw_share(seed) < np.exp(gain / temperature)
