"""Figures 3 to 6: error, disclosure risk and prediction error of MDAV and noise.

`planes_movielens` and `planes_jester` measure the points and decide what is said of the curves:
monotone, linear, steep at first, one below the other at equal risk. `jester_against_movielens` asks
whether a wider scale makes noise matter less, and which method wins on both data sets. Casino et
al. 2015, doi 10.1016/j.jcss.2014.12.013.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from tqdm.auto import tqdm

from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.metrics.risk import disclosure_risk
from pplab.microaggregation.microaggregate import microaggregate
from pplab.microaggregation.noise import prepare
from pplab.papers.microaggregation import paper
from pplab.papers.microaggregation.prediction import Scale, cells_held_out, protector
from pplab.papers.microaggregation.tables import noise_runs
from pplab.papers.part import Finding, listed, mean_of_runs, statement_rows

# Sentences on curves: monotone, linear, steep at first, one below the other at equal risk.


LINEAR = 0.05  # share of the variance that a straight line may leave
STEEPER = 3.0  # times
NEAR = 0.1  # relative: what "about" allows
TINY_RISK = 0.15  # per cent: what counts as 0.1 %


def _curve_findings(points: pd.DataFrame, data: str) -> dict[str, Finding]:
    """Decide what is said of Figures 3 to 6 for one data set.

    Parameters
    ----------
    points : DataFrame
        As ``plane_points`` gives them.
    data : str
        "movielens" or "jester", the end of the statements' names.

    Returns
    -------
    dict
        Statement to finding.
    """
    mdav, noise = (points[points["method"] == method] for method in ("mdav", "noise"))
    labelled = mdav[mdav["parameter"] <= paper.K_LABELS[-1]]
    found = {
        "figure-3:sse-rises": _monotone(labelled, "sse", 1),
        "figure-3:dr-falls": _monotone(labelled, "dr", -1),
        "figure-4:sse-rises": _monotone(noise, "sse", 1),
        "figure-4:dr-falls": _monotone(noise, "dr", -1, within_chance=True),
        "figure-5:mae-order": lower_at_equal_risk(mdav, noise, "mae"),
        "figure-6:sse-order": lower_at_equal_risk(mdav, noise, "sse"),
        "figure-5:mae-linear": _linear(labelled),
        "figure-5:mae-steep-then-flat": _steep_then_flat(noise),
    }
    return {f"{name}:{data}": finding for name, finding in found.items()}


def _text_findings(points: pd.DataFrame) -> dict[str, Finding]:
    """Decide the sentences on MovieLens that name a risk or an error."""
    mdav, noise = (points[points["method"] == method] for method in ("mdav", "noise"))
    return {
        "section-4:sse-at-30:mdav": _about(at_risk(mdav, "sse", 30), 100_000),
        "section-4:sse-at-30:noise": _about(at_risk(noise, "sse", 30), 400_000),
        "section-4:k-150-needed": _needed(mdav, 100, 150),
        "section-4:sigma-50-needed": _needed(noise, 40, 50),
    }


def at_risk(curve: pd.DataFrame, column: str, risk: float) -> float:
    """Value of a column where the disclosure risk (per cent) has the given value.

    Straight lines join the measured points; NaN where the curve does not reach the risk.

    Examples
    --------
    >>> at_risk(pd.DataFrame({"dr": [40.0, 20.0], "sse": [1.0, 3.0]}), "sse", 30)
    2.0
    """
    ordered = curve.sort_values("dr")
    values = np.interp(risk, ordered["dr"], ordered[column], left=np.nan, right=np.nan)
    return float(values)


def lower_at_equal_risk(mdav: pd.DataFrame, noise: pd.DataFrame, column: str) -> Finding:
    """Decide whether MDAV lies below noise at each risk; a risk out of reach decides against."""
    pairs = {r: (at_risk(mdav, column, r), at_risk(noise, column, r)) for r in paper.RISKS}
    told = listed(f"{_number(a)} and {_number(b)} at {r} %" for r, (a, b) in pairs.items())
    return all(ours < theirs for ours, theirs in pairs.values()), (
        f"{column.upper()} of MDAV and of noise: {told}."
    )


def _monotone(
    curve: pd.DataFrame, column: str, sign: int, *, within_chance: bool = False
) -> Finding:
    """Whether each step goes up (sign 1) or down, or is within three standard errors of it."""
    ordered = curve.sort_values("parameter")
    steps = sign * np.diff(ordered[column])
    wrong = np.flatnonzero(~(steps > 0))
    if within_chance:
        errors = ordered[f"{column}_se"].to_numpy()
        wrong = np.flatnonzero(~(steps >= -3 * np.hypot(errors[1:], errors[:-1])))
    ends = sign * (ordered[column].iloc[-1] - ordered[column].iloc[0]) > 0
    first, last = (ordered.iloc[end] for end in (0, -1))
    told = (
        f"{column.upper()} goes from {first[column]:,.5g} at {first['parameter']:g} "
        f"to {last[column]:,.5g} at {last['parameter']:g}"
    )
    if len(wrong) == 0:
        return bool(ends), f"{told}, without a step in the wrong direction."
    places = listed(f"{p:g}" for p in ordered["parameter"].to_numpy()[wrong + 1])
    return False, f"{told}, with a step in the wrong direction at {places}."


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def _linear(curve: pd.DataFrame) -> Finding:
    k, mae = curve["parameter"].to_numpy(), curve["mae"].to_numpy()
    left = mae - np.polyval(np.polyfit(k, mae, 1), k)
    share = float(left.var() / mae.var())
    return share <= LINEAR, f"A straight line in k leaves {share:.1%} of the variance of the MAE."


def _steep_then_flat(curve: pd.DataFrame) -> Finding:
    mae = curve.set_index("parameter")["mae"]
    early = (mae[2.0] - mae[0.25]) / (2.0 - 0.25)
    late = (mae[50.0] - mae[10.0]) / (50.0 - 10.0)
    return bool(early > 0 and early >= STEEPER * late), (
        f"The MAE rises by {early:.4g} per unit of sigma from 0.25 to 2, and by {late:.4g} "
        "from 10 to 50."
    )


def _about(value: float, printed: float) -> Finding:
    return abs(value / printed - 1) <= NEAR, f"The error is {value:,.0f} there."


def _needed(curve: pd.DataFrame, before: float, at: float) -> Finding:
    risk = curve.set_index("parameter")["dr"]
    return bool(risk[at] <= TINY_RISK < risk[before]), (
        f"The risk is {risk[before]:.3g} % at {before:g} and {risk[at]:.3g} % at {at:g}."
    )


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
    found = _curve_findings(points, "movielens") | _text_findings(points)
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
    return pd.concat([statement_rows(_curve_findings(points, "jester")), points], ignore_index=True)


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


# Jester against MovieLens: does a wider scale make noise matter less, and which method wins?


SIGMAS = tuple(sigma for sigma in paper.SIGMA if sigma <= 4)  # where the claim is judged
STANDIN_K = (2, 3, 5, 9, 25, 50, 150)
STANDIN_SIGMA = (1, 2, 3, 5)
SAMPLES = (1_000, 5_000, 25_000)  # users


def jester_against_movielens(
    jester: Dataset, movielens: Dataset, *, rng: int | np.random.Generator | None = None
) -> pd.DataFrame:
    """Compare noise on the two scales, and both methods on both data sets.

    The disclosure risk falls with the number of users, so that Jester is represented by as many
    users, drawn at random, as MovieLens has.

    Parameters
    ----------
    jester, movielens : Dataset
    rng : int, Generator or None
        Seed or generator: the users drawn and the noise.

    Returns
    -------
    DataFrame
        Two statements (statement, value, witness) and the points (data, method, parameter, sse,
        relative: error per cell over the squared width of the scale, dr in per cent); the same
        for samples of more and more Jester users (data "sample"), since the risk falls with them.
    """
    generator = as_rng(rng)
    users = movielens.ratings.shape[0]
    drawn = np.sort(generator.choice(jester.ratings.shape[0], size=users, replace=False))
    points = pd.concat(
        [
            _points(movielens.ratings, "movielens", paper.MOVIELENS_SCALE, generator),
            _points(jester.ratings[drawn], "jester", paper.JESTER_SCALE, generator),
        ],
        ignore_index=True,
    )
    found = {
        "section-4:noise-matters-less-on-jester": _matters_less(points),
        "section-5:mdav-better": _better_on_both(points),
    }
    samples = _samples(jester, generator)
    return pd.concat([statement_rows(found), points, samples], ignore_index=True)


def jester_standin(
    jester: Dataset, *, rng: int | np.random.Generator | None = None
) -> pd.DataFrame:
    """Both methods at the full size of Jester, on its stand-in, and the risk of smaller samples.

    Parameters
    ----------
    jester : Dataset
        The stand-in of all users.
    rng : int, Generator or None
        Seed or generator.

    Returns
    -------
    DataFrame
        Two statements (statement, value, witness), the points (users, method, parameter, sse,
        relative, dr) and, for samples of the users (data "sample"), the same at k = 2, 9 and
        sigma = 2.
    """
    generator = as_rng(rng)
    points = _points(
        jester.ratings, "jester", paper.JESTER_SCALE, generator, STANDIN_K, STANDIN_SIGMA
    )
    samples = _samples(jester, generator)
    mdav, noise = (points[points["method"] == method] for method in ("mdav", "noise"))
    falls = bool((np.diff(mdav["dr"]) < 0).all())
    risks = ", ".join(
        f"{r:.3g} % at {k:g}" for k, r in zip(mdav["parameter"], mdav["dr"], strict=True)
    )
    found = {
        "figure-3:dr-falls:jester-full-size": (falls, f"DR by k: {risks}."),
        "figure-6:sse-order:jester-full-size": lower_at_equal_risk(mdav, noise, "sse"),
    }
    return pd.concat([statement_rows(found), points, samples], ignore_index=True)


def _points(
    ratings: sparse.csr_array,
    data: str,
    scale: tuple[float, float],
    rng: np.random.Generator,
    ks: tuple[float, ...] = paper.K,
    sigmas: tuple[float, ...] = paper.SIGMA,
) -> pd.DataFrame:
    """One run of each setting: error and risk."""
    prepared = prepare(ratings, impute="midpoint", rating_range=scale)
    seeds = rng.integers(2**31, size=len(sigmas))
    rows = []
    for k in tqdm(ks, desc=f"MDAV, {data}"):
        release = microaggregate(ratings, int(k), rating_range=scale)
        risk = disclosure_risk(
            release.completed, release.protected, direction="original-to-protected"
        )
        rows.append(("mdav", float(k), release.sse, 100 * float(risk.mean())))
    for sigma, seed in zip(tqdm(sigmas, desc=f"noise, {data}"), seeds, strict=True):
        noisy = noise_runs(prepared, sigma=sigma, seeds=[seed], linkage=[LINKAGE])
        rows.append(("noise", float(sigma), noisy["sse"][0], noisy[LINKAGE][0]))
    frame = pd.DataFrame(rows, columns=["method", "parameter", "sse", "dr"])
    width = scale[1] - scale[0]
    return frame.assign(
        data=data,
        users=ratings.shape[0],
        relative=frame["sse"] / prepared.completed.size / width**2,
    )


def _samples(jester: Dataset, rng: np.random.Generator) -> pd.DataFrame:
    """Error per cell and risk for more and more users: the risk falls with their number."""
    everyone = jester.ratings.shape[0]
    counts = [users for users in SAMPLES if users < everyone]
    frames = []
    for users in [*counts, everyone]:
        rows = np.sort(rng.choice(everyone, size=users, replace=False))
        ratings = jester.ratings[rows]
        frames.append(_points(ratings, "sample", paper.JESTER_SCALE, rng, (2, 9), (2,)))
    return pd.concat(frames, ignore_index=True)


def _matters_less(points: pd.DataFrame) -> Finding:
    noise = points[(points["method"] == "noise") & points["parameter"].isin(SIGMAS)]
    wide, narrow = (
        noise[noise["data"] == data].set_index("parameter") for data in ("jester", "movielens")
    )
    smaller = (wide["relative"] < narrow["relative"]).sum()
    riskier = (wide["dr"] > narrow["dr"]).sum()
    return bool(smaller == riskier == len(SIGMAS)), (
        f"Of {len(SIGMAS)} sigmas, the relative error is smaller on Jester at {smaller} "
        f"({wide['relative'][1.0]:.3g} against {narrow['relative'][1.0]:.3g} at sigma = 1) and the "
        f"risk higher at {riskier} ({wide['dr'][1.0]:.1f} against {narrow['dr'][1.0]:.1f} %)."
    )


def _better_on_both(points: pd.DataFrame) -> Finding:
    answers, sentences = [], []
    for data, group in points.groupby("data", sort=True):
        mdav, noise = (group[group["method"] == method] for method in ("mdav", "noise"))
        better, witness = lower_at_equal_risk(mdav, noise, "sse")
        answers.append(better)
        sentences.append(f"{data}: {witness}")
    return all(answers), " ".join(sentences)
