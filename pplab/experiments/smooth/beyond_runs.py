"""Runs of the paper's recipe and of the greedy method side by side."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from pplab._compiled import in_threads
from pplab.experiments.smooth.recipe import ASSIGNMENTS, CUT, Recipe
from pplab.smooth.anonymize import SmoothAnonymized, anonymized
from pplab.smooth.groups import cut_to_size, publish_votes

__all__ = ["greedy_runs", "recipe_runs"]

WARMING = 300  # rows on which a first run compiles what the measured ones need


class _Job(NamedTuple):
    """One copy to make."""

    k: int
    effort: str
    run: int
    seed: int


def greedy_runs(
    anonymize: Callable[..., SmoothAnonymized],
    table: Any,
    plan: Mapping[tuple[int, str], int],
    *,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Make copies at each k and effort; all but the first run beside each other in threads.

    Parameters
    ----------
    anonymize : callable
        `smooth_k_anonymize` or `suppress_k_anonymize`.
    table : csr_array of ones, shape (rows, items)
    plan : mapping of (k, effort) to int
        Copies to make.
    rng : Generator

    Returns
    -------
    DataFrame
        A row per copy: k, method "greedy", effort, run, jaccard, suppressed, created and
        empty_rows in per cent, groups, seconds, and alone: whether nothing ran beside it.
    """
    jobs = [
        _Job(k, effort, run, int(seed))
        for (k, effort), count in plan.items()
        for run, seed in enumerate(rng.integers(2**31, size=count))
    ]

    def copy(rows: Any, job: _Job) -> SmoothAnonymized:
        return anonymize(rows, job.k, method="greedy", effort=job.effort, rng=job.seed)

    def work(job: _Job) -> dict[str, Any]:
        began = time.monotonic()
        made = copy(table, job)
        row = {"k": job.k, "method": "greedy", "effort": job.effort, "run": job.run}
        return row | _measured(made, time.monotonic() - began)

    copy(table[: max(WARMING, 2 * jobs[0].k)], jobs[0])
    rows = [work(jobs[0])]
    rows += in_threads(work, jobs[1:], label="greedy copies") if jobs[1:] else []
    return pd.DataFrame(rows).assign(alone=[True] + [False] * (len(rows) - 1))


def recipe_runs(
    table: Any,
    ks: Sequence[int],
    *,
    repetitions: int,
    rng: np.random.Generator,
    keep: str = "half",
    with_cut: bool = False,
) -> pd.DataFrame:
    """Run the paper's recipe under both assignments.

    Parameters
    ----------
    table : csr_array of ones, shape (rows, items)
    ks : sequence of int
    repetitions : int
        Runs at each k under each assignment.
    rng : Generator
    keep : {"half", "all"}, default "half"
        What its groups publish, as `publish_votes` takes it.
    with_cut : bool, default False
        Whether each run counts a second time with its groups cut into pieces of k rows.

    Returns
    -------
    DataFrame
        Rows as of `greedy_runs`, with method "recipe" and the assignment in the column effort.
    """
    recipe = Recipe(table)
    rows = []
    for k in ks:
        began = time.monotonic()
        costs = recipe.costs(k)
        pricing = time.monotonic() - began
        for run, seed in enumerate(rng.integers(2**31, size=repetitions).tolist()):
            for name, assignment in ASSIGNMENTS.items():
                began = time.monotonic()
                labels = recipe.labels(costs, k, assignment=assignment, rng=seed)
                forms = {name: labels}
                if with_cut:
                    forms[f"{name}, {CUT}"] = cut_to_size(labels, k, rng=seed)
                for form, groups in forms.items():
                    made = anonymized(publish_votes(table, groups, keep=keep), groups)
                    row = {"k": k, "method": "recipe", "effort": form, "run": run}
                    rows.append(row | _measured(made, pricing + time.monotonic() - began))
    return pd.DataFrame(rows)


def _measured(made: SmoothAnonymized, seconds: float) -> dict[str, Any]:
    shares = ("jaccard", "suppressed", "created", "empty_rows")
    row: dict[str, Any] = {name: 100 * getattr(made, name) for name in shares}
    return row | {"groups": len(np.unique(made.labels)), "seconds": round(seconds, 2)}
