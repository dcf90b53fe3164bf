"""Last.fm of HetRec 2011 as its owner publishes it: friends, listening counts and artists.

Three files with a header, tabs between the columns; every friendship is listed from both sides.
Nothing is left out here: a listening count of 1 is read like any other, and the experiment says
which counts make a preference.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pplab.datasets.dataset import Dataset, csr_of_cells
from pplab.datasets.files import read_published
from pplab.datasets.social_tables import friendships, places_of, plain_table

__all__ = ["FILES", "read"]

FILES = ("user_artists.dat", "user_friends.dat", "artists.dat")


def read(name: str, paths: Sequence[Path], _split: str | None) -> Dataset:
    """Put the three files together; users are all who occur, items all artists of the owner."""
    counts, friends = (read_published(path, sep="\t") for path in paths[:2])
    artists = read_published(paths[2], sep="\t", dtype={"name": str, "url": str, "pictureURL": str})
    artists = artists.rename(columns={"id": "artist", "pictureURL": "picture"})
    artists = artists.set_index("artist").sort_index()
    user, one, other = (
        column.to_numpy() for column in (counts["userID"], friends["userID"], friends["friendID"])
    )
    users = plain_table(user, one, name="user")
    return Dataset(
        name=name,
        source="real",
        users=users,
        items=artists,
        social=friendships(places_of(one, users), places_of(other, users), users=len(users)),
        preferences=csr_of_cells(
            places_of(user, users),
            places_of(counts["artistID"].to_numpy(), artists),
            counts["weight"].to_numpy(),
            (len(users), len(artists)),
        ),
    )
