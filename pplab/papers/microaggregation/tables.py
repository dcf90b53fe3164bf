"""Tables 1 and 2 and the sizes of the data: error and disclosure risk of MDAV and Gaussian noise.

Each column is measured under each reading of completion, linkage and the description of the noise;
`headers_mdav` and `headers_noise` ask which setting stands under which label. Casino et al. 2015,
doi 10.1016/j.jcss.2014.12.013.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.metrics.risk import disclosure_risk
from pplab.microaggregation.microaggregate import (
    IMPUTATIONS,
    Microaggregated,
    microaggregate,
    standardise,
)
from pplab.microaggregation.noise import Prepared, add_noise, prepare
from pplab.papers.microaggregation import paper
from pplab.papers.part import Finding, mean_of_runs, statement_rows

# Runs of Gaussian noise: error and disclosure risk of each draw.


DIRECTIONS = {
    "protected to original": "protected-to-original",
    "original to protected": "original-to-protected",
}


def noise_runs(
    prepared: Prepared,
    *,
    sigma: float,
    seeds: Iterable[int],
    linkage: Iterable[str] = (),
    rated: np.ndarray | None = None,
    **options: Any,
) -> dict[str, list[float]]:
    """Protect the same ratings once per seed and measure each release.

    Parameters
    ----------
    prepared : Prepared
        Completed and standardised ratings.
    sigma : float
        Standard deviation of the noise.
    seeds : iterable of int
        One per run.
    linkage : iterable of str
        Keys of DIRECTIONS in which records are linked.
    rated : bool array, shape (users, items), optional
        Cells over which the error is summed once more.
    **options
        truncate, rounding and scale, as for ``gaussian_noise``.

    Returns
    -------
    dict of list of float
        "sse", "lowest" and "highest" published value, the disclosure risk in per cent under the
        name of each direction, and with rated cells given "sse rated".
    """
    linkage = tuple(linkage)
    found: dict[str, list[float]] = {name: [] for name in ("sse", "lowest", "highest", *linkage)}
    for seed in seeds:
        noisy = add_noise(prepared, sigma=sigma, rng=int(seed), **options)
        found["sse"].append(noisy.sse)
        if rated is not None:
            gaps = noisy.protected[rated] - noisy.completed[rated]
            found.setdefault("sse rated", []).append(float(np.square(gaps).sum()))
        found["lowest"].append(float(np.min(noisy.protected)))
        found["highest"].append(float(np.max(noisy.protected)))
        for name in linkage:
            risks = disclosure_risk(noisy.completed, noisy.protected, direction=DIRECTIONS[name])
            found[name].append(100 * float(risks.mean()))
    return found


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


# Table 2: error and disclosure risk of Gaussian noise, with each reading of the description.


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


# Which setting stands under which label? Tables 1 and 2 have one column more than labels.


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


# Sizes of the data that the paper states.


def movielens_sizes(movielens: Dataset) -> pd.DataFrame:
    """Count users, films and ratings.

    Parameters
    ----------
    movielens : Dataset
        All ratings.

    Returns
    -------
    DataFrame
        Columns quantity and value.
    """
    users, films = movielens.ratings.shape
    sizes = {"users": users, "films": films, "ratings": movielens.ratings.nnz}
    return pd.DataFrame(
        {"quantity": [f"movielens {name}" for name in sizes], "value": list(sizes.values())}
    )


def jester_sizes(jester: Dataset) -> pd.DataFrame:
    """Count users and jokes, and give the share of cells without a rating in per cent.

    Parameters
    ----------
    jester : Dataset
        As many parts of the data as there are.

    Returns
    -------
    DataFrame
        Columns quantity and value.
    """
    users, jokes = jester.ratings.shape
    empty = 100 * (1 - jester.ratings.nnz / (users * jokes))
    return pd.DataFrame(
        {"quantity": ["users", "jokes", "empty"], "value": [float(users), float(jokes), empty]}
    )
