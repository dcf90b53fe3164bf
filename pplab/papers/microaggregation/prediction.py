"""Table 3: how well the nearest protected user predicts ratings, under each reading of 80/20."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from tqdm.auto import tqdm

from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.microaggregation.microaggregate import complete, microaggregate
from pplab.microaggregation.noise import gaussian_noise
from pplab.papers.microaggregation import paper
from pplab.papers.part import mean_of_runs
from pplab.recommenders.neighbours import holdout_cells, holdout_users, predict_from_nearest
from pplab.tables import as_table

SHARE = 0.2  # held out
Scale = tuple[float, float]
Protect = Callable[[Any, int], np.ndarray]  # ratings and a seed -> protected table


def movielens_prediction(
    movielens: Dataset, *, rng: int | np.random.Generator | None = None, runs: int = 5
) -> pd.DataFrame:
    """Errors of Table 3 on MovieLens under each reading of the protocol.

    Parameters
    ----------
    movielens : Dataset
        All ratings.
    rng : int, Generator or None
        Seed or generator: splits and noise.
    runs : int, default 5
        Splits behind each mean, at least 2.

    Returns
    -------
    DataFrame
        Columns table (3), method ("mdav" or "noise"), quantity ("mae" in units of the ratings,
        "percent" of the width of the scale), reading, value, se and sd.
    """
    return _table3(movielens, "movielens", paper.MOVIELENS_SCALE, rng=rng, runs=runs)


def jester_prediction(
    jester: Dataset, *, rng: int | np.random.Generator | None = None, runs: int = 2
) -> pd.DataFrame:
    """Errors of Table 3 on Jester under each reading of the protocol.

    Parameters
    ----------
    jester : Dataset
        As many parts of the data as there are.
    rng : int, Generator or None
        Seed or generator.
    runs : int, default 2
        Splits behind each mean, at least 2.

    Returns
    -------
    DataFrame
        As for MovieLens.
    """
    return _table3(jester, "jester", paper.JESTER_SCALE, rng=rng, runs=runs)


def protector(method: str, parameter: float, scale: Scale) -> Protect:
    """Give a function that protects ratings by MDAV with k, or noise with sigma = parameter."""
    if method == "mdav":
        return lambda ratings, _: (
            microaggregate(ratings, int(parameter), rating_range=scale).protected
        )
    return lambda ratings, seed: (
        gaussian_noise(ratings, sigma=parameter, rating_range=scale, rng=seed).protected
    )


def cells_held_out(
    ratings: sparse.csr_array, protect: Protect, scale: Scale, *, seed: int
) -> dict[str, float]:
    """Hide a fifth of the ratings, protect the rest, predict from each user's nearest row.

    Parameters
    ----------
    ratings : csr_array, shape (users, items)
    protect : callable
        Takes the training ratings and a seed.
    scale : pair of float
        Lowest and highest rating.
    seed : int
        Of the split and of the noise.

    Returns
    -------
    dict
        MAE by reading. Where all cells are scored, a fifth of the empty cells is held out too,
        their truth being the midpoint that fills them: given is the mean over which fifth.
    """
    split, noise = _two_seeds(seed)
    held = holdout_cells(ratings, share=SHARE, rng=split)
    queries = complete(held.training, impute="midpoint", rating_range=scale)
    values = predict_from_nearest(protect(held.training, noise), queries).predicted
    hidden = np.abs(values[held.rows, held.columns] - held.ratings)
    empty = np.abs(values - sum(scale) / 2)[np.isnan(as_table(ratings, rating_range=scale))]
    both = (hidden.sum() + SHARE * empty.sum()) / (len(hidden) + SHARE * len(empty))
    return {
        "cells held out, rated cells scored": float(hidden.mean()),
        "cells held out, all cells scored": float(both),
    }


def users_held_out(
    ratings: sparse.csr_array, protect: Protect, scale: Scale, *, seed: int
) -> dict[str, float]:
    """Protect four fifths of the users, predict the others from their nearest protected row.

    Parameters
    ----------
    ratings, protect, scale, seed
        As for ``cells_held_out``.

    Returns
    -------
    dict
        MAE by reading.
    """
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


def _table3(
    dataset: Dataset, name: str, scale: Scale, *, rng: int | np.random.Generator | None, runs: int
) -> pd.DataFrame:
    check_integer("runs", runs, minimum=2)
    seeds = as_rng(rng).integers(2**31, size=runs).tolist()
    rows: list[dict[str, Any]] = []
    for method, parameter in zip(("mdav", "noise"), paper.TABLE_3[name], strict=True):
        protect = protector(method, parameter, scale)
        errors: dict[str, list[float]] = {}
        for seed in tqdm(seeds, desc=f"prediction, {name}, {method}"):
            for experiment in (cells_held_out, users_held_out):
                found = experiment(dataset.ratings, protect, scale, seed=seed)
                for reading, error in found.items():
                    errors.setdefault(reading, []).append(error)
        for reading, drawn in errors.items():
            row = {"table": 3, "method": method, "parameter": parameter, "reading": reading}
            percent = 100 * np.array(drawn) / (scale[1] - scale[0])
            rows.append(row | {"quantity": "mae"} | mean_of_runs(drawn))
            rows.append(row | {"quantity": "percent"} | mean_of_runs(percent))
    return pd.DataFrame(rows)


def _two_seeds(seed: int) -> list[int]:
    """One for the split, one for the noise."""
    return np.random.default_rng(seed).integers(2**31, size=2).tolist()
