"""Formal statements of the paper, decided on small instances by code that could say no."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, sqrt

import networkx as nx
import numpy as np
import pandas as pd
from scipy import sparse, stats

from pplab.experiments.finding import Finding, statement_rows
from pplab.experiments.social import paper
from pplab.experiments.social.sybil_statements import SYBIL_STATEMENTS
from pplab.metrics.ranking import ndcg
from pplab.recommenders.clusters import cluster_averages, error_parts
from pplab.recommenders.communities import modularity
from pplab.recommenders.utilities import utilities, utility_sensitivity

__all__ = ["instances", "statements"]

SEED = 51
COUNT = 50
ALPHA = 1e-6
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


def instances(count: int = COUNT) -> Iterator[Instance]:
    """Random small social graphs with preferences and a partition."""
    rng = np.random.default_rng(SEED)
    for _ in range(count):
        graph = nx.gnp_random_graph(9, 0.35, seed=int(rng.integers(2**31)))
        social = sparse.csr_array(nx.to_scipy_sparse_array(graph, dtype=np.int8))
        preferences = (rng.random((9, 5)) < 0.4).astype(float)
        labels = np.unique(rng.integers(0, 3, 9), return_inverse=True)[1]
        yield social, preferences, labels


def _log_ratios(answers: tuple[float, float], scale: float) -> np.ndarray:
    """Log ratio of the densities of two Laplace laws over a grid that covers both centres."""
    grid = np.linspace(-5, 6, 1101)
    first, second = (stats.laplace.logpdf(grid, loc=answer, scale=scale) for answer in answers)
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
        for instance in instances()
        for _, _, change in _edges_changed(instance)
    )
    return most == 1, f"One edge moves {most} of the published averages, on {COUNT} instances."


def _algorithm_1() -> Finding:
    moved = [
        float(np.abs(change).sum() * np.bincount(instance[2])[instance[2][user]])
        for instance in instances()
        for user, _, change in _edges_changed(instance)
    ]
    labels = np.repeat([0, 1], [2, 8])
    noise = cluster_averages(sparse.csr_array((10, 20_000)), labels, epsilon=EPSILON, rng=SEED)
    sizes = np.array([[2], [8]])
    found = stats.kstest((noise * sizes * EPSILON).ravel(), "laplace")
    exact = max(abs(value - 1) for value in moved) < 1e-9
    return bool(exact and found.pvalue > ALPHA), (
        f"An average moves by 1/|c| ({len(moved):,} edges), the noise has scale 1/(|c| epsilon) "
        f"(p-value {found.pvalue:.2g})."
    )


def _two_edges() -> float:
    """Largest log ratio between two tables that differ in two preferences of one user."""
    social, preferences, labels = next(instances(1))
    other = preferences.copy()
    other[0, :2] = 1 - other[0, :2]
    tables = [
        cluster_averages(sparse.csr_array(table), labels, epsilon=inf)
        for table in (preferences, other)
    ]
    scales = 1 / (np.bincount(labels)[:, None] * EPSILON)
    assert social.shape[0] == len(labels)
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
    social, preferences, labels = next(instances(1))
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
    for social, preferences, labels in instances():
        parts = error_parts(
            social, sparse.csr_array(preferences), labels, measure="cn", epsilon=EPSILON
        )
        more = {"printed": parts.perturbation_printed, "exact": parts.perturbation}
        table = pd.concat([table, pd.DataFrame(more)])
    gap = float((table["printed"] - table["exact"]).min())
    return gap >= -1e-9, f"Over {len(table)} users printed less exact is at least {gap:.2g}."


def _nou_error() -> Finding:
    scale = 1 / EPSILON
    mean, deviation = float(stats.laplace(scale=scale).expect(abs)), sqrt(2) * scale
    return bool(np.isclose(mean, deviation)), (
        f"At scale {scale:g} the mean absolute value is {mean:.4g}, the standard deviation "
        f"{deviation:.4g}."
    )


def _nou_sensitivity() -> Finding:
    for social, preferences, _ in instances():
        for measure in paper.MEASURES:
            before = utilities(social, sparse.csr_array(preferences), measure=measure)
            moved = []
            for user in range(len(preferences)):
                other = preferences.copy()
                other[user, 0] = 1 - other[user, 0]
                after = utilities(social, sparse.csr_array(other), measure=measure)
                moved.append(float(np.abs((after - before).toarray()).sum()))
            largest = utility_sensitivity(social, measure=measure)
            if not np.isclose(max(moved), largest):
                return (
                    False,
                    f"{measure}: {max(moved):.4g} by enumeration, {largest:.4g} as the sum.",
                )
    return True, f"Enumeration gives it on {COUNT} graphs for {len(paper.MEASURES)} measures."


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
    assert np.isclose(truth, modularity(social, labels))
    return bool(np.isclose(printed, truth)), f"It gives {printed:.4f}, networkx {truth:.4f}."


def _bounded() -> Finding:
    rng = np.random.default_rng(SEED)
    low, high = inf, -inf
    for _ in range(LISTS):
        mu = rng.integers(0, 4, size=(1, 8)).astype(float)
        value = ndcg(sparse.csr_array(mu), rng.permutation(8)[None], top_n=int(rng.integers(1, 9)))
        if not np.isnan(value[0]):
            low, high = min(low, value[0]), max(high, value[0])
    return bool(low >= 0 and high <= 1 + 1e-12), f"On {LISTS:,} lists from {low:.3g} to {high:.3g}."
