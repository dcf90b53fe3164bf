"""Predict ratings by those of the nearest protected user, and hold ratings out to test it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pplab.checks import as_rng, check_choice, check_full, check_integer, check_probability
from pplab.graphs import GraphLike
from pplab.nearest import nearest_rows
from pplab.tables import as_table


@dataclass(frozen=True)
class Predictions:
    """Predictions of one user each from another.

    Attributes
    ----------
    neighbours : int64 array, shape (queries,)
        Row of the protected user; -1 for a query without ratings.
    predicted : float64 array, shape (queries, items)
        The ratings of that user; NaN for a query without ratings.
    """

    neighbours: np.ndarray
    predicted: np.ndarray


@dataclass(frozen=True)
class HiddenCells:
    """A table with some ratings hidden, and what they were.

    Attributes
    ----------
    training : float64 array, shape (users, items)
        NaN where nobody rated or the rating is hidden.
    rows, columns : int64 array, shape (hidden,)
        Cells that are hidden, sorted by row and column.
    ratings : float64 array, shape (hidden,)
        What their users gave.
    """

    training: np.ndarray
    rows: np.ndarray
    columns: np.ndarray
    ratings: np.ndarray


def predict_from_nearest(
    protected: GraphLike, queries: GraphLike, *, cells: str = "all"
) -> Predictions:
    """Predict each user's ratings by those of the nearest user of a protected table.

    Parameters
    ----------
    protected : array, shape (users, items)
        Complete table of the training users.
    queries : array, shape (queries, items)
        Users to predict for, on the same scale; NaN, or not stored, where they did not rate.
    cells : {"all", "rated"}
        "all" takes Euclidean distances over all cells of completed queries; "rated" over the
        cells that the query has rated.

    Returns
    -------
    Predictions
        Of several users that are equally near, the one whose ratings come first in lexicographic
        order: the order of the training rows does not matter, but for identical rows, of which
        the first is named.

    Raises
    ------
    ValueError
        If a table has gaps where it must not, or the items differ in number.

    References
    ----------
    Casino, Domingo-Ferrer, Patsakis, Puig and Solanas 2015, A k-anonymous approach to privacy
    preserving collaborative filtering, section 4, doi 10.1016/j.jcss.2014.12.013.

    Examples
    --------
    >>> found = predict_from_nearest([[1, 2], [5, 4]], [[5, float("nan")]], cells="rated")
    >>> found.neighbours, found.predicted
    (array([1]), array([[5., 4.]]))
    """
    check_choice("cells", cells, ("all", "rated"))
    training, users = as_table(protected, name="protected"), as_table(queries, name="queries")
    check_full("protected", training, remedy="predict from a complete table")
    if cells == "all":
        remedy = 'fill them with pplab.microaggregation.complete, or pass cells="rated"'
        check_full("queries", users, remedy=remedy)
    order = np.lexsort(training.T[::-1])
    nearest = nearest_rows(training[order], users).index
    neighbours = np.where(nearest >= 0, order[nearest], -1)
    predicted = training[neighbours]
    predicted[neighbours < 0] = np.nan
    return Predictions(neighbours, predicted)


def holdout_cells(
    ratings: GraphLike, *, share: float, rng: int | np.random.Generator | None = None
) -> HiddenCells:
    """Hide a share of the ratings, drawn from all of them alike.

    Parameters
    ----------
    ratings : table, shape (users, items)
        NaN, or not stored, where nobody rated.
    share : float
        Share to hide, in (0, 1), rounded to a whole number of ratings; 0.2 in the paper.
    rng : int, numpy.random.Generator or None

    Returns
    -------
    HiddenCells

    Raises
    ------
    TypeError, ValueError
        If the share leaves its interval, or would hide no rating or all of them.

    References
    ----------
    Casino, Domingo-Ferrer, Patsakis, Puig and Solanas 2015, A k-anonymous approach to privacy
    preserving collaborative filtering, section 4 ("80 % of the item values"),
    doi 10.1016/j.jcss.2014.12.013.

    Examples
    --------
    >>> hidden = holdout_cells([[1, 2, 3], [4, 5, float("nan")]], share=0.2, rng=1)
    >>> len(hidden.ratings), int(np.isnan(hidden.training).sum())
    (1, 2)
    """
    check_probability("share", share)
    table = as_table(ratings)
    rows, columns = np.nonzero(~np.isnan(table))
    drawn = _drawn("ratings", len(rows), share, rng)
    rows, columns = rows[drawn], columns[drawn]
    hidden = table[rows, columns]
    table[rows, columns] = np.nan
    return HiddenCells(table, rows, columns, hidden)


def holdout_users(
    n_users: int, *, share: float, rng: int | np.random.Generator | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Split users into those to learn from and those to test on.

    Parameters
    ----------
    n_users : int
        Number of users, at least 2.
    share : float
        Share to test on, in (0, 1), rounded to a whole number of users; 0.2 in the paper.
    rng : int, numpy.random.Generator or None

    Returns
    -------
    tuple of int64 array
        Numbers of the training users and of the test users, both ascending.

    Raises
    ------
    TypeError, ValueError
        If the share leaves its interval, or would leave one side empty.

    References
    ----------
    Casino, Domingo-Ferrer, Patsakis, Puig and Solanas 2015, A k-anonymous approach to privacy
    preserving collaborative filtering, section 4 ("users in the test set"),
    doi 10.1016/j.jcss.2014.12.013.

    Examples
    --------
    >>> training, test = holdout_users(10, share=0.2, rng=1)
    >>> len(training), len(test)
    (8, 2)
    """
    check_probability("share", share)
    users = check_integer("n_users", n_users, minimum=2, maximum=10**8)
    test = _drawn("users", users, share, rng)
    return np.setdiff1d(np.arange(users), test, assume_unique=True), test


def _drawn(
    name: str, total: int, share: float, rng: int | np.random.Generator | None
) -> np.ndarray:
    """Numbers below total, so many as the share asks for, ascending."""
    size = round(total * float(share))
    if not 0 < size < total:
        raise ValueError(
            f"share must leave {name} on both sides of the split, got {size} of {total} held out; "
            "pass more data or another share"
        )
    return np.sort(as_rng(rng).choice(total, size, replace=False))
