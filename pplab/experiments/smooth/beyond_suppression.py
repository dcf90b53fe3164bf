"""Beyond the paper: copies that only leave entries out, by the greedy method."""

from __future__ import annotations

import numpy as np
import pandas as pd

from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.experiments.finding import Finding, statement_rows
from pplab.experiments.smooth import paper
from pplab.experiments.smooth.beyond import table_of
from pplab.experiments.smooth.beyond_bounds import bounds_of, means_of, with_certificates
from pplab.experiments.smooth.beyond_runs import greedy_runs, recipe_runs
from pplab.experiments.smooth.beyond_statements import above
from pplab.smooth.anonymize import suppress_k_anonymize

__all__ = ["beyond_suppression"]

GOALS = {"adult": 86.0, "dblp-2010": 16.0, "cnr-2000": 69.0, "stochastic": 34.0}  # per cent, k = 8
SEEDS = 5


def beyond_suppression(
    dataset: Dataset | None,
    *,
    name: str,
    rng: int | np.random.Generator | None = None,
    seeds: int = SEEDS,
) -> pd.DataFrame:
    """Suppress entries of one table in the paper's clusters and in greedy groups, and bound both.

    Parameters
    ----------
    dataset : Dataset or None
        Its biadjacency matrix is anonymized; None: the draw of the block model from seed 0.
    name : str
        Of the data, for the statements.
    rng : int, Generator or None
        Seed or generator.
    seeds : int, default 5
        Copies of each effort, and runs of the recipe under each assignment, at least 2.

    Returns
    -------
    DataFrame
        Rows as of `beyond`, levels of randomized response left out.

    Raises
    ------
    TypeError, ValueError
        If seeds leaves its interval.
    """
    check_integer("seeds", seeds, minimum=2)
    table, k = table_of(dataset), paper.K_TABLE
    ours, theirs = as_rng(rng).spawn(2)
    plan = {(k, effort): seeds for effort in ("fast", "thorough")}
    runs = pd.concat(
        [
            greedy_runs(suppress_k_anonymize, table, plan, rng=ours),
            recipe_runs(table, [k], repetitions=seeds, rng=theirs, keep="all", with_cut=True),
        ],
        ignore_index=True,
    )
    bounds = bounds_of(table, {k: "thorough"}, copies="suppression")
    runs = with_certificates(runs, bounds)
    found = _statements(name, runs)
    parts = [statement_rows(found), runs, means_of(runs), bounds]
    return pd.concat(parts, ignore_index=True)


def _statements(name: str, runs: pd.DataFrame) -> dict[str, Finding]:
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
        f"beyond:suppression-certificate-above:{name}": above(runs, [paper.K_TABLE]),
    }
