"""Which setting stands under which label? Tables 1 and 2 have one column more than labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from pplab.checks import as_rng
from pplab.datasets.catalog import Dataset
from pplab.experiments.microaggregation import paper
from pplab.experiments.microaggregation.noise_runs import noise_runs
from pplab.microaggregation.microaggregate import microaggregate
from pplab.microaggregation.noise import prepare

__all__ = ["headers_mdav", "headers_noise"]

HALF_DIGIT = 0.5  # printed errors are cut: on average half a unit is missing


def headers_mdav(movielens: Dataset) -> pd.DataFrame:
    """Match the columns of Table 1 with values of k, by the error on MovieLens.

    Parameters
    ----------
    movielens : Dataset
        All ratings.

    Returns
    -------
    DataFrame
        A row per column (column, value: the k whose error is nearest to the printed one, ours and
        printed in thousands), and a row whose column is "lost" (value 1 if the labels stand over
        the first columns in order, else 0; witness).
    """
    scale = paper.MOVIELENS_SCALE
    errors = [microaggregate(movielens.ratings, k, rating_range=scale).sse / 1e3 for k in paper.K]
    return _matched(paper.K, errors, paper.TABLE_1_SSE, lost=paper.K_LAST, name="k")


def headers_noise(jester: Dataset, *, rng: int | np.random.Generator | None = None) -> pd.DataFrame:
    """Match the columns of Table 2 with values of sigma, by the error on Jester.

    Parameters
    ----------
    jester : Dataset
        As many parts of the data as there are.
    rng : int, Generator or None
        Seed or generator of one run per sigma.

    Returns
    -------
    DataFrame
        As for Table 1, in millions, for each reading (column reading).
    """
    prepared = prepare(jester.ratings, impute="midpoint", rating_range=paper.JESTER_SCALE)
    seeds = as_rng(rng).integers(2**31, size=len(paper.SIGMA))
    scaled = paper.JESTER_CELLS / prepared.completed.size / 1e6
    errors = [
        scaled * noise_runs(prepared, sigma=sigma, seeds=[seed])["sse"][0]
        for sigma, seed in zip(paper.SIGMA, seeds, strict=True)
    ]
    # part 1 of the data is denser than the whole and has larger errors throughout: the second
    # reading takes that out
    printed = np.array(paper.TABLE_2_SSE_JESTER) + HALF_DIGIT
    one = paper.SIGMA.index(1)
    readings = {
        "error per cell": np.array(errors),
        f"error relative to that at sigma = {paper.SIGMA[one]}": np.array(errors)
        * (printed[one] / errors[one]),
    }
    return pd.concat(
        [
            _matched(
                paper.SIGMA, ours, paper.TABLE_2_SSE_JESTER, lost=paper.SIGMA_LAST, name="sigma"
            ).assign(reading=reading)
            for reading, ours in readings.items()
        ],
        ignore_index=True,
    )


def _matched(
    settings: Sequence[float],
    errors: Sequence[float] | np.ndarray,
    printed: Sequence[float],
    *,
    lost: float,
    name: str,
) -> pd.DataFrame:
    ours = np.array(errors)
    rows: list[dict[str, Any]] = []
    for column, error in enumerate(printed, start=1):
        nearest = int(np.argmin(np.abs(ours - error - HALF_DIGIT)))
        rows.append(
            {
                "column": str(column),
                "value": float(settings[nearest]),
                "ours": float(ours[nearest]),
                "printed": float(error),
            }
        )
    found = [row["value"] for row in rows]
    in_order = found == [*settings]
    off = [
        f"column {row['column']} looks like {name} = {row['value']:g}"
        for row, setting in zip(rows, settings, strict=True)
        if row["value"] != setting
    ]
    witness = (
        f"Each column has its own label in order; the last one is {name} = {lost:g}."
        if in_order
        else f"Not in order: {', '.join(off)}."
    )
    return pd.DataFrame([*rows, {"column": "lost", "value": float(in_order), "witness": witness}])
