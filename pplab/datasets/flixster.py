"""Flixster in the form of its authors' two files: links.txt and ratings.txt.

Tabs between the numbers, no header. The files are not at hand here: this form is the usual one,
tested on made files, and what the real ones hold beside it is not known. So the reader is mild
where a careful owner may have been careless (links listed once, twice or to oneself, an item
rated again), and strict where a number would be misread.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from pplab.datasets.dataset import Dataset
from pplab.datasets.files import read_numbers, refuse_where
from pplab.datasets.social_tables import joined

__all__ = ["FILES", "read"]

FILES = ("ratings.txt", "links.txt")
_LARGEST_ID = 2.0**53  # up to here every whole number is a decimal number as well


def read(name: str, paths: Sequence[Path], _split: str | None) -> Dataset:
    """Put the two files together; users are all who occur in one of them.

    A friendship counts once however often and from whichever side it is listed; of several
    ratings of a film by one user the highest is taken. Nobody is left out here: the paper's cut
    (users with a rating, main component, ratings of 2 and more) belongs to the experiment.

    Raises
    ------
    DataFileError
        One sentence that names file and line: a line cut short, another number of columns,
        something but numbers, an id with decimals, a rating that is not 0.5, 1, 1.5, ... or 5.
    """
    ratings, links = paths
    friends = read_numbers(links, links.read_bytes(), columns=("user", "friend"), separator="\t")
    return joined(name, _ratings(ratings), friends)


def _ratings(path: Path) -> pd.DataFrame:
    columns = ("user", "item", "rating")
    table = read_numbers(path, path.read_bytes(), columns=columns, separator="\t", decimals=True)
    ids, rating = table[["user", "item"]], table["rating"].to_numpy()
    refuse_where(
        path,
        ~((ids >= 0) & (ids < _LARGEST_ID) & (ids == np.floor(ids))).all(axis=1).to_numpy(),
        lambda place: "user and film must be whole numbers, got {:g} and {:g}".format(
            *ids.iloc[place]
        ),
    )
    refuse_where(
        path,
        ~((rating >= 0.5) & (rating <= 5) & (2 * rating == np.floor(2 * rating))),
        lambda place: f"the rating must be 0.5, 1, 1.5, ... or 5, got {rating[place]:g}",
    )
    return table.astype({"user": np.int64, "item": np.int64})
