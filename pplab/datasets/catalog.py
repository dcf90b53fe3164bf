"""The catalogue of data sets: who owns them, on which terms, what is known of their files.

It is read from ``catalog.toml`` beside this module, or from the file that the environment
variable ``PPLAB_CATALOG`` names (a mirror at a school, or a test).
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from pplab.checks import check_choice

__all__ = ["Entry", "Member", "catalog", "entry"]


@dataclass(frozen=True)
class Member:
    """One file of a data set; sha256 and lines are None where they are not known.

    `numbers` is the checksum of what the file says, where people make the file themselves from
    what its owner offers, so that no two files are alike.
    """

    name: str
    sha256: str | None = None
    numbers: str | None = None
    lines: int | None = None
    needed: bool = True


@dataclass(frozen=True)
class Entry:
    """What the catalogue says of one data set."""

    name: str
    title: str
    home: str
    terms: str
    citation: str
    doi: str = ""
    folder: str = ""
    download: str = ""
    archive_folder: str = ""
    by_hand: str = ""
    reader: str = ""
    missing: str = ""
    standin: bool = False
    never: bool = False
    members: dict[str, Member] = field(default_factory=dict)
    statistics: dict[str, Any] = field(default_factory=dict)
    measured: dict[str, Any] = field(default_factory=dict)


def catalog() -> dict[str, Entry]:
    """Give all data sets by name, in the order of the catalogue."""
    named = os.environ.get("PPLAB_CATALOG")
    path = Path(named) if named else Path(__file__).with_name("catalog.toml")
    if not path.is_file():
        raise FileNotFoundError(
            f"PPLAB_CATALOG must name a catalogue file, got {str(path)!r}; unset it for our own"
        )
    return dict(_read(path, path.stat().st_mtime_ns))


def entry(name: str) -> Entry:
    """Give what the catalogue says of one data set.

    Examples
    --------
    >>> entry("movielens-100k").statistics["ratings"]
    100000
    """
    known = catalog()
    return known[check_choice("name", name, known)]


@lru_cache(maxsize=4)
def _read(path: Path, _changed: int) -> dict[str, Entry]:
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return {name: _entry(name, table) for name, table in tables.items()}


def _entry(name: str, table: dict[str, Any]) -> Entry:
    members = {
        member: Member(member, **facts) for member, facts in table.pop("members", {}).items()
    }
    return Entry(name=name, members=members, **{"folder": name, **table})
