"""Lists of links and of ratings, as people's ids: the matrices they become."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import sparse

from pplab.datasets.dataset import Dataset, csr_of_cells

__all__ = ["distinct", "friendships", "highest_ratings", "joined", "places_of", "plain_table"]


def distinct(codes: np.ndarray) -> np.ndarray:
    """Give each number once, ascending; for millions of numbers quicker than numpy's unique.

    Examples
    --------
    >>> distinct(np.array([3, 1, 3]))
    array([1, 3])
    """
    found = np.sort(codes)
    return found[np.concatenate([np.ones(len(found[:1]), dtype=bool), found[1:] != found[:-1]])]


def friendships(first: np.ndarray, second: np.ndarray, *, users: int) -> sparse.csr_array:
    """Give the undirected graph of links listed in either direction, once or often.

    Parameters
    ----------
    first, second : int arrays
        Rows of the two people of each link, from 0; somebody's link to herself is left out.
    users : int
        Rows of the result; who has no link keeps an empty row.

    Returns
    -------
    csr_array of int8 ones, symmetric, shape (users, users)

    Examples
    --------
    >>> friendships(np.array([0, 1, 2]), np.array([1, 0, 2]), users=3).toarray()
    array([[0, 1, 0],
           [1, 0, 0],
           [0, 0, 0]], dtype=int8)
    """
    low, high = np.minimum(first, second), np.maximum(first, second)
    codes = distinct((low * np.int64(users) + high)[low < high])
    low, high = codes // users, codes % users
    rows, columns = np.concatenate([low, high]), np.concatenate([high, low])
    return csr_of_cells(rows, columns, np.ones(len(rows), dtype=np.int8), (users, users))


def highest_ratings(
    rows: np.ndarray, columns: np.ndarray, values: np.ndarray, *, shape: tuple[int, int]
) -> sparse.csr_array:
    """Give the table of ratings; of several ratings of one item by one user the highest stays.

    The order of the lines means nothing, so the result must not depend on it.

    Examples
    --------
    >>> rows, columns = np.array([0, 0, 1]), np.array([1, 1, 0])
    >>> highest_ratings(rows, columns, np.array([3, 5, 0]), shape=(2, 2)).toarray()
    array([[0, 5],
           [0, 0]])
    """
    order = np.lexsort((values, columns, rows))
    rows, columns, values = rows[order], columns[order], values[order]
    last = np.ones(len(rows), dtype=bool)
    last[:-1] = (rows[1:] != rows[:-1]) | (columns[1:] != columns[:-1])
    return csr_of_cells(rows[last], columns[last], values[last], shape)


def joined(name: str, ratings: pd.DataFrame, links: pd.DataFrame) -> Dataset:
    """Put ratings and links of real files together; users are all who occur in one of them.

    Parameters
    ----------
    name : str
        Name of the data set.
    ratings : DataFrame
        Columns user, item and rating.
    links : DataFrame
        The two users of a link, in its first two columns.

    Returns
    -------
    Dataset
        Friends are linked in either direction; the highest rating of an item by a user counts.
    """
    sides = [links.iloc[:, side].to_numpy() for side in (0, 1)]
    users = plain_table(ratings["user"].to_numpy(), *sides, name="user")
    items = plain_table(ratings["item"].to_numpy(), name="item")
    first, second = (places_of(side, users) for side in sides)
    rows = places_of(ratings["user"].to_numpy(), users)
    columns = places_of(ratings["item"].to_numpy(), items)
    table = highest_ratings(
        rows, columns, ratings["rating"].to_numpy(), shape=(len(users), len(items))
    )
    return Dataset(
        name=name,
        source="real",
        users=users,
        items=items,
        social=friendships(first, second, users=len(users)),
        preferences=table,
    )


def plain_table(*ids: np.ndarray, name: str) -> pd.DataFrame:
    """Give a table without columns whose index is all ids that occur, ascending."""
    return pd.DataFrame(index=pd.Index(np.unique(np.concatenate(ids)), name=name))


def places_of(ids: np.ndarray, table: pd.DataFrame) -> np.ndarray:
    """Row in `table` of each id; -1 where it has none."""
    return table.index.get_indexer(pd.Index(ids))
