"""Stored results: one JSON file per part, written whole or not at all."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from pplab.datasets.catalog import Dataset


@dataclass(frozen=True)
class Result:
    """What a run of a part measured, and all that is needed to judge and repeat it."""

    paper: str
    part: str
    source: str
    seed: int | None
    options: dict[str, Any]
    checksums: dict[str, str]
    versions: dict[str, str]
    rules_commit: str
    rules: dict[str, dict[str, str]]
    seconds: float
    rows: list[dict[str, Any]]

    @property
    def frame(self) -> pd.DataFrame:
        """The measured rows as the experiment gave them."""
        return pd.DataFrame(self.rows)


def results_folder() -> Path:
    """Folder of the results: PPLAB_RESULTS, else data/results of the clone."""
    named = os.environ.get("PPLAB_RESULTS")
    return Path(named) if named else project_results()


def project_results() -> Path:
    """Folder of the committed results: data/results of the clone."""
    return Path(__file__).parents[2] / "data" / "results"


def read_result(paper: str, part: str, folder: Path | None = None) -> Result | None:
    """Read the stored result of a part; None where there is none."""
    file = _file(paper, part, folder)
    if not file.is_file():
        return None
    try:
        return Result(**json.loads(file.read_text(encoding="utf-8")))
    except (json.JSONDecodeError, TypeError) as error:
        raise ValueError(
            f"{file} is no stored result ({error}); "
            f"rerun it with: pplab reproduce {paper} --part {part}"
        ) from error


def write_result(result: Result, folder: Path | None = None) -> Path:
    """Write a result: the file is complete or absent, whatever happens meanwhile."""
    fields = asdict(result)
    rows = fields.pop("rows")
    head = json.dumps(fields, indent=1, ensure_ascii=False, allow_nan=True)
    lines = ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in rows)
    text = f'{head[:-2]},\n "rows": [\n{lines}\n ]\n}}\n'
    return write_atomically(_file(result.paper, result.part, folder), text)


def write_atomically(file: Path, text: str) -> Path:
    """Write beside the file and move into its place in one step."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        Path(name).chmod(0o644)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return file


def _file(paper: str, part: str, folder: Path | None) -> Path:
    return (folder or results_folder()) / paper / f"{part}.json"


# Where a result comes from: files read, versions, and the commit of the rules.

_PUBLISHED = Path(__file__).parent / "published"


def checksums_of(data: Mapping[str, Dataset]) -> dict[str, str]:
    """Checksum of each file that was read."""
    return {
        f"{dataset.name}/{member}": checksum
        for dataset in data.values()
        for member, checksum in dataset.checksums.items()
    }


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that a number depends on."""
    names = ("numpy", "scipy", "pandas", "numba", "pplab")
    return {"python": platform.python_version()} | {
        name: importlib.metadata.version(name) for name in names
    }


def rules_commit(paper: str) -> str:
    """Commit that last changed the rules of a paper: they must stand before the run."""
    file = str(_PUBLISHED / f"{paper}.csv")
    try:
        if _git("status", "--porcelain", "--", file):
            return "uncommitted"
        return _git("log", "-1", "--format=%H", "--", file)
    except (OSError, subprocess.CalledProcessError):
        return "unknown: not in a git clone"


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(_PUBLISHED), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
