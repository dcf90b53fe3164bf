"""Where data lie on this machine, whether a file is the one its owner published, and its download.

Looked at in this order: the folder given as ``root`` (then nothing else), the folder that
``PPLAB_DATA`` names, the download cache (``PPLAB_CACHE``, or the user's cache folder).
"""

from __future__ import annotations

import hashlib
import os
import shutil
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from pplab.datasets.catalog import Entry, Member, entry


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


# Downloads: a half-finished one is never read.
#
# All work happens in a staging folder beside the cache. Only when every wanted file is there and
# right, the finished folder moves into the cache in one step. A lock, which the system lets go
# when a process dies, tells work in progress from what a killed process left behind.


_TIMEOUT = 30  # seconds without an answer


class FetchError(OSError):
    """A data set that could not be fetched; the text says why and what to do."""


def fetch(name: str) -> Path:
    """Bring a data set from its owner into the cache; do nothing when it is there already.

    Parameters
    ----------
    name : str
        A name of the catalogue.

    Returns
    -------
    Path
        The folder in the cache.

    Raises
    ------
    FetchError
        If it may not or cannot be fetched, the owner cannot be reached, or another process is
        fetching it.
    DataFileError
        If what arrived is not what the owner published.
    """
    wanted = entry(name)
    if wanted.never:
        raise FetchError(f"{name} is never to be obtained: {wanted.terms}")
    if not wanted.download:
        raise FetchError(f"{name} cannot be fetched by a program: {by_hand(wanted)}")
    clean_staging()
    target = cache_root() / name
    if _complete(wanted, target):
        return target
    with _locked(name) as free:
        if not free:
            raise FetchError(f"another process is fetching {name}; wait until it is done")
        if not _complete(wanted, target):
            _fetch_into(wanted, target)
    return target


def by_hand(wanted: Entry) -> str:
    """Say how a person gets this data set without `pplab data fetch`."""
    if wanted.by_hand:
        return f"{wanted.by_hand} (home: {wanted.home})"
    files = ", ".join(member.name for member in wanted.members.values() if member.needed)
    return (
        f"download {wanted.download} by hand, put its files ({files}) into a folder named "
        f"{wanted.folder} and set PPLAB_DATA to the folder above it"
    )


def clean_staging() -> list[str]:
    """Remove what killed downloads left behind; give the names of the data sets concerned."""
    removed = []
    for folder in sorted(path for path in _staging_root().glob("*") if path.is_dir()):
        with _locked(folder.name) as free:
            if free and folder.exists():
                shutil.rmtree(folder)
                removed.append(folder.name)
    return removed


def _fetch_into(wanted: Entry, target: Path) -> None:
    staging = _staging_root() / wanted.name
    shutil.rmtree(staging, ignore_errors=True)  # ours: the lock is held
    finished = staging / "finished"
    finished.mkdir(parents=True)
    try:
        archive = staging / wanted.download.rsplit("/", 1)[-1]
        _download(wanted, archive)
        _unpack(wanted, archive, finished)
        for path in sorted(finished.iterdir()):
            check_member(wanted.name, path)
        if target.exists():  # an older, damaged copy
            target.rename(staging / "replaced")
        os.replace(finished, target)  # noqa: PTH105 - the one step in which the data appear
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _download(wanted: Entry, archive: Path) -> None:
    import pooch

    downloader = pooch.HTTPDownloader(progressbar=True, timeout=_TIMEOUT)
    try:
        downloader(wanted.download, str(archive), None)
    except OSError as error:  # every error of the network is one
        reason = type(error).__name__
        raise FetchError(
            f"{wanted.download} could not be fetched ({reason}): check the connection and try "
            f"again, or {by_hand(wanted)}"
        ) from error


def _unpack(wanted: Entry, archive: Path, finished: Path) -> None:
    if archive.suffix != ".zip":
        archive.rename(finished / archive.name)
        return
    prefix = f"{wanted.archive_folder}/" if wanted.archive_folder else ""
    try:
        with zipfile.ZipFile(archive) as bundle:
            present = set(bundle.namelist())
            for member in wanted.members.values():
                if prefix + member.name in present:
                    with (
                        bundle.open(prefix + member.name) as packed,
                        (finished / member.name).open("wb") as file,
                    ):
                        shutil.copyfileobj(packed, file)
                elif member.needed:
                    raise DataFileError(f"{wanted.download} lacks {member.name}; tell its owner")
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise DataFileError(
            f"{wanted.download} arrived damaged ({error}); "
            f"run `pplab data fetch {wanted.name}` again"
        ) from error


def _complete(wanted: Entry, folder: Path) -> bool:
    """Say whether every needed file is in the folder and right."""
    needed: list[Member] = [member for member in wanted.members.values() if member.needed]
    try:
        for member in needed:
            check_member(wanted.name, folder / member.name)
    except (DataFileError, FileNotFoundError):  # damaged or missing: the answer is no
        return False
    return True


def _staging_root() -> Path:
    return cache_root() / ".staging"


@contextmanager
def _locked(name: str) -> Iterator[bool]:
    """Hold the lock of a data set; False when another process holds it."""
    _staging_root().mkdir(parents=True, exist_ok=True)
    with (_staging_root() / f"{name}.lock").open("a+b") as file:
        try:
            _lock(file.fileno())
        except (BlockingIOError, PermissionError):  # held elsewhere
            yield False
        else:
            yield True


def _lock(descriptor: int) -> None:
    if os.name == "nt":  # pragma: no cover - Windows
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
