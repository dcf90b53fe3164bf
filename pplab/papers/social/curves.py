"""Figures 1 to 3 and the clusters of Section 6.2: NDCG of the cluster framework.

NDCG against the level for two networks, against the degree of a user, by clusters and by random
ones, and the sizes of the clusters with and without refinement. Jorgensen and Yu 2014,
doi 10.5441/002/edbt.2014.51.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from math import inf
from typing import Any

import numpy as np
import pandas as pd
import scipy
from scipy.sparse.csgraph import connected_components
from tqdm.auto import tqdm

from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.metrics.ranking import Judge
from pplab.papers.part import Rng
from pplab.papers.social.paper import (
    DEGREE,
    EPSILONS,
    LARGE_ORDERS,
    LISTS,
    MEASURES,
    REPETITIONS,
    SAMPLED_USERS,
    TOP,
    Graphs,
    graphs_of,
    mean_of_runs,
)
from pplab.recommenders.clusters import cluster_averages, cluster_top_items, indicator
from pplab.recommenders.communities import best_of_runs, communities, modularity, one_run
from pplab.recommenders.similarity import similarity, similarity_times
from pplab.recommenders.utilities import utilities

_BLOCK = 2_000  # users whose true utilities are held at once


def ndcg_by_level(
    graphs: Graphs,
    labels: Sequence[np.ndarray],
    *,
    epsilons: Sequence[float] = EPSILONS,
    lists: Sequence[int] = LISTS,
    self_similarity: bool = False,
    users: np.ndarray | None = None,
    rng: Rng = None,
) -> pd.DataFrame:
    """Recommend by clusters, once per partition, level and measure.

    The noise of a repetition is drawn once and shared by all measures and list lengths.
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
    asked = np.arange(graphs.social.shape[0]) if users is None else users
    blocks = [asked[start : start + _BLOCK] for start in range(0, len(asked), _BLOCK)]
    by_cell: dict[tuple[Any, ...], list[np.ndarray]] = {}
    for measure in MEASURES:
        for block in blocks:
            common: dict[str, Any] = {"measure": measure, "self_similarity": self_similarity}
            truth = utilities(graphs.social, graphs.preferences, users=block, **common)
            judge = Judge(truth, longest=max(lists))
            for repetition, partition in enumerate(tqdm(labels, desc=f"NDCG, {measure}")):
                if not repetition or partition is not labels[repetition - 1]:
                    members = indicator(partition)
                    sums = similarity_times(graphs.social, members, users=block, **common)
                for level, epsilon in enumerate(epsilons):
                    items, _ = cluster_top_items(sums, averages[repetition, level], max(lists))
                    for top_n, values in zip(lists, judge.ndcg(items, lists), strict=True):
                        by_cell.setdefault((measure, epsilon, top_n, repetition), []).append(values)
    names = ("measure", "epsilon", "top_n", "repetition")
    return pd.DataFrame(
        dict(zip(names, key, strict=True)) | {"ndcg": float(np.nanmean(np.concatenate(parts)))}
        for key, parts in by_cell.items()
    )


# Figures 1 and 2: NDCG against the level, for two networks.


READINGS = {"without self-similarity": False, "with self-similarity": True}


def figure_1(lastfm: Dataset, *, rng: Rng = None, repetitions: int = REPETITIONS) -> pd.DataFrame:
    """Figure 1: NDCG of the cluster framework on Last.fm."""
    check_integer("repetitions", repetitions, minimum=2)
    graphs = graphs_of(lastfm)
    streams = as_rng(rng).spawn(2)
    labels = partitions(graphs, repetitions, streams[0])
    seed = int(streams[1].integers(2**31))
    draws = {
        reading: ndcg_by_level(graphs, labels, self_similarity=own, rng=seed)
        for reading, own in READINGS.items()
    }
    rows: list[dict[str, Any]] = []
    for reading, table in draws.items():
        runs = table.pivot_table(
            index="repetition", columns=["measure", "epsilon", "top_n"], values="ndcg", sort=False
        )
        rows += [row | {"reading": f"{reading}{how}"} for how, row in _printed_rows(runs)]
        every = [{"quantity": "mean"} | at | mean_of_runs(values) for at, values in _cells(runs)]
        own = "yes" if READINGS[reading] else "no"
        rows += [row | {"self_similarity": own} for row in every + _changes(runs)]
    return pd.DataFrame(rows)


