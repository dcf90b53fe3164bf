"""Figures 1 to 3 and the clusters of Section 6.1: NDCG of the cluster framework.

NDCG against the level for two networks, against the degree of a user, and whether refinement makes
the clusters more stable; with the sentences that the paper says of each. Jorgensen and Yu 2014,
doi 10.5441/002/edbt.2014.51.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
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
from pplab.papers.part import Finding, listed, mean_of_runs, statement_rows
from pplab.papers.social.paper import (
    ALPHA,
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
)
from pplab.recommenders.clusters import cluster_averages, cluster_top_items, indicator
from pplab.recommenders.communities import best_of_runs, communities, modularity, one_run
from pplab.recommenders.similarity import similarity_times
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
    users : int array, optional
        Who gets lists; everybody when left out.
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
    asked = np.arange(graphs.social.shape[0]) if users is None else users
    blocks = [asked[start : start + _BLOCK] for start in range(0, len(asked), _BLOCK)]
    found: dict[tuple[Any, ...], list[np.ndarray]] = {}
    bar = tqdm(total=len(MEASURES) * len(blocks) * len(averages), desc="NDCG")
    for measure in MEASURES:
        for block in blocks:
            common: dict[str, Any] = {"measure": measure, "self_similarity": self_similarity}
            truth = utilities(graphs.social, graphs.preferences, users=block, **common)
            judge = Judge(truth, longest=max(lists))
            for repetition, partition in enumerate(labels):
                if not repetition or partition is not labels[repetition - 1]:
                    members = indicator(partition)
                    sums = similarity_times(graphs.social, members, users=block, **common)
                for level, epsilon in enumerate(epsilons):
                    items, _ = cluster_top_items(sums, averages[repetition, level], max(lists))
                    for top_n, values in zip(lists, judge.ndcg(items, lists), strict=True):
                        found.setdefault((measure, epsilon, top_n, repetition), []).append(values)
                    bar.update()
    bar.close()
    names = ("measure", "epsilon", "top_n", "repetition")
    return pd.DataFrame(
        dict(zip(names, key, strict=True)) | _mean_ndcg(np.concatenate(parts))
        for key, parts in found.items()
    )


def _mean_ndcg(values: np.ndarray) -> dict[str, float]:
    """Both conventions for users without utility: left out, or counted as 0."""
    undefined = np.isnan(values)
    return {
        "ndcg": float(values[~undefined].mean()),
        "zero": float(np.where(undefined, 0.0, values).mean()),
        "undefined": int(undefined.sum()),
    }


# Figures 1 and 2: NDCG against the level, for two networks, and what is said of them.


LOWEST = 0.01  # the level of the number that the paper prints for the larger network
READINGS = {"without self-similarity": False, "with self-similarity": True}


def figure_1(
    lastfm: Dataset, *, rng: int | np.random.Generator | None = None, repetitions: int = REPETITIONS
) -> pd.DataFrame:
    """NDCG of the cluster framework on Last.fm.

    Parameters
    ----------
    lastfm : Dataset
    rng : int, Generator or None
        Seed or generator.
    repetitions : int, default 10
        Partitions and draws of noise, at least 2.

    Returns
    -------
    DataFrame
        Printed quantities (quantity, epsilon, reading, value, se, sd), statements (statement,
        value, witness) and every mean (measure, epsilon, top_n, reading, value, se, sd).
    """
    check_integer("repetitions", repetitions, minimum=2)
    graphs = graphs_of(lastfm)
    streams = as_rng(rng).spawn(2)
    labels = partitions(graphs, repetitions, streams[0])
    seed = int(streams[1].integers(2**31))
    draws = {
        reading: ndcg_by_level(graphs, labels, self_similarity=own, rng=seed)
        for reading, own in READINGS.items()
    }
    tables = {reading: summary(table) for reading, table in draws.items()}
    plain = tables["without self-similarity"]
    found: dict[str, Finding] = {}
    for measure in MEASURES:
        found |= _about_one_measure(plain, draws["without self-similarity"], measure)
    found["figure-1:N-strongest-at-small-epsilon"] = _list_length_matters_most(plain)
    printed = [
        row | {"reading": reading}
        for reading, table in tables.items()
        for row in _printed_rows(table)
    ]
    every = [table.reset_index().assign(reading=reading) for reading, table in tables.items()]
    return pd.concat([statement_rows(found), pd.DataFrame(printed), *every], ignore_index=True)


def figure_2(
    flixster: Dataset,
    lastfm: Dataset,
    *,
    rng: int | np.random.Generator | None = None,
    repetitions: int = REPETITIONS,
) -> pd.DataFrame:
    """NDCG of the cluster framework on the larger network, for a sample of its users.

    Parameters
    ----------
    flixster, lastfm : Dataset
        The larger network, and the smaller one for comparison.
    rng : int, Generator or None
        Seed or generator.
    repetitions : int, default 10
        Draws of noise, at least 2; one partition serves them all.

    Returns
    -------
    DataFrame
        As for Figure 1.
    """
    check_integer("repetitions", repetitions, minimum=2)
    graphs = graphs_of(flixster)
    streams = as_rng(rng).spawn(4)
    partition = communities(graphs.social, backend="leiden", runs=LARGE_ORDERS, rng=streams[0])
    everyone = graphs.social.shape[0]
    count = min(SAMPLED_USERS, everyone)
    users = np.sort(streams[1].choice(everyone, size=count, replace=False))
    seed = int(streams[2].integers(2**31))
    common: dict[str, Any] = {"users": users, "rng": seed}
    plain = summary(ndcg_by_level(graphs, [partition] * repetitions, **common))
    # the other reading asks for the level and the length of the one printed number only
    own = ndcg_by_level(
        graphs,
        [partition] * repetitions,
        epsilons=(LOWEST,),
        lists=(TOP,),
        self_similarity=True,
        **common,
    )
    tables = dict(zip(READINGS, (plain, summary(own)), strict=True))
    small = graphs_of(lastfm)
    lesser = summary(
        ndcg_by_level(
            small, partitions(small, 2, streams[3]), epsilons=(0.1,), lists=(TOP,), rng=seed
        )
    )
    printed = [
        _extreme(table, LOWEST, "lowest NDCG", lowest=True) | {"reading": reading}
        for reading, table in tables.items()
    ]
    every = [table.reset_index().assign(reading=reading) for reading, table in tables.items()]
    found = _about_the_larger_network(plain, lesser)
    return pd.concat([statement_rows(found), pd.DataFrame(printed), *every], ignore_index=True)


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


def _at(table: pd.DataFrame, measure: str, epsilon: float, top_n: int = TOP) -> pd.Series:
    return table.loc[(measure, epsilon, top_n)]


def _printed_rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    loss = [
        _extreme(table, inf, "smallest loss", lowest=False),
        _extreme(table, inf, "largest loss", lowest=True),
    ]
    for row in loss:
        row["value"] = 1 - row["value"]
    return [
        *loss,
        _extreme(table, 0.1, "lowest NDCG", lowest=True),
        _extreme(table, 0.1, "highest NDCG", lowest=False),
    ]


def _extreme(table: pd.DataFrame, epsilon: float, quantity: str, *, lowest: bool) -> dict[str, Any]:
    rows = [_at(table, measure, epsilon) for measure in MEASURES]
    row = (min if lowest else max)(rows, key=lambda row: row["value"])
    return {"quantity": quantity, "epsilon": epsilon} | row.to_dict()


def _about_one_measure(
    table: pd.DataFrame, draws: pd.DataFrame, measure: str
) -> dict[str, Finding]:
    value = {epsilon: _at(table, measure, epsilon)["value"] for epsilon in EPSILONS}
    told = ", ".join(f"{v:.3f} at {epsilon:g}" for epsilon, v in value.items())
    witness = f"NDCG@{TOP}: {told}."
    poor = value[0.1] - value[0.05] >= 0.1 and value[0.01] < 0.4
    runs = draws[draws["measure"] == measure].pivot_table(
        index="repetition", columns=["epsilon", "top_n"], values="ndcg"
    )
    falls = _never_rises([runs[epsilon, TOP] for epsilon in EPSILONS])
    with_length = {
        epsilon: _never_rises([runs[epsilon, top_n] for top_n in LISTS]) for epsilon in EPSILONS
    }
    told = "; ".join(
        f"{', '.join(f'{runs[epsilon, n].mean():.3f}' for n in LISTS)} at {epsilon:g}"
        f"{'' if fits else ', where it rises'}"
        for epsilon, fits in with_length.items()
    )
    return {
        f"figure-1:little-effect:{measure}": (value[inf] - value[0.6] <= 0.05, witness),
        f"figure-1:poor-below:{measure}": (poor, witness),
        f"figure-1:falls-with-epsilon:{measure}": (falls, witness),
        f"figure-1:falls-with-N:{measure}": (
            all(with_length.values()),
            f"For N = {listed(str(n) for n in LISTS)}: {told}.",
        ),
    }


def _never_rises(columns: Sequence[pd.Series]) -> bool:
    """No value is above the one before it by more than three standard errors of their difference.

    All columns share partitions and noise, so that differences are taken within a repetition.
    """
    gaps = [mean_of_runs(after - before) for before, after in itertools.pairwise(columns)]
    return all(gap["value"] <= 3 * gap["se"] for gap in gaps)


def _gap(table: pd.DataFrame, measure: str, epsilon: float) -> float:
    first, last = (_at(table, measure, epsilon, n)["value"] for n in (min(LISTS), max(LISTS)))
    return float(first - last)


def _list_length_matters_most(table: pd.DataFrame) -> Finding:
    gaps = {m: (_gap(table, m, 0.1), _gap(table, m, inf)) for m in MEASURES}
    told = ", ".join(f"{m}: {small:.3f} and {none:.3f}" for m, (small, none) in gaps.items())
    return all(small > none for small, none in gaps.values()), (
        f"NDCG@10 minus NDCG@100 at epsilon 0.1 and without noise: {told}."
    )


def _about_the_larger_network(table: pd.DataFrame, lesser: pd.DataFrame) -> dict[str, Finding]:
    value = {
        measure: {epsilon: _at(table, measure, epsilon)["value"] for epsilon in EPSILONS}
        for measure in MEASURES
    }
    found: dict[str, Finding] = {}
    for measure, at in value.items():
        told = ", ".join(f"{v:.3f} at {epsilon:g}" for epsilon, v in at.items())
        witness = f"NDCG@{TOP}: {told}."
        found |= {
            f"figure-2:loss-at-inf:{measure}": (1 - at[inf] < 0.1, witness),
            f"figure-2:little-change:{measure}": (at[inf] - at[0.05] <= 0.05, witness),
            f"figure-2:at-least-0.79:{measure}": (at[0.01] >= 0.79, witness),
        }
    gaps = {(m, e): _gap(table, m, e) for m in MEASURES for e in EPSILONS}
    told = "NDCG@10 minus NDCG@100: " + "; ".join(
        f"{m} {', '.join(f'{gaps[m, e]:+.3f} at {e:g}' for e in EPSILONS)}" for m in MEASURES
    )
    quiet = [e for e in EPSILONS if e >= 0.05]
    hurts = all(gaps[m, e] <= 0.01 for m in MEASURES for e in quiet)
    found["figure-2:larger-N-does-not-hurt"] = (
        hurts and all(gaps[m, 0.01] > 0 for m in MEASURES),
        f"{told}.",
    )
    found["figure-2:larger-N-helps"] = (
        all(gaps[m, e] < 0 for m in MEASURES for e in (inf, 1.0, 0.6)),
        f"{told}.",
    )
    falls = {m: (at[0.05] - at[0.01], at[inf] - at[0.05]) for m, at in value.items()}
    told = ", ".join(f"{m}: {late:.3f} and {early:.3f}" for m, (late, early) in falls.items())
    found["figure-2:sharp-fall"] = (
        all(late > early for late, early in falls.values()),
        f"Falls from 0.05 to 0.01 and from no noise to 0.05: {told}.",
    )
    losses = {m: (1 - value[m][0.1], 1 - _at(lesser, m, 0.1)["value"]) for m in MEASURES}
    told = ", ".join(f"{m}: {large:.3f} and {small:.3f}" for m, (large, small) in losses.items())
    found["figure-2:better-than-lastfm"] = (
        all(large < small for large, small in losses.values()),
        f"Losses at epsilon 0.1, here and on Last.fm: {told}.",
    )
    return found


# Figure 3: who gets accurate recommendations? Users by degree.


GOOD = 0.969  # what the paper prints for the well connected
EXCEPTIONS = 0.05  # share of the others that must reach it


def figure_3(
    lastfm: Dataset, *, rng: int | np.random.Generator | None = None, repetitions: int = REPETITIONS
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
    flixster: Dataset, *, rng: int | np.random.Generator | None = None, repetitions: int = 2
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
    options: dict[str, Any] = {"backend": "leiden", "runs": LARGE_ORDERS}
    labels = [communities(graphs.social, rng=stream, **options) for stream in streams]
    everyone = graphs.social.shape[0]
    count = min(SAMPLED_USERS, everyone)
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
    top_n: int = TOP,
    self_similarity: bool = False,
    users: np.ndarray | None = None,
    judge: Judge | None = None,
    rng: int | np.random.Generator | None = None,
) -> np.ndarray:
    """NDCG of the cluster framework for each user; NaN for users without utility.

    A judge of the same graphs, measure and users may be given: it costs more than the lists.
    """
    common: dict[str, Any] = {"measure": measure, "self_similarity": self_similarity}
    if judge is None:
        truth = utilities(graphs.social, graphs.preferences, users=users, **common)
        judge = Judge(truth, longest=top_n)
    sums = similarity_times(graphs.social, indicator(labels), users=users, **common)
    averages = cluster_averages(graphs.preferences, labels, epsilon=epsilon, rng=rng)
    items, _ = cluster_top_items(sums, averages, top_n)
    return judge.ndcg(items, (top_n,))[0]


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
        drawn = [ndcg_per_user(graphs, partition, judge=judge, **common) for partition in labels]
        if not own:
            plain = drawn[0]
        for name, chosen in (("above", degrees > DEGREE), ("up-to", degrees <= DEGREE)):
            means = [float(np.nanmean(values[chosen])) for values in drawn]
            row = {"quantity": "mean NDCG", "degree": f"{name} {DEGREE}", "reading": reading}
            rows.append(row | mean_of_runs(means))
    return rows, plain


def degree_helps(degrees: np.ndarray, values: np.ndarray) -> Finding:
    """Decide whether users of higher degree have a higher NDCG."""
    known = ~np.isnan(values)
    found = scipy.stats.spearmanr(degrees[known], values[known])
    return bool(found.statistic > 0 and found.pvalue < ALPHA), (
        f"Rank correlation of degree and NDCG {found.statistic:.3f} (p-value {found.pvalue:.1g})."
    )


def _exceptions(degrees: np.ndarray, values: np.ndarray) -> Finding:
    few = values[(degrees <= DEGREE) & ~np.isnan(values)]
    share = float((few >= GOOD).mean())
    return share >= EXCEPTIONS, (
        f"{share:.1%} of the {len(few):,} users with degree up to {DEGREE} reach {GOOD}."
    )


# The clusters of Section 6.1, and whether refinement makes them more stable.


ORDERS = 10  # node orders behind a partition
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
    facts: dict[tuple[str, str], list[float]] = {}
    single: dict[bool, list[float]] = {True: [], False: []}
    for seed in tqdm(streams.tolist(), desc="communities"):
        # the same runs, refined or not
        children = as_rng(seed).spawn(ORDERS)
        runs = [one_run(social, "python-louvain", 1.0, stream) for stream in children]
        for reading, refine in REFINED.items():
            for name, value in _facts(best_of_runs(social, runs, refine), main).items():
                facts.setdefault((reading, name), []).append(value)
            single[refine].append(modularity(social, best_of_runs(social, runs[:1], refine)))
    rows = [
        {"quantity": name, "reading": reading} | mean_of_runs(values)
        for reading in REFINED
        for (of, name), values in facts.items()
        if of == reading
    ]
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
        labels = communities(social, backend="leiden", runs=LARGE_ORDERS, rng=stream)
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
