"""How well the nearest protected user predicts ratings, under each meaning of 80 and 20 %."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import numpy as np
from scipy import sparse

from pplab.datasets.splits import holdout_cells, holdout_users
from pplab.microaggregation.microaggregate import complete, microaggregate
from pplab.microaggregation.noise import gaussian_noise
from pplab.recommenders.neighbours import predict_from_nearest
from pplab.tables import as_table

SHARE = 0.2  # held out
Scale = tuple[float, float]
Ratings: TypeAlias = sparse.csr_array | np.ndarray
Protect = Callable[[Any, int], np.ndarray]  # ratings and a seed -> protected table


def protector(method: str, parameter: float, scale: Scale) -> Protect:
    """Give a function that protects ratings by MDAV with k, noise with sigma, or not at all.

    Or that publishes one row for all: the middle of the scale, the mean of each item's ratings
    (the middle where it has none), or the mean of its completed ratings.
    """

    def completed(ratings: Any) -> np.ndarray:
        return complete(ratings, impute="midpoint", rating_range=scale)

    def item_means(ratings: Any) -> np.ndarray:
        table = as_table(ratings, rating_range=scale)
        counts = np.count_nonzero(~np.isnan(table), axis=0)
        return np.where(counts, np.nansum(table, axis=0) / np.maximum(counts, 1), sum(scale) / 2)

    def everywhere(row: Callable[[Any], np.ndarray]) -> Protect:
        return lambda ratings, _: row(ratings)[None]

    ways: dict[str, Protect] = {
        "none": lambda ratings, _: completed(ratings),
        "midpoint": everywhere(lambda ratings: np.full(ratings.shape[1], sum(scale) / 2)),
        "item means": everywhere(item_means),
        "completed item means": everywhere(lambda ratings: completed(ratings).mean(axis=0)),
        "mdav": lambda ratings, _: (
            microaggregate(ratings, int(parameter), rating_range=scale).protected
        ),
        "noise": lambda ratings, seed: (
            gaussian_noise(ratings, sigma=parameter, rating_range=scale, rng=seed).protected
        ),
    }
    return ways[method]


def cells_held_out(
    ratings: Ratings, protect: Protect, scale: Scale, *, seed: int
) -> dict[str, float]:
    """Hide a fifth of the ratings, protect the rest, predict from each user's nearest row.

    Where all cells are scored, a fifth of the empty cells is held out too, their truth being the
    midpoint that fills them: given is the mean over which fifth.
    """
    split, noise = _two_seeds(seed)
    parts = holdout_cells(ratings, share=SHARE, rng=split)
    queries = complete(parts.training, impute="midpoint", rating_range=scale)
    values = predict_from_nearest(protect(parts.training, noise), queries).predicted
    hidden = np.abs(values[parts.rows, parts.columns] - parts.ratings)
    empty = np.abs(values - sum(scale) / 2)[np.isnan(as_table(ratings, rating_range=scale))]
    both = (hidden.sum() + SHARE * empty.sum()) / (len(hidden) + SHARE * len(empty))
    return {
        "cells held out, rated cells scored": float(hidden.mean()),
        "cells held out, all cells scored": float(both),
    }


def users_held_out(
    ratings: Ratings, protect: Protect, scale: Scale, *, seed: int
) -> dict[str, float]:
    """Protect four fifths of the users, predict the others from their nearest protected row."""
    split, noise = _two_seeds(seed)
    training, test = holdout_users(ratings.shape[0], share=SHARE, rng=split)
    protected = protect(ratings[training], noise)
    others = ratings[test]
    truth = as_table(others, rating_range=scale)
    # the completion of one user does not depend on the others: the midpoint fills the gaps
    filled = complete(others, impute="midpoint", rating_range=scale)
    rated = ~np.isnan(truth)
    by_all = np.abs(predict_from_nearest(protected, filled).predicted - filled)
    by_rated = np.abs(predict_from_nearest(protected, others, cells="rated").predicted - filled)
    return {
        "users held out, rated cells scored": float(by_all[rated].mean()),
        "users held out, all cells scored": float(by_all.mean()),
        "users held out, nearest by rated cells, rated cells scored": float(by_rated[rated].mean()),
    }


def prediction_errors(
    ratings: Ratings, method: str, parameter: float, scale: Scale, seeds: Iterable[int]
) -> dict[str, list[float]]:
    """MAE under each meaning of the split, a value per seed."""
    protect = protector(method, parameter, scale)
    errors: dict[str, list[float]] = {}
    for seed in seeds:
        for experiment in (cells_held_out, users_held_out):
            for reading, error in experiment(ratings, protect, scale, seed=seed).items():
                errors.setdefault(reading, []).append(error)
    return errors


def _two_seeds(seed: int) -> list[int]:
    """One for the split, one for the noise."""
    return np.random.default_rng(seed).integers(2**31, size=2).tolist()
