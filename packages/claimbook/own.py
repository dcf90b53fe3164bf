"""A paper that brings its own folder: a new one from the example, its data, and trust in it.

Of a folder whose code this account has neither run nor made, a run says what it may do. There is a
note for each that is known, which names its place and its inode: another folder in the same place
is new. Where no note can be written, every folder stays new.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tomllib
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from claimbook.checks import DataFileError, check_choice, sha256_of
from claimbook.registry import NONE, Collection, Paper

_EXAMPLE = Path(__file__).with_name("example")


def new_folder(folder: str | Path, *, collection: Collection = NONE) -> list[Path]:
    """Make a folder with the worked example: a report with six claims.

    The key of the paper, and with it the title and the ids, come from the folder's name.

    Parameters
    ----------
    folder : path
        It must not exist, or be empty but for ``.git``.
    collection : Collection
        Whose keys are taken.

    Returns
    -------
    list of Path
        The files written.

    Raises
    ------
    FileExistsError
        If something is there.
    OSError
        If it cannot be written, the disk is full for instance; then nothing is left of it.
    """
    target = Path(folder)
    if target.exists() and (not target.is_dir() or any(e.name != ".git" for e in target.iterdir())):
        raise FileExistsError(f"{target} must be a new or empty folder; nothing was written")
    made = not target.exists()
    try:
        target.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=target, prefix=".new-") as scratch:
            files = _write_example(Path(scratch, "all"), _key(target.resolve().name, collection))
            for entry in Path(scratch, "all").iterdir():  # all of it is there
                entry.rename(target / entry.name)
    except OSError as error:
        if made and target.is_dir():
            target.rmdir()
        why = str(error.strerror or error.args[0][0][2])  # of several files, the first
        why = why.rpartition("] ")[2].partition(": ")[0]
        raise OSError(f"{target} could not be written ({why}); nothing is left of it") from error
    return [target / file for file in files]


def _write_example(folder: Path, key: str) -> list[Path]:
    """The example under another key; its files, seen from the folder."""
    skipped = shutil.ignore_patterns("__pycache__", "results", "history.csv", ".[!g]*")
    shutil.copytree(_EXAMPLE, folder, ignore=skipped)
    for name in ("paper.toml", "rules.csv", "choices.csv", "parts.py") if key != _KEY else ():
        text = (folder / name).read_bytes().replace(_KEY.encode(), key.encode())
        (folder / name).write_bytes(text.replace(b'title = "', f'title = "{key}: '.encode()))
    return sorted(file.relative_to(folder) for file in folder.rglob("*") if file.is_file())


_KEY = "reading-club"  # of the example


def _key(name: str, collection: Collection) -> str:
    """A key from the name of a folder: letters, digits and hyphens, none that is taken."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    key = re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "paper"
    return f"my-{key}" if key in collection.papers() | collection.apart() else key


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


class OwnData(dict[str, Path]):
    """Files of a data set by their names in the catalogue; each has the checksum named there."""

    source, portion = "real", ""

    def __init__(self, name: str, files: Mapping[str, Path], checksums: Mapping[str, str]) -> None:
        super().__init__(files)
        self.name, self.checksums = name, checksums

    def __missing__(self, name: str) -> Path:
        """Refuse a file that is not in the catalogue."""
        return self[check_choice("file", name, self)]


def own_data(paper: Paper, name: str) -> OwnData:
    """A data set of a paper's own catalogue, its files checked.

    Raises
    ------
    ValueError
        If the catalogue has no such entry, or is not as it should be.
    FileNotFoundError
        If a file is missing.
    DataFileError
        If a file has another checksum than the catalogue says.
    """
    assert paper.catalog is not None  # asked for papers with a catalogue only
    try:
        entries = tomllib.loads(paper.catalog.read_text(encoding="utf-8-sig"))
        recipe: dict[str, str] = dict(entries[check_choice("data set", name, entries)]["files"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"{paper.catalog} does not describe the data set {name}: {error}"
        ) from error
    files = {place: paper.catalog.parent / place for place in recipe}
    for file, path in files.items():
        if not path.is_file():
            raise FileNotFoundError(f"{name} lacks {path}; put it there")
        if sha256_of(path) != recipe[file]:
            raise DataFileError(
                f"{path} has the checksum {sha256_of(path)}, {paper.catalog.name} says "
                f"{recipe[file]}; get the right file, or correct the catalogue"
            )
    return OwnData(name, files, recipe)
