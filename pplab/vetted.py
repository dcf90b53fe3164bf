"""Noise from OpenDP's samplers, with the privacy loss that OpenDP states: the extra `vetted`.

What goes in are whole numbers and bits, so that OpenDP's own privacy maps hold without a word
about rounding; what comes out is only processed further. Nobody chooses or keeps a seed: OpenDP
draws from a cryptographic generator that the operating system seeds.
"""

from __future__ import annotations

import importlib.metadata
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from pplab.checks import check_choice, check_installed
from pplab.graphs import cell_keys, from_cell_keys


@dataclass(frozen=True)
class VettedNoise:
    """What stands behind a release whose noise OpenDP drew.

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
    scale : float or None
        Of the discrete Laplace noise, in the units of the noisy numbers. None for flips.
    sampler : str
        Name and version of what drew the noise.
    """

    epsilon: float
    stated_epsilon: float
    grid: float | None
    scale: float | None
    sampler: str


def check_sampler(sampler: Any, rng: Any = None) -> bool:
    """Whether the vetted sampler is asked for; a seed for it is refused."""
    vetted = check_choice("sampler", sampler, ("teaching", "vetted")) == "vetted"
    if vetted and rng is not None:
        raise ValueError(
            f"rng must be None with sampler 'vetted', got {type(rng).__name__}; a seed is a key: "
            "who knows it takes the noise off"
        )
    return vetted


_OLDEST = (0, 16)


def _opendp() -> tuple[Any, str]:
    dp: Any = check_installed("opendp", module="opendp.prelude", extra="vetted")
    version = importlib.metadata.version("opendp")
    if tuple(map(int, version.split(".")[:2])) < _OLDEST:
        raise ImportError(
            f"opendp must be 0.16 or newer, got {version}; releases before it could leave a cell "
            "without noise (its issue 2707): pip install --upgrade 'pplab[vetted]'"
        )
    dp.enable_features("contrib")
    return dp, version


_MOST_NOISE, _MOST_FLIPS = 2**27, 2**31  # a quarter of an hour, twenty minutes
_NOISE_AT_ONCE, _FLIPS_AT_ONCE = 2**16, 2**20  # half a second


def check_draws(cells: int, *, most: int = _MOST_NOISE, rate: str = "130,000") -> None:
    """Refuse a release that would take longer than anyone waits."""
    if cells > most:
        raise ValueError(
            f"sampler 'vetted' must draw at most {most:,} numbers, got {cells:,} cells, at about "
            f"{rate} a second; take fewer users or items, or method 'cluster'"
        )


# Discrete Laplace noise on whole numbers.

_WIDEST = 2.0**58  # such noise leaves 64-bit integers once in e^32 draws, and is cut off there
_PARTS = 2**20  # of a weight of 1


def in_parts(weights: sparse.sparray) -> Any:
    """Sparse weights in [0, 1] as whole numbers of parts of 2^-20, the nearest ones.

    Examples
    --------
    >>> in_parts(sparse.csr_array([[0.0, 0.5, 1.0]])).toarray()
    array([[      0,  524288, 1048576]])
    """
    return (weights * float(_PARTS)).rint().astype(np.int64)


