"""Tables 1 and 3, Figures 3, 5 and 6: what the paper's recipe keeps of one table."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from pplab.checks import as_rng, check_integer
from pplab.datasets.blocks import block_model
from pplab.datasets.catalog import Dataset
from pplab.experiments.finding import statement_rows
from pplab.experiments.runs import mean_of_runs
from pplab.experiments.smooth import paper
from pplab.experiments.smooth.copies_statements import about_curves, about_settings, values_of
from pplab.experiments.smooth.recipe import ASSIGNMENTS, CUT, Recipe, equal_epsilon, runs_of
from pplab.smooth.mondrian import mondrian

__all__ = ["FEW", "copies"]

FEW = 3  # runs on large graphs, where the paper has ten; --full has as many


def copies(
    dataset: Dataset | None,
    *,
    name: str,
    mondrian_on: Sequence[str],
    rng: int | np.random.Generator | None = None,
    repetitions: int = paper.REPETITIONS,
) -> pd.DataFrame:
    """Anonymize one table at every k by smooth anonymity, suppression and Mondrian.

    Parameters
    ----------
    dataset : Dataset or None
        Its biadjacency matrix is anonymized; None: a draw of the block model.
    name : str
        The paper's name of the data, for the statements.
    mondrian_on : sequence of "columns" and "attributes"
        What Mondrian looks at: the columns (rows x items cells), and the attributes behind them,
        one value per row. It does not run where this is empty.
    rng : int, Generator or None
        Seed or generator.
    repetitions : int, default 10
        Runs of the recipe at each k, at least 2.

    Returns
    -------
    DataFrame
        Shares in per cent (quantity, method, k, reading, value, se, sd), what follows from them,
        and statements.
    """
    check_integer("repetitions", repetitions, minimum=2)
    generator = as_rng(rng)
    if dataset is None:
        drawing, generator = generator.spawn(2)
        dataset = block_model(**paper.BLOCK_MODEL, rng=drawing)
    running, spreading = generator.spawn(2)
    recipe = Recipe(dataset.biadjacency)
    runs = runs_of(recipe, rng=running, repetitions=repetitions)
    fixed = _mondrian(recipe, dataset.users, mondrian_on)
    density = recipe.table.nnz / (recipe.table.shape[0] * recipe.table.shape[1])
    found = about_curves(name, runs, fixed)
    found |= about_settings(name, recipe, spreading, repetitions)
    parts = [
        statement_rows(found),
        _shares(runs),
        _shares(fixed),
        _spreads(runs, repetitions),
    ]
    parts += [_equal_epsilons(runs, density), _saved(runs)]
    if mondrian_on:
        parts.append(_ratios(runs, fixed))
    return pd.concat(parts, ignore_index=True)


def _mondrian(recipe: Recipe, attributes: pd.DataFrame, looks_at: Sequence[str]) -> pd.DataFrame:
    """Mondrian draws nothing: one run at each k for each form of the table."""
    forms = {"columns": recipe.table, "attributes": attributes}
    rows = [
        {"k": k, "repetition": 0, "method": "mondrian", "reading": f"{form}, {cut}"}
        | recipe.shares(mondrian(forms[form], k, cut=cut), "all")
        for form in looks_at
        for cut in ("median", "balanced")  # the program that the paper names has the first
        for k in paper.K
    ]
    return pd.DataFrame(rows)


def _shares(runs: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for (method, k, reading), group in _groups(runs, ["method", "k", "reading"]):
        for quantity in ("jaccard", "suppressed", "created"):
            row = {"quantity": quantity, "method": method, "k": k, "reading": reading}
            rows.append(row | _mean(group[quantity].to_numpy()))
    return pd.DataFrame(rows)


def _mean(values: np.ndarray) -> dict[str, float]:
    """Mean over runs; the printed side is a mean over ten runs, too. One run draws nothing."""
    if len(values) == 1:
        return {"value": float(values[0]), "se": 0.0, "sd": 0.0}
    mean = mean_of_runs(values)
    return mean | {"sd": mean["sd"] / paper.REPETITIONS**0.5}


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
        row = {"quantity": "suppressed saved", "reading": f"{name}{cut}"}
        rows.append(row | _mean(of["non-smooth"] - of["smooth"]))
    return pd.DataFrame(rows)


def _ratios(runs: pd.DataFrame, fixed: pd.DataFrame) -> pd.DataFrame:
    """Similarity over that of the best baseline."""
    form = fixed["reading"].iloc[0]
    rows = []
    for name, k in itertools.product(ASSIGNMENTS, paper.K):
        smooth = values_of(runs, "smooth", f"{name}, half kept", k)
        baselines = (values_of(runs, "non-smooth", name, k), values_of(fixed, "mondrian", form, k))
        best = max(float(baseline.mean()) for baseline in baselines)
        row = {"quantity": "ratio to the best baseline", "k": k, "reading": f"{name}, half kept"}
        rows.append(row | _mean(smooth / best))
    return pd.DataFrame(rows)
