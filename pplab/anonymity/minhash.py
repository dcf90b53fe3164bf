"""Min-hashes of the rows of a sparse table, and an order that keeps similar rows together."""

from __future__ import annotations

import numba
import numpy as np

from pplab.checks import check_integer
from pplab.checks.binary import check_ones
from pplab.graphs import GraphLike, as_matrix

__all__ = ["minhash_order", "minhash_signatures", "mixed", "order_keys", "signatures_of"]

_ODD = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_A, _B, _C = np.uint64(30), np.uint64(27), np.uint64(31)
_ONE = np.uint64(1)
_LARGEST = np.uint64(2**64 - 1)


def minhash_signatures(biadjacency: GraphLike, *, hashes: int = 8, seed: int = 0) -> np.ndarray:
    """Sign each row with the least hash of its items, under several hash functions.

    Parameters
    ----------
    biadjacency : csr_array of ones, shape (rows, items), or other graph
    hashes : int, default 8
        Hash functions, at least 1.
    seed : int, default 0
        Names the functions; from 0.

    Returns
    -------
    uint64 array, shape (rows, hashes)
        Two rows agree in a column with a chance equal to their Jaccard similarity. An empty row
        has the largest number everywhere.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval, or the table is empty or stores anything but ones.

    References
    ----------
    Broder 1997, On the resemblance and containment of documents,
    doi 10.1109/SEQUEN.1997.666900.

    Examples
    --------
    >>> signs = minhash_signatures([[1, 1, 0], [1, 1, 0], [0, 0, 1], [0, 0, 0]], hashes=2)
    >>> (signs[0] == signs[1]).all(), (signs[0] == signs[2]).any(), signs[3, 0] == 2**64 - 1
    (np.True_, np.False_, np.True_)
    """
    table = as_matrix(biadjacency, name="biadjacency")
    check_ones("biadjacency", table)
    hashes = check_integer("hashes", hashes, minimum=1)
    seed = check_integer("seed", seed, minimum=0)
    return signatures_of(table.indptr, table.indices, hashes=hashes, seed=seed)[:, :hashes]


def minhash_order(biadjacency: GraphLike, *, hashes: int = 8, seed: int = 0) -> np.ndarray:
    """Sort rows by their min-hashes, so that rows that share much tend to lie together.

    Parameters
    ----------
    biadjacency : csr_array of ones, shape (rows, items), or other graph
    hashes, seed : int
        See `minhash_signatures`.

    Returns
    -------
    int64 array, shape (rows,)
        Row numbers, by the first min-hash, then the second and so on; rows that agree in all of
        them by content, so that equal rows lie side by side, and then by number. Empty rows last.

    Raises
    ------
    TypeError, ValueError
        As `minhash_signatures`.

    References
    ----------
    Broder 1997, doi 10.1109/SEQUEN.1997.666900.

    Examples
    --------
    >>> order = minhash_order([[0, 0, 0], [1, 1, 0], [0, 0, 1], [1, 1, 0]])
    >>> abs(int(np.flatnonzero(order == 1)[0] - np.flatnonzero(order == 3)[0])), int(order[3])
    (1, 0)
    """
    table = as_matrix(biadjacency, name="biadjacency")
    check_ones("biadjacency", table)
    hashes = check_integer("hashes", hashes, minimum=1)
    seed = check_integer("seed", seed, minimum=0)
    numbers = np.arange(table.shape[0])
    return np.argsort(order_keys(table.indptr, table.indices, numbers, hashes=hashes, seed=seed))


def order_keys(
    indptr: np.ndarray, items: np.ndarray, numbers: np.ndarray, *, hashes: int, seed: int
) -> np.ndarray:
    """Keys by which rows are sorted: strings of bytes with min-hashes, content and row number.

    The same row has the same key in every part of a table, and no two rows have one key.
    """
    keys = np.empty((len(numbers), hashes + 2), dtype=">u8")
    keys[:, :-1] = signatures_of(indptr, items, hashes=hashes, seed=seed)
    keys[:, -1] = numbers
    return keys.view(f"V{keys.itemsize * keys.shape[1]}").ravel()


def signatures_of(indptr: np.ndarray, items: np.ndarray, *, hashes: int, seed: int) -> np.ndarray:
    """Min-hashes of the rows of a CSR layout, and a last column that tells contents apart.

    Returns
    -------
    uint64 array, shape (rows, hashes + 1)
    """
    keys = np.random.SeedSequence(seed).generate_state(hashes + 1, dtype=np.uint64)
    return _signatures(indptr, items, keys)


@numba.njit(cache=True, nogil=True)
def mixed(number: np.uint64) -> np.uint64:
    """Scatter 64 bits: the steps of Steele, Lea and Flood, doi 10.1145/2660193.2660195."""
    number = (number ^ (number >> _A)) * _FIRST
    number = (number ^ (number >> _B)) * _SECOND
    return number ^ (number >> _C)


@numba.njit(cache=True, nogil=True)
def _signatures(indptr: np.ndarray, items: np.ndarray, keys: np.ndarray) -> np.ndarray:
    last = len(keys) - 1
    signs = np.full((len(indptr) - 1, len(keys)), _LARGEST)
    for row in range(len(indptr) - 1):
        content = np.uint64(0)
        for place in range(indptr[row], indptr[row + 1]):
            bits = mixed((np.uint64(items[place]) + _ONE) * _ODD)
            content += mixed(bits ^ keys[last])
            for function in range(last):
                signs[row, function] = min(signs[row, function], mixed(bits ^ keys[function]))
        if indptr[row] < indptr[row + 1]:
            signs[row, last] = content
    return signs
