"""What `pplab data status` and `pplab data verify` tell: where data lie, and if they are right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pplab.datasets.catalog import Entry, catalog
from pplab.datasets.fetch import by_hand
from pplab.datasets.readers import READERS, check_file
from pplab.datasets.store import DataFileError, cache_root, find_member

__all__ = ["Check", "status_rows", "verify_rows"]


@dataclass(frozen=True)
class Check:
    """The verdict on one file: "right", "wrong", "missing" or "unknown" (no checksum known)."""

    file: str
    verdict: str
    text: str


def status_rows() -> list[tuple[str, str, str, str]]:
    """Name, where it was found, size and what to do, for every data set of the catalogue."""
    return [(name, *_status(wanted)) for name, wanted in catalog().items()]


def verify_rows(name: str) -> Iterator[Check]:
    """Check each file of a data set; a generator, since large files take their time."""
    for member in catalog()[name].members.values():
        path = find_member(name, member.name)
        file = f"{name}/{member.name}"
        if path is None:
            yield Check(file, "missing", "not on this machine")
            continue
        try:
            found = check_file(name, path)
        except DataFileError as error:
            yield Check(file, "wrong", str(error))
            continue
        if member.sha256 is not None:
            how = "as published" if found == member.sha256 else "with the published numbers"
            yield Check(file, "right", f"sha256 {found[:12]}... {how}, in {path.parent}")
        else:
            yield Check(file, "unknown", f"no checksum is known; this one has sha256 {found}")


def _status(wanted: Entry) -> tuple[str, str, str]:
    paths = [find_member(wanted.name, member) for member in wanted.members]
    found = [path for path in paths if path is not None]
    if found:
        size = sum(path.stat().st_size for path in found)
        inside = all(cache_root() in path.parents for path in found)
        where = "cache" if inside else "PPLAB_DATA"
        return where, f"{size / 1e6:.1f} MB", _ready(wanted) if wanted.reader else wanted.missing
    where = "stand-in" if wanted.standin else "not yet"
    if wanted.never:
        return where, "-", f"never to be obtained: {wanted.terms}; {wanted.missing}"
    to_do = f"pplab data fetch {wanted.name}" if wanted.download else by_hand(wanted)
    return where, "-", to_do if wanted.reader else f"{to_do}; {wanted.missing}"


def _ready(wanted: Entry) -> str:
    """Say what load_dataset makes of the files that are there."""
    reader = READERS[wanted.reader]
    files = reader.files(None)
    lacking = [file for file in files if find_member(wanted.name, file) is None]
    call = f"load_dataset({wanted.name!r})"
    if not lacking:
        return f"ready: {call}"
    if reader.partial and len(lacking) < len(files):
        return f"ready: {call}, without {', '.join(lacking)}"
    return f"lacks {', '.join(lacking)}"
