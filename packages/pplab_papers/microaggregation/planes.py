"""Figures 5 and 6 and Table 3: error, disclosure risk and prediction error of MDAV and noise.

`planes_movielens` and `planes_jester` measure the points of the curves and what is said of them;
`jester_users` asks how the risk goes with the number of users. Casino et al. 2015,
doi 10.1016/j.jcss.2014.12.013.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from scipy import sparse
from tqdm.auto import tqdm

from claimbook.part import Rng, mean_of_runs
from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.datasets.splits import holdout_cells, holdout_users
from pplab.microaggregation.microaggregate import complete, microaggregate
from pplab.microaggregation.noise import gaussian_noise, prepare
from pplab.recommenders.neighbours import predict_from_nearest
from pplab.tables import as_table
from pplab_papers.microaggregation import paper
from pplab_papers.microaggregation.tables import DIRECTIONS, TIES, linkage_rows, noise_runs

DENSITIES = (1, 0.5, 0.25)  # shares of the ratings that are kept
SAMPLES = (25, 5, 1)  # all users over this many
_LOW = 2 - 0.25  # the low values of sigma
SHARE = 0.2  # held out
Row = dict[str, Any]
Scale = tuple[float, float]
Ratings: TypeAlias = sparse.csr_array | np.ndarray
Protect = Callable[[Any, int], np.ndarray]  # ratings and a seed -> protected table
Errors = dict[str, list[float]]  # split -> MAE per seed
Name = tuple[str, ...]  # sse, dr and its world, mae and its split
Curves = Mapping[str, Mapping[Name, np.ndarray]]  # method -> name -> a value per setting


def planes_movielens(
    movielens: Dataset, *, rng: Rng = None, runs: int = 5, splits: int = 20
) -> pd.DataFrame:
    """Measure both methods on MovieLens: Figures 5 and 6, and Table 3 with more splits."""
    settings = _settings(paper.K, paper.SIGMA)
    scale = paper.MOVIELENS_SCALE
    return _planes(movielens.ratings, "movielens", scale, settings, rng, runs, splits)


def planes_jester(
    jester: Dataset, movielens: Dataset, *, rng: Rng = None, runs: int = 5
) -> pd.DataFrame:
    """Measure both methods on Jester, at some of the settings of Tables 1 and 2.

    How fast noise affects the predictions is measured on MovieLens, too.
    """
    settings = _settings(paper.K_FEW, paper.SIGMA_FEW)
    rows = _planes(jester.ratings, "jester", paper.JESTER_SCALE, settings, rng, runs, runs)
    slopes = rows[rows["quantity"] == "slope at low sigma"]
    jester_rows = slopes.assign(quantity="pace", data="jester")
    jester_rows[["value", "se"]] *= _LOW / (paper.JESTER_SCALE[1] - paper.JESTER_SCALE[0])
    seeds = as_rng(rng).integers(2**31, size=runs).tolist()
    movielens_pace = _pace(movielens.ratings, paper.MOVIELENS_SCALE, seeds)
    return pd.concat([rows, jester_rows, movielens_pace], ignore_index=True)


def _pace(ratings: sparse.csr_array, scale: Scale, seeds: Sequence[int]) -> pd.DataFrame:
    """Growth of the MAE from sigma = 0.25 to 2, as a share of the width of the scale."""
    low, high = (prediction_errors(ratings, "noise", s, scale, seeds) for s in (0.25, 2.0))
    width = scale[1] - scale[0]
    growth = {split: np.subtract(high[split], low[split]) / width for split in low}
    head = {"quantity": "pace", "data": "movielens"}
    return pd.DataFrame([head | {"split": s} | mean_of_runs(each) for s, each in growth.items()])


def _settings(ks: Sequence[float], sigmas: Sequence[float]) -> list[tuple[str, float]]:
    return [("mdav", float(k)) for k in ks] + [("noise", float(sigma)) for sigma in sigmas]


def _planes(
    ratings: sparse.csr_array,
    data: str,
    scale: Scale,
    settings: list[tuple[str, float]],
    rng: Rng,
    runs: int,
    splits: int,
) -> pd.DataFrame:
    check_integer("runs", runs, minimum=2)
    check_integer("splits", splits, minimum=runs)
    seeds = as_rng(rng).integers(2**31, size=splits).tolist()
    table_3 = dict(zip(("mdav", "noise"), paper.TABLE_3[data], strict=True))
    curves: dict[str, dict[Name, list[Sequence[float]]]] = {"mdav": {}, "noise": {}}
    rows: list[Row] = []
    at_table_3: dict[str, Errors] = {}
    for method, parameter in tqdm(settings, desc=f"planes, {data}"):
        compared = parameter == table_3[method]
        chosen = seeds[: splits if compared else runs]
        errors = prediction_errors(ratings, method, parameter, scale, chosen)
        if compared:
            at_table_3[method] = {split: values[:runs] for split, values in errors.items()}
            rows += [
                {"quantity": "mae", "release": method, "split": split} | mean_of_runs(values)
                for split, values in errors.items()
            ]
        draws = _release(ratings, method, parameter, scale, seeds[:runs])
        draws |= {("mae", split): values[:runs] for split, values in errors.items()}
        rows += _points(method, parameter, draws)
        for name, values in draws.items():
            curves[method].setdefault(name, []).append(values)
    parameters = {way: np.array([p for m, p in settings if m == way]) for way in curves}
    arrays = {way: {n: np.array(v) for n, v in named.items()} for way, named in curves.items()}
    rows += jackknifed(arrays, partial(_curves, parameters))
    rows += _quality(ratings, table_3["mdav"], scale, seeds[:runs], at_table_3["mdav"])
    return pd.DataFrame(rows)


def _release(
    ratings: sparse.csr_array, method: str, parameter: float, scale: Scale, seeds: Sequence[int]
) -> dict[Name, Sequence[float]]:
    """Error, and risk in per cent in each world, of each draw; groups are no draw."""
    if method == "noise":
        prepared = prepare(ratings, impute="midpoint", rating_range=scale)
        noisy = noise_runs(prepared, sigma=parameter, seeds=seeds, linkage=DIRECTIONS)
        keys = product(DIRECTIONS, TIES)
        return {("sse",): noisy["sse"], **{("dr", *key): noisy[key[0]] for key in keys}}
    release = microaggregate(ratings, int(parameter), rating_range=scale)
    of_draw: dict[Name, float] = {("sse",): release.sse}
    of_draw |= {("dr", r["linkage"], r["ties"]): r["value"] for r in linkage_rows(release)}
    return {name: [value] * len(seeds) for name, value in of_draw.items()}


def _points(method: str, parameter: float, draws: Mapping[Name, Sequence[float]]) -> list[Row]:
    """A point of the planes for each direction of linkage, with cells held out."""
    rows = []
    for linkage in DIRECTIONS:
        names = {
            "sse": ("sse",),
            "dr": ("dr", linkage, "at random"),
            "mae": ("mae", "cells held out, rated cells scored"),
        }
        means = {column: mean_of_runs(draws[name]) for column, name in names.items()}
        rows.append(
            {"method": method, "parameter": parameter, "linkage": linkage}
            | {column: mean["value"] for column, mean in means.items()}
            | {f"{column}_se": mean["se"] for column, mean in means.items()}
        )
    return rows


def jackknifed(curves: Curves, measure: Callable[[Curves], list[Row]]) -> list[Row]:
    """Rows of the mean curves, with a standard error from leaving out one run after another.

    Examples
    --------
    >>> curves = {"noise": {("sse",): np.array([[1.0, 3.0]])}}
    >>> jackknifed(curves, lambda means: [{"value": float(means["noise"]["sse",][0])}])
    [{'value': 2.0, 'se': 1.0, 'runs': 2}]
    """
    runs = next(iter(curves["noise"].values())).shape[1]

    def means(which: np.ndarray) -> Curves:
        return {
            way: {name: values[:, which].mean(axis=1) for name, values in named.items()}
            for way, named in curves.items()
        }

    every = np.arange(runs)
    rows = measure(means(every))
    parts = [measure(means(np.delete(every, run))) for run in every]
    values = np.array([[row["value"] for row in part] for part in parts])
    errors = np.sqrt((runs - 1) * values.var(axis=0))
    return [
        row | {"se": float(error), "runs": runs} for row, error in zip(rows, errors, strict=True)
    ]


def _curves(parameters: Mapping[str, np.ndarray], means: Curves) -> list[Row]:
    """Numbers behind the sentences on Figures 5 and 6: risks in common, slopes and steps."""
    splits = [name[1] for name in means["mdav"] if name[0] == "mae"]
    rows: list[Row] = []
    for linkage, ties in product(DIRECTIONS, TIES):
        world: Row = {"linkage": linkage, "ties": ties}
        at = {
            (way, name): at_risk(named["dr", linkage, ties], named[name])
            for way, named in means.items()
            for name in [("sse",), *(("mae", split) for split in splits)]
        }
        for way in means:
            options = world | {"release": way}
            if way == "noise":  # no records with noise are equal
                if ties != "at random":
                    continue
                del options["ties"]
            rows += [
                options | {"quantity": "sse at risk", "risk": risk, "value": value}
                for risk, value in zip(paper.RISKS, at[way, ("sse",)], strict=True)
            ]
            for split in splits:
                shape = _shape(at[way, ("mae", split)])
                rows += [
                    options
                    | {"quantity": "distance of shapes", "split": split, "against": name}
                    | {"value": float(np.abs(shape - other).max())}
                    for name, other in (("sse", _shape(at[way, ("sse",)])), ("no growth", 0.0))
                ]
        for split in splits:
            gaps = at["mdav", ("mae", split)] - at["noise", ("mae", split)]
            rows += [
                world | {"quantity": "mae gap at risk", "split": split, "risk": r, "value": gap}
                for r, gap in zip(paper.RISKS, gaps, strict=True)
            ]
    for split in splits:
        rows += [{"split": split} | row for row in _slopes(parameters, means, split)]
    return rows


def _slopes(parameters: Mapping[str, np.ndarray], means: Curves, split: str) -> list[Row]:
    """Slopes of the MAE in k, and in sigma."""
    labelled = parameters["mdav"] <= paper.K_LABELS[-1]
    k, mae = parameters["mdav"][labelled], means["mdav"]["mae", split][labelled]
    line = np.polyfit(k, mae, 1)
    by_sigma = dict(zip(parameters["noise"], means["noise"]["mae", split], strict=True))
    facts = {
        "slope in k": line[0],
        "left by a line in k": (mae - np.polyval(line, k)).var() / mae.var(),
        "slope at low sigma": (by_sigma[2.0] - by_sigma[0.25]) / _LOW,
        "slope at high sigma": (by_sigma[50.0] - by_sigma[10.0]) / 40,
    }
    steps = zip(parameters["noise"][1:], np.diff([*by_sigma.values()]), strict=True)
    return [{"quantity": name, "value": value} for name, value in facts.items()] + [
        {"quantity": "step of the mae in sigma", "sigma": sigma, "value": step}
        for sigma, step in steps
    ]


def at_risk(risks: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Values of a curve at each of the risks in common, on straight lines between its points.

    Beyond the points their ends count.

    Examples
    --------
    >>> at_risk(np.array([40.0, 20.0]), np.array([1.0, 3.0]))
    array([2., 3., 3., 3., 3., 3.])
    """
    order = np.argsort(risks, kind="stable")
    return np.interp(paper.RISKS, risks[order], values[order])