def _cells(runs: pd.DataFrame) -> Iterator[tuple[dict[str, Any], pd.Series]]:
    for at, values in runs.items():
        yield dict(zip(runs.columns.names, at, strict=True)), values


def _changes(runs: pd.DataFrame) -> list[dict[str, Any]]:
    """Changes with length and level; all lists of a repetition share partition and noise."""
    few, most = min(LISTS), max(LISTS)
    rows: list[dict[str, Any]] = []
    for measure, epsilon in itertools.product(MEASURES, EPSILONS):
        gap = runs[measure, epsilon, most] - runs[measure, epsilon, few]
        row: dict[str, Any] = {"measure": measure, "epsilon": epsilon}
        row |= {"quantity": f"change from N = {few} to {most}"}
        rows.append(row | mean_of_runs(gap))
    for measure, (before, after) in itertools.product(MEASURES, itertools.pairwise(EPSILONS)):
        gap = runs[measure, after, TOP] - runs[measure, before, TOP]
        row = {"quantity": "change to the next epsilon", "measure": measure, "epsilon": after}
        rows.append(row | mean_of_runs(gap))
    return rows


def _printed_rows(runs: pd.DataFrame) -> Iterator[tuple[str, dict[str, Any]]]:
    """Extremes over the measures, of the means and, for one partition, of each repetition."""
    for quantity, epsilon, least in (
        ("smallest loss", inf, False),
        ("largest loss", inf, True),
        ("lowest NDCG", 0.1, True),
        ("highest NDCG", 0.1, False),
    ):
        values = pd.DataFrame({measure: runs[measure, epsilon, TOP] for measure in MEASURES})
        values = 1 - values if "loss" in quantity else values
        smallest = least == ("NDCG" in quantity)
        means = values.mean()
        chosen = means.idxmin() if smallest else means.idxmax()
        row = {"quantity": quantity, "epsilon": epsilon}
        yield "", row | mean_of_runs(values[chosen])
        one = values.min(axis=1) if smallest else values.max(axis=1)
        limits = {"value": one.mean(), "low": one.min(), "high": one.max(), "runs": len(one)}
        yield ", one partition", row | limits


def figure_2(
    flixster: Dataset, lastfm: Dataset, *, rng: Rng = None, repetitions: int = REPETITIONS
) -> pd.DataFrame:
    """Figure 2: NDCG of the cluster framework on the larger network, for some of its users."""
    check_integer("repetitions", repetitions, minimum=2)
    graphs = graphs_of(flixster)
    streams = as_rng(rng).spawn(4)
    partition = communities(graphs.social, backend="leiden", runs=LARGE_ORDERS, rng=streams[0])
    users = _some_users(graphs, streams[1])
    seed = int(streams[2].integers(2**31))
    large = summary(ndcg_by_level(graphs, [partition] * repetitions, users=users, rng=seed))
    small = graphs_of(lastfm)
    few = partitions(small, 2, streams[3])
    lesser = summary(ndcg_by_level(small, few, epsilons=(0.1,), lists=(TOP,), rng=seed))
    lesser = lesser.reset_index().drop(columns="top_n").rename(columns={"epsilon": "level"})
    return pd.concat([large.reset_index(), lesser.assign(network="lastfm")], ignore_index=True)


def _some_users(graphs: Graphs, rng: np.random.Generator) -> np.ndarray:
    everyone = graphs.social.shape[0]
    return np.sort(rng.choice(everyone, size=min(SAMPLED_USERS, everyone), replace=False))


def partitions(
    graphs: Graphs, count: int, rng: np.random.Generator, **options: Any
) -> list[np.ndarray]:
    """As many partitions, each the best of ten node orders unless the options say otherwise."""
    return [communities(graphs.social, rng=stream, **options) for stream in rng.spawn(count)]


def summary(table: pd.DataFrame) -> pd.DataFrame:
    """Mean over repetitions with its standard error and the spread of one repetition."""
    keys = ["measure", "epsilon", "top_n"]
    rows = {key: mean_of_runs(group["ndcg"]) for key, group in table.groupby(keys, sort=False)}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(keys).sort_index()


