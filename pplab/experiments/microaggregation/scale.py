"""Jester against MovieLens: does a wider scale make noise matter less, and which method wins?"""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import sparse
from tqdm.auto import tqdm

from pplab.checks import as_rng
from pplab.datasets.catalog import Dataset
from pplab.experiments.finding import Finding, statement_rows
from pplab.experiments.microaggregation import paper
from pplab.experiments.microaggregation.curves import lower_at_equal_risk
from pplab.experiments.microaggregation.noise_runs import noise_runs
from pplab.metrics.risk import disclosure_risk
from pplab.microaggregation.microaggregate import microaggregate
from pplab.microaggregation.noise import prepare

__all__ = ["jester_against_movielens", "jester_standin"]

LINKAGE = "original to protected"
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
