"""Figures 5 and 6 and Table 3: error, disclosure risk and prediction error of MDAV and noise.

`planes_movielens` and `planes_jester` measure the points of the curves and what is said of them;
`jester_users` asks how the risk goes with the number of users. Casino et al. 2015,
doi 10.1016/j.jcss.2014.12.013.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from tqdm.auto import tqdm

from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.datasets.splits import holdout_cells
from pplab.metrics.risk import disclosure_risk
from pplab.microaggregation.microaggregate import microaggregate
from pplab.microaggregation.noise import prepare
from pplab.papers.microaggregation import paper
from pplab.papers.microaggregation.prediction import Scale, prediction_errors
from pplab.papers.microaggregation.tables import noise_runs
from pplab.papers.part import Rng, mean_of_runs

LINKAGE = "original to protected"
# Readings of the split that score rated cells alone: the sentences are judged under each.
SPLITS = {
    "cells": "cells held out, rated cells scored",
    "users": "users held out, rated cells scored",
    "users by rated cells": "users held out, nearest by rated cells, rated cells scored",
}
DENSITIES = (1, 0.5, 0.25)  # shares of the ratings that are kept
SAMPLES = (25, 5, 1)  # all users over this many
Row = dict[str, Any]


def planes_movielens(movielens: Dataset, *, rng: Rng = None, runs: int = 5) -> pd.DataFrame:
    """Measure both methods on MovieLens: the points of Figures 5 and 6, and Table 3."""
    settings = _settings(paper.K, paper.SIGMA)
    return _planes(movielens.ratings, "movielens", paper.MOVIELENS_SCALE, settings, rng, runs)


def planes_jester(jester: Dataset, *, rng: Rng = None, runs: int = 2) -> pd.DataFrame:
    """Measure both methods on Jester, at some of the settings of Tables 1 and 2."""
    settings = _settings(paper.K_FEW, paper.SIGMA_FEW)
    return _planes(jester.ratings, "jester", paper.JESTER_SCALE, settings, rng, runs)


def _settings(ks: Sequence[float], sigmas: Sequence[float]) -> list[tuple[str, float]]:
    return [("mdav", float(k)) for k in ks] + [("noise", float(sigma)) for sigma in sigmas]


def _planes(
    ratings: sparse.csr_array,
    data: str,
    scale: Scale,
    settings: list[tuple[str, float]],
    rng: Rng,
    runs: int,
) -> pd.DataFrame:
    check_integer("runs", runs, minimum=2)
    seeds = as_rng(rng).integers(2**31, size=runs).tolist()
    table_3 = dict(zip(("mdav", "noise"), paper.TABLE_3[data], strict=True))
    points: list[Row] = []
    rows: list[Row] = []
    for method, parameter in tqdm(settings, desc=f"planes, {data}"):
        errors = prediction_errors(ratings, method, parameter, scale, seeds)
        draws = _release(ratings, method, parameter, scale, seeds)
        draws |= {"mae": errors[SPLITS["cells"]]}
        means = {name: mean_of_runs(values) for name, values in draws.items()}
        points.append(
            {"method": method, "parameter": parameter}
            | {name: mean["value"] for name, mean in means.items()}
            | {f"{name}_se": mean["se"] for name, mean in means.items()}
            | {f"mae, {split}": np.mean(errors[reading]) for split, reading in SPLITS.items()}
        )
        if parameter == table_3[method]:
            rows += [
                {"quantity": "mae", "release": method, "reading": reading, "runs": runs}
                | mean_of_runs(values)
                for reading, values in errors.items()
            ]
    frame = pd.DataFrame(points)
    rows += _curves(frame) + _quality(ratings, table_3["mdav"], scale, seeds)
    return pd.concat([frame, pd.DataFrame(rows)], ignore_index=True)


def _release(
    ratings: sparse.csr_array, method: str, parameter: float, scale: Scale, seeds: Sequence[int]
) -> dict[str, list[float]]:
    """Error and risk in per cent of each draw; groups are no draw."""
    if method == "noise":
        prepared = prepare(ratings, impute="midpoint", rating_range=scale)
        noisy = noise_runs(prepared, sigma=parameter, seeds=seeds, linkage=[LINKAGE])
        return {"sse": noisy["sse"], "dr": noisy[LINKAGE]}
    release = microaggregate(ratings, int(parameter), rating_range=scale)
    risks = disclosure_risk(release.completed, release.protected, direction="original-to-protected")
    return {"sse": [release.sse] * 2, "dr": [100 * float(risks.mean())] * 2}


def _curves(points: pd.DataFrame) -> list[Row]:
    """Numbers behind the sentences on Figures 5 and 6: risks in common, slopes and steps."""
    curves = {method: points[points["method"] == method] for method in ("mdav", "noise")}

    def at_each_risk(quantity: str, column: str, split: dict[str, str]) -> list[Row]:
        return [
            {"quantity": quantity, "release": method}
            | split
            | {"risk": risk, "value": at_risk(curve, column, risk)}
            for method, curve in curves.items()
            for risk in paper.RISKS
        ]

    rows = at_each_risk("sse at risk", "sse", {})
    for split in SPLITS:
        column = f"mae, {split}"
        rows += at_each_risk("mae at risk", column, {"split": split})
        labelled = curves["mdav"].query(f"parameter <= {paper.K_LABELS[-1]}")
        k, mae = labelled["parameter"].to_numpy(), labelled[column].to_numpy()
        line = np.polyfit(k, mae, 1)
        by_sigma = curves["noise"].set_index("parameter")[column]
        facts = {
            "slope in k": line[0],
            "left by a line in k": (mae - np.polyval(line, k)).var() / mae.var(),
            "slope at low sigma": (by_sigma[2.0] - by_sigma[0.25]) / 1.75,
            "slope at high sigma": (by_sigma[50.0] - by_sigma[10.0]) / 40,
            "smallest step of the mae in sigma": by_sigma.diff().min(),
        }
        rows += [{"quantity": name, "split": split, "value": v} for name, v in facts.items()]
    return rows


def at_risk(curve: pd.DataFrame, column: str, risk: float) -> float:
    """Value of a column where the disclosure risk (per cent) has the given value.

    Straight lines join the measured points; beyond them their ends count.

    Examples
    --------
    >>> at_risk(pd.DataFrame({"dr": [40.0, 20.0], "sse": [1.0, 3.0]}), "sse", 30)
    2.0
    """
    ordered = curve.sort_values("dr")
    return float(np.interp(risk, ordered["dr"], ordered[column]))


def _quality(ratings: sparse.csr_array, k: float, scale: Scale, seeds: Sequence[int]) -> list[Row]:
    """MAE of MDAV against that without protection or data, and with fewer ratings."""
    midpoint = sum(scale) / 2
    constant = float(np.abs(ratings.data - midpoint).mean())
    bare = prediction_errors(ratings, "none", 0, scale, seeds)
    rows: list[Row] = []
    for share in DENSITIES:
        kept = ratings
        if share < 1:
            kept = holdout_cells(ratings, share=1 - share, rng=seeds[0]).training
        errors = prediction_errors(kept, "mdav", k, scale, seeds)
        for split, reading in SPLITS.items():
            mae = mean_of_runs(errors[reading])["value"]
            rows.append(
                {"quantity": "mae by density", "share": share, "split": split, "value": mae}
            )
            if share == 1:
                against = {
                    "mae over that without protection": float(np.mean(bare[reading])),
                    "mae over that of the midpoint": constant,
                }
                rows += [
                    {"quantity": name, "split": split, "value": mae / other}
                    for name, other in against.items()
                ]
    return rows


def jester_users(jester: Dataset, *, rng: Rng = None) -> pd.DataFrame:
    """Disclosure risk for more and more users of Jester."""
    generator = as_rng(rng)
    everyone = jester.ratings.shape[0]
    rows = []
    for part in tqdm(SAMPLES, desc="users"):
        sample = np.sort(generator.choice(everyone, size=everyone // part, replace=False))
        seed = int(generator.integers(2**31))
        for method, parameter in _settings((2, 9), (2,)):
            measured = _release(
                jester.ratings[sample], method, parameter, paper.JESTER_SCALE, [seed]
            )
            values = {name: draws[0] for name, draws in measured.items()}
            rows.append({"users": len(sample), "method": method, "parameter": parameter} | values)
    return pd.DataFrame(rows)
