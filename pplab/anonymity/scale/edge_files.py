"""Edge lists in Parquet files: columns row and item, whole rows in each file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from uuid import uuid4

import numpy as np

from pplab.checks import check_installed

__all__ = [
    "EdgeRows",
    "Span",
    "arrow",
    "parquet_files",
    "read_rows",
    "rows_of_edges",
    "span_of",
    "whole",
    "write_table",
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
    folder = Path(folder)
    found = sorted(folder.glob("*.parquet"))
    if not found:
        raise FileNotFoundError(
            f"source must be a folder of Parquet files, got {str(folder)!r} with none; write the "
            "edges to files named for example part-00000.parquet"
        )
    return found


def span_of(file: Path) -> Span:
    """Look into a file without reading its edges, where its footer has the limits of the rows."""
    with _opened(file, arrow("pyarrow.parquet").ParquetFile) as stored:
        wide = _wide_items(file.name, stored.schema_arrow)
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
    _from_zero(file.name, int(first))
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
        same = (np.diff(rows) == 0) & (np.diff(items) == 0)
        if same.any():
            place = int(np.argmax(same))
            raise ValueError(
                f"{name} must list each entry once, got row {rows[place]} with item "
                f"{items[place]} twice; drop duplicates"
            )
    starts = np.flatnonzero(np.diff(rows, prepend=-1))
    return EdgeRows(rows[starts], np.append(starts, len(rows)), items)


def _columns(file: Path) -> tuple[np.ndarray, np.ndarray]:
    read = partial(arrow("pyarrow.parquet").read_table, columns=["row", "item"], use_threads=False)
    table = _opened(file, read)
    wide = _wide_items(file.name, table.schema)
    kinds = {"row": arrow().int64(), "item": arrow().int64() if wide else arrow().int32()}
    if missing := sum(table[name].null_count for name in kinds):
        raise ValueError(
            f"{file.name} must name the row and the item of each entry, got {missing} missing; "
            "drop those lines"
        )
    rows, items = (table[name].cast(kind).to_numpy() for name, kind in kinds.items())
    if len(rows):
        _from_zero(file.name, int(min(rows.min(), items.min())))
    return rows, items


def _wide_items(file: str, schema: Any) -> bool:
    """Refuse edges without whole numbers in columns row and item; tell whether items are wide."""
    kinds = {name: str(kind) for name, kind in zip(schema.names, schema.types, strict=True)}
    if not all("int" in kinds.get(name, "none") for name in ("row", "item")):
        raise ValueError(
            f"{file} must have the columns row and item of whole numbers, got {kinds}; write "
            "one line per entry of the table"
        )
    return kinds["item"] not in ("int8", "int16", "int32", "uint8", "uint16")


def _from_zero(file: str, least: int) -> None:
    if least < 0:
        raise ValueError(f"{file} must number rows and items from 0, got {least}; renumber them")


def _opened(file: Path, how: Callable[[Path], Any]) -> Any:
    try:
        return how(file)
    except arrow().ArrowInvalid as error:
        raise ValueError(
            f"{file.name} cannot be read as a Parquet file, it may be cut short ({error}); "
            f"write it again or take it out of the folder"
        ) from error


@contextmanager
def whole(file: Path) -> Iterator[BinaryIO]:
    """Write a file under another name and rename it: nobody ever sees half of it."""
    aside = file.with_name(f".{file.name}.{uuid4().hex}.tmp")
    try:
        with aside.open("wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        aside.replace(file)
    finally:
        aside.unlink(missing_ok=True)


def write_table(file: Path, table: Any) -> None:
    """Write a Parquet file, whole or not at all."""
    with whole(file) as out:
        arrow("pyarrow.parquet").write_table(table, out)
