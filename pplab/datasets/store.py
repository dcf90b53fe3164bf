"""Where data lie on this machine, and whether a file is the one its owner published.

Looked at in this order: the folder given as ``root`` (then nothing else), the folder that
``PPLAB_DATA`` names, the download cache (``PPLAB_CACHE``, or the user's cache folder).
"""

from __future__ import annotations

import hashlib
import os
from functools import lru_cache
from pathlib import Path

from pplab.datasets.catalog import Member, entry

__all__ = [
    "DataFileError",
    "cache_root",
    "check_member",
    "data_root",
    "find_member",
    "fresh_copy",
    "known_member",
    "member_in",
    "places",
    "sha256_of",
]


class DataFileError(ValueError):
    """A data file that is cut short, changed or malformed; the text names file and line."""


def cache_root() -> Path:
    """Folder into which `pplab data fetch` puts finished downloads."""
    if named := os.environ.get("PPLAB_CACHE"):
        return Path(named)
    import pooch

    return Path(pooch.os_cache("pplab"))


def data_root() -> Path | None:
    """Folder that PPLAB_DATA names, or None when it is not set."""
    named = os.environ.get("PPLAB_DATA")
    return Path(named) if named else None


def places(name: str, root: str | os.PathLike[str] | None = None) -> list[Path]:
    """Folders in which the files of a data set are looked for, in order."""
    folder = entry(name).folder
    if root is not None:
        if not isinstance(root, (str, os.PathLike)) or not Path(root).is_dir():
            raise FileNotFoundError(
                f"root must be a folder that holds data, got {str(root)!r}; "
                f"pass the folder above {folder}/, or leave it out"
            )
        return [Path(root) / folder]
    named = data_root()
    return ([] if named is None else [named / folder]) + [cache_root() / name]


def find_member(name: str, member: str) -> Path | None:
    """Find one file of a data set; None when it is in none of the places."""
    found = (member_in(place, name, member) for place in places(name))
    return next((path for path in found if path is not None), None)


def member_in(place: Path, name: str, member: str) -> Path | None:
    """Find a file in one folder; a packed one may lie there unpacked, if no checksum is known."""
    path = place / member
    if path.is_file():
        return path
    known = entry(name).members.get(member)
    plain = path.with_suffix("")
    may_be_plain = path.suffix == ".gz" and known is not None and known.sha256 is None
    return plain if may_be_plain and plain.is_file() else None


def known_member(name: str, path: Path) -> Member:
    """Give what the catalogue says of a file, packed or not."""
    members = entry(name).members
    return members[path.name if path.name in members else f"{path.name}.gz"]


def sha256_of(path: Path) -> str:
    """Checksum of a file; remembered while the file does not change."""
    facts = path.stat()
    return _sha256(path, facts.st_mtime_ns, facts.st_size, facts.st_ino)


def check_member(name: str, path: Path) -> str:
    """Refuse a file that is not the owner's, where the owner's checksum is known.

    Returns
    -------
    str
        The checksum of the file.

    Raises
    ------
    DataFileError
        If the catalogue knows another checksum, or another number of lines.
    """
    known = known_member(name, path)
    found = sha256_of(path)
    if known.sha256 is not None and found != known.sha256:
        raise DataFileError(
            f"{path} is not the file that its owner published: it has sha256 {found[:12]}..., "
            f"expected {known.sha256[:12]}...; move it away and {fresh_copy(name)}"
        )
    if known.sha256 is None and known.lines is not None:
        with path.open("rb") as file:
            lines = sum(1 for _ in file)
        if lines != known.lines:
            raise DataFileError(
                f"{path}, line {lines:,}: the file ends here, expected {known.lines:,} lines; "
                f"move it away and {fresh_copy(name)}"
            )
    return found


def fresh_copy(name: str) -> str:
    """Say how to replace a file that is not right."""
    by_hand = entry(name).by_hand
    how = ", see `pplab data status`" if by_hand else f" with `pplab data fetch {name}`"
    return f"get a fresh copy{how}"


@lru_cache(maxsize=256)
def _sha256(path: Path, _changed: int, _size: int, _inode: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
