"""Settings of the paper that its experiments take as input."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from pplab.datasets.catalog import Dataset
from pplab.graphs import as_adjacency

MEASURES = ("cn", "aa", "gd", "katz")
EPSILONS = (inf, 1.0, 0.6, 0.1, 0.05, 0.01)
LISTS = (10, 50, 100)
TOP = 50  # the list length of Figures 3 and 4
REPETITIONS = 10
DEGREE = 10  # Figure 3 splits the users here
LEAST_COUNT = 2  # listening counts and ratings below are dropped
SAMPLED_USERS = 2_000  # of Flixster's stand-in; the paper has 10,000
LARGE_ORDERS = 3  # node orders on it, where no printed number can be decided; ten elsewhere

GAMMA = {"cn": 10.0, "aa": 10.0, "gd": 10.0, "katz": 1.0}  # error tolerance of LRM

ALPHA = 1e-6  # ours: the chance of a false alarm in each test


# Options of the choices that the text leaves open.
SELF_SIMILARITY = {"without": False, "with": True}
PLAIN = {"self_similarity": "without", "without_utility": "left out"}
Row = dict[str, Any]


def in_each_world(rows_of: Callable[[bool], Iterable[Row]]) -> pd.DataFrame:
    """Rows without self-similarity, then with it."""
    return pd.DataFrame(
        row | {"self_similarity": own}
        for own, similar in SELF_SIMILARITY.items()
        for row in rows_of(similar)
    )


def over_users(values: np.ndarray) -> dict[str, float]:
    """Mean NDCG by what stands for users without utility, whose values are NaN."""
    known = 1 - float(np.isnan(values).mean())
    mean = float(np.nanmean(values)) if known else 0.0
    return {"left out": mean, "as 0": mean * known, "as 1": mean * known + 1 - known}


# The two graphs of a data set as the paper uses them.


@dataclass(frozen=True, eq=False)
class Graphs:
    """A public social graph and private preferences of the same users.

    Attributes
    ----------
    social : csr_array of int8 ones, shape (users, users)
    preferences : csr_array of float64 ones, shape (users, items)
    dropped : int
        Preferences left out because their count or rating was too low.
    """

    social: sparse.csr_array
    preferences: sparse.csr_array
    dropped: int


def graphs_of(dataset: Dataset) -> Graphs:
    """Keep preferences with a count or rating of at least 2, each with weight 1."""
    table = dataset.preferences
    kept = table.data >= LEAST_COUNT
    rows = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))[kept]
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=table.shape[0]))])
    preferences = sparse.csr_array(
        (np.ones(len(rows)), table.indices[kept], indptr), shape=table.shape
    )
    return Graphs(as_adjacency(dataset.social), preferences, int((~kept).sum()))
