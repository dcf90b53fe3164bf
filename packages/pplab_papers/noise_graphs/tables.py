"""Tables 1, 3 and 5 and Figure 2: edge counts, risk and imprecision under noise.

The counts of Tables 1 and 3 are exact: every printed count is a sum of independent flips over cells
whose number is printed too, so that Table 1 needs no data (which were withdrawn). So is Table 5, a
mean over a number of edges that is drawn too. Figure 2 draws weighted noise on MovieLens-100K. Rows
name the options of the paper's choices on which they depend. Salas and Torra 2020,
doi 10.5220/0009833804150422.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.stats import binom

from claimbook.part import Rng, mean_of_runs
from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.graphs import rows_of_entries
from pplab.response.levels import flip_to_epsilon
from pplab.response.ratings import WeightedNoiseGraph, fuzzy_xor
from pplab_papers.noise_graphs import paper

# Exact mean and spread of the edge counts of a noise graph and of what is published.


Row = dict[str, Any]
UNIONS = ("union, weights over 5", "union, ratings as they are")
DIFFERENCE = "difference"


def edge_counts(*, p: float, cells: int, edges: int, union: bool) -> dict[str, Row]:
    """Law of the two counts that the paper's tables print, as sums of independent flips.

    In a union a true edge that is hit stays (Definition 8), else it vanishes (Definition 1).
    """
    empty = cells - edges
    mean, flips = (edges + p * empty, empty) if union else (edges + p * (empty - edges), cells)
    return {
        quantity: {"p": p, "quantity": quantity, "value": value, "sd": sd}
        for quantity, value, sd in (
            ("noise_edges", p * cells, math.sqrt(cells * p * (1 - p))),
            ("published_edges", mean, math.sqrt(flips * p * (1 - p))),
        )
    }


def table1() -> pd.DataFrame:
    """Levels and counts of Table 1, under the printed n and under n with two digits exchanged.

    The sum is that of Definition 1, the symmetric difference.

    Returns
    -------
    DataFrame
        Columns p, quantity ("epsilon", "noise_edges", "published_edges", "cells"), likes_users,
        value (the exact mean) and sd (of one draw).

    Examples
    --------
    >>> counts = table1()
    >>> counts.query("p == 0.1 and quantity == 'noise_edges'").value.round().astype(int).tolist()
    [16810765, 16826107]
    """
    rows: list[Row] = [
        {"p": p, "quantity": "epsilon", "value": flip_to_epsilon(p), "sd": 0.0}
        for p in paper.FLIP_PROBABILITIES
    ]
    rows.append({"quantity": "cells", "value": paper.LIKES_USERS * paper.LIKES_ITEMS})
    for users in (paper.LIKES_USERS, paper.LIKES_USERS_TRANSPOSED):
        size = {"cells": users * paper.LIKES_ITEMS, "edges": paper.LIKES_PAIRS}
        for p in paper.FLIP_PROBABILITIES:
            counts = edge_counts(p=p, **size, union=False).values()
            rows += [row | {"likes_users": f"{users:,}"} for row in counts]
    return pd.DataFrame(rows)


def table1_sizes() -> pd.DataFrame:
    """Estimate, from the printed counts alone, the sizes of the matrix they were drawn from.

    Noise edges X on n m cells give ``n = X / (p m)``. Published minus noise edges are
    ``q - 2 * hits`` when both belong to one draw, so they give ``q = difference / (1 - 2p)``.
    Each is pooled over the six p with weights inverse to its variance.

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
    rows = [_pooled("users", users, users_variance), _pooled("pairs", pairs, pairs_variance)]
    return pd.DataFrame(rows)


def _pooled(quantity: str, estimates: np.ndarray, variances: np.ndarray) -> dict[str, object]:
    weights = 1 / variances
    value = float(np.average(estimates, weights=weights))
    return {"quantity": quantity, "value": value, "se": float(weights.sum() ** -0.5)}


# Section 4.2: edge counts of the noise graph and of the published ratings of MovieLens-100K.


def table3(train: Dataset) -> pd.DataFrame:
    """Exact law of Table 3's counts, with all films and with those of the training part."""
    users, edges = train.ratings.shape[0], train.ratings.nnz
    rows: list[Row] = []
    for films, count in _films(train).items():
        for p in paper.FLIP_PROBABILITIES:
            for addition in (*UNIONS, DIFFERENCE):
                union = addition != DIFFERENCE
                counts = edge_counts(p=p, cells=users * count, edges=edges, union=union)
                rows.append(counts["published_edges"] | {"films": films, "addition": addition})
            rows.append(counts["noise_edges"] | {"films": films})
    return pd.DataFrame(rows)


def _films(train: Dataset) -> dict[str, int]:
    """Films of the matrix: all that the paper names, or those of the training part."""
    return {"1,682": paper.FILMS, "1,650": train.ratings.shape[1]}


def movielens_sizes(train: Dataset, complete: Dataset) -> pd.DataFrame:
    """Sizes of the data that Section 4.2 states."""
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


# Table 5, its left half: sensitive attribute imprecision by flip probability.


# Ratings that come of x where it meets a noise rating y.
_COMMON: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    UNIONS[0]: lambda x, y: fuzzy_xor(x, y, norm="min-max", top=paper.TOP_RATING),
    UNIONS[1]: lambda x, y: np.minimum(np.maximum(x, y), 1 - np.minimum(x, y)),
    DIFFERENCE: lambda x, _: np.zeros_like(x),
}


