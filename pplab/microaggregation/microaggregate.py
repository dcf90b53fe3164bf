"""k-anonymous ratings: complete the table, group users who are alike, publish group means.

`microaggregate` runs the steps of Casino, Domingo-Ferrer, Patsakis, Puig and Solanas 2015, doi
10.1016/j.jcss.2014.12.013: `complete` fills the gaps, `standardise` brings items to z-scores for
`mdav`, and `group_means` publishes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from pplab import checks, graphs, tables
from pplab.graphs import GraphLike
from pplab.labelled import Table, Told, full_table, in_stated_order, one_each
from pplab.microaggregation.mdav import mdav


@dataclass(frozen=True, eq=False, repr=False)
class Microaggregated(Told):
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
    users, items : list or range
        Labels of the rows and columns, in their order; of a table their numbers.
    table : Table or None
        What is published, with its labels, where a Table came in.
    """

    protected: np.ndarray
    labels: np.ndarray
    sse: float
    k_achieved: int
    completed: np.ndarray
    options: dict[str, Any]
    users: Sequence[Any]
    items: Sequence[Any]
    table: Table | None = None


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
    checks.check_choice("leftover", leftover, ("closest", "group"))
    ratings = graphs.with_labels(ratings, bipartite=True, name="ratings")
    in_order = graphs.by_value(ratings, bipartite=True)
    completed = complete(in_order, impute=impute, rating_range=rating_range)
    k = checks.check_k(k, len(completed))
    labels = mdav(standardise(completed).scores, k, leftover=leftover)
    # Scores are affine in the ratings, item by item, so the mean of the scores brought back to
    # ratings is the mean of the ratings. Taken directly, it is exact to the last digits.
    protected = group_means(completed, labels)
    scale = checks.check_rating_range(rating_range)
    options = {"k": k, "impute": impute, "rating_range": scale, "leftover": leftover}
    sse = tables.squared_error(completed, protected)
    achieved = int(tables.distinct_points(protected).sizes.min())
    return Microaggregated(
        in_stated_order(ratings, protected, columns=True),
        in_stated_order(ratings, labels),
        sse,
        achieved,
        in_stated_order(ratings, completed, columns=True),
        options,
        *graphs.labels_of(ratings),
        full_table(ratings, protected),
    )


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
    full = tables.as_points(table, name="table")
    groups = checks.check_labels(one_each(table, labels, "labels"), len(full))
    # in this order sums do not depend on how the users are listed
    members, starts, sizes = tables.by_group(full, groups, tables.canonical_order(full))
    means = np.add.reduceat(members, starts, axis=0) / sizes[:, None]
    # Rounding must not carry a mean of equal ratings away from them, or off the scale.
    np.maximum(means, np.minimum.reduceat(members, starts, axis=0), out=means)
    np.minimum(means, np.maximum.reduceat(members, starts, axis=0), out=means)
    return means[groups]


def pool_groups(ratings: GraphLike, labels: np.ndarray) -> sparse.csr_array:
    """Give each user all items of the group, with the mean rating of the members who rated them.

    Parameters
    ----------
    ratings : csr_array, shape (users, items), or other table
        Stored cells are ratings.
    labels : int array, shape (users,)
        Group of each user, 0 to groups - 1.

    Returns
    -------
    csr_array of float, shape (users, items)
        Members of a group have equal rows, so the smallest group is the k of k-anonymity.

    Raises
    ------
    ValueError
        If the ratings are empty, or labels are not one group number per user.

    References
    ----------
    Salas and Torra 2020, Definition 9, doi 10.5220/0009833804150422, for k-anonymity; the paper
    does not describe the k-anonymization that it compares with, and this is not it.

    Examples
    --------
    >>> pool_groups([[5, 0, 1], [3, 4, 0]], np.array([0, 0])).toarray()
    array([[4., 4., 1.],
           [4., 4., 1.]])
    """
    ratings = graphs.with_labels(ratings, bipartite=True, name="ratings")
    table = graphs.as_matrix(ratings, name="ratings")
    group_of = checks.check_labels(one_each(ratings, labels, "labels"), table.shape[0])
    shape = (int(group_of.max()) + 1, table.shape[1])
    places = group_of[graphs.rows_of_entries(table)] * np.int64(shape[1]) + table.indices
    cells, members = np.unique(places, return_inverse=True)
    means = np.bincount(members, table.data.astype(float)) / np.bincount(members)
    return graphs.from_cell_keys(cells, means, shape)[group_of]


