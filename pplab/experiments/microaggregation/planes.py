"""Figures 3 to 6: error, disclosure risk and prediction error of both methods."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from tqdm.auto import tqdm

from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.experiments.finding import statement_rows
from pplab.experiments.microaggregation import paper
from pplab.experiments.microaggregation.curves import curve_findings, text_findings
from pplab.experiments.microaggregation.noise_runs import noise_runs
from pplab.experiments.microaggregation.prediction import Scale, cells_held_out, protector
from pplab.experiments.runs import mean_of_runs
from pplab.metrics.risk import disclosure_risk
from pplab.microaggregation.microaggregate import microaggregate
from pplab.microaggregation.noise import prepare

__all__ = ["plane_points", "planes_jester", "planes_movielens"]

LINKAGE = "original to protected"


def planes_movielens(
    movielens: Dataset, *, rng: int | np.random.Generator | None = None, runs: int = 5
) -> pd.DataFrame:
    """Measure both methods on MovieLens and decide the sentences on Figures 3 to 6.

    Parameters
    ----------
    movielens : Dataset
        All ratings.
    rng : int, Generator or None
        Seed or generator: splits and noise.
    runs : int, default 5
        Draws of noise, and splits, behind each mean; at least 2.

    Returns
    -------
    DataFrame
        Statements (statement, value, witness) and the points of ``plane_points``.
    """
    points = plane_points(movielens.ratings, paper.MOVIELENS_SCALE, rng=rng, runs=runs)
    found = curve_findings(points, "movielens") | text_findings(points)
    return pd.concat([statement_rows(found), points], ignore_index=True)


def planes_jester(
    jester: Dataset, *, rng: int | np.random.Generator | None = None, runs: int = 2
) -> pd.DataFrame:
    """Measure both methods on Jester and decide the sentences on Figures 3 to 6.

    Parameters
    ----------
    jester : Dataset
        As many parts of the data as there are.
    rng : int, Generator or None
        Seed or generator: splits and noise.
    runs : int, default 2
        Draws of noise, and splits, behind each mean; at least 2.

    Returns
    -------
    DataFrame
        As for MovieLens.
    """
    points = plane_points(jester.ratings, paper.JESTER_SCALE, rng=rng, runs=runs)
    return pd.concat([statement_rows(curve_findings(points, "jester")), points], ignore_index=True)


def plane_points(
    ratings: sparse.csr_array,
    scale: Scale,
    *,
    rng: int | np.random.Generator | None = None,
    runs: int = 2,
) -> pd.DataFrame:
    """Error, disclosure risk and prediction error of MDAV and noise.

    Parameters
    ----------
    ratings : csr_array, shape (users, items)
    scale : pair of float
        Lowest and highest rating.
    rng : int, Generator or None
        Seed or generator.
    runs : int, default 2
        Draws of noise, and splits for the prediction, behind each mean; at least 2.

    Returns
    -------
    DataFrame
        Columns method ("mdav", "noise"), parameter (k or sigma), sse (total), dr (per cent,
        original to protected, ties at random), mae (cells held out, rated cells scored), and
        sse_se, dr_se, mae_se: standard errors over runs.
    """
    check_integer("runs", runs, minimum=2)
    seeds = as_rng(rng).integers(2**31, size=(len(paper.K) + len(paper.SIGMA), runs))
    prepared = prepare(ratings, impute="midpoint", rating_range=scale)
    settings = [("mdav", float(k)) for k in paper.K] + [("noise", float(s)) for s in paper.SIGMA]
    rows: list[dict[str, Any]] = []
    for (method, parameter), mine in zip(tqdm(settings, desc="planes"), seeds, strict=True):
        if method == "mdav":
            release = microaggregate(ratings, int(parameter), rating_range=scale)
            risk = disclosure_risk(
                release.completed, release.protected, direction="original-to-protected"
            )
            drawn = {"sse": [release.sse] * 2, "dr": [100 * float(risk.mean())] * 2}
        else:
            noisy = noise_runs(prepared, sigma=parameter, seeds=mine, linkage=[LINKAGE])
            drawn = {"sse": noisy["sse"], "dr": noisy[LINKAGE]}
        protect = protector(method, parameter, scale)
        drawn["mae"] = [
            cells_held_out(ratings, protect, scale, seed=int(seed))[
                "cells held out, rated cells scored"
            ]
            for seed in mine
        ]
        rows.append({"method": method, "parameter": parameter} | _means(drawn))
    return pd.DataFrame(rows)


def _means(drawn: dict[str, list[float]]) -> dict[str, float]:
    means = {name: mean_of_runs(values) for name, values in drawn.items()}
    return {name: mean["value"] for name, mean in means.items()} | {
        f"{name}_se": mean["se"] for name, mean in means.items()
    }
