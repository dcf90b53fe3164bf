"""Table 3: edge counts of the noise graph and of the published ratings of MovieLens-100K."""

from __future__ import annotations

import pandas as pd

from pplab.datasets.catalog import Dataset
from pplab.experiments.noise_graphs import paper
from pplab.experiments.noise_graphs.counts import edge_counts

__all__ = ["movielens_sizes", "table3"]


def table3(train: Dataset, complete: Dataset) -> pd.DataFrame:
    """Exact law of Table 3's counts under every reading of what a cell and what ⊕ is.

    Parameters
    ----------
    train : Dataset
        The training ratings that are protected; its matrix has the films that occur in it.
    complete : Dataset
        All ratings, with all films.

    Returns
    -------
    DataFrame
        Columns p, quantity ("noise_edges", "published_edges"), reading, value (the exact mean)
        and sd (of one draw).
    """
    edges = train.ratings.nnz
    shapes = [complete.ratings.shape, train.ratings.shape]
    rows = []
    for users, films in shapes:
        reading = f"{users:,} x {films:,}"
        for p in paper.FLIP_PROBABILITIES:
            rows += edge_counts(p=p, cells=users * films, edges=edges, reading=reading)
    return pd.DataFrame(rows)


def movielens_sizes(train: Dataset, complete: Dataset) -> pd.DataFrame:
    """Sizes of the data that Section 4.2 states.

    Parameters
    ----------
    train, complete : Dataset
        The training ratings and all ratings.

    Returns
    -------
    DataFrame
        Columns quantity and value.
    """
    ratings = complete.ratings
    sizes = {
        "users": ratings.shape[0],
        "films": ratings.shape[1],
        "ratings": ratings.nnz,
        "lowest_rating": int(ratings.data.min()),
        "highest_rating": int(ratings.data.max()),
        "training_ratings": train.ratings.nnz,
    }
    return pd.DataFrame({"quantity": list(sizes), "value": list(sizes.values())})
