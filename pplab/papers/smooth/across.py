"""What the paper says of its data sets against each other, and Figure 3(c).

`across_tables` and `across_data` compare what the recipe keeps of each data set and which level of
randomized response keeps as much; `edge_dp` and `edge_dp_graphs` draw the similarity of copies by
randomized response, edge by edge, from its law. Esfandiari et al., Section 6, arXiv 2207.06358.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import scipy
from tqdm.auto import tqdm

from pplab.checks import as_rng, check_integer
from pplab.datasets.blocks import block_model
from pplab.datasets.catalog import Dataset
from pplab.metrics.error import jaccard_similarity
from pplab.papers.part import Finding, listed, mean_of_runs, statement_rows
from pplab.papers.smooth import paper
from pplab.papers.smooth.copies import (
    PLAIN,
    SMOOTH,
    Recipe,
    density_of,
    equal_epsilon,
    errors_of_sd,
    runs_of,
)
from pplab.response.levels import epsilon_to_flip
from pplab.response.noise_graph import bipartite_noise_graph
from pplab.smooth.mondrian import mondrian
from pplab.theory.jaccard_law import epsilon_for_jaccard, jaccard_first_term, sample_jaccard

EPSILONS = tuple(range(1, 13))
BETWEEN = 16  # the k at which the paper names the largest epsilon
LARGE = 64
MUCH = 3.0  # times: what counts as much more
TWICE = 2.0


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
    recipes = _small(drawing, adult, playstore)
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
    densities = {name: density_of(recipe.table) for name, recipe in recipes.items()}
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
    tables = _small(drawing, adult, playstore)
    large = {"dblp": Recipe(dblp.biadjacency), "stanford": Recipe(stanford.biadjacency)}
    recipes, ks = tables | large, (paper.K_TABLE, BETWEEN, LARGE)
    small_stream, large_stream = running.spawn(2)
    means = _means(tables, ks, small_stream, paper.REPETITIONS)
    means |= _means(large, ks, large_stream, repetitions)
    densities = {name: density_of(recipe.table) for name, recipe in recipes.items()}
    graph = means["dblp", LARGE, "smooth"]
    found: dict[str, Finding] = {
        f"section-6:higher-than-dblp:{name}": (
            means[name, LARGE, "smooth"] > graph,
            f"{means[name, LARGE, 'smooth']:.1f} % against {graph:.1f} % at k = {LARGE}, means of "
            f"{paper.REPETITIONS} and {repetitions} runs.",
        )
        for name in tables
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


def _small(rng: np.random.Generator, adult: Dataset, playstore: Dataset) -> dict[str, Recipe]:
    """The three small data sets, the stochastic one drawn."""
    tables = {"stochastic": block_model(**paper.BLOCK_MODEL, rng=rng)}
    tables |= {"adult": adult, "playstore": playstore}
    return {name: Recipe(data.biadjacency) for name, data in tables.items()}


def _means(
    recipes: Mapping[str, Recipe], ks: Sequence[int], rng: np.random.Generator, repetitions: int
) -> Means:
    means: Means = {}
    for (name, recipe), stream in zip(recipes.items(), rng.spawn(len(recipes)), strict=True):
        runs = runs_of(recipe, rng=stream, repetitions=repetitions, ks=ks, assignments=(PLAIN,))
        runs = runs[runs["reading"].isin((SMOOTH, PLAIN))]
        for (k, method), group in runs.groupby(["k", "method"]):
            means[name, int(k), str(method)] = float(group["jaccard"].mean())
    return means


def _rows(means: Means) -> pd.DataFrame:
    rows = [{"data": d, "k": k, "method": m, "value": v} for (d, k, m), v in means.items()]
    return pd.DataFrame(rows)


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


# Figure 3(c): Jaccard similarity of copies by randomized response, edge by edge.


EDGE_EPSILONS = tuple(np.arange(0.5, 12.01, 0.5).tolist())
COPIED = (1.0, 2.0, 4.0, 6.0, 8.0)  # where full copies are made, too
LEVEL = 0.001  # of the test that compares both ways
ABOUT_TEN = (9.5, 11.0)


def edge_dp(
    adult: Dataset,
    playstore: Dataset,
    *,
    rng: int | np.random.Generator | None = None,
    draws: int = 1_000,
    copies: int = 400,
) -> pd.DataFrame:
    """Similarities against epsilon for the three small data sets, and the check on full copies.

    Parameters
    ----------
    adult, playstore : Dataset
    rng : int, Generator or None
        Seed or generator.
    draws : int, default 1000
        Similarities per level, at least 10.
    copies : int, default 400
        Full copies of adult at each level where both ways are compared, at least 10.

    Returns
    -------
    DataFrame
        Largest spreads (quantity, data, reading, value, sd), means (data, epsilon, value, se, sd)
        and statements.
    """
    streams = as_rng(rng).spawn(3)
    stochastic = block_model(**paper.BLOCK_MODEL, rng=streams[0])
    shapes = {
        data.name if data is not stochastic else "stochastic": _size(data)
        for data in (stochastic, adult, playstore)
    }
    table = curve(shapes, rng=streams[1], draws=draws)
    found = {"section-6:drawn-from-binomials": _same_as_copies(adult, streams[2], copies)}
    return pd.concat([statement_rows(found), spreads(table, draws), table], ignore_index=True)


def edge_dp_graphs(
    dblp: Dataset,
    stanford: Dataset,
    *,
    rng: int | np.random.Generator | None = None,
    draws: int = 1_000,
) -> pd.DataFrame:
    """Similarities against epsilon for the two large graphs, drawn from their two binomials.

    Parameters
    ----------
    dblp, stanford : Dataset
        Or the graphs that stand in for them.
    rng : int, Generator or None
        Seed or generator.
    draws : int, default 1000
        Similarities per level, at least 10.

    Returns
    -------
    DataFrame
        As for the small data sets.
    """
    shapes = {"dblp": _size(dblp), "stanford": _size(stanford)}
    table = curve(shapes, rng=rng, draws=draws)
    found = {f"section-6:needs-10:{name}": _needs_ten(*shape) for name, shape in shapes.items()}
    return pd.concat([statement_rows(found), spreads(table, draws), table], ignore_index=True)


def curve(
    shapes: Mapping[str, tuple[int, int]],
    *,
    epsilons: tuple[float, ...] = EDGE_EPSILONS,
    rng: int | np.random.Generator | None = None,
    draws: int = 1_000,
) -> pd.DataFrame:
    """Mean and spread of the similarity at each level.

    Parameters
    ----------
    shapes : mapping of name to (entries, cells)
    epsilons : tuple of float
        Levels.
    rng : int, Generator or None
        Seed or generator.
    draws : int, default 1000
        At least 10.

    Returns
    -------
    DataFrame
        Columns data, epsilon, value, se, sd (of one copy).
    """
    check_integer("draws", draws, minimum=10)
    generator = as_rng(rng)
    rows: list[dict[str, Any]] = []
    for name, (entries, cells) in shapes.items():
        for epsilon in epsilons:
            drawn = sample_jaccard(
                density=entries / cells, cells=cells, epsilon=epsilon, size=draws, rng=generator
            )
            rows.append({"data": name, "epsilon": epsilon} | mean_of_runs(drawn))
    return pd.DataFrame(rows)


def spreads(table: pd.DataFrame, draws: int) -> pd.DataFrame:
    """Largest spread over the levels in per cent, and what it and one of ten runs may be off by."""
    rows = []
    for name, group in table.groupby("data", sort=False):
        largest = 100 * float(group["sd"].max())
        for reading, value in (
            ("one copy per run", largest),
            ("mean of the draws of a run", largest / paper.REPETITIONS**0.5),
        ):
            row = {"quantity": "largest sd", "data": name, "reading": reading, "value": value}
            rows.append(row | errors_of_sd(value, draws))
    return pd.DataFrame(rows)


def _size(dataset: Dataset) -> tuple[int, int]:
    table = dataset.biadjacency
    return int(table.nnz), int(table.shape[0]) * int(table.shape[1])


def _same_as_copies(adult: Dataset, rng: np.random.Generator, copies: int) -> Finding:
    """Kolmogorov-Smirnov test of drawn similarities against those of published copies."""
    check_integer("copies", copies, minimum=10)
    original = adult.biadjacency
    entries, cells = _size(adult)
    pvalues = {}
    for epsilon in tqdm(COPIED, desc="copies of adult"):
        flip = epsilon_to_flip(epsilon)
        made = [
            jaccard_similarity(
                original, bipartite_noise_graph(original, flip_probability=flip, rng=rng)
            )
            for _ in range(copies)
        ]
        drawn = sample_jaccard(
            density=entries / cells, cells=cells, epsilon=epsilon, size=copies, rng=rng
        )
        pvalues[epsilon] = float(scipy.stats.ks_2samp(made, drawn).pvalue)
    told = ", ".join(f"{p:.3f} at {epsilon:g}" for epsilon, p in pvalues.items())
    return min(pvalues.values()) > LEVEL, f"p-values with {copies} of each: {told}."


def _needs_ten(entries: int, cells: int) -> Finding:
    epsilon = epsilon_for_jaccard(0.5, density=entries / cells)
    low, high = ABOUT_TEN
    return low <= epsilon <= high, (
        f"At density {entries / cells:.3g} the mean similarity is 1/2 at epsilon {epsilon:.2f}."
    )
