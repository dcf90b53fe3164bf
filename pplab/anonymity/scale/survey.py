"""First look at a file of edges: how many rows there are, and the keys of some of them."""

from __future__ import annotations

from pathlib import Path

import numba
import numpy as np

from pplab._compiled import mixed
from pplab.anonymity.minhash import HASHES, order_keys
from pplab.anonymity.scale.edge_files import EdgeRows, read_rows
from pplab.anonymity.scale.plan import Plan

__all__ = ["keys_of", "rows_of_file", "splitters", "survey"]

_LOOKED_AT = 400  # rows for each chunk, which puts its size 5 % off, as a standard deviation


def survey(target: str, number: int) -> tuple[int, np.ndarray]:
    """Count the rows of a file and give the keys of some.

    Whether a row is looked at depends on its number alone: how rows are cut into files changes
    nothing.
    """
    plan = Plan.read(target)
    found = rows_of_file(plan, number)
    share = min(1.0, _LOOKED_AT / plan.chunk_rows)
    drawn = np.random.SeedSequence(plan.seed, spawn_key=(0, 0)).generate_state(1, np.uint64)[0]
    looked_at = np.flatnonzero(_chosen(found.rows, drawn, np.uint64(share * (2**64 - 2**12))))
    return len(found.rows), keys_of(plan, found, looked_at)


def rows_of_file(plan: Plan, number: int) -> EdgeRows:
    """Rows of a file, with those without an edge where they count."""
    file = plan.files[number]
    within = (file.first, file.until) if plan.with_empty else None
    return read_rows(Path(plan.source) / file.name, within=within)


def keys_of(plan: Plan, found: EdgeRows, places: np.ndarray | None = None) -> np.ndarray:
    """Keys by which rows are put in order, of all rows or of some."""
    rows, indptr, items = found
    if places is not None:
        lengths = np.diff(indptr)[places]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        inside = np.arange(starts[-1]) - np.repeat(starts[:-1], lengths)
        items = items[np.repeat(indptr[:-1][places], lengths) + inside]
        rows, indptr = rows[places], starts
    return order_keys(indptr, items, rows, hashes=HASHES, seed=plan.seed)


def splitters(keys: np.ndarray, rows: int, chunk_rows: int) -> np.ndarray:
    """Keys that cut all rows into chunks of about the wanted size.

    Examples
    --------
    >>> splitters(np.array([b"c", b"a", b"d", b"b"]), 100, 50)
    array([b'c'], dtype='|S1')
    """
    ranges = max(1, round(rows / chunk_rows))
    places = np.arange(1, ranges) * len(keys) // ranges
    return np.sort(keys)[places]


@numba.njit(cache=True, nogil=True)
def _chosen(rows: np.ndarray, drawn: np.uint64, below: np.uint64) -> np.ndarray:
    chosen = np.empty(len(rows), dtype=np.bool_)
    for place in range(len(rows)):
        chosen[place] = mixed(mixed(np.uint64(rows[place]) + np.uint64(1)) ^ drawn) <= below
    return chosen
