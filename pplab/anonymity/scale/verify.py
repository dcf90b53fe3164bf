"""Whether files hold a smooth k-anonymous copy of other files, looked at chunk by chunk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from pplab.anonymity.scale.edge_files import EdgeRows, arrow, parquet_files, read_rows
from pplab.anonymity.scale.plan import MANIFEST, Plan, SourceFile
from pplab.anonymity.scale.tasks import check_client, run_tasks
from pplab.anonymity.votes import publish_votes

__all__ = ["FilesChecked", "verify_parquet"]

_PARTS = 8  # looked at together: every file of edges is read once for each such batch


@dataclass(frozen=True)
class FilesChecked:
    """What was found in the files of a finished run, counted anew.

    Attributes
    ----------
    every_row_once : bool
        Each row of the original has one group. (Rows are compared by count and by a sum of 64-bit
        fingerprints, which one wrong list in 10^19 passes.)
    groups_large_enough : bool
        Each group has at least k rows.
    votes_right : bool
        Each row publishes what its group's votes say, and nothing else.
    jaccard : float
    """

    every_row_once: bool
    groups_large_enough: bool
    votes_right: bool
    jaccard: float

    @property
    def holds(self) -> bool:
        """Whether the published files are a smooth k-anonymous copy."""
        return self.every_row_once and self.groups_large_enough and self.votes_right


def verify_parquet(target: str | Path, *, client: Any = None) -> FilesChecked:
    """Check a finished run of `smooth_k_anonymize_parquet` against the files it read.

    Parameters
    ----------
    target : path
        Its folder; its source must still be where it was.
    client : dask.distributed.Client or None

    Returns
    -------
    FilesChecked

    Raises
    ------
    FileNotFoundError
        If the run is not finished, or its source is gone.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definition 3.5, arXiv 2207.06358.

    Examples
    --------
    >>> import tempfile
    >>> from pplab.anonymity.scale.made_edges import make_edges
    >>> from pplab.anonymity.scale import smooth_k_anonymize_parquet
    >>> folder = Path(tempfile.mkdtemp())
    >>> entries = make_edges(folder / "source", rows=200, items=60, files=3)
    >>> found = smooth_k_anonymize_parquet(folder / "source", folder / "target", 4, rng=1)
    >>> verify_parquet(folder / "target").holds
    True
    """
    check_client(client)
    target = Path(target).resolve()
    if not (target / MANIFEST).is_file():
        raise FileNotFoundError(
            f"target must be the folder of a finished run, got {str(target)!r} without "
            f"{MANIFEST}; repeat the call that made it, and it goes on where it was"
        )
    plan = Plan.read(target)
    parts = range(len(parquet_files(target / "groups")))
    batches = [list(parts[first : first + _PARTS]) for first in range(0, len(parts), _PARTS)]
    looked = run_tasks(_look, str(target), batches, client=client, label="verified")
    counts = run_tasks(_rows, str(target), plan.files, client=client, label="rows")
    rows, prints, large, right, kept, entries, created = zip(*looked, strict=True)
    once = (sum(rows), sum(prints) % 2**64) == tuple(
        sum(column) % 2**64 for column in zip(*counts, strict=True)
    )
    return FilesChecked(once, all(large), all(right), sum(kept) / (sum(entries) + sum(created)))


def _rows(target: str, file: SourceFile) -> tuple[int, int]:
    """Rows of a file of the original, and the sum of their fingerprints."""
    plan = Plan.read(target)
    within = (file.first, file.until) if plan.with_empty else None
    rows = read_rows(Path(plan.source) / file.name, within=within).rows
    return len(rows), _fingerprint(rows)


def _fingerprint(rows: np.ndarray) -> int:
    """Sum over rows of their scattered bits, modulo 2^64: the same in any order."""
    bits = (rows.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    bits ^= bits >> np.uint64(29)
    return int((bits * bits * bits).sum(dtype=np.uint64))


def _look(target: str, numbers: list[int]) -> tuple[int, int, bool, bool, int, int, int]:
    """Count votes anew for some parts, from the files of the original."""
    plan = Plan.read(target)
    read = arrow("pyarrow.parquet").read_table
    pieces = [read(plan.part("groups", number)) for number in numbers]
    rows = np.concatenate([piece["row"].to_numpy() for piece in pieces])
    groups = np.concatenate([piece["group"].to_numpy() for piece in pieces])
    published = [read_rows(plan.part("edges", number)) for number in numbers]
    order = np.argsort(rows, kind="stable")
    rows, groups = rows[order], groups[order]
    labels, sizes = np.unique(groups, return_inverse=True, return_counts=True)[1:]
    where, items = _edges_of(plan, rows)
    used, columns = np.unique(items, return_inverse=True)
    table = sparse.csr_array(
        (np.ones(len(items), dtype=np.int8), (where, columns)), shape=(len(rows), max(len(used), 1))
    )
    votes = publish_votes(table, labels, keep="half")
    expected = np.column_stack(
        [rows[votes.biadjacency.nonzero()[0]], used[votes.biadjacency.indices]]
    )
    entries = votes.kept + votes.suppressed
    large = bool(sizes.min() >= plan.k)
    right = np.array_equal(expected, _listed(published))
    return len(rows), _fingerprint(rows), large, right, votes.kept, entries, votes.created


def _edges_of(plan: Plan, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Entries of some rows, searched for in all files of the original, one at a time."""
    places, items = [], []
    for file in plan.files:
        found = read_rows(Path(plan.source) / file.name)
        owner = np.repeat(found.rows, np.diff(found.indptr))
        place = np.minimum(np.searchsorted(rows, owner), len(rows) - 1)
        ours = rows[place] == owner
        places.append(place[ours])
        items.append(found.items[ours])
    return np.concatenate(places), np.concatenate(items)


def _listed(published: list[EdgeRows]) -> np.ndarray:
    """Entries of published parts, by row and item."""
    rows = np.concatenate([np.repeat(part.rows, np.diff(part.indptr)) for part in published])
    items = np.concatenate([part.items for part in published])
    return np.column_stack([rows, items])[np.argsort(rows, kind="stable")]
