"""The shape of a table of ratings in a few dozen numbers: what a stand-in has to match.

Only summaries leave this module, never a person's rating: counts, quantiles and singular values.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import svds

__all__ = ["describe_ratings", "describe_scores"]

_SHRINK = 5.0  # ratings of weight added to a mean, so that a single rating says little


def describe_ratings(ratings: sparse.csr_array, *, leading: int = 8) -> dict[str, Any]:
    """Summarise a users x items table of ratings 1..5.

    Parameters
    ----------
    ratings : csr_array, shape (users, items)
        Stored values are ratings 1 to 5; every row and column stores at least one.
    leading : int
        How many singular values to give.

    Returns
    -------
    dict
        ``histogram`` (ratings 1 to 5), ``user_degrees`` and ``item_degrees`` (21 quantiles, from
        the smallest to the largest), ``presence_values`` (singular values of the 0/1 matrix
        divided by the roots of both degrees, without the first, which is always 1),
        ``rating_values`` (singular values of the ratings once the shrunken means of users and
        items are taken off), ``user_mean_std``, ``item_mean_std`` (spread of the means),
        ``popularity_quality`` (correlation of an item's log degree with its mean).

    Examples
    --------
    >>> from pplab.datasets import load_dataset
    >>> describe_ratings(load_dataset("movielens-100k", source="standin").ratings)["histogram"]
    [6110, 11370, 27145, 34174, 21201]
    """
    users, items = ratings.shape
    rows = np.repeat(np.arange(users), np.diff(ratings.indptr))
    columns, values = ratings.indices, ratings.data.astype(float)
    user_degree = np.bincount(rows, minlength=users)
    item_degree = np.bincount(columns, minlength=items)
    weights = 1 / np.sqrt(user_degree[rows] * item_degree[columns])
    user_mean = np.bincount(rows, values, users) / user_degree
    item_mean = np.bincount(columns, values, items) / item_degree
    rest = _without_means(rows, columns, values, user_degree, item_degree)
    points = np.linspace(0, 1, 21)
    return {
        "histogram": np.bincount(ratings.data, minlength=6)[1:6].tolist(),
        "user_degrees": _quantiles(user_degree, points),
        "item_degrees": _quantiles(item_degree, points),
        "presence_values": _singular_values(ratings, weights, leading + 1)[1:],
        "rating_values": _singular_values(ratings, rest, leading),
        "user_mean_std": round(float(user_mean.std()), 3),
        "item_mean_std": round(float(item_mean.std()), 3),
        "popularity_quality": round(float(np.corrcoef(np.log(item_degree), item_mean)[0, 1]), 3),
    }


def describe_scores(
    ratings: sparse.csr_array,
    *,
    rating_range: tuple[float, float] = (-10.0, 10.0),
    leading: int = 8,
) -> dict[str, Any]:
    """Summarise a users x items table of ratings on a continuous scale, most cells filled.

    Parameters
    ----------
    ratings : csr_array, shape (users, items)
        Stored values are ratings, zeros among them; every row and column stores at least one.
    rating_range : (float, float)
        Lowest and highest rating; the middle takes the place of a missing rating.
    leading : int
        How many eigenvalues to give.

    Returns
    -------
    dict
        ``histogram`` (20 bins of equal width), ``user_degrees`` and ``item_densities`` (21
        quantiles, from the smallest to the largest), ``completed_values`` (eigenvalues of the
        correlation matrix of the items once missing ratings are the middle of the scale: the
        geometry that microaggregation meets), ``user_mean_std``, ``item_mean_std`` (spread of
        the means), ``user_spread`` (mean and standard deviation of the users' own standard
        deviations), ``presence_values`` (eigenvalues of the correlation matrix of who rated).

    Examples
    --------
    >>> from pplab.datasets import load_dataset
    >>> jokes = load_dataset("jester", split="part-1", source="standin")
    >>> describe_scores(jokes.ratings)["user_degrees"][::5]
    [36, 53, 72, 100, 100]
    """
    low, high = rating_range
    users, items = ratings.shape
    rows = np.repeat(np.arange(users), np.diff(ratings.indptr))
    present = np.zeros(ratings.shape, dtype=bool)
    present[rows, ratings.indices] = True
    completed = np.full(ratings.shape, (low + high) / 2)
    completed[rows, ratings.indices] = ratings.data
    degrees = present.sum(axis=1)
    user_mean = np.bincount(rows, ratings.data, users) / degrees
    rest = ratings.data - user_mean[rows]
    spread = np.sqrt(np.bincount(rows, rest**2, users) / degrees)
    item_mean = np.bincount(ratings.indices, ratings.data, items) / present.sum(axis=0)
    points = np.linspace(0, 1, 21)
    return {
        "histogram": np.histogram(ratings.data, bins=20, range=rating_range)[0].tolist(),
        "user_degrees": _quantiles(degrees, points),
        "item_densities": np.quantile(present.mean(axis=0), points).round(3).tolist(),
        "completed_values": _correlation_values(completed, leading),
        "presence_values": _correlation_values(present.astype(float), 5),
        "user_mean_std": round(float(user_mean.std()), 3),
        "item_mean_std": round(float(item_mean.std()), 3),
        "user_spread": [round(float(spread.mean()), 3), round(float(spread.std()), 3)],
    }


def _correlation_values(table: np.ndarray, count: int) -> list[float]:
    """Leading eigenvalues of the correlation matrix of the columns; a constant one is left out."""
    varying = table[:, table.std(axis=0) > 0]
    values = np.linalg.eigvalsh(np.corrcoef(varying.T))[::-1]
    return [round(float(value), 2) for value in values[:count]]


def _quantiles(degrees: np.ndarray, points: np.ndarray) -> list[int]:
    return [int(value) for value in np.quantile(degrees, points, method="nearest")]


def _without_means(
    rows: np.ndarray, columns: np.ndarray, values: np.ndarray, users: np.ndarray, items: np.ndarray
) -> np.ndarray:
    """Ratings less the overall mean, then the user's, then the item's shrunken mean."""
    rest = values - values.mean()
    rest = rest - (np.bincount(rows, rest, len(users)) / (users + _SHRINK))[rows]
    return rest - (np.bincount(columns, rest, len(items)) / (items + _SHRINK))[columns]


def _singular_values(pattern: sparse.csr_array, values: np.ndarray, count: int) -> list[float]:
    if not values.any():  # nothing but the means: the solver would refuse
        return [0.0] * count
    matrix = sparse.csr_array((values, pattern.indices, pattern.indptr), shape=pattern.shape)
    found = svds(matrix, k=count, return_singular_vectors=False, v0=np.ones(min(matrix.shape)))
    return [round(float(value), 3) for value in np.sort(found)[::-1]]
