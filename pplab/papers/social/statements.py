"""Formal statements of the paper, decided on small instances, and what is counted on the data.

`statements` decides definitions, theorems, equations and the claims on the attack by code that
could say no; `lastfm_table1`, `flixster_table1`, `lastfm_sensitivity` and `workload_rank` measure
Table 1, Section 5 and Section 6.1. Jorgensen and Yu 2014, doi 10.5441/002/edbt.2014.51.
"""

from __future__ import annotations

from collections.abc import Iterator
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
from pplab.papers.part import Finding, listed, statement_rows
from pplab.papers.social.paper import ALPHA, MEASURES, Graphs, graphs_of
from pplab.papers.social.sybils import SYBIL_STATEMENTS
from pplab.recommenders.clusters import cluster_averages, error_parts
from pplab.recommenders.communities import modularity
from pplab.recommenders.similarity import similarity
from pplab.recommenders.utilities import utilities, utility_sensitivity

SEED = 51
COUNT = 50
EPSILON = 0.5
LISTS = 2_000

Instance = tuple[sparse.csr_array, np.ndarray, np.ndarray]  # social, preferences, labels


def statements() -> pd.DataFrame:
    """Decide definitions, theorems, equations and the claims on the attack.

    Returns
    -------
    DataFrame
        Columns statement, value (1.0 true, 0.0 false) and witness, a sentence with the numbers.

    References
    ----------
    Jorgensen and Yu 2014, doi 10.5441/002/edbt.2014.51.
    """
    checks = {
        **SYBIL_STATEMENTS,
        "theorem-1:laplace": _laplace,
        "theorem-2:sequential": _sequential,
        "theorem-3:parallel": _parallel,
        "theorem-4:algorithm-1": _algorithm_1,
        "theorem-4:user": _user,
        "theorem-4:w_c-is-a-mean": _proof_quantity,
        "equation-3:noise-in-mean": _noisy_mean,
        "equation-7:noiseless": _noiseless_mean,
        "equation-5:linear-sum": _linear_sum,
        "equation-5:upper-bound": _upper_bound,
        "section-5:nou-error": _nou_error,
        "section-5:nou-sensitivity": _nou_sensitivity,
        "section-5:noe-error": _noe_error,
        "equation-8:as-printed": lambda: _modularity(0.5),
        "equation-8:corrected": lambda: _modularity(1.0),
        "equation-2:bounded": _bounded,
        "definition-5:levels": _levels,
    }
    return statement_rows({name: check() for name, check in checks.items()})


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
    found = scipy.stats.kstest((noise * sizes * EPSILON).ravel(), "laplace")
    exact = max(abs(value - 1) for value in moved) < 1e-9
    return bool(exact and found.pvalue > ALPHA), (
        f"An average moves by 1/|c| ({len(moved):,} edges), the noise has scale 1/(|c| epsilon) "
        f"(p-value {found.pvalue:.2g})."
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


def _user() -> Finding:
    level = _two_edges()
    return level <= EPSILON + 1e-9, (
        f"A user with two preferences is protected at {level:.3g}, where an edge is at {EPSILON}."
    )


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
                told = f"{max(moved):.4g} by enumeration, {largest:.4g} as the sum"
                return False, f"{measure}: {told}."
    return True, f"Enumeration gives it on {COUNT} graphs for {len(MEASURES)} measures."


def _noe_error() -> Finding:
    triangle = sparse.csr_array((np.ones((3, 3)) - np.eye(3)).astype(np.int8))
    likes, alone = sparse.csr_array(np.ones((3, 1))), np.arange(3)
    parts = error_parts(triangle, likes, alone, measure="gd", epsilon=EPSILON)
    return bool(np.allclose(parts.edges_printed, parts.edges)), (
        f"Two similar users: printed {parts.edges_printed[0]:.4g}, exact {parts.edges[0]:.4g}."
    )


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


# Sensitivity of the utilities and rank of the workload on Last.fm.


NEAR = 0.1


def lastfm_sensitivity(lastfm: Dataset) -> pd.DataFrame:
    """Say who attains the sensitivity, and how loose the printed error of NOE is.

    Parameters
    ----------
    lastfm : Dataset

    Returns
    -------
    DataFrame
        Statements (statement, value, witness) and a row per measure (measure, sensitivity,
        degree of the user who attains it).
    """
    graphs = graphs_of(lastfm)
    social = graphs.social
    degrees = np.diff(social.indptr)
    rows = []
    for measure in MEASURES:
        sums = np.asarray(similarity(social, measure=measure).sum(axis=0)).ravel()
        rows.append(
            {
                "measure": measure,
                "sensitivity": float(sums.max()),
                "degree": int(degrees[sums.argmax()]),
                "at_highest_degree": float(sums[degrees.argmax()]),
            }
        )
    table = pd.DataFrame(rows)
    together = np.zeros(len(degrees), dtype=np.int64)  # noise on edges knows no clusters
    parts = error_parts(social, graphs.preferences, together, measure="cn", epsilon=1.0)
    ratio = parts.edges_printed[parts.edges > 0] / parts.edges[parts.edges > 0]
    found = {
        "section-5:nou-highest-degree": _highest(table, int(degrees.max())),
        "section-5:noe-printed-loose": (
            bool(abs(np.median(ratio) - 1) <= NEAR),
            f"The printed error is {np.median(ratio):.1f} times the true one for the median user.",
        ),
    }
    return pd.concat([statement_rows(found), table], ignore_index=True)


def workload_rank(lastfm: Dataset) -> pd.DataFrame:
    """Rank of the similarity matrices, with and without their diagonals.

    Parameters
    ----------
    lastfm : Dataset

    Returns
    -------
    DataFrame
        Columns quantity ("rank" with a measure, or "mean rank"), reading and value.
    """
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
    rows = [
        {"quantity": "rank", "measure": measure, "own": own, "value": rank}
        for (measure, own), rank in ranks.items()
    ]
    readings = {
        "without self-similarity": dict.fromkeys(MEASURES, False),
        "with self-similarity": dict.fromkeys(MEASURES, True),
        "with self-similarity except KZ": {m: m != "katz" for m in MEASURES},
    }
    for reading, own in readings.items():
        mean = np.mean([ranks[item] for item in own.items()])
        rows.append({"quantity": "mean rank", "reading": reading, "value": float(mean)})
    return pd.DataFrame(rows)


def _highest(table: pd.DataFrame, highest: int) -> Finding:
    told = listed(
        f"{row.measure} at degree {row.degree} ({row.sensitivity:.4g}; {row.at_highest_degree:.4g} "
        f"at the highest)"
        for row in table.itertuples()
    )
    return bool((table["sensitivity"] <= table["at_highest_degree"]).all()), (
        f"The highest degree is {highest}; the largest column sums stand with {told}."
    )


# Table 1 and the sizes in Section 6.1.


SHARE = 0.07  # per cent: the printed bound on what was dropped
KEPT, ALL = "items with a kept preference", "all items of the file"


def lastfm_table1(lastfm: Dataset) -> pd.DataFrame:
    """Count what Table 1 and Section 6.1 print of Last.fm.

    Parameters
    ----------
    lastfm : Dataset

    Returns
    -------
    DataFrame
        Columns quantity, reading and value; and the statement on the dropped share.
    """
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
    share = 100 * graphs.dropped / (graphs.dropped + graphs.preferences.nnz)
    found = {
        "section-6.1:lastfm:dropped-share": (
            share < SHARE,
            f"{graphs.dropped} of {graphs.dropped + graphs.preferences.nnz:,} edges, "
            f"{share:.3f} %.",
        )
    }
    return pd.concat([statement_rows(found), pd.DataFrame(rows)], ignore_index=True)


def flixster_table1(flixster: Dataset) -> pd.DataFrame:
    """Count what Table 1 prints of Flixster.

    Parameters
    ----------
    flixster : Dataset

    Returns
    -------
    DataFrame
        Columns quantity, reading and value.
    """
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
        ("average item degree", "users per item", liked.mean()),
        ("average item degree", "items per user", per_user.mean()),
        ("sd of item degree", "users per item, population", liked.std()),
        ("sd of item degree", "users per item, sample", liked.std(ddof=1)),
        ("sd of item degree", "items per user, population", per_user.std()),
        ("sd of item degree", "items per user, sample", per_user.std(ddof=1)),
        ("sparsity", KEPT, 1 - edges / (users * len(liked))),
        ("sparsity", ALL, 1 - edges / (users * items)),
    ]
    return [{"quantity": name, "reading": how, "value": float(value)} for name, how, value in rows]
