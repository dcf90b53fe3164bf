"""Smooth k-anonymity of edge lists in files, which never pass through one process."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pplab.anonymity.scale.chunks import CHUNK_ROWS
from pplab.anonymity.scale.edge_files import whole
from pplab.anonymity.scale.parts import Chunk, make_part
from pplab.anonymity.scale.plan import MANIFEST, Plan, begin, forget, make_plan, write_json
from pplab.anonymity.scale.scatter import SPLITTERS, joined_ranges, scatter
from pplab.anonymity.scale.survey import splitters, survey
from pplab.anonymity.scale.tasks import check_client, check_shared, run_tasks
from pplab.checks import check_k

__all__ = ["SmoothFiles", "smooth_k_anonymize_parquet"]


@dataclass(frozen=True)
class SmoothFiles:
    """What a run over files has published, in numbers.

    Attributes
    ----------
    target : str
        Folder of the result: ``edges/`` and ``groups/`` with a file for each chunk, and
        ``manifest.json``, which is written last.
    rows, entries, kept, created : int
        Rows and entries of the original, entries in both, entries in the published copy only.
    groups, smallest_group, empty_rows : int
        Groups, rows of the smallest, rows published without any entry.
    chunks : int
    jaccard : float
        Similarity with the original, kept / (entries + created).
    """

    target: str
    rows: int
    entries: int
    kept: int
    created: int
    groups: int
    smallest_group: int
    empty_rows: int
    chunks: int
    jaccard: float


def smooth_k_anonymize_parquet(
    source: str | Path,
    target: str | Path,
    k: int,
    *,
    client: Any = None,
    rows: int | None = None,
    chunk_rows: int = CHUNK_ROWS,
    method: str = "greedy",
    rng: int | np.random.Generator | None = None,
) -> SmoothFiles:
    """Publish a smooth k-anonymous copy of an edge list in files, on one machine or many.

    Each worker reads files of its own, signs their rows with min-hashes and cuts them at keys that
    all workers share; each chunk of about ``chunk_rows`` similar rows is then gathered,
    anonymized and written by one worker. No process sees more than a file or a chunk, and this
    one sees only counts and a sample of keys.

    Parameters
    ----------
    source : path
        Folder of Parquet files with whole numbers from 0 in columns ``row`` and ``item``, one line
        per entry of the table. Each row lies in one file: files hold ranges of rows that do not
        overlap, in any order inside, which is checked. A worker needs room for a file several
        times over.
    target : path
        New or empty folder that all workers see, or that of an interrupted run, which is resumed.
        It gets ``edges/`` (row, item) and ``groups/`` (row, group), one Parquet file for each
        chunk. Rows of a group lie in one file; numbers of groups are unique, with gaps.
    k : int
        Smallest size of a group, from 2 to the number of rows.
    client : dask.distributed.Client or None
        Who does the work: the workers of a cluster, or threads of this process.
    rows : int or None
        Number of all rows, 0 to rows - 1: those without an entry are then rows like any other, and
        have groups. With None they are no part of the table: they are neither counted nor grouped.
    chunk_rows : int, default 100,000
        Rows of a chunk, about, at least k.
    method : {"greedy", "paper"}, default "greedy"
        Who forms the groups of a chunk, see `smooth_k_anonymize`.
    rng : int, Generator or None
        Seed or generator. The same seed gives the same files with any number of workers, and
        however the rows are cut into files.

    Returns
    -------
    SmoothFiles

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval, or the files list an entry twice, cut a row in two, or
        lack a column.
    FileNotFoundError, FileExistsError
        If source has no Parquet file, a worker does not see a folder, or target holds something
        else.
    ModuleNotFoundError
        Without the extra "scale".

    Notes
    -----
    A worker that dies loses nothing: what it was doing is done again by another, with the same
    result, and files appear whole or not at all. A run that was stopped goes on where it was when
    it is called again with the same arguments (the same whole number for ``rng``, or None, which
    keeps the seed; a generator would give another one); parts that are finished are kept.

    References
    ----------
    Broder 1997, doi 10.1109/SEQUEN.1997.666900; Blelloch and others 1991, A comparison of sorting
    algorithms for the Connection Machine, doi 10.1145/113379.113380, for cutting at sampled keys;
    Esfandiari, Epasto, Mirrokni and Munoz Medina, arXiv 2207.06358, Definition 3.5.

    Examples
    --------
    >>> import tempfile, pyarrow, pyarrow.parquet
    >>> folder = Path(tempfile.mkdtemp())
    >>> (folder / "source").mkdir()
    >>> edges = pyarrow.table({"row": [0, 0, 1, 1, 2, 3], "item": [5, 7, 5, 7, 9, 9]})
    >>> pyarrow.parquet.write_table(edges, folder / "source" / "part-00000.parquet")
    >>> found = smooth_k_anonymize_parquet(folder / "source", folder / "target", 2, rng=1)
    >>> found.rows, found.smallest_group >= 2, found.jaccard > 0
    (4, True, True)
    >>> pyarrow.parquet.read_table(folder / "target" / "groups").column_names
    ['row', 'group']
    """
    check_client(client)
    plan = make_plan(source, target, k, rows=rows, chunk_rows=chunk_rows, method=method, rng=rng)
    plan = begin(plan, any_seed=rng is None)
    manifest = Path(plan.target) / MANIFEST
    if manifest.is_file():
        return SmoothFiles(**json.loads(manifest.read_text())["found"])
    for folder in (plan.source, plan.target):
        check_shared(Path(folder), client)
    begun = time.monotonic()
    chunks = _shuffle(plan, client)
    shuffled = time.monotonic()
    parts = run_tasks(make_part, plan.target, chunks, client=client, label="chunks")
    seconds = {"shuffle": shuffled - begun, "chunks": time.monotonic() - shuffled}
    return _finish(plan, parts, seconds)


def _shuffle(plan: Plan, client: Any) -> list[Chunk]:
    """Cut all rows into chunks; keys that a former run has chosen are kept."""
    stored, numbers = plan.scratch / SPLITTERS, range(len(plan.files))
    if not stored.is_file():
        seen = run_tasks(survey, plan.target, numbers, client=client, label="first look")
        rows = sum(count for count, _ in seen)
        try:
            check_k(plan.k, rows)
        except ValueError:
            forget(plan)
            raise
        keys = np.concatenate([some for _, some in seen])
        with whole(stored) as out:
            np.save(out, splitters(keys, rows, plan.chunk_rows), allow_pickle=False)
    counts = np.zeros(len(np.load(stored)) + 1, dtype=np.int64)
    for some in run_tasks(scatter, plan.target, numbers, client=client, label="shuffle"):
        counts += some
    ranges = joined_ranges(counts, plan.k, plan.chunk_rows)
    before = np.concatenate([[0], np.cumsum(counts)]).tolist()
    return [(number, *ends, before[ends[0]]) for number, ends in enumerate(ranges)]


def _finish(plan: Plan, parts: Sequence[dict[str, int]], seconds: dict[str, float]) -> SmoothFiles:
    """Drop what was needed on the way, then say that the result is complete."""
    total = {name: sum(part[name] for part in parts) for name in parts[0]}
    total["smallest_group"] = min(part["smallest_group"] for part in parts)
    union = total["entries"] + total["created"]
    found = SmoothFiles(
        **total, target=plan.target, chunks=len(parts), jaccard=total["kept"] / union
    )
    target = Path(plan.target)
    scratch = sum(file.stat().st_size for file in plan.scratch.iterdir())
    shutil.rmtree(plan.scratch)
    for left in target.rglob(".*.tmp"):
        left.unlink(missing_ok=True)
    spent = {"seconds": seconds, "scratch_bytes": scratch}
    content = {"found": asdict(found), "spent": spent, "plan": asdict(plan), "parts": parts}
    write_json(target / MANIFEST, content)
    return found
