"""The bipartite block model: two sides in matching blocks, denser inside than outside."""

import numpy as np
import pandas as pd
from numpy.random import Generator

from pplab.checks import Rng, as_rng, check_integer, check_probability
from pplab.datasets.catalog import Dataset, csr_of_cells
from pplab.graphs import Array

_CHUNK = 1 << 20  # gaps drawn at once
_MOST = 10**8  # nodes of a side take some 4 GiB then, and as many edges some 6 GiB


def block_model(
    *, block_size: int, blocks: int, inside: float, outside: float, rng: Rng
) -> Dataset:
    """Draw a bipartite graph of two sides with ``n = block_size * blocks`` nodes each.

    A cell in matching blocks is an edge with probability `inside`, any other with probability
    `outside`, all independently. Memory grows with the number of edges, not with n * n.

    Parameters
    ----------
    block_size : int
        Users (and items) per block, at least 1.
    blocks : int
        Number of blocks, at least 1; n is at most 100 million.
    inside, outside : float
        Probabilities in [0, 1] that let at most 100 million edges be expected.
    rng : int, numpy.random.Generator or None
        Seed or generator; the same seed gives the same graph.

    Returns
    -------
    Dataset
        ``biadjacency`` (n x n, int32 ones), ``labels`` (the block of each user), users and items
        with a column ``block``; ``source`` is "generated".

    Raises
    ------
    ValueError, TypeError
        If a size is not a positive integer, a probability lies outside [0, 1], or the graph would
        be larger than that.

    References
    ----------
    H. Esfandiari, A. Epasto, V. Mirrokni and A. Munoz Medina, Smooth Anonymity for Sparse
    Graphs, Section 4 (the model before Theorem 4.4).

    Examples
    --------
    >>> block_model(block_size=2, blocks=2, inside=1.0, outside=0.0, rng=1).biadjacency.toarray()
    array([[1, 1, 0, 0],
           [1, 1, 0, 0],
           [0, 0, 1, 1],
           [0, 0, 1, 1]], dtype=int32)
    """
    size = check_integer("block_size", block_size, minimum=1, maximum=_MOST)
    count = check_integer("blocks", blocks, minimum=1, maximum=_MOST // size)
    check_probability("inside", inside)
    check_probability("outside", outside)
    generator = as_rng(rng)
    n = size * count
    edges = n * (size * float(inside) + (n - size) * float(outside))
    if not edges <= _MOST:
        raise ValueError(
            f"inside and outside must let at most {_MOST:,} edges be expected, got {edges:,.0f}; "
            "take smaller probabilities or fewer nodes"
        )
    # inside: the blocks laid end to end, block after block and row after row
    row, place = np.divmod(_successes(n * size, inside, generator), size)
    # outside: the blocks on the diagonal are cut out of every row, the rest pushed together
    far_row, far_place = np.divmod(_successes(n * (n - size), outside, generator), max(n - size, 1))
    far_column = far_place + size * (far_place >= far_row // size * size)
    rows = np.concatenate([row, far_row])
    columns = np.concatenate([row // size * size + place, far_column])
    drawn = csr_of_cells(rows, columns, np.ones(len(rows), dtype=np.int32), (n, n))
    block = np.repeat(np.arange(count), size)
    users, items = (pd.DataFrame({"block": block}).rename_axis(side) for side in ("user", "item"))
    return Dataset("block-model", "generated", users, items, biadjacency=drawn, labels=block)


def _successes(trials: int, probability: float, rng: Generator) -> Array:
    """Positions of the successes among independent trials, drawn as gaps between successes."""
    if probability == 0 or trials == 0:
        return np.empty(0, dtype=np.int64)
    result, last = [], -1
    while last < trials - 1:
        block = min(_CHUNK, int((trials - last) * probability * 1.05) + 64)
        # a gap beyond the end is as good as one to the end, and cannot overflow the sum
        gaps = np.minimum(rng.geometric(probability, size=block), trials + 1)
        positions = last + np.cumsum(gaps)
        result.append(positions[positions < trials])
        last = int(positions[-1])
    return np.concatenate(result)
