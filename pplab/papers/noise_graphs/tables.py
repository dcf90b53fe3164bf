"""Tables 1, 3 and 5 and Figure 2: edge counts, risk and imprecision under noise.

The counts of Tables 1 and 3 are exact: every printed count is a sum of independent flips over cells
whose number is printed too, so that Table 1 needs no data (which were withdrawn). So is Table 5, a
mean over a number of edges that is drawn too. Figure 2 draws weighted noise on MovieLens-100K. What
the paper leaves open is measured under each reading. Salas and Torra 2020,
doi 10.5220/0009833804150422.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.stats import binom
from tqdm.auto import tqdm

from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.graphs import paired_values
from pplab.metrics.risk import sensitive_attribute_risk
from pplab.papers.noise_graphs import paper
from pplab.papers.part import Rng, mean_of_runs
from pplab.response.levels import flip_to_epsilon
from pplab.response.ratings import WeightedNoiseGraph, fuzzy_xor

# Exact mean and spread of the edge counts of a noise graph and of what is published.


Row = dict[str, Any]


def edge_counts(*, p: float, cells: int, edges: int, reading: str, union: bool) -> list[Row]:
    """Law of the two counts that the paper's tables print, as sums of independent flips.

    In a union a true edge that is hit stays (Definition 8), else it vanishes (Definition 1).
    """
    empty = cells - edges
    mean, flips = (edges + p * empty, empty) if union else (edges + p * (empty - edges), cells)
    return [
        {"p": p, "quantity": quantity, "reading": reading, "value": value, "sd": sd}
        for quantity, value, sd in (
            ("noise_edges", p * cells, math.sqrt(cells * p * (1 - p))),
            ("published_edges", mean, math.sqrt(flips * p * (1 - p))),
        )
    ]


def table1() -> pd.DataFrame:
    """Levels and counts of Table 1, under the printed n and under n with two digits transposed.

    ⊕ is that of Definition 1, the symmetric difference.

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
    rows.append(
        {"quantity": "cells", "reading": "", "value": paper.LIKES_USERS * paper.LIKES_ITEMS}
    )
    for users in (paper.LIKES_USERS, paper.LIKES_USERS_TRANSPOSED):
        size = {"cells": users * paper.LIKES_ITEMS, "edges": paper.LIKES_PAIRS}
        for p in paper.FLIP_PROBABILITIES:
            rows += edge_counts(p=p, **size, reading=f"n = {users:,}", union=False)
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


# Table 3: edge counts of the noise graph and of the published ratings of MovieLens-100K.


def table3(train: Dataset, complete: Dataset) -> pd.DataFrame:
    """Exact law of Table 3's counts, with all films and with those of the training part.

    ⊕ is that of Definition 8, which Section 4.2 applies: a rating that is hit stays a rating.
    """
    edges = train.ratings.nnz
    shapes = [complete.ratings.shape, train.ratings.shape]
    rows = []
    for users, films in shapes:
        reading = f"{users:,} x {films:,}"
        for p in paper.FLIP_PROBABILITIES:
            rows += edge_counts(p=p, cells=users * films, edges=edges, reading=reading, union=True)
    return pd.DataFrame(rows)


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


# Ratings that come of x where it meets a noise rating y, both on the scale of the ratings.
_COMMON: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "min-max": lambda x, y: fuzzy_xor(x, y, norm="min-max", top=paper.TOP_RATING),
    "product": lambda x, y: fuzzy_xor(x, y, norm="product", top=paper.TOP_RATING),
    "lukasiewicz": lambda x, y: fuzzy_xor(x, y, norm="lukasiewicz", top=paper.TOP_RATING),
    "hamacher": lambda x, y: fuzzy_xor(x, y, norm="hamacher", top=paper.TOP_RATING),
    "common edges keep their rating": lambda x, _: x,
    "common edges vanish": lambda x, _: np.zeros_like(x),
}