# Are communities better than random clusters?


def random_clusters(
    lastfm: Dataset, *, rng: Rng = None, repetitions: int = REPETITIONS
) -> pd.DataFrame:
    """NDCG@50 with the clusters of Louvain and with random ones of the same sizes."""
    check_integer("repetitions", repetitions, minimum=2)
    graphs = graphs_of(lastfm)
    streams = as_rng(rng).spawn(3)
    labels = {"Louvain": partitions(graphs, repetitions, streams[0])}
    labels["random"] = [streams[1].permutation(partition) for partition in labels["Louvain"]]
    seed = int(streams[2].integers(2**31))
    measured: dict[tuple[str, str, float | None], dict[str, np.ndarray]] = {}
    for name, mine in labels.items():
        table = ndcg_by_level(graphs, mine, epsilons=(inf, 1.0, 0.1), lists=(TOP,), rng=seed)
        for (measure, epsilon), runs in table.groupby(["measure", "epsilon"], sort=False)["ndcg"]:
            measured.setdefault(("NDCG", measure, epsilon), {})[name] = runs.to_numpy()
        for measure in MEASURES:
            within = np.array([_within(graphs, partition, measure) for partition in mine])
            measured.setdefault(("similarity within clusters", measure, None), {})[name] = within
    rows = [
        {"quantity": quantity, "measure": measure, "epsilon": epsilon, "clusters": clusters}
        | mean_of_runs(runs)
        for (quantity, measure, epsilon), by in measured.items()
        for clusters, runs in (by | {"Louvain less random": by["Louvain"] - by["random"]}).items()
    ]
    return pd.DataFrame(rows + _zero_utility(graphs, labels["Louvain"], seed))


def _zero_utility(graphs: Graphs, labels: list[np.ndarray], seed: int) -> list[dict[str, Any]]:
    """Share of the listed items that are worth nothing, for common neighbours at epsilon 0.1."""
    truth = utilities(graphs.social, graphs.preferences, measure="cn")
    everyone = np.arange(truth.shape[0])[:, None]
    worthless = []
    for run, mine in enumerate(labels):
        items = _lists(graphs, mine, max(LISTS), epsilon=0.1, rng=seed + run, measure="cn")
        worthless.append(truth[everyone, items].toarray() == 0)
    return [
        {"quantity": "items of utility zero", "measure": "cn", "epsilon": 0.1, "top_n": top_n}
        | mean_of_runs([float(zero[:, :top_n].mean()) for zero in worthless])
        for top_n in LISTS
    ]


def _within(graphs: Graphs, labels: np.ndarray, measure: str) -> float:
    """Share of all similarity that lies within clusters."""
    sums = similarity_times(graphs.social, indicator(labels), measure=measure)
    return float(sums[np.arange(len(labels)), labels].sum() / sums.sum())


# Figure 3: who gets accurate recommendations? Users by degree.


GOOD = 0.969  # what the paper prints for the well connected


def figure_3(lastfm: Dataset, *, rng: Rng = None, repetitions: int = REPETITIONS) -> pd.DataFrame:
    """Figure 3: NDCG@50 by degree on Last.fm, common neighbours, no noise."""
    check_integer("repetitions", repetitions, minimum=2)
    graphs = graphs_of(lastfm)
    labels = partitions(graphs, repetitions, as_rng(rng))
    rows, values = _by_degree(graphs, labels, None)
    degrees = np.diff(graphs.social.indptr)
    for measure in MEASURES:
        rows += degree_helps(degrees, ndcg_per_user(graphs, labels[0], measure=measure), measure)
    return pd.DataFrame(rows + _exceptions(graphs, labels[0], values))


def figure_3_flixster(flixster: Dataset, *, rng: Rng = None, repetitions: int = 2) -> pd.DataFrame:
    """Figure 3: NDCG@50 by degree for a sample of users of the larger network."""
    check_integer("repetitions", repetitions, minimum=2)
    graphs = graphs_of(flixster)
    sample, *streams = as_rng(rng).spawn(1 + repetitions)
    options: dict[str, Any] = {"backend": "leiden", "runs": LARGE_ORDERS}
    labels = [communities(graphs.social, rng=stream, **options) for stream in streams]
    users = _some_users(graphs, sample)
    rows, values = _by_degree(graphs, labels, users)
    degrees = np.diff(graphs.social.indptr)[users]
    return pd.DataFrame(rows + degree_helps(degrees, values, "cn"))