def _shape(values: np.ndarray) -> np.ndarray:
    """A curve from 0 at the first of the risks in common to 1 at the last."""
    return (values - values[0]) / (values[-1] - values[0])


def _quality(
    ratings: sparse.csr_array, k: float, scale: Scale, seeds: Sequence[int], denser: Errors
) -> list[Row]:
    """MAE of MDAV (``denser``) against that without protection or users, and with fewer ratings."""
    errors = {
        method: prediction_errors(ratings, method, k, scale, seeds)
        for method in ("none", "midpoint", "item means", "completed item means")
    }
    rows: list[Row] = []
    for split, mae in denser.items():
        means = "completed item means" if "all cells" in split else "item means"
        bare, middle, by_means = (errors[way][split] for way in ("none", "midpoint", means))
        ratios = {
            ("mae over that without protection", "mdav"): (mae, bare),
            ("mae over that of item means", "mdav"): (mae, by_means),
            ("mae over that of item means", "midpoint"): (middle, by_means),
        }
        rows += [
            {"quantity": name, "release": way, "split": split}
            | mean_of_runs(np.divide(above, below))
            for (name, way), (above, below) in ratios.items()
        ]
    for share in DENSITIES[1:]:
        sparser: Errors = {}
        for seed in seeds:
            kept = holdout_cells(ratings, share=1 - share, rng=seed).training
            for split, values in prediction_errors(kept, "mdav", k, scale, [seed]).items():
                sparser.setdefault(split, []).extend(values)
        rows += [
            {"quantity": "mae added by thinning", "share": share, "split": split}
            | mean_of_runs(np.subtract(values, denser[split]))
            for split, values in sparser.items()
        ]
        denser = sparser
    return rows


