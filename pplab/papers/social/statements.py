"""Formal statements of the paper, decided on small instances, and what is counted on the data.

`statements` decides definitions, theorems, equations and the claims on the attack by code that
could say no; `lastfm_table1`, `flixster_table1`, `lastfm_sensitivity` and `workload_rank` measure
Table 1, Section 5 and Section 6.1. Jorgensen and Yu 2014, doi 10.5441/002/edbt.2014.51.
"""

from __future__ import annotations

from collections.abc import Iterator
from inspect import signature
from math import inf, sqrt
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import scipy
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from pplab.datasets.catalog import Dataset
from pplab.metrics.ranking import ndcg
from pplab.papers.part import Finding, statement_rows
from pplab.papers.social import paper
from pplab.papers.social.paper import ALPHA, MEASURES, Graphs, graphs_of
from pplab.papers.social.sybils import read_alone
from pplab.recommenders.clusters import cluster_averages, error_parts
from pplab.recommenders.communities import communities, modularity
from pplab.recommenders.similarity import similarity
from pplab.recommenders.utilities import utilities, utility_sensitivity

SEED = 51
COUNT = 50
EPSILON = 0.5
LISTS = 2_000

Instance = tuple[sparse.csr_array, np.ndarray, np.ndarray]  # social, preferences, labels


def statements() -> pd.DataFrame:
    """Decide definitions, theorems, equations and the claims on the attack."""
    checks = {
        "theorem-1:laplace": _laplace,
        "section-3.1:laplace-variance": _laplace_variance,
        "section-3.1:noise-ignores-data": _noise_ignores_data,
        "section-3.1:smaller-epsilon": _smaller_is_stronger,
        "section-3:beliefs": _beliefs,
        "theorem-2:sequential": _sequential,
        "theorem-3:parallel": _parallel,
        "theorem-4:algorithm-1": _algorithm_1,
        "theorem-4:w_c-is-a-mean": _proof_quantity,
        "equation-3:noise-in-mean": _noisy_mean,
        "equation-7:noiseless": _noiseless_mean,
        "equation-5:linear-sum": _linear_sum,
        "equation-5:upper-bound": _upper_bound,
        "section-5.1.2:noise-falls-with-size": _noise_falls,
        "section-5.1.1:post-processing": _post_processing,
        "section-5:nou-error": _nou_error,
        "section-5:nou-sensitivity": _nou_sensitivity,
        "section-5:noe-error": _noe_error,
        "equation-8:as-printed": _modularity_printed,
        "equation-8:corrected": _modularity_corrected,
        "equation-2:bounded": _bounded,
        "equation-2:perfect": _one_is_perfect,
        "section-2.4:precision": _precision_is_blind,
        "definition-5:levels": _levels,
    }
    results = statement_rows({name: check() for name, check in checks.items()})
    return pd.concat([results, read_alone(), _settings()], ignore_index=True)


def _settings() -> pd.DataFrame:
    """Settings of the runs; those of the similarities are read off a path of users."""
    line = sparse.csr_array(nx.to_scipy_sparse_array(nx.path_graph(6), dtype=np.int8))
    near, paths = (similarity(line, measure=measure).toarray() for measure in ("gd", "katz"))
    settings = {
        "gd-distance": np.flatnonzero(near[0]).max(),
        "katz-length": np.flatnonzero(paths[0]).max(),
        "katz-damping": paths[0, 1],
        "repetitions": paper.REPETITIONS,
        "louvain-runs": signature(communities).parameters["runs"].default,
        "least-count": paper.LEAST_COUNT,
        "lrm-gamma": paper.GAMMA["cn"],
        "lrm-gamma-katz": paper.GAMMA["katz"],
    }
    return pd.DataFrame(
        [{"quantity": "setting", "name": n, "value": float(v)} for n, v in settings.items()]
    )


