"""Where a result comes from: files read, versions, and the commit of the rules."""

from __future__ import annotations

import importlib.metadata
import platform
import subprocess
from collections.abc import Mapping
from pathlib import Path

from pplab.datasets.catalog import Dataset

__all__ = ["checksums_of", "rules_commit", "versions"]

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
