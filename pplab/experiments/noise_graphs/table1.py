"""Table 1: privacy levels and edge counts on the Likes matrix, by arithmetic alone.

The data were withdrawn and are not needed: every printed count is a sum of independent flips
over cells whose number is printed too.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from pplab.experiments.noise_graphs import paper
from pplab.experiments.noise_graphs.counts import edge_counts
from pplab.response.levels import flip_to_epsilon

__all__ = ["table1", "table1_sizes"]


def table1() -> pd.DataFrame:
    """Levels and counts of Table 1, under the printed n and under n with two digits transposed.

    Returns
    -------
    DataFrame
        Columns p, quantity ("epsilon", "noise_edges", "published_edges", "cells"), reading,
        value (the exact mean) and sd (of one draw).

    Examples
    --------
    >>> counts = table1()
    >>> counts.query("p == 0.1 and quantity == 'noise_edges'").value.round().astype(int).tolist()
    [16810765, 16826107]
    """
    rows = [
        {"p": p, "quantity": "epsilon", "reading": "", "value": flip_to_epsilon(p), "sd": 0.0}
        for p in paper.FLIP_PROBABILITIES
    ]
    for users in (paper.LIKES_USERS, paper.LIKES_USERS_TRANSPOSED):
        cells, reading = users * paper.LIKES_ITEMS, f"n = {users:,}"
        rows.append({"quantity": "cells", "reading": reading, "value": cells, "sd": 0.0})
        for p in paper.FLIP_PROBABILITIES:
            rows += edge_counts(p=p, cells=cells, edges=paper.LIKES_PAIRS, reading=reading)
    return pd.DataFrame(rows)


def table1_sizes() -> pd.DataFrame:
    """Estimate, from the printed counts alone, the sizes of the matrix they were drawn from.

    Noise edges X on n m cells give ``n = X / (p m)``. Published minus noise edges are
    ``q - 2 * hits`` when both belong to one draw, so they give ``q = difference / (1 - 2p)``.
    Each is pooled over the six p with weights inverse to its variance.

    Returns
    -------
    DataFrame
        Columns quantity ("users", "pairs"), value and se.

    Examples
    --------
    >>> table1_sizes().round(1).values.tolist()
    [['users', 19742.1, 1.2], ['pairs', 3817849.7, 260.9]]
    """
    p = np.array(list(paper.LIKES_COUNTS))
    noise, published = np.array(list(paper.LIKES_COUNTS.values()), dtype=float).T
    users = noise / (p * paper.LIKES_ITEMS)
    users_variance = (1 - p) / (p * paper.LIKES_ITEMS) * users
    pairs = (published - noise) / (1 - 2 * p)
    pairs_variance = 4 * paper.LIKES_PAIRS * p * (1 - p) / (1 - 2 * p) ** 2
    rows = [
        _pooled("users", users, users_variance),
        _pooled("pairs", pairs, pairs_variance),
    ]
    return pd.DataFrame(rows)


def _pooled(quantity: str, estimates: np.ndarray, variances: np.ndarray) -> dict[str, object]:
    weights = 1 / variances
    value = float(np.average(estimates, weights=weights))
    return {"quantity": quantity, "value": value, "se": float(weights.sum() ** -0.5)}