def _instances() -> Iterator[Instance]:
    """Random small social graphs with preferences and a partition."""
    rng = np.random.default_rng(SEED)
    for _ in range(COUNT):
        graph = nx.gnp_random_graph(9, 0.35, seed=int(rng.integers(2**31)))
        social = sparse.csr_array(nx.to_scipy_sparse_array(graph, dtype=np.int8))
        preferences = (rng.random((9, 5)) < 0.4).astype(float)
        labels = np.unique(rng.integers(0, 3, 9), return_inverse=True)[1]
        yield social, preferences, labels


def _log_ratios(answers: tuple[float, float], scale: float) -> np.ndarray:
    """Log ratio of the densities of two Laplace laws over a grid that covers both centres."""
    grid = np.linspace(-5, 6, 1101)
    first, second = (
        scipy.stats.laplace.logpdf(grid, loc=answer, scale=scale) for answer in answers
    )
    ratios: np.ndarray = first - second
    return ratios


def _laplace() -> Finding:
    worst = float(np.abs(_log_ratios((0.0, 1.0), 1 / EPSILON)).max())
    return abs(worst - EPSILON) < 1e-9, f"The largest log ratio is {worst:.6g} at {EPSILON}."


def _laplace_variance() -> Finding:
    law = scipy.stats.laplace(scale=1 / EPSILON)
    variance = float(law.expect(lambda x: x**2))
    return bool(
        np.isclose(variance, 2 / EPSILON**2)
    ), f"It is {variance:.4g} at scale {1 / EPSILON:g}."


def _noise_ignores_data() -> Finding:
    noise = []
    for _, preferences, _ in _instances():
        table, labels = sparse.csr_array(preferences), np.arange(9) % 3
        exact, noisy = (
            cluster_averages(table, labels, epsilon=e, rng=SEED) for e in (inf, EPSILON)
        )
        noise.append(noisy - exact)
    apart = float(np.ptp(noise, axis=0).max())
    return apart < 1e-9, f"On {COUNT} tables it differs by {apart:.2g} at most."


def _smaller_is_stronger() -> Finding:
    worst = [float(_log_ratios((0.0, 1.0), 1 / epsilon).max()) for epsilon in paper.EPSILONS[1:]]
    text = ", ".join(f"{value:.3g}" for value in worst)
    return bool((np.diff(worst) < 0).all()), f"The largest log ratios, as epsilon falls: {text}."


def _beliefs() -> Finding:
    """Posterior over prior that one preference is there, for all priors and answers on a grid."""
    prior = np.linspace(0.01, 0.99, 99)[:, None]
    answers = np.array([-EPSILON, EPSILON])  # log ratios of randomized response
    ratios = np.exp(np.concatenate([answers, _log_ratios((0.0, 1.0), 1 / EPSILON)]))
    moved = np.abs(np.log(ratios / (prior * ratios + 1 - prior)))
    return bool(moved.max() <= EPSILON), (
        f"The log of their ratio is at most {moved.max():.4g} at {EPSILON}."
    )


def _post_processing() -> Finding:
    """Random mechanisms on finite outputs, some of which are then told as one."""
    rng = np.random.default_rng(SEED)
    grown = -inf
    for _ in range(LISTS):
        laws = rng.dirichlet(np.ones(6), size=2)
        merged = laws @ np.eye(3)[rng.integers(0, 3, 6)]
        seen = merged[:, merged.sum(axis=0) > 0]
        ratios = [float(np.abs(np.log(table[0] / table[1])).max()) for table in (laws, seen)]
        grown = max(grown, ratios[1] - ratios[0])
    return grown <= 1e-9, f"On {LISTS:,} mechanisms the log ratio grows by {grown:.2g} at most."


def _sequential() -> Finding:
    one = np.abs(_log_ratios((0.0, 1.0), 1 / EPSILON)).max()
    both = float((_log_ratios((0.0, 1.0), 1 / EPSILON)[:, None] + one).max())
    return abs(both - 2 * EPSILON) < 1e-9, (
        f"Two releases at {EPSILON} reach a log ratio of {both:.6g}."
    )


