"""Smooth k-anonymity of edge lists in files, which never pass through one process."""

import json
import math
import os
import shutil
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from scipy import sparse
from tqdm.auto import tqdm

from pplab.checks import check_installed, shown
from pplab.compiled import in_threads, mixed
from pplab.files import whole
from pplab.smooth.vote import Published, publish_votes
from smoothbound import files as disk
from smoothbound.chunks import CHUNK_ROWS, chunk_labels, one_thread
from smoothbound.files import MANIFEST, EdgeRows, FileSummary, Plan, SourceFile

# One chunk of a run over files: its rows are anonymized and written as a part of the result.


Chunk = tuple[int, int, int, int]  # number, first range of keys, where they end, rows before


def make_part(target: str, chunk: Chunk) -> dict[str, int]:
    """Anonymize a chunk and write its edges and its groups; a finished part is left as it is.

    Files appear whole or not at all: where both are there, the part is finished.

    Returns
    -------
    dict
        Rows, entries, kept, created, groups, the rows of the smallest group, and empty rows.
    """
    plan = Plan.read(target)
    number, first, until, before = chunk
    edges, groups = plan.part("edges", number), plan.part("groups", number)
    if not (edges.is_file() and groups.is_file()):
        original = disk.read_ranges(plan, first, until)
        order = np.argsort(disk.keys_of(plan, original))
        table, items = _as_table(original, order)
        with one_thread():
            labels = chunk_labels(
                table, plan.k, number, method=plan.method, effort="fast", seed=plan.seed
            )
        published = publish_votes(table, labels, keep="half")
        _write_part(plan, number, original.rows[order], items, labels + before, published)
    return json.loads(disk.arrow("pyarrow.parquet").read_schema(groups).metadata[b"counts"])


def _as_table(edges: EdgeRows, order: np.ndarray) -> tuple[sparse.csr_array, np.ndarray]:
    """Rows in the order of their keys, in a table that has only columns in use, and their items."""
    items, columns = np.unique(edges.items, return_inverse=True)
    ones = np.ones(len(columns), dtype=np.int8)
    shape = (len(edges.rows), max(len(items), 1))
    table = sparse.csr_array((ones, columns.astype(np.int32), edges.indptr), shape=shape)
    return sparse.csr_array(table[order]), items


def _write_part(
    plan: Plan,
    number: int,
    rows: np.ndarray,
    items: np.ndarray,
    groups: np.ndarray,
    published: Published,
) -> None:
    pa = disk.arrow()
    by_row = np.argsort(rows)
    copy = sparse.csr_array(published.biadjacency[by_row])
    kind = pa.int64() if plan.wide else pa.int32()
    edges = {"row": np.repeat(rows[by_row], np.diff(copy.indptr)), "item": items[copy.indices]}
    fields = pa.schema([("row", pa.int64()), ("item", kind)])
    disk.write_table(plan.part("edges", number), pa.table(edges, schema=fields))
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
    disk.write_table(plan.part("groups", number), stored)


# The same task for many files or chunks: on the workers of dask, or in threads of this process.


Job = TypeVar("Job")
Result = TypeVar("Result")

_RETRIES = 3  # of a task that failed; a task whose worker died is given out again by dask itself
PATIENCE = 300.0  # seconds for which a step waits for a first worker


def _run_tasks(
    work: Callable[[str, Job], Result], target: str, jobs: Sequence[Job], *, client: Any, label: str
) -> list[Result]:
    """Results in the order of the jobs; it must not matter where, and how often, a job is done.

    Examples
    --------
    >>> _run_tasks(str.rjust, "a", [1, 2], client=None, label="padding")
    ['a', ' a']
    """
    task = partial(work, target)
    if client is None:
        disk.arrow()  # each thread would import it, otherwise, at the same time
        if len(jobs) == 1:  # in a thread too: an interruption must not end a search halfway
            with ThreadPoolExecutor(1) as pool:
                return [pool.submit(task, jobs[0]).result()]
        return in_threads(task, jobs, label=label)
    return _on_workers(task, jobs, client, label)


