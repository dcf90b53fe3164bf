"""A second witness: the same code on the Ciao network, which the paper does not use."""

from __future__ import annotations

from math import inf

import numpy as np
import pandas as pd

from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.experiments.finding import Finding, statement_rows
from pplab.experiments.social import paper
from pplab.experiments.social.curves import ndcg_by_level
from pplab.experiments.social.degrees import degree_helps, ndcg_per_user
from pplab.experiments.social.figures import partitions, summary
from pplab.experiments.social.graphs import graphs_of
from pplab.experiments.social.rivals import rival_ndcg

__all__ = ["ciao"]

LOSS = 0.2
LITTLE = 0.05
LEVELS = (inf, 1.0, 0.6, 0.1)
SAMPLED = 1_000  # users whose lists the costly rivals make


def ciao(
    ciao: Dataset, *, rng: int | np.random.Generator | None = None, repetitions: int = 3
) -> pd.DataFrame:
    """Repeat Figures 1, 3 and 4 in part on Ciao.

    Parameters
    ----------
    ciao : Dataset
        Trust links are made undirected by the reader; ratings of 2 and more are kept.
    rng : int, Generator or None
        Seed or generator.
    repetitions : int, default 3
        Partitions and draws of noise, at least 2.

    Returns
    -------
    DataFrame
        Statements (statement, value, witness) and means (measure, epsilon, top_n or method,
        value, se, sd).
    """
    check_integer("repetitions", repetitions, minimum=2)
    graphs = graphs_of(ciao)
    streams = as_rng(rng).spawn(3)
    labels = partitions(graphs, repetitions, streams[0])
    seed = int(streams[1].integers(2**31))
    curves = summary(ndcg_by_level(graphs, labels, epsilons=LEVELS, lists=(paper.TOP,), rng=seed))
    rivals = rival_ndcg(
        graphs, labels[0], ("nou", "noe", "cluster"), rng=streams[2], runs=2, users=SAMPLED
    )
    values = ndcg_per_user(graphs, labels[0])
    found: dict[str, Finding] = {
        "second-witness:clusters-beat": _clusters_beat(rivals),
        "second-witness:loss-at-inf": _loss(curves),
        "second-witness:degree-helps": degree_helps(np.diff(graphs.social.indptr), values),
        "second-witness:little-effect": _little_effect(curves),
    }
    return pd.concat([statement_rows(found), curves.reset_index(), rivals], ignore_index=True)


def _clusters_beat(rivals: pd.DataFrame) -> Finding:
    value = rivals.set_index(["measure", "method", "epsilon"])["value"].to_dict()
    levels = sorted({epsilon for _, _, epsilon in value}, reverse=True)
    better = all(
        value[m, "cluster", e] > value[m, rival, e]
        for m in paper.MEASURES
        for e in levels
        for rival in ("nou", "noe")
    )
    told = "; ".join(
        f"{m} at {e:g}: {value[m, 'cluster', e]:.3f}, NOU {value[m, 'nou', e]:.3f}, "
        f"NOE {value[m, 'noe', e]:.3f}"
        for m in paper.MEASURES
        for e in levels
    )
    return better, f"NDCG@{paper.TOP} of the clusters and of noise: {told}."


def _at(curves: pd.DataFrame, epsilon: float) -> dict[str, float]:
    return {m: float(curves.loc[(m, epsilon, paper.TOP), "value"]) for m in paper.MEASURES}


def _loss(curves: pd.DataFrame) -> Finding:
    losses = {m: 1 - value for m, value in _at(curves, inf).items()}
    told = ", ".join(f"{m} {loss:.3f}" for m, loss in losses.items())
    return max(losses.values()) < LOSS, f"Losses without noise: {told}."


def _little_effect(curves: pd.DataFrame) -> Finding:
    before, after = _at(curves, inf), _at(curves, 0.6)
    told = ", ".join(f"{m} {before[m]:.3f} and {after[m]:.3f}" for m in paper.MEASURES)
    return all(before[m] - after[m] <= LITTLE for m in paper.MEASURES), (
        f"NDCG@{paper.TOP} without noise and at 0.6: {told}."
    )