def _edges_changed(instance: Instance) -> Iterator[tuple[int, int, np.ndarray]]:
    """Each cell of the preferences, and the exact averages when it is changed, less before."""
    _, preferences, labels = instance
    before = cluster_averages(sparse.csr_array(preferences), labels, epsilon=inf)
    for user, item in np.ndindex(preferences.shape):
        other = preferences.copy()
        other[user, item] = 1 - other[user, item]
        yield user, item, cluster_averages(sparse.csr_array(other), labels, epsilon=inf) - before


def _parallel() -> Finding:
    most = max(
        np.count_nonzero(np.abs(change) > 1e-12)
        for instance in _instances()
        for _, _, change in _edges_changed(instance)
    )
    return most == 1, f"One edge moves {most} of the published averages, on {COUNT} instances."


def _algorithm_1() -> Finding:
    moved = [
        float(np.abs(change).sum() * np.bincount(instance[2])[instance[2][user]])
        for instance in _instances()
        for user, _, change in _edges_changed(instance)
    ]
    labels = np.repeat([0, 1], [2, 8])
    noise = cluster_averages(sparse.csr_array((10, 20_000)), labels, epsilon=EPSILON, rng=SEED)
    sizes = np.array([[2], [8]])
    test = scipy.stats.kstest((noise * sizes * EPSILON).ravel(), "laplace")
    exact = max(abs(value - 1) for value in moved) < 1e-9
    return bool(exact and test.pvalue > ALPHA), (
        f"An average moves by 1/|c| ({len(moved):,} edges), the noise has scale 1/(|c| epsilon) "
        f"(p-value {test.pvalue:.2g})."
    )


def _two_edges() -> float:
    """Largest log ratio between two tables that differ in two preferences of one user."""
    _, preferences, labels = next(_instances())
    other = preferences.copy()
    other[0, :2] = 1 - other[0, :2]
    tables = [
        cluster_averages(sparse.csr_array(table), labels, epsilon=inf)
        for table in (preferences, other)
    ]
    scales = 1 / (np.bincount(labels)[:, None] * EPSILON)
    return float((np.abs(tables[0] - tables[1]) / scales).sum())


def _levels() -> Finding:
    level = _two_edges()
    return abs(level - 2 * EPSILON) < 1e-9, (
        f"Two preferences of one user can be told apart at {level:.3g}, twice {EPSILON}."
    )


def _proof_quantity() -> Finding:
    social, preferences, labels = next(_instances())
    size = int(np.bincount(labels)[labels[0]])
    other = preferences.copy()
    other[0, 0] = 1 - other[0, 0]
    change = abs((other - preferences)[labels == labels[0]].sum())
    return bool(change <= 1 / size), (
        f"In a cluster of {size} of {social.shape[0]} users the sum w_c changes by {change:g}, the "
        f"mean by {change / size:.3g}."
    )


def _approximation(epsilon: float) -> float:
    """Mean absolute error of u's utility where the cluster is sim(u), all alike."""
    preferences = sparse.csr_array(np.array([[0.0], [1], [0], [1]]))
    labels = np.array([0, 1, 1, 1])  # user 0 is similar to the others, with similarity 1
    draws = [
        cluster_averages(preferences, labels, epsilon=epsilon, rng=seed)[1, 0] * 3 - 2
        for seed in range(400)
    ]
    return float(np.abs(draws).mean())


def _noisy_mean() -> Finding:
    error = _approximation(EPSILON)
    return error < 1e-9, f"With the noisy mean of equation 3 it is {error:.2f} on average."


def _noiseless_mean() -> Finding:
    error = _approximation(inf)
    return error < 1e-9, f"Without noise it is {error:.2g}."


def _perturbation() -> pd.DataFrame:
    """Printed and exact standard deviation for users with similar users in two clusters."""
    social = sparse.csr_array(
        np.array([[0, 1, 1, 0], [1, 0, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0]], dtype=np.int8)
    )
    preferences = sparse.csr_array(np.ones((4, 1)))
    parts = error_parts(social, preferences, np.array([0, 0, 1, 1]), measure="gd", epsilon=EPSILON)
    return pd.DataFrame({"printed": parts.perturbation_printed, "exact": parts.perturbation})


