"""Edge lists in Parquet files: columns row and item, whole rows in each file."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from pplab.checks import as_rng, check_choice, check_installed, check_integer, check_k, shown
from pplab.compiled import mixed
from pplab.files import whole
from smoothbound.chunks import CHUNK_METHODS, HASHES, order_keys


class FileSummary(NamedTuple):
    """Summary of a file: smallest and largest row, number of rows, type of items, checksum."""

    first: int
    last: int
    rows: int
    wide: bool
    sha256: str


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


def as_folder(name: str, value: Any) -> Path:
    """Turn an argument into the full path of a folder, which need not exist."""
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{name} must be the path of a folder, got {shown(value)}")
    if not str(value) or "\0" in str(value):
        raise ValueError(f"{name} must be the path of a folder, got {str(value)[:40]!r}")
    return Path(value).resolve()


def parquet_files(folder: Path) -> list[Path]:
    """Parquet files of a folder by name; a folder without one is refused."""
    if not (files := sorted(folder.glob("*.parquet"))):
        raise FileNotFoundError(
            f"source must be a folder of Parquet files, got {str(folder)!r} with none; write the "
            "edges to files named for example part-00000.parquet"
        )
    return files


def span_of(folder: str, name: str) -> FileSummary:
    """Read a file once before anything is written, and refuse unusable ones."""
    file = Path(folder) / name
    with _naming_file(file):
        checksum = sha256_of(file)
    rows, _, items = read_rows(file, checksum=checksum)
    first, last = (int(rows[0]), int(rows[-1])) if len(rows) else (0, -1)
    return FileSummary(first, last, len(rows), items.dtype == np.int64, checksum)


def sha256_of(file: Path) -> str:
    """Checksum of all bytes; it takes a hundredth of the time that the rows of a file take."""
    return sha256(file.read_bytes()).hexdigest()


def read_rows(file: Path, *, checksum: str | None = None) -> EdgeRows:
    """Read the rows of a file whose checksum must match; refuse an edge that is listed twice."""
    rows, items = read_columns(file, "row", "item", checksum=checksum)
    steps = np.diff(rows)
    if not ((steps > 0) | ((steps == 0) & (np.diff(items) > 0))).all():
        order = np.lexsort((items, rows))
        rows, items = rows[order], items[order]
        same = (np.diff(rows) == 0) & (np.diff(items) == 0)
        if same.any():
            place = int(np.argmax(same))
            raise ValueError(
                f"{file.name} must list each entry once, got row {rows[place]} with item "
                f"{items[place]} twice; drop duplicates"
            )
    starts = np.flatnonzero(np.diff(rows, prepend=-1))
    return EdgeRows(rows[starts], np.append(starts, len(rows)), items)


_WHOLE = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32")


def read_columns(file: Path, *names: str, checksum: str | None = None) -> list[np.ndarray]:
    """Read columns of whole numbers from 0, of 64 bits or, all but `row`, of 32 where that does.

    The bytes are read once: what is looked at is what the checksum was compared with.
    """
    with _naming_file(file):
        content = file.read_bytes()
        if checksum not in (None, sha256(content).hexdigest()):
            raise ValueError(
                f"{file.name} must stay as it was when the run began, got other content; put the "
                "file back and repeat the call, or choose another target"
            )
        stored = arrow("pyarrow.parquet").ParquetFile(arrow().BufferReader(content))
        fields = list(stored.schema_arrow)
        kinds = {name: [str(f.type) for f in fields if f.name == name] for name in names}
        if not all(len(kind) == 1 and kind[0] in _WHOLE for kind in kinds.values()):
            raise _unfit(file, names, shown(kinds))
        table = stored.read(columns=list(names), use_threads=False)
        if missing := sum(table[name].null_count for name in names):
            raise _unfit(file, names, f"{missing} missing")
        columns = {name: table[name].to_numpy() for name in names}
    if len(table) and (least := min(column.min() for column in columns.values())) < 0:
        raise _unfit(file, names, int(least))
    least_bits = {"row": np.int64}
    return [
        column.astype(np.promote_types(column.dtype, least_bits.get(name, np.int32)), copy=False)
        for name, column in columns.items()
    ]


def _unfit(file: Path, names: tuple[str, ...], got: object) -> ValueError:
    return ValueError(
        f"{file.name} must have one column {' and one column '.join(names)} of whole numbers from "
        f"0, of at most 63 bits, got {got}; write one line per entry of the table"
    )


@contextmanager
def _naming_file(file: Path) -> Iterator[None]:
    """Say of which file a library says that it cannot be read."""
    try:
        yield
    except (arrow().ArrowException, OSError, UnicodeDecodeError, LookupError) as error:
        raise ValueError(
            f"{file.name} cannot be read as a Parquet file, it may be cut short "
            f"({str(error)[:120]!r}); write it again or take it out of the folder"
        ) from error


def write_table(file: Path, table: Any) -> None:
    """Write a Parquet file, whole or not at all."""
    with whole(file) as out:
        arrow("pyarrow.parquet").write_table(table, out)


# The arguments of a run over files, written beside its results so that it can be resumed.


PLAN, MANIFEST, SCRATCH, LOCK = "plan.json", "manifest.json", "scratch", ".lock"

Built = TypeVar("Built")


@dataclass(frozen=True)
class SourceFile:
    """A file of edges and the rows it answers for: from ``first``, up to and without ``until``.

    Every later read compares its bytes with the checksum: a copy of the file serves as well.
    """

    name: str
    first: int
    until: int
    sha256: str


@dataclass(frozen=True)
class Plan:
    """Arguments that the tasks of a run over files need.

    Attributes
    ----------
    source, target : str
    files : list of SourceFile
    with_empty : bool
        Whether rows without an edge are rows.
    wide : bool
        Whether items need 64 bits.
    k, chunk_rows, seed : int
    method : str
    """

    source: str
    target: str
    files: list[SourceFile]
    with_empty: bool
    wide: bool
    k: int
    chunk_rows: int
    method: str
    seed: int

    @classmethod
    def read(cls, target: str | Path) -> "Plan":
        """Read the plan of a run from its folder, which may have been moved."""

        def build(stored: dict[str, Any]) -> Plan:
            files = [SourceFile(**file) for file in stored["files"]]
            return cls(**stored | {"files": files, "target": str(target)})

        return read_json(Path(target) / PLAN, build)

    @property
    def scratch(self) -> Path:
        """Folder of temporary files of a run."""
        return Path(self.target) / SCRATCH

    def run_file(self, number: int) -> Path:
        """File of the rows of a file of edges, cut into chunks."""
        return self.scratch / f"run-{number:05d}.arrow"

    def part(self, kind: str, number: int) -> Path:
        """File of a chunk's published edges, or of its groups."""
        return Path(self.target) / kind / f"part-{number:05d}.parquet"


