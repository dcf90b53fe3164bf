"""Beyond the paper, on graphs so small that the optimum is known: ours, and certificates."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from pplab.checks import as_rng, check_integer
from pplab.experiments.finding import Finding, statement_rows
from pplab.experiments.smooth.small_instances import Instance, instances_with_optimum
from pplab.smooth.anonymize import smooth_k_anonymize, suppress_k_anonymize
from pplab.smooth.certificates import jaccard_certificates
from pplab.theory.largest_subgraph import largest_k_anonymous_subgraph

__all__ = ["beyond_small", "violated_and_tight", "worst_and_met"]

MET = 0.9  # share of cases
SLACK = 1e-9  # what sums of floats may be off by


def beyond_small(
    *,
    rng: int | np.random.Generator | None = None,
    instances: int = 500,
    certified: int = 2_000,
) -> pd.DataFrame:
    """Hold the greedy method and the certificates against the optimum over all groupings.

    Parameters
    ----------
    rng : int, Generator or None
        Seed or generator.
    instances : int, default 500
        Graphs on which the greedy method runs.
    certified : int, default 2000
        Graphs whose certificates are computed, at least as many; the first ones are the same.

    Returns
    -------
    DataFrame
        Statements.

    Raises
    ------
    TypeError, ValueError
        If a count leaves its interval.
    """
    check_integer("instances", instances, minimum=1)
    check_integer("certified", certified, minimum=instances)
    making, running = as_rng(rng).spawn(2)
    graphs = list(instances_with_optimum(making, certified))
    seeds = running.integers(2**31, size=instances).tolist()
    smooth, suppressed = [], []
    for one, seed in zip(graphs, seeds, strict=False):
        ours = smooth_k_anonymize(one.graph, one.k, method="greedy", effort="thorough", rng=seed)
        smooth.append((ours.jaccard, float(one.best)))
        ours = suppress_k_anonymize(one.graph, one.k, method="greedy", effort="thorough", rng=seed)
        suppressed.append((ours.jaccard, _best_suppression(one)))
    found = {
        "beyond:optimum": worst_and_met(smooth),
        "beyond:optimum-suppression": worst_and_met(suppressed),
        "beyond:certificates-small": _certificates(graphs),
    }
    return statement_rows(found)


def _best_suppression(one: Instance) -> float:
    return largest_k_anonymous_subgraph(one.graph, one.k).edges / int(one.graph.sum())


def worst_and_met(pairs: Iterable[tuple[float, float]]) -> Finding:
    """Whether enough similarities are the optimum; how far the worst one is from it.

    Examples
    --------
    >>> worst_and_met([(0.5, 0.5), (0.4, 0.5)])
    (False, 'The optimum is met in 1 of 2 cases; the worst copy keeps 80.0 % of it.')
    """
    ours, best = np.array(list(pairs)).T
    met = int((ours >= best - SLACK).sum())
    ratio = np.divide(ours, best, out=np.ones(len(best)), where=best > 0)
    return met >= MET * len(best), (
        f"The optimum is met in {met} of {len(best)} cases; the worst copy keeps "
        f"{100 * ratio.min():.1f} % of it."
    )


def _certificates(graphs: Iterable[Instance]) -> Finding:
    gaps: dict[str, list[float]] = {}
    for one in graphs:
        for copies in ("smooth", "suppression"):
            best = float(one.best) if copies == "smooth" else _best_suppression(one)
            bounds = jaccard_certificates(one.graph, one.k, copies=copies, effort="thorough")
            for name, bound in bounds.items():
                gaps.setdefault(f"{copies}, {name}", []).append(bound - best)
    return violated_and_tight(gaps)


def violated_and_tight(gaps: dict[str, list[float]]) -> Finding:
    """Whether no bound lies below its optimum, and how often each of them meets it.

    Examples
    --------
    >>> violated_and_tight({"smooth, nearest": [0.0, 0.1]})
    (True, '0 of 2 bounds lie below the optimum; so many meet it: smooth, nearest 50 %.')
    >>> violated_and_tight({"smooth, nearest": [0.0, -0.1]})[0]
    False
    """
    below = sum(gap < -SLACK for row in gaps.values() for gap in row)
    tight = ", ".join(
        f"{name} {np.mean(np.abs(row) <= SLACK):.0%}".replace("%", " %")
        for name, row in gaps.items()
    )
    total = sum(map(len, gaps.values()))
    return below == 0, f"{below} of {total} bounds lie below the optimum; so many meet it: {tight}."
