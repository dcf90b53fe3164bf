"""Section 4.2 on MovieLens-100K: which edges are noise, a substitute for HAKR, the repair.

`noise_guesses` asks what a noise weight gives away; `substitute` stands in for the k-anonymity of
Table 4, Figure 3 and the k half of Table 5; `repair` measures what the two repairs of the weighted
mechanism cost at equal privacy of an edge. Salas and Torra 2020, doi 10.5220/0009833804150422.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.sparse.linalg import svds
from tqdm.auto import tqdm

from claimbook.part import Rng, mean_of_any_runs, mean_of_runs
from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset, align
from pplab.graphs import as_biadjacency, paired_values, rows_of_entries
from pplab.metrics.risk import k_achieved, sensitive_attribute_imprecision
from pplab.microaggregation.mdav import mdav
from pplab.microaggregation.microaggregate import pool_groups
from pplab.response.categorical import CategoricalResponse, TwoStageResponse
from pplab.response.ratings import WeightedNoiseGraph, fuzzy_xor
from pplab.smooth.groups import degree_groups, random_groups
from pplab_papers.noise_graphs import paper

# The best guess at which published ratings are noise.


CONSTANT = 3.0  # the middle of the scale, as a noise weight


def right_guesses(
    ratings: sparse.csr_array, mechanism: WeightedNoiseGraph, *, rng: int | np.random.Generator
) -> float:
    """Share of the published records of one release that the best guess classifies correctly.

    A record is noise when no true rating lies beneath it. Whoever guesses knows the flip
    probability, how dense the ratings are, how often each rating occurs and how often each noise
    weight does, and says of every published value what is likelier.
    """
    noise_law, true_law = _laws(ratings, mechanism)
    says_noise = noise_law > true_law
    published = mechanism.sample(ratings, rng=rng)
    _, before, after = paired_values(ratings, published, absent=np.nan)
    return float((says_noise[after.astype(int)] == np.isnan(before)).mean())


def noise_guesses(train: Dataset, *, rng: Rng = None, runs: int = 10) -> pd.DataFrame:
    """Share of right best guesses for noise of constant weight 3, and for noise from the data."""
    check_integer("runs", runs, minimum=2)
    constant, from_data = (
        WeightedNoiseGraph(0.1, paper.TOP_RATING, noise_weights=weights)
        for weights in ([CONSTANT], "empirical")
    )
    right = np.array(
        [
            [
                right_guesses(train.ratings, weighting, rng=int(seed))
                for weighting in (constant, from_data)
            ]
            for seed in as_rng(rng).integers(2**31, size=runs)
        ]
    )
    measured = {"constant": right[:, 0], "from the data": right[:, 1]}
    measured["difference"] = right[:, 0] - right[:, 1]
    return pd.DataFrame(
        [{"weights": weighting} | mean_of_runs(shares) for weighting, shares in measured.items()]
    )


def _laws(
    ratings: sparse.csr_array, mechanism: WeightedNoiseGraph
) -> tuple[np.ndarray, np.ndarray]:
    """Chance that a cell publishes a value 0, 1, ... as noise, and as (or over) a true rating."""
    top, p = int(mechanism.top_rating), float(mechanism.flip_probability)
    density = ratings.nnz / (ratings.shape[0] * ratings.shape[1])
    true, listed = _shares(ratings.data, top), mechanism.noise_weights
    noise = _shares(ratings.data if listed == "empirical" else np.asarray(listed), top)
    x, y = np.meshgrid(np.arange(top + 1), np.arange(top + 1), indexing="ij")
    met = fuzzy_xor(x, y, norm=mechanism.norm, top=top).astype(int)
    hit = np.bincount(met.ravel(), np.outer(true, noise).ravel(), top + 1)
    return (1 - density) * p * noise, density * ((1 - p) * true + p * hit)


def _shares(values: np.ndarray, top: int) -> np.ndarray:
    return np.bincount(values.astype(int), minlength=top + 1) / len(values)


# Predict held-out ratings from a release: means of users and films, and a few tastes.


TASTES = 10
_SHRINK = 5.0  # ratings of weight that pull each user's and film's mean to the overall mean
_LOWEST, _HIGHEST = 1.0, 5.0


def mean_absolute_error(published: sparse.csr_array, test: sparse.csr_array) -> float:
    """Error in stars of ratings predicted from a release.

    The prediction is the overall mean plus the shrunken deviations of the film and of the user,
    plus a truncated SVD of what these leave of the published ratings (0 where nothing is stored),
    cut to 1..5.

    References
    ----------
    Koren, Bell and Volinsky 2009, Matrix factorization techniques for recommender systems,
    doi 10.1109/MC.2009.263, for means first and factors of the rest.
    """
    rows, columns = rows_of_entries(published), published.indices
    values = published.data.astype(float)
    mean = values.mean()
    film = _shrunken(columns, values - mean, published.shape[1])
    user = _shrunken(rows, values - mean - film[columns], published.shape[0])
    rest = values - mean - film[columns] - user[rows]
    residuals = sparse.csr_array((rest, columns, published.indptr), shape=published.shape)
    left, strengths, right = svds(
        residuals, k=min(TASTES, min(published.shape) - 1), v0=np.ones(min(published.shape))
    )
    users, items = rows_of_entries(test), test.indices
    taste = np.einsum("rk,kr->r", left[users] * strengths, right[:, items])
    predicted = np.clip(mean + film[items] + user[users] + taste, _LOWEST, _HIGHEST)
    return float(np.abs(predicted - test.data).mean())


def error_of_item_means(published: sparse.csr_array, test: sparse.csr_array) -> float:
    """Error in stars of each film's shrunken mean, which ignores the user."""
    mean = published.data.mean()
    film = _shrunken(published.indices, published.data - mean, published.shape[1])
    return float(np.abs(mean + film[test.indices] - test.data).mean())


