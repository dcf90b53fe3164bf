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
from pplab.datasets.files import check_lines, fields_of, refuse_where
from pplab.datasets.one_hot import level_places, one_hot
from pplab.datasets.store import DataFileError

__all__ = ["ATTRIBUTES", "FILES", "TEST", "assemble", "dataset", "read_people"]

FILES = ("adult.data", "adult.test")
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
_COLUMNS = 15
_INCOMES = ("<=50K", ">50K")
_COMMENT = b"|"  # how adult.test begins


def read_people(path: Path, *, test: bool = False, lines: int | None = None) -> pd.DataFrame:
    """Read adult.data or adult.test.

    Parameters
    ----------
    path : Path
    test : bool
        Whether a line of comment comes first and the labels end in a full stop.
    lines : int, optional
        How many lines the complete file has, comment and empty last line included.

    Returns
    -------
    DataFrame of str, one row per person
        The eight categorical attributes and ``income``, "<=50K" or ">50K".

    Raises
    ------
    DataFileError
        One sentence that names file and line: a line cut short, another number of columns, an
        empty attribute, an income that is neither of the two, no comment, missing lines.
    """
    raw, above = path.read_bytes(), 0
    if test:
        comment, _, raw = raw.partition(b"\n")
        above = 1
        if not comment.startswith(_COMMENT):
            raise DataFileError(
                f"{path}, line 1: expected the comment '|1x3 Cross validator', "
                f"got {comment[:40].decode('ascii', errors='replace')!r}; get a fresh copy"
            )
    body = raw[:-1] if raw.endswith(b"\n\n") else raw
    rows = fields_of(path, body, count=_COLUMNS, separator=", ", encoding="ascii", above=above)
    check_lines(path, above + len(rows) + (len(raw) - len(body)), lines)
    incomes = [row[-1] for row in rows]
    wanted = [f"{income}." if test else income for income in _INCOMES]
    refuse_where(
        path,
        ~np.isin(incomes, wanted),
        lambda place: f"the income must be {' or '.join(wanted)}, got {incomes[place]!r}",
        header=above,
    )
    table = pd.DataFrame(
        {name: [row[column] for row in rows] for name, column in ATTRIBUTES.items()}, dtype=str
    )
    refuse_where(
        path,
        np.asarray((table == "").any(axis=1)),
        lambda _place: "an attribute is empty; what is not known is written '?'",
        header=above,
    )
    return table.assign(income=[income.removesuffix(".") for income in incomes])


def assemble(
    name: str, people: pd.DataFrame, columns_of: pd.DataFrame, *, path: Path, split: str | None
) -> Dataset:
    """Put people into a matrix with the levels of `columns_of` (adult.data) as its columns.

    Parameters
    ----------
    name : str
    people : DataFrame
        As `read_people` gives it.
    columns_of : DataFrame
        The people whose levels, in alphabetic order, make the columns.
    path : Path
        Where `people` come from, to name a line with a level that has no column.
    split : str, optional

    Raises
    ------
    DataFileError
        If somebody has a level that nobody in adult.data has (in the real file nobody does).
    """
    levels = {attribute: sorted(set(columns_of[attribute])) for attribute in ATTRIBUTES}
    places = level_places(people, levels)
    refuse_where(
        path,
        np.asarray((places < 0).any(axis=1)),
        lambda place: _unknown(people.iloc[place], places[place]),
        header=int(split == TEST),
    )
    return dataset(name, "real", people[list(ATTRIBUTES)], levels, places, people["income"], split)


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
        labels=(np.asarray(income) == _INCOMES[1]).astype(np.int64),
        split=split,
    )


def _unknown(person: pd.Series, places: np.ndarray) -> str:
    attribute = list(ATTRIBUTES)[int(np.argmin(places))]
    return f"{attribute} {person[attribute]!r} is not a level of adult.data"
