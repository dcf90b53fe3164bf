"""The catalogue of data sets, and what a data set is.

The catalogue says who owns a data set, on which terms, and what is known of its files. It is read
from ``catalog.toml`` beside this module, or from the file that the environment variable
``PPLAB_CATALOG`` names (a mirror at a school, or a test). `Dataset` is what ``load_dataset`` hands
out, and `align` lays one part of a data set over another. The helpers at the end are those that
readers and stand-ins of several data sets share.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from pplab.checks import check_choice

if TYPE_CHECKING:
    import pandas as pd


def catalog() -> dict[str, Entry]:
    """Give all data sets by name, in the order of the catalogue."""
    named = os.environ.get("PPLAB_CATALOG")
    path = Path(named) if named else Path(__file__).with_name("catalog.toml")
    if not path.is_file():
        raise FileNotFoundError(
            f"PPLAB_CATALOG must name a catalogue file, got {str(path)!r}; unset it for our own"
        )
    return dict(_read(path, path.stat().st_mtime_ns))


def entry(name: str) -> Entry:
    """Give what the catalogue says of one data set.

    Examples
    --------
    >>> entry("movielens-100k").statistics["ratings"]
    100000
    """
    known = catalog()
    return known[check_choice("name", name, known)]


@dataclass(frozen=True)
class Member:
    """One file of a data set; sha256 and lines are None where they are not known.

    `numbers` is the checksum of what the file says, where people make the file themselves from
    what its owner offers, so that no two files are alike.
    """

    name: str
    sha256: str | None = None
    numbers: str | None = None
    lines: int | None = None
    needed: bool = True


@dataclass(frozen=True)
class Entry:
    """What the catalogue says of one data set."""

    name: str
    title: str
    home: str
    terms: str
    citation: str
    doi: str = ""
    folder: str = ""
    download: str = ""
    archive_folder: str = ""
    by_hand: str = ""
    reader: str = ""
    missing: str = ""
    standin: bool = False
    never: bool = False
    members: dict[str, Member] = field(default_factory=dict)
    statistics: dict[str, Any] = field(default_factory=dict)
    measured: dict[str, Any] = field(default_factory=dict)


@lru_cache(maxsize=4)
def _read(path: Path, _changed: int) -> dict[str, Entry]:
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return {name: _entry(name, table) for name, table in tables.items()}


def _entry(name: str, table: dict[str, Any]) -> Entry:
    members = {
        member: Member(member, **facts) for member, facts in table.pop("members", {}).items()
    }
    return Entry(name=name, members=members, **{"folder": name, **table})


# What `load_dataset` hands out, and how one part of a data set is laid over another.


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """A data set: matrices, and tables whose row order is the order of the matrices.

    Parameters
    ----------
    name : str
    source : "real", "standin" or "generated"
        A stand-in is never passed off as the real thing: results carry this word.
    users, items : DataFrame
        One row per matrix row and column; the index holds the owner's ids.
    ratings : csr_array, shape (users, items), optional
        Stored values are ratings; what is not stored was not rated.
    biadjacency : csr_array of ones, shape (users, items), optional
    social : csr_array, shape (users, users), optional
    preferences : csr_array, shape (users, items), optional
    labels : int array, optional
        A group of each user, where the data come with one.
    split : str, optional
        The part that was asked for.
    portion : str
        What there is of the published data ("part 1 of 3"); empty where nothing is missing.
    checksums : dict
        sha256 of each file that was read; empty for what was generated.
    """

    name: str
    source: str
    users: pd.DataFrame
    items: pd.DataFrame
    ratings: Any = None  # any of these four may be missing: what is there, name tells
    biadjacency: Any = None
    social: Any = None
    preferences: Any = None
    labels: np.ndarray | None = None
    split: str | None = None
    portion: str = ""
    checksums: dict[str, str] = field(default_factory=dict)

    def copy(self) -> Dataset:
        """Give a copy that shares nothing with this one."""
        parts = {
            part: value.copy()
            for part, value in vars(self).items()
            if value is not None and not isinstance(value, str)
        }
        return replace(self, **parts)

    def __repr__(self) -> str:
        """Say name, part, source and sizes in one line."""
        what = {"ratings": "ratings", "biadjacency": "edges", "preferences": "preferences"}
        sizes = [
            f"{getattr(self, part).nnz:,} {word}"
            for part, word in what.items()
            if getattr(self, part) is not None
        ]
        if self.social is not None:
            sizes.append(f"{self.social.nnz // 2:,} friendships")
        part = f", {self.split or self.portion}" if self.split or self.portion else ""
        size = f"{len(self.users):,} users x {len(self.items):,} items"
        return f"<{self.name}{part} ({self.source}): {', '.join([size, *sizes])}>"


def align(dataset: Dataset, like: Dataset, *, missing: str = "refuse") -> Dataset:
    """Lay the ratings of one part over the users and items of another.

    The rows and columns of a part are the users and items that occur in it, so a test part and
    its base part number them differently. The result has the rows and columns of `like`.

    Parameters
    ----------
    dataset, like : Dataset
        Both with ratings.
    missing : "refuse" or "drop"
        What to do with ratings by a user or of an item that `like` does not have.

    Returns
    -------
    Dataset
        Ratings of `dataset`; users and items of `like`.

    Raises
    ------
    ValueError
        If `like` lacks users or items and `missing` is "refuse", or one of the two has no ratings.

    Examples
    --------
    >>> from pplab.datasets import load_dataset
    >>> base = load_dataset("movielens-100k", source="standin", split="u1.base")
    >>> test = load_dataset("movielens-100k", source="standin", split="u1.test")
    >>> align(test, base, missing="drop")
    <movielens-100k, u1.test (standin): 943 users x 1,650 items, 19,968 ratings>
    """
    check_choice("missing", missing, ("refuse", "drop"))
    if dataset.ratings is None or like.ratings is None:
        raise ValueError(f"align needs two data sets with ratings, got {dataset!r} and {like!r}")
    entries = dataset.ratings.tocoo()
    rows = like.users.index.get_indexer(dataset.users.index)[entries.row]
    columns = like.items.index.get_indexer(dataset.items.index)[entries.col]
    known = (rows >= 0) & (columns >= 0)
    if missing == "refuse" and not known.all():
        raise ValueError(
            f"like must have every user and item of dataset, got {int((~known).sum()):,} ratings "
            'without a place; pass missing="drop" to leave them out'
        )
    ratings = csr_of_cells(rows[known], columns[known], entries.data[known], like.ratings.shape)
    return replace(dataset, ratings=ratings, users=like.users.copy(), items=like.items.copy())


# What readers and stand-ins share: matrices from cells, distinct numbers, made degrees.


def csr_of_cells(
    rows: np.ndarray, columns: np.ndarray, values: np.ndarray, shape: tuple[int, int]
) -> sparse.csr_array:
    """Build a CSR array with sorted rows from distinct cells; stored zeros stay."""
    order = np.argsort(rows * np.int64(shape[1]) + columns)  # quicker than by two keys
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=shape[0]))])
    return sparse.csr_array(
        (values[order], columns[order].astype(np.int32), indptr.astype(np.int32)), shape=shape
    )


def distinct(codes: np.ndarray) -> np.ndarray:
    """Give each number once, ascending; for millions of numbers quicker than numpy's unique.

    Examples
    --------
    >>> distinct(np.array([3, 1, 3]))
    array([1, 3])
    """
    found = np.sort(codes)
    return found[np.concatenate([np.ones(len(found[:1]), dtype=bool), found[1:] != found[:-1]])]


def degrees_from_quantiles(quantiles: list[int], *, count: int, total: int) -> np.ndarray:
    """Give `count` whole numbers, ascending, with these quantiles and exactly this sum.

    Between two quantiles the logarithm runs straight; between the last two, where a few very
    active users or popular films sit, it bends as far as the sum demands.
    """
    places = np.linspace(0, len(quantiles) - 1, count)
    tail = places > len(quantiles) - 2

    def numbers(bend: float) -> np.ndarray:
        bent = places.copy()
        bent[tail] = len(quantiles) - 2 + (places[tail] - (len(quantiles) - 2)) ** bend
        logs = np.interp(bent, np.arange(len(quantiles)), np.log(quantiles))
        return np.rint(np.exp(logs)).astype(np.int64)

    low, high = 0.01, 100.0  # the sum falls as the bend grows
    for _ in range(60):
        middle = (low * high) ** 0.5
        low, high = (middle, high) if numbers(middle).sum() > total else (low, middle)
    found = numbers(high)
    missing = total - int(found.sum())  # a few, because of rounding
    if not 0 <= missing < count // 10:
        raise ValueError(f"no {count} numbers with these quantiles add up to {total}")
    found[count - 1 - missing : count - 1] += 1
    return np.sort(found)
