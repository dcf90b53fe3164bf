"""What a run over files is asked to do, written beside its results so that it can be resumed."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from pplab.anonymity.scale.chunks import CHUNK_METHODS
from pplab.anonymity.scale.edge_files import parquet_files, span_of, whole
from pplab.checks import as_rng, check_choice, check_integer, check_k

__all__ = [
    "MANIFEST",
    "PLAN",
    "Plan",
    "SourceFile",
    "begin",
    "files_of",
    "forget",
    "make_plan",
    "write_json",
]

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
    files, wide = files_of(Path(source).resolve(), rows)
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


def files_of(source: Path, rows: int | None) -> tuple[list[SourceFile], bool]:
    """Files with an edge by their rows, and whether items are wide; the footers are read."""
    spans = {file.name: span_of(file) for file in parquet_files(source)}
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
