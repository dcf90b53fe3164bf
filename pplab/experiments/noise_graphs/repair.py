"""What a repair of the weighted mechanism costs on ratings, at equal privacy of an edge."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from tqdm.auto import tqdm

from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset, align
from pplab.experiments.noise_graphs import paper
from pplab.experiments.noise_graphs.rating_error import mean_absolute_error
from pplab.experiments.runs import mean_of_runs
from pplab.graphs import paired_values
from pplab.metrics.risk import sensitive_attribute_imprecision, sensitive_attribute_risk
from pplab.response.categorical import CategoricalResponse, TwoStageResponse
from pplab.response.ratings import WeightedNoiseGraph

__all__ = ["repair"]

TOP_RATING = 5
MECHANISMS = ("weighted", "categorical", "two-stage")


def repair(
    train: Dataset,
    test: Dataset,
    *,
    rng: int | np.random.Generator | None = None,
    runs: int = 5,
    flip_probabilities: Sequence[float] = paper.FLIP_PROBABILITIES,
) -> pd.DataFrame:
    """Price of the two repairs beside the paper's mechanism, at odds ``(1-p)/p`` for an edge.

    The two-stage response spends half of epsilon on the rating: its second stage has the square
    root of the odds. The paper's mechanism has no finite level; it is run at the same p.

    Parameters
    ----------
    train, test : Dataset
        Ratings from 1 to 5, to be published and to be predicted from what was published.
    rng : int, Generator or None
        Seed or generator; each run has a child of its own.
    runs : int, default 5
        Releases drawn for each p and mechanism, at least 2.
    flip_probabilities : sequence of float
        The p of the paper.

    Returns
    -------
    DataFrame
        Columns p, mechanism ("weighted", "categorical", "two-stage"), epsilon (its exact level,
        maybe infinity), quantity, value (mean over runs), se and sd. The quantities:
        published_records, lost_sparsity (share of the empty cells that become records),
        imprecision (SA_I, on the scale of the ratings), mean_risk (SA_R over users, g being the
        cells whose value changed), kept_exactly (share of the true records that are published
        with their rating) and rating_error (mean absolute error, in stars, of test ratings
        predicted from the release).

    References
    ----------
    Salas and Torra 2020, Section 4.2 and Definitions 11 and 13, doi 10.5220/0009833804150422.
    """
    check_integer("runs", runs, minimum=2)
    held_out = align(test, train, missing="drop").ratings
    rows = []
    for p in flip_probabilities:
        for name, mechanism in _mechanisms(p):
            children = tqdm(as_rng(rng).spawn(runs), desc=f"{name}, p = {p}")
            draws = pd.DataFrame(
                [
                    _measures(train.ratings, mechanism.sample(train.ratings, rng=child), held_out)
                    for child in children
                ]
            )
            head = {"p": p, "mechanism": name, "epsilon": mechanism.epsilon}
            for quantity in draws.columns:
                rows.append(head | {"quantity": quantity} | mean_of_runs(draws[quantity]))
    return pd.DataFrame(rows)


def _mechanisms(p: float) -> Iterator[tuple[str, Any]]:
    """The three mechanisms at the odds of p, read as the decimal that is printed."""
    flip = Fraction(str(p))
    odds = (1 - flip) / flip
    half = Fraction(math.sqrt(odds))
    made = (
        WeightedNoiseGraph(p, TOP_RATING),
        CategoricalResponse(levels=TOP_RATING, odds=odds),
        TwoStageResponse.within(levels=TOP_RATING, odds=odds, rating_odds=half),
    )
    yield from zip(MECHANISMS, made, strict=True)


def _measures(
    ratings: sparse.csr_array, published: sparse.csr_array, held_out: sparse.csr_array
) -> dict[str, float]:
    _, before, after = paired_values(ratings, published, absent=np.nan)
    invented = np.isnan(before).sum()
    empty = ratings.shape[0] * ratings.shape[1] - ratings.nnz
    return {
        "published_records": float(published.nnz),
        "lost_sparsity": float(invented / empty),
        "imprecision": sensitive_attribute_imprecision(ratings, published),
        "mean_risk": float(np.nanmean(sensitive_attribute_risk(ratings, published))),
        "kept_exactly": float((before == after).sum() / ratings.nnz),
        "rating_error": mean_absolute_error(published, held_out),
    }