def table5(
    train: Dataset, *, flip_probabilities: Sequence[float] = paper.FLIP_PROBABILITIES
) -> pd.DataFrame:
    """Exact law of SA_I by flip probability, in rating points.

    Given the number of new edges, SA_I is a sum of independent errors over a known number of edges;
    the number of new edges is binomial.
    """
    ratings = train.ratings
    levels, counts = np.unique(ratings.data.astype(float), return_counts=True)
    shares, edges = counts / ratings.nnz, ratings.nnz
    x, y = np.meshgrid(levels, levels, indexing="ij")
    weight, weight_2 = shares @ levels, shares @ levels**2  # of a noise edge: its error when new
    rows = []
    for p, (films, count) in product(flip_probabilities, _films(train).items()):
        empty = ratings.shape[0] * count - edges
        fewest, most = binom.interval(1 - 1e-14, empty, p)
        new = np.arange(fewest, most + 1)  # all that ever happen
        chance = binom.pmf(new, empty, p)
        for addition, xor in _COMMON.items():
            error = np.abs(xor(x, y) - x)
            hit, hit_2 = p * error @ shares, p * error**2 @ shares  # by the rating that is hit
            mean = (counts @ hit + new * weight) / (edges + new)
            variance = counts @ (hit_2 - hit**2) + new * (weight_2 - weight**2)
            value = chance @ mean
            sd = math.sqrt(chance @ (variance / (edges + new) ** 2 + (mean - value) ** 2))
            row = {"p": p, "quantity": "imprecision", "films": films, "addition": addition}
            rows.append(row | {"value": value, "sd": sd})
    return pd.DataFrame(rows)


# Figure 2: sensitive attribute risk of the users of MovieLens-100K under weighted noise.


SHARES = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95)  # of users: where distributions are compared


def figure2(
    train: Dataset,
    *,
    rng: Rng = None,
    runs: int = 20,
    flip_probabilities: Sequence[float] = paper.FLIP_PROBABILITIES,
) -> pd.DataFrame:
    """Figure 2: SA_R by flip probability, its mean over users and quantiles.

    Noise is drawn once for all worlds, over all films; that of the training part's films is a part
    of it. The noise drawn is the edge difference, too, where common edges vanish.
    """
    check_integer("runs", runs, minimum=2)
    ratings, films = train.ratings, _films(train)
    wide = sparse.csr_array(ratings)
    wide.resize((ratings.shape[0], max(films.values())))
    true, known = np.diff(ratings.indptr), wide.toarray() > 0
    rows: list[Row] = []
    for p in flip_probabilities:
        draws: dict[tuple[str, bool], list[np.ndarray]] = {}
        for noise in _noises(wide, p, runs, rng):
            users, columns = rows_of_entries(noise), noise.indices
            fresh = ~known[users, columns]
            for (name, count), new in product(films.items(), (False, True)):
                counted = (columns < count) & (fresh | (not new))
                edges = np.bincount(users[counted], minlength=len(true))
                draws.setdefault((name, new), []).append(_measured(true, edges))
        for (name, new), measured in draws.items():
            for world in _worlds(new):
                head = {"p": p, "films": name, **world}
                means, *quantiles = np.transpose(measured)
                rows.append(head | {"quantity": "mean_risk"} | mean_of_runs(means))
                for share, values in zip(SHARES, quantiles, strict=True):
                    row = head | {"quantity": "risk at a share of users", "share": share}
                    rows.append(row | mean_of_runs(values))
    return pd.DataFrame(rows)


def _risk(true: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """SA_R of each user, by Definition 11; 0 for users without records."""
    return true / np.maximum(true + noise, 1)


def _measured(true: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """Mean of SA_R over users, and what each share of them does not exceed."""
    risk = _risk(true, noise)
    return np.concatenate([[risk.mean()], np.quantile(risk, SHARES)])


def _worlds(new: bool) -> list[dict[str, str]]:
    """Worlds in which g is the new edges only, or all that was drawn."""
    difference = "edge difference"
    if new:
        return [{"noise": difference, "addition": union} for union in UNIONS]
    return [{"noise": difference, "addition": DIFFERENCE}, {"noise": "noise drawn"}]


def risk_distribution(
    train: Dataset,
    *,
    rng: Rng = None,
    flip_probabilities: Sequence[float] = paper.FLIP_PROBABILITIES,
) -> pd.DataFrame:
    """Cumulative distribution of SA_R over users, from one release for each flip probability.

    Parameters
    ----------
    train : Dataset
        Ratings from 1 to 5.
    rng : int, Generator or None
        Seed or generator.
    flip_probabilities : sequence of float
        The p of the figure.

    Returns
    -------
    DataFrame
        Columns p, share (of users, 0 to 1 in steps of 1 %) and value (the risk that this share of
        users does not exceed), with the drawn noise edges as g.
    """
    shares = np.linspace(0, 1, 101)
    rows = []
    for p in flip_probabilities:
        (noise,) = _noises(train.ratings, p, 1, rng)
        values = np.quantile(
            _risk(*(np.diff(graph.indptr) for graph in (train.ratings, noise))), shares
        )
        rows.append(pd.DataFrame({"p": p, "share": shares.round(2), "value": values}))
    return pd.concat(rows, ignore_index=True)


def _noises(ratings: sparse.csr_array, p: float, runs: int, rng: Rng) -> Iterator[sparse.csr_array]:
    """Noise graphs; run r draws from child r of the seed."""
    mechanism = WeightedNoiseGraph(p, paper.TOP_RATING)
    return (mechanism.draw_noise(ratings, rng=child) for child in as_rng(rng).spawn(runs))
