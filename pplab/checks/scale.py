"""Checks of edge lists in files, and of folders that results are written to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

__all__ = [
    "check_client",
    "check_columns",
    "check_edge_folder",
    "check_edges_inside",
    "check_finished",
    "check_no_edge_twice",
    "check_row_numbers",
    "check_same_plan",
    "check_seen_by_all",
    "check_target",
    "check_whole_rows",
]


def check_client(client: Any) -> None:
    """Refuse what is neither None nor a client of dask."""
    if client is not None and not all(hasattr(client, name) for name in ("map", "gather", "run")):
        raise TypeError(
            f"client must be a dask.distributed.Client or None, got {client!r}; pass "
            "Client(cluster), or None for threads of this machine"
        )


def check_edge_folder(name: str, folder: Path) -> list[Path]:
    """Refuse a folder without Parquet files; give them by name."""
    found = sorted(folder.glob("*.parquet")) if folder.is_dir() else []
    if not found:
        raise FileNotFoundError(
            f"{name} must be a folder of Parquet files, got {str(folder)!r} with none; write the "
            "edges to files named for example part-00000.parquet"
        )
    return found


def check_columns(file: str, schema: Any, *, missing: int = 0) -> bool:
    """Refuse edges without whole numbers in columns row and item; tell whether items are wide."""
    kinds = {name: str(kind) for name, kind in zip(schema.names, schema.types, strict=True)}
    wrong = [name for name in ("row", "item") if "int" not in kinds.get(name, "none")]
    if wrong:
        raise ValueError(
            f"{file} must have the columns row and item of whole numbers, got {kinds}; write "
            "one line per entry of the table"
        )
    if missing:
        raise ValueError(
            f"{file} must name the row and the item of each entry, got {missing} missing; drop "
            "those lines"
        )
    return kinds["item"] not in ("int8", "int16", "int32", "uint8", "uint16")


def check_row_numbers(file: str, least: int) -> None:
    """Refuse negative numbers of rows and items."""
    if least < 0:
        raise ValueError(f"{file} must number rows and items from 0, got {least}; renumber them")


def check_no_edge_twice(file: str, rows: np.ndarray, items: np.ndarray) -> None:
    """Refuse sorted edges of which two are the same."""
    same = (np.diff(rows) == 0) & (np.diff(items) == 0)
    if same.any():
        place = int(np.argmax(same))
        raise ValueError(
            f"{file} must list each entry once, got row {rows[place]} with item {items[place]} "
            "twice; drop duplicates"
        )


def check_whole_rows(files: Sequence[tuple[str, int, int]]) -> None:
    """Refuse files, sorted by their least row, of which one begins before another ends."""
    for (one, _, last), (other, first, _) in pairwise(files):
        if not first > last:
            raise ValueError(
                f"source must have each row in one file, all files in ranges of their own, got "
                f"{one} up to row {last} and {other} from row {first}; sort the edges by row "
                "before they are cut into files"
            )


def check_edges_inside(rows: int | None, last: int) -> None:
    """Refuse edges that are none, and a number of rows that they do not keep to."""
    if last < 0:
        raise ValueError("source must hold at least one entry, got none; write edges to its files")
    if rows is not None and not last < rows:
        raise ValueError(
            f"rows must count all rows, numbered from 0, got {rows} and an entry of row {last}; "
            "pass a larger count, or None where rows without an entry do not matter"
        )


def check_target(folder: Path) -> None:
    """Refuse to write into a folder that holds something else."""
    other = folder.exists() and not folder.is_dir()
    if other or any(entry.suffix != ".tmp" for entry in folder.glob("*")):
        raise FileExistsError(
            f"target must be an empty or a new folder, or one of an interrupted run, got "
            f"{str(folder)!r} with other things in it; choose another"
        )


def check_same_plan(folder: Path, found: Mapping[str, Any], asked: Mapping[str, Any]) -> None:
    """Refuse to go on with a run that was begun with other arguments."""
    other = [name for name in asked if found.get(name) != asked[name]]
    if other:
        raise FileExistsError(
            f"target {str(folder)!r} must belong to a run with the same arguments, got another "
            f"{' and another '.join(other)}; repeat the call as it was, or choose another folder"
        )


def check_seen_by_all(folder: Path, answers: Mapping[Any, bool]) -> None:
    """Refuse a folder that some worker does not see."""
    blind = [str(worker) for worker, sees in answers.items() if not sees]
    if blind:
        raise FileNotFoundError(
            f"{str(folder)!r} must be a folder that every worker sees, got {len(blind)} that do "
            f"not, the first {blind[0]}; put it on a file system that they share"
        )


def check_finished(folder: Path, manifest: str) -> None:
    """Refuse a folder whose run has not come to its end."""
    if not (folder / manifest).is_file():
        raise FileNotFoundError(
            f"target must be the folder of a finished run, got {str(folder)!r} without "
            f"{manifest}; repeat the call that made it, and it goes on where it was"
        )
