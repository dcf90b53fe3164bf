"""Conventions and rules held against the print and the data: noise, leftovers, homogeneity.

`noise_conventions` searches for a convention under which the noise table of MovieLens would come
out, and `limits_without_noise` for one that leaves an error as sigma goes to 0; the leftover parts
count over every k whether the changed rule for the last records does better; `homogeneity` counts
what k-anonymous ratings give away all the same. Casino et al. 2015,
doi 10.1016/j.jcss.2014.12.013.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from pplab.attacks.homogeneity import homogeneous_cells, revealed_by_mean
from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.metrics.error import within_group_sse
from pplab.microaggregation.mdav import mdav
from pplab.microaggregation.microaggregate import IMPUTATIONS, complete, microaggregate, standardise
from pplab.microaggregation.noise import prepare
from pplab.papers.microaggregation import paper
from pplab.papers.microaggregation.tables import DIRECTIONS, noise_runs
from pplab.papers.part import Finding, listed, mean_of_runs, statement_rows
from pplab.tables import as_table

CHOICES = ["impute", "rounding", "truncation", "scale"]
ROUNDINGS: dict[str, Any] = {"not rounded": None, "rounded": "nearest", "rounded down": "down"}
TRUNCATIONS = {"truncated": True, "not truncated": False}
SCALES = {"noise on z-scores": "z-scores", "noise on ratings": "ratings"}


def noise_conventions(
    movielens: Dataset, *, rng: int | np.random.Generator | None = None, runs: int = 2
) -> pd.DataFrame:
    """Run every convention at every sigma and hold it against the printed table.

    Parameters
    ----------
    movielens : Dataset
        All ratings.
    rng : int, Generator or None
        Seed or generator; each convention sees the same draws.
    runs : int, default 2
        Draws of noise behind each error, at least 2; records are linked in the first run only.

    Returns
    -------
    DataFrame
        A row per convention and sigma (impute, rounding, truncation, scale, sigma, sse and its
        sd in thousands, printed, and the disclosure risk in both directions in per cent); a row
        per convention with its misfits (value: the largest |ln(ours / printed)| over the columns;
        worst_rated: the same for errors summed over rated cells alone); rows for the limit without
        noise; and the statement.
    """
    check_integer("runs", runs, minimum=2)
    seeds = as_rng(rng).integers(2**31, size=(len(paper.SIGMA), runs))
    rated = ~np.isnan(as_table(movielens.ratings, rating_range=paper.MOVIELENS_SCALE))
    rows: list[dict[str, Any]] = []
    ways = [*product(ROUNDINGS, TRUNCATIONS, SCALES)]
    steps = tqdm(total=len(IMPUTATIONS) * len(ways) * len(paper.SIGMA), desc="conventions")
    for impute in IMPUTATIONS:
        prepared = prepare(movielens.ratings, impute=impute, rating_range=paper.MOVIELENS_SCALE)
        for rounding, truncation, scale in ways:
            options = {"rounding": ROUNDINGS[rounding], "truncate": TRUNCATIONS[truncation]}
            options["scale"] = SCALES[scale]
            chosen = (impute.replace("-", " "), rounding, truncation, scale)
            names = dict(zip(CHOICES, chosen, strict=True))
            for column, sigma in enumerate(paper.SIGMA):
                first = noise_runs(
                    prepared,
                    sigma=sigma,
                    seeds=seeds[column][:1],
                    linkage=DIRECTIONS,
                    rated=rated,
                    **options,
                )
                others = noise_runs(
                    prepared, sigma=sigma, seeds=seeds[column][1:], rated=rated, **options
                )
                errors = {name: first[name] + others[name] for name in ("sse", "sse rated")}
                rows.append(names | _against_printed(column, sigma, errors, first))
                steps.update()
    steps.close()
    table = pd.DataFrame(rows)
    misfits = _misfits(table)
    limits = limits_without_noise(movielens)
    found = {"section-4:noise-table:described": _some_convention_fits(misfits)}
    return pd.concat([statement_rows(found), misfits, limits, table], ignore_index=True)


def limits_without_noise(movielens: Dataset) -> pd.DataFrame:
    """Error that is left when sigma goes to 0, if the two sides are completed differently.

    The printed errors stay near 246 thousand for small sigma, where noise alone gives a twentieth
    of that. A constant could come from comparing tables that were completed or rounded in two
    ways; each pair is tried.

    Parameters
    ----------
    movielens : Dataset
        All ratings.

    Returns
    -------
    DataFrame
        Columns quantity ("limit"), reference and protected (how each side is completed and
        rounded) and value, in thousands.
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


