"""MovieLens-100K as its owner publishes it: u.data, u.user, u.item and the five splits."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from pplab.datasets.dataset import Dataset, csr_of_cells
from pplab.datasets.files import read_numbers, read_published, refuse_where

__all__ = ["GENRES", "SPLITS", "files", "read"]

SPLITS = tuple(f"u{fold}.{part}" for fold in range(1, 6) for part in ("base", "test"))
GENRES = [
    *("unknown", "Action", "Adventure", "Animation", "Children's", "Comedy", "Crime"),
    *("Documentary", "Drama", "Fantasy", "Film-Noir", "Horror", "Musical", "Mystery"),
    *("Romance", "Sci-Fi", "Thriller", "War", "Western"),
]
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def files(split: str | None) -> Sequence[str]:
    """Names of the files that a split is read from."""
    return (split or "u.data", "u.user", "u.item")


def read(name: str, paths: Sequence[Path], split: str | None) -> Dataset:
    """Put ratings into a matrix whose rows and columns follow the ids.

    In the whole every listed user and film has a place, in a split only those that occur. Of most
    splits no checksum is known, so ratings are read strictly.

    Raises
    ------
    DataFileError
        One sentence that names the file and, for ratings, the line: a line cut short, another
        number of columns, an id that is not a number or not listed, a rating outside 1..5, a
        pair that occurred before.
    """
    path, user, item = paths
    users, items, table = _users(user), _items(item), _ratings(path)
    if split is not None:
        users = users[users.index.isin(table["user"])]
        items = items[items.index.isin(table["item"])]
    rows, columns = (
        side.index.get_indexer(table[id_]) for side, id_ in ((users, "user"), (items, "item"))
    )
    refuse_where(
        path,
        (rows < 0) | (columns < 0),
        lambda place: "user {} or item {} is not in its list".format(*table.iloc[place]),
    )
    ratings = csr_of_cells(rows, columns, table["rating"].to_numpy(), (len(users), len(items)))
    return Dataset(name=name, source="real", users=users, items=items, ratings=ratings, split=split)


def _ratings(path: Path) -> pd.DataFrame:
    columns = ("user", "item", "rating", "time")
    table = read_numbers(path, path.read_bytes(), columns=columns, separator="\t")
    rating = table["rating"].to_numpy()
    refuse_where(
        path,
        (rating < 1) | (rating > 5),
        lambda place: f"the rating must be 1, 2, 3, 4 or 5, got {rating[place]}",
    )
    refuse_where(
        path,
        table.duplicated(["user", "item"]).to_numpy(),
        lambda place: "user {} rates item {} a second time".format(*table.iloc[place]),
    )
    return table


def _users(path: Path) -> pd.DataFrame:
    """Age, gender, occupation and zip by user id."""
    columns = ["user", "age", "gender", "occupation", "zip"]
    texts = dict.fromkeys(columns[2:], str)
    table = read_published(path, sep="|", names=columns, dtype=texts, encoding="latin-1")
    return table.set_index("user").sort_index()


def _items(path: Path) -> pd.DataFrame:
    """Title, release date and a yes or no per genre by item id."""
    columns = ["item", "title", "release_date", "video_date", "address", *GENRES]
    texts = dict.fromkeys(columns[1:5], str)
    table = read_published(path, sep="|", names=columns, dtype=texts, encoding="latin-1")
    dates = table["release_date"].str.extract(r"(?P<day>\d+)-(?P<month>\w+)-(?P<year>\d+)")
    numbers = dates["month"].map({name: month for month, name in enumerate(_MONTHS, 1)})
    table["release_date"] = pd.to_datetime(dates.assign(month=numbers)).astype("datetime64[ns]")
    table = table.drop(columns=["video_date", "address"]).astype(dict.fromkeys(GENRES, bool))
    return table.set_index("item").sort_index()
