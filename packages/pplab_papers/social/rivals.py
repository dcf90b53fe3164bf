"""Figure 4, future work and a second witness: the cluster framework against its rivals.

`figure_4` compares it with noise on utilities and edges, LRM, GS and chance; `beyond` tries what
the paper names as future work or leaves open; `ciao` repeats the comparison on a network that the
paper does not use. Jorgensen and Yu 2014, doi 10.5441/002/edbt.2014.51.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product, repeat
from math import inf
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from threadpoolctl import threadpool_limits
from tqdm.auto import tqdm

from claimbook.part import Rng, mean_of_runs
from pplab.checks import as_rng, check_integer
from pplab.compiled import new_key
from pplab.datasets.catalog import Dataset
from pplab.metrics.ranking import Judge
from pplab.recommenders import group_smooth
from pplab.recommenders.clusters import cluster_averages
from pplab.recommenders.communities import communities
from pplab.recommenders.low_rank import Decomposition, decompose, low_rank_utilities
from pplab.recommenders.recommend import lists_of_one_noise, recommend
from pplab.recommenders.similarity import Similarity, similarity
from pplab.recommenders.top_items import top_items
from pplab.recommenders.utilities import utilities
from pplab_papers.social import curves, paper
from pplab_papers.social.paper import MEASURES, TOP, Graphs, Row, graphs_of, in_each_world

LEVELS = (1.0, 0.1)
SVD = "lrm, start by svd"  # its search starts where its authors start it
SHARES = (4, 2)  # LRM's queries: a quarter and a half of the users, and all of them


def figure_4(lastfm: Dataset, *, rng: Rng = None, runs: int = 5) -> pd.DataFrame:
    """Figure 4: NDCG@50 of all methods on Last.fm, and the error of LRM as the queries grow.

    LRM and GS, rebuilt from descriptions, stand in the plain world only.
    """
    check_integer("runs", runs, minimum=2)
    graphs = graphs_of(lastfm)
    streams = as_rng(rng).spawn(3)
    labels = curves.partitions(graphs, runs, streams[0])
    noisy, noiseless = rival_ndcg(graphs, labels, streams[1]), _without_noise(graphs, labels)
    described = pd.concat([noiseless, noisy]).assign(methods="described")
    rebuilt = _rebuilt(graphs, rng=streams[2], runs=runs)
    rebuilt = rebuilt.assign(methods="rebuilt", source="substitute")
    return pd.concat([described, rebuilt], ignore_index=True)


def _without_noise(graphs: Graphs, labels: Sequence[np.ndarray]) -> pd.DataFrame:
    def rows(similar: bool) -> Iterator[Row]:
        for measure in MEASURES:
            values = curves.each_user(graphs, labels, measure=measure, self_similarity=similar)
            for labelling in values:
                yield from _means(labelling, measure, "cluster", inf)

    return pd.DataFrame(curves.means(in_each_world(rows)))


def _means(values: np.ndarray, *key: str | float) -> Iterator[Row]:
    """Mean NDCG over users in one run, by measure, method, level and perhaps self-similarity."""
    names = ("measure", "method", "epsilon", "self_similarity")[: len(key)]
    for option, mean in paper.over_users(values).items():
        yield dict(zip(names, key, strict=True)) | {"without_utility": option, "ndcg": mean}


def rival_ndcg(
    graphs: Graphs,
    labels: Sequence[np.ndarray],
    rng: np.random.Generator,
    *,
    users: int | None = None,
    worlds: Mapping[str, bool] = paper.SELF_SIMILARITY,
) -> pd.DataFrame:
    """Mean NDCG@50 by clusters, noise on utilities and on edges, and of random lists.

    Each run has a partition of `labels`, a noise of its own, which all measures, levels and worlds
    share, and its own draw of users where some get lists only.
    """
    rows: list[Row] = []
    everyone = graphs.social.shape[0]
    for labelling in tqdm(labels, desc="rivals"):
        users_served = np.arange(everyone)
        if users is not None and users < everyone:
            users_served = np.sort(rng.choice(everyone, size=users, replace=False))
        seed = int(rng.integers(2**31))
        judges = {}
        for world, measure in product(worlds, MEASURES):
            options: dict[str, Any] = {"measure": measure, "self_similarity": worlds[world]}
            options["users"] = users_served
            truth = utilities(graphs.social, graphs.preferences, **options)
            judge = judges[world, measure] = Judge(truth, longest=TOP)
            for epsilon in LEVELS:
                values = curves.ndcg_per_user(
                    graphs, labelling, epsilon=epsilon, judge=judge, rng=seed, **options
                )
                rows += _means(values, measure, "cluster", epsilon, world)
        for (world, measure, epsilon), method, items in _lists(graphs, users_served, seed, worlds):
            values = judges[world, measure].ndcg(items, (TOP,))[0]
            rows += _means(values, measure, method, epsilon, world)
    return pd.DataFrame(curves.means(pd.DataFrame(rows)))


def _lists(
    graphs: Graphs, users: np.ndarray, seed: int, worlds: Mapping[str, bool]
) -> Iterator[tuple[tuple[str, str, float], str, np.ndarray]]:
    """World, measure and level, method, and lists: random, or by noise on utilities or edges."""
    keys = [*product(worlds, MEASURES, LEVELS)]
    settings = [(Similarity(m, self_similarity=worlds[own]), level) for own, m, level in keys]
    common: dict[str, Any] = {"top_n": TOP, "users": users}
    *sources, chance = as_rng(seed).spawn(3)
    for method, source in zip(("noe", "nou"), sources, strict=True):
        common |= {"method": method, "rng": source}
        lists = lists_of_one_noise(graphs.social, graphs.preferences, settings, **common)
        yield from zip(keys, repeat(method), lists)
    common |= {"method": "random", "rng": chance, "epsilon": inf, "measure": "cn"}
    random = recommend(graphs.social, graphs.preferences, **common).items
    yield from zip(keys, repeat("random"), repeat(random))


# LRM and GS, rebuilt from the paragraphs of Section 6.4.


def _rebuilt(graphs: Graphs, *, rng: np.random.Generator, runs: int) -> pd.DataFrame:
    """NDCG@50 of LRM and GS without self-similarity, and the error of LRM by its queries."""
    likes = graphs.preferences
    table_rows: list[Row] = []
    seeds = rng.integers(2**31, size=runs).tolist()
    choice = int(rng.integers(2**31))  # noise that no run has
    workloads = {measure: similarity(graphs.social, measure=measure) for measure in MEASURES}
    factors = _decomposed(workloads)
    for measure, workload in tqdm(workloads.items(), desc="LRM and GS"):
        judge = Judge(utilities(graphs.social, likes, measure=measure), longest=TOP)
        for (name, method), parts in factors.items():
            for epsilon, table in _lrm(parts, likes, seeds) if name == measure else ():
                values = _judge_lists(judge, table)
                table_rows += _means(values, measure, method, epsilon, "without")
        for epsilon in LEVELS:
            size, _ = best_group_size(workload, likes, epsilon=epsilon, top_n=TOP, rng=choice)
            options: dict[str, Any] = {"epsilon": epsilon, "group_size": size}
            for seed in seeds:
                table = group_smooth.group_smooth_utilities(workload, likes, rng=seed, **options)
                table_rows += _means(_judge_lists(judge, table), measure, "gs", epsilon, "without")
    judged = pd.DataFrame(curves.means(pd.DataFrame(table_rows)))
    rows = judged.query("without_utility == 'left out'")
    return pd.concat([rows, _errors_of_lrm(factors)], ignore_index=True)


def _judge_lists(judge: Judge, table: np.ndarray) -> np.ndarray:
    return judge.ndcg(top_items(table, TOP)[0], (TOP,))[0]


def _decomposed(workloads: Mapping[str, sparse.csr_array]) -> dict[tuple[str, str], Decomposition]:
    """Decompositions by workload and method, two at a time: each counts with one thread."""
    first = workloads["cn"]
    named_workloads: dict[tuple[str, str], sparse.csr_array] = {
        (m, "lrm"): w for m, w in workloads.items()
    }
    named_workloads["cn", SVD] = first
    named_workloads |= {(f"1/{share}", "cn"): first[: first.shape[0] // share] for share in SHARES}

    def made(key: tuple[str, str]) -> Decomposition:
        start = "svd" if key[1] == SVD else "columns"
        gamma = paper.GAMMA.get(key[0], paper.GAMMA["cn"])
        return decompose(named_workloads[key], gamma=gamma, start=start)

    with threadpool_limits(limits=1, user_api="blas"), ThreadPoolExecutor(2) as pool:
        return dict(zip(named_workloads, pool.map(made, named_workloads), strict=True))


def _lrm(
    parts: Decomposition, likes: sparse.csr_array, seeds: Sequence[int]
) -> Iterator[tuple[float, np.ndarray]]:
    """Utilities by LRM for each seed and level; levels share the noise, but for its scale."""
    exact, nothing = low_rank_utilities(parts, likes, epsilon=inf), sparse.csr_array(likes.shape)
    for seed in seeds:
        noise = low_rank_utilities(parts, nothing, epsilon=1.0, rng=seed)
        yield from ((epsilon, exact + noise / np.float32(epsilon)) for epsilon in LEVELS)


def best_group_size(
    similarity: sparse.csr_array,
    preferences: sparse.csr_array,
    *,
    epsilon: float,
    top_n: int,
    rng: Rng = None,
) -> tuple[int, dict[int, float]]:
    """Choose the size of GS's groups that has the best NDCG on the true utilities. NOT PRIVATE.

    Tried are the powers of four up to the number of users, and that number, all on the same rough
    estimates. The choice looks at the true utilities and pays nothing for it, so what is
    published with it is not epsilon-private. Jorgensen and Yu 2014 choose so, and say that it
    violates differential privacy, in favour of the method they compare with.

    Examples
    --------
    >>> friends = sparse.csr_array([[0, 2], [2, 0]]).astype(float)
    >>> likes = sparse.csr_array([[1, 0], [0, 1]]).astype(float)
    >>> best_group_size(friends, likes, epsilon=inf, top_n=1, rng=1)
    (1, {1: 1.0, 2: 0.5})
    """
    count, source = similarity.shape[0], as_rng(rng)
    order = group_smooth.rough_order(similarity, preferences, epsilon, source)
    truth, key = (similarity @ preferences).tocsr(), new_key(source)
    transposed, scores = truth.T.tocsr(), {}
    truth.sort_indices()
    judge = Judge(truth, longest=top_n)
    for size in sorted({4**i for i in range((count.bit_length() + 1) // 2)} | {count}):
        scale = 2 * group_smooth.largest_column(similarity) / size / epsilon
        estimated = group_smooth.smoothed(
            transposed, order, size, scale, key=key, rows=np.arange(count)
        )
        scores[size] = float(np.nanmean(judge.ndcg(top_items(estimated, top_n)[0], (top_n,))[0]))
    return max(scores, key=lambda size: (scores[size], -size)), scores


def _errors_of_lrm(factors: Mapping[tuple[str, str], Decomposition]) -> pd.DataFrame:
    """Expected squared error per answer at epsilon 1 for more and more queries."""
    rows = []
    for key in (*((f"1/{share}", "cn") for share in SHARES), ("cn", "lrm")):
        parts = factors[key]
        queries = len(parts.left)
        noise = 2 * parts.sensitivity**2 * float(np.square(parts.left).sum())
        rows.append({"queries": queries, "quantity": "lrm error", "value": noise / queries})
    return pd.DataFrame(rows)


# Future work of the paper, and questions that it leaves open.


EPSILON = 0.1
SMALL = 10  # users: clusters below are pruned
RESOLUTIONS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
RELEASES = 10
OTHERS = ("jaccard", "resource-allocation")
LOUVAIN: dict[str, Any] = {"backend": "igraph"}  # Louvain in C: the paper prints nothing of these


def beyond(lastfm: Dataset, ciao: Dataset, *, rng: Rng = None, runs: int = 5) -> pd.DataFrame:
    """Weights, pruning, other partitions and measures, repeated releases, users as the unit.

    Each run has a partition and a noise of its own.
    """
    check_integer("runs", runs, minimum=2)
    graphs = graphs_of(lastfm)
    streams = as_rng(rng).spawn(4)
    seeds = streams[0].integers(2**31, size=(2, runs)).tolist()
    judges = {
        measure: Judge(utilities(graphs.social, graphs.preferences, measure=measure), longest=TOP)
        for measure in (*MEASURES, *OTHERS)
    }
    rows: list[Row] = []

    def measured(
        quantity: str, setting: object, labels: Sequence[np.ndarray], epsilon: float, measure: str
    ) -> np.ndarray:
        how: dict[str, Any] = {"measure": measure, "judge": judges[measure], "epsilon": epsilon}
        pairs = zip(labels, seeds[1], strict=True)
        values = (curves.ndcg_per_user(graphs, each, rng=seed, **how) for each, seed in pairs)
        sample = np.array([np.nanmean(each) for each in values])
        rows.append({"what": quantity, "setting": str(setting)} | mean_of_runs(sample))
        return sample

    def lists_of(social: sparse.csr_array, **options: Any) -> list[np.ndarray]:
        return [communities(social, rng=seed, **LOUVAIN, **options) for seed in seeds[0]]

    base = lists_of(graphs.social)
    plain = measured("partition", "social graph", base, EPSILON, "cn")
    others = {
        "small clusters merged": [_pruned(labels) for labels in base],
        "common neighbours": lists_of(_joined(graphs)),
    }
    for setting, labels in others.items():
        gain = measured("partition", setting, labels, EPSILON, "cn") - plain
        rows.append({"what": "difference", "setting": setting} | mean_of_runs(gain))
    rows += _weights(ciao, streams[1], runs)
    for measure in (*MEASURES, *OTHERS):
        lost = 1 - measured("NDCG without noise", measure, base, inf, measure)
        rows.append({"what": "loss without noise", "setting": measure} | mean_of_runs(lost))
    measured("one release", 1.0, base, 1.0, "cn")
    measured("one of ten releases", 1.0 / RELEASES, base, 1.0 / RELEASES, "cn")
    for resolution in RESOLUTIONS:
        labels = lists_of(graphs.social, resolution=resolution)
        measured("resolution", resolution, labels, EPSILON, "cn")
    measured("user level", "no noise", base, inf, "cn")
    typical = float(np.median(np.diff(graphs.preferences.indptr)))
    measured("user level", "edge level", base, 1 / typical, "cn")
    return pd.DataFrame(rows)


def _pruned(labels: np.ndarray) -> np.ndarray:
    """Clusters below ten users become one."""
    merged = np.where(np.bincount(labels)[labels] < SMALL, labels.max() + 1, labels)
    numbered: np.ndarray = np.unique(merged, return_inverse=True)[1]
    return numbered


def _joined(graphs: Graphs) -> sparse.csr_array:
    """The graph in which similar users are joined."""
    similar = similarity(graphs.social, measure="cn")
    ones = np.ones(similar.nnz, dtype=np.int8)
    return sparse.csr_array((ones, similar.indices, similar.indptr), shape=similar.shape)


def _weights(ciao: Dataset, rng: np.random.Generator, runs: int) -> list[Row]:
    """Ratings over 5 as weights: what one of them moves, and what the noise costs."""
    graphs = graphs_of(ciao)
    table = ciao.preferences
    weights = sparse.csr_array((table.data / 5.0, table.indices, table.indptr), shape=table.shape)
    users = np.sort(rng.permutation(table.shape[0])[:SAMPLED])
    options: dict[str, Any] = {"measure": "cn", "users": users}
    options["judge"] = Judge(utilities(graphs.social, weights, **options), longest=TOP)
    weighted = replace(graphs, preferences=weights)
    levels = {"NDCG without noise": inf, "NDCG at 1": 1.0}
    by_level: dict[str, list[float]] = {setting: [] for setting in levels}
    for labels in curves.partitions(graphs, runs, rng, **LOUVAIN):
        for setting, epsilon in levels.items():
            per_user = curves.ndcg_per_user(weighted, labels, epsilon=epsilon, rng=rng, **options)
            by_level[setting].append(float(np.nanmean(per_user)))
    rows = [{"setting": name} | mean_of_runs(means) for name, means in by_level.items()]
    rows.append({"setting": "largest move", "value": _largest_move(weights, labels)})
    return [{"what": "weights"} | row for row in rows]


def _largest_move(weights: sparse.csr_array, labels: np.ndarray) -> float:
    """Change of an average, times the size of its cluster, when a weight goes to 0 or 1."""
    corner = weights[:200].toarray()
    part = corner[:, corner.any(axis=0)][:, :40]
    groups = np.unique(labels[:200], return_inverse=True)[1]
    sizes = np.bincount(groups)
    before = cluster_averages(sparse.csr_array(part), groups, epsilon=inf)
    largest = 0.0
    for user, item in np.ndindex(20, part.shape[1]):
        for weight in (0.0, 1.0):
            other = part.copy()
            other[user, item] = weight
            change = cluster_averages(sparse.csr_array(other), groups, epsilon=inf) - before
            largest = max(largest, float((np.abs(change) * sizes[:, None]).sum()))
    return largest


# A second witness: the same code on the Ciao network, which the paper does not use.


WITNESS_LEVELS = (inf, 1.0, 0.6, 0.1)
SAMPLED = 1_000  # users behind each mean
FEW = 20  # users whose lists the costly rivals make, drawn anew in each run


def ciao(ciao: Dataset, *, rng: Rng = None, repetitions: int = 5) -> pd.DataFrame:
    """Repeat Figures 1, 3 and 4 in part on Ciao, without self-similarity."""
    check_integer("repetitions", repetitions, minimum=2)
    graphs = graphs_of(ciao)
    streams = as_rng(rng).spawn(4)
    labels = curves.partitions(graphs, repetitions, streams[0], **LOUVAIN)
    users = np.sort(streams[1].permutation(len(labels[0]))[:SAMPLED])
    options: dict[str, Any] = {"epsilons": WITNESS_LEVELS, "lists": (TOP,), "users": users}
    by_level = curves.ndcg_by_level(graphs, labels, rng=streams[1], **options)
    rivals = rival_ndcg(graphs, labels, streams[2], users=FEW, worlds={"without": False})
    values = curves.each_user(graphs, labels, users=users, measure="cn")
    degree = pd.DataFrame(curves.degree_helps(graphs, values, "cn", users, rng=streams[3]))
    parts = [pd.DataFrame(curves.means(by_level)), rivals, degree]
    rows = pd.concat(parts, ignore_index=True)
    return rows.query("without_utility == 'left out'").drop(columns=[*paper.PLAIN])
