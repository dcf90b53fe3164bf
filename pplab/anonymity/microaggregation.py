"""k-anonymous ratings: complete the table, group users who are alike, publish group means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pplab.anonymity.completion import complete
from pplab.anonymity.mdav import mdav
from pplab.anonymity.standardise import standardise
from pplab.checks import (
    as_points,
    check_choice,
    check_k,
    check_labels,
    check_rating_range,
)
from pplab.graphs import GraphLike
from pplab.tables import by_group, canonical_order, smallest_class, squared_error

__all__ = ["Microaggregated", "group_means", "microaggregate"]


@dataclass(frozen=True, eq=False)
class Microaggregated:
    """A k-anonymous table of ratings and how it came about.

    Attributes
    ----------
    protected : float64 array, shape (users, items)
        Every user has the mean ratings of the group.
    labels : int64 array, shape (users,)
        Group of each user.
    sse : float
        Sum over all cells of (completed - protected)^2, in squared units of the ratings.
    k_achieved : int
        Smallest number of users with equal rows, counted on the protected table.
    completed : float64 array, shape (users, items)
        The ratings with their gaps filled.
    options : dict
        What was asked for.
    """

    protected: np.ndarray
    labels: np.ndarray
    sse: float
    k_achieved: int
    completed: np.ndarray
    options: dict[str, Any]


def microaggregate(
    ratings: GraphLike,
    k: int,
    *,
    impute: str = "midpoint",
    rating_range: tuple[float, float],
    leftover: str = "closest",
) -> Microaggregated:
    """Publish for every user the mean ratings of a group of at least k users.

    The gaps are filled, items are brought to z-scores, users are grouped by their scores, and
    each row is replaced by the mean of its group.

    Parameters
    ----------
    ratings : any form that ``pplab.tables.as_table`` takes, shape (users, items)
        NaN or not stored: no rating. A user without a single rating is a user all the same.
    k : int
        Smallest size of a group, from 2 to the number of users.
    impute : {"midpoint", "item-mean", "item-median", "user-mean", "global-mean"}
        How gaps are filled; see `complete`.
    rating_range : pair of float
        Lowest and highest rating.
    leftover : {"closest", "group"}
        What becomes of the last k to 2k - 1 users; see `mdav`.

    Returns
    -------
    Microaggregated
        ``.protected``, ``.labels``, ``.sse``, ``.k_achieved``, ``.completed``, ``.options``. The
        order of the users changes nothing but the order of the rows, up to users whose completed
        ratings are equal.

    Raises
    ------
    TypeError, ValueError
        If an option leaves its interval, a rating leaves the scale, or the full table would need
        more than 8 GiB (``pplab.tables.DENSE_LIMIT``).

    Notes
    -----
    The paper writes the error in two ways: eq 1 adds up, group by group, the squared distances of
    the members to their mean; eq 2 adds up the squared differences of original and protected
    table. The protected row is the mean, so both are one number, and it is ``.sse``. It is taken
    against the completed table: a gap has no original rating to compare with.

    References
    ----------
    Casino, Domingo-Ferrer, Patsakis, Puig and Solanas 2015, A k-anonymous approach to privacy
    preserving collaborative filtering, doi 10.1016/j.jcss.2014.12.013, eq 1 and 2.

    Examples
    --------
    >>> result = microaggregate(
    ...     [[5, 4], [5, 5], [1, 0], [2, 1]], 2, rating_range=(1, 5), leftover="group"
    ... )
    >>> result.protected
    array([[5. , 4.5],
           [5. , 4.5],
           [1.5, 2. ],
           [1.5, 2. ]])
    >>> result.sse, result.k_achieved
    (3.0, 2)
    """
    check_choice("leftover", leftover, ("closest", "group"))
    completed = complete(ratings, impute=impute, rating_range=rating_range)
    k = check_k(k, len(completed))
    scores = standardise(completed).scores
    labels = mdav(scores, k, leftover=leftover)
    # Scores are affine in the ratings, item by item, so the mean of the scores brought back to
    # ratings is the mean of the ratings. Taken directly, it is exact to the last digits.
    protected = group_means(completed, labels)
    options = {
        "k": k,
        "impute": impute,
        "rating_range": check_rating_range(rating_range),
        "leftover": leftover,
    }
    sse, achieved = squared_error(completed, protected), smallest_class(protected)
    return Microaggregated(protected, labels, sse, achieved, completed, options)


def group_means(table: Any, labels: Any) -> np.ndarray:
    """Replace each row of a full table by the mean of its group.

    Parameters
    ----------
    table : array, shape (users, items)
        Finite numbers.
    labels : int array, shape (users,)
        Group of each row, a number from 0.

    Returns
    -------
    float array, shape (users, items)
        Members of a group have equal rows. The order of the rows changes no bit of a mean.

    Raises
    ------
    TypeError, ValueError
        If the table is not full, or labels are not one group number per row.

    References
    ----------
    Casino, Domingo-Ferrer, Patsakis, Puig and Solanas 2015, A k-anonymous approach to privacy
    preserving collaborative filtering, doi 10.1016/j.jcss.2014.12.013.

    Examples
    --------
    >>> group_means(np.array([[1.0], [5.0], [2.0]]), np.array([0, 1, 0]))
    array([[1.5],
           [5. ],
           [1.5]])
    """
    full = as_points(table, name="table")
    groups = np.unique(check_labels(labels, len(full)), return_inverse=True)[1]
    # in this order sums do not depend on how the users are listed
    members, starts, sizes = by_group(full, groups, canonical_order(full))
    means = np.add.reduceat(members, starts, axis=0) / sizes[:, None]
    # Rounding must not carry a mean of equal ratings away from them, or off the scale.
    np.maximum(means, np.minimum.reduceat(members, starts, axis=0), out=means)
    np.minimum(means, np.maximum.reduceat(members, starts, axis=0), out=means)
    return means[groups]