def jester_users(jester: Dataset, *, rng: Rng = None, runs: int = 5) -> pd.DataFrame:
    """Disclosure risk for more and more users of Jester, drawn anew in each run."""
    check_integer("runs", runs, minimum=2)
    generator = as_rng(rng)
    everyone = jester.ratings.shape[0]
    rows: list[Row] = []
    for part in tqdm(SAMPLES, desc="users"):
        measured: dict[Any, list[float]] = {}
        size = everyone // part
        for _ in range(runs):
            ratings = jester.ratings[np.sort(generator.choice(everyone, size=size, replace=False))]
            seeds = generator.integers(2**31, size=1).tolist()
            for method, parameter in _settings((2, 9), (2,)):
                draws = _release(ratings, method, parameter, paper.JESTER_SCALE, seeds)
                for linkage in DIRECTIONS:
                    risk = draws["dr", linkage, "at random"]
                    measured.setdefault((method, parameter, linkage), []).extend(risk)
        rows += [
            {"quantity": "dr", "users": size, "method": method, "parameter": parameter}
            | {"linkage": linkage}
            | mean_of_runs(values)
            for (method, parameter, linkage), values in measured.items()
        ]
    return pd.DataFrame(rows)


# How well the nearest protected user predicts ratings, under each meaning of 80 and 20 %.


