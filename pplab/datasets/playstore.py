"""Google Play Store apps as googleplaystore.csv, and ten of their attributes as a matrix.

The paper prints 8,672 rows, 521 columns and ten ones per row, and no encoding. What follows is our
construction, which meets the three numbers; others may meet them as well.

- The line that is shifted by one column (no category) is left out: 10,840 sound apps.
- The attributes: Category, Rating, Size, Installs, Type, Price, Content Rating, Genres (the whole
  text, "Art & Design;Creativity" being one level), Last Updated by year and month, Android Ver.
- Size in hundredths: the bin is 100 times the number of apps with a smaller size, divided by the
  number of apps whose size is known, rounded down; 88 bins occur, as equal sizes share a bin.
- What is missing (Rating, Type and Android Ver "NaN", Size "Varies with device") becomes the
  middle one of the known values (Rating, Size) or the most frequent one (Type, Android Ver).
- The columns are the levels of all sound apps; the rows are 80 in 100 of these apps, drawn with a
  fixed seed, in the order of the file. So a few columns are empty.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from pplab.datasets.dataset import Dataset
from pplab.datasets.files import check_lines
from pplab.datasets.one_hot import level_places, one_hot
from pplab.datasets.store import DataFileError

__all__ = ["COLUMNS", "FILE", "assemble", "attributes_of", "dataset", "read_apps"]

FILE = "googleplaystore.csv"
COLUMNS = (
    *("App", "Category", "Rating", "Reviews", "Size", "Installs", "Type", "Price"),
    *("Content Rating", "Genres", "Last Updated", "Current Ver", "Android Ver"),
)
_MISSING, _VARIES = "NaN", "Varies with device"
_BINS = 100
_SEED = 521  # of the part that is drawn; any other would do
_UNITS = {"k": 1, "M": 1000}
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)


def read_apps(path: Path, *, lines: int | None = None) -> pd.DataFrame:
    """Read googleplaystore.csv; a line shifted by one column is left out.

    Parameters
    ----------
    path : Path
    lines : int, optional
        How many records the complete file has, its header included.

    Returns
    -------
    DataFrame of str with the thirteen columns of the file, one row per sound app

    Raises
    ------
    DataFileError
        One sentence that names file and line: another header, a line cut short, another number
        of columns (but one), a rating, size or date that cannot be read, missing lines.
    """
    text = path.read_bytes().decode("utf-8", errors="replace").replace("\r\n", "\n")
    try:
        records = list(csv.reader(io.StringIO(text)))
    except csv.Error as error:
        raise DataFileError(f"{path} is damaged ({error}); get a fresh copy") from error
    if not records or tuple(records[0]) != COLUMNS:
        raise DataFileError(
            f"{path}, line 1: expected the header {','.join(COLUMNS)!r}; get a fresh copy"
        )
    sound = []
    for line, record in enumerate(records[1:], start=2):
        if len(record) == len(COLUMNS):
            _check(path, line, dict(zip(COLUMNS, record, strict=True)))
            sound.append(record)
        elif len(record) != len(COLUMNS) - 1 or line == len(records):
            raise DataFileError(
                f"{path}, line {line:,}: got {len(record)} columns, expected {len(COLUMNS)}; "
                "get a fresh copy"
            )
    check_lines(path, len(records), lines)
    return pd.DataFrame(sound, columns=list(COLUMNS), dtype=str)


def attributes_of(apps: pd.DataFrame) -> pd.DataFrame:
    """Give the ten attributes, nothing missing in any of them.

    Parameters
    ----------
    apps : DataFrame
        As `read_apps` gives it.

    Returns
    -------
    DataFrame of str, one row per app; Size is the number of its bin, with two digits or more
    """
    rating = apps["Rating"].where(apps["Rating"] != _MISSING)
    known = np.sort(rating.dropna().astype(float))
    dates = apps["Last Updated"].str.extract(r"(?P<month>\w+) \d+, (?P<year>\d{4})")
    months = dates["month"].map({name: f"{place:02}" for place, name in enumerate(_MONTHS, 1)})
    return pd.DataFrame(
        {
            "Category": apps["Category"],
            "Rating": rating.fillna(f"{known[len(known) // 2]:.1f}"),
            "Size": _size_bins(apps["Size"]),
            "Installs": apps["Installs"],
            "Type": _most_frequent(apps["Type"]),
            "Price": apps["Price"],
            "Content Rating": apps["Content Rating"],
            "Genres": apps["Genres"],
            "Last Updated": dates["year"] + "-" + months,
            "Android Ver": _most_frequent(apps["Android Ver"]),
        }
    ).astype(str)


def assemble(name: str, apps: pd.DataFrame) -> Dataset:
    """Put the drawn apps into a matrix; ``users`` holds their ten attributes."""
    table = attributes_of(apps)
    levels = {attribute: sorted(set(table[attribute])) for attribute in table}
    return dataset(name, "real", table, levels, level_places(table, levels))


def dataset(
    name: str,
    source: str,
    table: pd.DataFrame,
    levels: Mapping[str, Sequence[str]],
    places: np.ndarray,
) -> Dataset:
    """Draw 80 of 100 rows and give them as matrix and table; the index is the place before."""
    total = len(table)
    part = np.sort(np.random.default_rng(_SEED).permutation(total)[: total * 8 // 10])
    matrix, items = one_hot(places[part], levels)
    users = table.iloc[part].set_axis(pd.Index(part, name="user"), axis="index")
    return Dataset(name=name, source=source, users=users, items=items, biadjacency=matrix)


def _check(path: Path, line: int, app: dict[str, str]) -> None:
    rules = {
        "Rating": r"NaN|[0-5]\.[0-9]",
        "Size": r"Varies with device|[0-9]+(\.[0-9]+)?[kM]",
        "Last Updated": rf"({'|'.join(_MONTHS)}) [0-9]{{1,2}}, [0-9]{{4}}",
    }
    for column, rule in rules.items():
        if not re.fullmatch(rule, app[column]):
            raise DataFileError(
                f"{path}, line {line:,}: {column} cannot be read, got {app[column][:40]!r}; "
                "get a fresh copy"
            )


def _size_bins(sizes: pd.Series) -> np.ndarray:
    """Give the bin of each size in hundredths of the known sizes; what varies is the middle one."""
    known = sizes[sizes != _VARIES]
    number = known.str[:-1].astype(float) * known.str[-1].map(_UNITS)
    order = np.sort(number.to_numpy())
    filled = number.reindex(sizes.index, fill_value=order[len(order) // 2])
    smaller = np.searchsorted(order, filled.to_numpy())
    return pd.Series(_BINS * smaller // len(order), index=sizes.index).map("{:02}".format)


def _most_frequent(values: pd.Series) -> pd.Series:
    """Put the most frequent value (of equals the first in the alphabet) where one is missing."""
    known = values[values != _MISSING]
    return values.where(values != _MISSING, known.mode().iloc[0])
