"""Predict ratings by those of the nearest protected user."""

from dataclasses import dataclass

import numpy as np

from pplab.checks import check_choice, check_full
from pplab.graphs import GraphLike
from pplab.nearest import nearest_records
from pplab.tables import as_table, in_one_order


@dataclass(frozen=True)
class Predictions:
    """Predictions for each user from one other user.

    Attributes
    ----------
    neighbours : int64 array, shape (queries,)
        Row of the protected user; -1 for a query without ratings.
    predicted : float64 array, shape (queries, items)
        The ratings of that user; NaN for a query without ratings.
    """

    neighbours: np.ndarray
    predicted: np.ndarray


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
    queries, protected = in_one_order(queries=queries, protected=protected, sides=("items",))
    training, users = as_table(protected, name="protected"), as_table(queries, name="queries")
    check_full("protected", training, remedy="predict from a complete table")
    if cells == "all":
        remedy = 'fill them with pplab.microaggregation.complete, or pass cells="rated"'
        check_full("queries", users, remedy=remedy)
    order = np.lexsort(training.T[::-1])
    nearest = nearest_records(training[order], users).index
    neighbours = np.where(nearest >= 0, order[nearest], -1)
    predicted = training[neighbours]
    predicted[neighbours < 0] = np.nan
    return Predictions(neighbours, predicted)