def ndcg_per_user(
    graphs: Graphs,
    labels: np.ndarray,
    *,
    measure: str = "cn",
    epsilon: float = inf,
    top_n: int = TOP,
    self_similarity: bool = False,
    users: np.ndarray | None = None,
    judge: Judge | None = None,
    rng: Rng = None,
) -> np.ndarray:
    """NDCG of the cluster framework for each user; NaN for users without utility.

    A judge of the same graphs, measure and users may be given: it costs more than the lists.
    """
    common: dict[str, Any] = {"measure": measure, "self_similarity": self_similarity}
    if judge is None:
        truth = utilities(graphs.social, graphs.preferences, users=users, **common)
        judge = Judge(truth, longest=top_n)
    items = _lists(graphs, labels, top_n, epsilon=epsilon, rng=rng, users=users, **common)
    return judge.ndcg(items, (top_n,))[0]


def _lists(
    graphs: Graphs, labels: np.ndarray, top_n: int, *, epsilon: float, rng: Rng, **how: Any
) -> np.ndarray:
    """Items that the cluster framework lists for each user."""
    sums = similarity_times(graphs.social, indicator(labels), **how)
    averages = cluster_averages(graphs.preferences, labels, epsilon=epsilon, rng=rng)
    return cluster_top_items(sums, averages, top_n)[0]


def _by_degree(
    graphs: Graphs, labels: list[np.ndarray], users: np.ndarray | None
) -> tuple[list[dict[str, Any]], np.ndarray]:
    """Means above and up to the split, and the first partition's values per user."""
    degrees = np.diff(graphs.social.indptr)
    degrees = degrees if users is None else degrees[users]
    rows: list[dict[str, Any]] = []
    plain = np.empty(0)
    for reading, own in READINGS.items():
        common: dict[str, Any] = {"self_similarity": own, "users": users}
        truth = utilities(graphs.social, graphs.preferences, measure="cn", **common)
        judge = Judge(truth, longest=TOP)
        samples = [ndcg_per_user(graphs, partition, judge=judge, **common) for partition in labels]
        if not own:
            plain = samples[0]
        for name, chosen in (("above", degrees > DEGREE), ("up-to", degrees <= DEGREE)):
            means = [float(np.nanmean(values[chosen])) for values in samples]
            row = {"quantity": "mean NDCG", "degree": f"{name} {DEGREE}", "reading": reading}
            rows.append(row | mean_of_runs(means))
    return rows, plain


def degree_helps(degrees: np.ndarray, values: np.ndarray, measure: str) -> list[dict[str, Any]]:
    """Rank correlation of degree and NDCG, and its p-value."""
    known = ~np.isnan(values)
    result = scipy.stats.spearmanr(degrees[known], values[known])
    return [
        {"quantity": "rank correlation", "measure": measure, "value": float(result.statistic)},
        {"quantity": "p-value", "measure": measure, "value": float(result.pvalue)},
    ]


