"""Edge lists in Parquet files, for the tests of runs over files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from scipy import sparse


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
