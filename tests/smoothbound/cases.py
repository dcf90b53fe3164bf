"""Random tables and groups for the tests of the search, and slow counts to compare with."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import numba
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import sparse

from pplab.smooth.rows import distinct_rows
from smoothbound._greedy import POOL, State, make_state

KEEPS = ("half", "more-than-half", "all")


def entries(module: ModuleType, *names: str) -> SimpleNamespace:
    """Compiled functions that compiled functions alone call, with an entry for the tests."""

    def with_entry(function: Any) -> Any:
        return numba.njit(lambda *arguments: function(*arguments))

    return SimpleNamespace(**{name: with_entry(getattr(module, name)) for name in names})


def tables(least: int, most: int) -> st.SearchStrategy[np.ndarray]:
    """Tables of zeros and ones with so many rows and so many items."""
    shapes = array_shapes(min_dims=2, max_dims=2, min_side=least, max_side=most)
    return arrays(np.int8, shapes, elements=st.integers(0, 1))


class Case(NamedTuple):
    table: np.ndarray
    labels: np.ndarray
    state: State
    k: int


def random_table(rng: np.random.Generator, rows: int, items: int) -> np.ndarray:
    """One of three models: all cells alike, noisy copies of a few rows, columns of many shares."""
    model = rng.integers(3)
    if model == 0:
        return (rng.random((rows, items)) < rng.uniform(0.1, 0.8)).astype(np.int8)
    if model == 1:
        few = rng.random((int(rng.integers(2, 4)), items)) < 0.5
        noise = rng.random((rows, items)) < 0.15
        return (few[rng.integers(0, len(few), rows)] ^ noise).astype(np.int8)
    return (rng.random((rows, items)) < rng.uniform(0.1, 0.9, items)).astype(np.int8)


def heavy_table(seed: int, rows: int, items: int) -> tuple[np.ndarray, np.random.Generator]:
    """Columns of all weights; with odd seeds few kinds of rows, nearly copied as in web graphs."""
    rng = np.random.default_rng(seed)
    table = (rng.random((rows, items)) < rng.random(items) ** rng.integers(1, 7)).astype(np.int8)
    if seed % 2:
        table = table[rng.integers(0, 20, rows)] ^ (rng.random(table.shape) < 0.01)
    return table, rng


def random_case(seed: int) -> Case:
    """Groups of k or more rows, some of them full, and a pool of none or of k or more."""
    rng = np.random.default_rng(seed)
    k, rows = int(rng.integers(2, 5)), int(rng.integers(8, 40))
    table = random_table(rng, rows, int(rng.integers(2, 20)))
    groups = int(rng.integers(1, rows // k + 1))
    start = -1 if groups > 1 and rng.random() < 0.7 else 0
    names = np.arange(start, start + groups)
    labels = np.concatenate([np.repeat(names, k), rng.choice(names, rows - k * groups)])
    rng.shuffle(labels)
    largest = int(np.bincount(labels[labels >= 0]).max()) + int(rng.choice([0, 1, k]))
    state = make_state(distinct_rows(sparse.csr_array(table)), labels, largest=max(largest, 2))
    return Case(table, labels, state, k)


def value_of(table: np.ndarray, rows: np.ndarray, *, keep: str, ratio: float) -> float:
    """Objective of a group from the definition."""
    size, votes = len(rows), table[rows].astype(int).sum(axis=0)
    enough = {"half": 2 * votes >= size, "more-than-half": 2 * votes > size, "all": votes == size}
    published = enough[keep] & (votes > 0)
    return float(((1 + ratio) * votes - ratio * size)[published].sum())


def total_of(table: np.ndarray, labels: np.ndarray, *, keep: str, ratio: float) -> float:
    groups = [np.flatnonzero(labels == group) for group in np.unique(labels[labels != POOL])]
    return sum(value_of(table, rows, keep=keep, ratio=ratio) for rows in groups)


def ratio_of(rng: np.random.Generator) -> float:
    """A number of 1024ths: sums of worths are exact, and may be compared as they are."""
    return int(rng.integers(0, 1025)) / 1024


def assert_consistent(state: State, table: np.ndarray) -> None:
    """Rebuild lists, tables of counts, histograms and spares from `group_of` alone."""
    slots, largest = state.members.shape
    rank = np.empty(table.shape[1], dtype=int)  # the number of each column, rare ones first
    rank[np.argsort(table.sum(axis=0, dtype=int), kind="stable")] = np.arange(table.shape[1])
    pool = np.flatnonzero(state.group_of == POOL)
    assert sorted(state.pool[: state.pool_size[0]]) == pool.tolist()
    assert np.array_equal(state.pool[state.place[pool]], pool)
    for group in range(slots):
        rows = np.flatnonzero(state.group_of == group)
        assert state.sizes[group] == len(rows) <= largest
        assert sorted(state.members[group, : len(rows)]) == rows.tolist()
        assert np.array_equal(state.members[group, state.place[rows]], rows)
        votes = np.zeros(table.shape[1], dtype=int)
        votes[rank] = table[rows].sum(axis=0, dtype=int)
        cells = slice(state.starts[group], state.starts[group + 1])
        items, counts = state.items[cells], state.counts[cells]
        assert len(items) == state.masks[group] + 1
        taken = items[items >= 0]
        assert state.used[group] == len(taken) == len(set(taken)) < len(items)
        counted = np.zeros(table.shape[1], dtype=int)
        counted[taken] = counts[items >= 0]
        assert np.array_equal(counted, votes)
        assert not counts[items < 0].any()
        expected = np.bincount(votes[votes > 0], minlength=largest + 1)
        assert np.array_equal(state.histograms[group], expected)
    spare = state.spare[: state.spares[0]]
    assert sorted(spare) == np.flatnonzero(state.sizes == 0).tolist()


# Edge lists in Parquet files, for the tests of runs over files.


def write(folder: Path, *files: tuple[Any, Any], **options: Any) -> Path:
    """Write each pair of rows and items into a file of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, (rows, items) in enumerate(files):
        table = pa.table({"row": rows, "item": items})
        pq.write_table(table, folder / f"part-{number:05d}.parquet", **options)
    return folder


def read(folder: Path, rows: int, items: int) -> sparse.csr_array:
    """All edges of a folder in one table."""
    edges = pq.read_table(folder)
    where, what = edges["row"].to_numpy(), edges["item"].to_numpy()
    return sparse.csr_array((np.ones(len(where), np.int8), (where, what)), shape=(rows, items))


def content(target: Path) -> dict[str, bytes]:
    """Bytes of all published files."""
    return {
        str(file.relative_to(target)): file.read_bytes()
        for file in sorted(target.rglob("*.parquet"))
    }
