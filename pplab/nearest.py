"""The nearest records of each query, by blocks, and which distances tie.

A float32 product bounds half of each squared distance from below; the few pairs that can be
nearest by their bounds are computed again in float64, so that nothing hangs on the product.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pplab.compiled import TIE, in_threads, njit
from pplab.graphs import Array
from pplab.tables import distinct_points

_BLOCK = (512, 1000)  # queries and records of one product: 2 megabytes stay in the cache
_SMALL = 10**8  # products of fewer terms are done before threads have started
_MOST_PAIRS = 2**21  # a block of queries with more pairs to compute again is taken in halves


@dataclass(frozen=True)
class NearestRecords:
    """The records nearest to each query.

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


def nearest_records(records: np.ndarray, queries: np.ndarray) -> NearestRecords:
    """Find the record nearest to each query by Euclidean distance; ties as in `ties_with`.

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
    >>> nearest_records(np.array([[0.0], [4.0], [0.0]]), np.array([[1.0], [2.0]]))
    NearestRecords(index=array([0, 0]), distance=array([1., 4.]), ties=array([2, 3]))
    """
    _check_compared(records, queries)
    step, records_per_block = _BLOCK
    tables = _in_range(queries, records)
    distinct_queries, known = _distinct(tables[0]), _distinct(tables[1])
    limits = bounds(tables[0][distinct_queries.first], tables[1][known.first])
    best = _nothing(len(distinct_queries.first))

    def settle(part: slice) -> None:
        """Answer some of the distinct queries, in halves where too many pairs are close."""
        pairs = _close_pairs(limits, part, records_per_block, _MOST_PAIRS)
        if pairs is None:
            middle = (part.start + part.stop) // 2
            settle(slice(part.start, middle))
            settle(slice(middle, part.stop))
        else:
            _decide(best, tables, distinct_queries, known, *pairs)

    count = len(distinct_queries.first)
    parts = [slice(start, min(start + step, count)) for start in range(0, count, step)]
    if limits.queries.size * len(limits.records) < _SMALL:
        for part in parts:
            settle(part)  # without a bar: in a notebook each one is a dozen messages
    else:
        from threadpoolctl import threadpool_limits

        with threadpool_limits(1, "blas"):  # a product shared by threads waits for the slowest
            in_threads(settle, parts, label="nearest rows")
    answers = _nothing(len(queries))
    for answer, values in zip(answers, best, strict=True):
        answer[distinct_queries.members] = values[distinct_queries.numbers]
    return NearestRecords(*answers)


