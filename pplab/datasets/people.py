"""Tables of categories: Adult and the Play Store, each with its reader and its stand-in.

A table becomes a matrix of ones with a column per level and a one per attribute. The levels are
given, not found: only so two parts of one table have the same columns.
"""

import csv
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
from numpy.random import Generator
from pandas import DataFrame
from scipy import sparse

from pplab.datasets.catalog import Dataset, entry
from pplab.datasets.files import read_published, refuse_unknown
from pplab.datasets.invented import numbers_of
from pplab.datasets.store import DataFileError
from pplab.graphs import Array

# How both stand-ins are drawn: tables of categories with the published level counts.
#
# A mixture: each row belongs to one of many components, a component has a favourite level of each
# attribute, and a row takes it or, now and then, any level. How often a level occurs follows a
# power law made up here: of the real tables only sizes are in it, how alike the rows are
# (catalog.toml), and how well a logistic regression learns the income from the eight attributes
# (0.836 right on the test part).

_SEED = 1996  # the year of Adult; any other would do


def _draw_table(
    rows: int, more: int, levels: Mapping[str, list[str]], numbers: SimpleNamespace, rng: Generator
) -> tuple[DataFrame, Array]:
    """Draw rows + more rows of a table; every level occurs in the first `rows` of them.

    Returns
    -------
    DataFrame of str, a column per attribute, and the component of each row
    """
    total = rows + more
    shares = _shares(numbers.components, numbers.component_power)
    components = rng.choice(numbers.components, size=total, p=shares)
    again, original = rng.choice(rows, size=(2, round(numbers.twice * rows)), replace=False)
    columns = {}
    for attribute, names in levels.items():
        shares = rng.permutation(_shares(len(names), numbers.level_power))
        favourite = rng.choice(len(names), size=numbers.components, p=shares)
        bound, others = rng.random(total) < numbers.bond, rng.choice(len(names), total, p=shares)
        column = np.where(bound, favourite[components], others)
        column[again] = column[original]
        while len(absent := np.setdiff1d(np.arange(len(names)), column[:rows])):
            column[rng.choice(rows, size=len(absent), replace=False)] = absent
        columns[attribute] = np.array(names)[column]
    return DataFrame(columns), components


def _shares(count: int, power: float) -> Array:
    shares = np.arange(1.0, count + 1) ** -power
    return shares / shares.sum()


def _level_names(sizes: Mapping[str, int]) -> dict[str, list[str]]:
    return {name: [f"{name} {place + 1}" for place in range(size)] for name, size in sizes.items()}


# Adult (census income): adult.data, and adult.test beside it.
#
# Fifteen columns, a comma and a space between them, an empty line at the end. adult.test begins
# with a line of comment and puts a full stop behind its labels. The eight categorical columns
# become the matrix, ``?`` being a level like any other; the label is whether the income is above
# 50K.

ADULT_TEST = "test"
Levels = Mapping[str, Sequence[str]]  # of each attribute
# name of each categorical attribute and its column in the file
_ATTRIBUTES = {"workclass": 1, "education": 3, "marital-status": 5, "occupation": 6}
_ATTRIBUTES |= {"relationship": 7, "race": 8, "sex": 9, "native-country": 13}
_INCOME = 14
_ADULT = numbers_of("adult")


def adult_files(split: str | None) -> Sequence[str]:
    """Names of the files that a split is read from: a test part needs the levels of the other."""
    return ("adult.data", "adult.test") if split == ADULT_TEST else ("adult.data",)


def read_adult(name: str, paths: Sequence[Path], split: str | None) -> Dataset:
    """Put people into a matrix; its columns are the levels of adult.data in alphabetic order."""
    base, people = (_people(paths[above], above) for above in (0, len(paths) - 1))
    levels = {attribute: sorted(set(base[attribute])) for attribute in _ATTRIBUTES}
    users, income = people[list(_ATTRIBUTES)], people["income"].str.removesuffix(".")
    for attribute, known in levels.items():
        refuse_unknown(paths[-1], users[attribute], "|".join(map(re.escape, known)))
    return _adult_dataset(name, "real", users, levels, income, split)


def _people(path: Path, above: int) -> DataFrame:
    """The attributes and the income; in the test part a line of comment stands above."""
    layout: Any = {"sep": ",", "skipinitialspace": True, "header": None, "skiprows": above}
    table = read_published(path, columns=range(_INCOME + 1), **layout)
    named = {column: attribute for attribute, column in _ATTRIBUTES.items()}
    table = table.rename(columns={**named, _INCOME: "income"})
    refuse_unknown(path, table["income"], r"(<=|>)50K\." if above else "(<=|>)50K")
    for attribute in _ATTRIBUTES:
        refuse_unknown(path, table[attribute], ".+")  # what is not known is written "?"
    return table


