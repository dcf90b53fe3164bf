"""Tables 1 and 3, Figures 3, 5 and 6: what the paper's recipe keeps of one table."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd

from pplab.anonymity.mondrian import mondrian
from pplab.checks import as_rng, check_integer
from pplab.datasets import Dataset, block_model
from pplab.experiments.finding import statement_rows
from pplab.experiments.smooth import paper
from pplab.experiments.smooth.copies_statements import about_curves, about_settings, values_of
from pplab.experiments.smooth.recipe import ASSIGNMENTS, CUT, Recipe, equal_epsilon, runs_of

__all__ = [
    "copies",
    "copies_adult",
    "copies_dblp",
    "copies_playstore",
    "copies_stanford",
    "copies_stochastic",
]

FEW = 3  # runs on large graphs, where the paper has ten; --full has as many
Rng = int | np.random.Generator | None


def copies_stochastic(*, rng: Rng = None, repetitions: int = paper.REPETITIONS) -> pd.DataFrame:
    """Copies of a draw of the block model."""
    drawing, running = as_rng(rng).spawn(2)
    table = block_model(**paper.BLOCK_MODEL, rng=drawing).biadjacency
    return copies("stochastic", table, rng=running, repetitions=repetitions)


def copies_adult(
    adult: Dataset, *, rng: Rng = None, repetitions: int = paper.REPETITIONS
) -> pd.DataFrame:
    """Copies of adult, whose attributes Mondrian may use."""
    return copies("adult", adult.biadjacency, adult.users, rng=rng, repetitions=repetitions)


def copies_playstore(
    playstore: Dataset, *, rng: Rng = None, repetitions: int = paper.REPETITIONS
) -> pd.DataFrame:
    """Copies of playstore in our encoding."""
    table, attributes = playstore.biadjacency, playstore.users
    return copies("playstore", table, attributes, rng=rng, repetitions=repetitions)


def copies_dblp(dblp: Dataset, *, rng: Rng = None, repetitions: int = FEW) -> pd.DataFrame:
    """Copies of a co-authorship graph."""
    return copies("dblp", dblp.biadjacency, rng=rng, repetitions=repetitions, with_mondrian=False)


def copies_stanford(stanford: Dataset, *, rng: Rng = None, repetitions: int = FEW) -> pd.DataFrame:
    """Copies of a web graph."""
    return copies(
        "stanford", stanford.biadjacency, rng=rng, repetitions=repetitions, with_mondrian=False
    )


def copies(
    name: str,
    biadjacency: Any,
    attributes: pd.DataFrame | None = None,
    *,
    rng: Rng = None,
    repetitions: int = paper.REPETITIONS,
    with_mondrian: bool = True,
) -> pd.DataFrame:
    """Anonymize one table at every k by smooth anonymity, suppression and Mondrian.

    Parameters
    ----------
    name : str
        The paper's name of the data, for the statements.
    biadjacency : csr_array of ones, shape (rows, items)
    attributes : DataFrame, optional
        The attributes behind the columns, one value per row, for Mondrian.
    rng : int, Generator or None
        Seed or generator.
    repetitions : int, default 10
        Runs of the recipe at each k, at least 2.
    with_mondrian : bool, default True
        Whether Mondrian runs, too; it looks at rows x items cells.

    Returns
    -------
    DataFrame
        Shares in per cent (quantity, method, k, reading, value, se, sd), what follows from them,
        and statements.
    """
    check_integer("repetitions", repetitions, minimum=2)
    running, spreading = as_rng(rng).spawn(2)
    recipe = Recipe(biadjacency)
    runs = runs_of(recipe, rng=running, repetitions=repetitions)
    fixed = _mondrian(recipe, attributes) if with_mondrian else pd.DataFrame()
    density = recipe.table.nnz / (recipe.table.shape[0] * recipe.table.shape[1])
    found = about_curves(name, runs, fixed)
    found |= about_settings(name, recipe, spreading, repetitions)
    parts = [
        statement_rows(found),
        _shares(runs, repetitions),
        _shares(fixed, 1),
        _spreads(runs, repetitions),
    ]
    parts += [_equal_epsilons(runs, density), _saved(runs)]
    if with_mondrian:
        parts.append(_ratios(runs, fixed))
    return pd.concat(parts, ignore_index=True)


def _mondrian(recipe: Recipe, attributes: pd.DataFrame | None) -> pd.DataFrame:
    """Mondrian draws nothing: one run at each k for each form of the table."""
    forms: dict[str, Any] = {"columns": recipe.table}
    if attributes is not None:
        forms["attributes"] = attributes
    rows = [
        {"k": k, "repetition": 0, "method": "mondrian", "reading": f"{form}, {cut}"}
        | recipe.shares(mondrian(table, k, cut=cut), "all")
        for form, table in forms.items()
        for cut in ("median", "balanced")  # the program that the paper names has the first
        for k in paper.K
    ]
    return pd.DataFrame(rows)


def _shares(runs: pd.DataFrame, repetitions: int) -> pd.DataFrame:
    """Means over runs; the printed side is a mean over ten runs, too."""
    rows = []
    for (method, k, reading), group in _groups(runs, ["method", "k", "reading"]):
        for quantity in ("jaccard", "suppressed", "created"):
            spread = float(group[quantity].std(ddof=1)) if repetitions > 1 else 0.0
            row = {"quantity": quantity, "method": method, "k": k, "reading": reading}
            errors = {"se": spread / repetitions**0.5, "sd": spread / paper.REPETITIONS**0.5}
            rows.append(row | {"value": float(group[quantity].mean())} | errors)
    return pd.DataFrame(rows)


def _groups(runs: pd.DataFrame, keys: list[str]) -> Any:
    return runs.groupby(keys, sort=False) if len(runs) else ()


def _spreads(runs: pd.DataFrame, repetitions: int) -> pd.DataFrame:
    """Largest standard deviation over k, with what ours and one of ten runs may be off by."""
    half = runs[~runs["reading"].str.endswith("half dropped")]
    half = half.assign(reading=half["reading"].str.replace(", half kept", ""))
    rows = []
    for (method, reading), group in _groups(half, ["method", "reading"]):
        largest = float(group.groupby("k")["jaccard"].std(ddof=1).max())
        row = {"quantity": "largest sd", "method": method, "reading": reading, "value": largest}
        errors = {
            name: largest / (2 * (count - 1)) ** 0.5
            for name, count in (("se", repetitions), ("sd", paper.REPETITIONS))
        }
        rows.append(row | errors)
    return pd.DataFrame(rows)


def _equal_epsilons(runs: pd.DataFrame, density: float) -> pd.DataFrame:
    """Epsilon at which randomized response has the mean similarity of k."""
    smooth = runs[runs["method"] == "smooth"]
    rows = []
    for (k, reading), group in _groups(smooth, ["k", "reading"]):
        value = equal_epsilon(float(group["jaccard"].mean()), density)
        row = {"quantity": "epsilon of equal similarity", "k": k, "reading": reading}
        rows.append(row | {"value": value, "se": 0.0, "sd": 0.0})
    return pd.DataFrame(rows)


def _saved(runs: pd.DataFrame) -> pd.DataFrame:
    """Entries that suppression loses and smooth anonymity does not, on the same clusters."""
    rows = []
    for name, cut in itertools.product(ASSIGNMENTS, ("", f", {CUT}")):
        of = {
            method: values_of(runs, method, f"{reading}{cut}", paper.K_TABLE, "suppressed")
            for method, reading in (("smooth", f"{name}, half kept"), ("non-smooth", name))
        }
        gap = of["non-smooth"] - of["smooth"]
        row: dict[str, Any] = {"quantity": "suppressed saved", "reading": f"{name}{cut}"}
        row["value"] = float(gap.mean())
        spread = float(gap.std(ddof=1))
        errors = {"se": spread / len(gap) ** 0.5, "sd": spread / paper.REPETITIONS**0.5}
        rows.append(row | errors)
    return pd.DataFrame(rows)


def _ratios(runs: pd.DataFrame, fixed: pd.DataFrame) -> pd.DataFrame:
    """Similarity over that of the best baseline."""
    form = fixed["reading"].iloc[0]
    rows = []
    for name, k in itertools.product(ASSIGNMENTS, paper.K):
        smooth = values_of(runs, "smooth", f"{name}, half kept", k)
        baselines = (values_of(runs, "non-smooth", name, k), values_of(fixed, "mondrian", form, k))
        best = max(float(baseline.mean()) for baseline in baselines)
        ratio = smooth / best
        row = {"quantity": "ratio to the best baseline", "k": k, "reading": f"{name}, half kept"}
        spread = float(ratio.std(ddof=1))
        errors = {"se": spread / len(ratio) ** 0.5, "sd": spread / paper.REPETITIONS**0.5}
        rows.append(row | {"value": float(ratio.mean())} | errors)
    return pd.DataFrame(rows)