def _linear_sum() -> Finding:
    table = _perturbation()
    row = table.loc[(table["printed"] - table["exact"]).idxmax()]
    return bool(np.isclose(table["printed"], table["exact"]).all()), (
        f"Printed {row['printed']:.4g}, exact {row['exact']:.4g}, on a square of four users."
    )


def _upper_bound() -> Finding:
    table = _perturbation()
    for social, preferences, labels in _instances():
        parts = error_parts(
            social, sparse.csr_array(preferences), labels, measure="cn", epsilon=EPSILON
        )
        more = {"printed": parts.perturbation_printed, "exact": parts.perturbation}
        table = pd.concat([table, pd.DataFrame(more)])
    gap = float((table["printed"] - table["exact"]).min())
    return gap >= -1e-9, f"Over {len(table)} users printed less exact is at least {gap:.2g}."


def _noise_falls() -> Finding:
    sizes = 2 ** np.arange(11)
    labels = np.repeat(np.arange(len(sizes)), sizes)
    exact = sparse.csr_array((len(labels), 4_000))
    noise = cluster_averages(exact, labels, epsilon=EPSILON, rng=SEED)
    test = scipy.stats.kstest((noise * sizes[:, None] * EPSILON).ravel(), "laplace")
    return bool(test.pvalue > ALPHA), (
        f"Times its size, the noise of each cluster has one law (p-value {test.pvalue:.2g})."
    )


def _nou_error() -> Finding:
    scale = 1 / EPSILON
    mean, deviation = float(scipy.stats.laplace(scale=scale).expect(abs)), sqrt(2) * scale
    return bool(np.isclose(mean, deviation)), (
        f"At scale {scale:g} the mean absolute value is {mean:.4g}, the standard deviation "
        f"{deviation:.4g}."
    )


def _nou_sensitivity() -> Finding:
    for social, preferences, _ in _instances():
        for measure in MEASURES:
            before = utilities(social, sparse.csr_array(preferences), measure=measure)
            moved = []
            for user in range(len(preferences)):
                other = preferences.copy()
                other[user, 0] = 1 - other[user, 0]
                after = utilities(social, sparse.csr_array(other), measure=measure)
                moved.append(float(np.abs((after - before).toarray()).sum()))
            largest = utility_sensitivity(social, measure=measure)
            if not np.isclose(max(moved), largest):
                text = f"{max(moved):.4g} by enumeration, {largest:.4g} as the sum"
                return False, f"{measure}: {text}."
    return True, f"Enumeration gives it on {COUNT} graphs for {len(MEASURES)} measures."


def _noe_error() -> Finding:
    triangle = sparse.csr_array((np.ones((3, 3)) - np.eye(3)).astype(np.int8))
    likes, alone = sparse.csr_array(np.ones((3, 1))), np.arange(3)
    parts = error_parts(triangle, likes, alone, measure="gd", epsilon=EPSILON)
    return bool(np.allclose(parts.edges_printed, parts.edges)), (
        f"Two similar users: printed {parts.edges_printed[0]:.4g}, exact {parts.edges[0]:.4g}."
    )


def _modularity_printed() -> Finding:
    return _modularity(0.5)


def _modularity_corrected() -> Finding:
    return _modularity(1.0)


def _modularity(share: float) -> Finding:
    """The first term of equation 8 times a share, against networkx."""
    graph = nx.karate_club_graph()
    names = nx.get_node_attributes(graph, "club")
    clubs = sorted(set(names.values()))
    labels = np.array([clubs.index(names[node]) for node in graph])
    social = sparse.csr_array(nx.to_scipy_sparse_array(graph, weight=None, dtype=np.int8))
    edges = social.nnz / 2
    rows, columns = social.nonzero()
    inside = np.bincount(labels[rows][labels[rows] == labels[columns]]) / 2
    degrees = np.bincount(labels, weights=np.diff(social.indptr))
    printed = float((share * inside / edges - (degrees / (2 * edges)) ** 2).sum())
    groups = [set(np.flatnonzero(labels == club).tolist()) for club in range(len(clubs))]
    truth = float(nx.community.modularity(graph, groups, weight=None))
    right = np.isclose([printed, modularity(social, labels)], truth).all()
    return bool(right), f"It gives {printed:.4f}, networkx {truth:.4f}."


