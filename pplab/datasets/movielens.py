"""MovieLens-100K as its owner publishes it: u.data, u.user, u.item and the five splits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse

from pplab.datasets.dataset import csr_of_cells
from pplab.datasets.files import read_fields, read_integers, refuse_where

__all__ = ["GENRES", "SPLITS", "assemble", "read_items", "read_ratings", "read_users"]

SPLITS = tuple(f"u{fold}.{part}" for fold in range(1, 6) for part in ("base", "test"))
GENRES = [
    *("unknown", "Action", "Adventure", "Animation", "Children's", "Comedy", "Crime"),
    *("Documentary", "Drama", "Fantasy", "Film-Noir", "Horror", "Musical", "Mystery"),
    *("Romance", "Sci-Fi", "Thriller", "War", "Western"),
]
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def read_ratings(path: Path, *, lines: int | None = None) -> pd.DataFrame:
    """Read u.data or a split: user, item, rating (1 to 5) and time, separated by tabs.

    Parameters
    ----------
    path : Path
    lines : int, optional
        How many ratings the complete file has; needed to notice that whole lines are missing.

    Returns
    -------
    DataFrame with columns user, item, rating, time; one row per line

    Raises
    ------
    DataFileError
        One sentence that names file and line: a line cut short, another number of columns, an id
        that is not a number, a rating outside 1..5, a pair that occurred before.
    """
    columns = ("user", "item", "rating", "time")
    table = read_integers(path, columns=columns, separator="\t", lines=lines)
    rating = table["rating"].to_numpy()
    refuse_where(
        path,
        (rating < 1) | (rating > 5),
        lambda place: f"the rating must be 1, 2, 3, 4 or 5, got {rating[place]}",
    )
    pairs = table[["user", "item"]]
    refuse_where(
        path,
        pairs.duplicated().to_numpy(),
        lambda place: "user {} rates item {} a second time".format(*pairs.iloc[place]),
    )
    return table


def read_users(path: Path, *, lines: int | None = None) -> pd.DataFrame:
    """Read u.user: age, gender (M or F), occupation and zip by user id, sorted by id."""
    rows = read_fields(path, count=5, separator="|", encoding="latin-1", lines=lines)
    columns = ["user", "age", "gender", "occupation", "zip"]
    table = pd.DataFrame(rows, columns=columns, dtype=str)
    _refuse_non_numbers(path, table, ("user", "age"))
    refuse_where(
        path,
        ~table["gender"].isin(["M", "F"]).to_numpy(),
        lambda place: f"gender must be M or F, got {table['gender'][place]!r}",
    )
    return _by_id(path, table.astype({"user": np.int64, "age": np.int64}), "user")


def read_items(path: Path, *, lines: int | None = None) -> pd.DataFrame:
    """Read u.item: title, release date and a yes or no per genre by item id, sorted by id."""
    rows = read_fields(path, count=5 + len(GENRES), separator="|", encoding="latin-1", lines=lines)
    columns = ["item", "title", "release_date", "video_date", "address", *GENRES]
    table = pd.DataFrame(rows, columns=columns, dtype=str)
    _refuse_non_numbers(path, table, ("item",))
    flags = table[GENRES]
    refuse_where(
        path,
        ~flags.isin(["0", "1"]).all(axis=1).to_numpy(),
        lambda place: f"genres must be 0 or 1, got {'|'.join(flags.iloc[place])!r}",
    )
    table[GENRES] = flags == "1"
    dates = table["release_date"].map(_date)
    refuse_where(
        path,
        (dates.isna() & (table["release_date"] != "")).to_numpy(),
        lambda place: f"a date like 01-Jan-1995 was expected, got {table['release_date'][place]!r}",
    )
    table["release_date"] = pd.to_datetime(dates)
    table = table.drop(columns=["video_date", "address"]).astype({"item": np.int64})
    return _by_id(path, table, "item")


def assemble(
    path: Path, table: pd.DataFrame, users: pd.DataFrame, items: pd.DataFrame, *, whole: bool
) -> tuple[sparse.csr_array, pd.DataFrame, pd.DataFrame]:
    """Put ratings into a matrix whose rows and columns follow the ids.

    With `whole` every listed user and item has a place, otherwise only those that occur.
    """
    for side, listed in (("user", users), ("item", items)):
        # a default binds the loop's value; mypy cannot infer a lambda that has one
        refuse_where(
            path,
            ~table[side].isin(listed.index).to_numpy(),
            lambda place, side=side: f"{side} {table[side][place]} is not in the list of {side}s",  # type: ignore[misc]
        )
    if not whole:
        users = users[users.index.isin(table["user"])]
        items = items[items.index.isin(table["item"])]
    ratings = csr_of_cells(
        users.index.get_indexer(table["user"]),
        items.index.get_indexer(table["item"]),
        table["rating"].to_numpy().astype(np.int64),
        (len(users), len(items)),
    )
    return ratings, users, items


def _refuse_non_numbers(path: Path, table: pd.DataFrame, columns: tuple[str, ...]) -> None:
    for column in columns:
        texts = table[column]
        refuse_where(
            path,
            ~texts.str.fullmatch(r"[0-9]{1,9}").to_numpy(dtype=bool),
            lambda place, name=column, texts=texts: (  # type: ignore[misc]
                f"{name} must be a whole number, got {texts[place]!r}"
            ),
        )


def _by_id(path: Path, table: pd.DataFrame, name: str) -> pd.DataFrame:
    refuse_where(
        path,
        table[name].duplicated().to_numpy(),
        lambda place: f"{name} {table[name][place]} is listed a second time",
    )
    return table.set_index(name).sort_index()


def _date(text: str) -> np.datetime64 | None:
    """01-Jan-1995 as a date; None where it is not one."""
    day, _, rest = text.partition("-")
    month, _, year = rest.partition("-")
    if month not in _MONTHS:
        return None
    number = f"{_MONTHS.index(month) + 1:02}"
    try:
        return np.datetime64(f"{year:0>4}-{number}-{day:0>2}", "ns")
    except ValueError:  # the 31st of February: the caller refuses and names the line
        return None
