"""The two graphs of a data set as the paper uses them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from pplab.datasets.catalog import Dataset
from pplab.experiments.social import paper
from pplab.graphs import as_adjacency

__all__ = ["Graphs", "graphs_of"]


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
    kept = table.data >= paper.LEAST_COUNT
    rows = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))[kept]
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=table.shape[0]))])
    preferences = sparse.csr_array(
        (np.ones(len(rows)), table.indices[kept], indptr), shape=table.shape
    )
    return Graphs(as_adjacency(dataset.social), preferences, int((~kept).sum()))
