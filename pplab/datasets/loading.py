"""The one door to data: real files where they are, else a stand-in that says it is one."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from pplab.checks import check_choice
from pplab.datasets.catalog import Entry, catalog
from pplab.datasets.dataset import Dataset
from pplab.datasets.readers import READERS, Reader, check_file, check_split
from pplab.datasets.standin_likes import make_likes
from pplab.datasets.store import data_root, member_in, places

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
        For jester "part-1", "part-2", "part-3"; None is all parts that are there, in this order
        (``portion`` and one line on stderr tell when some are not).
        For adult "test", the people of adult.test; the columns are the levels of adult.data in
        either case, and ``users`` holds the eight attributes, ``labels`` 1 for more than 50K.
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
        If source is "real" and there are no files, or root is not a folder, or there are no
        files and the data set has no stand-in.
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
    >>> load_dataset("jester", source="standin", split="part-3")
    <jester, part-3 (standin): 24,938 users x 100 items, 616,912 ratings>
    >>> load_dataset("adult", source="standin", split="test")
    <adult, test (standin): 16,281 users x 102 items, 130,248 edges>
    """
    wanted = catalog()[check_choice("name", name, catalog())]
    check_choice("source", source, ("auto", "real", "standin"))
    if wanted.never:
        return _withdrawn(wanted, source, split)
    if not wanted.reader:
        raise NotImplementedError(f"{wanted.missing}; `pplab data status` shows what there is")
    reader = READERS[wanted.reader]
    check_split(name, split, reader.splits)
    files = reader.files(split)
    paths = () if source == "standin" else _found(name, files, root, some=reader.partial)
    if paths:
        data = _real(name, reader, paths, split, _stamps(paths))
        if data.portion and split is None:
            _say_once(name, _portion(data, wanted))
        return data.copy()
    why_not = _why_not(wanted, files, root)
    if source == "real":
        raise FileNotFoundError(f"{why_not}; {_what_to_do(wanted)}")
    if reader.standin is None:
        raise FileNotFoundError(
            f"{name} has no stand-in, and no real files: {why_not}; {_what_to_do(wanted)}"
        )
    if source == "auto":
        _say_once(name, f"a STAND-IN, not the real data ({why_not}); {_what_to_do(wanted)}")
    return reader.standin(name, split).copy()


def _withdrawn(wanted: Entry, source: str, split: str | None) -> Dataset:
    """Make the stand-in of data that nobody should have."""
    if source == "real":
        raise ValueError(f"{wanted.name} has no real source here: {wanted.terms}")
    check_split(wanted.name, split, ())
    if source == "auto":
        advice = "nothing to be done: the real data are gone for good"
        _say_once(wanted.name, f"a STAND-IN, not the real data ({wanted.terms}); {advice}")
    return make_likes(wanted.name).copy()


def _found(
    name: str, files: Sequence[str], root: str | os.PathLike[str] | None, *, some: bool
) -> tuple[Path, ...]:
    """Files in the first place that has all of them, or `some`; nowhere: none."""
    for place in places(name, root):
        looked = (member_in(place, name, file) for file in files)
        there = tuple(path for path in looked if path is not None)
        if len(there) == len(files) or (some and there):
            return there
    return ()


def _stamps(paths: Sequence[Path]) -> tuple[object, ...]:
    """Change time and size of each file, and the catalogue used: what changed is read anew."""
    found = [path.stat() for path in paths]
    times = tuple((facts.st_mtime_ns, facts.st_size) for facts in found)
    return (os.environ.get("PPLAB_CATALOG"), *times)


@lru_cache(maxsize=16)
def _real(
    name: str, reader: Reader, paths: tuple[Path, ...], split: str | None, _stamps: object
) -> Dataset:
    checksums = {path.name: check_file(name, path) for path in paths}  # first: readers trust them
    return replace(reader.read(name, paths, split), checksums=checksums)


def _why_not(wanted: Entry, files: Sequence[str], root: str | os.PathLike[str] | None) -> str:
    """Say where was looked and what was missing there."""
    found = []
    for place in places(wanted.name, root):
        missing = ", ".join(file for file in files if member_in(place, wanted.name, file) is None)
        found.append(f"{place} lacks {missing}" if place.is_dir() else f"there is no {place}")
    if root is None and data_root() is None:
        found.insert(0, "PPLAB_DATA is not set")
    return ", ".join(found)


def _what_to_do(wanted: Entry) -> str:
    folder = "set PPLAB_DATA to a folder that has it"
    if wanted.by_hand:
        return f"{folder} (`pplab data status` tells how to get it)"
    return f"run `pplab data fetch {wanted.name}`, or {folder}"


def _portion(data: Dataset, wanted: Entry) -> str:
    users = wanted.statistics["users"]
    return f"{data.portion}, {len(data.users):,} users; the full set has {users:,}"


def _say_once(name: str, what: str) -> None:
    if (name, what) not in _SAID:
        _SAID.add((name, what))
        print(f"pplab: {name} is {what}", file=sys.stderr)