def table5(
    train: Dataset, *, flip_probabilities: Sequence[float] = paper.FLIP_PROBABILITIES
) -> pd.DataFrame:
    """Exact law of SA_I by flip probability, under several readings of the addition and the scale.

    Given the number of new edges, SA_I is a sum of independent errors over a known number of edges;
    the number of new edges is binomial.
    """
    ratings, (users, films) = train.ratings, train.ratings.shape
    levels, counts = np.unique(ratings.data.astype(float), return_counts=True)
    shares, edges, empty = counts / ratings.nnz, ratings.nnz, users * films - ratings.nnz
    x, y = np.meshgrid(levels, levels, indexing="ij")
    weight, weight_2 = shares @ levels, shares @ levels**2  # of a noise edge: its error when new
    rows = []
    for p, (name, xor) in product(flip_probabilities, _COMMON.items()):
        error = np.abs(xor(x, y) - x)
        hit, hit_2 = p * error @ shares, p * error**2 @ shares  # by the rating that is hit
        fewest, most = binom.interval(1 - 1e-14, empty, p)
        new = np.arange(fewest, most + 1)  # all that ever happen
        chance = binom.pmf(new, empty, p)
        mean = (counts @ hit + new * weight) / (edges + new)
        variance = counts @ (hit_2 - hit**2) + new * (weight_2 - weight**2)
        value = chance @ mean
        sd = math.sqrt(chance @ (variance / (edges + new) ** 2 + (mean - value) ** 2))
        row = {"p": p, "quantity": "imprecision"}
        rows.append(row | {"reading": f"{name}, weights 1 to 5", "value": value, "sd": sd})
        if name == "min-max":
            scaled = {"value": value / paper.TOP_RATING, "sd": sd / paper.TOP_RATING}
            rows.append(row | {"reading": "min-max, weights in [0, 1]"} | scaled)
    return pd.DataFrame(rows)


# Figure 2: sensitive attribute risk of the users of MovieLens-100K under weighted noise.


READINGS = ("new edges", "drawn noise edges", "changed values")


def figure2(
    train: Dataset,
    *,
    rng: Rng = None,
    runs: int = 20,
    flip_probabilities: Sequence[float] = paper.FLIP_PROBABILITIES,
) -> pd.DataFrame:
    """Figure 2: mean SA_R over users by flip probability, under three readings of g."""
    check_integer("runs", runs, minimum=2)
    rows = []
    for p in flip_probabilities:
        means = [
            {reading: np.nanmean(risk) for reading, risk in _risks(train.ratings, *release)}
            for release in _releases(train.ratings, p, runs, rng)
        ]
        for reading in READINGS:
            row = {"p": p, "quantity": "mean_risk", "runs": runs, "reading": reading}
            rows.append(row | mean_of_runs([run[reading] for run in means]))
    return pd.DataFrame(rows)


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
        (release,) = _releases(train.ratings, p, 1, rng, quiet=True)
        risk = dict(_risks(train.ratings, *release))["drawn noise edges"]
        values = np.nanquantile(risk, shares)
        rows.append(pd.DataFrame({"p": p, "share": shares.round(2), "value": values}))
    return pd.concat(rows, ignore_index=True)


def _releases(
    ratings: sparse.csr_array, p: float, runs: int, rng: Rng, *, quiet: bool = False
) -> Iterator[tuple[sparse.csr_array, sparse.csr_array]]:
    """Published ratings and the noise graph behind them; run r draws from child r of the seed."""
    mechanism = WeightedNoiseGraph(p, paper.TOP_RATING)
    for child in tqdm(as_rng(rng).spawn(runs), desc=f"releases at p = {p}", disable=quiet):
        noise = mechanism.draw_noise(ratings, rng=child)
        yield mechanism.add(ratings, noise), noise


def _risks(
    ratings: sparse.csr_array, published: sparse.csr_array, noise: sparse.csr_array
) -> Iterator[tuple[str, np.ndarray]]:
    keys, before, _ = paired_values(ratings, published, absent=np.nan)
    new = np.bincount(keys[np.isnan(before)] // ratings.shape[1], minlength=ratings.shape[0])
    true = np.diff(ratings.indptr)
    yield "new edges", true / (true + new)
    yield "drawn noise edges", sensitive_attribute_risk(ratings, published, noise=noise)
    yield "changed values", sensitive_attribute_risk(ratings, published)
