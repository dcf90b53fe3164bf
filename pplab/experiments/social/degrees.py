"""Figure 3: who gets accurate recommendations? Users by degree."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.experiments.finding import Finding, statement_rows
from pplab.experiments.runs import mean_of_runs
from pplab.experiments.social import paper
from pplab.experiments.social.figures import READINGS
from pplab.experiments.social.graphs import Graphs, graphs_of
from pplab.metrics.ranking import ndcg
from pplab.recommenders.clusters import cluster_averages, cluster_top_items, indicator
from pplab.recommenders.communities import communities
from pplab.recommenders.similarity import similarity_times
from pplab.recommenders.utilities import utilities

__all__ = ["degree_helps", "figure_3", "figure_3_flixster", "ndcg_per_user"]

ALPHA = 1e-6
GOOD = 0.969  # what the paper prints for the well connected
EXCEPTIONS = 0.05  # share of the others that must reach it


def figure_3(
    lastfm: Dataset,
    *,
    rng: int | np.random.Generator | None = None,
    repetitions: int = paper.REPETITIONS,
) -> pd.DataFrame:
    """NDCG@50 by degree on Last.fm, common neighbours, no noise.

    Parameters
    ----------
    lastfm : Dataset
    rng : int, Generator or None
        Seed or generator.
    repetitions : int, default 10
        Partitions, at least 2.

    Returns
    -------
    DataFrame
        Means (quantity, degree, reading, value, se, sd) and statements.
    """
    check_integer("repetitions", repetitions, minimum=2)
    graphs = graphs_of(lastfm)
    labels = [communities(graphs.social, rng=stream) for stream in as_rng(rng).spawn(repetitions)]
    rows, values = _by_degree(graphs, labels, None)
    degrees = np.diff(graphs.social.indptr)
    found = {
        "figure-3:lastfm:degree-helps": degree_helps(degrees, values),
        "figure-3:lastfm:low-degree-exceptions": _exceptions(degrees, values),
    }
    return pd.concat([statement_rows(found), pd.DataFrame(rows)], ignore_index=True)


def figure_3_flixster(
    flixster: Dataset,
    *,
    rng: int | np.random.Generator | None = None,
    repetitions: int = 2,
) -> pd.DataFrame:
    """NDCG@50 by degree for a sample of users of the larger network.

    Parameters
    ----------
    flixster : Dataset
    rng : int, Generator or None
        Seed or generator.
    repetitions : int, default 2
        Partitions, at least 2.

    Returns
    -------
    DataFrame
        As for Last.fm.
    """
    check_integer("repetitions", repetitions, minimum=2)
    graphs = graphs_of(flixster)
    sample, *streams = as_rng(rng).spawn(1 + repetitions)
    labels = [communities(graphs.social, backend="leiden", rng=stream) for stream in streams]
    everyone = graphs.social.shape[0]
    count = min(paper.SAMPLED_USERS, everyone)
    users = np.sort(sample.choice(everyone, size=count, replace=False))
    rows, values = _by_degree(graphs, labels, users)
    degrees = np.diff(graphs.social.indptr)[users]
    found = {"figure-3:flixster:degree-helps": degree_helps(degrees, values)}
    return pd.concat([statement_rows(found), pd.DataFrame(rows)], ignore_index=True)


def ndcg_per_user(
    graphs: Graphs,
    labels: np.ndarray,
    *,
    measure: str = "cn",
    epsilon: float = inf,
    top_n: int = paper.TOP,
    self_similarity: bool = False,
    users: np.ndarray | None = None,
    rng: int | np.random.Generator | None = None,
) -> np.ndarray:
    """NDCG of the cluster framework for each user; NaN for users without utility."""
    common: dict[str, Any] = {
        "measure": measure,
        "self_similarity": self_similarity,
        "users": users,
    }
    truth = utilities(graphs.social, graphs.preferences, **common)
    sums = similarity_times(graphs.social, indicator(labels), **common)
    averages = cluster_averages(graphs.preferences, labels, epsilon=epsilon, rng=rng)
    items, _ = cluster_top_items(sums, averages, top_n)
    return ndcg(truth, items, top_n=top_n)


def _by_degree(
    graphs: Graphs, labels: list[np.ndarray], users: np.ndarray | None
) -> tuple[list[dict[str, Any]], np.ndarray]:
    """Means above and up to the split, and the first partition's values per user."""
    degrees = np.diff(graphs.social.indptr)
    degrees = degrees if users is None else degrees[users]
    rows: list[dict[str, Any]] = []
    plain = np.empty(0)
    for reading, own in READINGS.items():
        drawn = [
            ndcg_per_user(graphs, partition, self_similarity=own, users=users)
            for partition in labels
        ]
        if not own:
            plain = drawn[0]
        for name, chosen in (("above", degrees > paper.DEGREE), ("up-to", degrees <= paper.DEGREE)):
            means = [float(np.nanmean(values[chosen])) for values in drawn]
            row = {"quantity": "mean NDCG", "degree": f"{name} {paper.DEGREE}", "reading": reading}
            rows.append(row | mean_of_runs(means))
    return rows, plain


def degree_helps(degrees: np.ndarray, values: np.ndarray) -> Finding:
    """Decide whether users of higher degree have a higher NDCG."""
    known = ~np.isnan(values)
    found = stats.spearmanr(degrees[known], values[known])
    return bool(found.statistic > 0 and found.pvalue < ALPHA), (
        f"Rank correlation of degree and NDCG {found.statistic:.3f} (p-value {found.pvalue:.1g})."
    )


def _exceptions(degrees: np.ndarray, values: np.ndarray) -> Finding:
    few = values[(degrees <= paper.DEGREE) & ~np.isnan(values)]
    share = float((few >= GOOD).mean())
    return share >= EXCEPTIONS, (
        f"{share:.1%} of the {len(few):,} users with degree up to {paper.DEGREE} reach {GOOD}."
    )
