"""Flixster in the form of its authors' two files: links.txt and ratings.txt.

Tabs between the numbers, no header. The files are not at hand here: this form is the usual one,
tested on made files, and what the real ones hold beside it is not known. So the reader is mild
where a careful owner may have been careless (links listed once, twice or to oneself, an item
rated again), and strict where a number would be misread.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from pplab.datasets.dataset import Dataset
from pplab.datasets.files import read_decimals, read_integers, refuse_where
from pplab.datasets.social_tables import joined

__all__ = ["FILES", "assemble", "read_links", "read_ratings"]

FILES = ("ratings.txt", "links.txt")
_LARGEST_ID = 2.0**53  # up to here every whole number is a decimal number as well


def read_links(path: Path) -> pd.DataFrame:
    """Read links.txt: two users, separated by a tab.

    Returns
    -------
    DataFrame with int64 columns user, friend; one row per line

    Raises
    ------
    DataFileError
        One sentence that names file and line: a line cut short, another number of columns,
        something but digits.
    """
    return read_integers(path, columns=("user", "friend"), separator="\t")


def read_ratings(path: Path) -> pd.DataFrame:
    """Read ratings.txt: user, film and a rating from 0.5 to 5 in steps of 0.5.

    Returns
    -------
    DataFrame with columns user, item (int64) and rating (float64); one row per line

    Raises
    ------
    DataFileError
        As `read_links`; also for an id with decimals and for a rating that is not on the scale.
    """
    table = read_decimals(path, path.read_bytes(), count=3, separator="\t")
    ids, rating = table[:, :2], table[:, 2]
    refuse_where(
        path,
        ~((ids >= 0) & (ids < _LARGEST_ID) & (ids == np.floor(ids))).all(axis=1),
        lambda place: "user and film must be whole numbers, got {:g} and {:g}".format(*ids[place]),
    )
    refuse_where(
        path,
        ~((rating >= 0.5) & (rating <= 5) & (2 * rating == np.floor(2 * rating))),
        lambda place: f"the rating must be 0.5, 1, 1.5, ... or 5, got {rating[place]:g}",
    )
    user, item = ids.astype(np.int64).T
    return pd.DataFrame({"user": user, "item": item, "rating": rating})


def assemble(name: str, ratings: pd.DataFrame, links: pd.DataFrame) -> Dataset:
    """Put the two tables together; users are all who occur in one of them.

    A friendship counts once however often and from whichever side it is listed; of several
    ratings of a film by one user the highest is taken. Nobody is left out here: the paper's cut
    (users with a rating, main component, ratings of 2 and more) belongs to the experiment.
    """
    return joined(name, ratings, links)
