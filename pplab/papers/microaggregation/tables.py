"""Tables 1 and 2 and the sizes of the data: error and disclosure risk of MDAV and Gaussian noise.

Each column is measured under each reading of completion, linkage and the description of the noise.
Casino et al. 2015, doi 10.1016/j.jcss.2014.12.013.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from tqdm.auto import tqdm

from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.metrics.risk import disclosure_risk
from pplab.microaggregation.microaggregate import (
    IMPUTATIONS,
    Microaggregated,
    complete,
    microaggregate,
    standardise,
)
from pplab.microaggregation.noise import Prepared, add_noise, prepare
from pplab.papers.microaggregation import paper
from pplab.papers.part import Rng, mean_of_runs

Row = dict[str, Any]
DIRECTIONS = {
    "protected to original": "protected-to-original",
    "original to protected": "original-to-protected",
}
TIES = {"ties at random": "expected", "first of ties": "first"}


# Table 1: groups.


def movielens_mdav(movielens: Dataset) -> pd.DataFrame:
    """Error and disclosure risk of MDAV on MovieLens for the columns of Table 1."""
    units = {"sse": 1e-3, "sse exact": 1.0}
    measure = partial(
        _mdav_rows, movielens.ratings, paper.MOVIELENS_SCALE, IMPUTATIONS, units, _movielens_risks
    )
    return _table_1(measure)


def jester_mdav(jester: Dataset) -> pd.DataFrame:
    """Error and disclosure risk of MDAV on Jester for the columns of Table 1."""
    imputations = ("midpoint", "item-mean")
    measure = partial(
        _mdav_rows,
        jester.ratings,
        paper.JESTER_SCALE,
        imputations,
        _jester_units(jester),
        _jester_risks,
    )
    return _table_1(measure)


def _jester_units(jester: Dataset) -> dict[str, float]:
    cells = jester.ratings.shape[0] * jester.ratings.shape[1]
    return {"sse": paper.JESTER_CELLS / 1e6 / cells, "sse per cell": 1 / cells}


def _table_1(measure: Callable[[int], list[Row]]) -> pd.DataFrame:
    """Rows of each column; for the one without a label the range over what it may stand for."""
    rows: list[Row] = []
    for column, k in enumerate(tqdm(paper.K, desc="MDAV"), start=1):
        labelled = measure(k)
        if k == paper.K_LAST:
            others = [measure(other) for other in paper.K_UNLABELLED]
            for row, *rest in zip(labelled, *others, strict=True):
                values = [one["value"] for one in (row, *rest)]
                row |= {"low": min(values), "high": max(values)}
        rows += [{"column": column, "k": k} | row for row in labelled]
    return pd.DataFrame(rows)


def _mdav_rows(
    ratings: sparse.csr_array,
    scale: tuple[float, float],
    imputations: Iterable[str],
    units: Mapping[str, float],
    risks: Callable[[Microaggregated, sparse.csr_array], dict[str, np.ndarray]],
    k: int,
) -> list[Row]:
    """Errors under each completion; risks under the first, by reading."""
    rows: list[Row] = []
    for impute in imputations:
        release = microaggregate(ratings, k, impute=impute, rating_range=scale, leftover="closest")
        reading = impute.replace("-", " ")
        rows += [
            {"quantity": name, "reading": reading, "value": release.sse * unit}
            for name, unit in units.items()
        ]
        if impute == "midpoint":
            rows += [
                {"quantity": "dr", "reading": name} | risk_in_per_cent(values, release.labels)
                for name, values in risks(release, ratings).items()
            ]
    return rows


def risk_in_per_cent(risks: np.ndarray, labels: np.ndarray) -> dict[str, Any]:
    """Mean risk, and the spread of the share of hits over the order in which equal rows stand.

    Of equal rows a program finds the same one for all who point there, so a group has one hit or
    none: one with probability q, the sum of the risks of its members.
    """
    hits = np.bincount(labels, weights=risks)
    spread = np.sqrt(np.maximum(hits * (1 - hits), 0).sum()) / len(risks)
    return {"value": 100 * float(risks.mean()), "sd": 100 * float(spread)}


def _jester_risks(release: Microaggregated, _: sparse.csr_array) -> dict[str, np.ndarray]:
    return _both_ways(release, ("ties at random",))


def _both_ways(release: Microaggregated, ties: Iterable[str]) -> dict[str, np.ndarray]:
    tables = release.completed, release.protected
    return {
        f"{name}, {rule}": disclosure_risk(*tables, direction=direction, ties=TIES[rule])
        for name, direction in DIRECTIONS.items()
        for rule in ties
    }


def _movielens_risks(release: Microaggregated, ratings: sparse.csr_array) -> dict[str, np.ndarray]:
    """Risk in both directions, with both rules for ties, on other scales and cells."""
    completed, protected = release.completed, release.protected
    back = DIRECTIONS["original to protected"]
    standard = standardise(completed)
    deviations = np.where(standard.deviations > 0, standard.deviations, np.inf)
    scores = (protected - standard.means) / deviations
    on_scores = disclosure_risk(standard.scores, scores, direction=back)
    on_rated = disclosure_risk(ratings, protected, direction=back, cells="rated")
    return _both_ways(release, TIES) | {
        "original to protected on z-scores, ties at random": on_scores,
        "original to protected on rated cells, ties at random": on_rated,
    }


# Table 2: Gaussian noise, with each reading of the description.


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


def movielens_noise(movielens: Dataset, *, rng: Rng = None, runs: int = 10) -> pd.DataFrame:
    """Error and disclosure risk of noise on MovieLens for the columns of Table 2."""
    rows = _noise_rows(
        movielens.ratings,
        paper.MOVIELENS_SCALE,
        {"sse": 1e-3, "sse exact": 1.0},
        CONVENTIONS,
        LINKED,
        noise_seeds(rng, runs),
    )
    wild = next(
        r for r in reversed(rows) if r["reading"] == "not truncated" and r["quantity"] == "sse"
    )
    return pd.DataFrame([*rows, {"quantity": "error without truncation", "value": wild["value"]}])


def jester_noise(jester: Dataset, *, rng: Rng = None, runs: int = 2) -> pd.DataFrame:
    """Error and disclosure risk of noise on Jester for the columns of Table 2."""
    conventions = {name: CONVENTIONS[name] for name in JESTER_CONVENTIONS}
    rows = _noise_rows(
        jester.ratings,
        paper.JESTER_SCALE,
        _jester_units(jester),
        conventions,
        JESTER_CONVENTIONS[:1],
        noise_seeds(rng, runs),
    )
    return pd.DataFrame(rows)


def _noise_rows(
    ratings: sparse.csr_array,
    scale: tuple[float, float],
    units: Mapping[str, float],
    conventions: Mapping[str, tuple[str, dict[str, Any]]],
    linked: Iterable[str],
    seeds: np.ndarray,
) -> list[Row]:
    rows: list[Row] = []
    for reading, (impute, options) in conventions.items():
        prepared = prepare(ratings, impute=impute, rating_range=scale)
        linkage = DIRECTIONS if reading in linked else ()
        for place, draws in over_sigmas(prepared, seeds, reading, linkage=linkage, **options):
            named = {(name, reading): np.array(draws["sse"]) * unit for name, unit in units.items()}
            named |= {("dr", f"{reading}, {name}"): np.array(draws[name]) for name in linkage}
            rows += [
                place
                | {"runs": seeds.shape[1]}
                | {"quantity": quantity, "reading": label}
                | mean_of_runs(values)
                for (quantity, label), values in named.items()
            ]
    return rows


def over_sigmas(
    prepared: Prepared, seeds: np.ndarray, reading: str, **options: Any
) -> Iterator[tuple[Row, dict[str, list[float]]]]:
    """Each column of the table with its sigma, and the runs there."""
    for column, sigma in enumerate(tqdm(paper.SIGMA, desc=reading, leave=False), 1):
        draws = noise_runs(prepared, sigma=sigma, seeds=seeds[column - 1], **options)
        yield {"column": column, "sigma": float(sigma)}, draws


def noise_runs(
    prepared: Prepared,
    *,
    sigma: float,
    seeds: Iterable[int],
    linkage: Iterable[str] = (),
    rated: np.ndarray | None = None,
    **options: Any,
) -> dict[str, list[float]]:
    """Protect the same ratings once per seed and measure each release."""
    linkage = tuple(linkage)
    measured: dict[str, list[float]] = {name: [] for name in ("sse", *linkage)}
    for seed in seeds:
        noisy = add_noise(prepared, sigma=sigma, rng=int(seed), **options)
        measured["sse"].append(noisy.sse)
        if rated is not None:
            gaps = noisy.protected[rated] - noisy.completed[rated]
            measured.setdefault("sse rated", []).append(float(np.square(gaps).sum()))
        for name in linkage:
            risks = disclosure_risk(noisy.completed, noisy.protected, direction=DIRECTIONS[name])
            measured[name].append(100 * float(risks.mean()))
    return measured


def noise_seeds(rng: Rng, runs: int) -> np.ndarray:
    """A seed per column and run, the same for every convention."""
    check_integer("runs", runs, minimum=2)
    return as_rng(rng).integers(2**31, size=(len(paper.SIGMA), runs))


# Sizes of the data that the paper states.


def movielens_sizes(movielens: Dataset) -> pd.DataFrame:
    """Count users, films and ratings, and hold the z-scores of the films against 0 and 1."""
    users, films = movielens.ratings.shape
    given = movielens.ratings.data
    completed = complete(movielens.ratings, impute="midpoint", rating_range=paper.MOVIELENS_SCALE)
    standard = standardise(completed)
    varied = standard.deviations > 0
    values = {
        "movielens users": users,
        "movielens films": films,
        "movielens ratings": len(given),
        "movielens lowest": given.min(),
        "movielens highest": given.max(),
        "movielens cells": users * films,
        "movielens empty": 100 * (1 - len(given) / (users * films)),
        "films that do not vary": (~varied).sum(),
        "largest mean of z-scores": np.abs(standard.scores.mean(axis=0)).max(),
        "largest gap of a deviation to 1": np.abs(standard.scores.std(axis=0)[varied] - 1).max(),
    }
    return pd.DataFrame({"quantity": list(values), "value": [float(v) for v in values.values()]})


def jester_sizes(jester: Dataset) -> pd.DataFrame:
    """Count users and jokes, and give the share of cells without a rating in per cent."""
    users, jokes = jester.ratings.shape
    empty = 100 * (1 - jester.ratings.nnz / (users * jokes))
    return pd.DataFrame(
        {"quantity": ["users", "jokes", "empty"], "value": [float(users), float(jokes), empty]}
    )