def _on_workers(
    task: Callable[[Job], Result], jobs: Sequence[Job], client: Any, label: str
) -> list[Result]:
    """The same on dask's workers, which give tasks of a worker that died to another."""
    dask = check_installed("dask[distributed]", module="distributed", extra="scale")
    gone = (TimeoutError, dask.KilledWorker, dask.CancelledError, dask.comm.CommClosedError)
    futures: list[Any] = []
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
        futures = client.map(task, jobs, pure=False, retries=_RETRIES)
        finished = dask.as_completed(futures)
        for future in tqdm(finished, total=len(jobs), desc=label, delay=5, leave=False):
            future.result()  # the first that failed ends all
        return client.gather(futures)
    except gone as lack:
        done = sum(future.status == "finished" for future in futures)
        raise RuntimeError(
            f"client must keep workers at work, got {str(lack)[:150]!r} with {done} of "
            f"{len(jobs)} tasks ({label}) done; start workers, with more memory if they ran out of "
            "it, then repeat the call: it goes on where it was"
        ) from lack
    except BaseException:
        client.cancel(futures)
        raise


def _check_client(client: Any) -> None:
    """Refuse what is neither None nor a client of dask."""
    if client is not None and not all(hasattr(client, name) for name in ("map", "gather", "run")):
        raise TypeError(
            f"client must be a dask.distributed.Client or None, got {shown(client)}; pass "
            "Client(cluster), or None for threads of this machine"
        )


def _check_shared(folder: str, client: Any) -> None:
    """Refuse a folder that some worker does not see."""
    answers = client.run(os.path.isdir, folder, on_error="ignore") if client is not None else {}
    if blind := [str(worker) for worker, sees in answers.items() if not sees]:
        raise FileNotFoundError(
            f"{folder!r} must be a folder that every worker sees, got {len(blind)} that do "
            f"not, the first {blind[0]}; put it on a file system that they share"
        )