def _bounded() -> Finding:
    rng = np.random.default_rng(SEED)
    low, high = inf, -inf
    for _ in range(LISTS):
        mu = rng.integers(0, 4, size=(1, 8)).astype(float)
        value = ndcg(sparse.csr_array(mu), rng.permutation(8)[None], top_n=int(rng.integers(1, 9)))
        if not np.isnan(value[0]):
            low, high = min(low, value[0]), max(high, value[0])
    return bool(low >= 0 and high <= 1 + 1e-12), f"On {LISTS:,} lists from {low:.3g} to {high:.3g}."


def _one_is_perfect() -> Finding:
    """Compare 1 and 0 with what stands in the list, on random utilities with ties."""
    rng = np.random.default_rng(SEED)
    wrong = 0
    for _ in range(LISTS):
        mu, top_n = rng.integers(0, 3, size=6).astype(float), int(rng.integers(1, 5))
        listed = rng.permutation(6)[:top_n]
        value = ndcg(sparse.csr_array(mu[None]), listed[None], top_n=top_n)[0]
        perfect = np.array_equal(mu[listed], np.sort(mu)[::-1][:top_n])
        if not np.isnan(value):
            wrong += (abs(value - 1) < 1e-12) != perfect or (value == 0) != (not mu[listed].any())
    return wrong == 0, f"Of {LISTS:,} lists {wrong} break it."


def _precision_is_blind() -> Finding:
    """Lists of two of four items, whose utilities are 3, 2, 2 and 0."""
    mu = sparse.csr_array(np.array([[3.0, 2, 2, 0]]))
    lists = {"no first": [3, 1], "no last": [0, 3], "an equal": [0, 2]}
    gain = {name: float(ndcg(mu, np.array([items]), top_n=2)[0]) for name, items in lists.items()}
    precision = {name: len({0, 1} & set(items)) / 2 for name, items in lists.items()}
    same = precision["no first"] == precision["no last"] == precision["an equal"] == 0.5
    text = ", ".join(f"{name} {value:.2f}" for name, value in gain.items())
    return bool(same and gain["no first"] < gain["no last"] < gain["an equal"] == 1), (
        f"Precision is a half each time; NDCG: {text}."
    )


# Sensitivity of the utilities, noise against signal, and rank of the workload on Last.fm.


