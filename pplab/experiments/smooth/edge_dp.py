"""Figure 3(c): Jaccard similarity of copies by randomized response, edge by edge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats
from tqdm.auto import tqdm

from pplab.checks import as_rng, check_integer
from pplab.datasets.blocks import block_model
from pplab.datasets.catalog import Dataset
from pplab.experiments.finding import Finding, statement_rows
from pplab.experiments.runs import mean_of_runs
from pplab.experiments.smooth import paper
from pplab.metrics.error import jaccard_similarity
from pplab.response.levels import epsilon_to_flip
from pplab.response.noise_graph import bipartite_noise_graph
from pplab.theory.jaccard_law import epsilon_for_jaccard, sample_jaccard

__all__ = ["EPSILONS", "curve", "edge_dp", "edge_dp_graphs"]

EPSILONS = tuple(np.arange(0.5, 12.01, 0.5).tolist())
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
    epsilons: tuple[float, ...] = EPSILONS,
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
            errors = {
                column: value / (2 * (count - 1)) ** 0.5
                for column, count in (("se", draws), ("sd", paper.REPETITIONS))
            }
            rows.append(row | errors)
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
        pvalues[epsilon] = float(stats.ks_2samp(made, drawn).pvalue)
    told = ", ".join(f"{p:.3f} at {epsilon:g}" for epsilon, p in pvalues.items())
    return min(pvalues.values()) > LEVEL, f"p-values with {copies} of each: {told}."


def _needs_ten(entries: int, cells: int) -> Finding:
    epsilon = epsilon_for_jaccard(0.5, density=entries / cells)
    low, high = ABOUT_TEN
    return low <= epsilon <= high, (
        f"At density {entries / cells:.3g} the mean similarity is 1/2 at epsilon {epsilon:.2f}."
    )
