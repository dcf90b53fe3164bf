"""Table 1 and the sizes in Section 6.1."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse.csgraph import connected_components

from pplab.datasets.catalog import Dataset
from pplab.experiments.finding import statement_rows
from pplab.experiments.social.graphs import Graphs, graphs_of

__all__ = ["flixster_table1", "lastfm_table1"]

SHARE = 0.07  # per cent: the printed bound on what was dropped
KEPT, ALL = "items with a kept preference", "all items of the file"


def lastfm_table1(lastfm: Dataset) -> pd.DataFrame:
    """Count what Table 1 and Section 6.1 print of Last.fm.

    Parameters
    ----------
    lastfm : Dataset

    Returns
    -------
    DataFrame
        Columns quantity, reading and value; and the statement on the dropped share.
    """
    graphs = graphs_of(lastfm)
    count, members = connected_components(graphs.social, directed=False)
    sizes = np.sort(np.bincount(members))
    rows = _table1(graphs)
    rows += [
        {"quantity": "dropped", "value": graphs.dropped},
        {"quantity": "main component", "value": 100 * sizes[-1] / sizes.sum()},
        {"quantity": "small components", "value": count - 1},
        {"quantity": "smallest component", "value": int(sizes[0])},
        {"quantity": "largest small component", "value": int(sizes[-2]) if count > 1 else 0},
    ]
    share = 100 * graphs.dropped / (graphs.dropped + graphs.preferences.nnz)
    found = {
        "section-6.1:lastfm:dropped-share": (
            share < SHARE,
            f"{graphs.dropped} of {graphs.dropped + graphs.preferences.nnz:,} edges, "
            f"{share:.3f} %.",
        )
    }
    return pd.concat([statement_rows(found), pd.DataFrame(rows)], ignore_index=True)


def flixster_table1(flixster: Dataset) -> pd.DataFrame:
    """Count what Table 1 prints of Flixster.

    Parameters
    ----------
    flixster : Dataset

    Returns
    -------
    DataFrame
        Columns quantity, reading and value.
    """
    return pd.DataFrame(_table1(graphs_of(flixster)))


def _table1(graphs: Graphs) -> list[dict[str, Any]]:
    users, items = graphs.preferences.shape
    degrees = np.diff(graphs.social.indptr)
    per_user = np.diff(graphs.preferences.indptr)
    per_item = np.bincount(graphs.preferences.indices, minlength=items)
    liked = per_item[per_item > 0]
    edges = graphs.preferences.nnz
    rows: list[tuple[str, str, float]] = [
        ("users", "", users),
        ("social edges", "", graphs.social.nnz // 2),
        ("average user degree", "", degrees.mean()),
        ("sd of user degree", "population standard deviation", degrees.std()),
        ("sd of user degree", "sample standard deviation", degrees.std(ddof=1)),
        ("items", KEPT, len(liked)),
        ("items", ALL, items),
        ("preference edges", "", edges),
        ("average item degree", "users per item", liked.mean()),
        ("average item degree", "items per user", per_user.mean()),
        ("sd of item degree", "users per item, population", liked.std()),
        ("sd of item degree", "users per item, sample", liked.std(ddof=1)),
        ("sd of item degree", "items per user, population", per_user.std()),
        ("sd of item degree", "items per user, sample", per_user.std(ddof=1)),
        ("sparsity", KEPT, 1 - edges / (users * len(liked))),
        ("sparsity", ALL, 1 - edges / (users * items)),
    ]
    return [
        {"quantity": quantity, "reading": reading, "value": float(value)}
        for quantity, reading, value in rows
    ]
