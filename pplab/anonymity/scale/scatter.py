"""The shuffle: each file's rows are cut at the same keys, each chunk gathers its pieces."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from pplab.anonymity.scale.edge_files import EdgeRows, arrow, whole
from pplab.anonymity.scale.plan import Plan
from pplab.anonymity.scale.survey import keys_of, rows_of_file

__all__ = ["SPLITTERS", "gather", "joined_ranges", "scatter"]

SPLITTERS = "splitters.npy"


def scatter(target: str, number: int) -> np.ndarray:
    """Write the rows of a file into pieces, one for each range of keys; a piece may be empty.

    Returns
    -------
    int64 array, shape (ranges,)
        Rows in each piece. A file that a former run finished is not written again.
    """
    plan = Plan.read(target)
    out = plan.run_file(number)
    if not out.is_file():
        found = rows_of_file(plan, number)
        at = np.load(plan.scratch / SPLITTERS)
        _write_pieces(out, found, np.searchsorted(at, keys_of(plan, found), "right"), len(at) + 1)
    with arrow().OSFile(str(out)) as stored:
        counts = arrow("pyarrow.ipc").open_file(stored).schema.metadata[b"rows"]
    return np.array(json.loads(counts), dtype=np.int64)


def _write_pieces(out: Path, found: EdgeRows, piece_of: np.ndarray, pieces: int) -> None:
    pa = arrow()
    counts = np.bincount(piece_of, minlength=pieces)
    items = pa.LargeListArray.from_arrays(found.indptr, found.items)
    rows = pa.record_batch([pa.array(found.rows), items], names=["row", "items"])
    schema = rows.schema.with_metadata({"rows": json.dumps(counts.tolist())})
    order = np.argsort(piece_of, kind="stable")
    with whole(out) as file, arrow("pyarrow.ipc").new_file(file, schema) as writer:
        for places in np.split(order, np.cumsum(counts)[:-1]):
            writer.write_batch(rows.take(pa.array(places)).replace_schema_metadata(None))


def joined_ranges(counts: np.ndarray, k: int, chunk_rows: int) -> list[tuple[int, int]]:
    """Ranges that make a chunk: one, or as many as give it k rows and half of what is wanted.

    Examples
    --------
    >>> joined_ranges(np.array([9, 0, 1, 12, 2]), 2, 10)
    [(0, 1), (1, 5)]
    """
    least, chunks, first, rows = max(k, chunk_rows // 2), [], 0, 0
    for place, count in enumerate(counts.tolist()):
        rows += count
        if rows >= least:
            chunks.append((first, place + 1))
            first, rows = place + 1, 0
    if not chunks:
        return [(0, len(counts))]
    return [*chunks[:-1], (chunks[-1][0], len(counts))]  # what is left joins the last


def gather(plan: Plan, first: int, until: int) -> EdgeRows:
    """Read the pieces of some ranges from every file, and nothing else."""
    found = []
    for number in range(len(plan.files)):
        with arrow().OSFile(str(plan.run_file(number))) as stored:
            pieces = arrow("pyarrow.ipc").open_file(stored)
            found += [pieces.get_batch(place) for place in range(first, until)]
    filled = [piece for piece in found if piece.num_rows]
    rows = np.concatenate([piece.column("row").to_numpy() for piece in filled])
    lengths = np.concatenate(
        [np.diff(piece.column("items").offsets.to_numpy()) for piece in filled]
    )
    items = np.concatenate([piece.column("items").flatten().to_numpy() for piece in filled])
    return EdgeRows(rows, np.concatenate([[0], np.cumsum(lengths)]), items)
