"""Edge lists in Parquet files: columns row and item, whole rows in each file."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from uuid import uuid4

import numpy as np

from pplab._compiled import mixed, njit
from pplab.checks import as_rng, check_choice, check_installed, check_integer, check_k
from pplab.smooth.chunks import CHUNK_METHODS, HASHES, order_keys


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


def _span_of(file: Path) -> Span:
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
    found = _rows_of_edges(rows, items, name=file.name)
    if within is None:
        return found
    every = np.arange(*within)
    indptr = np.zeros(len(every) + 1, dtype=np.int64)
    indptr[found.rows - within[0] + 1] = np.diff(found.indptr)
    return EdgeRows(every, np.cumsum(indptr), found.items)


def _rows_of_edges(rows: np.ndarray, items: np.ndarray, *, name: str) -> EdgeRows:
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


# What a run over files is asked to do, written beside its results so that it can be resumed.


PLAN, MANIFEST, SCRATCH = "plan.json", "manifest.json", "scratch"


@dataclass(frozen=True)
class SourceFile:
    """A file of edges and the rows it answers for: from ``first``, up to and without ``until``."""

    name: str
    first: int
    until: int
    edges: int


@dataclass(frozen=True)
class Plan:
    """Arguments of a run over files, all that its tasks need to know.

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
    def read(cls, target: str | Path) -> Plan:
        """Read the plan of a run from its folder."""
        stored = json.loads((Path(target) / PLAN).read_text())
        return cls(**stored | {"files": [SourceFile(**file) for file in stored["files"]]})

    @property
    def scratch(self) -> Path:
        """Folder of what is needed only while the run lasts."""
        return Path(self.target) / SCRATCH

    def run_file(self, number: int) -> Path:
        """Where the rows of a file of edges lie, cut into chunks."""
        return self.scratch / f"run-{number:05d}.arrow"

    def part(self, kind: str, number: int) -> Path:
        """Where a chunk's published edges, or its groups, belong."""
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
) -> Plan:
    """Check all arguments, look at the footers of the files and write nothing yet."""
    check_choice("method", method, CHUNK_METHODS)
    k = check_integer("k", k, minimum=2)
    if rows is not None:
        rows = check_integer("rows", rows, minimum=1)
        k = check_k(k, rows)
    chunk_rows = check_integer("chunk_rows", chunk_rows, minimum=k)
    files, wide = _files_of(Path(source).resolve(), rows)
    return Plan(
        source=str(Path(source).resolve()),
        target=str(Path(target).resolve()),
        files=files,
        with_empty=rows is not None,
        wide=wide,
        k=k,
        chunk_rows=chunk_rows,
        method=method,
        seed=int(as_rng(rng).integers(2**63)),
    )


def _files_of(source: Path, rows: int | None) -> tuple[list[SourceFile], bool]:
    """Files with an edge by their rows, and whether items are wide; the footers are read."""
    spans = {file.name: _span_of(file) for file in parquet_files(source)}
    filled = sorted((s.first, s.last, name) for name, s in spans.items() if s.edges)
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
            f"{filled[-1][1]}; pass a larger count, or None where rows without an entry do not "
            "matter"
        )
    starts = [first for first, _, _ in filled]
    if rows is not None:  # rows without an edge belong to the file before them
        starts[:1] = [0]
    ends = [last + 1 for _, last, _ in filled] if rows is None else [*starts[1:], rows]
    files = [
        SourceFile(name, first, until, spans[name].edges)
        for (_, _, name), first, until in zip(filled, starts, ends, strict=True)
    ]
    return files, any(span.wide for span in spans.values())


