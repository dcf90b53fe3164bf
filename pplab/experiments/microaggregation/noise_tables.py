"""Table 2: error and disclosure risk of Gaussian noise, with each reading of the description."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.experiments.finding import Finding, statement_rows
from pplab.experiments.microaggregation import paper
from pplab.experiments.microaggregation.noise_runs import DIRECTIONS, noise_runs
from pplab.experiments.runs import mean_of_runs
from pplab.microaggregation.noise import prepare

__all__ = ["jester_noise", "movielens_noise"]

# reading -> completion, options of the noise
CONVENTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "as described": ("midpoint", {}),
    "not truncated": ("midpoint", {"truncate": False}),
    "rounded": ("midpoint", {"rounding": "nearest"}),
    "rounded down": ("midpoint", {"rounding": "down"}),
    "noise on the rating scale": ("midpoint", {"scale": "ratings"}),
    "item mean, rounded": ("item-mean", {"rounding": "nearest"}),
    "item median, rounded": ("item-median", {"rounding": "nearest"}),
    "user mean, rounded": ("user-mean", {"rounding": "nearest"}),
    "global mean, rounded": ("global-mean", {"rounding": "nearest"}),
}
LINKED = ("as described", "rounded", "item mean, rounded")
JESTER_CONVENTIONS = ("as described", "not truncated", "rounded")
Row = dict[str, Any]


def movielens_noise(
    movielens: Dataset, *, rng: int | np.random.Generator | None = None, runs: int = 5
) -> pd.DataFrame:
    """Error and disclosure risk of noise on MovieLens for the columns of Table 2.

    Parameters
    ----------
    movielens : Dataset
        All ratings.
    rng : int, Generator or None
        Seed or generator. Each convention sees the same draws.
    runs : int, default 5
        Draws of noise behind each mean, at least 2; the paper has 50.

    Returns
    -------
    DataFrame
        Columns column (of the table, from 1), sigma, quantity ("sse" in thousands, "sse exact",
        "dr" in per cent), reading, value (mean over runs), se and sd (of one run); and the
        statement on the rating scale (statement, value, witness).
    """
    seeds = _seeds(rng, runs)
    rows: list[Row] = []
    ends: list[float] = []
    steps = tqdm(total=len(CONVENTIONS) * len(paper.SIGMA), desc="noise, MovieLens")
    for reading, (impute, options) in CONVENTIONS.items():
        prepared = prepare(movielens.ratings, impute=impute, rating_range=paper.MOVIELENS_SCALE)
        linkage = DIRECTIONS if reading in LINKED else ()
        for column, sigma in enumerate(paper.SIGMA, start=1):
            drawn = noise_runs(
                prepared, sigma=sigma, seeds=seeds[column - 1], linkage=linkage, **options
            )
            place = {"column": column, "sigma": float(sigma)}
            errors = np.array(drawn["sse"])
            for quantity, values in {"sse": errors / 1e3, "sse exact": errors}.items():
                row = {"quantity": quantity, "reading": reading}
                rows.append(place | row | mean_of_runs(values))
            for name in linkage:
                row = {"quantity": "dr", "reading": f"{reading}, {name}"}
                rows.append(place | row | mean_of_runs(drawn[name]))
            if options.get("truncate", True):
                ends += [*drawn["lowest"], *drawn["highest"]]
            steps.update()
    steps.close()
    found = {"section-4:truncated": _truncated(pd.DataFrame(rows), ends)}
    return pd.concat([pd.DataFrame(rows), statement_rows(found)], ignore_index=True)


def jester_noise(
    jester: Dataset, *, rng: int | np.random.Generator | None = None, runs: int = 2
) -> pd.DataFrame:
    """Error and disclosure risk of noise on Jester for the columns of Table 2.

    Parameters
    ----------
    jester : Dataset
        As many parts of the data as there are.
    rng : int, Generator or None
        Seed or generator.
    runs : int, default 2
        Draws of noise behind each mean, at least 2; the paper has 50.

    Returns
    -------
    DataFrame
        Columns column, sigma, quantity ("sse": error per cell times the cells of the full data,
        in millions; "sse per cell"; "dr" in per cent), reading, value, se and sd.
    """
    seeds = _seeds(rng, runs)
    prepared = prepare(jester.ratings, impute="midpoint", rating_range=paper.JESTER_SCALE)
    cells = jester.ratings.shape[0] * jester.ratings.shape[1]
    rows: list[Row] = []
    for column, sigma in enumerate(tqdm(paper.SIGMA, desc="noise, Jester"), start=1):
        place = {"column": column, "sigma": float(sigma)}
        for reading in JESTER_CONVENTIONS:
            linkage = DIRECTIONS if reading == "as described" else ()
            options = CONVENTIONS[reading][1]
            drawn = noise_runs(
                prepared, sigma=sigma, seeds=seeds[column - 1], linkage=linkage, **options
            )
            errors = np.array(drawn["sse"]) / cells
            scaled = errors * paper.JESTER_CELLS / 1e6
            for quantity, values in {"sse": scaled, "sse per cell": errors}.items():
                row = {"quantity": quantity, "reading": reading}
                rows.append(place | row | mean_of_runs(values))
            for name in linkage:
                row = {"quantity": "dr", "reading": name}
                rows.append(place | row | mean_of_runs(drawn[name]))
    return pd.DataFrame(rows)


def _truncated(rows: pd.DataFrame, ends: list[float]) -> Finding:
    """Ours stay inside, and the print cannot come from noise that was not cut."""
    wild = rows[(rows["reading"] == "not truncated") & (rows["quantity"] == "sse")]
    least = float(wild["value"].iloc[-1])
    printed = paper.TABLE_2_SSE[-1]
    low, high = paper.MOVIELENS_SCALE
    return low <= min(ends) and max(ends) <= high and 10 * printed < least, (
        f"Our values lie between {min(ends):g} and {max(ends):g}; at sigma = {paper.SIGMA_LAST} "
        f"noise that is not cut costs {least:,.0f} thousand, {printed:,} are printed."
    )


def _seeds(rng: int | np.random.Generator | None, runs: int) -> np.ndarray:
    """A seed per column and run, the same for every convention."""
    check_integer("runs", runs, minimum=2)
    return as_rng(rng).integers(2**31, size=(len(paper.SIGMA), runs))
