"""Completion: a rating for every cell that nobody rated."""

from __future__ import annotations

import numpy as np

from pplab.checks import check_choice, check_rated, check_rating_range
from pplab.graphs import GraphLike
from pplab.tables import as_table, canonical_order

__all__ = ["IMPUTATIONS", "complete"]

IMPUTATIONS = ("midpoint", "item-mean", "item-median", "user-mean", "global-mean")


def complete(ratings: GraphLike, *, impute: str, rating_range: tuple[float, float]) -> np.ndarray:
    """Fill the gaps of a table of ratings; every given rating stays as it is.

    Parameters
    ----------
    ratings : any form that ``pplab.tables.as_table`` takes, shape (users, items)
        NaN or not stored: no rating.
    impute : {"midpoint", "item-mean", "item-median", "user-mean", "global-mean"}
        What a gap is filled with: the middle of rating_range; the mean or median of those who
        rated the item; the mean of what the user rated; the mean of all ratings. An item (or user)
        without a single rating takes the mean of all ratings.
    rating_range : pair of float
        Lowest and highest rating; others are refused.

    Returns
    -------
    float64 array, shape (users, items)
        Without gaps, within rating_range.

    Raises
    ------
    TypeError, ValueError
        If an option is not known, a rating leaves the scale, or nobody rated anything and impute
        is not "midpoint".

    References
    ----------
    Casino, Domingo-Ferrer, Patsakis, Puig and Solanas 2015, A k-anonymous approach to privacy
    preserving collaborative filtering, doi 10.1016/j.jcss.2014.12.013: "central value imputation",
    which the printed values fit when read as the midpoint of the scale.

    Examples
    --------
    >>> complete([[5, 0, 4], [2, 0, 0]], impute="item-mean", rating_range=(1, 5))
    array([[5.        , 3.66666667, 4.        ],
           [2.        , 3.66666667, 4.        ]])
    """
    check_choice("impute", impute, IMPUTATIONS)
    low, high = check_rating_range(rating_range)
    table = as_table(ratings, rating_range=(low, high))
    if impute == "midpoint":
        fill = np.array([[low + (high - low) / 2]])
    else:
        check_rated("ratings", int(np.count_nonzero(~np.isnan(table))))
        fill = _fill_from_ratings(table, impute)
    np.copyto(table, fill, where=np.isnan(table))
    return table


def _fill_from_ratings(table: np.ndarray, impute: str) -> np.ndarray:
    """What fills the gaps, with shape (1, items), (users, 1) or (1, 1)."""
    rows = table[canonical_order(table)]  # sums that do not depend on how the users are listed
    overall = _means(rows.reshape(-1, 1))
    if impute == "global-mean":
        return overall[None]
    if impute == "user-mean":
        typical = _means(table.T)[:, None]
    elif impute == "item-median":
        typical = _medians(table)[None]
    else:
        typical = _means(rows)[None]
    return np.where(np.isnan(typical), overall, typical)


def _means(table: np.ndarray) -> np.ndarray:
    """Mean of what is known in each column, NaN where nothing is."""
    counts = np.count_nonzero(~np.isnan(table), axis=0)
    with np.errstate(invalid="ignore"):  # 0 / 0: nobody rated the item
        means = np.nansum(table, axis=0) / counts
    # A mean lies between what it is the mean of. Rounding can push it a hair outside, and then
    # an item whose ratings agree would no longer be constant once it is full.
    return np.clip(means, np.fmin.reduce(table, axis=0), np.fmax.reduce(table, axis=0))


def _medians(table: np.ndarray) -> np.ndarray:
    """Median of what is known in each column, NaN where nothing is."""
    medians = np.full(table.shape[1], np.nan)
    for item in np.flatnonzero(~np.isnan(table).all(axis=0)):
        column = table[:, item]
        medians[item] = np.median(column[~np.isnan(column)])
    return medians
