"""Beyond the paper: greedy copies against the paper's recipe and against certificates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from pplab.checks import as_rng, check_integer
from pplab.datasets.blocks import block_model
from pplab.datasets.catalog import Dataset
from pplab.experiments.finding import statement_rows
from pplab.experiments.smooth import paper
from pplab.experiments.smooth.beyond_bounds import bounds_of, means_of, with_certificates
from pplab.experiments.smooth.beyond_epsilon import about_epsilons, epsilons_of
from pplab.experiments.smooth.beyond_runs import greedy_runs, recipe_runs
from pplab.experiments.smooth.beyond_statements import about_bounds, about_goals, about_recipe
from pplab.smooth.anonymize import smooth_k_anonymize

__all__ = ["FEW", "ONCE", "OTHER_KS", "TWICE", "beyond", "table_of"]

DRAW = 0  # seed of the draw of the block model
OTHER_KS = tuple(k for k in paper.K if k != paper.K_TABLE)
THOROUGH = (2, paper.K_TABLE)  # at these k the thorough effort runs as well
SEEDS = 5
FEW, ONCE = 3, 1  # runs of the recipe on tables and on large graphs, where they hardly differ
TWICE = 2  # runs at each other k on tables: what k = 8 shows of their spread is enough


def beyond(
    dataset: Dataset | None,
    *,
    name: str,
    repetitions: int,
    rng: int | np.random.Generator | None = None,
    ks: Sequence[int] = paper.K,
    seeds: int = SEEDS,
    others: int = SEEDS,
) -> pd.DataFrame:
    """Make copies of one table by the paper's recipe and by the greedy method, and bound them.

    Parameters
    ----------
    dataset : Dataset or None
        Its biadjacency matrix is anonymized; None: the draw of the block model from seed 0.
    name : str
        Of the data, for the statements.
    repetitions : int
        Runs of the recipe at each k under each assignment, at least 1.
    rng : int, Generator or None
        Seed or generator.
    ks : sequence of int
        Group sizes; thorough effort runs at k = 2 (once) and at k = 8.
    seeds : int, default 5
        Copies of each effort at k = 8, at least 2.
    others : int, default 5
        Copies at fast effort at each other k, at least 1.

    Returns
    -------
    DataFrame
        Statements; rows of quantity "run" (k, method, effort, run, jaccard, suppressed, created,
        empty_rows, groups, seconds, certificate, ratio), "jaccard" (means), "certificate" (k,
        method, value) and "epsilon of equal similarity"; shares in per cent.

    Raises
    ------
    TypeError, ValueError
        If a count or a k leaves its interval.
    """
    check_integer("seeds", seeds, minimum=2)
    check_integer("others", others, minimum=1)
    check_integer("repetitions", repetitions, minimum=1)
    table = table_of(dataset)
    ours, theirs = as_rng(rng).spawn(2)
    plan = {(k, "fast"): seeds if k == paper.K_TABLE else others for k in _eight_first(ks)}
    plan |= {(k, "thorough"): seeds if k == paper.K_TABLE else 1 for k in THOROUGH if k in ks}
    runs = pd.concat(
        [
            greedy_runs(smooth_k_anonymize, table, plan, rng=ours),
            recipe_runs(table, ks, repetitions=repetitions, rng=theirs),
        ],
        ignore_index=True,
    )
    efforts = {k: "thorough" if k in THOROUGH else "fast" for k in ks}
    bounds = bounds_of(table, efforts, copies="smooth")
    runs = with_certificates(runs, bounds)
    density = table.nnz / (table.shape[0] * table.shape[1])
    found = about_recipe(name, runs) | about_goals(name, runs) | about_bounds(name, runs)
    found |= about_epsilons(name, runs, density)
    parts = [statement_rows(found), runs, means_of(runs), bounds, epsilons_of(runs, density)]
    return pd.concat(parts, ignore_index=True)


def table_of(dataset: Dataset | None) -> Any:
    """Biadjacency matrix of a data set; without one, of the block model drawn from seed 0."""
    dataset = dataset or block_model(**paper.BLOCK_MODEL, rng=DRAW)
    return dataset.biadjacency


def _eight_first(ks: Sequence[int]) -> list[int]:
    """The first run has the machine to itself, and its time is judged at k = 8."""
    return sorted(ks, key=lambda k: (k != paper.K_TABLE, k))
