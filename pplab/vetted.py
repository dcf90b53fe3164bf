"""Noise from OpenDP's samplers, with the privacy loss that OpenDP states: the extra `vetted`.

What goes in are whole steps of a grid, or bits, so that OpenDP's own privacy maps hold and need
nothing added for rounding; what comes out is only processed further. Nobody chooses or keeps a
seed: OpenDP draws from a cryptographic generator that the operating system seeds.
"""

import importlib.metadata
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from pplab.checks import check_installed
from pplab.graphs import cell_keys, from_cell_keys


@dataclass(frozen=True)
class VettedNoise:
    """Guarantee of a release whose noise comes from OpenDP.

    Attributes
    ----------
    epsilon : float
        The level for one edge that was asked for, or that pplab states.
    stated_epsilon : float
        The privacy loss for one edge by OpenDP's own map: at most epsilon for Laplace noise; for
        flipped cells it differs from epsilon by roundings, both upwards.
    grid : float or None
        The noisy numbers are multiples of it: sums of weights over a cluster for "cluster", which
        are then divided by its size, weights for "noe", utilities for "nou". None for flips.
    sampler : str
        Library, version and law of the noise.
    """

    epsilon: float
    stated_epsilon: float
    grid: float | None
    sampler: str


def _opendp() -> tuple[Any, str]:
    dp: Any = check_installed("opendp", module="opendp.prelude", extra="vetted")
    version = importlib.metadata.version("opendp")
    if tuple(map(int, version.split(".")[:2])) < (0, 16):  # flips missed a cell
        raise ImportError(f"opendp must be 0.16 or newer, got {version}; upgrade it with pip")
    dp.enable_features("contrib")
    return dp, f"OpenDP {version}"


# A quarter of an hour of noise, a third of flips; each piece takes about half a second.
_MOST_NOISE, _MOST_FLIPS, _NOISE_AT_ONCE, _FLIPS_AT_ONCE = 2**27, 2**31, 2**16, 2**20


def check_draws(cells: int, *, most: int = _MOST_NOISE, rate: str = "150,000") -> None:
    """Refuse a release that would take too long."""
    if cells > most:
        raise ValueError(
            f"sampler 'vetted' must draw at most {most:,} numbers, got {cells:,} cells, at about "
            f"{rate} a second; take fewer users or items, or method 'cluster'"
        )


# Discrete Laplace noise on whole numbers.

_WIDEST = 2.0**58  # such noise leaves 64-bit integers once in e^32 draws, and is cut off there
_PART = 2.0**-20  # of a weight of 1


def on_grid(matrix: Any, grid: float = _PART) -> Any:
    """Sparse numbers as multiples of a power of two, the nearest ones.

    Examples
    --------
    >>> on_grid(sparse.csr_array([[0.0, 0.5, 0.9]]), 0.25).toarray()
    array([[0. , 0.5, 1. ]])
    """
    return (matrix.astype(np.float64) / grid).rint() * grid


class GridLaplace:
    """Discrete Laplace noise on multiples of a grid, at a level that OpenDP's map does not exceed.

    Parameters
    ----------
    epsilon : float
        Level of one edge, in (0, inf).
    steps : int
        By how many steps of the grid one edge moves all the numbers of a release together.
    grid : float
        A power of two.

    Attributes
    ----------
    measurement : opendp Measurement
        From vectors of 64-bit integers, steps of the grid, under the L1 distance. It is drawn in
        pieces: its map is linear, so the losses of the pieces add up to that of the whole.
    statement : VettedNoise

    Raises
    ------
    ModuleNotFoundError, ImportError
        If opendp is missing or too old.
    ValueError
        If epsilon is infinite or its noise leaves 64-bit integers.
    """

    def __init__(self, epsilon: float, *, steps: int, grid: float) -> None:
        if not steps / _WIDEST <= epsilon < math.inf:
            raise ValueError(
                f"epsilon must lie in [{steps / _WIDEST:.2g}, inf) with sampler 'vetted', got "
                f"{epsilon!r}; more is no noise, and less does not fit into 64-bit integers"
            )
        dp, version = _opendp()
        space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
        scale, stated, self.grid = steps / epsilon, math.inf, grid
        while not stated <= epsilon:  # a rounding or two
            self.measurement = dp.m.make_laplace(*space, scale=scale)
            stated, scale = self.measurement.map(steps), math.nextafter(scale, math.inf)
        self.statement = VettedNoise(epsilon, stated, grid, f"{version}, discrete Laplace")

    def __call__(self, numbers: np.ndarray) -> np.ndarray:
        """Add noise to numbers of any shape."""
        flat = np.rint(numbers.ravel().astype(np.float64) / self.grid).astype(np.int64)
        parts = (flat[at : at + _NOISE_AT_ONCE] for at in range(0, len(flat), _NOISE_AT_ONCE))
        noisy = np.concatenate([np.array(self.measurement(part), dtype=float) for part in parts])
        return noisy.reshape(numbers.shape) * self.grid


