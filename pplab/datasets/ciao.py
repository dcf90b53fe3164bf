"""Ciao as its owners publish it: who trusts whom, and ratings of products.

Two files without a header, blanks between the numbers, no line end after the last line.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from pplab.datasets.dataset import Dataset
from pplab.datasets.files import read_numbers, refuse_where
from pplab.datasets.social_tables import joined

__all__ = ["FILES", "read"]

FILES = ("ca_ratings.txt", "ca_trust.txt")


def read(name: str, paths: Sequence[Path], _split: str | None) -> Dataset:
    """Put the two files together.

    Two users are friends when either trusts the other; trust in oneself counts for nothing.
    Where a user rated an item more than once, the highest of the ratings is taken: the files
    give no times, and the 0 among them stands for a review without a rating. A rating of 0 that
    is the only one is stored as 0.

    Raises
    ------
    DataFileError
        One sentence that names file and line: a line cut short, another number of columns,
        something but digits, a rating above 5, a trust that is not 1, a link listed before.
    """
    ratings, trust = paths
    return joined(name, _ratings(ratings), _trust(trust))


def _ratings(path: Path) -> pd.DataFrame:
    table = _numbers(path, ("user", "item", "rating"))
    refuse_where(
        path,
        (table["rating"] > 5).to_numpy(),
        lambda place: f"the rating must be 0, 1, 2, 3, 4 or 5, got {table['rating'][place]}",
    )
    return table


def _trust(path: Path) -> pd.DataFrame:
    table = _numbers(path, ("user", "trusted", "trust"))
    refuse_where(
        path,
        (table["trust"] != 1).to_numpy(),
        lambda place: f"the last number must be 1, got {table['trust'][place]}",
    )
    links = table[["user", "trusted"]]
    refuse_where(
        path,
        links.duplicated().to_numpy(),
        lambda place: "user {} trusts {} a second time".format(*links.iloc[place]),
    )
    return links


def _numbers(path: Path, columns: Sequence[str]) -> pd.DataFrame:
    raw = path.read_bytes()
    raw += b"\n" if raw and not raw.endswith(b"\n") else b""
    return read_numbers(path, raw, columns=columns, separator=" ")