@dataclass(frozen=True)
class SmoothFiles:
    """The numbers of a run over files.

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
        If an argument leaves its interval, or a file cannot be read, lists an entry twice, shares a
        row with another, lacks a column of whole numbers (``row`` and ``item``, not nested, int8 to
        int64 or uint8 to uint32), or is changed or replaced while the run lasts.
    FileNotFoundError, FileExistsError
        If source has no Parquet file, a worker does not see a folder, or target holds something
        else: other files, a run with other arguments or source files, or one that is at work.
    RuntimeError
        If a step finds no worker for five minutes, or workers die again and again at one task.
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
    _check_client(client)

    def look(folder: str, names: list[str]) -> list[FileSummary]:
        _check_shared(folder, client)
        return _run_tasks(disk.span_of, folder, names, client=client, label="files")

    plan = disk.make_plan(
        source, target, k, rows=rows, chunk_rows=chunk_rows, method=method, rng=rng, look=look
    )
    with disk.folder_lock(Path(plan.target)):
        plan = disk.begin(plan, any_seed=rng is None)
        manifest = Path(plan.target) / MANIFEST
        if manifest.is_file():
            return disk.read_json(manifest, lambda stored: SmoothFiles(**stored["found"]))
        _check_shared(plan.target, client)
        begun = time.monotonic()
        chunks = _shuffle(plan, client)
        shuffled = time.monotonic()
        parts = _run_tasks(make_part, plan.target, chunks, client=client, label="chunks")
        seconds = {"shuffle": shuffled - begun, "chunks": time.monotonic() - shuffled}
        return _finish(plan, parts, seconds)


def _shuffle(plan: Plan, client: Any) -> list[Chunk]:
    """Cut all rows into chunks; keys that a former run has chosen are kept."""
    stored, numbers = plan.scratch / disk.SPLITTERS, range(len(plan.files))
    if not stored.is_file():
        seen = _run_tasks(disk.survey, plan.target, numbers, client=client, label="first look")
        rows = sum(count for count, _ in seen)
        keys = np.concatenate([some for _, some in seen])
        with whole(stored) as out:
            np.save(out, disk.splitters(keys, rows, plan.chunk_rows), allow_pickle=False)
    counts = np.zeros(len(np.load(stored)) + 1, dtype=np.int64)
    for some in _run_tasks(disk.scatter, plan.target, numbers, client=client, label="shuffle"):
        counts += some
    ranges = disk.joined_ranges(counts, plan.k, plan.chunk_rows)
    before = np.concatenate([[0], np.cumsum(counts)]).tolist()
    return [(number, *ends, before[ends[0]]) for number, ends in enumerate(ranges)]


def _finish(plan: Plan, parts: Sequence[dict[str, int]], seconds: dict[str, float]) -> SmoothFiles:
    """Drop what was needed on the way, then say that the result is complete."""
    total = {name: sum(part[name] for part in parts) for name in parts[0]}
    total["smallest_group"] = min(part["smallest_group"] for part in parts)
    union = total["entries"] + total["created"]
    result = SmoothFiles(
        **total, target=plan.target, chunks=len(parts), jaccard=total["kept"] / union
    )
    target = Path(plan.target)
    scratch = sum(file.stat().st_size for file in plan.scratch.iterdir())
    shutil.rmtree(plan.scratch)
    for left in target.rglob(".*.tmp"):
        left.unlink(missing_ok=True)
    spent = {"seconds": seconds, "scratch_bytes": scratch}
    disk.write_json(target / MANIFEST, {"found": asdict(result), "spent": spent, "parts": parts})
    return result


# Whether files hold a smooth k-anonymous copy of other files, looked at chunk by chunk.


_PARTS = 8  # looked at together: every file of edges is read once for each such batch


@dataclass(frozen=True)
class FilesChecked:
    """The state of the files of a finished run, counted anew.

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
        NaN if a file could not be looked at.
    unreadable : str
        Which file is missing, damaged, foreign or not the one that the run has read, in a sentence;
        all else is then False. Empty if all could be looked at.
    """

    every_row_once: bool
    groups_large_enough: bool
    votes_right: bool
    jaccard: float
    unreadable: str = ""

    @property
    def holds(self) -> bool:
        """True if the published files are a smooth k-anonymous copy."""
        return self.every_row_once and self.groups_large_enough and self.votes_right


def verify_parquet(target: str | Path, *, client: Any = None) -> FilesChecked:
    """Check a finished run of `smooth_k_anonymize_parquet` against the files it read.

    Parameters
    ----------
    target : path
        Its folder, which may have been moved; its source must still be where it was.
    client : dask.distributed.Client or None

    Returns
    -------
    FilesChecked
        With ``holds`` False, and never an error, where files of the result or of the source are
        missing, damaged, changed or replaced.

    Raises
    ------
    TypeError, ValueError
        If target is no path, or client no client.
    FileNotFoundError
        If target is not the folder of a finished run.
    RuntimeError
        If workers stay away, see `smooth_k_anonymize_parquet`.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Definition 3.5, arXiv 2207.06358.

    Examples
    --------
    >>> import tempfile
    >>> from smoothbound.parquet import make_edges
    >>> from smoothbound import smooth_k_anonymize_parquet
    >>> folder = Path(tempfile.mkdtemp())
    >>> entries = make_edges(folder / "source", rows=200, items=60, files=3)
    >>> found = smooth_k_anonymize_parquet(folder / "source", folder / "target", 4, rng=1)
    >>> verify_parquet(folder / "target").holds
    True
    """
    _check_client(client)
    target = disk.as_folder("target", target)
    if not (target / MANIFEST).is_file():
        raise FileNotFoundError(
            f"target must be the folder of a finished run, got {str(target)!r} without "
            f"{MANIFEST}; repeat the call that made it, and it goes on where it was"
        )
    try:
        return _verified(target, client)
    except ValueError as error:
        return FilesChecked(False, False, False, math.nan, str(error))


def _verified(target: Path, client: Any) -> FilesChecked:
    """The state of the files; ValueError if one of them cannot be looked at."""
    plan = Plan.read(target)
    parts = range(disk.read_json(target / MANIFEST, lambda stored: len(stored["parts"])))
    for kind in ("edges", "groups"):
        names = {file.name for file in (target / kind).glob("*.parquet")}
        if other := names ^ {plan.part(kind, number).name for number in parts}:
            raise ValueError(f"{kind} must have {len(parts)} parts, got {min(other)} amiss")
    batches = [list(parts[first : first + _PARTS]) for first in range(0, len(parts), _PARTS)]
    looked = _run_tasks(_look, str(target), batches, client=client, label="verified")
    counts = _run_tasks(_rows, str(target), plan.files, client=client, label="rows")
    rows, prints, large, right, kept, unions = zip(*looked, strict=True)
    every, theirs = zip(*counts, strict=True)
    once = sum(rows) == sum(every) and (sum(prints) - sum(theirs)) % 2**64 == 0
    jaccard = sum(kept) / union if (union := sum(unions)) else math.nan
    return FilesChecked(once, all(large), all(right), jaccard)


def _rows(target: str, file: SourceFile) -> tuple[int, int]:
    """Rows of a file of the original, and the sum of their fingerprints."""
    rows = disk.edge_rows(Plan.read(target), file).rows
    return len(rows), _fingerprint(rows)


def _fingerprint(rows: np.ndarray) -> int:
    """Sum over rows of their scattered bits, modulo 2^64: the same in any order."""
    return int(mixed(rows.astype(np.uint64) + np.uint64(1)).sum())


def _look(target: str, numbers: list[int]) -> tuple[int, int, bool, bool, int, int]:
    """Count votes anew for some parts, from the files of the original.

    Returns
    -------
    tuple
        Rows and their fingerprint; whether each group has k rows and publishes what its votes say;
        entries kept, and all entries of the original and of the copy together.
    """
    plan = Plan.read(target)
    groups, published = (
        pd.concat([_frame(plan.part(kind, number), column) for number in numbers])
        for kind, column in (("groups", "group"), ("edges", "item"))
    )
    source = (_frame(Path(plan.source) / f.name, "item", checksum=f.sha256) for f in plan.files)
    entries = pd.concat([file[file["row"].isin(groups["row"])] for file in source])
    sizes = groups.groupby("group").size()
    have = entries.merge(groups, on="row").groupby(["group", "item"], as_index=False).size()
    won = have[2 * have["size"] >= have["group"].map(sizes)]
    expected = groups.merge(won, on="group")[["row", "item"]]
    order = ["row", "item"]
    right = np.array_equal(expected.sort_values(order), published.sort_values(order))
    kept, large = int(won["size"].sum()), bool(sizes.min() >= plan.k)
    union = len(entries) + len(expected) - kept
    return len(groups), _fingerprint(groups["row"].to_numpy()), large, right, kept, union


def _frame(file: Path, column: str, *, checksum: str | None = None) -> pd.DataFrame:
    rows, values = disk.read_columns(file, "row", column, checksum=checksum)
    return pd.DataFrame({"row": rows, column: values})


# Made edge lists of any size: each file follows from a seed and its number alone.


ROWS_IN_BLOCK, ITEMS_IN_BLOCK = 200, 20
MEAN_LOG, SPREAD_LOG = 2.3, 0.7  # of the degrees: 10 in the middle, a few above 60
INSIDE = 0.9  # chance that an entry is one of the block's items
_SEED = 1
_PRIMES = np.array([2_654_435_761, 40_503, 2_246_822_519], dtype=np.uint64)


def make_edges(
    folder: str | Path, *, rows: int, items: int, files: int, client: object = None
) -> int:
    """Write files of edges of a table with blocks, each by itself, and count the entries.

    Parameters
    ----------
    folder : path
        Made if it is not there; all workers see it.
    rows, items, files : int
        Rows and items of the table, and how many files hold them, in equal ranges of rows.
    client : dask.distributed.Client or None

    Returns
    -------
    int

    Examples
    --------
    >>> import tempfile
    >>> make_edges(tempfile.mkdtemp(), rows=100, items=50, files=2) > 500
    True
    """
    Path(folder).mkdir(parents=True, exist_ok=True)
    ends = np.linspace(0, rows, files + 1).astype(int).tolist()
    jobs = [(rows, items, _SEED, *limits) for limits in pairwise(ends)]
    return sum(_run_tasks(_write_made, str(folder), jobs, client=client, label="made edges"))


def _write_made(folder: str, job: tuple[int, int, int, int, int]) -> int:
    rows, items = made_rows(*job)
    table = disk.arrow().table({"row": rows, "item": items.astype(np.int32)})
    disk.write_table(Path(folder) / f"part-{job[3]:012d}.parquet", table)
    return len(rows)


def made_rows(
    rows: int, items: int, seed: int, first: int, until: int
) -> tuple[np.ndarray, np.ndarray]:
    """Draw the edges of some rows, ascending; one row in about 2,000 has none.

    A row belongs to a block of uneven size and has as many entries as a lognormal number says:
    most are items of its block, the first ones more often, the others popular items of all.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(first, until)))
    count = until - first
    blocks = (max(rows // ROWS_IN_BLOCK, 1) * rng.random(count) ** 1.5).astype(np.uint64)
    degrees = np.floor(rng.lognormal(MEAN_LOG, SPREAD_LOG, count)).astype(np.int64)
    owner = np.repeat(np.arange(count), np.minimum(degrees, items // 2))
    place = (ITEMS_IN_BLOCK * rng.random(len(owner)) ** 2).astype(np.uint64)
    inside = blocks[owner] * _PRIMES[0] + place * _PRIMES[1] + np.uint64(seed)
    inside = (inside ^ (inside >> np.uint64(15))) * _PRIMES[2] >> np.uint64(13)
    popular = (items * rng.random(len(owner)) ** 2).astype(np.int64)
    in_block = rng.random(len(owner)) < INSIDE
    item = np.where(in_block, (inside % np.uint64(items)).astype(np.int64), popular)
    edges = np.unique((owner + first) * items + item)  # an item that was drawn twice is one entry
    return edges // items, edges % items