def record_distances(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Mean squared difference of each row to the row of the same number.

    Parameters
    ----------
    left, right : float64 array, shape (rows, cells)
        Cells that are NaN in either row are left out.

    Returns
    -------
    float64 array, shape (rows,)
        Equal to what ``nearest_records`` computes for the same tables; inf where two rows have no
        cell in common.

    Examples
    --------
    >>> record_distances(np.array([[1.0, np.nan], [2.0, 2.0]]), np.array([[3.0, 5.0], [2.0, 0.0]]))
    array([4., 2.])
    """
    left, right = _in_range(left, right)
    places = np.arange(len(left))
    return _pair_distances(left, right, places, places)


def ties_with(distances: np.ndarray, nearest: np.ndarray) -> np.ndarray:
    """Say whether squared distances tie with the smallest one (``TIE``); inf never does.

    Examples
    --------
    >>> ties_with(np.array([2.0, 2.000001]), np.array([2.0, 2.0]))
    array([ True, False])
    """
    return (distances <= nearest * (1 + TIE)) & np.isfinite(distances)


def _check_compared(records: np.ndarray, queries: np.ndarray) -> None:
    """Refuse two tables whose rows have no distance: other columns, or gaps in both."""
    if records.shape[1] != queries.shape[1]:
        raise ValueError(
            f"records and queries must have the same columns, got {records.shape[1]} and "
            f"{queries.shape[1]}; align the items first"
        )
    if np.isnan(records).any() and np.isnan(queries).any():
        raise ValueError("records or queries must be complete, got NaN in both; complete one first")


# Blocks of queries: which pairs may be nearest, and which are.


@dataclass(frozen=True)
class _Distinct:
    """Distinct rows: the first of each, its multiplicity, and which row holds which.

    Rows of NaN are left out; `members` are the others, `numbers` their distinct rows.
    """

    first: np.ndarray
    sizes: np.ndarray
    members: np.ndarray
    numbers: np.ndarray


def _distinct(table: np.ndarray) -> _Distinct:
    """Number the distinct rows in the order in which they come up; rows of NaN are left out."""
    members = np.flatnonzero(~np.isnan(table).all(axis=1))
    # rows of NaN may have taken a number: close the gap
    _, first, numbers, sizes = np.unique(
        distinct_points(table).labels[members],
        return_index=True,
        return_inverse=True,
        return_counts=True,
    )
    return _Distinct(members[first], sizes, members, numbers)


def _nothing(rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return np.full(rows, -1), np.full(rows, np.inf), np.zeros(rows, dtype=np.int64)


def _close_pairs(
    limits: _Bounds, part: slice, step: int, most: int
) -> tuple[np.ndarray, np.ndarray] | None:
    """Distinct queries and records that may be nearest; None where there are too many at once."""
    asking, reach = limits.queries[part], limits.query_reach[part]
    highest = np.full(len(asking), np.inf, dtype=np.float32)  # what the nearest is at most
    product = np.empty(len(asking) * step, dtype=np.float32)
    nothing = np.empty(0, dtype=np.int64)
    pairs, waiting = [(nothing, nothing, product[:0])], 0
    for start in range(0, len(limits.records), step):
        records = limits.records[start : start + step]
        low = product[: len(asking) * len(records)].reshape(len(asking), len(records))
        # BLAS may raise flags on memory beyond its operands, which are finite
        with np.errstate(invalid="ignore"):
            np.dot(asking, records.T, out=low)
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
        pairs.append((near[row], column + start, some[row, column]))
    row, column, lows = map(np.concatenate, zip(*pairs, strict=True))
    left = lows <= highest[row]
    return row[left] + part.start, column[left]


def _decide(
    best: tuple[np.ndarray, ...],
    tables: tuple[np.ndarray, np.ndarray],
    queries: _Distinct,
    known: _Distinct,
    rows: np.ndarray,
    columns: np.ndarray,
) -> None:
    """Write the nearest of the pairs of each query, from distances in float64."""
    index, distance, ties = best
    distances = _pair_distances(*tables, queries.first[rows], known.first[columns])
    np.minimum.at(distance, rows, distances)
    equal = ties_with(distances, distance[rows])
    rows, columns = rows[equal], columns[equal]
    np.add.at(ties, rows, known.sizes[columns])
    index[rows] = len(tables[1])
    np.minimum.at(index, rows, known.first[columns])


def _in_range(left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Scale numbers whose squares leave the range of floats by one power of two: ties stay ties."""
    size = max(_largest(left), _largest(right))
    if size == 0 or 1e-100 < size < 1e100:
        return left, right
    power = -int(np.frexp(size)[1])
    return np.ldexp(left, power), np.ldexp(right, power)


def _largest(table: np.ndarray) -> float:
    """Largest size of a number in a table, 0 where there is none."""
    low, high = (f.reduce(table, axis=None, initial=0.0) for f in (np.fmin, np.fmax))
    return float(max(-low, high))


@njit(nogil=True)
def _pair_distances(left: Array, right: Array, rows: Array, others: Array) -> Array:
    """Mean squared difference of listed pairs, summed cell by cell from the first to the last."""
    distances = np.empty(len(rows))
    for pair in range(len(rows)):
        total, count = 0.0, 0
        for cell in range(left.shape[1]):
            difference = left[rows[pair], cell] - right[others[pair], cell]
            if not np.isnan(difference):
                total += difference * difference
                count += 1
        distances[pair] = total / count if count else np.inf
    return distances


# Vectors in float32 whose product bounds a distance from below.


@dataclass(frozen=True)
class _Bounds:
    """Bounds on half the mean squared difference (times the cells, less a constant of the query).

    Attributes
    ----------
    queries, records : float32 array, shape (rows, terms)
        The product of a query and a record, in float32, is at most what it stands for.
    reach : float64 arrays, shapes (queries,) and (records,)
        The product is too small by at most reach of the query times reach of the record.
    slack : float
        What float64 itself may err by, and what it grants to ties.
    """

    queries: np.ndarray
    records: np.ndarray
    query_reach: np.ndarray
    record_reach: np.ndarray
    slack: float


def bounds(queries: np.ndarray, records: np.ndarray) -> _Bounds:
    """Write half of ``|q - r|^2`` as a product of vectors and bound its rounding errors.

    Parameters
    ----------
    queries, records : float64 array, shape (rows, cells)
        At most one of them holds NaN; no row is NaN throughout. Both are written over.

    Notes
    -----
    The product of vectors of n float32 terms errs by at most n u / (1 - n u) times their lengths,
    u = 2^-24, in whatever order the terms are added (Higham 2002, section 3.1). One more column
    takes that off, so that what comes out of the product is a lower bound at once.
    """
    cells = records.shape[1]
    known_cells = np.maximum(np.count_nonzero(~np.isnan(records), axis=0), 1)
    centre = np.nansum(records, axis=0) / known_cells  # 0 where none is known
    for table in (queries, records):
        table -= centre  # small numbers cancel less
    scale = max(_largest(queries), _largest(records)) or 1.0
    for table in (queries, records):
        table /= scale
    parts = _parts(queries, records)
    terms = (sum(part.shape[1] for part in parts[0]) + 9) * 2.0**-24  # with the roundings to u
    margin = terms / (1 - terms)
    asking, query_lengths = _stack(parts[0], -margin)
    known, record_lengths = _stack(parts[1], 1.0)
    slack = (4 * TIE + cells * 2.0**-50) * 4 * cells  # relative to the largest distance possible
    return _Bounds(asking, known, 2.1 * margin * query_lengths, record_lengths, slack)


def _parts(left: np.ndarray, right: np.ndarray) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Columns of queries and of records: q r, and q^2 or r^2 where the other side picks cells."""
    left_known, right_known = ~np.isnan(left), ~np.isnan(right)
    left[~left_known], right[~right_known] = 0.0, 0.0
    np.negative(left, out=left)
    if not left_known.all():  # the same cells for every record
        return [left, left_known], [right, right**2 / 2]
    halves = np.einsum("ij,ij->i", right, right)[:, None] / 2
    balance = np.sqrt(2 * halves.mean()) or 1.0 if len(halves) else 1.0  # lengths of like size
    constant = np.full((len(left), 1), balance)
    if right_known.all():
        return [left, constant], [right, halves / balance]
    counts = np.count_nonzero(right_known, axis=1)[:, None]  # of a record: the mean is over these
    means = [right / counts, right_known / counts, halves / counts / balance]
    return [left, left**2 / 2, constant], means


def _stack(parts: list[np.ndarray], factor: float) -> tuple[np.ndarray, np.ndarray]:
    """Put columns side by side in float32, their lengths times a factor last; and the lengths."""
    lengths = np.sqrt(sum(np.einsum("ij,ij->i", part, part, dtype=float) for part in parts))
    columns = [*parts, factor * lengths[:, None]]
    return np.concatenate(columns, axis=1, dtype=np.float32, casting="same_kind"), lengths
