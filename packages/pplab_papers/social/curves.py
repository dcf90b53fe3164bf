"""Figures 1 to 3 and the clusters of Section 6.2: NDCG of the cluster framework.

NDCG against the level for two networks, against the degree of a user, by clusters and by random
ones, and the sizes of the clusters with and without refinement. Jorgensen and Yu 2014,
doi 10.5441/002/edbt.2014.51.
"""

import itertools
from collections.abc import Iterator, Sequence
from functools import cache
from math import inf
from typing import Any

import numpy as np
import pandas as pd
import scipy
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from tqdm.auto import tqdm

from claimbook.part import Rng, mean_of_runs
from pplab.checks import as_rng, check_integer
from pplab.datasets.catalog import Dataset
from pplab.metrics.ranking import Judge, gains
from pplab.recommenders.clusters import cluster_averages, cluster_top_items, indicator
from pplab.recommenders.communities import best_of_runs, communities, modularity_of_csr, one_run
from pplab.recommenders.similarity import similarity, similarity_times
from pplab.recommenders.utilities import utilities
from pplab_papers.social import paper
from pplab_papers.social.paper import DEGREE, MEASURES, TOP, Graphs, Row, graphs_of, in_each_world

_BLOCK = 2_000  # users whose true utilities are held at once


def ndcg_by_level(
    graphs: Graphs,
    labels: Sequence[np.ndarray],
    *,
    epsilons: Sequence[float] = paper.EPSILONS,
    lists: Sequence[int] = paper.LISTS,
    self_similarity: bool = False,
    users: np.ndarray | None = None,
    rng: Rng = None,
) -> pd.DataFrame:
    """Recommend by clusters, once per partition, level and measure.

    The noise of a repetition is drawn once and shared by all measures and list lengths. Columns:
    measure, epsilon, top_n, repetition, without_utility, ndcg.
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
    users_served = np.arange(graphs.social.shape[0]) if users is None else users
    blocks = [users_served[start : start + _BLOCK] for start in range(0, len(users_served), _BLOCK)]
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
        dict(zip(names, key, strict=True)) | {"without_utility": option, "ndcg": mean}
        for key, parts in by_cell.items()
        for option, mean in paper.over_users(np.concatenate(parts)).items()
    )


# Figures 1 and 2: NDCG against the level, for two networks.


RUNS = 20  # of Last.fm, for the numbers that decide between worlds


def figure_1(lastfm: Dataset, *, rng: Rng = None, repetitions: int = RUNS) -> pd.DataFrame:
    """Figure 1: NDCG of the cluster framework on Last.fm, a partition and noise each repetition."""
    check_integer("repetitions", repetitions, minimum=2)
    graphs = graphs_of(lastfm)
    streams = as_rng(rng).spawn(3)
    labels = partitions(graphs, repetitions, streams[0])

    def rows(similar: bool) -> Iterator[Row]:
        options: dict[str, Any] = {"self_similarity": similar}
        options["rng"] = int(streams[1].integers(2**31))
        table = ndcg_by_level(graphs, labels, **options)
        options["rng"] = int(streams[2].integers(2**31))  # another noise on the same partitions
        again = ndcg_by_level(graphs, labels, epsilons=(0.1,), lists=(TOP,), **options)
        repeated = dict(iter(again.groupby("without_utility")))
        for option, values in table.groupby("without_utility", sort=False):
            runs, second = _by_cell(values), _by_cell(repeated[option])
            for row in (*_printed(runs, second), *_means(runs), *_changes(runs)):
                yield row | {"without_utility": option}

    return in_each_world(rows)


def _by_cell(table: pd.DataFrame) -> pd.DataFrame:
    return table.pivot_table(
        index="repetition", columns=["measure", "epsilon", "top_n"], values="ndcg", sort=False
    )


def _means(runs: pd.DataFrame) -> Iterator[Row]:
    for at, values in runs.items():
        place = dict(zip(runs.columns.names, at, strict=True))
        yield {"quantity": "mean"} | place | mean_of_runs(values)


def _changes(runs: pd.DataFrame) -> Iterator[Row]:
    """Changes with length and level; all lists of a repetition share partition and noise."""
    few, most = min(paper.LISTS), max(paper.LISTS)
    for measure, epsilon in itertools.product(MEASURES, paper.EPSILONS):
        gap = runs[measure, epsilon, most] - runs[measure, epsilon, few]
        row: Row = {"quantity": f"change from N = {few} to {most}", "measure": measure}
        yield row | {"epsilon": epsilon} | mean_of_runs(gap)
    for measure, (before, after) in itertools.product(MEASURES, itertools.pairwise(paper.EPSILONS)):
        gap = runs[measure, after, TOP] - runs[measure, before, TOP]
        row = {"quantity": "change to the next epsilon", "measure": measure, "epsilon": after}
        yield row | mean_of_runs(gap)


def _printed(runs: pd.DataFrame, again: pd.DataFrame) -> Iterator[Row]:
    """Extremes over the measures, with the spread of a printed mean of ten repetitions.

    The noise is drawn ten times; the partition, too, or once for all.
    """
    for quantity, epsilon, pick in (
        ("smallest loss", inf, "idxmax"),
        ("largest loss", inf, "idxmin"),
        ("lowest NDCG", 0.1, "idxmin"),
        ("highest NDCG", 0.1, "idxmax"),
    ):
        values = pd.DataFrame({measure: runs[measure, epsilon, TOP] for measure in MEASURES})
        chosen = getattr(values.mean(), pick)()
        draws = 1 - values[chosen] if "loss" in quantity else values[chosen]
        noise = 0.0
        if epsilon < inf:
            noise = float((values[chosen] - again[chosen, epsilon, TOP]).pow(2).mean() / 2)
        for row in _printed_means(draws, noise):
            yield {"quantity": quantity, "epsilon": epsilon} | row


def _printed_means(
    draws: Sequence[float] | np.ndarray | pd.Series, noise: float = 0.0
) -> Iterator[Row]:
    """Mean over runs, and the spread of what is printed: a mean of ten; noise is its variance."""
    row = mean_of_runs(np.asarray(draws))
    between = max(row["sd"] ** 2 - noise, 0.0)
    for partition, share in (("one for all repetitions", 1), ("one each", paper.REPETITIONS)):
        spread = (between / share + noise / paper.REPETITIONS) ** 0.5
        yield row | {"sd": spread, "partition": partition}


def figure_2(
    flixster: Dataset, lastfm: Dataset, *, rng: Rng = None, repetitions: int = 5
) -> pd.DataFrame:
    """Figure 2: NDCG of the cluster framework on the larger network, for some of its users."""
    check_integer("repetitions", repetitions, minimum=2)
    graphs, small = graphs_of(flixster), graphs_of(lastfm)
    streams = as_rng(rng).spawn(4)
    few = partitions(small, repetitions, streams[0])
    how: dict[str, Any] = {"backend": "leiden", "runs": paper.LARGE_ORDERS}
    partition = communities(graphs.social, rng=streams[1], **how)
    users = _some_users(graphs, streams[2])

    def rows(similar: bool) -> Iterator[Row]:
        options: dict[str, Any] = {"self_similarity": similar}
        options["rng"] = int(streams[3].integers(2**31))
        yield from means(ndcg_by_level(graphs, [partition] * repetitions, users=users, **options))
        for row in means(ndcg_by_level(small, few, epsilons=(0.1,), lists=(TOP,), **options)):
            del row["top_n"]
            yield row | {"level": row.pop("epsilon"), "network": "lastfm"}

    return in_each_world(rows)


def _some_users(graphs: Graphs, rng: np.random.Generator) -> np.ndarray:
    everyone = graphs.social.shape[0]
    return np.sort(rng.choice(everyone, size=min(paper.SAMPLED_USERS, everyone), replace=False))


def partitions(
    graphs: Graphs, count: int, rng: np.random.Generator, **options: Any
) -> list[np.ndarray]:
    """As many partitions, each the best of ten node orders unless the options say otherwise.

    Parts with one seed share them: a partition is found once.
    """
    social = graphs.social
    links = (social.shape[0], social.indptr.tobytes(), social.indices.tobytes())
    seeds = rng.integers(2**31, size=count).tolist()
    return [_partition(links, seed, tuple(sorted(options.items()))) for seed in seeds]


@cache
def _partition(
    links: tuple[int, bytes, bytes], seed: int, options: tuple[tuple[str, Any], ...]
) -> np.ndarray:
    count, *parts = links
    indptr, indices = (np.frombuffer(part, dtype=np.int32) for part in parts)
    ones = np.ones(len(indices), dtype=np.int8)
    social = sparse.csr_array((ones, indices, indptr), shape=(count, count))
    return communities(social, rng=seed, **dict(options))


def means(table: pd.DataFrame) -> Iterator[Row]:
    """Mean NDCG over repetitions with its standard error and the spread of one repetition."""
    keys = [name for name in table if name not in ("repetition", "ndcg")]
    for key, group in table.groupby(keys, sort=False):
        yield dict(zip(keys, key, strict=True)) | mean_of_runs(group["ndcg"].to_numpy())


# Are communities better than random clusters?


def random_clusters(
    lastfm: Dataset, *, rng: Rng = None, repetitions: int = paper.REPETITIONS
) -> pd.DataFrame:
    """NDCG@50 with the clusters of Louvain, random ones of their sizes, and one for everybody."""
    check_integer("repetitions", repetitions, minimum=2)
    graphs = graphs_of(lastfm)
    streams = as_rng(rng).spawn(3)
    labels = {"Louvain": partitions(graphs, repetitions, streams[0])}
    labels["random"] = [streams[1].permutation(partition) for partition in labels["Louvain"]]
    labels["one"] = [np.zeros_like(partition) for partition in labels["Louvain"]]
    seed = int(streams[2].integers(2**31))

    def rows(similar: bool) -> Iterator[Row]:
        by_clusters: dict[tuple[Any, ...], dict[str, np.ndarray]] = {}
        options: dict[str, Any] = {"self_similarity": similar}
        names = ("measure", "epsilon", "without_utility")
        for name, label_sets in labels.items():
            at: dict[str, Any] = {"epsilons": (inf, 1.0, 0.1), "lists": (TOP,), "rng": seed}
            table = ndcg_by_level(graphs, label_sets, **at, **options)
            for key, runs in table.groupby([*names], sort=False)["ndcg"]:
                by_clusters.setdefault(key, {})[name] = runs.to_numpy()
            for measure in MEASURES:
                within = [_within(graphs, each, measure=measure, **options) for each in label_sets]
                by_clusters.setdefault((measure,), {})[name] = np.array(within)
        for key, by in by_clusters.items():
            row: Row = dict(zip(names, key, strict=False))
            row["quantity"] = "NDCG" if len(key) > 1 else "similarity within clusters"
            rivals = ("random", "one")
            gaps = {f"Louvain less {rival}": by["Louvain"] - by[rival] for rival in rivals}
            for name, runs in (by | gaps).items():
                yield row | {"clusters": name} | mean_of_runs(runs)
        yield from _zero_utility(graphs, labels["Louvain"], seed, **options)

    return in_each_world(rows)


def _zero_utility(
    graphs: Graphs, labels: list[np.ndarray], seed: int, **options: bool
) -> list[Row]:
    """Share of the listed items that are worth nothing, for common neighbours at epsilon 0.1."""
    settings: dict[str, Any] = {"measure": "cn", **options}
    truth = utilities(graphs.social, graphs.preferences, **settings)
    worthless = []
    for run, labelling in enumerate(labels):
        items = _lists(graphs, labelling, max(paper.LISTS), epsilon=0.1, rng=seed + run, **settings)
        worthless.append(gains(truth, items) == 0)
    return [
        {"quantity": "items of utility zero", "measure": "cn", "epsilon": 0.1, "top_n": top_n}
        | mean_of_runs([float(zero[:, :top_n].mean()) for zero in worthless])
        for top_n in paper.LISTS
    ]


def _within(graphs: Graphs, labels: np.ndarray, **options: Any) -> float:
    """Share of all similarity that lies within clusters."""
    sums = similarity_times(graphs.social, indicator(labels), **options)
    return float(sums[np.arange(len(labels)), labels].sum() / sums.sum())


# Figure 3: who gets accurate recommendations? Users by degree.


GOOD = 0.969  # what the paper prints for the well connected


def figure_3(lastfm: Dataset, *, rng: Rng = None, repetitions: int = RUNS) -> pd.DataFrame:
    """Figure 3: NDCG@50 by degree on Last.fm, no noise; and the noise of clusters and edges."""
    check_integer("repetitions", repetitions, minimum=2)
    graphs = graphs_of(lastfm)
    streams = as_rng(rng).spawn(3)
    labels = partitions(graphs, repetitions, streams[0])

    def rows(similar: bool) -> Iterator[Row]:
        for measure in MEASURES:
            options: dict[str, Any] = {"measure": measure, "self_similarity": similar}
            values = each_user(graphs, labels, **options)
            yield from degree_helps(graphs, values, measure, rng=streams[1])
            yield from _noise_shares(graphs, labels, **options)
            if measure == "cn":
                yield from _by_degree(graphs, values)
                yield from _exceptions(graphs, labels, values, **options)

    return in_each_world(rows)


def figure_3_flixster(flixster: Dataset, *, rng: Rng = None, repetitions: int = 2) -> pd.DataFrame:
    """Figure 3: NDCG@50 by degree for a sample of users of the larger network."""
    check_integer("repetitions", repetitions, minimum=2)
    graphs = graphs_of(flixster)
    streams = as_rng(rng).spawn(3)
    labels = partitions(graphs, repetitions, streams[0], backend="leiden", runs=paper.LARGE_ORDERS)
    users = _some_users(graphs, streams[1])

    def rows(similar: bool) -> list[Row]:
        values = each_user(graphs, labels, users=users, measure="cn", self_similarity=similar)
        helps = degree_helps(graphs, values, "cn", users, rng=streams[2])
        return [*_by_degree(graphs, values, users), *helps]

    return in_each_world(rows).query("partition != 'one each'").drop(columns="partition")


def each_user(graphs: Graphs, labels: Sequence[np.ndarray], **options: Any) -> np.ndarray:
    """NDCG@50 of each user without noise, a row for each partition."""
    judge = Judge(utilities(graphs.social, graphs.preferences, **options), longest=TOP)
    return np.array([ndcg_per_user(graphs, each, judge=judge, **options) for each in labels])


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
    graphs: Graphs, labels: np.ndarray, top_n: int, *, epsilon: float, rng: Rng, **options: Any
) -> np.ndarray:
    """Items that the cluster framework lists for each user."""
    sums = similarity_times(graphs.social, indicator(labels), **options)
    averages = cluster_averages(graphs.preferences, labels, epsilon=epsilon, rng=rng)
    return cluster_top_items(sums, averages, top_n)[0]


def _by_degree(
    graphs: Graphs, values: np.ndarray, users: np.ndarray | None = None
) -> Iterator[Row]:
    """Means above and up to the split; values have a row for each partition."""
    degrees = _degrees(graphs, users)
    for name, chosen in (("above", degrees > DEGREE), ("up-to", degrees <= DEGREE)):
        for option, draws in pd.DataFrame(
            [paper.over_users(user_values[chosen]) for user_values in values]
        ).items():
            row = {"quantity": "mean NDCG", "degree": f"{name} {DEGREE}", "without_utility": option}
            for printed in _printed_means(draws):
                yield row | printed


def _degrees(graphs: Graphs, users: np.ndarray | None) -> np.ndarray:
    degrees = np.diff(graphs.social.indptr)
    return degrees if users is None else degrees[users]


def degree_helps(
    graphs: Graphs,
    values: np.ndarray,
    measure: str,
    users: np.ndarray | None = None,
    *,
    rng: np.random.Generator,
) -> Iterator[Row]:
    """Rank correlation of degree and mean NDCG over users, and with shuffled degrees.

    Its standard error is that of Bonett and Wright 2000, doi 10.1007/BF02294183.
    """
    degrees, means = _degrees(graphs, users), np.mean(values, axis=0)
    known = ~np.isnan(means)
    by_order = {"of the users": degrees, "dealt anew": rng.permutation(degrees)}
    for description, degree_values in by_order.items():
        for option, filled in (("left out", np.nan), ("as 0", 0.0), ("as 1", 1.0)):
            kept = known | ~np.isnan(filled)
            scores = np.where(known, means, filled)[kept]
            correlation = scipy.stats.spearmanr(degree_values[kept], scores)
            rank, count = float(correlation.statistic), int(kept.sum())
            error = (1 - rank**2) * ((1 + rank**2 / 2) / (count - 3)) ** 0.5
            row = {"quantity": "rank correlation", "measure": measure, "degrees": description}
            yield row | {"without_utility": option, "value": rank, "se": error}


def _noise_shares(
    graphs: Graphs, labels: list[np.ndarray], *, measure: str, self_similarity: bool
) -> list[Row]:
    """Noise of a utility by clusters over that by noise on edges, at the median user."""
    options: dict[str, Any] = {"measure": measure, "self_similarity": self_similarity}
    edges = similarity(graphs.social, **options).power(2).sum(axis=1) ** 0.5
    known = edges > 0

    def share(labelling: np.ndarray) -> float:
        sums = similarity_times(graphs.social, indicator(labelling), **options)
        clusters = np.square(sums / np.bincount(labelling)).sum(axis=1) ** 0.5
        return float(np.median(clusters[known] / edges[known]))

    head = {"quantity": "noise on a utility, clusters over edges", "measure": measure}
    shares = mean_of_runs([share(labelling) for labelling in labels])
    return [
        head | {"clusters": "communities"} | shares,
        head | {"clusters": "single users", "value": share(np.arange(len(edges)))},
    ]


def _exceptions(
    graphs: Graphs, labels: list[np.ndarray], values: np.ndarray, **options: Any
) -> list[Row]:
    """Similarity sets by degree, and what lets users of low degree do well all the same (CN)."""
    degrees = np.diff(graphs.social.indptr)
    similar = similarity(graphs.social, **options)
    size = np.diff(similar.indptr)
    low, known = degrees <= DEGREE, ~np.isnan(values[0])
    friends = graphs.social.astype(float).multiply(degrees[None, :]).max(axis=1)
    wide = (friends.toarray().ravel() > DEGREE) & (size >= np.median(size[low]))
    narrow = low & known & (size < np.median(size[low]))
    liked = utilities(graphs.social, graphs.preferences, **options)
    users_of = np.bincount(graphs.preferences.indices, minlength=graphs.preferences.shape[1])
    keys: tuple[dict[str, str], ...] = (
        *({"of": "share of clusters", "degree": f"{name} {DEGREE}"} for name in ("above", "up-to")),
        {"quantity": "exceptions"},
        *({"quantity": f"share that reaches {GOOD}", "sets": sets} for sets in ("large", "others")),
        *({"quantity": "popularity", "users": users} for users in ("reach", "others")),
    )
    rows = []
    for labelling, reached in zip(labels, values, strict=True):
        touched = (similar.astype(bool) @ indicator(labelling)).astype(bool)
        reach = touched @ np.bincount(labelling)  # users in clusters that hold any of the set
        share = size / np.maximum(reach, 1)
        good = low & known & (reached >= GOOD)
        rows.append(
            [
                *(np.median(share[chosen & (size > 0)]) for chosen in (~low, low)),
                good[low & known].mean(),
                *(good[chosen & low & known].mean() for chosen in (wide, ~wide)),
                *(_popularity(liked, users_of, narrow & chosen) for chosen in (good, ~good)),
            ]
        )
    sets: dict[str, Any] = {"quantity": "similarity set"}
    return [
        *(
            sets
            | {"of": "size", "degree": f"{name} {DEGREE}"}
            | {"value": float(np.median(size[chosen & (size > 0)]))}
            for name, chosen in (("above", ~low), ("up-to", low))
        ),
        *(
            sets | key | mean_of_runs(draws)
            for key, draws in zip(keys, np.transpose(rows), strict=True)
        ),
    ]


def _popularity(liked: sparse.csr_array, users_of: np.ndarray, chosen: np.ndarray) -> float:
    """Median popularity of the items with utility for these users."""
    items = liked[np.flatnonzero(chosen)].indices
    return float(np.median(users_of[items])) if len(items) else 0.0


# The clusters of Section 6.2, and whether refinement makes them more stable.


ORDERS = 10  # node orders behind a partition


def lastfm_communities(lastfm: Dataset, *, rng: Rng = None, seeds: int = 20) -> pd.DataFrame:
    """Section 6.2: cluster Last.fm many times, each time the best of ten node orders."""
    check_integer("seeds", seeds, minimum=2)
    social = graphs_of(lastfm).social
    _, component = connected_components(social, directed=False)
    facts, narrower = [], []
    for seed in tqdm(as_rng(rng).integers(2**31, size=seeds).tolist(), desc="communities"):
        runs = [one_run(social, "python-louvain", 1.0, s) for s in as_rng(seed).spawn(ORDERS)]
        # each order alone, refined or not
        partitions = [[best_of_runs(social, [run], how) for run in runs] for how in (True, False)]
        scores = [[modularity_of_csr(social, one, 1.0) for one in each] for each in partitions]
        facts.append(_facts(partitions[0][int(np.argmax(scores[0]))], component))
        narrower.append(float(np.std(scores[0]) - np.std(scores[1])))
    rows = [{"refined": 1} | row for row in _mean_facts(facts)]
    spread = {"quantity": "spread over orders, refined less not"} | mean_of_runs(narrower)
    return pd.DataFrame([*rows, spread])


def flixster_communities(flixster: Dataset, *, rng: Rng = None, seeds: int = 2) -> pd.DataFrame:
    """Section 6.2: cluster the larger network."""
    check_integer("seeds", seeds, minimum=2)
    social = graphs_of(flixster).social
    how: dict[str, Any] = {"backend": "leiden", "runs": paper.LARGE_ORDERS}
    labels = [communities(social, rng=stream, **how) for stream in as_rng(rng).spawn(seeds)]
    return pd.DataFrame(_mean_facts([_facts(each, np.zeros_like(each)) for each in labels]))


def _mean_facts(facts: list[dict[str, float]]) -> list[Row]:
    return [{"quantity": name} | mean_of_runs(v) for name, v in pd.DataFrame(facts).items()]


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
