"""Vectors in float32 whose product bounds a distance from below."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pplab.nearest.pairs import TIE, largest

__all__ = ["Bounds", "bounds"]


@dataclass(frozen=True)
class Bounds:
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


def bounds(queries: np.ndarray, records: np.ndarray) -> Bounds:
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
    centre = _column_means(records)
    for table in (queries, records):
        table -= centre  # small numbers cancel less
    scale = max(largest(queries), largest(records)) or 1.0
    for table in (queries, records):
        table /= scale
    parts = _parts(queries, records)
    terms = (sum(part.shape[1] for part in parts[0]) + 9) * 2.0**-24  # with the roundings to u
    margin = terms / (1 - terms)
    asking, query_lengths = _stacked(parts[0], -margin)
    known, record_lengths = _stacked(parts[1], 1.0)
    slack = (4 * TIE + cells * 2.0**-50) * 4 * cells  # relative to the largest distance possible
    return Bounds(asking, known, 2.1 * margin * query_lengths, record_lengths, slack)


def _parts(left: np.ndarray, right: np.ndarray) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Columns of queries and of records: q r, and q^2 or r^2 where the other side picks cells."""
    asked, here = ~np.isnan(left), ~np.isnan(right)
    left[~asked], right[~here] = 0.0, 0.0
    np.negative(left, out=left)
    if not asked.all():  # the same cells for every record
        return [left, asked], [right, right**2 / 2]
    halves = np.einsum("ij,ij->i", right, right)[:, None] / 2
    balance = np.sqrt(2 * halves.mean()) or 1.0 if len(halves) else 1.0  # lengths of like size
    constant = np.full((len(left), 1), balance)
    if here.all():
        return [left, constant], [right, halves / balance]
    counts = np.count_nonzero(here, axis=1)[:, None]  # the mean over the cells of each record
    known = [right / counts, here / counts, halves / counts / balance]
    return [left, left**2 / 2, constant], known


def _stacked(parts: list[np.ndarray], factor: float) -> tuple[np.ndarray, np.ndarray]:
    """Put columns side by side in float32, their lengths times a factor last; and the lengths."""
    lengths = np.sqrt(sum(np.einsum("ij,ij->i", part, part, dtype=float) for part in parts))
    widths = [part.shape[1] for part in parts]
    stacked = np.empty((len(parts[0]), sum(widths) + 1), dtype=np.float32)
    stop = 0
    for part, width in zip(parts, widths, strict=True):
        stacked[:, stop : stop + width] = part
        stop += width
    stacked[:, stop] = factor * lengths
    return stacked, lengths


def _column_means(table: np.ndarray) -> np.ndarray:
    """Mean of the known cells of each column, 0 where there are none."""
    known = np.count_nonzero(~np.isnan(table), axis=0)
    return np.nansum(table, axis=0) / np.maximum(known, 1)