def _shrunken(groups: np.ndarray, values: np.ndarray, count: int) -> np.ndarray:
    totals = np.bincount(groups, values, count)
    return totals / (np.bincount(groups, minlength=count) + _SHRINK)


# Table 4, Figure 3 and the k half of Table 5. The paper compares with HAKR, which it does not
# describe. Here groups of users (by MDAV on who rated what, by number of ratings, at random) share
# the union of their films with the group's mean ratings.


Rows = list[dict[str, Any]]
GROUP_SIZES = (2, 3, 4, 5, 6)


def substitute(
    train: Dataset, *, rng: Rng = None, runs: int = 5, group_sizes: Sequence[int] = GROUP_SIZES
) -> pd.DataFrame:
    """Edges, risk and imprecision of a k-anonymous release, under three ways to make groups."""
    check_integer("runs", runs, minimum=2)
    generator = as_rng(rng)
    rows: Rows = []
    for k in tqdm(group_sizes, desc="group sizes"):
        for grouping, groupings in _groupings(train.ratings, k, runs, generator):
            rows += _summary(train.ratings, k, grouping, groupings)
    return pd.DataFrame(rows)


def _groupings(
    ratings: sparse.csr_array, k: int, runs: int, rng: np.random.Generator
) -> Iterator[tuple[str, list[np.ndarray]]]:
    yield "MDAV", [mdav(as_biadjacency(ratings), k, leftover="group")]
    yield "degree", [degree_groups(ratings, k)]
    yield "random", [random_groups(ratings, k, rng=child) for child in rng.spawn(runs)]


def _summary(ratings: sparse.csr_array, k: int, grouping: str, groupings: list[np.ndarray]) -> Rows:
    """Mean and spread of each quantity over the groupings."""
    measured = pd.DataFrame([_measure(ratings, labels) for labels in groupings])
    return [
        {"quantity": quantity, "k": int(k), "grouping": grouping} | mean_of_any_runs(values)
        for quantity, values in measured.items()
    ]


def _measure(ratings: sparse.csr_array, labels: np.ndarray) -> dict[str, float]:
    published = pool_groups(ratings, labels)
    true, all_edges = np.diff(ratings.indptr), np.diff(published.indptr)
    return {
        "noise_edges": float(published.nnz - ratings.nnz),
        "published_edges": float(published.nnz),
        "mean_risk": float((true / all_edges).mean()),  # g of Definition 11: the edges added
        "imprecision": sensitive_attribute_imprecision(ratings, published),
        "k_achieved": float(k_achieved(published)),
    }


# The price of a repair of the weighted mechanism on ratings, at equal privacy of an edge.


MECHANISMS = ("weighted", "categorical", "two-stage")


def repair(
    train: Dataset,
    test: Dataset,
    *,
    rng: Rng = None,
    runs: int = 5,
    flip_probabilities: Sequence[float] = paper.FLIP_PROBABILITIES,
) -> pd.DataFrame:
    """Error of ratings predicted from either repair and from the paper's mechanism.

    The odds of an edge are ``(1-p)/p``; the paper names no predictor, so the error is ours.

    The two-stage response spends half of epsilon on the rating: its second stage has the square
    root of the odds. The paper's mechanism has no finite level; it is run at the same p.

    Section 4.2.
    """
    check_integer("runs", runs, minimum=2)
    held_out = align(test, train, missing="drop").ratings
    clean = {"p": 0.0, "epsilon": math.inf, "quantity": "rating_error"}
    rows: Rows = [
        clean | {"mechanism": name, "value": error(train.ratings, held_out)}
        for name, error in (("none", mean_absolute_error), ("item means", error_of_item_means))
    ]
    for p in flip_probabilities:
        for name, mechanism in _mechanisms(p):
            children = tqdm(as_rng(rng).spawn(runs), desc=f"{name}, p = {p}")
            releases = (mechanism.sample(train.ratings, rng=child) for child in children)
            errors = [mean_absolute_error(published, held_out) for published in releases]
            head = {"p": p, "mechanism": name, "epsilon": mechanism.epsilon}
            rows.append(head | {"quantity": "rating_error"} | mean_of_runs(errors))
    return pd.DataFrame(rows).assign(source="substitute")


def _mechanisms(p: float) -> Iterator[tuple[str, Any]]:
    """The three mechanisms at the odds of p, read as the decimal that is printed."""
    flip = Fraction(str(p))
    odds = (1 - flip) / flip
    half = Fraction(math.sqrt(odds))
    made = (
        WeightedNoiseGraph(p, paper.TOP_RATING),
        CategoricalResponse(levels=paper.TOP_RATING, odds=odds),
        TwoStageResponse.within(levels=paper.TOP_RATING, odds=odds, rating_odds=half),
    )
    yield from zip(MECHANISMS, made, strict=True)