def begin(plan: Plan, *, any_seed: bool) -> Plan:
    """Write the plan into its folder, or take up the one that lies there if it is the same."""
    target = Path(plan.target)
    if (target / PLAN).is_file():
        found, asked = Plan.read(target), asdict(plan)
        if any_seed:
            del asked["seed"]
        other = [name for name, value in asked.items() if asdict(found)[name] != value]
        if other:
            raise FileExistsError(
                f"target {str(target)!r} must belong to a run with the same arguments, got another "
                f"{' and another '.join(other)}; repeat the call as it was, or choose another "
                "folder"
            )
        plan = found
    else:
        if target.is_file() or any(entry.suffix != ".tmp" for entry in target.glob("*")):
            raise FileExistsError(
                f"target must be an empty or a new folder, or one of an interrupted run, got "
                f"{str(target)!r} with other things in it; choose another"
            )
        target.mkdir(parents=True, exist_ok=True)
        write_json(target / PLAN, asdict(plan))
    if not (target / MANIFEST).is_file():
        for folder in (plan.scratch, target / "edges", target / "groups"):
            folder.mkdir(exist_ok=True)
    return plan


def forget(plan: Plan) -> None:
    """Take back what `begin` wrote, so that the folder is free for another call."""
    for folder in (plan.scratch, Path(plan.target) / "edges", Path(plan.target) / "groups"):
        shutil.rmtree(folder)
    (Path(plan.target) / PLAN).unlink()


def write_json(file: Path, content: Any) -> None:
    """Write a file of JSON, whole or not at all."""
    with whole(file) as out:
        out.write(json.dumps(content, indent=1).encode())


# First look at a file of edges: how many rows there are, and the keys of some of them.


_LOOKED_AT = 400  # rows for each chunk, which puts its size 5 % off, as a standard deviation


def survey(target: str, number: int) -> tuple[int, np.ndarray]:
    """Count the rows of a file and give the keys of some.

    Whether a row is looked at depends on its number alone: how rows are cut into files changes
    nothing.
    """
    plan = Plan.read(target)
    found = _rows_of_file(plan, number)
    share = min(1.0, _LOOKED_AT / plan.chunk_rows)
    drawn = np.random.SeedSequence(plan.seed, spawn_key=(0, 0)).generate_state(1, np.uint64)[0]
    looked_at = np.flatnonzero(_chosen(found.rows, drawn, np.uint64(share * (2**64 - 2**12))))
    return len(found.rows), keys_of(plan, found, looked_at)


def _rows_of_file(plan: Plan, number: int) -> EdgeRows:
    """Rows of a file, with those without an edge where they count."""
    file = plan.files[number]
    within = (file.first, file.until) if plan.with_empty else None
    return read_rows(Path(plan.source) / file.name, within=within)


def keys_of(plan: Plan, found: EdgeRows, places: np.ndarray | None = None) -> np.ndarray:
    """Keys by which rows are put in order, of all rows or of some."""
    rows, indptr, items = found
    if places is not None:
        lengths = np.diff(indptr)[places]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        inside = np.arange(starts[-1]) - np.repeat(starts[:-1], lengths)
        items = items[np.repeat(indptr[:-1][places], lengths) + inside]
        rows, indptr = rows[places], starts
    return order_keys(indptr, items, rows, hashes=HASHES, seed=plan.seed)


def splitters(keys: np.ndarray, rows: int, chunk_rows: int) -> np.ndarray:
    """Keys that cut all rows into chunks of about the wanted size.

    Examples
    --------
    >>> splitters(np.array([b"c", b"a", b"d", b"b"]), 100, 50)
    array([b'c'], dtype='|S1')
    """
    ranges = max(1, round(rows / chunk_rows))
    places = np.arange(1, ranges) * len(keys) // ranges
    return np.sort(keys)[places]


@njit(nogil=True)
def _chosen(rows: np.ndarray, drawn: np.uint64, below: np.uint64) -> np.ndarray:
    chosen = np.empty(len(rows), dtype=np.bool_)
    for place in range(len(rows)):
        chosen[place] = mixed(mixed(np.uint64(rows[place]) + np.uint64(1)) ^ drawn) <= below
    return chosen


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
        found = _rows_of_file(plan, number)
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
