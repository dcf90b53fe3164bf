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

from claimbook.part import Rng
from pplab.attacks.homogeneity import revealed_by_mean
from pplab.datasets.catalog import Dataset
from pplab.metrics.error import within_group_sse
from pplab.microaggregation.mdav import mdav
from pplab.microaggregation.microaggregate import IMPUTATIONS, complete, microaggregate, standardise
from pplab.microaggregation.noise import add_noise, prepare
from pplab.nearest import nearest_records
from pplab.tables import as_table
from pplab_papers.microaggregation import paper
from pplab_papers.microaggregation.tables import noise_seeds, over_sigmas

CHOICES = ["impute", "rounding", "truncation", "scale"]
ROUNDINGS: dict[str, Any] = {"not rounded": None, "rounded": "nearest", "rounded down": "down"}
TRUNCATIONS = {"truncated": True, "not truncated": False}
SCALES = {"noise on z-scores": "z-scores", "noise on ratings": "ratings"}


def noise_conventions(movielens: Dataset, *, rng: Rng = None, runs: int = 5) -> pd.DataFrame:
    """Run every convention at every sigma and compare it with the printed table."""
    seeds = noise_seeds(rng, runs)
    rows: list[dict[str, Any]] = []
    ways = [*product(ROUNDINGS, TRUNCATIONS, SCALES)]
    for impute in IMPUTATIONS:
        prepared = prepare(movielens.ratings, impute=impute, rating_range=paper.MOVIELENS_SCALE)
        for rounding, truncation, scale in ways:
            options = {"rounding": ROUNDINGS[rounding], "truncate": TRUNCATIONS[truncation]}
            options |= {"scale": SCALES[scale]}
            chosen = (impute.replace("-", " "), rounding, truncation, scale)
            names = dict(zip(CHOICES, chosen, strict=True)) | {"quantity": "sse", "runs": runs}
            for place, draws in over_sigmas(prepared, seeds, ", ".join(chosen), **options):
                printed = paper.TABLE_2_SSE[place["column"] - 1]
                error = float(np.mean(draws["sse"])) / 1e3
                rows.append(names | place | {"value": error, "printed": printed})
    table = pd.DataFrame(rows)
    misfits = _misfits(table).assign(runs=runs)
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


def _misfits(table: pd.DataFrame) -> pd.DataFrame:
    """For each convention how far it is from the print in the column that it misses most."""
    off = np.log(table["value"] / table["printed"]).abs().groupby([table[c] for c in CHOICES])
    misfits = off.max().rename("value").reset_index().assign(quantity="misfit")
    return misfits.sort_values("value", ignore_index=True)


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
    """Relative error that the changed rule saves, (classic - changed) / classic, at each k.

    A record is as far from a cluster as from its mean, or as from its nearest member.
    """
    scores = standardise(table).scores
    rows = []
    for k in tqdm(ks, desc="leftover rules"):
        groups = mdav(scores, k, leftover="group")
        classic = within_group_sse(table, groups)
        for meaning, labels in {
            "distance to means": mdav(scores, k, leftover="closest"),
            "distance to members": nearest_members(scores, groups),
        }.items():
            changed = within_group_sse(table, labels)
            row = {"quantity": "gain", "k": k, "leftover": meaning, "changed": changed}
            rows.append(row | {"value": (classic - changed) / classic})
    return pd.DataFrame(rows)


def nearest_members(scores: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Groups of the changed rule, from those of the classic one, by distances to single records.

    Of the last group more than half must be closer to their mean than to any record of another
    group; else each joins the group of the nearest record.

    Examples
    --------
    >>> nearest_members(np.array([[0.0], [1.0], [2.0], [9.0]]), np.array([0, 0, 1, 1]))
    array([0, 0, 0, 0])
    """
    last = groups == groups.max()
    if last.all():
        return groups
    leftovers, others = scores[last], scores[~last]
    nearest = nearest_records(others, leftovers)
    own_distances = np.square(leftovers - leftovers.mean(axis=0)).mean(axis=1)
    if 2 * (own_distances < nearest.distance).sum() > len(leftovers):
        return groups
    joined = groups.copy()
    joined[last] = groups[~last][nearest.index]
    return joined


# Ratings that k-anonymous tables of MovieLens give away all the same.


def homogeneity(movielens: Dataset) -> pd.DataFrame:
    """Count the ratings that group means give away, and check k on the published table."""
    scale = paper.MOVIELENS_SCALE
    truth = as_table(movielens.ratings, rating_range=scale)
    rows: list[dict[str, Any]] = []
    for k in tqdm(paper.K_LABELS, desc="homogeneity"):
        release = microaggregate(movielens.ratings, k, rating_range=scale)
        revealed = revealed_by_mean(release.protected, rating_range=scale).revealed
        counts = {"k achieved": release.k_achieved, "ratings given away": (revealed == truth).sum()}
        rows += [
            {"quantity": name, "release": "mdav", "k": k, "value": int(count)}
            for name, count in counts.items()
        ]
    prepared = prepare(movielens.ratings, impute="midpoint", rating_range=scale)
    for sigma in (paper.SIGMA[0], paper.SIGMA_LAST):
        equal = add_noise(prepared, sigma=sigma, rng=1).k_achieved
        row = {"quantity": "k achieved", "release": "noise", "sigma": sigma}
        rows.append(row | {"value": equal})
    return pd.DataFrame(rows)
