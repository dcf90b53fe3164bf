"""Folders whose code this account has run or made; of another one, a run tells what it may do.

One note for each folder, which names its place and its inode: another folder in the same place is
new. Where no note can be written, every folder stays new.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from claimbook.registry import Collection

_EXAMPLE = Path(__file__).with_name("example")


def is_known(folder: Path, collection: Collection) -> bool:
    """True if a folder came with pplab, or this account has made it or run it before."""
    folder = folder.resolve()
    ours = [_EXAMPLE] if collection.frozen else [_EXAMPLE, collection.root / "examples"]
    return any(map(folder.is_relative_to, ours)) or _note(folder).is_file()


def trust_folder(folder: Path) -> None:
    """Note that this account trusts the code of a folder."""
    note = _note(folder.resolve())
    with suppress(OSError):
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(f"{folder.resolve()}\n", encoding="utf-8", errors="backslashreplace")


def _note(folder: Path) -> Path:
    import platformdirs

    variable = os.environ.get("PPLAB_LEDGERS")
    notes = Path(variable) if variable else platformdirs.user_data_path("pplab") / "ledgers"
    place = f"{folder} {folder.stat().st_ino}".encode(errors="surrogateescape")
    return notes / hashlib.sha256(place).hexdigest()
