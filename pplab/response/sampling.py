"""Draw flips: each cell of a users x items matrix flips independently with probability p.

Tiny probabilities skip from flip to flip (``skips``), others toss 64 coins at once (``coins``).
Every row has a random stream of its own (``streams``): neither the number of threads nor the order
in which edges were listed changes the result.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from pplab._compiled import new_key
from pplab.response.coins import flip_by_coins
from pplab.response.skips import flip_by_skips

__all__ = ["flip_cells"]

_SKIP_BELOW = 2.0**-6  # about one flip in a word of coins
_WORTH_THREADS = 2**20  # cells; below, starting the threads costs more than it saves


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
    flip = flip_by_skips if flip_probability < _SKIP_BELOW else flip_by_coins
    rows, columns = graph.shape
    threads = rows * columns >= _WORTH_THREADS
    key = new_key(rng)
    indptr, indices = flip(
        graph.indptr, graph.indices, columns, flip_probability, key, upper_triangle, threads
    )
    if indptr[-1] < 2**31:
        indptr = indptr.astype(np.int32)
    ones = np.ones(len(indices), dtype=np.int8)
    return sparse.csr_array((ones, indices, indptr), shape=graph.shape)
