"""The clusters of Section 6.1, and whether refinement makes them more stable."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse.csgraph import connected_components
from tqdm.auto import tqdm

from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.experiments.finding import Finding, statement_rows
from pplab.experiments.runs import mean_of_runs
from pplab.experiments.social.graphs import graphs_of
from pplab.recommenders.communities import communities, modularity

__all__ = ["flixster_communities", "lastfm_communities"]

REFINED = {"python-louvain, refined": True, "python-louvain, not refined": False}


def lastfm_communities(
    lastfm: Dataset, *, rng: int | np.random.Generator | None = None, seeds: int = 20
) -> pd.DataFrame:
    """Cluster Last.fm many times, each time the best of ten node orders.

    Parameters
    ----------
    lastfm : Dataset
    rng : int, Generator or None
        Seed or generator.
    seeds : int, default 20
        Clusterings, at least 2.

    Returns
    -------
    DataFrame
        Columns quantity, reading, value (mean over clusterings), se and sd (of one); and the
        statement on refinement.
    """
    check_integer("seeds", seeds, minimum=2)
    social = graphs_of(lastfm).social
    _, component = connected_components(social, directed=False)
    main = component == np.bincount(component).argmax()
    streams = as_rng(rng).integers(2**31, size=seeds)
    rows: list[dict[str, Any]] = []
    single: dict[bool, list[float]] = {True: [], False: []}
    for reading, refine in REFINED.items():
        facts: dict[str, list[float]] = {}
        for seed in tqdm(streams.tolist(), desc=f"communities, {reading}"):
            labels = communities(social, refine=refine, rng=seed)
            for name, value in _facts(labels, main).items():
                facts.setdefault(name, []).append(value)
            one = communities(social, runs=1, refine=refine, rng=seed)
            single[refine].append(modularity(social, one))
        for name, values in facts.items():
            rows.append({"quantity": name, "reading": reading} | mean_of_runs(values))
    found = {"section-6.1:refinement-stabilises": _stabilises(single)}
    return pd.concat([statement_rows(found), pd.DataFrame(rows)], ignore_index=True)


def flixster_communities(
    flixster: Dataset, *, rng: int | np.random.Generator | None = None, seeds: int = 2
) -> pd.DataFrame:
    """Cluster the larger network.

    Parameters
    ----------
    flixster : Dataset
    rng : int, Generator or None
        Seed or generator.
    seeds : int, default 2
        Clusterings, at least 2.

    Returns
    -------
    DataFrame
        Columns quantity, value (mean over clusterings), se and sd (of one).
    """
    check_integer("seeds", seeds, minimum=2)
    social = graphs_of(flixster).social
    facts: dict[str, list[float]] = {}
    for stream in as_rng(rng).spawn(seeds):
        labels = communities(social, backend="leiden", rng=stream)
        for name, value in _facts(labels, np.ones(len(labels), dtype=bool)).items():
            facts.setdefault(name, []).append(value)
    return pd.DataFrame([{"quantity": n} | mean_of_runs(v) for n, v in facts.items()])


def _facts(labels: np.ndarray, main: np.ndarray) -> dict[str, float]:
    sizes = np.bincount(labels)
    inside = np.unique(labels[main])
    return {
        "clusters": float(len(sizes)),
        "clusters in the main component": float(len(inside)),
        "mean size": float(sizes[inside].mean()),
        "sd of size": float(sizes[inside].std()),
        "largest share": 100 * float(sizes.max() / sizes.sum()),
    }


def _stabilises(single: dict[bool, list[float]]) -> Finding:
    after, before = (mean_of_runs(single[refine]) for refine in (True, False))
    return after["sd"] < before["sd"] and after["value"] >= before["value"], (
        f"Modularity of single runs: {after['value']:.4f} with a spread of {after['sd']:.4f} with "
        f"refinement, {before['value']:.4f} with {before['sd']:.4f} without."
    )