def _against_printed(
    column: int, sigma: float, drawn: dict[str, list[float]], linked: dict[str, list[float]]
) -> dict[str, Any]:
    error = mean_of_runs(np.array(drawn["sse"]) / 1e3)
    return {
        "quantity": "sse",
        "column": column + 1,
        "sigma": float(sigma),
        "value": error["value"],
        "sd": error["sd"],
        "rated": float(np.mean(drawn["sse rated"])) / 1e3,
        "printed": paper.TABLE_2_SSE[column],
        "printed_dr": paper.TABLE_2_DR[column],
        **{name: linked[name][0] for name in DIRECTIONS},
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
        for name in DIRECTIONS:
            row[f"{name}, mean gap"] = float((group[name] - group["printed_dr"]).abs().mean())
        rows.append(row)
    return pd.DataFrame(rows).sort_values("value", ignore_index=True)


def _some_convention_fits(misfits: pd.DataFrame) -> Finding:
    columns = len(paper.SIGMA)
    best = misfits.iloc[0]
    rated = float(np.exp(misfits["worst_rated"].min()))
    most = int(misfits["columns_met"].max())
    return most == columns, (
        f"Of {len(misfits)} conventions none meets more than {most} of {columns} printed errors; "
        f"the closest ({best['impute']}, {best['rounding']}, {best['truncation']}, "
        f"{best['scale']}) is off by a factor of up to {np.exp(best['value']):.2f}; with errors "
        f"over rated cells alone the closest is off by up to {rated:.2f}."
        if most < columns
        else f"One of {len(misfits)} conventions meets all {columns} printed errors."
    )


# Does the changed rule for the last records always do better? Counted over every k.


TIE = 1e-9  # of the error: what counts as neither better nor worse


def leftover_movielens(movielens: Dataset, *, largest: int = 150) -> pd.DataFrame:
    """Compare the two leftover rules on MovieLens at every k.

    Parameters
    ----------
    movielens : Dataset
        All ratings.
    largest : int, default 150
        Last k.

    Returns
    -------
    DataFrame
        Two statements (statement, value, witness) and a row per k (k, gain: relative error saved
        by the changed rule on the rating scale).
    """
    table = complete(movielens.ratings, impute="midpoint", rating_range=paper.MOVIELENS_SCALE)
    return _judged(leftover_gains(table, largest=largest), "movielens")


def leftover_jester(jester: Dataset, *, largest: int = 150) -> pd.DataFrame:
    """Compare the two leftover rules on Jester at every k.

    Parameters
    ----------
    jester : Dataset
        As many parts of the data as there are.
    largest : int, default 150
        Last k.

    Returns
    -------
    DataFrame
        As for MovieLens.
    """
    table = complete(jester.ratings, impute="midpoint", rating_range=paper.JESTER_SCALE)
    return _judged(leftover_gains(table, largest=largest), "jester")


def leftover_gains(table: np.ndarray, *, largest: int = 150) -> pd.DataFrame:
    """Relative error that the changed rule saves, (classic - changed) / classic, at each k.

    Parameters
    ----------
    table : array, shape (users, items)
        Complete ratings; groups are made on z-scores, errors taken on the rating scale.
    largest : int, default 150
        Last k; the first is 2.

    Returns
    -------
    DataFrame
        Columns k, classic, changed (sums of squares) and gain.
    """
    scores = standardise(table).scores
    rows = []
    for k in tqdm(range(2, largest + 1), desc="leftover rules"):
        classic, changed = (
            within_group_sse(table, mdav(scores, k, leftover=rule)) for rule in ("group", "closest")
        )
        gain = (classic - changed) / classic
        rows.append({"k": k, "classic": classic, "changed": changed, "gain": gain})
    return pd.DataFrame(rows)


def _judged(gains: pd.DataFrame, data: str) -> pd.DataFrame:
    found = {
        f"section-4:leftover:{data}": _always_better(gains),
        f"section-4:leftover:large-k:{data}": _most_for_large(gains),
    }
    return pd.concat([statement_rows(found), gains], ignore_index=True)


def _always_better(gains: pd.DataFrame) -> Finding:
    wins, losses = (gains["gain"] > TIE).sum(), (gains["gain"] < -TIE).sum()
    ties = len(gains) - wins - losses
    best, worst = (gains.loc[where] for where in (gains["gain"].idxmax(), gains["gain"].idxmin()))
    return bool(wins == len(gains)), (
        f"Of {len(gains)} values of k the changed rule wins {wins}, loses {losses} and ties "
        f"{ties}; best {best['gain']:+.3%} of the error at k = {best['k']:g}, "
        f"worst {worst['gain']:+.3%} at k = {worst['k']:g}."
    )


def _most_for_large(gains: pd.DataFrame) -> Finding:
    small = gains.loc[gains["k"] <= 50, "gain"].mean()
    large = gains.loc[gains["k"] > 100, "gain"].mean()
    return bool(large > max(small, 0)), (
        f"Mean relative gain {small:+.4%} over k up to 50 and {large:+.4%} over k above 100."
    )


# What k-anonymous ratings of MovieLens give away all the same.


def homogeneity(movielens: Dataset) -> pd.DataFrame:
    """Count the ratings that group means give away, and check k on the published table.

    Parameters
    ----------
    movielens : Dataset
        All ratings.

    Returns
    -------
    DataFrame
        Two statements (statement, value, witness) and a row per k: k_achieved, revealed (true
        ratings that a mean at an end of the scale gives away), homogeneous (per cent of the
        ratings whose group's raters all agree).
    """
    scale = paper.MOVIELENS_SCALE
    truth = as_table(movielens.ratings, rating_range=scale)
    rows = []
    for k in tqdm(paper.K_LABELS, desc="homogeneity"):
        release = microaggregate(movielens.ratings, k, rating_range=scale)
        shown = revealed_by_mean(release.protected, rating_range=scale).revealed
        alike = homogeneous_cells(movielens.ratings, labels=release.labels, rating_range=scale)
        rows.append(
            {
                "k": k,
                "k_achieved": release.k_achieved,
                "revealed": int((shown == truth).sum()),
                "homogeneous": 100 * alike.share,
            }
        )
    table = pd.DataFrame(rows)
    found = {
        "section-4:attribute-disclosure:movielens": _nothing_revealed(table),
        "section-5:k-anonymous:movielens": _anonymous(table),
    }
    return pd.concat([statement_rows(found), table], ignore_index=True)


def _nothing_revealed(table: pd.DataFrame) -> Finding:
    told = listed(f"{row.revealed:,} at k = {row.k}" for row in table.itertuples())
    return bool((table["revealed"] == 0).all()), f"Ratings given away by a mean: {told}."


def _anonymous(table: pd.DataFrame) -> Finding:
    short = table[table["k_achieved"] < table["k"]]
    slack = (table["k_achieved"] - table["k"]).max()
    if len(short):
        return False, f"Fewer than k rows are equal at k = {listed(str(k) for k in short['k'])}."
    return True, f"The smallest class of equal rows has k to k + {slack} members at every k."
