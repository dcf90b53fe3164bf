"""Cells that appear from nothing and records that get another answer: shared by the responses."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from scipy import sparse

from pplab.cells import cell_keys, from_cell_keys
from pplab.response.mechanism import Distribution, independent_cells
from pplab.response.sampling import flip_cells

__all__ = ["answered_cells", "invented_cells", "level_array", "rating_cells", "with_records"]


def invented_cells(
    truth: sparse.csr_array, *, probability: float, rng: np.random.Generator
) -> np.ndarray:
    """Draw which empty cells become records: each with a probability in [0, 1], numbers ascending.

    Memory grows with the records drawn. Above 1/2 the cells that stay empty are drawn, by flipping
    a full table: it is at most twice as large as what remains of it.
    """
    rows, columns = truth.shape
    if probability <= 0.5:
        start = sparse.csr_array(truth.shape, dtype=np.int8)
    else:
        start = from_cell_keys(
            np.arange(rows * columns), np.ones(rows * columns, dtype=np.int8), truth.shape
        )
    flip = min(probability, 1 - probability)
    drawn = cell_keys(flip_cells(start, flip_probability=flip, rng=rng))
    taken = cell_keys(truth)
    if not len(taken):
        return drawn
    place = np.minimum(np.searchsorted(taken, drawn), len(taken) - 1)
    return drawn[taken[place] != drawn]


def with_records(
    truth: sparse.csr_array, *, kept: np.ndarray, answers: np.ndarray, invented: dict[str, Any]
) -> sparse.csr_array:
    """Put the true cells that stay records and the invented ones into one table.

    Parameters
    ----------
    truth : csr_array
        The original table.
    kept : ndarray of bool
        Which of its entries are published.
    answers : ndarray
        The values published there.
    invented : dict
        ``keys`` of the invented cells and their ``values``.

    Returns
    -------
    csr_array
    """
    keys = np.concatenate([cell_keys(truth)[kept], invented["keys"]])
    values = np.concatenate([answers, invented["values"]])
    order = np.argsort(keys, kind="stable")  # merges two sorted runs
    return from_cell_keys(keys[order], values[order], truth.shape)


def level_array(levels: tuple) -> np.ndarray:
    """Levels as stored values: whole numbers stay whole."""
    whole = all(isinstance(level, int) for level in levels)
    return np.array(levels, dtype=np.int64 if whole else np.float64)


def rating_cells(ratings: sparse.csr_array, levels: tuple) -> list[Any]:
    """Cells row by row as the exact levels they store; None stands for no edge."""
    exact = {float(level): level for level in levels}
    keys, values = cell_keys(ratings).tolist(), ratings.data.tolist()
    stored = {key: exact[float(value)] for key, value in zip(keys, values, strict=True)}
    return [stored.get(key) for key in range(ratings.shape[0] * ratings.shape[1])]


def answered_cells(
    ratings: sparse.csr_array, levels: tuple, table: dict[Any, dict[Any, Fraction]]
) -> Distribution:
    """Law of all tables when every cell is answered independently by one table of answers."""
    cells = (table[truth] for truth in rating_cells(ratings, levels))
    return independent_cells(cells, columns=ratings.shape[1])
