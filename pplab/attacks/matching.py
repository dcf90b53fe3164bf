"""Match known ratings of one person against the distinct rows of a published table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numba
import numpy as np

from pplab.tables import distinct_rows

__all__ = ["Match", "Searcher"]

_BLOCK = 2**20  # cells of the table that are looked at at a time, 8 MiB
_TIE = 1e-9  # distances that differ by less, relative to 1 + the least, are the same


@dataclass(frozen=True)
class Match:
    """The nearest distinct rows: their numbers, what part of the candidates each holds, how many.

    ``candidates`` counts published rows, equal ones one by one.
    """

    rows: np.ndarray
    weights: np.ndarray
    candidates: int


class Searcher:
    """A published table, turned so that an attacker who knows a few items finds rows fast.

    Equal rows are looked at once: with groups of k the work falls by k, and ties are exact.
    """

    def __init__(self, protected: np.ndarray) -> None:
        first, self.row_of, self.sizes = distinct_rows(protected)
        # an item's values lie side by side
        self._columns = np.ascontiguousarray(protected[first].T)

    def matches(
        self, items: np.ndarray, values: np.ndarray, counts: tuple[int, ...]
    ) -> Iterator[Match]:
        """Match with the first items, as many as each count says; distances only grow."""
        distances = np.zeros(len(self.sizes))
        done = 0
        for count in counts:
            known = min(count, len(items))  # nobody knows more ratings than there are
            _add_squares(distances, self._columns, items[done:known], values[done:known])
            done = known
            least = distances.min()
            rows = np.flatnonzero(distances <= least + _TIE * (1 + least))
            candidates = int(self.sizes[rows].sum())
            yield Match(rows, self.sizes[rows] / candidates, candidates)

    def predict(self, items: np.ndarray, match: Match) -> np.ndarray:
        """Give the mean of the matched rows at some items, each row by its part."""
        found = np.empty(len(items))
        step = max(1, _BLOCK // len(match.rows))
        for start in range(0, len(items), step):
            part = slice(start, start + step)
            found[part] = self._columns[np.ix_(items[part], match.rows)] @ match.weights
        return found


@numba.njit(cache=True)
def _add_squares(
    distances: np.ndarray, columns: np.ndarray, items: np.ndarray, values: np.ndarray
) -> None:
    """Add the squares of some known items, item by item, to the distance of each row."""
    for place in range(len(items)):
        column = columns[items[place]]
        for row in range(len(distances)):
            distances[row] += (column[row] - values[place]) ** 2
