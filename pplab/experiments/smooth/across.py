"""What the paper says of its data sets against each other."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from pplab.checks import as_rng
from pplab.datasets.blocks import block_model
from pplab.datasets.catalog import Dataset
from pplab.experiments.finding import Finding, listed, statement_rows
from pplab.experiments.smooth import paper
from pplab.experiments.smooth.recipe import ASSIGNMENTS, Recipe, equal_epsilon, runs_of
from pplab.smooth.mondrian import mondrian
from pplab.theory.jaccard_law import jaccard_first_term

__all__ = ["across_data", "across_tables"]

EPSILONS = tuple(range(1, 13))
BETWEEN = 16  # the k at which the paper names the largest epsilon
LARGE = 64
MUCH = 3.0  # times: what counts as much more
TWICE = 2.0
_ARRIVAL = next(iter(ASSIGNMENTS))
_SMOOTH = f"{_ARRIVAL}, half kept"


def across_tables(
    adult: Dataset,
    playstore: Dataset,
    *,
    rng: int | np.random.Generator | None = None,
    repetitions: int = 2,
) -> pd.DataFrame:
    """Compare stochastic, adult and playstore.

    Parameters
    ----------
    adult, playstore : Dataset
    rng : int, Generator or None
        Seed or generator.
    repetitions : int, default 2
        Runs of the recipe at each k.

    Returns
    -------
    DataFrame
        Statements and means (data, method, k, value in per cent).
    """
    drawing, running = as_rng(rng).spawn(2)
    recipes = {
        "stochastic": Recipe(block_model(**paper.BLOCK_MODEL, rng=drawing).biadjacency),
        "adult": Recipe(adult.biadjacency),
        "playstore": Recipe(playstore.biadjacency),
    }
    means = _means(recipes, paper.K, running, repetitions)
    cuts = {
        (name, k): recipe.shares(mondrian(recipe.table, k, cut="median"), "all")["jaccard"]
        for name, recipe in recipes.items()
        for k in paper.K
    }
    ratios = {
        key: means[(*key, "smooth")] / max(means[(*key, "non-smooth")], cut)
        for key, cut in cuts.items()
    }
    best = max(ratios, key=lambda key: ratios[key])
    densities = {name: _density(recipe) for name, recipe in recipes.items()}
    levels = {
        name: [equal_epsilon(means[name, k, "smooth"], densities[name]) for k in paper.K]
        for name in ("adult", "playstore")
    }
    found = {
        "section-6:twice-in-some-cases": (
            ratios[best] >= TWICE,
            f"At most {ratios[best]:.2f} times, for {best[0]} at k = {best[1]}.",
        ),
        "figure-6:falls-with-k": (
            all(b < a for row in levels.values() for a, b in itertools.pairwise(row)),
            "; ".join(f"{n}: {listed(f'{e:.2f}' for e in row)}" for n, row in levels.items())
            + f" at k = {listed(str(k) for k in paper.K)}.",
        ),
    }
    pairs = (("adult", "stochastic"), ("stochastic", "playstore"))
    found |= _denser_better(densities, pairs)
    return pd.concat([statement_rows(found), _rows(means)], ignore_index=True)


def across_data(
    adult: Dataset,
    playstore: Dataset,
    dblp: Dataset,
    stanford: Dataset,
    *,
    rng: int | np.random.Generator | None = None,
    repetitions: int = 2,
) -> pd.DataFrame:
    """Compare all five data sets where one of the large graphs is among them.

    Parameters
    ----------
    adult, playstore, dblp, stanford : Dataset
        The last two, or the graphs that stand in for them.
    rng : int, Generator or None
        Seed or generator.
    repetitions : int, default 2
        Runs of the recipe on the two large graphs at each k; the tables have ten.

    Returns
    -------
    DataFrame
        Statements, the largest epsilon (quantity, value) and means (data, method, k, value).
    """
    drawing, running = as_rng(rng).spawn(2)
    recipes = {
        "stochastic": Recipe(block_model(**paper.BLOCK_MODEL, rng=drawing).biadjacency),
        "adult": Recipe(adult.biadjacency),
        "playstore": Recipe(playstore.biadjacency),
        "dblp": Recipe(dblp.biadjacency),
        "stanford": Recipe(stanford.biadjacency),
    }
    ks = (paper.K_TABLE, BETWEEN, LARGE)
    tables = {name: recipe for name, recipe in recipes.items() if name not in ("dblp", "stanford")}
    large = {name: recipe for name, recipe in recipes.items() if name not in tables}
    small_stream, large_stream = running.spawn(2)
    means = _means(tables, ks, small_stream, paper.REPETITIONS)
    means |= _means(large, ks, large_stream, repetitions)
    densities = {name: _density(recipe) for name, recipe in recipes.items()}
    graph = means["dblp", LARGE, "smooth"]
    found: dict[str, Finding] = {
        f"section-6:higher-than-dblp:{name}": (
            means[name, LARGE, "smooth"] > graph,
            f"{means[name, LARGE, 'smooth']:.1f} % against {graph:.1f} % at k = {LARGE}, means of "
            f"{paper.REPETITIONS} and {repetitions} runs.",
        )
        for name in ("stochastic", "adult", "playstore")
    }
    web, authors = (means[name, paper.K_TABLE, "smooth"] for name in ("stanford", "dblp"))
    found["section-6:web-better-than-authors"] = (
        web >= MUCH * authors,
        f"{web:.1f} % against {authors:.1f} % at k = {paper.K_TABLE}; much more: {MUCH:g} times.",
    )
    found |= _denser_better(densities, (("playstore", "stanford"), ("stanford", "dblp")))
    levels = {
        name: equal_epsilon(means[name, BETWEEN, "smooth"], densities[name]) for name in recipes
    }
    largest = {"quantity": "largest epsilon at k=16", "value": max(levels.values()), "se": 0.0}
    return pd.concat(
        [statement_rows(found), pd.DataFrame([largest | {"sd": 0.0}]), _rows(means)],
        ignore_index=True,
    )


Means = dict[tuple[str, int, str], float]


def _means(
    recipes: Mapping[str, Recipe],
    ks: Sequence[int],
    rng: np.random.Generator,
    repetitions: int,
) -> Means:
    means: Means = {}
    for (name, recipe), stream in zip(recipes.items(), rng.spawn(len(recipes)), strict=True):
        runs = runs_of(recipe, rng=stream, repetitions=repetitions, ks=ks, assignments=(_ARRIVAL,))
        runs = runs[runs["reading"].isin((_SMOOTH, _ARRIVAL))]
        for (k, method), group in runs.groupby(["k", "method"]):
            means[name, int(k), str(method)] = float(group["jaccard"].mean())
    return means


def _rows(means: Means) -> pd.DataFrame:
    rows = [{"data": d, "k": k, "method": m, "value": v} for (d, k, m), v in means.items()]
    return pd.DataFrame(rows)


def _density(recipe: Recipe) -> float:
    rows, columns = recipe.table.shape
    return float(recipe.table.nnz) / (rows * columns)


def _denser_better(
    densities: Mapping[str, float], pairs: Sequence[tuple[str, str]]
) -> dict[str, Finding]:
    """The mean similarity of randomized response, data against data, at each level."""
    found: dict[str, Finding] = {}
    for denser, sparser in pairs:
        gaps = [
            jaccard_first_term(density=densities[denser], epsilon=epsilon)
            - jaccard_first_term(density=densities[sparser], epsilon=epsilon)
            for epsilon in EPSILONS
        ]
        found[f"figure-3c:denser-better:{denser}-{sparser}"] = (
            min(gaps) > 0,
            f"Densities {densities[denser]:.3g} and {densities[sparser]:.3g}; the similarity is "
            f"higher by {min(gaps):.2g} to {max(gaps):.2g}.",
        )
    return found
