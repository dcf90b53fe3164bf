"""What a run over files is asked to do, written beside its results so that it can be resumed."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np

from pplab.anonymity.scale.chunks import CHUNK_METHODS
from pplab.anonymity.scale.edge_files import parquet_files, span_of
from pplab.anonymity.search.greedy import EFFORTS
from pplab.anonymity.smooth import TIES
from pplab.checks import as_rng, check_choice, check_integer, check_k
from pplab.checks.scale import (
    check_edges_inside,
    check_same_plan,
    check_target,
    check_whole_rows,
)

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
    k, chunk_rows, hashes, seed : int
    method, effort, ties : str
    """

    source: str
    target: str
    files: list[SourceFile]
    with_empty: bool
    wide: bool
    k: int
    chunk_rows: int
    hashes: int
    method: str
    effort: str
    ties: str
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
    hashes: int,
    method: str,
    effort: str,
    ties: str,
    rng: int | np.random.Generator | None,
) -> Plan:
    """Check all arguments, look at the footers of the files and write nothing yet."""
    check_choice("method", method, CHUNK_METHODS)
    check_choice("effort", effort, EFFORTS)
    check_choice("ties", ties, TIES)
    k = check_integer("k", k, minimum=2)
    if rows is not None:
        rows = check_integer("rows", rows, minimum=1)
        k = check_k(k, rows)
    chunk_rows = check_integer("chunk_rows", chunk_rows, minimum=k)
    hashes = check_integer("hashes", hashes, minimum=1)
    files, wide = files_of(Path(source).resolve(), rows)
    return Plan(
        source=str(Path(source).resolve()),
        target=str(Path(target).resolve()),
        files=files,
        with_empty=rows is not None,
        wide=wide,
        k=k,
        chunk_rows=chunk_rows,
        hashes=hashes,
        method=method,
        effort=effort,
        ties=ties,
        seed=int(as_rng(rng).integers(2**63)),
    )


def files_of(source: Path, rows: int | None) -> tuple[list[SourceFile], bool]:
    """Files with an edge by their rows, and whether items are wide; the footers are read."""
    spans = {file.name: span_of(file) for file in parquet_files(source)}
    filled = sorted((s.first, s.last, name) for name, s in spans.items() if s.edges)
    check_whole_rows([(name, first, last) for first, last, name in filled])
    check_edges_inside(rows, filled[-1][1] if filled else -1)
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
        found = Plan.read(target)
        asked = asdict(plan)
        if any_seed:
            del asked["seed"]
        check_same_plan(target, asdict(found), asked)
        plan = found
    else:
        check_target(target)
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
    """Write a file under another name and rename it."""
    aside = file.with_name(f".{file.name}.{uuid4().hex}.tmp")
    with aside.open("w") as out:
        json.dump(content, out, indent=1)
        out.flush()
        os.fsync(out.fileno())
    aside.replace(file)
