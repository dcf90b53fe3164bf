"""Last.fm of HetRec 2011 as its owner publishes it: friends, listening counts and artists.

Three files with a header, tabs between the columns. Nothing is left out here: a listening count
of 1 is read like any other, and the experiment says which counts make a preference.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from pplab.datasets.dataset import Dataset, csr_of_cells
from pplab.datasets.files import read_fields, read_integers, refuse_where
from pplab.datasets.social_tables import friendships, places_of, plain_table
from pplab.datasets.store import DataFileError

__all__ = ["FILES", "assemble", "read_artists", "read_counts", "read_friends"]

FILES = ("user_artists.dat", "user_friends.dat", "artists.dat")
_ARTIST_COLUMNS = ("id", "name", "url", "pictureURL")
_MOST_DIGITS = 18


def read_counts(path: Path, *, lines: int | None = None) -> pd.DataFrame:
    """Read user_artists.dat: how often each user listened to each of her artists.

    Parameters
    ----------
    path : Path
    lines : int, optional
        How many lines the complete file has, its header included.

    Returns
    -------
    DataFrame with int64 columns userID, artistID, weight; one row per line

    Raises
    ------
    DataFileError
        One sentence that names file and line: another header, a line cut short, something but
        digits, a count of 0, a pair that occurred before, missing lines.
    """
    columns = ("userID", "artistID", "weight")
    table = read_integers(path, columns=columns, separator="\t", lines=lines, header=True)
    refuse_where(
        path,
        (table["weight"] < 1).to_numpy(),
        lambda place: f"the listening count must be 1 or more, got {table['weight'][place]}",
        header=True,
    )
    pairs = table[["userID", "artistID"]]
    refuse_where(
        path,
        pairs.duplicated().to_numpy(),
        lambda place: "user {} has artist {} a second time".format(*pairs.iloc[place]),
        header=True,
    )
    return table


def read_friends(path: Path, *, lines: int | None = None) -> pd.DataFrame:
    """Read user_friends.dat: every friendship twice, once from each side.

    Returns
    -------
    DataFrame with int64 columns userID, friendID; one row per line

    Raises
    ------
    DataFileError
        As `read_counts`; also for somebody's own friend, and for a friendship that is listed
        from one side alone.
    """
    columns = ("userID", "friendID")
    table = read_integers(path, columns=columns, separator="\t", lines=lines, header=True)
    first, second = table["userID"], table["friendID"]

    def pair(place: int) -> str:
        return f"user {first[place]} and friend {second[place]}"

    own = (first == second).to_numpy()
    refuse_where(
        path, own, lambda place: f"user {first[place]} is listed as her own friend", header=True
    )
    again = table.duplicated().to_numpy()
    refuse_where(path, again, lambda place: f"{pair(place)} are listed twice", header=True)
    there, back = pd.MultiIndex.from_frame(table), pd.MultiIndex.from_arrays([second, first])
    one_sided = ~there.isin(back)
    refuse_where(
        path,
        one_sided,
        lambda place: f"{pair(place)} are listed from one side alone",
        header=True,
    )
    return table


def read_artists(path: Path, *, lines: int | None = None) -> pd.DataFrame:
    """Read artists.dat: name, url and picture by artist id, ascending.

    Raises
    ------
    DataFileError
        For another header, another number of columns, an id that is no number or occurs twice,
        text that is not UTF-8, missing lines.
    """
    rows = read_fields(path, count=4, separator="\t", encoding="utf-8", lines=lines)
    if tuple(rows[0]) != _ARTIST_COLUMNS:
        expected = ", ".join(_ARTIST_COLUMNS)
        raise DataFileError(f"{path}, line 1: expected the header {expected}; get a fresh copy")
    table = pd.DataFrame(rows[1:], columns=["artist", "name", "url", "picture"], dtype=str)
    ids, names = table["artist"], table["name"]
    wrong = ~(ids.str.fullmatch("[0-9]+") & (ids.str.len() <= _MOST_DIGITS)).to_numpy()
    refuse_where(
        path,
        wrong,
        lambda place: f"id must be a whole number, got {ids[place]!r}",
        header=True,
    )
    refuse_where(
        path,
        names.str.contains("\ufffd").to_numpy(),  # what the decoder puts for a stray byte
        lambda place: f"the name of artist {ids[place]} is not UTF-8",
        header=True,
    )
    table = table.astype({"artist": np.int64})
    refuse_where(
        path,
        table["artist"].duplicated().to_numpy(),
        lambda place: f"artist {ids[place]} occurs a second time",
        header=True,
    )
    return table.set_index("artist").sort_index()


def assemble(
    name: str, counts: pd.DataFrame, friends: pd.DataFrame, artists: pd.DataFrame, *, path: Path
) -> Dataset:
    """Put the three tables together; users are all who occur, items all artists of the owner.

    Parameters
    ----------
    name : str
    counts, friends, artists : DataFrame
        As the readers give them.
    path : Path
        Where the counts come from, to name a line whose artist is not known.
    """
    users = plain_table(
        *(table.to_numpy() for table in (counts["userID"], friends["userID"])), name="user"
    )
    columns = places_of(counts["artistID"].to_numpy(), artists)
    refuse_where(
        path,
        columns < 0,
        lambda place: f"artist {counts['artistID'][place]} is not in artists.dat",
        header=True,
    )
    rows = places_of(counts["userID"].to_numpy(), users)
    shape = (len(users), len(artists))
    sides = (places_of(friends[side].to_numpy(), users) for side in ("userID", "friendID"))
    return Dataset(
        name=name,
        source="real",
        users=users,
        items=artists,
        social=friendships(*sides, users=len(users)),
        preferences=csr_of_cells(rows, columns, counts["weight"].to_numpy(), shape),
    )
