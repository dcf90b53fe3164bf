"""Conventions and rules held against the print and the data: noise, leftovers, homogeneity.

`noise_conventions` searches for a convention under which the noise table of MovieLens would come
out, and `limits_without_noise` for one that leaves an error as sigma goes to 0; the leftover parts
compare the changed rule for the last records with the classic one; `homogeneity` counts
what k-anonymous ratings give away all the same. Casino et al. 2015,
doi 10.1016/j.jcss.2014.12.013.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from pplab.attacks.homogeneity import homogeneous_cells, revealed_by_mean
from pplab.datasets.catalog import Dataset
from pplab.metrics.error import within_group_sse
from pplab.microaggregation.mdav import mdav
from pplab.microaggregation.microaggregate import IMPUTATIONS, complete, microaggregate, standardise
from pplab.microaggregation.noise import add_noise, prepare
from pplab.papers.microaggregation import paper
from pplab.papers.microaggregation.tables import noise_seeds, over_sigmas
from pplab.papers.part import Rng, mean_of_runs
from pplab.tables import as_table

CHOICES = ["impute", "rounding", "truncation", "scale"]
ROUNDINGS: dict[str, Any] = {"not rounded": None, "rounded": "nearest", "rounded down": "down"}
TRUNCATIONS = {"truncated": True, "not truncated": False}
SCALES = {"noise on z-scores": "z-scores", "noise on ratings": "ratings"}


def noise_conventions(movielens: Dataset, *, rng: Rng = None, runs: int = 2) -> pd.DataFrame:
    """Run every convention at every sigma and hold it against the printed table."""
    seeds = noise_seeds(rng, runs)
    rated = ~np.isnan(as_table(movielens.ratings, rating_range=paper.MOVIELENS_SCALE))
    rows: list[dict[str, Any]] = []
    ways = [*product(ROUNDINGS, TRUNCATIONS, SCALES)]
    for impute in IMPUTATIONS:
        prepared = prepare(movielens.ratings, impute=impute, rating_range=paper.MOVIELENS_SCALE)
        for rounding, truncation, scale in ways:
            options = {"rounding": ROUNDINGS[rounding], "truncate": TRUNCATIONS[truncation]}
            options |= {"scale": SCALES[scale], "rated": rated}
            chosen = (impute.replace("-", " "), rounding, truncation, scale)
            names = dict(zip(CHOICES, chosen, strict=True))
            for place, errors in over_sigmas(prepared, seeds, ", ".join(chosen), **options):
                rows.append(names | {"quantity": "sse"} | place | _against_printed(place, errors))
    table = pd.DataFrame(rows)
    misfits = _misfits(table)
    return pd.concat([misfits, limits_without_noise(movielens), table], ignore_index=True)


def limits_without_noise(movielens: Dataset) -> pd.DataFrame:
    """Error that is left when sigma goes to 0, if the two sides are completed differently.

    The printed errors stay near 246 thousand for small sigma, where noise alone gives a twentieth
    of that. A constant could come from comparing tables that were completed or rounded in two
    ways; each pair is tried.
    """
    sides = {}
    for impute in IMPUTATIONS:
        table = complete(
            movielens.ratings, impute=impute, rating_range=paper.MOVIELENS_SCALE
        ).astype(np.float32)
        name = impute.replace("-", " ")
        sides[name] = table
        sides[f"{name}, rounded"] = np.rint(table)
        sides[f"{name}, rounded down"] = np.floor(table)
    rows = []
    for (left, reference), (right, protected) in product(sides.items(), repeat=2):
        error = float(np.square(reference - protected, dtype=np.float64).sum()) / 1e3
        rows.append({"quantity": "limit", "reference": left, "protected": right, "value": error})
    return pd.DataFrame(rows)


def _against_printed(place: dict[str, Any], errors: dict[str, list[float]]) -> dict[str, Any]:
    error = mean_of_runs(np.array(errors["sse"]) / 1e3)
    return {
        "value": error["value"],
        "sd": error["sd"],
        "rated": float(np.mean(errors["sse rated"])) / 1e3,
        "printed": paper.TABLE_2_SSE[place["column"] - 1],
    }


def _misfits(table: pd.DataFrame) -> pd.DataFrame:
    """For each convention how far it is from the print, over all columns."""
    rows = []
    for names, group in table.groupby(CHOICES, sort=False):
        gap = group["value"] - group["printed"]  # digits were cut: 0 to 1 is right
        allowed = 3 * group["sd"]
        row = dict(zip(CHOICES, names, strict=True)) | {
            "quantity": "misfit",
            "value": float(np.abs(np.log(group["value"] / group["printed"])).max()),
            "median_misfit": float(np.abs(np.log(group["value"] / group["printed"])).median()),
            "columns_met": int(((gap > -allowed) & (gap < 1 + allowed)).sum()),
            "worst_rated": float(np.abs(np.log(group["rated"] / group["printed"])).max()),
        }
        rows.append(row)
    return pd.DataFrame(rows).sort_values("value", ignore_index=True)


# Does the changed rule for the last records always do better? Counted over every k.


def leftover_movielens(movielens: Dataset) -> pd.DataFrame:
    """Compare the two leftover rules on MovieLens at every k from 2 to 150."""
    table = complete(movielens.ratings, impute="midpoint", rating_range=paper.MOVIELENS_SCALE)
    return leftover_gains(table, range(2, paper.K_LABELS[-1] + 1))


def leftover_jester(jester: Dataset) -> pd.DataFrame:
    """Compare the two leftover rules on Jester at the k of Table 1 and every tenth."""
    table = complete(jester.ratings, impute="midpoint", rating_range=paper.JESTER_SCALE)
    return leftover_gains(table, sorted({*paper.K_LABELS, *range(10, paper.K_LABELS[-1], 10)}))


def leftover_gains(table: np.ndarray, ks: Iterable[int]) -> pd.DataFrame:
    """Relative error that the changed rule saves, (classic - changed) / classic, at each k."""
    scores = standardise(table).scores
    rows = []
    for k in tqdm(ks, desc="leftover rules"):
        classic, changed = (
            within_group_sse(table, mdav(scores, k, leftover=rule)) for rule in ("group", "closest")
        )
        gain = (classic - changed) / classic
        rows.append({"k": k, "classic": classic, "changed": changed, "gain": gain})
    return pd.DataFrame(rows)


# Ratings that k-anonymous tables of MovieLens give away all the same.


def homogeneity(movielens: Dataset) -> pd.DataFrame:
    """Count the ratings that group means give away, and check k on the published table."""
    scale = paper.MOVIELENS_SCALE
    truth = as_table(movielens.ratings, rating_range=scale)
    rows = []
    for k in tqdm(paper.K_LABELS, desc="homogeneity"):
        release = microaggregate(movielens.ratings, k, rating_range=scale)
        shown = revealed_by_mean(release.protected, rating_range=scale).revealed
        alike = homogeneous_cells(movielens.ratings, labels=release.labels, rating_range=scale)
        rows.append(
            {
                "quantity": "groups",
                "k": k,
                "k_achieved": release.k_achieved,
                "revealed": int((shown == truth).sum()),
                "homogeneous": 100 * alike.share,
            }
        )
    prepared = prepare(movielens.ratings, impute="midpoint", rating_range=scale)
    for sigma in (paper.SIGMA[0], paper.SIGMA_LAST):
        equal = add_noise(prepared, sigma=sigma, rng=1).k_achieved
        rows.append({"quantity": "noise", "sigma": sigma, "equal": equal})
    return pd.DataFrame(rows)