@lru_cache(maxsize=2)
def make_adult(name: str, split: str | None) -> Dataset:
    """Make the stand-in of Adult or of its test part, always the same one."""
    facts, rng = entry(name).statistics, np.random.default_rng(_SEED)
    rows, tests = facts["rows"], facts["test_rows"]
    levels = _level_names(facts["levels"])
    table, components = _draw_table(rows, tests, levels, _ADULT, rng)
    merit = rng.standard_normal(_ADULT.components)[components]
    noise = rng.standard_normal(rows + tests)
    score = _ADULT.income_learned * merit + (1 - _ADULT.income_learned**2) ** 0.5 * noise
    poor = score <= np.quantile(score, 1 - facts["rich_share"])
    part = slice(rows, None) if split == ADULT_TEST else slice(rows)
    income = pd.Series(np.where(poor, "<=50K", ">50K")[part])
    return _adult_dataset(name, "standin", table[part], levels, income, split)


def _adult_dataset(
    name: str, source: str, users: DataFrame, levels: Levels, income: pd.Series, split: str | None
) -> Dataset:
    """Give the people as matrix, table and labels."""
    matrix, items = _one_hot(users, levels)
    people = users.set_axis(pd.RangeIndex(len(users), name="user"), axis="index")
    rich = (income == ">50K").to_numpy().astype(np.int64)
    return Dataset(name, source, people, items, biadjacency=matrix, labels=rich, split=split)


# Google Play Store apps: googleplaystore.csv, and ten of their attributes as a matrix.
#
# The paper prints 8,672 rows, 521 columns and ten ones per row, and no encoding. What follows is
# our construction, which meets the three numbers; others may meet them as well.
#
# - The line that is shifted by one column (no category) is left out: 10,840 sound apps.
# - The attributes: Category, Rating, Size, Installs, Type, Price, Content Rating, Genres (the whole
#   text, "Art & Design;Creativity" being one level), Last Updated by year and month, Android Ver.
# - Size in hundredths: the bin is 100 times the number of apps with a smaller size, divided by the
#   number of apps whose size is known, rounded down; 88 bins occur, as equal sizes share a bin.
# - What is missing (Rating, Type and Android Ver "NaN", Size "Varies with device") becomes the
#   middle one of the known values (Rating, Size) or the most frequent one (Type, Android Ver).
# - The columns are the levels of all sound apps; the rows are 80 in 100 of these apps, drawn with a
#   fixed seed, in the order of the file. So a few columns are empty.

_UNKNOWN, _VARIES = "NaN", "Varies with device"
_PART_SEED = 521  # of the part that is drawn; any other would do
_COLUMNS = (
    *("App", "Category", "Rating", "Reviews", "Size", "Installs", "Type", "Price"),
    *("Content Rating", "Genres", "Last Updated", "Current Ver", "Android Ver"),
)
_UNITS = {"k": 1, "M": 1000}
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)
_PLAYSTORE = numbers_of("playstore")


def read_playstore(name: str, paths: Sequence[Path], _split: str | None) -> Dataset:
    """Put the drawn apps into a matrix; ``users`` holds their ten attributes."""
    [path] = paths
    apps = read_published(path, columns=_COLUMNS, quoting=csv.QUOTE_MINIMAL)
    # one line lacks a column
    apps = apps[apps["Android Ver"] != ""].reset_index(drop=True)
    refuse_unknown(path, apps["Rating"], rf"{_UNKNOWN}|[0-5]\.[0-9]")
    refuse_unknown(path, apps["Size"], rf"{_VARIES}|[0-9]+(\.[0-9]+)?[{''.join(_UNITS)}]")
    refuse_unknown(path, apps["Last Updated"], rf"({'|'.join(_MONTHS)}) \d{{1,2}}, \d{{4}}")
    gaps = {**dict.fromkeys(("Rating", "Type", "Android Ver"), _UNKNOWN), "Size": _VARIES}
    for attribute, gap in gaps.items():
        if (apps[attribute] == gap).all():
            raise DataFileError(f"{path} must hold some known {attribute}; get a fresh copy")
    table = attributes_of(apps)
    levels = {attribute: sorted(set(table[attribute])) for attribute in table}
    return _playstore_dataset(name, "real", table, levels)


