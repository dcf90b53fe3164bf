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
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from pplab.datasets.dataset import Dataset
from pplab.datasets.files import read_published
from pplab.datasets.one_hot import level_places, one_hot

__all__ = ["FILE", "attributes_of", "dataset", "read"]

FILE = "googleplaystore.csv"
_MISSING, _VARIES = "NaN", "Varies with device"
_BINS = 100
_SEED = 521  # of the part that is drawn; any other would do
_UNITS = {"k": 1, "M": 1000}
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)


def read(name: str, paths: Sequence[Path], _split: str | None) -> Dataset:
    """Put the drawn apps into a matrix; ``users`` holds their ten attributes."""
    [path] = paths
    apps = read_published(path, quoting=csv.QUOTE_MINIMAL, dtype=str)
    apps = apps[apps["Android Ver"] != ""].reset_index(drop=True)  # of one line a column is missing
    table = attributes_of(apps)
    levels = {attribute: sorted(set(table[attribute])) for attribute in table}
    return dataset(name, "real", table, levels, level_places(table, levels))


def attributes_of(apps: pd.DataFrame) -> pd.DataFrame:
    """Give the ten attributes, nothing missing in any of them.

    Parameters
    ----------
    apps : DataFrame
        The thirteen columns of the file, one row per sound app.

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
