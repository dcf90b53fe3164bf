"""Where data lie on this machine, whether a file is the one its owner published, and its download.

Looked at in this order: the folder given as ``root`` (then nothing else), the folder that
``PPLAB_DATA`` names, the download cache (``PPLAB_CACHE``, or the user's cache folder).
"""

import hashlib
import lzma
import os
import shutil
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from pplab.checks import shown
from pplab.datasets.catalog import Entry, Member, entry, stamp


class DataFileError(ValueError):
    """A data file that is cut short, changed or malformed; the text names file and line."""


def cache_root() -> Path:
    """Folder into which `pplab data fetch` puts finished downloads."""
    import pooch

    return Path(os.environ.get("PPLAB_CACHE") or pooch.os_cache("pplab"))


def data_root() -> Path | None:
    """Folder that PPLAB_DATA names, or None when it is not set."""
    variable = os.environ.get("PPLAB_DATA")
    return Path(variable) if variable else None


def places(name: str, root: str | os.PathLike[str] | None = None) -> list[Path]:
    """Folders in which the files of a data set are looked for, in order."""
    folder = entry(name).folder
    advice = f"pass the folder above {folder}/, or leave it out"
    if root is None:
        named = data_root()
        return ([] if named is None else [named / folder]) + [cache_root() / name]
    if not isinstance(root, (str, os.PathLike)):
        raise TypeError(f"root must be a path, got {type(root).__name__}; {advice}")
    if not os.path.isdir(root):  # noqa: PTH112 - unlike Path it bears a name that is too long
        got = shown(str(root))
        raise FileNotFoundError(f"root must be a folder that holds data, got {got}; {advice}")
    return [Path(root) / folder]


def member_in(place: Path, member: str) -> Path | None:
    """Find a file in one folder."""
    path = place / member
    return path if path.is_file() else None


def unchecked(name: str, folder: Path) -> str:
    """Say for which files of a folder the catalogue has no checksum; empty where it has all."""
    members = entry(name).members.values()
    unknown = [member.name for member in members if not (member.sha256 or member.numbers)]
    files = ", ".join(file for file in unknown if member_in(folder, file) is not None)
    return f"not checked: the catalogue has no checksum for {files}" if files else ""


def sha256_of(path: Path) -> str:
    """Checksum of a file; remembered while the file does not change."""
    return _sha256(path, stamp(path))


def check_member(name: str, path: Path, *, numbers: Callable[[Path], str] | None = None) -> str:
    """Refuse a file that differs from the owner's, as far as the catalogue knows.

    Parameters
    ----------
    name : str
    path : Path
        The file.
    numbers : callable, optional
        Checksum of what the file says, where people make the file themselves.

    Returns
    -------
    str
        The sha256 of the file.

    Raises
    ------
    DataFileError
        If the catalogue knows another checksum, other numbers, or another number of lines.
    """
    known = entry(name).members.get(path.name) or Member(path.name)
    checksum, wrong = sha256_of(path), ""
    if checksum == known.sha256:
        return checksum
    if numbers is not None and known.numbers is not None:
        if numbers(path) != known.numbers:
            wrong = " does not hold the numbers that its owner published"
    elif known.sha256 is not None:
        wrong = (
            f" is not the file that its owner published: it has sha256 {checksum[:12]}..., "
            f"expected {known.sha256[:12]}..."
        )
    elif known.lines is not None:
        with path.open("rb") as file:
            lines = sum(1 for _ in file)
        if lines != known.lines:
            wrong = f", line {lines:,}: the file ends here, expected {known.lines:,} lines"
    if wrong:
        raise DataFileError(f"{path}{wrong}; move it away and {fresh_copy(name)}")
    return checksum


def fresh_copy(name: str) -> str:
    """Say how to replace a file that is not right."""
    return f"get a fresh copy: `pplab data fetch {name}` brings it, or says how"


@lru_cache(maxsize=256)
def _sha256(path: Path, _stamp: tuple[int, ...]) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# A damaged archive has many errors: a changed byte may ask for a password (RuntimeError), for
# another packing (NotImplementedError and the errors of bz2 and lzma) or for a place before the
# start (ValueError).
_PACKING = (zipfile.BadZipFile, zlib.error, lzma.LZMAError)
_DAMAGE = (*_PACKING, EOFError, OSError, RuntimeError, ValueError)


