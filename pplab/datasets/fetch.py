"""Fetch a data set from its owner, so that a half-finished download is never read.

All work happens in a staging folder beside the cache. Only when every wanted file is there and
right, the finished folder moves into the cache in one step. A lock, which the system lets go
when a process dies, tells work in progress from what a killed process left behind.
"""

from __future__ import annotations

import os
import shutil
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pplab.datasets.catalog import Entry, Member, entry
from pplab.datasets.store import DataFileError, cache_root, check_member

__all__ = ["FetchError", "clean_staging", "fetch"]

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
