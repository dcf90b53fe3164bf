"""Figure 4, future work and a second witness: the cluster framework against its rivals.

`figure_4` compares it with noise on utilities and edges, LRM, GS and chance; `beyond` tries what
the paper names as future work or leaves open; `ciao` repeats the comparison on a network that the
paper does not use. Jorgensen and Yu 2014, doi 10.5441/002/edbt.2014.51.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from tqdm.auto import tqdm

from pplab._compiled import new_key
from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.metrics.ranking import Judge
from pplab.papers.part import Rng
from pplab.papers.social.curves import (
    degree_helps,
    ndcg_by_level,
    ndcg_per_user,
    partitions,
    summary,
)
from pplab.papers.social.paper import GAMMA, MEASURES, TOP, Graphs, graphs_of, mean_of_runs
from pplab.recommenders.clusters import cluster_averages
from pplab.recommenders.communities import communities
from pplab.recommenders.group_smooth import (
    group_smooth_utilities,
    largest_column,
    rough_order,
    smoothed,
)
from pplab.recommenders.low_rank import Decomposition, decompose, low_rank_utilities
from pplab.recommenders.recommend import recommend
from pplab.recommenders.similarity import similarity, similarity_times
from pplab.recommenders.top_items import RunningTop, laplace_rows, top_items
from pplab.recommenders.utilities import utilities

LEVELS = (1.0, 0.1)
METHODS = ("random", "nou", "noe", "lrm", "gs", "cluster")
REBUILT = ("lrm", "gs")  # from descriptions
SHARES = (4, 2)  # LRM's queries: a quarter and a half of the users, and all of them
_ITEMS = 1024  # whose noise is held at once


def figure_4(lastfm: Dataset, *, rng: Rng = None, runs: int = 2) -> pd.DataFrame:
    """Figure 4: NDCG@50 of all methods on Last.fm, and the error of LRM as the queries grow."""
    check_integer("runs", runs, minimum=2)
    graphs = graphs_of(lastfm)
    streams = as_rng(rng).spawn(3)
    labels = communities(graphs.social, rng=streams[0])
    factors = {
        measure: decompose(similarity(graphs.social, measure=measure), gamma=gamma)
        for measure, gamma in GAMMA.items()
    }
    table = rival_ndcg(graphs, labels, METHODS, factors=factors, rng=streams[1], runs=runs)
    start = _lrm_from_svd(graphs, rng=streams[2], runs=runs)
    substitutes = [start, _errors_of_lrm(graphs, factors["cn"])]
    return pd.concat(
        [
            _told_apart(pd.concat([table, _without_noise(graphs, labels)])),
            *(frame.assign(source="substitute", methods="rebuilt") for frame in substitutes),
        ],
        ignore_index=True,
    )


def _told_apart(table: pd.DataFrame) -> pd.DataFrame:
    """Mark the rows of methods that are rebuilt from descriptions."""
    rebuilt = table["method"].isin(REBUILT)
    return table.assign(
        methods=np.where(rebuilt, "rebuilt", "described"),
        source=pd.Series("substitute", index=table.index).where(rebuilt),
    )


def _without_noise(graphs: Graphs, labels: np.ndarray) -> pd.DataFrame:
    rows = [
        {"measure": measure, "method": "cluster", "epsilon": inf}
        | {"value": float(np.nanmean(ndcg_per_user(graphs, labels, measure=measure)))}
        for measure in MEASURES
    ]
    return pd.DataFrame(rows)


def rival_ndcg(
    graphs: Graphs,
    labels: np.ndarray,
    methods: tuple[str, ...],
    *,
    factors: Mapping[str, Decomposition] | None = None,
    rng: Rng = None,
    runs: int = 2,
    users: int | None = None,
) -> pd.DataFrame:
    """Mean NDCG@50 of each method and measure.

    Where only some users get lists, noise on edges is drawn once per run, for all levels.
    """
    generator = as_rng(rng)
    seeds = generator.integers(2**31, size=(len(LEVELS), runs))
    everyone = graphs.social.shape[0]
    asked = np.arange(everyone)
    if users is not None and users < everyone:
        asked = np.sort(generator.choice(everyone, size=users, replace=False))
    choice = int(generator.integers(2**31))
    noisy = _noise_on_edges(graphs, asked, seeds[0]) if len(asked) < everyone else {}
    rows: list[dict[str, Any]] = []
    for measure in MEASURES:
        truth = utilities(graphs.social, graphs.preferences, measure=measure, users=asked)
        judge = Judge(truth, longest=TOP)
        work = _Workload(graphs, measure, asked, factors[measure] if factors else None, choice)
        for method in tqdm(methods, desc=f"methods, {measure}"):
            for epsilon, mine in zip(LEVELS, seeds, strict=True):
                sample = []
                for run, seed in enumerate(mine.tolist()):
                    if method == "cluster":
                        options: dict[str, Any] = {"measure": measure, "users": asked}
                        values = ndcg_per_user(
                            graphs, labels, epsilon=epsilon, judge=judge, rng=seed, **options
                        )
                    else:
                        made = noisy.get((measure, epsilon, run)) if method == "noe" else None
                        items = work.items(method, epsilon, seed) if made is None else made
                        values = judge.ndcg(items, (TOP,))[0]
                    sample.append(float(np.nanmean(values)))
                row = {"measure": measure, "method": method, "epsilon": epsilon}
                rows.append(row | mean_of_runs(sample))
    return pd.DataFrame(rows)


class _Workload:
    """One measure: what is public is computed once."""

    def __init__(
        self,
        graphs: Graphs,
        measure: str,
        users: np.ndarray,
        parts: Decomposition | None,
        choice: int,
    ) -> None:
        self.graphs, self.measure, self.users = graphs, measure, users
        self.group_sizes: dict[float, int] = {}
        self.choice = choice
        if parts:  # LRM and GS answer for everybody
            self.similarity = similarity(graphs.social, measure=measure)
            self.parts = parts

    def items(self, method: str, epsilon: float, seed: int) -> np.ndarray:
        likes = self.graphs.preferences
        if method == "lrm":
            estimated = low_rank_utilities(self.parts, likes, epsilon=epsilon, rng=seed)
            return top_items(estimated, TOP)[0]
        if method == "gs":  # the paper's choice of the group size, which is not private
            if epsilon not in self.group_sizes:  # chosen once, with noise that no run has
                self.group_sizes[epsilon], _ = best_group_size(
                    self.similarity, likes, epsilon=epsilon, top_n=TOP, rng=self.choice
                )
            size = self.group_sizes[epsilon]
            estimated = group_smooth_utilities(
                self.similarity, likes, epsilon=epsilon, group_size=size, rng=seed
            )
            return top_items(estimated, TOP)[0]
        common: dict[str, Any] = {"measure": self.measure, "top_n": TOP, "users": self.users}
        social = self.graphs.social
        return recommend(social, likes, epsilon=epsilon, method=method, rng=seed, **common).items


def best_group_size(
    similarity: sparse.csr_array,
    preferences: sparse.csr_array,
    *,
    epsilon: float,
    top_n: int,
    rng: Rng = None,
) -> tuple[int, dict[int, float]]:
    """Choose the size of GS's groups that has the best NDCG on the true utilities. NOT PRIVATE.

    Tried are the powers of two up to the number of users, and that number, all on the same rough
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
    order = rough_order(similarity, preferences, epsilon, source)
    truth, key = (similarity @ preferences).tocsr(), new_key(source)
    transposed, scores = truth.T.tocsr(), {}
    truth.sort_indices()
    judge = Judge(truth, longest=top_n)
    for size in sorted({2**i for i in range(count.bit_length())} | {count}):
        scale = 2 * largest_column(similarity) / size / epsilon
        estimated = smoothed(transposed, order, size, scale, key=key, rows=np.arange(count))
        scores[size] = float(np.nanmean(judge.ndcg(top_items(estimated, top_n)[0], (top_n,))[0]))
    return max(scores, key=lambda size: (scores[size], -size)), scores


