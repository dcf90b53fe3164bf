"""Ratings that a group gives away together: equal ratings and extreme means."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pplab.checks import check_finite_numbers, check_labels, check_rating_range, check_some_rated
from pplab.graphs import GraphLike, with_labels
from pplab.labelled import one_each
from pplab.tables import as_published, as_ratings_and_release, as_table, distinct_points

if TYPE_CHECKING:
    import pandas as pd

_SLACK = 1e-9  # of the width of the scale: means that were scaled and scaled back differ by less


@dataclass(frozen=True)
class Homogeneity:
    """Rated cells whose value is revealed to anyone who knows the user's group.

    Attributes
    ----------
    cells : bool array, shape (users, items)
        Rated cells of groups in which all who rated the item gave the same rating.
    share : float
        Share of all ratings so disclosed.
    by_raters : DataFrame
        ``raters`` (members of the group who rated the item), ``cells`` (ratings in such groups),
        ``disclosed``, ``share``. A lone rater always agrees.

    References
    ----------
    Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam 2007, doi 10.1145/1217299.1217302.

    Examples
    --------
    >>> homogeneous_cells([[5, 3], [5, 4], [5, 0]], labels=[0, 0, 0], rating_range=(1, 5)).share
    0.6
    """

    cells: np.ndarray
    share: float
    by_raters: "pd.DataFrame"


def homogeneous_cells(
    ratings: GraphLike, *, labels: np.ndarray, rating_range: tuple[float, float]
) -> Homogeneity:
    """Find the ratings that a group gives away because all its raters agree.

    Whoever locates a user's group and learns what its raters gave then knows the user's own
    rating for certain, whatever k is.

    Parameters
    ----------
    ratings : array, shape (users, items), or other table
        Original ratings, the measure of what is disclosed.
    labels : int array, shape (users,)
        Group of each user.
    rating_range : pair of float
        Lowest and highest rating.

    Returns
    -------
    Homogeneity
        ``.cells``, ``.share`` and ``.by_raters``.

    Raises
    ------
    TypeError, ValueError
        If the labels do not fit, there is no rating, or one leaves the scale.

    References
    ----------
    Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam 2007, doi 10.1145/1217299.1217302,
    Section 1.1: the homogeneity attack.

    Examples
    --------
    >>> found = homogeneous_cells([[5, 3], [5, 4], [5, 0]], labels=[0, 0, 0], rating_range=(1, 5))
    >>> found.by_raters
       raters  cells  disclosed  share
    0       2      2          0    0.0
    1       3      3          3    1.0
    """
    import pandas as pd

    ratings = with_labels(ratings, bipartite=True, name="ratings")
    table = as_table(ratings, rating_range=check_rating_range(rating_range))
    labels, rated = one_each(ratings, labels, "labels"), ~np.isnan(table)
    check_some_rated("ratings", int(rated.sum()))
    group_of = check_labels(labels, len(table))
    order = np.argsort(group_of, kind="stable")
    starts = np.searchsorted(group_of[order], np.arange(group_of.max() + 1))
    lowest = np.fmin.reduceat(table[order], starts)  # fmin and fmax pass over NaN
    highest = np.fmax.reduceat(table[order], starts)
    raters = np.add.reduceat(rated[order], starts, dtype=np.int64)[group_of]
    cells = rated & (lowest == highest)[group_of]
    counts = np.bincount(raters[rated])
    disclosed = np.bincount(raters[rated], weights=cells[rated]).astype(np.int64)
    seen = np.flatnonzero(counts)
    by_raters = {"raters": seen, "cells": counts[seen], "disclosed": disclosed[seen]}
    return Homogeneity(
        cells=cells,
        share=float(cells.sum() / rated.sum()),
        by_raters=pd.DataFrame(by_raters).assign(share=disclosed[seen] / counts[seen]),
    )


@dataclass(frozen=True)
class RevealedByMean:
    """Cells of a published table whose mean allows only one value for every member.

    Attributes
    ----------
    revealed : float array, shape (users, items)
        The value of every member where the mean is an end of the scale, NaN elsewhere.
    """

    revealed: np.ndarray


def revealed_by_mean(protected: GraphLike, *, rating_range: tuple[float, float]) -> RevealedByMean:
    """Find what means at an end of the scale reveal: all members gave exactly that.

    No original, no group size and no other knowledge is needed. A value so revealed is a
    completed one: with the midpoint as filling it is a true rating of every member, while a
    filling by item means can reach an end itself. A mean near an end narrows the members' values
    further when group size and whole ratings are known (5 - 1/k says one 4 among fives); that is
    left out here, so the share is a lower bound.

    Parameters
    ----------
    protected : array, shape (users, items), or other table
        Published means, no cell empty.
    rating_range : pair of float
        Lowest and highest rating.

    Returns
    -------
    RevealedByMean

    Raises
    ------
    TypeError, ValueError
        If the table has empty cells, or rating_range is not a pair that ascends.

    References
    ----------
    Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam 2007, doi 10.1145/1217299.1217302,
    Section 1.1: the homogeneity attack.

    Examples
    --------
    >>> revealed_by_mean([[5, 3, 1.5], [5, 3, 1.5]], rating_range=(1, 5)).revealed
    array([[ 5., nan, nan],
           [ 5., nan, nan]])
    """
    low, high = check_rating_range(rating_range)
    table = as_published(protected)
    slack = _SLACK * (high - low)
    values = np.full(table.shape, np.nan)
    values[np.abs(table - low) <= slack] = low
    values[np.abs(table - high) <= slack] = high
    return RevealedByMean(values)


@dataclass(frozen=True)
class GroupInference:
    """Success of an attacker who knows a user's group and predicts the user's ratings.

    Attributes
    ----------
    group_error : float
        Mean absolute error over all ratings, in rating units, of the group's published row.
    item_error : float
        The same for an attacker who knows the mean rating of each item only.
    lone_error : float
        The same for an attacker who supposes that nobody else in the group rated the item, and
        takes the filling out of the mean; NaN without a filling.
    lone_exact : float
        Share of ratings that this attacker reads exactly; NaN without a filling.

    References
    ----------
    Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam 2007, doi 10.1145/1217299.1217302.

    Examples
    --------
    >>> found = group_inference([[5, 0], [0, 1]], [[4, 2], [4, 2]], rating_range=(1, 5), filling=3)
    >>> found.group_error, found.lone_error, found.lone_exact
    (1.0, 0.0, 1.0)
    """

    group_error: float
    item_error: float
    lone_error: float
    lone_exact: float


def group_inference(
    ratings: GraphLike,
    protected: GraphLike,
    *,
    rating_range: tuple[float, float],
    filling: float | np.ndarray | None = None,
) -> GroupInference:
    """Compare what a group's row reveals about its members' ratings with what item means reveal.

    The row is an average over filled gaps too, which pulls it to the filling. Where few members
    rated an item the filling can be taken out again: with one rater, ``filling + size * (mean -
    filling)`` is that rating exactly.

    Parameters
    ----------
    ratings : array, shape (users, items), or other table
        Original ratings, the truth to predict.
    protected : array, shape (users, items), or other table
        Published rows; equal rows make a group, and their number is its size.
    rating_range : pair of float
        Lowest and highest rating.
    filling : float or array, shape (items,), optional
        What the gaps were filled with, such as the midpoint of the scale.

    Returns
    -------
    GroupInference
        ``.group_error``, ``.item_error``, ``.lone_error`` and ``.lone_exact``.

    Raises
    ------
    TypeError, ValueError
        If the shapes differ, a rating leaves the scale, there is none, or the protected table has
        empty cells.

    References
    ----------
    Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam 2007, doi 10.1145/1217299.1217302, on
    what an attacker believes before and after.

    Examples
    --------
    >>> found = group_inference([[5, 0], [0, 1]], [[4, 2], [4, 2]], rating_range=(1, 5))
    >>> found.group_error, found.item_error
    (1.0, 0.0)
    """
    scale = check_rating_range(rating_range)
    table, published = as_ratings_and_release(ratings, protected, scale)
    rows, items = np.nonzero(~np.isnan(table))
    truth, means = table[rows, items], published[rows, items]
    item_means = np.bincount(items, truth) / np.bincount(items).clip(1)  # unrated: never asked for
    lone_error = lone_exact = np.nan
    if filling is not None:
        groups = distinct_points(published)
        gap = _per_item(filling, published.shape[1])[items]
        alone = np.clip(gap + groups.sizes[groups.labels][rows] * (means - gap), *scale)
        errors = np.abs(alone - truth)
        lone_error, lone_exact = float(errors.mean()), float((errors <= 1e-6).mean())
    return GroupInference(
        group_error=float(np.abs(means - truth).mean()),
        item_error=float(np.abs(item_means[items] - truth).mean()),
        lone_error=lone_error,
        lone_exact=lone_exact,
    )


def _per_item(filling: float | np.ndarray, items: int) -> np.ndarray:
    """The numbers that filled the gaps, one per item."""
    array = check_finite_numbers("filling", filling)
    if array.shape not in ((), (items,)):
        raise ValueError(
            f"filling must be one number or {items}, one per item, got shape {array.shape}; pass "
            "what the completion wrote into the gaps"
        )
    return np.broadcast_to(array, (items,))
