"""Predict held-out ratings from a release: means of users and films, and a few tastes."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import svds

from pplab.graphs import rows_of_entries

__all__ = ["TASTES", "mean_absolute_error"]

TASTES = 10
_SHRINK = 5.0  # ratings of weight that pull each user's and film's mean to the overall mean
_LOWEST, _HIGHEST = 1.0, 5.0


def mean_absolute_error(published: sparse.csr_array, test: sparse.csr_array) -> float:
    """Error in stars of ratings predicted from a release.

    The prediction is the overall mean plus the shrunken deviations of the film and of the user,
    plus a truncated SVD of what these leave of the published ratings (0 where nothing is stored),
    cut to 1..5.

    Parameters
    ----------
    published : csr_array, shape (users, items)
        What the predictor learns from; stored zeros are ratings of 0.
    test : csr_array, shape (users, items)
        Ratings to be predicted.

    Returns
    -------
    float

    References
    ----------
    Koren, Bell and Volinsky 2009, Matrix factorization techniques for recommender systems,
    doi 10.1109/MC.2009.263, for means first and factors of the rest.
    """
    rows, columns = rows_of_entries(published), published.indices
    values = published.data.astype(float)
    mean = values.mean()
    film = _shrunken(columns, values - mean, published.shape[1])
    user = _shrunken(rows, values - mean - film[columns], published.shape[0])
    rest = values - mean - film[columns] - user[rows]
    residuals = sparse.csr_array((rest, columns, published.indptr), shape=published.shape)
    left, strengths, right = svds(
        residuals, k=min(TASTES, min(published.shape) - 1), v0=np.ones(min(published.shape))
    )
    who, what = rows_of_entries(test), test.indices
    taste = np.einsum("rk,kr->r", left[who] * strengths, right[:, what])
    predicted = np.clip(mean + film[what] + user[who] + taste, _LOWEST, _HIGHEST)
    return float(np.abs(predicted - test.data).mean())


def _shrunken(groups: np.ndarray, values: np.ndarray, count: int) -> np.ndarray:
    totals = np.bincount(groups, values, count)
    return totals / (np.bincount(groups, minlength=count) + _SHRINK)