def _noise_on_edges(
    graphs: Graphs, users: np.ndarray, seeds: np.ndarray
) -> dict[tuple[str, float, int], np.ndarray]:
    """Lists by measure, level and run from noisy preferences, for a few users of a large network.

    As `recommend` makes them, with one draw of noise for all measures and levels: to draw it and
    to sum it up costs by far the most.
    """
    count, items = graphs.preferences.shape
    everybody = sparse.eye_array(count, format="csr")
    rows: list[Any] = [
        similarity_times(graphs.social, everybody, measure=measure, users=users)
        for measure in MEASURES
    ]
    similar = sparse.vstack(rows).toarray()
    by_item = graphs.preferences.T.tocsr()
    by_cell: dict[tuple[str, float, int], np.ndarray] = {}
    for run, seed in enumerate(seeds.tolist()):
        key, tops = new_key(as_rng(seed)), {e: RunningTop(len(similar), TOP) for e in LEVELS}
        for first in range(0, items, _ITEMS):
            here = range(first, min(first + _ITEMS, items))
            true = (by_item[here.start : here.stop] @ similar.T).T
            noise = similar @ laplace_rows(key, here, count).T
            for epsilon, top in tops.items():
                top.add(true + noise / epsilon, first=first)
        for epsilon, top in tops.items():
            lists = np.split(top.result()[0], len(MEASURES))
            by_cell |= {
                (measure, epsilon, run): items
                for measure, items in zip(MEASURES, lists, strict=True)
            }
    return by_cell