@contextmanager
def unpacking(what: object, to_do: str = "get a fresh copy") -> Iterator[None]:
    """Refuse, by the name `what`, an archive that turns out to be damaged while it is unpacked."""
    try:
        yield
    except _DAMAGE as error:
        raise DataFileError(
            f"{what} is damaged and cannot be unpacked ({error}); {to_do}"
        ) from error


# Downloads: a half-finished one is never read.
#
# All work happens in a staging folder inside the cache, which the next fetch begins anew where a
# process was killed. Only when every wanted file is there and right, one after the other takes the
# place of the older copy; what else lies in the data set's folder is left alone. The system lets go
# the lock when a process dies.


_TIMEOUT = 30  # seconds without an answer
_LARGEST = 2**30  # bytes of one unpacked file; those that we know have a tenth of that


class FetchError(OSError):
    """A data set that could not be fetched; the text says why and what to do."""


def fetch(name: str) -> Path:
    """Bring a data set from its owner into the cache; do nothing when it is there already.

    One line on stderr names the files for which the catalogue has no checksum.

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
    record = entry(name)
    if record.never:
        raise FetchError(f"{name} is never to be obtained: {record.terms}")
    if not record.download:
        raise FetchError(f"{name} cannot be fetched by a program: {by_hand(record)}")
    from filelock import FileLock, Timeout

    target, staging = cache_root() / name, cache_root() / ".staging" / name
    staging.parent.mkdir(parents=True, exist_ok=True)
    try:
        if not _complete(record, target):
            with FileLock(staging.with_name(f"{name}.lock"), blocking=False):
                _fetch_into(record, target, staging)
    except Timeout as error:
        raise FetchError(f"another process is fetching {name}; wait until it is done") from error
    if doubt := unchecked(name, target):
        print(f"pplab: {name} was {doubt}", file=sys.stderr)
    return target


def by_hand(record: Entry) -> str:
    """Say how to get this data set without `pplab data fetch`."""
    if record.by_hand:
        return f"{record.by_hand} (home: {record.home})"
    files = ", ".join(record.needed)
    return (
        f"download {record.download} by hand, put its files ({files}) into a folder named "
        f"{record.folder} and set PPLAB_DATA to the folder above it"
    )


def _fetch_into(record: Entry, target: Path, staging: Path) -> None:
    shutil.rmtree(staging, ignore_errors=True)  # ours: the lock is held
    staging.mkdir()
    try:
        _download(record, staging / "download")
        finished = _unpack(record, staging / "download")
        for path in finished:
            check_member(record.name, path)
        target.mkdir(exist_ok=True)
        for path in finished:
            path.replace(target / path.name)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _download(record: Entry, archive: Path) -> None:
    import pooch

    get = pooch.HTTPDownloader(progressbar=True, timeout=_TIMEOUT)
    try:
        get(record.download, str(archive), None)
    except OSError as error:  # every error of the network is one
        reason = error.strerror or type(error).__name__
        raise FetchError(
            f"{record.download} could not be fetched ({reason}): check the connection and try "
            f"again, or {by_hand(record)}"
        ) from error


def _unpack(record: Entry, download: Path) -> list[Path]:
    """The files of the data set that were downloaded, in a folder beside the download."""
    finished = download.with_name("finished")
    finished.mkdir()
    if record.archive in record.members:
        download.rename(finished / record.archive)
    else:
        prefix = f"{record.archive_folder}/" if record.archive_folder else ""
        again = f"run `pplab data fetch {record.name}` again"
        with unpacking(record.download, again), zipfile.ZipFile(download) as bundle:
            inside = set(bundle.namelist()).intersection(prefix + file for file in record.members)
            for path in inside:
                if (size := bundle.getinfo(path).file_size) > _LARGEST:
                    raise DataFileError(
                        f"{path} of {record.download} would unpack to {size / 2**30:.1f} GiB, more "
                        "than any file that is known; tell its owner"
                    )
            contents = {file.removeprefix(prefix): bundle.read(file) for file in sorted(inside)}
        for name, content in contents.items():
            (finished / name).write_bytes(content)
    for name in record.needed:
        if not (finished / name).exists():
            raise DataFileError(f"{record.download} lacks {name}; tell its owner")
    return sorted(finished.iterdir())


def _complete(record: Entry, folder: Path) -> bool:
    """Say whether every needed file is in the folder and right."""
    try:
        for name in record.needed:
            check_member(record.name, folder / name)
    except (DataFileError, OSError):  # damaged or missing: the answer is no
        return False
    return True