def lastfm_sensitivity(lastfm: Dataset) -> pd.DataFrame:
    """Say who attains the sensitivity, and how noise on utilities and edges compares with them."""
    graphs = graphs_of(lastfm)
    social, everyone = graphs.social, graphs.social.shape[0]
    highest = np.diff(social.indptr).argmax()
    rows: list[dict[str, Any]] = []
    for measure in MEASURES:
        similar = similarity(social, measure=measure)
        sums = np.asarray(similar.sum(axis=0)).ravel()
        spread = np.sqrt(2 * np.asarray(similar.power(2).sum(axis=1)).ravel())
        truth = sparse.coo_array(utilities(social, graphs.preferences, measure=measure))
        user, utility = truth.coords[0][truth.data > 0], truth.data[truth.data > 0]
        values = {
            "sensitivity": sums.max(),
            "sensitivity at the highest degree": sums[highest] / sums.max(),
            "largest similarity set": np.diff(similar.indptr).max(),
            "median similarity set": np.median(np.diff(similar.indptr)),
            "NOU noise over utility": np.median(sqrt(2) * sums.max() / utility),
            "NOE noise over utility": np.median(spread[user] / utility),
            "largest share of the sum": (utility / sums[user]).max(),
            "median share of the sum": np.median(utility / sums[user]),
        }
        rows += [{"quantity": n, "measure": measure, "value": float(v)} for n, v in values.items()]
        for users in (everyone // 4, everyone // 2, everyone):
            largest = utility_sensitivity(social[:users, :users], measure=measure)
            row = {"quantity": "sensitivity of a part", "measure": measure, "users": users}
            rows.append(row | {"value": float(largest)})
    reached = sparse.eye_array(everyone, format="csr")
    for hops in range(1, 4):
        reached = (reached + reached @ social).astype(bool).astype(float)
        row = {"quantity": "users within", "hops": hops}
        rows.append(row | {"value": reached.nnz / everyone - 1})
    return pd.DataFrame(rows)


def workload_rank(lastfm: Dataset) -> pd.DataFrame:
    """Rank of the similarity matrices, with and without their diagonals."""
    social = graphs_of(lastfm).social
    ranks = {
        (measure, own): int(
            np.linalg.matrix_rank(
                similarity(social, measure=measure, self_similarity=own).toarray(), hermitian=True
            )
        )
        for measure in MEASURES
        for own in (False, True)
    }
    readings = {
        "without self-similarity": dict.fromkeys(MEASURES, False),
        "with self-similarity": dict.fromkeys(MEASURES, True),
        "with self-similarity except KZ": {m: m != "katz" for m in MEASURES},
    }
    rows: list[dict[str, Any]] = []
    for reading, own in readings.items():
        own_ranks = {measure: ranks[measure, with_own] for measure, with_own in own.items()}
        rows += [
            {"quantity": "rank", "measure": m, "reading": reading, "value": float(rank)}
            for m, rank in own_ranks.items()
        ]
        mean = float(np.mean(list(own_ranks.values())))
        rows.append({"quantity": "mean rank", "reading": reading, "value": mean})
    return pd.DataFrame(rows)


# Table 1 and the sizes in Section 6.1.


KEPT, ALL = "items with a kept preference", "all items of the file"


def lastfm_table1(lastfm: Dataset) -> pd.DataFrame:
    """Count what Table 1 and Section 6.1 print of Last.fm."""
    graphs = graphs_of(lastfm)
    count, members = connected_components(graphs.social, directed=False)
    sizes = np.sort(np.bincount(members))
    rows = _table1(graphs)
    rows += [
        {"quantity": "dropped", "value": graphs.dropped},
        {"quantity": "main component", "value": 100 * sizes[-1] / sizes.sum()},
        {"quantity": "small components", "value": count - 1},
        {"quantity": "smallest component", "value": int(sizes[0])},
        {"quantity": "largest small component", "value": int(sizes[-2]) if count > 1 else 0},
    ]
    return pd.DataFrame(rows)


def flixster_table1(flixster: Dataset) -> pd.DataFrame:
    """Count what Table 1 prints of Flixster."""
    return pd.DataFrame(_table1(graphs_of(flixster)))


def _table1(graphs: Graphs) -> list[dict[str, Any]]:
    users, items = graphs.preferences.shape
    degrees = np.diff(graphs.social.indptr)
    per_user = np.diff(graphs.preferences.indptr)
    per_item = np.bincount(graphs.preferences.indices, minlength=items)
    liked = per_item[per_item > 0]
    edges = graphs.preferences.nnz
    rows: list[tuple[str, str, float]] = [
        ("users", "", users),
        ("social edges", "", graphs.social.nnz // 2),
        ("average user degree", "", degrees.mean()),
        ("sd of user degree", "population standard deviation", degrees.std()),
        ("sd of user degree", "sample standard deviation", degrees.std(ddof=1)),
        ("items", KEPT, len(liked)),
        ("items", ALL, items),
        ("preference edges", "", edges),
        *(
            row
            for name, counts in (("users per item", liked), ("items per user", per_user))
            for how, ddof in (("population", 0), ("sample", 1))
            for row in (
                ("average item degree", f"{name}, {how}", counts.mean()),
                ("sd of item degree", f"{name}, {how}", counts.std(ddof=ddof)),
            )
        ),
        ("sparsity", KEPT, 1 - edges / (users * len(liked))),
        ("sparsity", ALL, 1 - edges / (users * items)),
    ]
    return [{"quantity": name, "reading": how, "value": float(value)} for name, how, value in rows]