def laplace_on_weights(epsilon: float, *, draws: int) -> GridLaplace:
    """Noise for weights in [0, 1], or sums of them on the grid; an edge moves one by at most 1."""
    check_draws(draws)
    return GridLaplace(epsilon, steps=round(1 / _PART), grid=_PART)


def laplace_on_utilities(similar: Any, epsilon: float) -> tuple[Any, GridLaplace]:
    """Similarities on a grid, and noise for their products with weights on the grid.

    An edge moves the utilities of its item together by the largest column sum. No sum of a row or
    column has more than 26 bits here, so that products are exact in float64, and a similarity is
    off by at most a part in 10^8 of the largest. Similarities are public, and so is their rounding.
    """
    largest = max(float(similar.sum(axis=side).max()) for side in (0, 1))
    step = math.ldexp(1.0, math.frexp(largest)[1] - 26)
    near = on_grid(similar, step)
    most = max(round(float(near.sum(axis=0).max()) / step), 1)
    return near, GridLaplace(epsilon, steps=round(most / _PART), grid=step * _PART)


# Randomized response on the cells of a table.


class GridFlips:
    """Each cell of a 0/1 table answers the wrong bit with exactly the probability that a float is.

    Attributes
    ----------
    measurement : opendp Measurement
        From vectors of up to 2^20 bits under the discrete distance, its coins in constant time.
        Its map adds up the losses of the 2^21 bits of two such vectors; an edge is one of them.
    statement : VettedNoise
    """

    def __init__(self, p: float, epsilon: float) -> None:
        if not p >= 1e-300:
            requirement = "flip_probability must lie in [1e-300, 1/2] with sampler 'vetted'"
            raise ValueError(f"{requirement}, got {p!r}; without flips nothing is hidden")
        dp, version = _opendp()
        space = dp.bitvector_domain(max_weight=_FLIPS_AT_ONCE), dp.discrete_distance()
        self.measurement = dp.m.make_randomized_response_bitvec(*space, f=2 * p, constant_time=True)
        stated = self.measurement.map(1) / (2 * _FLIPS_AT_ONCE)  # a power of two: exact
        self.statement = VettedNoise(epsilon, stated, None, f"{version}, randomized response")

    def __call__(self, graph: sparse.csr_array) -> sparse.csr_array:
        """Answer for every cell of a checked graph, a piece of the table at a time."""
        keys, cells = cell_keys(graph), math.prod(graph.shape)
        check_draws(cells, most=_MOST_FLIPS, rate="1.6 million")
        blocks = []
        for start in range(0, cells, _FLIPS_AT_ONCE):
            size = min(_FLIPS_AT_ONCE, cells - start)
            bits = np.zeros(size, dtype=np.uint8)
            bits[keys[slice(*np.searchsorted(keys, (start, start + size)))] - start] = 1
            answer = np.frombuffer(self.measurement(np.packbits(bits).tobytes()), dtype=np.uint8)
            blocks.append(np.flatnonzero(np.unpackbits(answer, count=size)) + start)
        published = np.concatenate(blocks)
        return from_cell_keys(published, np.ones(len(published), dtype=np.int32), graph.shape)