def _exceptions(graphs: Graphs, labels: np.ndarray, values: np.ndarray) -> list[dict[str, Any]]:
    """Similarity sets by degree, and what lets users of low degree do well all the same (CN)."""
    degrees = np.diff(graphs.social.indptr)
    similar = similarity(graphs.social, measure="cn")
    size = np.diff(similar.indptr)
    members = np.bincount(labels)
    touched = (similar.astype(bool) @ indicator(labels)).astype(bool) @ members
    share = size / np.maximum(touched, 1)  # of all users in clusters that hold any of the set
    low, known = degrees <= DEGREE, ~np.isnan(values)
    rows: list[dict[str, Any]] = [
        {"quantity": "similarity set", "of": name, "degree": f"{how} {DEGREE}"}
        | {"value": float(np.median(counts[chosen & (size > 0)]))}
        for name, counts in (("size", size), ("share of clusters", share))
        for how, chosen in (("above", ~low), ("up-to", low))
    ]
    good = low & known & (values >= GOOD)
    friends = graphs.social.astype(float).multiply(degrees[None, :]).max(axis=1)
    wide = (friends.toarray().ravel() > DEGREE) & (size >= np.median(size[low]))
    rows.append({"quantity": "exceptions", "value": float(good[low & known].mean())})
    rows += [
        {"quantity": f"share that reaches {GOOD}", "sets": sets}
        | {"value": float(good[chosen & low & known].mean())}
        for sets, chosen in (("large", wide), ("others", ~wide))
    ]
    narrow = low & known & (size < np.median(size[low]))
    users_of = np.bincount(graphs.preferences.indices, minlength=graphs.preferences.shape[1])
    for name, chosen in (("reach", narrow & good), ("others", narrow & ~good)):
        seen = utilities(
            graphs.social, graphs.preferences, measure="cn", users=np.flatnonzero(chosen)
        )
        middle = float(np.median(users_of[seen.indices])) if seen.nnz else 0.0
        rows.append({"quantity": "popularity", "users": name, "value": middle})
    return rows


# The clusters of Section 6.2, and whether refinement makes them more stable.


ORDERS = 10  # node orders behind a partition
REFINED = {"python-louvain, refined": True, "python-louvain, not refined": False}


def lastfm_communities(lastfm: Dataset, *, rng: Rng = None, seeds: int = 20) -> pd.DataFrame:
    """Section 6.2: cluster Last.fm many times, each time the best of ten node orders."""
    check_integer("seeds", seeds, minimum=2)
    social = graphs_of(lastfm).social
    _, component = connected_components(social, directed=False)
    streams = as_rng(rng).integers(2**31, size=seeds)
    facts: dict[tuple[str, str], list[float]] = {}
    single: dict[bool, list[float]] = {True: [], False: []}
    for seed in tqdm(streams.tolist(), desc="communities"):
        # the same runs, refined or not
        children = as_rng(seed).spawn(ORDERS)
        runs = [one_run(social, "python-louvain", 1.0, stream) for stream in children]
        for reading, refine in REFINED.items():
            for name, value in _facts(best_of_runs(social, runs, refine), component).items():
                facts.setdefault((reading, name), []).append(value)
            single[refine].append(modularity(social, best_of_runs(social, runs[:1], refine)))
    rows: list[dict[str, Any]] = [
        {"quantity": name, "reading": reading} | mean_of_runs(values)
        for (reading, name), values in facts.items()
    ]
    rows += [
        {"quantity": "modularity of one order", "refined": int(refine)} | mean_of_runs(values)
        for refine, values in single.items()
    ]
    return pd.DataFrame(rows)


def flixster_communities(flixster: Dataset, *, rng: Rng = None, seeds: int = 2) -> pd.DataFrame:
    """Section 6.2: cluster the larger network."""
    check_integer("seeds", seeds, minimum=2)
    social = graphs_of(flixster).social
    facts: dict[str, list[float]] = {}
    for stream in as_rng(rng).spawn(seeds):
        labels = communities(social, backend="leiden", runs=LARGE_ORDERS, rng=stream)
        for name, value in _facts(labels, np.zeros(len(labels), dtype=int)).items():
            facts.setdefault(name, []).append(value)
    return pd.DataFrame([{"quantity": n} | mean_of_runs(v) for n, v in facts.items()])


def _facts(labels: np.ndarray, component: np.ndarray) -> dict[str, float]:
    """Sizes of the clusters, all of them and those of the largest component."""
    sizes, parts = np.bincount(labels), np.bincount(component)
    pairs = np.unique(np.stack([component, labels]), axis=1)
    inside = pairs[1, pairs[0] == parts.argmax()]
    whole = (np.bincount(pairs[0]) == 1)[pairs[0]] & (np.bincount(pairs[1]) == 1)[pairs[1]]
    small = pairs[0] != parts.argmax()
    return {
        "clusters": float(len(sizes)),
        "clusters in the main component": float(len(inside)),
        "mean size": float(sizes[inside].mean()),
        "sd of size": float(sizes[inside].std()),
        "largest share": 100 * float(sizes.max() / sizes.sum()),
        "small components that are no cluster": float(len(parts) - 1 - (whole & small).sum()),
    }
