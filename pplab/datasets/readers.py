"""Which reader reads which data set: a row of a table, and what stands behind it.

The catalogue names a reader; the reader says which splits there are, which files a split needs,
how they are read and what stands in for them. A new data set is one more row of ``READERS``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pplab.checks import check_choice
from pplab.datasets import adult, arcs, ciao, flixster, jester, lastfm, movielens, playstore
from pplab.datasets.catalog import entry
from pplab.datasets.dataset import Dataset
from pplab.datasets.standin_coauthors import make_coauthors
from pplab.datasets.standin_jester import make_jester
from pplab.datasets.standin_movielens import make_part
from pplab.datasets.standin_social import make_flixster, make_lastfm
from pplab.datasets.standin_tables import make_adult, make_playstore
from pplab.datasets.standin_web import make_web
from pplab.datasets.store import (
    DataFileError,
    check_member,
    fresh_copy,
    known_member,
    sha256_of,
)

__all__ = ["READERS", "Reader", "check_file", "check_split"]


@dataclass(frozen=True)
class Reader:
    """How one kind of data set is read.

    Parameters
    ----------
    files : callable
        Names of the files that a split (None: the whole) is read from.
    read : callable
        Takes the name, the files that are there (in the order of `files`) and the split.
    standin : callable, optional
        Takes name and split; may give the same object twice. None: there is no stand-in.
    splits : tuple of str
        What can be asked for beside the whole.
    partial : bool
        Whether the whole may be read from some of its files, where others are not there.
    numbers : callable, optional
        Checksum of what a file says, for files that people make themselves.
    """

    files: Callable[[str | None], Sequence[str]]
    read: Callable[[str, Sequence[Path], str | None], Dataset]
    standin: Callable[[str, str | None], Dataset] | None = None
    splits: tuple[str, ...] = ()
    partial: bool = False
    numbers: Callable[[Path], str] | None = None


def check_split(name: str, split: str | None, splits: tuple[str, ...]) -> None:
    """Refuse a split that the data set does not have."""
    if split is not None and not splits:
        raise ValueError(f"{name} has no splits, got {split!r}; leave split out")
    if split is not None:
        check_choice("split", split, splits)


def check_file(name: str, path: Path) -> str:
    """Refuse a file that is not the owner's: another file, or made by hand, other numbers.

    Returns
    -------
    str
        The sha256 of the file.

    Raises
    ------
    DataFileError
        If the catalogue knows another checksum, or another number of lines.
    """
    known, found = known_member(name, path), sha256_of(path)
    numbers = READERS[entry(name).reader].numbers if entry(name).reader else None
    if known.numbers is None or numbers is None:
        return check_member(name, path)
    if found != known.sha256 and numbers(path) != known.numbers:
        raise DataFileError(
            f"{path} does not hold the numbers that its owner published; move it away and "
            f"{fresh_copy(name)}"
        )
    return found


def _graph(file: str, standin: Callable[[str, str | None], Dataset]) -> Reader:
    return Reader(files=lambda _split: (file,), read=arcs.read, standin=standin)


READERS = {
    "movielens": Reader(
        files=movielens.files, read=movielens.read, standin=make_part, splits=movielens.SPLITS
    ),
    "jester": Reader(
        files=jester.files,
        read=jester.read,
        standin=make_jester,
        splits=jester.PARTS,
        partial=True,
        numbers=jester.numbers_sha256,
    ),
    "lastfm": Reader(files=lambda _split: lastfm.FILES, read=lastfm.read, standin=make_lastfm),
    "ciao": Reader(files=lambda _split: ciao.FILES, read=ciao.read),
    "flixster": Reader(
        files=lambda _split: flixster.FILES, read=flixster.read, standin=make_flixster
    ),
    "adult": Reader(files=adult.files, read=adult.read, standin=make_adult, splits=(adult.TEST,)),
    "playstore": Reader(
        files=lambda _split: (playstore.FILE,), read=playstore.read, standin=make_playstore
    ),
    "dblp-2010": _graph("dblp-2010.arcs.txt.gz", make_coauthors),
    "cnr-2000": _graph("cnr-2000.arcs.txt.gz", make_web),
    "com-dblp": _graph("com-dblp.ungraph.txt.gz", make_coauthors),
    "web-stanford": _graph("web-Stanford.txt.gz", make_web),
}
