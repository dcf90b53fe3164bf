"""Sizes of the data that the paper states."""

from __future__ import annotations

import pandas as pd

from pplab.datasets.catalog import Dataset

__all__ = ["jester_sizes", "movielens_sizes"]


def movielens_sizes(movielens: Dataset) -> pd.DataFrame:
    """Count users, films and ratings.

    Parameters
    ----------
    movielens : Dataset
        All ratings.

    Returns
    -------
    DataFrame
        Columns quantity and value.
    """
    users, films = movielens.ratings.shape
    sizes = {"users": users, "films": films, "ratings": movielens.ratings.nnz}
    return pd.DataFrame(
        {"quantity": [f"movielens {name}" for name in sizes], "value": list(sizes.values())}
    )


def jester_sizes(jester: Dataset) -> pd.DataFrame:
    """Count users and jokes, and give the share of cells without a rating in per cent.

    Parameters
    ----------
    jester : Dataset
        As many parts of the data as there are.

    Returns
    -------
    DataFrame
        Columns quantity and value.
    """
    users, jokes = jester.ratings.shape
    empty = 100 * (1 - jester.ratings.nnz / (users * jokes))
    return pd.DataFrame(
        {"quantity": ["users", "jokes", "empty"], "value": [float(users), float(jokes), empty]}
    )