def make_plan(
    source: str | Path,
    target: str | Path,
    k: int,
    *,
    rows: int | None,
    chunk_rows: int,
    method: str,
    rng: int | np.random.Generator | None,
    look: Callable[[str, list[str]], list[FileSummary]],
) -> Plan:
    """Check all arguments, look at the files (`span_of` of each) and write nothing yet."""
    folder, target = as_folder("source", source), as_folder("target", target)
    check_choice("method", method, CHUNK_METHODS)
    k = check_integer("k", k, minimum=2, maximum=2**63 - 1)
    if rows is not None:
        rows = check_integer("rows", rows, minimum=1, maximum=2**63 - 1)
    chunk_rows = min(check_integer("chunk_rows", chunk_rows, minimum=k), 2**63 - 1)
    seed = int(as_rng(rng).integers(2**63))
    names = [file.name for file in parquet_files(folder)]
    spans = dict(zip(names, look(str(folder), names), strict=True))
    files = _files_of(spans, rows)
    return Plan(
        source=str(folder),
        target=str(target),
        files=files,
        with_empty=rows is not None,
        wide=any(span.wide for span in spans.values()),
        k=check_k(k, rows or sum(span.rows for span in spans.values())),
        chunk_rows=chunk_rows,
        method=method,
        seed=seed,
    )


_MOST_ROWS = 10**8  # of a file, with those without an entry: their keys alone take 8 GB


