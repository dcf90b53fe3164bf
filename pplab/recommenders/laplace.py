"""Laplace noise with a random stream for each row: whoever draws a row gets the same row."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

__all__ = ["laplace_rows"]


def laplace_rows(key: np.ndarray, rows: Iterable[int], columns: int) -> np.ndarray:
    """Draw standard Laplace noise, one addressed stream per row.

    Neither the order of the rows nor how they are cut into blocks changes what a row gets.

    Parameters
    ----------
    key : ndarray of uint64
        Address of the streams, from ``pplab._compiled.new_key``.
    rows : iterable of int
        Numbers of the rows.
    columns : int
        Draws per row.

    Returns
    -------
    float64 array, shape (rows, columns)
        Of scale 1, so of variance 2.

    Examples
    --------
    >>> key = np.array([1, 2], dtype=np.uint64)
    >>> bool((laplace_rows(key, [4, 7], 3)[1] == laplace_rows(key, [7], 3)[0]).all())
    True
    """
    numbers = list(rows)
    words = [int(word) for word in key]
    noise = np.empty((len(numbers), columns))
    for place, row in enumerate(numbers):
        stream = np.random.default_rng(np.random.SeedSequence([*words, int(row)]))
        noise[place] = stream.laplace(size=columns)
    return noise
