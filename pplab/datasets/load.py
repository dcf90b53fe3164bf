"""The one door to data: real files where they are, else a stand-in that says it is one."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path

from pplab.checks import check_choice, shown
from pplab.datasets import likes, people, ratings, social, store
from pplab.datasets.catalog import Dataset, Entry, catalog, entry, stamp
from pplab.datasets.webgraphs import make_coauthors, make_web, read_graph


def load_dataset(
    name: str,
    *,
    source: str = "auto",
    split: str | None = None,
    root: str | os.PathLike[str] | None = None,
) -> Dataset:
    """Load a data set: the real one if its files are found, else a stand-in of the same shape.

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
    record = entry(name)
    check_choice("source", source, ("auto", "real", "standin"))
    store.places(name, root)  # refused where it is no folder, even if no file is looked for
    if record.never and source == "real":
        raise ValueError(f"{name} has no real source here: {record.terms}")
    reader = READERS[record.reader]
    if split is not None and not reader.splits:
        raise ValueError(f"{name} has no splits, got {shown(split)}; leave split out")
    if split is not None:
        check_choice("split", split, reader.splits)
    paths = () if source == "standin" else real_files(name, split, root)
    if paths:
        # what changed is read anew
        data = _real(name, reader, paths, split, tuple(map(stamp, paths)))
        if data.portion and split is None:
            full = f"the full set has {record.statistics['users']:,}"
            _say_once(name, f"{data.portion}, {len(data.users):,} users; {full}")
        return deepcopy(data)
    why_not = _why_not(record, split, root)
    if source == "real":
        raise FileNotFoundError(f"{why_not}; {_what_to_do(record)}")
    if reader.standin is None:
        raise FileNotFoundError(
            f"{name} has no stand-in, and no real files: {why_not}; {_what_to_do(record)}"
        )
    if source == "auto":
        _say_once(name, f"a STAND-IN, not the real data ({why_not}); {_what_to_do(record)}")
    return deepcopy(reader.standin(name, split))


def real_files(
    name: str, split: str | None = None, root: str | os.PathLike[str] | None = None
) -> tuple[Path, ...]:
    """Files that `load_dataset` reads, all in one place; none where it takes the stand-in."""
    record = entry(name)
    files = _files(record, split)
    for place in store.places(name, root):
        present = tuple(filter(None, (store.member_in(place, file) for file in files)))
        if present and (len(present) == len(files) or READERS[record.reader].partial):
            return present
    return ()


def _files(record: Entry, split: str | None) -> Sequence[str]:
    """Names of the files that a split is read from: by default all that the catalogue needs."""
    files = READERS[record.reader].files
    return record.needed if files is None else files(split)


@lru_cache(maxsize=16)
def _real(
    name: str, reader: "Reader", paths: tuple[Path, ...], split: str | None, _stamps: object
) -> Dataset:
    # first: readers trust the files
    numbers = reader.numbers
    checksums = {path.name: store.check_member(name, path, numbers=numbers) for path in paths}
    assert reader.read is not None, "what has files has a reader"
    return replace(reader.read(name, paths, split), checksums=checksums)


def _why_not(record: Entry, split: str | None, root: str | os.PathLike[str] | None) -> str:
    """Say where was looked and what was missing there."""
    if record.never:
        return record.terms
    result = [_lack(place, _files(record, split)) for place in store.places(record.name, root)]
    if root is None and store.data_root() is None:
        result.insert(0, "PPLAB_DATA is not set")
    return ", ".join(result)


def _lack(place: Path, files: Sequence[str]) -> str:
    missing = ", ".join(file for file in files if store.member_in(place, file) is None)
    return f"{place} lacks {missing}" if place.is_dir() else f"there is no {place}"


def _what_to_do(record: Entry) -> str:
    if record.never:
        return "nothing to be done: the real data are no longer published"
    folder = "set PPLAB_DATA to a folder that has it"
    return f"run `pplab data fetch {record.name}`, which brings it or says how, or {folder}"


@cache  # once in a process
def _say_once(name: str, sentence: str) -> None:
    print(f"pplab: {name} is {sentence}", file=sys.stderr)


# Which reader reads which data set.
#
# The catalogue names a reader; the reader says which splits there are, which files a split needs,
# how they are read and what stands in for them. A new data set is one more row of ``READERS``.


