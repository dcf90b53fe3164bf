"""Min-hashes of the rows of a sparse table, and an order that keeps similar rows together."""

from __future__ import annotations

import numba
import numpy as np
from scipy import sparse

from pplab._compiled import mixed

__all__ = ["HASHES", "minhash_order", "order_keys", "signatures_of"]

_ODD = np.uint64(0x9E3779B97F4A7C15)
_ONE = np.uint64(1)
_LARGEST = np.uint64(2**64 - 1)

HASHES = 8  # min-hashes of each row


def minhash_order(table: sparse.csr_array, *, hashes: int, seed: int) -> np.ndarray:
    """Sort rows by their min-hashes, so that rows that share much tend to lie together.

    Parameters
    ----------
    table : csr_array of ones, shape (rows, items)
    hashes, seed : int
        See `signatures_of`.

    Returns
    -------
    int64 array, shape (rows,)
        Row numbers, by the first min-hash, then the second and so on; rows that agree in all of
        them by content, so that equal rows lie side by side, and then by number. Empty rows last.

    References
    ----------
    Broder 1997, doi 10.1109/SEQUEN.1997.666900.

    Examples
    --------
    >>> table = sparse.csr_array([[0, 0, 0], [1, 1, 0], [0, 0, 1], [1, 1, 0]])
    >>> order = minhash_order(table, hashes=8, seed=0)
    >>> abs(int(np.flatnonzero(order == 1)[0] - np.flatnonzero(order == 3)[0])), int(order[3])
    (1, 0)
    """
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
        In each of the first columns, two rows agree with a chance equal to their Jaccard
        similarity. An empty row has the largest number everywhere.

    References
    ----------
    Broder 1997, On the resemblance and containment of documents,
    doi 10.1109/SEQUEN.1997.666900.
    """
    keys = np.random.SeedSequence(seed).generate_state(hashes + 1, dtype=np.uint64)
    return _signatures(indptr, items, keys)


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
