"""What the published row of a group tells about its members' ratings, beside item means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pplab.checks import (
    check_finite_numbers,
    check_full,
    check_rating_range,
    check_same_shape,
    check_some_rated,
)
from pplab.graphs import GraphLike
from pplab.tables import as_table, distinct_rows

__all__ = ["GroupInference", "group_inference"]


@dataclass(frozen=True)
class GroupInference:
    """How well an attacker who knows a user's group predicts the user's ratings.

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
    """Compare what a group's row tells about its members' ratings with what item means tell.

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
    low, high = check_rating_range(rating_range)
    table = as_table(ratings, rating_range=(low, high))
    published = as_table(protected, name="protected")
    check_full("protected", published, remedy="complete it before it is published")
    check_same_shape(table, published, names=("ratings", "protected"))
    rated = ~np.isnan(table)
    check_some_rated("ratings", int(rated.sum()))
    rows, items = np.nonzero(rated)
    truth, means = table[rows, items], published[rows, items]
    item_means = np.bincount(items, truth) / np.bincount(items).clip(1)  # unrated: never asked for
    lone_error = lone_exact = np.nan
    if filling is not None:
        groups = distinct_rows(published)
        gap = _per_item(filling, published.shape[1])[items]
        alone = np.clip(gap + groups.sizes[groups.labels][rows] * (means - gap), low, high)
        errors = np.abs(alone - truth)
        lone_error, lone_exact = float(errors.mean()), float((errors <= 1e-6).mean())
    return GroupInference(
        group_error=float(np.abs(means - truth).mean()),
        item_error=float(np.abs(item_means[items] - truth).mean()),
        lone_error=lone_error,
        lone_exact=lone_exact,
    )


def _per_item(filling: float | np.ndarray, items: int) -> np.ndarray:
    """What gaps were filled with, one number per item."""
    array = check_finite_numbers("filling", filling)
    if array.shape not in ((), (items,)):
        raise ValueError(
            f"filling must be one number or {items}, one per item, got shape {array.shape}; pass "
            "what the completion wrote into the gaps"
        )
    return np.broadcast_to(array, (items,))