def _files_of(spans: dict[str, FileSummary], rows: int | None) -> list[SourceFile]:
    """Files with an edge, by their rows."""
    filled = sorted((s.first, s.last, name) for name, s in spans.items() if s.rows)
    for (_, last, one), (first, _, other) in pairwise(filled):
        if not first > last:
            raise ValueError(
                f"source must have each row in one file, all files in ranges of their own, got "
                f"{one} up to row {last} and {other} from row {first}; sort the edges by row "
                "before they are cut into files"
            )
    if not filled:
        raise ValueError("source must hold at least one entry, got none; write edges to its files")
    if rows is not None and not filled[-1][1] < rows:
        raise ValueError(
            f"rows must count all rows, numbered from 0, got {rows} and an entry of row "
            f"{filled[-1][1]} in {filled[-1][2]}; pass a larger count, or None where rows without "
            "an entry do not matter"
        )
    starts = [first for first, _, _ in filled]
    if rows is not None:  # rows without an edge belong to the file before them
        starts[:1] = [0]
    ends = [last + 1 for _, last, _ in filled] if rows is None else [*starts[1:], rows]
    if rows is not None and max(np.subtract(ends, starts, dtype=object)) > _MOST_ROWS:
        raise ValueError(
            f"rows must be at most {_MOST_ROWS} to a file, those without an entry among them, got "
            f"{rows} and too few files; pass a smaller count, or cut the edges into more files"
        )
    return [
        SourceFile(name, first, until, spans[name].sha256)
        for (_, _, name), first, until in zip(filled, starts, ends, strict=True)
    ]


@contextmanager
def folder_lock(target: Path) -> Iterator[None]:
    """Lock a folder against other runs; the kernel releases the lock when this process ends."""
    from filelock import FileLock, Timeout

    if (target / MANIFEST).is_file():
        yield  # a finished run is only looked at
        return
    lock = FileLock(target / LOCK, timeout=0)
    try:
        target.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except (FileExistsError, NotADirectoryError, Timeout) as error:
        state = "in use by another run" if isinstance(error, Timeout) else "a file"
        raise _not_free(target, state) from error
    try:
        yield
    finally:
        if os.name == "posix":  # elsewhere an open file cannot be removed
            (target / LOCK).unlink(missing_ok=True)
        lock.release()


def begin(plan: Plan, *, any_seed: bool) -> Plan:
    """Write the plan into its folder, or continue an identical one found there."""
    target = Path(plan.target)
    if (target / PLAN).is_file():
        earlier = Plan.read(target)
        settings, begun = asdict(plan), asdict(earlier)
        if any_seed:
            del settings["seed"]
        other = [name for name, value in settings.items() if begun[name] != value]
        if "files" in other:
            ours, earlier_files = ({(f.name, f.sha256) for f in p.files} for p in (plan, earlier))
            other[other.index("files")] = min(ours ^ earlier_files, default=("number of rows",))[0]
        if other:
            raise FileExistsError(
                f"target {str(target)!r} must belong to a run with the same arguments and source "
                f"files, got another {' and another '.join(other)}; repeat the call as it was, or "
                "choose another folder"
            )
        plan = earlier
    else:
        if any(entry.suffix != ".tmp" and entry.name != LOCK for entry in target.glob("*")):
            raise _not_free(target, "with other things in it")
        write_json(target / PLAN, asdict(plan))
    if not (target / MANIFEST).is_file():
        for folder in (plan.scratch, target / "edges", target / "groups"):
            folder.mkdir(exist_ok=True)
    return plan


def _not_free(target: Path, state: str) -> FileExistsError:
    return FileExistsError(
        f"target must be an empty or a new folder, or one of an interrupted run, got "
        f"{str(target)!r}, {state}; choose another, or wait until that run has ended"
    )


def write_json(file: Path, content: Any) -> None:
    """Write a file of JSON, whole or not at all."""
    with whole(file) as out:
        out.write(json.dumps(content, indent=1).encode())


def read_json(file: Path, build: Callable[[Any], Built]) -> Built:
    """Build an object from a JSON file, or say which file is invalid."""
    try:
        return build(json.loads(file.read_bytes()))
    except (OSError, ValueError, TypeError, LookupError) as error:
        raise ValueError(
            f"{file} must be as a run of this version wrote it, got something else "
            f"({str(error)[:120]!r}); choose another target and repeat the call"
        ) from error


# First look at a file of edges: how many rows there are, and the keys of some of them.


_LOOKED_AT = 400  # rows for each chunk, which puts its size 5 % off, as a standard deviation


