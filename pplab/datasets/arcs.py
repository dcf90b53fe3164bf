"""Large graphs as lists of arcs, one pair of node numbers per line, packed or not.

The matrix has a row per node that has an arc out of it and a column per node that has an arc into
it: rows and columns without an entry are left out, as the paper does. Self-loops are entries like
any other. ``users`` and ``items`` hold the owner's node numbers.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from pplab.datasets.catalog import entry
from pplab.datasets.dataset import Dataset, csr_of_cells
from pplab.datasets.files import read_numbers
from pplab.datasets.social_tables import distinct
from pplab.datasets.store import DataFileError, fresh_copy

__all__ = ["dataset_of_cells", "read"]

_UNDIRECTED = ("com-dblp",)  # each line stands for both directions; dblp-2010 lists both


def read(name: str, paths: Sequence[Path], _split: str | None) -> Dataset:
    """Put arcs into a matrix; an arc that is listed again counts once.

    The file is packed (its name ends in .gz) or plain; lines that begin with ``#`` may stand above
    the arcs: two whole numbers per line, a tab between them.

    Raises
    ------
    DataFileError
        One sentence that names the file and, where there is one, the line: a damaged archive, a
        line cut short, another number of columns, something but digits. If the matrix has another
        size than the catalogue says that it has: where the owner's checksum is not known, this is
        how a wrong file is noticed.
    """
    [path] = paths
    raw, start, comments = _unpacked(path), 0, 0
    while raw[start : start + 1] == b"#":
        end = raw.find(b"\n", start)
        start, comments = (len(raw) if end < 0 else end + 1), comments + 1
    text, columns = raw[start:].replace(b"\r\n", b"\n"), ("source", "target")
    arcs = read_numbers(path, text, columns=columns, separator="\t", above=comments)
    source, target = arcs["source"].to_numpy(), arcs["target"].to_numpy()
    if name in _UNDIRECTED:
        source, target = np.concatenate([source, target]), np.concatenate([target, source])
    data = dataset_of_cells(name, "real", source, target)
    known = entry(name).statistics.get("biadjacency")
    rows, width = data.biadjacency.shape
    found = {"rows": rows, "columns": width, "entries": data.biadjacency.nnz}
    if known is not None and found != known:
        sizes = ", ".join(f"{count:,} {what}" for what, count in found.items())
        wanted = ", ".join(f"{count:,} {what}" for what, count in known.items())
        raise DataFileError(
            f"{path} is not the graph that its owner published: it has {sizes}, "
            f"expected {wanted}; move it away and {fresh_copy(name)}"
        )
    return data


def dataset_of_cells(name: str, kind: str, source: np.ndarray, target: np.ndarray) -> Dataset:
    """Give the matrix of the cells (source, target); those without an entry have no row, no column.

    Examples
    --------
    >>> dataset_of_cells("web", "generated", np.array([7, 7, 3]), np.array([1, 1, 7]))
    <web (generated): 2 users x 2 items, 2 edges>
    """
    users, rows = _renumbered(source)
    items, columns = _renumbered(target)
    codes = distinct(rows * np.int64(len(items)) + columns)
    shape = (len(users), len(items))
    ones = np.ones(len(codes), dtype=np.int8)
    return Dataset(
        name=name,
        source=kind,
        users=pd.DataFrame(index=pd.Index(users, name="node")),
        items=pd.DataFrame(index=pd.Index(items, name="node")),
        biadjacency=csr_of_cells(codes // len(items), codes % len(items), ones, shape),
    )


def _renumbered(nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Give the nodes that occur, ascending, and the place of each among them."""
    found = distinct(nodes)
    return found, np.searchsorted(found, nodes)


def _unpacked(path: Path) -> bytes:
    raw = path.read_bytes()
    if path.suffix != ".gz":
        return raw
    try:
        return gzip.decompress(raw)
    except (OSError, EOFError, zlib.error) as error:  # the file itself has been read by then
        raise DataFileError(
            f"{path} is damaged and cannot be unpacked ({error}); get a fresh copy"
        ) from error