@lru_cache(maxsize=1)
def make_playstore(name: str, _split: str | None) -> Dataset:
    """Make the stand-in of the Play Store, always the same one."""
    facts, rng = entry(name).statistics, np.random.default_rng(_SEED)
    levels = _level_names(facts["levels"])
    table, _ = _draw_table(facts["sound_rows"], 0, levels, _PLAYSTORE, rng)
    return _playstore_dataset(name, "standin", table, levels)


def _playstore_dataset(name: str, source: str, table: DataFrame, levels: Levels) -> Dataset:
    """Draw 80 of 100 rows and give them as matrix and table; the index is the place before."""
    total = len(table)
    part = np.sort(np.random.default_rng(_PART_SEED).permutation(total)[: total * 8 // 10])
    users = table.iloc[part].set_axis(pd.Index(part, name="user"), axis="index")
    matrix, items = _one_hot(users, levels)
    return Dataset(name, source, users, items, biadjacency=matrix)


def attributes_of(apps: DataFrame) -> DataFrame:
    """Give the ten attributes, without missing values.

    Parameters
    ----------
    apps : DataFrame
        The thirteen columns of the file, one row per sound app.

    Returns
    -------
    DataFrame of str, one row per app; Size is the number of its bin, with two digits or more
    """
    rating = apps["Rating"].where(apps["Rating"] != _UNKNOWN)
    known = np.sort(rating.dropna().astype(float))
    dates = apps["Last Updated"].str.extract(r"(?P<month>\w+) \d+, (?P<year>\d{4})")
    months = dates["month"].map({name: f"{place:02}" for place, name in enumerate(_MONTHS, 1)})
    completed = {
        "Rating": rating.fillna(f"{known[len(known) // 2]:.1f}"),
        "Size": _size_bins(apps["Size"]),
        "Type": _most_frequent(apps["Type"]),
        "Last Updated": dates["year"] + "-" + months,
        "Android Ver": _most_frequent(apps["Android Ver"]),
    }
    return apps.drop(columns=["App", "Reviews", "Current Ver"]).assign(**completed).astype(str)


def _size_bins(sizes: pd.Series) -> Array:
    """Give the bin of each size in hundredths of the known sizes; what varies is the middle one."""
    known = sizes[sizes != _VARIES]
    number = known.str[:-1].astype(float) * known.str[-1].map(_UNITS)
    order = np.sort(number.to_numpy())
    filled = number.reindex(sizes.index, fill_value=order[len(order) // 2])
    smaller = np.searchsorted(order, filled.to_numpy())
    return pd.Series(100 * smaller // len(order), index=sizes.index).map("{:02}".format)


def _most_frequent(values: pd.Series) -> pd.Series:
    """Put the most frequent value (of equals the first in the alphabet) where one is missing."""
    return values.where(values != _UNKNOWN, values[values != _UNKNOWN].mode().iloc[0])


# From categories to a matrix of ones: a column per level, a one per attribute.


def _one_hot(table: DataFrame, levels: Levels) -> tuple[sparse.csr_array, DataFrame]:
    """Give the matrix of ones and what each of its columns means.

    Parameters
    ----------
    table : DataFrame of str
        A column per attribute.
    levels : mapping of str to sequence of str
        The levels of each attribute, all that occur among them, in the order of the columns.

    Returns
    -------
    csr_array of int32 ones, shape (rows, all levels), and DataFrame with columns attribute, level
        The rows of the table are the columns of the matrix.

    Examples
    --------
    >>> people = DataFrame({"sex": ["F", "M"], "paid": ["yes", "yes"]})
    >>> matrix, items = _one_hot(people, {"sex": ["F", "M"], "paid": ["no", "yes"]})
    >>> matrix.toarray()
    array([[1, 0, 0, 1],
           [0, 1, 0, 1]], dtype=int32)
    >>> items.loc[3].tolist()
    ['paid', 'yes']
    """
    rows, attributes = table.shape
    sizes = [len(names) for names in levels.values()]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    places = [pd.Index(names).get_indexer(table[name]) for name, names in levels.items()]
    columns = (np.column_stack(places) + starts[:-1]).astype(np.int32).ravel()  # a row ascends
    indptr = np.arange(0, rows * attributes + 1, attributes, dtype=np.int32)
    ones, width = np.ones(len(columns), dtype=np.int32), int(starts[-1])
    matrix = sparse.csr_array((ones, columns, indptr), shape=(rows, width))
    every = [level for names in levels.values() for level in names]
    items = DataFrame({"attribute": np.repeat(list(levels), sizes), "level": every})
    return matrix, items.set_axis(pd.RangeIndex(width, name="item"), axis="index")