def survey(target: str, number: int) -> tuple[int, np.ndarray]:
    """Count the rows of a file and give the keys of some.

    Whether a row is looked at depends on its number alone: how rows are cut into files changes
    nothing.
    """
    plan = Plan.read(target)
    edges = edge_rows(plan, plan.files[number])
    share = min(1.0, _LOOKED_AT / plan.chunk_rows)
    salt = np.random.SeedSequence(plan.seed, spawn_key=(0, 0)).generate_state(1, np.uint64)[0]
    words = mixed(mixed(edges.rows.astype(np.uint64) + np.uint64(1)) ^ salt)
    looked_at = words <= np.uint64(share * (2**64 - 2**12))
    lengths = np.diff(edges.indptr)
    indptr = np.concatenate([[0], np.cumsum(lengths[looked_at])])
    items = edges.items[np.repeat(looked_at, lengths)]
    return len(edges.rows), keys_of(plan, EdgeRows(edges.rows[looked_at], indptr, items))


def edge_rows(plan: Plan, file: SourceFile) -> EdgeRows:
    """Rows of a file, with those without an edge where they count; the file must be the same."""
    edges = read_rows(Path(plan.source) / file.name, checksum=file.sha256)
    if not plan.with_empty:
        return edges
    every = np.arange(file.first, file.until)
    indptr = np.zeros(len(every) + 1, dtype=np.int64)
    indptr[edges.rows - file.first + 1] = np.diff(edges.indptr)
    return EdgeRows(every, np.cumsum(indptr), edges.items)


def keys_of(plan: Plan, edges: EdgeRows) -> np.ndarray:
    """Keys by which rows are put in order."""
    return order_keys(edges.indptr, edges.items, edges.rows, hashes=HASHES, seed=plan.seed)


def splitters(keys: np.ndarray, rows: int, chunk_rows: int) -> np.ndarray:
    """Keys that cut all rows into chunks of about the wanted size.

    Examples
    --------
    >>> splitters(np.array([b"c", b"a", b"d", b"b"]), 100, 50)
    array([b'c'], dtype='|S1')
    """
    ranges = max(1, round(rows / chunk_rows))
    return np.sort(keys)[np.arange(1, ranges) * len(keys) // ranges]


# The shuffle: each file's rows are cut at the same keys, each chunk gathers its pieces.


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
        edges = edge_rows(plan, plan.files[number])
        at = np.load(plan.scratch / SPLITTERS)
        _write_pieces(out, edges, np.searchsorted(at, keys_of(plan, edges), "right"), len(at) + 1)
    with arrow().memory_map(str(out)) as stored:  # only the sizes are read
        pieces = arrow("pyarrow.ipc").open_file(stored)
        counts = [pieces.get_batch(place).num_rows for place in range(pieces.num_record_batches)]
    return np.array(counts, dtype=np.int64)


def _write_pieces(out: Path, edges: EdgeRows, piece_of: np.ndarray, pieces: int) -> None:
    pa = arrow()
    items = pa.LargeListArray.from_arrays(edges.indptr, edges.items)
    rows = pa.record_batch([pa.array(edges.rows), items], names=["row", "items"])
    order = np.argsort(piece_of, kind="stable")
    ends = np.cumsum(np.bincount(piece_of, minlength=pieces))
    with whole(out) as file, arrow("pyarrow.ipc").new_file(file, rows.schema) as writer:
        for places in np.split(order, ends[:-1]):
            writer.write_batch(rows.take(pa.array(places)))


def joined_ranges(counts: np.ndarray, k: int, chunk_rows: int) -> list[tuple[int, int]]:
    """Ranges that make a chunk: as many as give it k rows and half of the wanted size.

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
    return [*chunks[:-1], (chunks[-1][0], len(counts))]  # the rest joins the last


def read_ranges(plan: Plan, first: int, until: int) -> EdgeRows:
    """Read the pieces of some ranges from every file, and nothing else."""
    batches = []
    for number in range(len(plan.files)):
        with arrow().OSFile(str(plan.run_file(number))) as stored:
            pieces = arrow("pyarrow.ipc").open_file(stored)
            batches += [pieces.get_batch(place) for place in range(first, until)]
    table = arrow().Table.from_batches(batches)
    lists = table["items"].combine_chunks()
    indptr = np.concatenate([[0], np.cumsum(lists.value_lengths().to_numpy())])
    return EdgeRows(table["row"].to_numpy(), indptr, lists.flatten().to_numpy())
