"""What an item adds to the worth of a group, at a price J that turns the ratio into a sum."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from pplab.anonymity.votes import least_kept

__all__ = ["publishable", "soft_worth", "worth_row", "worth_table"]


def worth_table(largest: int, *, keep: str, price: float) -> np.ndarray:
    """Worth of an item that c of s rows have: (1 + J) c - J s if it is published, else 0.

    A copy that keeps K of N entries and creates C has K / (N + C) >= J exactly if the worths of
    its groups sum to at least J N, since a published item keeps c entries and creates s - c
    (Dinkelbach 1967, doi 10.1287/mnsc.13.7.492).

    Returns
    -------
    float array, shape (largest + 1, largest + 1), at [s, c]

    Examples
    --------
    >>> worth_table(2, keep="half", price=0.5)[2]
    array([0. , 0.5, 2. ])
    """
    worth = np.empty((largest + 1, largest + 1))
    for size in range(largest + 1):
        worth[size] = _worth(size, largest, keep, price)
    return worth


def worth_row(size: int, *, keep: str, price: float) -> np.ndarray:
    """Row of `worth_table` for groups of one size, shape (size + 1,).

    Examples
    --------
    >>> worth_row(2, keep="half", price=0.5)
    array([0. , 0.5, 2. ])
    """
    return _worth(size, size, keep, price)


def _worth(size: int, largest: int, keep: str, price: float) -> np.ndarray:
    counts = np.arange(largest + 1)
    published = (counts >= least_kept(np.array(size), keep)) & (counts <= size) & (counts > 0)
    return np.where(published, (1 + price) * counts - price * size, 0.0)


def soft_worth(k: int, *, keep: str, price: float) -> np.ndarray:
    """Worth in a growing group of k rows: rises with the square of c up to the first published.

    Without it the first rows of a group would all look alike: no item is published yet.

    Examples
    --------
    >>> soft_worth(4, keep="half", price=0.5)
    array([0. , 0.25, 1.  , 2.5 , 4.  ])
    """
    worth = worth_row(k, keep=keep, price=price)
    least = int(least_kept(np.array(k), keep))
    rising = np.arange(least)
    worth[:least] = worth[least] * (rising / least) ** 2
    return worth


def publishable(table: sparse.csr_array, k: int, *, keep: str) -> sparse.csr_array:
    """Entries of the items that some group of k or more rows could publish; the rest is lost.

    What is left out changes no worth. Rows may become equal, or empty.

    Examples
    --------
    >>> table = sparse.csr_array([[1, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1]])
    >>> publishable(table, 3, keep="half").toarray()[:, 1:]
    array([[1, 0],
           [1, 0],
           [1, 1],
           [0, 1]])
    """
    counts = np.bincount(table.indices, minlength=table.shape[1])
    wanted = (counts >= least_kept(np.array(k), keep))[table.indices]
    if wanted.all():
        return table
    before = np.concatenate([[0], np.cumsum(wanted)])
    part = sparse.csr_array(
        (table.data[wanted], table.indices[wanted], before[table.indptr]), shape=table.shape
    )
    part.has_canonical_format = True
    return part
