"""NDCG of the cluster framework over levels, list lengths and measures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from pplab.checks import as_rng
from pplab.experiments.social import paper
from pplab.experiments.social.graphs import Graphs
from pplab.metrics.ranking import ideal_dcg, ndcg
from pplab.recommenders.clusters import cluster_averages, cluster_top_items, indicator
from pplab.recommenders.similarity import similarity_times
from pplab.recommenders.utilities import utilities

__all__ = ["mean_ndcg", "ndcg_by_level"]

_BLOCK = 2_000  # users whose true utilities are held at once


def ndcg_by_level(
    graphs: Graphs,
    labels: Sequence[np.ndarray],
    *,
    epsilons: Sequence[float] = paper.EPSILONS,
    lists: Sequence[int] = paper.LISTS,
    self_similarity: bool = False,
    rng: int | np.random.Generator | None = None,
) -> pd.DataFrame:
    """Recommend by clusters, once per partition, level and measure.

    The noise of a repetition is drawn once and shared by all measures and list lengths.

    Parameters
    ----------
    graphs : Graphs
    labels : sequence of int arrays, shape (users,)
        A partition for each repetition.
    epsilons, lists : sequences
        Levels (inf: no noise) and list lengths.
    self_similarity : bool, default False
        Whether users are similar to themselves.
    rng : int, Generator or None
        Seed or generator.

    Returns
    -------
    DataFrame
        Columns measure, epsilon, top_n, repetition, ndcg (mean over users with utility), zero
        (mean over all users, who count 0 where they have no utility) and undefined (how many).
    """
    seeds = as_rng(rng).integers(2**31, size=(len(labels), len(epsilons)))
    # one noise for all measures and lengths
    averages = {
        (repetition, level): cluster_averages(
            graphs.preferences, partition, epsilon=epsilon, rng=int(seeds[repetition, level])
        ).astype(np.float32)
        for repetition, partition in enumerate(labels)
        for level, epsilon in enumerate(epsilons)
    }
    asked = np.arange(graphs.social.shape[0])
    blocks = [asked[start : start + _BLOCK] for start in range(0, len(asked), _BLOCK)]
    found: dict[tuple[Any, ...], list[np.ndarray]] = {}
    bar = tqdm(total=len(paper.MEASURES) * len(blocks) * len(averages), desc="NDCG")
    for measure in paper.MEASURES:
        for block in blocks:
            common: dict[str, Any] = {"measure": measure, "self_similarity": self_similarity}
            truth = utilities(graphs.social, graphs.preferences, users=block, **common)
            ideals = {top_n: ideal_dcg(truth, top_n=top_n) for top_n in lists}
            for repetition, partition in enumerate(labels):
                members = indicator(partition)
                sums = similarity_times(graphs.social, members, users=block, **common)
                for level, epsilon in enumerate(epsilons):
                    items, _ = cluster_top_items(sums, averages[repetition, level], max(lists))
                    for top_n in lists:
                        values = ndcg(truth, items, top_n=top_n, ideal=ideals[top_n])
                        found.setdefault((measure, epsilon, top_n, repetition), []).append(values)
                    bar.update()
    bar.close()
    names = ("measure", "epsilon", "top_n", "repetition")
    return pd.DataFrame(
        dict(zip(names, key, strict=True)) | mean_ndcg(np.concatenate(parts))
        for key, parts in found.items()
    )


def mean_ndcg(values: np.ndarray) -> dict[str, float]:
    """Both conventions for users without utility: left out, or counted as 0."""
    undefined = np.isnan(values)
    return {
        "ndcg": float(values[~undefined].mean()),
        "zero": float(np.where(undefined, 0.0, values).mean()),
        "undefined": int(undefined.sum()),
    }