def _lrm_from_svd(graphs: Graphs, *, rng: np.random.Generator, runs: int) -> pd.DataFrame:
    """LRM for CN at epsilon 1 when its search starts where its authors start it."""
    workload = similarity(graphs.social, measure="cn")
    judge = Judge(utilities(graphs.social, graphs.preferences, measure="cn"), longest=TOP)
    parts = decompose(workload, gamma=GAMMA["cn"], start="svd")
    sample = []
    for seed in rng.integers(2**31, size=runs).tolist():
        estimated = low_rank_utilities(parts, graphs.preferences, epsilon=1.0, rng=seed)
        values = judge.ndcg(top_items(estimated, TOP)[0], (TOP,))[0]
        sample.append(float(np.nanmean(values)))
    row = {"measure": "cn", "method": "lrm, start by svd", "epsilon": 1.0}
    return pd.DataFrame([row | mean_of_runs(sample)])


def _errors_of_lrm(graphs: Graphs, whole: Decomposition) -> pd.DataFrame:
    """Expected squared error per answer at epsilon 1 for more and more queries."""
    workload = similarity(graphs.social, measure="cn")
    few = [workload[: workload.shape[0] // share] for share in SHARES]
    rows = []
    for parts in (*(decompose(queries, gamma=GAMMA["cn"]) for queries in few), whole):
        queries = len(parts.left)
        noise = 2 * parts.sensitivity**2 * float(np.square(parts.left).sum())
        rows.append({"queries": queries, "quantity": "lrm error", "value": noise / queries})
    return pd.DataFrame(rows)


# Future work of the paper, and questions that it leaves open.


EPSILON = 0.1
PARTITIONS = 5
SMALL = 10  # users: clusters below are pruned
RESOLUTIONS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
RELEASES = 10
OTHERS = ("jaccard", "resource-allocation")
LOUVAIN: dict[str, Any] = {"backend": "igraph"}  # Louvain in C: the paper prints nothing of these


def beyond(lastfm: Dataset, ciao: Dataset, *, rng: Rng = None, runs: int = 10) -> pd.DataFrame:
    """Weights, pruning, other partitions and measures, repeated releases, users as the unit."""
    check_integer("runs", runs, minimum=2)
    graphs = graphs_of(lastfm)
    streams = as_rng(rng).integers(2**31, size=(8, runs))
    several = [communities(graphs.social, rng=int(s), **LOUVAIN) for s in streams[0, :PARTITIONS]]
    base = several[0]
    judges = {
        measure: Judge(utilities(graphs.social, graphs.preferences, measure=measure), longest=TOP)
        for measure in (*MEASURES, *OTHERS)
    }
    rows: list[dict[str, Any]] = []

    def one(labels: np.ndarray, epsilon: float, seed: int, measure: str = "cn") -> float:
        options: dict[str, Any] = {"measure": measure, "judge": judges[measure], "rng": int(seed)}
        return float(np.nanmean(ndcg_per_user(graphs, labels, epsilon=epsilon, **options)))

    def measured(
        what: str, setting: object, labels: np.ndarray, epsilon: float, measure: str = "cn"
    ) -> dict[str, float]:
        seeds = streams[1] if epsilon < inf else streams[1, :2]
        sample = [one(labels, epsilon, seed, measure) for seed in seeds]
        mean = mean_of_runs(sample)
        rows.append({"what": what, "setting": str(setting)} | mean)
        return mean

    def over_partitions(setting: str, partitions: Sequence[np.ndarray]) -> np.ndarray:
        """One draw of noise per partition: what changes from partition to partition counts, too."""
        sample = np.array(
            [one(own, EPSILON, seed) for own, seed in zip(partitions, streams[1], strict=False)]
        )
        rows.append({"what": "partition", "setting": setting} | mean_of_runs(sample))
        return sample

    plain = over_partitions("social graph", several)
    pruned = over_partitions("small clusters merged", [_pruned(labels) for labels in several])
    tuned = over_partitions(
        "common neighbours", [_tuned(graphs, int(s)) for s in streams[3, :PARTITIONS]]
    )
    for setting, other in (("small clusters merged", pruned), ("common neighbours", tuned)):
        rows.append({"what": "difference", "setting": setting} | mean_of_runs(other - plain))
    rows += _weights(ciao, [*streams[2, :2], streams[4, 0]])
    for measure in (*MEASURES, *OTHERS):
        kept = measured("NDCG without noise", measure, base, inf, measure=measure)
        lost = kept | {"value": 1 - kept["value"]}
        rows.append({"what": "loss without noise", "setting": measure} | lost)
    measured("one release", 1.0, base, 1.0)
    measured("one of ten releases", 1.0 / RELEASES, base, 1.0 / RELEASES)
    for resolution in RESOLUTIONS:
        options: dict[str, Any] = {"resolution": resolution, "rng": int(streams[0, 0]), **LOUVAIN}
        labels = communities(graphs.social, **options)
        measured("resolution", resolution, labels, EPSILON)
    measured("user level", "no noise", base, inf)
    typical = float(np.median(np.diff(graphs.preferences.indptr)))
    measured("user level", "edge level", base, 1 / typical)
    return pd.DataFrame(rows)


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
    return communities(joined, rng=int(seed), **LOUVAIN)


def _weights(ciao: Dataset, seeds: Sequence[int] | np.ndarray) -> list[dict[str, Any]]:
    """Ratings over 5 as weights: what one of them moves, and what the noise costs."""
    graphs = graphs_of(ciao)
    table = ciao.preferences
    weights = sparse.csr_array((table.data / 5.0, table.indices, table.indptr), shape=table.shape)
    labels = communities(graphs.social, rng=int(seeds[0]), **LOUVAIN)
    values = {"largest move": _largest_move(weights, labels)}
    users = np.sort(as_rng(int(seeds[2])).permutation(len(labels))[:SAMPLED])
    options: dict[str, Any] = {"measure": "cn", "users": users}
    options["judge"] = Judge(utilities(graphs.social, weights, **options), longest=TOP)
    weighted = replace(graphs, preferences=weights)
    for setting, epsilon in (("NDCG without noise", inf), ("NDCG at 1", 1.0)):
        per_user = ndcg_per_user(weighted, labels, epsilon=epsilon, rng=int(seeds[1]), **options)
        values[setting] = float(np.nanmean(per_user))
    return [{"what": "weights", "setting": n, "value": value} for n, value in values.items()]


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


# A second witness: the same code on the Ciao network, which the paper does not use.


WITNESS_LEVELS = (inf, 1.0, 0.6, 0.1)
SAMPLED = 1_000  # users behind each mean
FEW = 100  # users whose lists the costly rivals make


def ciao(ciao: Dataset, *, rng: Rng = None, repetitions: int = 3) -> pd.DataFrame:
    """Repeat Figures 1, 3 and 4 in part on Ciao."""
    check_integer("repetitions", repetitions, minimum=2)
    graphs = graphs_of(ciao)
    streams = as_rng(rng).spawn(4)
    labels = partitions(graphs, repetitions, streams[0], **LOUVAIN)
    seed = int(streams[1].integers(2**31))
    users = np.sort(streams[3].permutation(len(labels[0]))[:SAMPLED])
    options: dict[str, Any] = {"epsilons": WITNESS_LEVELS, "lists": (TOP,), "users": users}
    curves = summary(ndcg_by_level(graphs, labels, rng=seed, **options))
    rivals = rival_ndcg(
        graphs, labels[0], ("nou", "noe", "cluster"), rng=streams[2], runs=2, users=FEW
    )
    values = ndcg_per_user(graphs, labels[0], users=users)
    degree = pd.DataFrame(degree_helps(np.diff(graphs.social.indptr)[users], values, "cn"))
    return pd.concat([curves.reset_index(), rivals, degree], ignore_index=True)