# Completion: a rating for every cell that nobody rated.

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
    checks.check_choice("impute", impute, IMPUTATIONS)
    low, high = checks.check_rating_range(rating_range)
    table = tables.as_table(ratings, rating_range=(low, high))
    if impute == "midpoint":
        fill = np.array([[low + (high - low) / 2]])
    elif np.isnan(table).all():
        raise ValueError(
            "ratings must hold at least one rating for a mean or median to fill the gaps, got "
            'none; pass some, or impute="midpoint"'
        )
    else:
        fill = _fill_from_ratings(table, impute)
    np.copyto(table, fill, where=np.isnan(table))
    return table


def _fill_from_ratings(table: np.ndarray, impute: str) -> np.ndarray:
    """Numbers that fill the gaps, with shape (1, items), (users, 1) or (1, 1)."""
    import pandas as pd

    rows = table[tables.canonical_order(table)]  # the order of the users must not change a sum
    overall = _means(rows.reshape(-1, 1))
    if impute == "global-mean":
        return overall[None]
    if impute == "user-mean":
        typical = _means(table.T)[:, None]
    elif impute == "item-median":
        typical = pd.DataFrame(table).median().to_numpy()[None]
    else:
        typical = _means(rows)[None]
    return np.where(np.isnan(typical), overall, typical)


def _means(table: np.ndarray) -> np.ndarray:
    """Mean of what is known in each column, NaN where nothing is."""
    with np.errstate(invalid="ignore"):  # 0 / 0: nobody rated the item
        means = np.nansum(table, axis=0) / np.count_nonzero(~np.isnan(table), axis=0)
    # A mean lies between what it is the mean of. Rounding can push it a hair outside, and then
    # an item whose ratings agree would no longer be constant once it is full.
    return np.clip(means, np.fmin.reduce(table, axis=0), np.fmax.reduce(table, axis=0))


# z-scores per item: every item counts alike in a distance, whatever its spread.


@dataclass(frozen=True, eq=False)
class Standardised:
    """A full table as z-scores, with the numbers needed to undo it.

    Attributes
    ----------
    scores : float64 array, shape (users, items)
        Standard deviations above the mean of the item; 0 for an item that does not vary.
    means, deviations : float64 array, shape (items,)
        Mean and population standard deviation of each item, in units of the ratings.
    """

    scores: np.ndarray
    means: np.ndarray
    deviations: np.ndarray


def standardise(table: GraphLike) -> Standardised:
    """Bring each item to mean 0 and population standard deviation 1.

    Parameters
    ----------
    table : array or nested lists, shape (users, items)
        Full: finite numbers of at most 1e50 in size, no gaps.

    Returns
    -------
    Standardised
        ``.scores``, and ``.means`` and ``.deviations``, which bring scores back to ratings. An item
        of zero variance scores 0 everywhere. The order of the users changes no bit of a score.

    Raises
    ------
    TypeError, ValueError
        If the table is empty, has gaps or holds values that are not finite.

    References
    ----------
    Casino, Domingo-Ferrer, Patsakis, Puig and Solanas 2015, A k-anonymous approach to privacy
    preserving collaborative filtering, doi 10.1016/j.jcss.2014.12.013: grouping and noise both
    work on such scores.

    Examples
    --------
    >>> result = standardise([[1.0, 3.0], [5.0, 3.0]])
    >>> result.scores
    array([[-1.,  0.],
           [ 1.,  0.]])
    >>> result.scores * result.deviations + result.means
    array([[1., 3.],
           [5., 3.]])
    """
    scores = tables.as_table(table, name="table")
    checks.check_full("table", scores, remedy="fill it with pplab.microaggregation.complete first")
    checks.check_squares("table", scores)
    means, deviations = item_moments(scores)
    scores -= means
    scores /= np.where(deviations > 0, deviations, np.inf)  # x / inf = 0: an item that is constant
    return Standardised(scores, means, deviations)


def item_moments(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and population standard deviation of each item of a full table."""
    rows = table[tables.canonical_order(table)]
    # A mean lies between what it is the mean of. Rounding could push it a hair outside, and an
    # item that is constant would seem to vary.
    means = np.clip(rows.mean(axis=0), rows.min(axis=0), rows.max(axis=0))
    rows -= means
    return means, np.sqrt(np.square(rows, out=rows).mean(axis=0))
