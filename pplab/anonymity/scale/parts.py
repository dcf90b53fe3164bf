"""One chunk of a run over files: its rows are anonymized and written as a part of the result."""

from __future__ import annotations

import json

import numpy as np
from scipy import sparse

from pplab.anonymity.scale.chunks import chunk_labels, one_thread
from pplab.anonymity.scale.edge_files import EdgeRows, arrow, write_table
from pplab.anonymity.scale.plan import Plan
from pplab.anonymity.scale.scatter import gather
from pplab.anonymity.scale.survey import keys_of
from pplab.anonymity.votes import Published, publish_votes

__all__ = ["Chunk", "make_part"]

Chunk = tuple[int, int, int, int]  # number, first range of keys, where they end, rows before


def make_part(target: str, chunk: Chunk) -> dict[str, int]:
    """Anonymize a chunk and write its edges and its groups; a finished part is left as it is.

    The file of groups is written last: where it is, the part is finished.

    Returns
    -------
    dict
        Rows, entries, kept, created, groups, the rows of the smallest group, and empty rows.
    """
    plan = Plan.read(target)
    number, first, until, before = chunk
    groups = plan.part("groups", number)
    if not groups.is_file():
        found = gather(plan, first, until)
        order = np.argsort(keys_of(plan, found))
        table, items = _as_table(found, order)
        with one_thread():
            labels = chunk_labels(
                table, plan.k, number, method=plan.method, effort="fast", seed=plan.seed
            )
        published = publish_votes(table, labels, keep="half")
        _write_part(plan, number, found.rows[order], items, labels + before, published)
    schema = arrow("pyarrow.parquet").read_schema(groups)
    return json.loads(schema.metadata[b"counts"])


def _as_table(found: EdgeRows, order: np.ndarray) -> tuple[sparse.csr_array, np.ndarray]:
    """Rows in the order of their keys, in a table that has only columns in use, and their items."""
    items, columns = np.unique(found.items, return_inverse=True)
    ones = np.ones(len(columns), dtype=np.int8)
    shape = (len(found.rows), max(len(items), 1))
    table = sparse.csr_array((ones, columns.astype(np.int32), found.indptr), shape=shape)
    return sparse.csr_array(table[order]), items


def _write_part(
    plan: Plan,
    number: int,
    rows: np.ndarray,
    items: np.ndarray,
    groups: np.ndarray,
    published: Published,
) -> None:
    pa = arrow()
    by_row = np.argsort(rows)
    copy = sparse.csr_array(published.biadjacency[by_row])
    kind = pa.int64() if plan.wide else pa.int32()
    edges = {"row": np.repeat(rows[by_row], np.diff(copy.indptr)), "item": items[copy.indices]}
    fields = pa.schema([("row", pa.int64()), ("item", kind)])
    write_table(plan.part("edges", number), pa.table(edges, schema=fields))
    sizes = np.unique(groups, return_counts=True)[1]
    counts = {
        "rows": len(rows),
        "entries": published.kept + published.suppressed,
        "kept": published.kept,
        "created": published.created,
        "groups": len(sizes),
        "smallest_group": int(sizes.min()),
        "empty_rows": int((np.diff(copy.indptr) == 0).sum()),
    }
    fields = pa.schema([("row", pa.int64()), ("group", pa.int64())])
    fields = fields.with_metadata({"counts": json.dumps(counts)})
    stored = pa.table({"row": rows[by_row], "group": groups[by_row]}, schema=fields)
    write_table(plan.part("groups", number), stored)
