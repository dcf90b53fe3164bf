"""The one door to data: real files where they are, else a stand-in that says it is one."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from pathlib import Path

from pplab.checks import check_choice
from pplab.datasets.catalog import Entry, catalog, entry
from pplab.datasets.dataset import Dataset
from pplab.datasets.movielens import SPLITS, assemble, read_items, read_ratings, read_users
from pplab.datasets.standin_likes import make_likes
from pplab.datasets.standin_movielens import make_part
from pplab.datasets.store import check_member, data_root, places

__all__ = ["load_dataset"]

_SAID: set[tuple[str, str]] = set()  # banners shown in this process


def load_dataset(
    name: str,
    *,
    source: str = "auto",
    split: str | None = None,
    root: str | os.PathLike[str] | None = None,
) -> Dataset:
    """Load a data set: the real one where its files are, else a stand-in of the same shape.

    Parameters
    ----------
    name : str
        A name of the catalogue, for example "movielens-100k".
    source : "auto", "real" or "standin"
        "auto" looks for real files and otherwise makes the stand-in, with one line on stderr that
        says so. "real" refuses when there are no real files.
    split : str, optional
        For movielens-100k alone "u1.base", "u1.test" to "u5.base", "u5.test"; None is the whole,
        u.data.
        The rows and columns of a split are the users and films that occur in it (u1.base is
        943 x 1,650); users and items list them by the owner's ids. `pplab.datasets.align` lays
        a test part over its base part.
    root : path, optional
        A folder with one folder per data set; when given, no other place is looked at. Otherwise
        the folder that PPLAB_DATA names, then the download cache.

    Returns
    -------
    Dataset
        A copy of your own: changing it changes nobody else's.

    Raises
    ------
    ValueError
        If name, source or split are not known.
    DataFileError
        If a real file is damaged; a stand-in never takes the place of a damaged file.
    FileNotFoundError
        If source is "real" and there are no files, or root is not a folder.
    NotImplementedError
        If pplab cannot read this data set yet.

    References
    ----------
    F. M. Harper and J. A. Konstan (2015), The MovieLens Datasets, doi:10.1145/2827872. Owners,
    terms and citations of all data sets are in the catalogue (``pplab data status``).

    Examples
    --------
    >>> load_dataset("movielens-100k", source="standin", split="u1.base")
    <movielens-100k, u1.base (standin): 943 users x 1,650 items, 80,000 ratings>
    """
    wanted = catalog()[check_choice("name", name, catalog())]
    check_choice("source", source, ("auto", "real", "standin"))
    if wanted.never:
        return _withdrawn(wanted, source, split)
    if not wanted.reader:
        raise NotImplementedError(f"{wanted.missing}; `pplab data status` shows what there is")
    if split is not None:
        check_choice("split", split, SPLITS)
    members = (split or "u.data", "u.user", "u.item")
    folder = None if source == "standin" else _folder_with(name, members, root)
    if folder is not None:
        return _real(folder, name, split, _stamps(folder, members)).copy()
    if source == "real":
        raise FileNotFoundError(f"{_why_not(wanted, members, root)}; {_what_to_do(name)}")
    if source == "auto":
        _say_once(name, _why_not(wanted, members, root), _what_to_do(name))
    return make_part(name, split).copy()


def _withdrawn(wanted: Entry, source: str, split: str | None) -> Dataset:
    """Make the stand-in of data that nobody should have."""
    if source == "real":
        raise ValueError(f"{wanted.name} has no real source here: {wanted.terms}")
    if split is not None:
        raise ValueError(f"{wanted.name} has no splits, got {split!r}; leave split out")
    if source == "auto":
        _say_once(wanted.name, wanted.terms, "nothing to be done: the real data are gone for good")
    return make_likes(wanted.name).copy()


def _folder_with(
    name: str, members: tuple[str, ...], root: str | os.PathLike[str] | None
) -> Path | None:
    """First place that has all these files."""
    for place in places(name, root):
        if all((place / member).is_file() for member in members):
            return place
    return None


def _stamps(folder: Path, members: tuple[str, ...]) -> tuple[object, ...]:
    """Change time and size of each file, and the catalogue used: what changed is read anew."""
    found = [(folder / member).stat() for member in members]
    times = tuple((facts.st_mtime_ns, facts.st_size) for facts in found)
    return (os.environ.get("PPLAB_CATALOG"), *times)


@lru_cache(maxsize=16)
def _real(folder: Path, name: str, split: str | None, _stamps: object) -> Dataset:
    known = entry(name).members
    data, user, item = (folder / member for member in (split or "u.data", "u.user", "u.item"))
    users = read_users(user, lines=known["u.user"].lines)
    items = read_items(item, lines=known["u.item"].lines)
    table = read_ratings(data, lines=known[data.name].lines)
    ratings, users, items = assemble(data, table, users, items, whole=split is None)
    # last, so that a damaged file is refused with its line where one can be named
    checksums = {path.name: check_member(name, path) for path in (data, user, item)}
    return Dataset(
        name=name,
        source="real",
        users=users,
        items=items,
        ratings=ratings,
        split=split,
        checksums=checksums,
    )


def _why_not(wanted: Entry, members: tuple[str, ...], root: str | os.PathLike[str] | None) -> str:
    """Say where was looked and what was missing there."""
    found = []
    for place in places(wanted.name, root):
        missing = ", ".join(member for member in members if not (place / member).is_file())
        found.append(f"{place} lacks {missing}" if place.is_dir() else f"there is no {place}")
    if root is None and data_root() is None:
        found.insert(0, "PPLAB_DATA is not set")
    return ", ".join(found)


def _what_to_do(name: str) -> str:
    return f"run `pplab data fetch {name}`, or set PPLAB_DATA to a folder that has it"


def _say_once(name: str, reason: str, advice: str) -> None:
    if (name, reason) in _SAID:
        return
    _SAID.add((name, reason))
    line = f"pplab: {name} is a STAND-IN, not the real data ({reason}); {advice}"
    print(line, file=sys.stderr)
