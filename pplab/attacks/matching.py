"""Match known ratings of one person against the distinct rows of a published table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numba
import numpy as np

from pplab.attacks.releases_of_groups import distinct_rows

__all__ = ["Match", "Searcher"]

_BLOCK = 2**20  # cells of the table that are looked at at a time, 8 MiB
_TIE = 1e-9  # distances that differ by less, relative to 1 + the least, are the same


@dataclass(frozen=True)
class Match:
    """The nearest distinct rows: their numbers, what part of the candidates each holds, how many.

    ``candidates`` counts published rows, equal ones one by one; ``eccentricity`` is the gap
    between the nearest and the second nearest distinct row in standard deviations over all rows.
    """

    rows: np.ndarray
    weights: np.ndarray
    candidates: int
    eccentricity: float


class Searcher:
    """A published table, turned so that an attacker who knows a few items finds rows fast.

    Equal rows are looked at once: with groups of k the work falls by k, and ties are exact.
    """

    def __init__(self, protected: np.ndarray, item_weights: np.ndarray) -> None:
        groups = distinct_rows(protected)
        self.row_of = groups.labels
        self.sizes = groups.sizes
        self.item_weights = item_weights
        self._columns = np.ascontiguousarray(groups.means.T)  # an item's values lie side by side

    def matches(
        self, items: np.ndarray, values: np.ndarray, counts: tuple[int, ...], *, eccentric: bool
    ) -> Iterator[Match]:
        """Match with the first items, as many as each count says; distances only grow."""
        distances = np.zeros(len(self.sizes))
        done = 0
        for count in counts:
            known = min(count, len(items))  # nobody knows more ratings than there are
            _add_squares(
                distances, self._columns, items[done:known], values[done:known], self.item_weights
            )
            done = known
            yield self._match(distances, eccentric)

    def predict(self, items: np.ndarray, match: Match) -> np.ndarray:
        """Give the mean of the matched rows at some items, each row by its part."""
        found = np.empty(len(items))
        for start, stop in _blocks(0, len(items), len(match.rows)):
            cells = self._columns[np.ix_(items[start:stop], match.rows)]
            found[start:stop] = cells @ match.weights
        return found

    def _match(self, distances: np.ndarray, eccentric: bool) -> Match:
        least = distances.min()
        rows = np.flatnonzero(distances <= least + _TIE * (1 + least))
        candidates = int(self.sizes[rows].sum())
        eccentricity = np.inf
        if eccentric:
            eccentricity = 0.0 if len(rows) > 1 else self._eccentricity(distances, int(rows[0]))
        return Match(rows, self.sizes[rows] / candidates, candidates, eccentricity)

    def _eccentricity(self, distances: np.ndarray, nearest: int) -> float:
        if len(distances) == 1:
            return 0.0  # one row for all: nothing stands out
        second = np.partition(distances, 1)[1]
        mean = np.average(distances, weights=self.sizes)
        spread = np.sqrt(np.average((distances - mean) ** 2, weights=self.sizes))
        return float((second - distances[nearest]) / spread)


def _blocks(start: int, stop: int, width: int) -> Iterator[tuple[int, int]]:
    """Cut a span into pieces so that a piece times the width stays in bounds."""
    step = max(1, _BLOCK // max(1, width))
    for first in range(start, stop, step):
        yield first, min(first + step, stop)


@numba.njit(cache=True)
def _add_squares(
    distances: np.ndarray,
    columns: np.ndarray,
    items: np.ndarray,
    values: np.ndarray,
    weights: np.ndarray,
) -> None:
    """Add the weighted squares of some known items, item by item, to the distance of each row."""
    for place in range(len(items)):
        item = items[place]
        column = columns[item]
        for row in range(len(distances)):
            distances[row] += weights[item] * (column[row] - values[place]) ** 2
