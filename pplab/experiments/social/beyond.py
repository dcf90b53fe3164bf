"""What the paper names as future work, and what it leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.experiments.finding import Finding, statement_rows
from pplab.experiments.runs import mean_of_runs
from pplab.experiments.social import paper
from pplab.experiments.social.degrees import ndcg_per_user
from pplab.experiments.social.graphs import Graphs, graphs_of
from pplab.metrics.ranking import ndcg
from pplab.recommenders.clusters import cluster_averages, cluster_top_items, indicator
from pplab.recommenders.communities import communities
from pplab.recommenders.similarity import similarity, similarity_times
from pplab.recommenders.utilities import utilities

__all__ = ["beyond"]

EPSILON = 0.1
PARTITIONS = 5
SMALL = 10  # users: clusters below are pruned
RESOLUTIONS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
NEAR = 0.95
RELEASES = 10
OTHERS = ("jaccard", "resource-allocation")
HALF = 0.5


def beyond(
    lastfm: Dataset,
    ciao: Dataset,
    *,
    rng: int | np.random.Generator | None = None,
    runs: int = 10,
) -> pd.DataFrame:
    """Weights, pruning, other partitions and measures, repeated releases, users as the unit.

    Parameters
    ----------
    lastfm, ciao : Dataset
        Ciao for its ratings, everything else on Last.fm.
    rng : int, Generator or None
        Seed or generator.
    runs : int, default 10
        Draws of noise behind each mean, at least 2.

    Returns
    -------
    DataFrame
        Statements (statement, value, witness) and the means behind them (what, setting, value,
        se, sd).
    """
    check_integer("runs", runs, minimum=2)
    graphs = graphs_of(lastfm)
    streams = as_rng(rng).integers(2**31, size=(8, runs))
    base = communities(graphs.social, rng=int(streams[0, 0]))
    several = [communities(graphs.social, rng=int(s)) for s in streams[0, :PARTITIONS]]
    rows: list[dict[str, Any]] = []

    def measured(
        what: str, setting: object, labels: np.ndarray, epsilon: float, **options: Any
    ) -> dict[str, float]:
        seeds = streams[1] if epsilon < inf else streams[1, :2]
        drawn = [
            float(np.nanmean(ndcg_per_user(graphs, labels, epsilon=epsilon, rng=int(s), **options)))
            for s in seeds
        ]
        mean = mean_of_runs(drawn)
        rows.append({"what": what, "setting": str(setting)} | mean)
        return mean

    def over_partitions(setting: str, partitions: Sequence[np.ndarray]) -> np.ndarray:
        """One draw of noise per partition: what changes from partition to partition counts, too."""
        drawn = np.array(
            [
                float(np.nanmean(ndcg_per_user(graphs, labels, epsilon=EPSILON, rng=int(seed))))
                for labels, seed in zip(partitions, streams[1], strict=False)
            ]
        )
        rows.append({"what": "partition", "setting": setting} | mean_of_runs(drawn))
        return drawn

    plain = over_partitions("social graph", several)
    pruned = over_partitions("small clusters merged", [_pruned(labels) for labels in several])
    tuned = over_partitions(
        "common neighbours", [_tuned(graphs, int(s)) for s in streams[3, :PARTITIONS]]
    )
    found: dict[str, Finding] = {
        "future-work:weights": _weights(ciao, streams[2]),
        "future-work:pruning": _better(pruned, plain),
        "future-work:tuned-partition": _better(tuned, plain),
    }
    losses = {
        measure: 1 - measured("loss without noise", measure, base, inf, measure=measure)["value"]
        for measure in (*paper.MEASURES, *OTHERS)
    }
    found["future-work:other-measures"] = _others(losses)
    once = measured("one release", 1.0, base, 1.0)
    tenth = measured("one of ten releases", 1.0 / RELEASES, base, 1.0 / RELEASES)
    found["future-work:repeated-releases"] = (
        tenth["value"] < once["value"],
        f"NDCG@{paper.TOP} {once['value']:.3f} for one release at epsilon 1, {tenth['value']:.3f} "
        f"for each of {RELEASES} that share it.",
    )
    by_resolution = {
        resolution: measured(
            "resolution",
            resolution,
            communities(graphs.social, resolution=resolution, rng=int(streams[0, 0])),
            EPSILON,
        )["value"]
        for resolution in RESOLUTIONS
    }
    found["beyond:resolution"] = _resolution(by_resolution)
    typical = float(np.median(np.diff(graphs.preferences.indptr)))
    none = measured("user level", "no noise", base, inf)["value"]
    user = measured("user level", f"edge level 1/{typical:g}", base, 1 / typical)["value"]
    found["beyond:user-level"] = (
        user >= HALF * none,
        f"{typical:g} preferences: NDCG@{paper.TOP} {user:.3f}, without noise {none:.3f}.",
    )
    return pd.concat([statement_rows(found), pd.DataFrame(rows)], ignore_index=True)


def _better(other: np.ndarray, plain: np.ndarray) -> Finding:
    gap = mean_of_runs(other - plain)
    return gap["value"] > 3 * gap["se"], (
        f"NDCG@{paper.TOP} {other.mean():.3f} against {plain.mean():.3f} at epsilon {EPSILON}, "
        f"means over {len(plain)} partitions (gap {gap['value']:+.3f}, "
        f"standard error {gap['se']:.3f})."
    )


def _pruned(labels: np.ndarray) -> np.ndarray:
    """Clusters below ten users become one."""
    small = np.bincount(labels)[labels] < SMALL
    merged = np.where(small, labels.max() + 1, labels)
    numbered: np.ndarray = np.unique(merged, return_inverse=True)[1]
    return numbered


def _tuned(graphs: Graphs, seed: int) -> np.ndarray:
    """Communities of the graph in which similar users are joined."""
    similar = similarity(graphs.social, measure="cn")
    ones = np.ones(similar.nnz, dtype=np.int8)
    joined = sparse.csr_array((ones, similar.indices, similar.indptr), shape=similar.shape)
    return communities(joined, rng=int(seed))


def _others(losses: dict[str, float]) -> Finding:
    worst = max(losses[measure] for measure in paper.MEASURES)
    told = ", ".join(f"{measure} {loss:.3f}" for measure, loss in losses.items())
    return all(losses[measure] <= worst for measure in OTHERS), f"Losses without noise: {told}."


def _resolution(by_resolution: dict[float, float]) -> Finding:
    best = max(by_resolution.values())
    told = ", ".join(f"{value:.3f} at {r:g}" for r, value in by_resolution.items())
    return by_resolution[1.0] >= NEAR * best, f"NDCG@{paper.TOP} by resolution: {told}."


def _weights(ciao: Dataset, seeds: Sequence[int] | np.ndarray) -> Finding:
    """Ratings over 5 as weights: what one of them moves, and what the noise costs."""
    graphs = graphs_of(ciao)
    table = ciao.preferences
    weights = sparse.csr_array((table.data / 5.0, table.indices, table.indptr), shape=table.shape)
    labels = communities(graphs.social, rng=int(seeds[0]))
    moved = _largest_move(weights, labels)
    truth = utilities(graphs.social, weights, measure="cn")
    sums = similarity_times(graphs.social, indicator(labels), measure="cn")
    values = {}
    for epsilon in (inf, 1.0):
        averages = cluster_averages(weights, labels, epsilon=epsilon, rng=int(seeds[1]))
        items, _ = cluster_top_items(sums, averages, paper.TOP)
        values[epsilon] = float(np.nanmean(ndcg(truth, items, top_n=paper.TOP)))
    return moved <= 1 + 1e-9 and values[inf] - values[1.0] <= 0.1, (
        f"A weight moves an average by at most {moved:.3g}/|c|; NDCG@{paper.TOP} {values[inf]:.3f} "
        f"without noise, {values[1.0]:.3f} at epsilon 1."
    )


def _largest_move(weights: sparse.csr_array, labels: np.ndarray) -> float:
    """Change of an average, times the size of its cluster, when a weight goes to 0 or 1."""
    corner = weights[:200].toarray()
    part = corner[:, corner.any(axis=0)][:, :40]
    mine = np.unique(labels[:200], return_inverse=True)[1]
    sizes = np.bincount(mine)
    before = cluster_averages(sparse.csr_array(part), mine, epsilon=inf)
    largest = 0.0
    for user, item in np.ndindex(20, part.shape[1]):
        for weight in (0.0, 1.0):
            other = part.copy()
            other[user, item] = weight
            change = cluster_averages(sparse.csr_array(other), mine, epsilon=inf) - before
            largest = max(largest, float((np.abs(change) * sizes[:, None]).sum()))
    return largest
