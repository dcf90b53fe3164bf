"""Tables 1 and 2 and the sizes of the data: error and disclosure risk of MDAV and Gaussian noise.

Each column is measured in the worlds of completion, linkage and ties; where the errors of Table 1
refuse a completion, the noise is not run. `noise_conventions` searches for a convention under which
the noise table of MovieLens would come out, and `limits_without_noise` for one that leaves an error
as sigma goes to 0; the leftover parts compare the changed rule for the last records with the
classic one; `homogeneity` counts what k-anonymous ratings give away all the same.
Casino et al. 2015, doi 10.1016/j.jcss.2014.12.013.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from tqdm.auto import tqdm

from claimbook.part import Rng, mean_of_runs
from pplab.attacks.homogeneity import revealed_by_mean
from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.metrics.error import within_group_sse
from pplab.metrics.risk import disclosure_risk
from pplab.microaggregation.mdav import mdav
from pplab.microaggregation.microaggregate import (
    IMPUTATIONS,
    Microaggregated,
    complete,
    microaggregate,
    standardise,
)
from pplab.microaggregation.noise import Prepared, add_noise, prepare
from pplab.nearest import nearest_records
from pplab.tables import as_table
from pplab_papers.microaggregation import paper

Row = dict[str, Any]
DIRECTIONS = {
    "protected to original": "protected-to-original",
    "original to protected": "original-to-protected",
}
TIES = {"at random": "expected", "first of equal records": "first"}
COMPLETIONS = ("midpoint", "item-mean", "item-median")


# Table 1: groups.


def movielens_mdav(movielens: Dataset) -> pd.DataFrame:
    """Error and disclosure risk of MDAV on MovieLens for the columns of Table 1."""
    units = {"sse": 1e-3, "sse exact": 1.0}
    return _table_1(movielens.ratings, paper.MOVIELENS_SCALE, units, COMPLETIONS)


def jester_mdav(jester: Dataset) -> pd.DataFrame:
    """Error and disclosure risk of MDAV on Jester for the columns of Table 1."""
    return _table_1(jester.ratings, paper.JESTER_SCALE, _jester_units(jester), COMPLETIONS[:1])


def _jester_units(jester: Dataset) -> dict[str, float]:
    cells = jester.ratings.shape[0] * jester.ratings.shape[1]
    return {"sse": paper.JESTER_CELLS / 1e6 / cells, "sse per cell": 1 / cells}


def _table_1(
    ratings: sparse.csr_array,
    scale: tuple[float, float],
    units: Mapping[str, float],
    completions: Iterable[str],
) -> pd.DataFrame:
    """Rows of each column; for the one without a label the range over what it may stand for."""
    rows: list[Row] = []
    for completion, (column, k) in product(completions, enumerate(tqdm(paper.K, desc="MDAV"), 1)):
        measure = partial(_mdav_rows, ratings, scale, units, completion)
        labelled = measure(k)
        if k == paper.K_LAST:
            others = [measure(other) for other in paper.K_UNLABELLED]
            for row, *rest in zip(labelled, *others, strict=True):
                values = [one["value"] for one in (row, *rest)]
                row |= {"low": min(values), "high": max(values)}
        names = {"column": column, "k": k, "completion": completion.replace("-", " ")}
        rows += [names | row for row in labelled]
    return pd.DataFrame(rows)


def _mdav_rows(
    ratings: sparse.csr_array,
    scale: tuple[float, float],
    units: Mapping[str, float],
    completion: str,
    k: int,
) -> list[Row]:
    release = microaggregate(ratings, k, impute=completion, rating_range=scale, leftover="closest")
    errors = [{"quantity": name, "value": release.sse * unit} for name, unit in units.items()]
    return errors + [{"quantity": "dr"} | row for row in linkage_rows(release)]


def linkage_rows(release: Microaggregated) -> list[Row]:
    """Disclosure risk in per cent in both directions and under both rules for ties."""
    rows = []
    for (linkage, direction), (ties, rule) in product(DIRECTIONS.items(), TIES.items()):
        risks = disclosure_risk(
            release.completed, release.protected, direction=direction, ties=rule
        )
        row = risk_in_per_cent(risks, release.labels)
        if rule == "first":  # no chance in it
            del row["sd"]
        rows.append({"linkage": linkage, "ties": ties} | row)
    return rows


def risk_in_per_cent(risks: np.ndarray, labels: np.ndarray) -> dict[str, Any]:
    """Mean risk, and the spread of the share of hits over the order of equal rows.

    Of equal rows a program finds the same one for all who point there, so a group has one hit or
    none: one with probability q, the sum of the risks of its members.
    """
    hits = np.bincount(labels, weights=risks)
    spread = np.sqrt(np.maximum(hits * (1 - hits), 0).sum()) / len(risks)
    return {"value": 100 * float(risks.mean()), "sd": 100 * float(spread)}


# Table 2: Gaussian noise as it is described.


def movielens_noise(movielens: Dataset, *, rng: Rng = None, runs: int = 20) -> pd.DataFrame:
    """Error and disclosure risk of noise on MovieLens for the columns of Table 2."""
    units = {"sse": 1e-3, "sse exact": 1.0}
    return _table_2(movielens.ratings, paper.MOVIELENS_SCALE, units, noise_seeds(rng, runs))


def jester_noise(jester: Dataset, *, rng: Rng = None, runs: int = 5) -> pd.DataFrame:
    """Error and disclosure risk of noise on Jester for the columns of Table 2."""
    units = _jester_units(jester)
    return _table_2(jester.ratings, paper.JESTER_SCALE, units, noise_seeds(rng, runs))


def _table_2(
    ratings: sparse.csr_array,
    scale: tuple[float, float],
    units: Mapping[str, float],
    seeds: np.ndarray,
) -> pd.DataFrame:
    """Rows of each column; and the share that the scale leaves of the error of the noise."""
    prepared = prepare(ratings, impute="midpoint", rating_range=scale)
    variance = len(prepared.completed) * float(np.square(prepared.deviations).sum())
    rows: list[Row] = []
    for place, draws in over_sigmas(prepared, seeds, "noise", linkage=DIRECTIONS):
        errors = np.array(draws["sse"])
        named: list[tuple[Row, Any]] = [
            ({"quantity": name, "completion": "midpoint"}, errors * unit)
            for name, unit in units.items()
        ]
        named += [
            ({"quantity": "dr", "completion": "midpoint", "linkage": name}, draws[name])
            for name in DIRECTIONS
        ]
        uncut = place["sigma"] ** 2 * variance
        named.append(({"quantity": "share of noise left"}, errors / uncut))
        rows += [place | names | mean_of_runs(values) for names, values in named]
    return pd.DataFrame(rows)


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
    linkage: Collection[str] = (),
    **options: Any,
) -> dict[str, list[float]]:
    """Protect the same ratings once per seed and measure each release."""
    measured: dict[str, list[float]] = {name: [] for name in ("sse", *linkage)}
    for seed in seeds:
        noisy = add_noise(prepared, sigma=sigma, rng=int(seed), **options)
        measured["sse"].append(noisy.sse)
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
    ratings = movielens.ratings.data
    completed = complete(movielens.ratings, impute="midpoint", rating_range=paper.MOVIELENS_SCALE)
    standard = standardise(completed)
    varied = standard.deviations > 0
    values = {
        "movielens users": users,
        "movielens films": films,
        "movielens ratings": len(ratings),
        "movielens lowest": ratings.min(),
        "movielens highest": ratings.max(),
        "movielens cells": users * films,
        "movielens empty": 100 * (1 - len(ratings) / (users * films)),
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


# Conventions and rules held against the print and the data: noise, leftovers, homogeneity.


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
