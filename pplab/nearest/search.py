"""The nearest records of each query, by blocks."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numba
import numpy as np
from threadpoolctl import threadpool_limits
from tqdm.auto import tqdm

from pplab.checks import check_compared
from pplab.nearest.features import Bounds, bounds
from pplab.nearest.pairs import in_range, pair_distances, ties_with
from pplab.tables import distinct_rows

__all__ = ["NearestRows", "nearest_rows"]

_BLOCK = (512, 1000)  # queries and records of one product: 2 megabytes stay in the cache
_SMALL = 10**8  # products of fewer terms are done before threads have started
_MOST_PAIRS = 2**21  # a block of queries with more pairs to compute again is taken in halves


@dataclass(frozen=True)
class NearestRows:
    """What is nearest to each query.

    Attributes
    ----------
    index : int64 array, shape (queries,)
        Number of the nearest record, the first of those that tie; -1 where nothing is comparable.
    distance : float64 array, shape (queries,)
        Mean squared difference over the cells compared; inf where nothing is comparable. Tables
        with numbers beyond 1e100, or all below 1e-100, are scaled by a power of two first.
    ties : int64 array, shape (queries,)
        How many records are as near as the nearest one, itself counted.
    """

    index: np.ndarray
    distance: np.ndarray
    ties: np.ndarray


def nearest_rows(records: np.ndarray, queries: np.ndarray) -> NearestRows:
    """Find the record nearest to each query by Euclidean distance; which distances tie: ties_with.

    Parameters
    ----------
    records : float64 array, shape (records, cells)
    queries : float64 array, shape (queries, cells)
        One of the two may hold NaN for cells that are absent; they are left out, and what is
        compared is the mean squared difference over the cells that are there. A row without any
        is near to nothing.

    Returns
    -------
    NearestRows

    Raises
    ------
    ValueError
        If both tables hold NaN or they differ in their number of cells.

    Examples
    --------
    >>> nearest_rows(np.array([[0.0], [4.0], [0.0]]), np.array([[1.0], [2.0]]))
    NearestRows(index=array([0, 0]), distance=array([1., 4.]), ties=array([2, 3]))
    """
    check_compared(records, queries)
    step, records_per_block = _BLOCK
    tables = in_range(queries, records)
    asked, known = _distinct(tables[0]), _distinct(tables[1])
    limits = bounds(tables[0][asked.first], tables[1][known.first])
    best = _nothing(len(asked.first))

    def settle(start: int, stop: int) -> int:
        """Answer some of the distinct queries, in halves where too many pairs are close."""
        pairs = _close_pairs(limits, slice(start, stop), records_per_block, _MOST_PAIRS)
        if pairs is None:
            middle = (start + stop) // 2
            return settle(start, middle) + settle(middle, stop)
        _decide(best, tables, asked, known, *pairs)
        return stop - start

    starts = np.arange(0, len(asked.first), step)
    stops = np.minimum(starts + step, len(asked.first))
    _in_threads(settle, starts, stops, limits)
    answers = _nothing(len(queries))
    for answer, found in zip(answers, best, strict=True):
        answer[asked.members] = found[asked.kinds]
    return NearestRows(*answers)


def _in_threads(
    settle: Callable[[int, int], int], starts: np.ndarray, stops: np.ndarray, limits: Bounds
) -> None:
    """Settle all blocks of queries, several at once where that pays, with a bar after 5 seconds.

    Each thread multiplies on its own: a product shared by all of them waits for the slowest.
    """
    if limits.queries.size * len(limits.records) < _SMALL:
        for start, stop in zip(starts, stops, strict=True):
            settle(start, stop)  # without a bar: in a notebook each one is a dozen messages
        return
    threads = numba.get_num_threads()
    bar = tqdm(total=len(limits.queries), desc="nearest rows", delay=5, leave=False)
    with bar, threadpool_limits(1, "blas"), ThreadPoolExecutor(threads) as pool:
        for settled in pool.map(settle, starts, stops):
            bar.update(settled)


@dataclass(frozen=True)
class _Distinct:
    """Rows by kind: the first of each kind, how many there are, and who is of which kind."""

    first: np.ndarray
    sizes: np.ndarray
    members: np.ndarray
    kinds: np.ndarray


def _distinct(table: np.ndarray) -> _Distinct:
    """Number the kinds of rows in the order in which they come up; rows of NaN are left out."""
    members = np.flatnonzero(~np.isnan(table).all(axis=1))
    # rows of NaN may have taken a number: close the gap
    _, first, kinds, sizes = np.unique(
        distinct_rows(table).labels[members],
        return_index=True,
        return_inverse=True,
        return_counts=True,
    )
    return _Distinct(members[first], sizes, members, kinds)


def _nothing(rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return np.full(rows, -1), np.full(rows, np.inf), np.zeros(rows, dtype=np.int64)


def _close_pairs(
    limits: Bounds, part: slice, step: int, most: int
) -> tuple[np.ndarray, np.ndarray] | None:
    """Kinds of queries and records that may be nearest; None where there are too many at once."""
    asking, reach = limits.queries[part], limits.query_reach[part]
    highest = np.full(len(asking), np.inf, dtype=np.float32)  # what the nearest is at most
    product = np.empty((len(asking), step), dtype=np.float32)
    rows, columns, lows = [], [], []
    waiting = 0
    for start in range(0, len(limits.records), step):
        records = limits.records[start : start + step]
        low = np.matmul(asking, records.T, out=product[:, : len(records)])
        near = np.flatnonzero(low.min(axis=1) <= highest)
        if not len(near):
            continue
        some = low[near]
        first = some.argmin(axis=1)
        high = some[np.arange(len(near)), first].astype(float) + limits.slack
        high += reach[near] * limits.record_reach[start + first]
        highest[near] = np.minimum(highest[near], np.nextafter(high.astype(np.float32), np.inf))
        row, column = np.divmod(np.flatnonzero(some <= highest[near, None]), len(records))
        waiting += len(row)
        if waiting > most and len(asking) > 1:
            return None
        rows.append(near[row])
        columns.append(column + start)
        lows.append(some[row, column])
    if not rows:  # no records
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    row, column = np.concatenate(rows), np.concatenate(columns)
    left = np.concatenate(lows) <= highest[row]
    return row[left] + part.start, column[left]


def _decide(
    best: tuple[np.ndarray, ...],
    tables: tuple[np.ndarray, np.ndarray],
    asked: _Distinct,
    known: _Distinct,
    rows: np.ndarray,
    columns: np.ndarray,
) -> None:
    """Write the nearest of the pairs of each query, from distances in float64."""
    index, distance, ties = best
    distances = pair_distances(*tables, asked.first[rows], known.first[columns])
    np.minimum.at(distance, rows, distances)
    equal = ties_with(distances, distance[rows])
    rows, columns = rows[equal], columns[equal]
    np.add.at(ties, rows, known.sizes[columns])
    index[rows] = len(tables[1])
    np.minimum.at(index, rows, known.first[columns])
