"""Adult (census income) as its owner publishes it: adult.data, and adult.test beside it.

Fifteen columns, a comma and a space between them, an empty line at the end. adult.test begins with
a line of comment and puts a full stop behind its labels. The eight categorical columns become the
matrix, ``?`` being a level like any other; the label is whether the income is above 50K.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from pplab.datasets.dataset import Dataset
from pplab.datasets.files import read_published
from pplab.datasets.one_hot import level_places, one_hot

__all__ = ["ATTRIBUTES", "TEST", "dataset", "files", "read"]

TEST = "test"
# name of each categorical attribute and its column in the file
ATTRIBUTES = {
    "workclass": 1,
    "education": 3,
    "marital-status": 5,
    "occupation": 6,
    "relationship": 7,
    "race": 8,
    "sex": 9,
    "native-country": 13,
}
_INCOME = 14


def files(split: str | None) -> Sequence[str]:
    """Names of the files that a split is read from: a test part needs the levels of the other."""
    return ("adult.data", "adult.test") if split == TEST else ("adult.data",)


def read(name: str, paths: Sequence[Path], split: str | None) -> Dataset:
    """Put people into a matrix; its columns are the levels of adult.data in alphabetic order."""
    base, *test = (
        read_published(path, sep=",", skipinitialspace=True, header=None, dtype=str, skiprows=above)
        for above, path in enumerate(paths)
    )
    people = test[0] if test else base
    named = {attribute: people[column] for attribute, column in ATTRIBUTES.items()}
    levels = {attribute: sorted(set(base[column])) for attribute, column in ATTRIBUTES.items()}
    users, income = pd.DataFrame(named), people[_INCOME].str.removesuffix(".")
    return dataset(name, "real", users, levels, level_places(users, levels), income, split)


def dataset(
    name: str,
    source: str,
    users: pd.DataFrame,
    levels: Mapping[str, Sequence[str]],
    places: np.ndarray,
    income: Sequence[str],
    split: str | None,
) -> Dataset:
    """Give the people as matrix, table and labels."""
    matrix, items = one_hot(places, levels)
    return Dataset(
        name=name,
        source=source,
        users=users.set_axis(pd.RangeIndex(len(users), name="user"), axis="index"),
        items=items,
        biadjacency=matrix,
        labels=(np.asarray(income) == ">50K").astype(np.int64),
        split=split,
    )
