"""Beyond the paper: greedy copies against the paper's recipe and against certificates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from pplab.anonymity.smooth import SmoothAnonymized, smooth_k_anonymize
from pplab.checks import as_rng, check_integer
from pplab.datasets import Dataset, block_model
from pplab.experiments.finding import statement_rows
from pplab.experiments.smooth import paper
from pplab.experiments.smooth.beyond_bounds import (
    Certify,
    bounds_of,
    means_of,
    named_certificates,
    with_certificates,
)
from pplab.experiments.smooth.beyond_epsilon import about_epsilons, epsilons_of
from pplab.experiments.smooth.beyond_runs import Copy, greedy_runs, recipe_runs
from pplab.experiments.smooth.beyond_statements import about_bounds, about_goals, about_recipe

__all__ = [
    "DRAW",
    "OTHER_KS",
    "beyond",
    "beyond_adult",
    "beyond_cnr",
    "beyond_dblp",
    "beyond_playstore",
    "beyond_stochastic",
]

DRAW = 0  # seed of the draw of the block model
OTHER_KS = tuple(k for k in paper.K if k != paper.K_TABLE)
THOROUGH = (2, paper.K_TABLE)  # at these k the thorough effort runs as well
SEEDS = 5
FEW, ONCE = 3, 1  # runs of the recipe on tables and on large graphs, where they hardly differ
TWICE = 2  # runs at each other k on tables: what k = 8 shows of their spread is enough
Rng = int | np.random.Generator | None


def beyond_stochastic(
    *, rng: Rng = None, ks: Sequence[int] = paper.K, seeds: int = SEEDS, others: int = SEEDS
) -> pd.DataFrame:
    """Copies of the draw of the block model from seed 0."""
    table = block_model(**paper.BLOCK_MODEL, rng=DRAW).biadjacency
    repetitions = paper.REPETITIONS  # here they do differ
    return beyond(
        "stochastic", table, rng=rng, ks=ks, seeds=seeds, others=others, repetitions=repetitions
    )


def beyond_adult(
    adult: Dataset,
    *,
    rng: Rng = None,
    ks: Sequence[int] = paper.K,
    seeds: int = SEEDS,
    others: int = TWICE,
) -> pd.DataFrame:
    """Copies of adult."""
    return beyond("adult", adult.biadjacency, rng=rng, ks=ks, seeds=seeds, others=others)


def beyond_playstore(
    playstore: Dataset,
    *,
    rng: Rng = None,
    ks: Sequence[int] = paper.K,
    seeds: int = FEW,
    others: int = TWICE,
) -> pd.DataFrame:
    """Copies of playstore in our encoding."""
    return beyond("playstore", playstore.biadjacency, rng=rng, ks=ks, seeds=seeds, others=others)


def beyond_dblp(
    dblp: Dataset,
    *,
    rng: Rng = None,
    ks: Sequence[int] = (paper.K_TABLE,),
    seeds: int = SEEDS,
    others: int = 1,
) -> pd.DataFrame:
    """Copies of a co-authorship graph."""
    table = dblp.biadjacency
    return beyond("dblp-2010", table, rng=rng, ks=ks, seeds=seeds, others=others, repetitions=ONCE)


def beyond_cnr(
    cnr: Dataset,
    *,
    rng: Rng = None,
    ks: Sequence[int] = (paper.K_TABLE,),
    seeds: int = SEEDS,
    others: int = 1,
) -> pd.DataFrame:
    """Copies of a web graph."""
    table = cnr.biadjacency
    return beyond("cnr-2000", table, rng=rng, ks=ks, seeds=seeds, others=others, repetitions=ONCE)


def beyond(
    name: str,
    table: Any,
    *,
    rng: Rng = None,
    ks: Sequence[int] = paper.K,
    seeds: int = SEEDS,
    others: int = SEEDS,
    repetitions: int = FEW,
    copy: Copy | None = None,
    certify: Certify | None = None,
) -> pd.DataFrame:
    """Make copies of one table by the paper's recipe and by the greedy method, and bound them.

    Parameters
    ----------
    name : str
        Of the data, for the statements.
    table : csr_array of ones, shape (rows, items)
    rng : int, Generator or None
        Seed or generator.
    ks : sequence of int
        Group sizes; thorough effort runs at k = 2 (once) and at k = 8.
    seeds : int, default 5
        Copies of each effort at k = 8, at least 2.
    others : int, default 5
        Copies at fast effort at each other k, at least 1.
    repetitions : int, default 3
        Runs of the recipe at each k under each assignment, at least 1.
    copy, certify : callable, optional
        What makes a copy, and certificates; `smooth_k_anonymize` and `jaccard_certificates`.

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
    ours, theirs = as_rng(rng).spawn(2)
    plan = {(k, "fast"): seeds if k == paper.K_TABLE else others for k in _eight_first(ks)}
    plan |= {(k, "thorough"): seeds if k == paper.K_TABLE else 1 for k in THOROUGH if k in ks}
    runs = pd.concat(
        [
            greedy_runs(table, plan, copy=copy or _greedy, rng=ours),
            recipe_runs(table, ks, repetitions=repetitions, rng=theirs),
        ],
        ignore_index=True,
    )
    efforts = {k: "thorough" if k in THOROUGH else "fast" for k in ks}
    bounds = bounds_of(table, efforts, copies="smooth", certify=certify or named_certificates)
    runs = with_certificates(runs, bounds)
    density = table.nnz / (table.shape[0] * table.shape[1])
    found = about_recipe(name, runs) | about_goals(name, runs) | about_bounds(name, runs)
    found |= about_epsilons(name, runs, density)
    parts = [statement_rows(found), runs, means_of(runs), bounds, epsilons_of(runs, density)]
    return pd.concat(parts, ignore_index=True)


def _eight_first(ks: Sequence[int]) -> list[int]:
    """The first run has the machine to itself, and its time is judged at k = 8."""
    return sorted(ks, key=lambda k: (k != paper.K_TABLE, k))


def _greedy(table: Any, k: int, effort: str, seed: int) -> SmoothAnonymized:
    return smooth_k_anonymize(table, k, method="greedy", effort=effort, rng=seed)
