"""Table 1: error and disclosure risk of MDAV, with each reading of completion and linkage."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from pplab.datasets.catalog import Dataset
from pplab.experiments.microaggregation import paper
from pplab.experiments.microaggregation.noise_runs import DIRECTIONS
from pplab.metrics.risk import disclosure_risk
from pplab.microaggregation.microaggregate import (
    IMPUTATIONS,
    Microaggregated,
    microaggregate,
    standardise,
)

__all__ = ["jester_mdav", "movielens_mdav", "risk_in_per_cent"]

TIES = {"ties at random": "expected", "first of ties": "first"}


def movielens_mdav(movielens: Dataset) -> pd.DataFrame:
    """Error and disclosure risk of MDAV on MovieLens for the columns of Table 1.

    Parameters
    ----------
    movielens : Dataset
        All ratings.

    Returns
    -------
    DataFrame
        Columns column (of the table, from 1), k, quantity ("sse" in thousands, "sse exact",
        "dr" in per cent), reading, value and sd (of the count, where ties are broken at random).
    """
    rows = []
    for column, k in enumerate(tqdm(paper.K, desc="MDAV, MovieLens"), start=1):
        place = {"column": column, "k": k}
        for impute in IMPUTATIONS:
            release = microaggregate(
                movielens.ratings,
                k,
                impute=impute,
                rating_range=paper.MOVIELENS_SCALE,
                leftover="closest",
            )
            reading = place | {"reading": impute.replace("-", " ")}
            rows.append(reading | {"quantity": "sse", "value": release.sse / 1e3})
            rows.append(reading | {"quantity": "sse exact", "value": release.sse})
            if impute == "midpoint":
                rows += [place | risk for risk in _risk_readings(release, movielens)]
    return pd.DataFrame(rows)


def jester_mdav(jester: Dataset) -> pd.DataFrame:
    """Error and disclosure risk of MDAV on Jester for the columns of Table 1.

    Parameters
    ----------
    jester : Dataset
        As many parts of the data as there are.

    Returns
    -------
    DataFrame
        Columns column, k, quantity ("sse": error per cell times the cells of the full data, in
        millions; "sse per cell"; "dr" in per cent), reading, value and sd.
    """
    cells = jester.ratings.shape[0] * jester.ratings.shape[1]
    rows = []
    for column, k in enumerate(tqdm(paper.K, desc="MDAV, Jester"), start=1):
        place = {"column": column, "k": k}
        for impute in ("midpoint", "item-mean"):
            release = microaggregate(
                jester.ratings,
                k,
                impute=impute,
                rating_range=paper.JESTER_SCALE,
                leftover="closest",
            )
            error = release.sse / cells
            reading = place | {"reading": impute.replace("-", " ")}
            scaled = error * paper.JESTER_CELLS / 1e6
            rows.append(reading | {"quantity": "sse", "value": scaled})
            rows.append(reading | {"quantity": "sse per cell", "value": error})
            if impute == "midpoint":
                for name, direction in DIRECTIONS.items():
                    risks = disclosure_risk(
                        release.completed, release.protected, direction=direction
                    )
                    row = {"quantity": "dr", "reading": f"{name}, ties at random"}
                    rows.append(place | row | risk_in_per_cent(risks, release.labels))
    return pd.DataFrame(rows)


def risk_in_per_cent(risks: np.ndarray, labels: np.ndarray) -> dict[str, Any]:
    """Mean risk, and the spread of the share of hits over the order in which equal rows stand.

    Of equal rows a program finds the same one for all who point there, so a group has one hit or
    none: one with probability q, the sum of the risks of its members.
    """
    hits = np.bincount(labels, weights=risks)
    spread = np.sqrt(np.maximum(hits * (1 - hits), 0).sum()) / len(risks)
    return {"value": 100 * float(risks.mean()), "sd": 100 * float(spread)}


def _risk_readings(release: Microaggregated, movielens: Dataset) -> list[dict[str, Any]]:
    """Disclosure risk in both directions, with both rules for ties, on other scales and cells."""
    completed, protected = release.completed, release.protected
    rows: list[dict[str, Any]] = []
    for name, direction in DIRECTIONS.items():
        for ties_name, ties in TIES.items():
            risks = disclosure_risk(completed, protected, direction=direction, ties=ties)
            rows.append(
                {"reading": f"{name}, {ties_name}"} | risk_in_per_cent(risks, release.labels)
            )
    back = DIRECTIONS["original to protected"]
    standard = standardise(completed)
    deviations = np.where(standard.deviations > 0, standard.deviations, np.inf)
    scores = (protected - standard.means) / deviations
    on_scores = disclosure_risk(standard.scores, scores, direction=back)
    on_rated = disclosure_risk(movielens.ratings, protected, direction=back, cells="rated")
    for name, risks in {"on z-scores": on_scores, "on rated cells": on_rated}.items():
        reading = f"original to protected {name}, ties at random"
        rows.append({"reading": reading} | risk_in_per_cent(risks, release.labels))
    return [{"quantity": "dr"} | row for row in rows]