class GridLaplace:
    """Discrete Laplace noise on whole numbers, at a level that OpenDP's map does not exceed.

    Parameters
    ----------
    epsilon : float
        Level of one edge, in (0, inf).
    sensitivity : int
        By how much one edge moves all the numbers of a release together.
    grid : float
        What the number 1 stands for.

    Attributes
    ----------
    measurement : opendp Measurement
        From vectors of 64-bit integers under the L1 distance.
    statement : VettedNoise

    Raises
    ------
    ModuleNotFoundError, ImportError
        If opendp is missing or too old.
    ValueError
        If epsilon is infinite or its noise leaves 64-bit integers.
    """

    def __init__(self, *, epsilon: float, sensitivity: int, grid: float) -> None:
        least = sensitivity / _WIDEST
        if not least <= epsilon < math.inf:
            raise ValueError(
                f"epsilon must lie in [{least:.2g}, inf) with sampler 'vetted', got {epsilon!r}; "
                "more is no noise, and less does not fit into 64-bit integers"
            )
        dp, version = _opendp()
        space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
        scale = sensitivity / epsilon
        self.measurement = dp.m.make_laplace(*space, scale=scale)
        while not self.measurement.map(sensitivity) <= epsilon:  # a rounding or two
            scale = math.nextafter(scale, math.inf)
            self.measurement = dp.m.make_laplace(*space, scale=scale)
        stated = self.measurement.map(sensitivity)
        name = f"make_laplace of opendp {version}"
        self.statement = VettedNoise(float(epsilon), stated, grid, scale * grid, name)

    def __call__(self, numbers: np.ndarray) -> np.ndarray:
        """Add noise to int64 numbers of any shape, and give them in units."""
        flat, noisy = numbers.ravel(), np.empty(numbers.size)
        for start in range(0, len(flat), _NOISE_AT_ONCE):
            here = slice(start, start + _NOISE_AT_ONCE)
            noisy[here] = self.measurement(flat[here])
        return noisy.reshape(numbers.shape) * self.statement.grid


def laplace_on_weights(epsilon: float, *, draws: int) -> GridLaplace:
    """Noise for weights in parts, or sums of them: an edge moves one number, by a weight of 1."""
    check_draws(draws)
    return GridLaplace(epsilon=epsilon, sensitivity=_PARTS, grid=1 / _PARTS)


def laplace_on_utilities(
    similar: sparse.csr_array, epsilon: float
) -> tuple[sparse.csr_array, GridLaplace]:
    """Similarities as whole numbers, and noise for their products with weights in parts.

    An edge moves the utilities of its item together by the largest column sum. That is a number of
    26 bits here, so that products stay far inside 64-bit integers and a similarity is off by at
    most a few parts in 10^8 of the sum. The similarities are public, and so is their rounding.
    """
    bits = 26 - math.frexp(float(similar.sum(axis=0).max()))[1]
    whole = (similar * math.ldexp(1.0, bits)).rint().astype(np.int64)
    most = max(int(whole.sum(axis=0).max()), 1) * _PARTS
    grid = math.ldexp(1.0, -bits) / _PARTS
    return whole, GridLaplace(epsilon=epsilon, sensitivity=most, grid=grid)


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

    def __init__(self, *, flip_probability: float, epsilon: float) -> None:
        if not flip_probability >= 1e-300:
            raise ValueError(
                "flip_probability must lie in [1e-300, 1/2] with sampler 'vetted', got "
                f"{flip_probability!r}; without flips nothing is hidden"
            )
        dp, version = _opendp()
        space = dp.bitvector_domain(max_weight=_FLIPS_AT_ONCE), dp.discrete_distance()
        self.measurement = dp.m.make_randomized_response_bitvec(
            *space, f=2 * flip_probability, constant_time=True
        )
        stated = self.measurement.map(1) / (2 * _FLIPS_AT_ONCE)  # a power of two: exact
        name = f"make_randomized_response_bitvec of opendp {version}"
        self.statement = VettedNoise(epsilon, stated, None, None, name)

    def __call__(self, graph: sparse.csr_array) -> sparse.csr_array:
        """Answer for every cell of a checked graph, a piece of the table at a time."""
        keys, cells = cell_keys(graph), math.prod(graph.shape)
        check_draws(cells, most=_MOST_FLIPS, rate="1.6 million")
        found = []
        for start in range(0, cells, _FLIPS_AT_ONCE):
            size = min(_FLIPS_AT_ONCE, cells - start)
            bits = np.zeros(size, dtype=np.uint8)
            bits[keys[slice(*np.searchsorted(keys, (start, start + size)))] - start] = 1
            answer = np.frombuffer(self.measurement(np.packbits(bits).tobytes()), dtype=np.uint8)
            found.append(np.flatnonzero(np.unpackbits(answer, count=size)) + start)
        published = np.concatenate(found)
        return from_cell_keys(published, np.ones(len(published), dtype=np.int8), graph.shape)
