"""Ratings or users held out to test on."""

from dataclasses import dataclass

import numpy as np

from pplab.checks import Rng, as_rng, check_integer, check_probability
from pplab.graphs import Array, GraphLike, by_value, with_labels
from pplab.labelled import in_stated_order
from pplab.tables import as_table


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

    training: Array
    rows: Array
    columns: Array
    ratings: Array


def holdout_cells(ratings: GraphLike, *, share: float, rng: Rng = None) -> HiddenCells:
    """Hide a share of the ratings, drawn uniformly from all of them.

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
    ratings = with_labels(ratings, bipartite=True, name="ratings")
    table = as_table(by_value(ratings, bipartite=True))
    rated = np.flatnonzero(~np.isnan(table))
    hidden = np.zeros(table.shape, dtype=bool)
    hidden.flat[rated[_draw_numbers("ratings", len(rated), share, rng)]] = True
    table, hidden = (in_stated_order(ratings, x, columns=True) for x in (table, hidden))
    rows, columns = np.nonzero(hidden)
    return HiddenCells(np.where(hidden, np.nan, table), rows, columns, table[hidden])


def holdout_users(n_users: int, *, share: float, rng: Rng = None) -> tuple[Array, Array]:
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
    test = _draw_numbers("users", users, share, rng)
    return np.setdiff1d(np.arange(users), test, assume_unique=True), test


def _draw_numbers(name: str, total: int, share: float, rng: Rng) -> Array:
    """Numbers below total, so many as the share asks for, ascending."""
    size = round(total * float(share))
    if not 0 < size < total:
        raise ValueError(
            f"share must leave {name} on both sides of the split, got {size} of {total} held out; "
            "pass more data or another share"
        )
    return np.sort(as_rng(rng).choice(total, size, replace=False))