@dataclass(frozen=True)
class Reader:
    """Reader of one kind of data set.

    Parameters
    ----------
    read : callable, optional
        Takes the name, the files that are there (in the order of `files`) and the split. None:
        there are no files.
    standin : callable, optional
        Takes name and split; may give the same object twice. None: there is no stand-in.
    files : callable, optional
        Names of the files that a split (None: the whole) is read from; by default those that the
        catalogue needs.
    splits : tuple of str
        What can be asked for beside the whole.
    partial : bool
        Whether the whole may be read from some of its files, where others are not there.
    numbers : callable, optional
        Checksum of what a file says, for files that people make themselves.
    """

    read: Callable[[str, Sequence[Path], str | None], Dataset] | None
    standin: Callable[[str, str | None], Dataset] | None = None
    files: Callable[[str | None], Sequence[str]] | None = None
    splits: tuple[str, ...] = ()
    partial: bool = False
    numbers: Callable[[Path], str] | None = None


READERS = {
    "movielens": Reader(
        *(ratings.read_movielens, ratings.make_movielens, ratings.movielens_files),
        splits=ratings.MOVIELENS_SPLITS,
    ),
    "jester": Reader(
        *(ratings.read_jester, ratings.make_jester, ratings.jester_files),
        splits=ratings.JESTER_PARTS,
        partial=True,
        numbers=ratings.numbers_sha256,
    ),
    "lastfm": Reader(social.read_lastfm, social.make_lastfm),
    "ciao": Reader(social.read_ciao),
    "flixster": Reader(social.read_flixster, social.make_flixster),
    "adult": Reader(people.read_adult, people.make_adult, people.adult_files, (people.ADULT_TEST,)),
    "playstore": Reader(people.read_playstore, people.make_playstore),
    "dblp-2010": Reader(read_graph, make_coauthors),
    "cnr-2000": Reader(read_graph, make_web),
    "com-dblp": Reader(read_graph, make_coauthors),
    "web-stanford": Reader(read_graph, make_web),
    "likes": Reader(None, likes.make_likes),
}


# `pplab data status` and `pplab data verify` say where data lie, and if they are right.


def status_rows() -> list[tuple[str, str, str, str]]:
    """Name, where it was found, size and what to do, for every data set of the catalogue."""
    return [(name, *_status(record)) for name, record in catalog().items()]


def verify_rows(name: str) -> Iterator[tuple[str, str, str]]:
    """Give verdict, name and a sentence for each copy of each file; large files take long.

    The verdict is "right", "wrong", "missing" or "unknown" (the catalogue has no checksum).
    """
    numbers = READERS[entry(name).reader].numbers
    for member in entry(name).members.values():
        copies = [store.member_in(place, member.name) for place in store.places(name)]
        file = f"{name}/{member.name}"
        if not any(copies):
            yield "missing", file, "not on this machine"
        for path in filter(None, copies):
            try:
                result = store.check_member(name, path, numbers=numbers)
            except (store.DataFileError, OSError) as error:
                yield "wrong", file, str(error)
                continue
            if member.sha256 is not None:
                status = "as published" if result == member.sha256 else "with the published numbers"
                yield "right", file, f"sha256 {result[:12]}... {status}, in {path.parent}"
            else:
                yield "unknown", file, f"no checksum is known; this one has sha256 {result}"


def _status(record: Entry) -> tuple[str, str, str]:
    """Where, how large and what to do, by the same files that load_dataset reads."""
    if record.never:
        return "stand-in", "-", f"never to be obtained: {record.terms}; load_dataset makes it"
    to_do = f"pplab data fetch {record.name}" + ("" if record.download else " says what to do")
    files, paths = _files(record, None), real_files(record.name)
    if not paths:
        where = "stand-in" if READERS[record.reader].standin else "not yet"
        folders = [place for place in store.places(record.name) if place.is_dir()]
        return where, "-", "; ".join([*(_lack(place, files) for place in folders), to_do])
    place, names = paths[0].parent, [path.name for path in paths]
    where = "cache" if store.cache_root() in paths[0].parents else "PPLAB_DATA"
    members = map(place.joinpath, record.members)
    size = sum(path.stat().st_size for path in members if path.is_file())
    ready = f"ready: load_dataset({record.name!r})"
    if len(paths) < len(files):
        ready += f", without {', '.join(file for file in files if file not in names)}"
    doubt = store.unchecked(record.name, place)
    return where, f"{size / 1e6:.1f} MB", f"{ready}; {doubt}" if doubt else ready
