"""Beyond the paper: copies that only leave entries out, by the greedy method."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pplab.anonymity.smooth import SmoothAnonymized
from pplab.anonymity.suppress import suppress_k_anonymize
from pplab.checks import as_rng, check_integer
from pplab.datasets import Dataset, block_model
from pplab.experiments.finding import Finding, statement_rows
from pplab.experiments.smooth import paper
from pplab.experiments.smooth.beyond import DRAW
from pplab.experiments.smooth.beyond_bounds import (
    Certify,
    bounds_of,
    means_of,
    named_certificates,
    with_certificates,
)
from pplab.experiments.smooth.beyond_runs import Copy, greedy_runs, recipe_runs
from pplab.experiments.smooth.beyond_statements import above

__all__ = [
    "GOALS",
    "beyond_suppression",
    "beyond_suppression_adult",
    "beyond_suppression_cnr",
    "beyond_suppression_dblp",
    "beyond_suppression_stochastic",
]

GOALS = {"adult": 86.0, "dblp-2010": 16.0, "cnr-2000": 69.0, "stochastic": 34.0}  # per cent, k = 8
SEEDS, FEW = 5, 2  # runs on the small table and on the large ones
Rng = int | np.random.Generator | None


def beyond_suppression_stochastic(*, rng: Rng = None, seeds: int = SEEDS) -> pd.DataFrame:
    """Suppressed copies of the draw of the block model from seed 0."""
    table = block_model(**paper.BLOCK_MODEL, rng=DRAW).biadjacency
    return beyond_suppression("stochastic", table, rng=rng, seeds=seeds)


def beyond_suppression_adult(adult: Dataset, *, rng: Rng = None, seeds: int = FEW) -> pd.DataFrame:
    """Suppressed copies of adult."""
    return beyond_suppression("adult", adult.biadjacency, rng=rng, seeds=seeds)


def beyond_suppression_dblp(dblp: Dataset, *, rng: Rng = None, seeds: int = FEW) -> pd.DataFrame:
    """Suppressed copies of a co-authorship graph."""
    return beyond_suppression("dblp-2010", dblp.biadjacency, rng=rng, seeds=seeds)


def beyond_suppression_cnr(cnr: Dataset, *, rng: Rng = None, seeds: int = FEW) -> pd.DataFrame:
    """Suppressed copies of a web graph."""
    return beyond_suppression("cnr-2000", cnr.biadjacency, rng=rng, seeds=seeds)


def beyond_suppression(
    name: str,
    table: Any,
    *,
    rng: Rng = None,
    k: int = paper.K_TABLE,
    seeds: int = SEEDS,
    copy: Copy | None = None,
    certify: Certify | None = None,
) -> pd.DataFrame:
    """Suppress entries of one table in the paper's clusters and in greedy groups, and bound both.

    Parameters
    ----------
    name : str
        Of the data, for the statements.
    table : csr_array of ones, shape (rows, items)
    rng : int, Generator or None
        Seed or generator.
    k : int, default 8
    seeds : int, default 5
        Copies of each effort, and runs of the recipe under each assignment, at least 2.
    copy, certify : callable, optional
        What makes a copy, and certificates; `suppress_k_anonymize` and `jaccard_certificates`.

    Returns
    -------
    DataFrame
        Rows as of `beyond`, levels of randomized response left out.

    Raises
    ------
    TypeError, ValueError
        If seeds or k leaves its interval.
    """
    check_integer("seeds", seeds, minimum=2)
    ours, theirs = as_rng(rng).spawn(2)
    plan = {(k, effort): seeds for effort in ("fast", "thorough")}
    runs = pd.concat(
        [
            greedy_runs(table, plan, copy=copy or _greedy, rng=ours),
            recipe_runs(table, [k], repetitions=seeds, rng=theirs, keep="all", with_cut=True),
        ],
        ignore_index=True,
    )
    certify = certify or named_certificates
    bounds = bounds_of(table, {k: "thorough"}, copies="suppression", certify=certify)
    runs = with_certificates(runs, bounds)
    found = _statements(name, runs, k)
    parts = [statement_rows(found), runs, means_of(runs), bounds]
    return pd.concat(parts, ignore_index=True)


def _statements(name: str, runs: pd.DataFrame, k: int) -> dict[str, Finding]:
    thorough = runs.loc[runs["effort"] == "thorough", "jaccard"]
    recipe = runs.loc[runs["method"] == "recipe"].groupby("effort", sort=False)["jaccard"]
    told = f"{thorough.mean():.2f} % (± {thorough.std(ddof=1):.2f}, {len(thorough)} runs)"
    rivals = "; ".join(f"{reading} {mean:.2f} %" for reading, mean in recipe.mean().items())
    return {
        f"beyond:suppression-goal:{name}": (
            bool(thorough.mean() >= GOALS[name]),
            f"{told}; the goal is {GOALS[name]:g} %.",
        ),
        f"beyond:suppression-more:{name}": (
            bool(thorough.min() > recipe.max().max()),
            f"{told}; the paper's clusters: {rivals}.",
        ),
        f"beyond:suppression-certificate-above:{name}": above(runs, [k]),
    }


def _greedy(table: Any, k: int, effort: str, seed: int) -> SmoothAnonymized:
    return suppress_k_anonymize(table, k, method="greedy", effort=effort, rng=seed)
