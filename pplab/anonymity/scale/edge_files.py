"""Edge lists in Parquet files: columns row and item, whole rows in each file."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np

from pplab.checks.partitions import check_installed
from pplab.checks.scale import (
    check_columns,
    check_edge_folder,
    check_no_edge_twice,
    check_row_numbers,
)

__all__ = [
    "EdgeRows",
    "Span",
    "arrow",
    "parquet_files",
    "read_rows",
    "rows_of_edges",
    "span_of",
    "write_whole",
]


class Span(NamedTuple):
    """What a file's footer says: its least and largest row, edges, and the type of its items."""

    first: int
    last: int
    edges: int
    wide: bool


class EdgeRows(NamedTuple):
    """Rows of an edge list, ascending, with their items, ascending.

    Attributes
    ----------
    rows : int64 array, shape (rows,)
    indptr : int64 array, shape (rows + 1,)
    items : int32 or int64 array, shape (edges,)
    """

    rows: np.ndarray
    indptr: np.ndarray
    items: np.ndarray


def arrow(module: str = "pyarrow") -> Any:
    """Import pyarrow, or say how to get it."""
    return check_installed("pyarrow", module=module, extra="scale")


def parquet_files(folder: str | Path) -> list[Path]:
    """Parquet files of a folder by name; a folder without one is refused."""
    return check_edge_folder("source", Path(folder))


def span_of(file: Path) -> Span:
    """Look into a file without reading its edges, where its footer has the limits of the rows."""
    with _opened(file, arrow("pyarrow.parquet").ParquetFile) as stored:
        wide = check_columns(file.name, stored.schema_arrow)
        place = stored.schema_arrow.get_field_index("row")
        groups = [stored.metadata.row_group(g) for g in range(stored.metadata.num_row_groups)]
        limits = [group.column(place).statistics for group in groups if group.num_rows]
        edges = stored.metadata.num_rows
    if not edges:
        return Span(0, -1, 0, wide)
    if all(limit is not None and limit.has_min_max for limit in limits):
        first, last = min(limit.min for limit in limits), max(limit.max for limit in limits)
    else:
        rows = _columns(file)[0]
        first, last = rows.min(), rows.max()
    check_row_numbers(file.name, int(first))
    return Span(int(first), int(last), edges, wide)


def read_rows(file: Path, *, within: tuple[int, int] | None = None) -> EdgeRows:
    """Read the rows of a file; within given limits a row without an edge is one, too."""
    rows, items = _columns(file)
    found = rows_of_edges(rows, items, name=file.name)
    if within is None:
        return found
    every = np.arange(*within)
    indptr = np.zeros(len(every) + 1, dtype=np.int64)
    indptr[found.rows - within[0] + 1] = np.diff(found.indptr)
    return EdgeRows(every, np.cumsum(indptr), found.items)


def rows_of_edges(rows: np.ndarray, items: np.ndarray, *, name: str) -> EdgeRows:
    """Sort edges by row and item; an edge listed twice is refused."""
    steps = np.diff(rows)
    if not ((steps > 0) | ((steps == 0) & (np.diff(items) > 0))).all():
        order = np.lexsort((items, rows))
        rows, items = rows[order], items[order]
    check_no_edge_twice(name, rows, items)
    starts = np.flatnonzero(np.diff(rows, prepend=-1))
    return EdgeRows(rows[starts], np.append(starts, len(rows)), items)


def _columns(file: Path) -> tuple[np.ndarray, np.ndarray]:
    read = partial(arrow("pyarrow.parquet").read_table, columns=["row", "item"], use_threads=False)
    table = _opened(file, read)
    wide = check_columns(file.name, table.schema)
    kinds = {"row": arrow().int64(), "item": arrow().int64() if wide else arrow().int32()}
    for name in kinds:
        check_columns(file.name, table.schema, missing=table[name].null_count)
    rows, items = (table[name].cast(kind).to_numpy() for name, kind in kinds.items())
    if len(rows):
        check_row_numbers(file.name, int(min(rows.min(), items.min())))
    return rows, items


def _opened(file: Path, how: Callable[[Path], Any]) -> Any:
    try:
        return how(file)
    except arrow().ArrowInvalid as error:
        raise ValueError(
            f"{file.name} cannot be read as a Parquet file, it may be cut short ({error}); "
            f"write it again or take it out of the folder"
        ) from error


def write_whole(file: Path, table: Any) -> None:
    """Write a Parquet file under another name and rename it: nobody ever sees half of it."""
    aside = file.with_name(f".{file.name}.{uuid4().hex}.tmp")
    try:
        with aside.open("wb") as out:
            arrow("pyarrow.parquet").write_table(table, out)
            out.flush()
            os.fsync(out.fileno())
        aside.replace(file)
    finally:
        aside.unlink(missing_ok=True)
