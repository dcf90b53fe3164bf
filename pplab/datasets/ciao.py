"""Ciao as its owners publish it: who trusts whom, and ratings of products.

Two files without a header, blanks between the numbers, no line end after the last line. Some
users rate a product more than once; see `assemble`.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from pplab.datasets.dataset import Dataset
from pplab.datasets.files import read_integers, refuse_where
from pplab.datasets.social_tables import joined

__all__ = ["FILES", "assemble", "read_ratings", "read_trust"]

FILES = ("ca_ratings.txt", "ca_trust.txt")


def read_ratings(path: Path, *, lines: int | None = None) -> pd.DataFrame:
    """Read ca_ratings.txt: user, item and a rating of 0 to 5.

    Parameters
    ----------
    path : Path
    lines : int, optional
        How many lines the complete file has; needed to notice that whole lines are missing.

    Returns
    -------
    DataFrame with int64 columns user, item, rating; one row per line

    Raises
    ------
    DataFileError
        One sentence that names file and line: a line cut short, another number of columns,
        something but digits, a rating above 5, missing lines.
    """
    columns = ("user", "item", "rating")
    table = read_integers(path, columns=columns, separator=" ", lines=lines, open_end=True)
    refuse_where(
        path,
        (table["rating"] > 5).to_numpy(),
        lambda place: f"the rating must be 0, 1, 2, 3, 4 or 5, got {table['rating'][place]}",
    )
    return table


def read_trust(path: Path, *, lines: int | None = None) -> pd.DataFrame:
    """Read ca_trust.txt: user, whom she trusts, and a 1.

    Returns
    -------
    DataFrame with int64 columns user, trusted; one row per line

    Raises
    ------
    DataFileError
        As `read_ratings`; also for another last number and for a link that occurred before.
    """
    columns = ("user", "trusted", "trust")
    table = read_integers(path, columns=columns, separator=" ", lines=lines, open_end=True)
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


def assemble(name: str, ratings: pd.DataFrame, trust: pd.DataFrame) -> Dataset:
    """Put the two tables together.

    Two users are friends when either trusts the other; trust in oneself counts for nothing.
    Where a user rated an item more than once, the highest of the ratings is taken: the files
    give no times, and the 0 among them stands for a review without a rating. A rating of 0 that
    is the only one is stored as 0.
    """
    return joined(name, ratings, trust)