def protector(method: str, parameter: float, scale: Scale) -> Protect:
    """Give a function that protects ratings by MDAV with k, noise with sigma, or not at all.

    Or that publishes one row for all: the middle of the scale, the mean of each item's ratings
    (the middle where it has none), or the mean of its completed ratings.
    """

    def completed(ratings: Any) -> np.ndarray:
        return complete(ratings, impute="midpoint", rating_range=scale)

    def item_means(ratings: Any) -> np.ndarray:
        table = as_table(ratings, rating_range=scale)
        counts = np.count_nonzero(~np.isnan(table), axis=0)
        return np.where(counts, np.nansum(table, axis=0) / np.maximum(counts, 1), sum(scale) / 2)

    def everywhere(row: Callable[[Any], np.ndarray]) -> Protect:
        return lambda ratings, _: row(ratings)[None]

    ways: dict[str, Protect] = {
        "none": lambda ratings, _: completed(ratings),
        "midpoint": everywhere(lambda ratings: np.full(ratings.shape[1], sum(scale) / 2)),
        "item means": everywhere(item_means),
        "completed item means": everywhere(lambda ratings: completed(ratings).mean(axis=0)),
        "mdav": lambda ratings, _: (
            microaggregate(ratings, int(parameter), rating_range=scale).protected
        ),
        "noise": lambda ratings, seed: (
            gaussian_noise(ratings, sigma=parameter, rating_range=scale, rng=seed).protected
        ),
    }
    return ways[method]


def cells_held_out(
    ratings: Ratings, protect: Protect, scale: Scale, *, seed: int
) -> dict[str, float]:
    """Hide a fifth of the ratings, protect the rest, predict from each user's nearest row.

    Where all cells are scored, a fifth of the empty cells is held out too, their truth being the
    midpoint that fills them: given is the mean over which fifth.
    """
    split, noise = _two_seeds(seed)
    parts = holdout_cells(ratings, share=SHARE, rng=split)
    queries = complete(parts.training, impute="midpoint", rating_range=scale)
    values = predict_from_nearest(protect(parts.training, noise), queries).predicted
    hidden = np.abs(values[parts.rows, parts.columns] - parts.ratings)
    empty = np.abs(values - sum(scale) / 2)[np.isnan(as_table(ratings, rating_range=scale))]
    both = (hidden.sum() + SHARE * empty.sum()) / (len(hidden) + SHARE * len(empty))
    return {
        "cells held out, rated cells scored": float(hidden.mean()),
        "cells held out, all cells scored": float(both),
    }


def users_held_out(
    ratings: Ratings, protect: Protect, scale: Scale, *, seed: int
) -> dict[str, float]:
    """Protect four fifths of the users, predict the others from their nearest protected row."""
    split, noise = _two_seeds(seed)
    training, test = holdout_users(ratings.shape[0], share=SHARE, rng=split)
    protected = protect(ratings[training], noise)
    others = ratings[test]
    # the completion of one user does not depend on the others: the midpoint fills the gaps
    filled = complete(others, impute="midpoint", rating_range=scale)
    rated = ~np.isnan(as_table(others, rating_range=scale))
    by_all = np.abs(predict_from_nearest(protected, filled).predicted - filled)
    by_rated = np.abs(predict_from_nearest(protected, others, cells="rated").predicted - filled)
    return {
        "users held out, rated cells scored": float(by_all[rated].mean()),
        "users held out, all cells scored": float(by_all.mean()),
        "users held out, nearest by rated cells, rated cells scored": float(by_rated[rated].mean()),
    }


def prediction_errors(
    ratings: Ratings, method: str, parameter: float, scale: Scale, seeds: Iterable[int]
) -> dict[str, list[float]]:
    """MAE under each meaning of the split, a value per seed."""
    protect = protector(method, parameter, scale)
    errors: dict[str, list[float]] = {}
    for seed in seeds:
        for experiment in (cells_held_out, users_held_out):
            for reading, error in experiment(ratings, protect, scale, seed=seed).items():
                errors.setdefault(reading, []).append(error)
    return errors


def _two_seeds(seed: int) -> list[int]:
    """One for the split, one for the noise."""
    return np.random.default_rng(seed).integers(2**31, size=2).tolist()
