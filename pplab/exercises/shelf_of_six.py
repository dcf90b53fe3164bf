"""The 6 x 8 table of exercise 07-D, and what groups of its people reach."""

from __future__ import annotations

import numpy as np

from pplab.smooth._rows import nearest_rows
from pplab.smooth.optimum import majority_jaccard, smooth_optimum

__all__ = ["best_similarity", "least_changes", "shelf_of_six", "similarity"]

_ROWS = ("10000111", "10001110", "10000100", "10011010", "01011010", "10111110")
K = 2


def shelf_of_six() -> np.ndarray:
    """Who of six people has read which of eight books.

    Examples
    --------
    >>> shelf_of_six().shape, int(shelf_of_six().sum())
    ((6, 8), 24)
    """
    return np.array([[int(cell) for cell in row] for row in _ROWS])


def similarity(labels: np.ndarray) -> float:
    """Jaccard similarity of what these groups publish by majority."""
    return float(majority_jaccard(shelf_of_six(), labels))


def best_similarity() -> float:
    """The largest similarity of all groupings, by trying them."""
    return float(smooth_optimum(shelf_of_six(), K).jaccard)


def least_changes() -> float:
    """Half the distances to the nearest rows, per edge: h of the certificate 1 / (1 + h)."""
    table = shelf_of_six()
    return float(nearest_rows(table, K - 1).distances.mean(axis=1).sum() / (2 * table.sum()))
