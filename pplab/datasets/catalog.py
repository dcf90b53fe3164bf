"""The catalogue of data sets, and what a data set is.

The catalogue, ``catalog.toml`` beside this module, says who owns a data set, on which terms, and
what is known of its files. `Dataset` is what ``load_dataset`` hands out, and `align` lays one part
of a data set over another. The helpers at the end are those that readers and stand-ins of several
data sets share.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from pplab.checks import check_choice, shown
from pplab.graphs import with_frame
from pplab.labelled import Graph, Table

if TYPE_CHECKING:
    import pandas as pd


FILE = Path(__file__).with_name("catalog.toml")


def catalog() -> dict[str, Entry]:
    """Give all data sets by name, in the order of the catalogue."""
    return dict(_read(FILE, stamp(FILE)))


def stamp(path: Path) -> tuple[int, ...]:
    """Facts that change when a file does: its times, its size and its number on the disk."""
    facts = path.stat()
    return facts.st_mtime_ns, facts.st_ctime_ns, facts.st_size, facts.st_ino


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
    """The facts that the catalogue has of one data set."""

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
    never: bool = False
    members: dict[str, Member] = field(default_factory=dict)
    statistics: dict[str, Any] = field(default_factory=dict)
    measured: dict[str, Any] = field(default_factory=dict)

    @property
    def needed(self) -> list[str]:
        """Names of the files without which there is no data set, in the order of the catalogue."""
        return [file.name for file in self.members.values() if file.needed]

    @property
    def archive(self) -> str:
        """Name of the file that is downloaded: the last part of its address."""
        return re.split("[?#]", self.download)[0].rpartition("/")[2]


@lru_cache(maxsize=4)
def _read(path: Path, _stamp: tuple[int, ...]) -> dict[str, Entry]:
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return {name: _entry(name, **table) for name, table in tables.items()}


def _entry(name: str, members: Mapping[str, Any] | None = None, **facts: Any) -> Entry:
    files = {file: Member(file, **known) for file, known in (members or {}).items()}
    return Entry(name, members=files, **{"folder": name, **facts})


# `load_dataset` hands out a Dataset; one part of it can be laid over another.


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """A data set: matrices, and tables whose row order is the order of the matrices.

    Parameters
    ----------
    name : str
    source : "real", "standin" or "generated"
        A stand-in is never passed off as the real thing: results carry this word.
    table, graph : Table, Graph
        Ratings (else preferences, else ones) and friendships with the owner's ids; results of these
        keep them.
    users, items : DataFrame
        One row per matrix row and column; the index holds the owner's ids.
    ratings : csr_array, shape (users, items), optional
        Stored values are ratings; what is not stored was not rated.
    times : csr_array, shape (users, items), optional
        When each rating was given, in the cells of ratings: seconds since 1970, UTC.
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
    ratings: Any = None  # any of these five may be missing: what is there, name tells
    times: Any = None
    biadjacency: Any = None
    social: Any = None
    preferences: Any = None
    labels: np.ndarray | None = None
    split: str | None = None
    portion: str = ""
    checksums: dict[str, str] = field(default_factory=dict)

    @property
    def table(self) -> Table:
        """Ratings, else preferences, else ones, with the owner's ids as labels."""
        values = {"ratings": "rating", "preferences": "weight", "biadjacency": None}
        for part, value in values.items():
            if (matrix := getattr(self, part)) is not None:
                ids = self.users.index.tolist(), self.items.index.tolist()
                return with_frame(matrix, *ids, ("user", "item", value))
        raise ValueError(
            f"{self.name} must have users and items for a table, got none; pass others"
        )

    @property
    def graph(self) -> Graph:
        """The friendships, with the owner's ids as labels."""
        if self.social is None:
            raise ValueError(f"{self.name} must have friendships for a graph, got none; use .table")
        return with_frame(self.social, self.users.index.tolist(), None, ("user", "friend", None))

    def __repr__(self) -> str:
        """Say name, part, source and sizes in one line."""
        nouns = {"ratings": "ratings", "biadjacency": "edges", "preferences": "preferences"}
        parts = [(getattr(self, part), word) for part, word in nouns.items()]
        sizes = [f"{matrix.nnz:,} {word}" for matrix, word in parts if matrix is not None]
        if self.social is not None:
            sizes.append(f"{self.social.nnz // 2:,} friendships")
        part = f", {self.split or self.portion}" if self.split or self.portion else ""
        size = f"{len(self.users):,} users x {len(self.items):,} items"
        return f"<{self.name}{part} ({self.source}): {', '.join([size, *sizes])}>"


def align(dataset: Dataset, like: Dataset, *, missing: str = "refuse") -> Dataset:
    """Put the ratings of one part into the users and items of another.

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
        Ratings of `dataset`, without their times; users and items of `like`.

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
    if any(getattr(data, "ratings", None) is None for data in (dataset, like)):
        got = f"{shown(dataset)} and {shown(like)}"
        raise ValueError(f"dataset and like must be two data sets with ratings, got {got}")
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
    sides = {"users": like.users.copy(), "items": like.items.copy()}
    return replace(dataset, ratings=ratings, times=None, **sides)


# Readers and stand-ins share these: matrices from cells, distinct numbers, made degrees.


def csr_of_cells(
    rows: np.ndarray, columns: np.ndarray, values: np.ndarray, shape: tuple[int, int]
) -> sparse.csr_array:
    """Build a CSR array with sorted rows from distinct cells; stored zeros stay."""
    places = rows.astype(np.int32), columns.astype(np.int32)
    return sparse.coo_array((values, places), shape=shape).tocsr()


def distinct(codes: np.ndarray) -> np.ndarray:
    """Give each number once, ascending; faster than numpy's unique for millions of numbers.

    Examples
    --------
    >>> distinct(np.array([3, 1, 3]))
    array([1, 3])
    """
    result = np.sort(codes)
    return result[np.concatenate([np.ones(len(result[:1]), dtype=bool), result[1:] != result[:-1]])]


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
    result = numbers(high)
    missing = total - int(result.sum())  # a few, because of rounding
    if not 0 <= missing < count // 10:
        raise ValueError(f"no {count} numbers with these quantiles add up to {total}")
    result[count - 1 - missing : count - 1] += 1
    return np.sort(result)
