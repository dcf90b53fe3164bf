"""Large groups cut into pieces of k rows, at random."""

from __future__ import annotations

import numpy as np

from pplab.checks import as_rng, check_k, check_labels

__all__ = ["cut_to_size"]


def cut_to_size(
    labels: np.ndarray, k: int, *, rng: int | np.random.Generator | None = None
) -> np.ndarray:
    """Cut each group into as many pieces of k rows as it has room for.

    The last piece of a group takes the rest and has up to 2k - 1 rows. Rows are dealt out at
    random: nothing about them decides, so that what a piece publishes shows what the size of a
    group costs.

    Parameters
    ----------
    labels : int array, shape (rows,)
        Group of each row, 0 to groups - 1, each of at least k rows.
    k : int
        Size of the pieces, from 2 to the number of rows.
    rng : int, Generator or None
        Seed or generator.

    Returns
    -------
    int64 array, shape (rows,)
        Piece of each row, 0 to pieces - 1.

    Raises
    ------
    TypeError, ValueError
        If the labels are not group numbers, k leaves its interval, or a group is below k.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, step 5 of
    the second algorithm (no cluster beyond 2k), arXiv 2207.06358.

    Examples
    --------
    >>> np.bincount(cut_to_size(np.zeros(11, dtype=int), 4, rng=1))
    array([4, 7])
    """
    group_of = check_labels(labels, len(labels)).astype(np.int64)
    k = check_k(k, len(group_of))
    sizes = np.bincount(group_of)
    if sizes.min() < k:
        raise ValueError(
            f"labels must give each group at least k = {k} rows, got one of {sizes.min()}; merge "
            "small groups first"
        )
    pieces = sizes // k
    mixed = as_rng(rng).permutation(len(group_of))
    order = mixed[np.argsort(group_of[mixed], kind="stable")]  # groups one after the other
    starts = np.cumsum(sizes) - sizes
    place = np.arange(len(order)) - np.repeat(starts, sizes)
    piece = np.minimum(place // k, np.repeat(pieces, sizes) - 1)
    found = np.empty(len(order), dtype=np.int64)
    found[order] = np.repeat(np.cumsum(pieces) - pieces, sizes) + piece
    return found
