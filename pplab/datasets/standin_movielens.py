"""A stand-in for MovieLens-100K: its size and shape, and nobody's ratings.

Users and films have a place in a space of a few tastes. The places decide, on top of how active
a user and how popular a film is, who rates what and how high; they also lean towards age,
gender, occupation and genre (standin_traits.py), so that recommenders find structure and traits
can be guessed, a little, from ratings. Its shape is held to the summaries in catalog.toml.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from pplab.datasets.catalog import entry
from pplab.datasets.dataset import Dataset, csr_of_cells
from pplab.datasets.margins import degrees_from_quantiles, draw_presence
from pplab.datasets.standin_traits import make_items, make_users

__all__ = ["make_part"]

_SEED = 1998  # the year the real set was released; any other would do
_FOLDS = 5
_ONLY_IN_TEST = 32  # films whose only rating falls into u1.test, as in the real split

# Strength of each taste in who rates what, and in how high; found by hand, so that the singular
# values lie near the measured ones.
_PRESENCE = np.array([2.75, 1.75, 1.45, 1.1, 0.9, 0.85, 0.8, 0.75])
_TASTE = np.array([0.2, 0.2, 0.25, 0.3, 0.47, 0.38, 0.28, 0.25])
_USER_SPREAD, _ITEM_SPREAD, _POPULARITY, _NOISE = 0.4, 0.42, 0.4, 0.88


def make_part(name: str, split: str | None) -> Dataset:
    """Make the stand-in (None) or one of its parts ("u1.base"), always the same one.

    The five test parts are a partition of the ratings into fifths. A part has the users and films
    that occur in it.
    """
    ratings, users, items, folds = _whole(name)
    if split is not None:
        fold, part = int(split[1]), split[3:]
        kept = (folds == fold) == (part == "test")
        rows = np.repeat(np.arange(len(users)), np.diff(ratings.indptr))[kept]
        columns = ratings.indices[kept]
        who, row_place = np.unique(rows, return_inverse=True)
        what, column_place = np.unique(columns, return_inverse=True)
        shape = (len(who), len(what))
        ratings = csr_of_cells(row_place, column_place, ratings.data[kept], shape)
        users, items = users.iloc[who], items.iloc[what]
    return Dataset(
        name=name, source="standin", users=users, items=items, ratings=ratings, split=split
    )


@lru_cache(maxsize=1)
def _whole(name: str) -> tuple[sparse.csr_array, pd.DataFrame, pd.DataFrame, np.ndarray]:
    measured = entry(name).measured
    rng = np.random.default_rng(_SEED)
    tastes = len(_PRESENCE)
    people = rng.standard_normal((measured["users"], tastes))
    films = rng.standard_normal((measured["films"], tastes))
    ratings = _ratings(measured, people, films, rng)
    users, items = make_users(measured, people, rng), make_items(measured, films, rng)
    return ratings, users, items, _folds(ratings, rng)


def _ratings(
    measured: dict[str, Any], people: np.ndarray, films: np.ndarray, rng: np.random.Generator
) -> sparse.csr_array:
    total = sum(measured["histogram"])
    row_degrees, column_degrees = (
        rng.permutation(degrees_from_quantiles(measured[side], count=len(places), total=total))
        for side, places in (("user_degrees", people), ("item_degrees", films))
    )
    affinity = _product(people * _PRESENCE, films)
    present = draw_presence(
        affinity, row_degrees=row_degrees, column_degrees=column_degrees, rng=rng
    )
    rows, columns = np.nonzero(present)
    fame = np.log(column_degrees)
    quality = _POPULARITY * (fame - fame.mean()) + _ITEM_SPREAD * rng.standard_normal(len(films))
    liking = (
        (_USER_SPREAD * rng.standard_normal(len(people)))[rows]
        + quality[columns]
        + _product(people * _TASTE, films)[rows, columns]
        + _NOISE * rng.standard_normal(total)
    )
    values = np.empty(total, dtype=np.int64)
    values[np.argsort(liking, kind="stable")] = np.repeat(np.arange(1, 6), measured["histogram"])
    return csr_of_cells(rows, columns, values, present.shape)


def _folds(ratings: sparse.csr_array, rng: np.random.Generator) -> np.ndarray:
    """Fold 1 to 5 of each stored rating, all of one size.

    Fold 1 takes the only rating of 32 films and otherwise leaves every user and film one rating
    at least, so that u1.base lacks exactly these 32 films and no user.
    """
    users, items = ratings.shape
    rows = np.repeat(np.arange(users), np.diff(ratings.indptr))
    single = (np.bincount(ratings.indices, minlength=items) == 1)[ratings.indices]
    order = rng.permutation(np.flatnonzero(~single))
    kept = np.zeros(ratings.nnz, dtype=bool)
    for ends in (rows, ratings.indices):
        kept[order[np.unique(ends[order], return_index=True)[1]]] = True
    size = ratings.nnz // _FOLDS
    free = np.flatnonzero(~kept & ~single)
    first = np.concatenate(
        [
            rng.choice(np.flatnonzero(single), _ONLY_IN_TEST, replace=False),
            rng.choice(free, size - _ONLY_IN_TEST, replace=False),
        ]
    )
    folds = np.zeros(ratings.nnz, dtype=np.int8)
    folds[first] = 1
    folds[folds == 0] = rng.permutation(np.repeat(np.arange(2, _FOLDS + 1), size))
    return folds


def _product(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """left @ right.T without BLAS, whose last digit may depend on the number of threads."""
    return np.einsum("uk,ik->ui", left, right, optimize=False)
