"""Formal statements of the paper, decided on small instances, and what is counted on the data.

`statements` decides definitions, theorems, equations and the claims on the attack by code that
could say no; `lastfm_table1`, `flixster_table1`, `lastfm_sensitivity` and `workload_rank` measure
Table 1, Section 5 and Section 6.1. Jorgensen and Yu 2014, doi 10.5441/002/edbt.2014.51.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import inf, sqrt
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import scipy
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from claimbook.part import Finding, against, statement_rows
from pplab.datasets.catalog import Dataset
from pplab.metrics.ranking import ndcg
from pplab.recommenders.clusters import cluster_averages, error_parts
from pplab.recommenders.communities import modularity
from pplab.recommenders.group_smooth import group_smooth_utilities, largest_column
from pplab.recommenders.similarity import similarity
from pplab.recommenders.top_items import top_items
from pplab.recommenders.utilities import utilities, utility_sensitivity
from pplab_papers.social import paper
from pplab_papers.social.paper import ALPHA, MEASURES, SELF_SIMILARITY, Graphs, graphs_of
from pplab_papers.social.sybils import read_alone

SEED = 51
COUNT = 50
EPSILON = 0.5
LISTS = 2_000

Instance = tuple[sparse.csr_array, np.ndarray, np.ndarray]  # social, preferences, labels


def statements() -> pd.DataFrame:
    """Decide definitions, theorems, equations and the claims on the attack."""
    checks = {
        "theorem-1:laplace": _laplace,
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
        "section-6.4:gs-level": _gs_level,
        "section-6.4:gs-choice-of-size": _gs_choice_of_size,
    }
    results = statement_rows({name: check() for name, check in checks.items()})
    return pd.concat([results, read_alone()], ignore_index=True)


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
    return against(_private_at, 1 / EPSILON, 0.5 / EPSILON)


def _private_at(scale: float) -> tuple[bool, str]:
    worst = float(np.abs(_log_ratios((0.0, 1.0), scale)).max())
    return abs(worst - EPSILON) < 1e-9, f"The largest log ratio is {worst:.6g} at {EPSILON}."


def _noise_ignores_data() -> Finding:
    return against(_same_on_all, 1, 0)


def _same_on_all(taken: int) -> tuple[bool, str]:
    """Published minus exact averages (1), or exact ones (0), on tables that differ."""
    noise = []
    for _, preferences, _ in _instances():
        table, labels = sparse.csr_array(preferences), np.arange(9) % 3
        exact, told = (cluster_averages(table, labels, epsilon=e, rng=SEED) for e in (inf, EPSILON))
        noise.append(told - taken * exact)
    apart = float(np.ptp(noise, axis=0).max())
    return apart < 1e-9, f"On {COUNT} tables it differs by {apart:.2g} at most."


def _smaller_is_stronger() -> Finding:
    return against(_falling, paper.EPSILONS[1:], paper.EPSILONS[:0:-1])


def _falling(levels: Sequence[float]) -> tuple[bool, str]:
    worst = [float(_log_ratios((0.0, 1.0), 1 / epsilon).max()) for epsilon in levels]
    text = ", ".join(f"{value:.3g}" for value in worst)
    return bool((np.diff(worst) < 0).all()), f"The largest log ratios, as epsilon falls: {text}."


def _beliefs() -> Finding:
    return against(_moved_by, EPSILON, EPSILON / 2)


def _moved_by(bound: float) -> tuple[bool, str]:
    """Posterior over prior that one preference is there, for all priors and answers on a grid."""
    prior = np.linspace(0.01, 0.99, 99)[:, None]
    answers = np.array([-EPSILON, EPSILON])  # log ratios of randomized response
    ratios = np.exp(np.concatenate([answers, _log_ratios((0.0, 1.0), 1 / EPSILON)]))
    moved = np.abs(np.log(ratios / (prior * ratios + 1 - prior)))
    return bool(moved.max() <= bound), (
        f"The log of their ratio is at most {moved.max():.4g} at {EPSILON}."
    )


def _post_processing() -> Finding:
    return against(_processed, 0, 1)


def _processed(looks: int) -> tuple[bool, str]:
    """Random mechanisms on finite outputs, some of which are then told as one.

    Which are does not depend on the input, unless it is looked at: then that of the second is
    another (1 in place of 0).
    """
    rng = np.random.default_rng(SEED)
    grown = -inf
    for _ in range(LISTS):
        told = rng.dirichlet(np.ones(6), size=2)
        merges = np.eye(3)[rng.integers(0, 3, (2, 6))]
        merged = np.stack([told[0] @ merges[0], told[1] @ merges[looks]])
        seen = merged[:, merged.min(axis=0) > 0]
        ratios = [np.abs(np.log(table[0] / table[1])).max(initial=0) for table in (told, seen)]
        grown = max(grown, float(ratios[1] - ratios[0]))
    return grown <= 1e-9, f"On {LISTS:,} mechanisms the log ratio grows by {grown:.2g} at most."


def _sequential() -> Finding:
    return against(_together, 2 * EPSILON, EPSILON)


def _together(level: float) -> tuple[bool, str]:
    one = np.abs(_log_ratios((0.0, 1.0), 1 / EPSILON)).max()
    both = float((_log_ratios((0.0, 1.0), 1 / EPSILON)[:, None] + one).max())
    return abs(both - level) < 1e-9, (f"Two releases at {EPSILON} reach a log ratio of {both:.6g}.")


def _edges_changed(instance: Instance) -> Iterator[tuple[int, int, np.ndarray]]:
    """Each cell of the preferences, and the exact averages when it is changed, less before."""
    _, preferences, labels = instance
    before = cluster_averages(sparse.csr_array(preferences), labels, epsilon=inf)
    for user, item in np.ndindex(preferences.shape):
        other = preferences.copy()
        other[user, item] = 1 - other[user, item]
        yield user, item, cluster_averages(sparse.csr_array(other), labels, epsilon=inf) - before


def _parallel() -> Finding:
    return against(_moves_one, False, True)


def _moves_one(overall: bool) -> tuple[bool, str]:
    """Number of averages that an edge moves, those of clusters and perhaps of all users."""
    most = 0
    for instance in _instances():
        sizes = np.bincount(instance[2])
        for _, _, change in _edges_changed(instance):
            averages = np.vstack([change, sizes @ change]) if overall else change
            most = max(most, int(np.count_nonzero(np.abs(averages) > 1e-12)))
    return most == 1, f"One edge moves {most} of the published averages, on {COUNT} instances."


def _algorithm_1() -> Finding:
    return against(_calibrated, 1.0, 0.5)


def _calibrated(share: float) -> tuple[bool, str]:
    """Does the noise have this share of the scale 1/(|c| epsilon), where an average moves 1/|c|?"""
    moved = [
        float(np.abs(change).sum() * np.bincount(instance[2])[instance[2][user]])
        for instance in _instances()
        for user, _, change in _edges_changed(instance)
    ]
    labels = np.repeat([0, 1], [2, 8])
    noise = cluster_averages(sparse.csr_array((10, 20_000)), labels, epsilon=EPSILON, rng=SEED)
    sizes = np.array([[2], [8]])
    test = scipy.stats.kstest((noise * sizes * EPSILON / share).ravel(), "laplace")
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
    return against(_user_level, 2 * EPSILON, EPSILON)


def _user_level(stated: float) -> tuple[bool, str]:
    level = _two_edges()
    return abs(level - stated) < 1e-9, (
        f"Two preferences of one user can be told apart at {level:.3g}, twice {EPSILON}."
    )


def _proof_quantity() -> Finding:
    return against(_moves_little, right="mean", wrong="sum")


def _moves_little(of: str) -> tuple[bool, str]:
    social, preferences, labels = next(_instances())
    size = int(np.bincount(labels)[labels[0]])
    other = preferences.copy()
    other[0, 0] = 1 - other[0, 0]
    change = abs((other - preferences)[labels == labels[0]].sum())
    moved = change if of == "sum" else change / size
    return bool(moved <= 1 / size), (
        f"In a cluster of {size} of {social.shape[0]} users the mean changes by "
        f"{change / size:.3g}, the sum by {change:g}."
    )


def _approximation(epsilon: float, labels: tuple[int, ...] = (0, 1, 1, 1)) -> float:
    """Mean absolute error of u's utility where the cluster is sim(u), all alike."""
    preferences = sparse.csr_array(np.array([[0.0], [1], [0], [1]]))
    # user 0 is similar to the others, with similarity 1
    draws = [
        cluster_averages(preferences, np.array(labels), epsilon=epsilon, rng=seed)[-1, 0] * 3 - 2
        for seed in range(400)
    ]
    return float(np.abs(draws).mean())


def _noisy_mean() -> Finding:
    error = _approximation(EPSILON)
    return error < 1e-9, (
        f"With the noisy mean of equation 3 its absolute value is {error:.2f} on average over 400 "
        f"draws at epsilon = {EPSILON:g}."
    )


def _noiseless_mean() -> Finding:
    return against(_cancels, (0, 1, 1, 1), (0, 0, 0, 0))


def _cancels(labels: tuple[int, ...]) -> tuple[bool, str]:
    error = _approximation(inf, labels)
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
        f"Printed {row['printed']:.4g}, exact {row['exact']:.4g}: graph distance on a square of "
        f"four users, two clusters of neighbours, epsilon = {EPSILON:g}."
    )


def _upper_bound() -> Finding:
    return against(_bounds, 1.0, 0.5)


def _bounds(share: float) -> tuple[bool, str]:
    """Is this share of the printed sum an upper bound?"""
    table = _perturbation()
    for social, preferences, labels in _instances():
        parts = error_parts(
            social, sparse.csr_array(preferences), labels, measure="cn", epsilon=EPSILON
        )
        more = {"printed": parts.perturbation_printed, "exact": parts.perturbation}
        table = pd.concat([table, pd.DataFrame(more)])
    gap = float((share * table["printed"] - table["exact"]).min())
    return gap >= -1e-9, f"Over {len(table)} users printed less exact is at least {gap:.2g}."


def _nou_error() -> Finding:
    return against(_error, "root of the variance", "mean absolute value")


def _error(of: str) -> tuple[bool, str]:
    law, scale = scipy.stats.laplace(scale=1 / EPSILON), 1 / EPSILON
    errors = {"root of the variance": law.std(), "mean absolute value": law.expect(abs)}
    return bool(np.isclose(errors[of], sqrt(2) * scale)), (
        f"At scale {scale:g} the {of} is {errors[of]:.4g}."
    )


def _nou_sensitivity() -> Finding:
    return against(_sensitivity, utility_sensitivity, _largest_similarity)


def _largest_similarity(social: sparse.csr_array, *, measure: str) -> float:
    return float(similarity(social, measure=measure).max())


def _sensitivity(stated: Callable[..., float]) -> tuple[bool, str]:
    for social, preferences, _ in _instances():
        for measure in MEASURES:
            before = utilities(social, sparse.csr_array(preferences), measure=measure)
            moved = []
            for user in range(len(preferences)):
                other = preferences.copy()
                other[user, 0] = 1 - other[user, 0]
                after = utilities(social, sparse.csr_array(other), measure=measure)
                moved.append(float(np.abs((after - before).toarray()).sum()))
            largest = stated(social, measure=measure)
            if not np.isclose(max(moved), largest):
                text = f"{max(moved):.4g} by enumeration, {largest:.4g} as stated"
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
    return against(_modularity, 1.0, 0.5)


def _modularity(share: float) -> tuple[bool, str]:
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
    return against(_perfect, ndcg, _undiscounted)


def _undiscounted(mu: sparse.csr_array, listed: np.ndarray, *, top_n: int) -> np.ndarray:
    """Sum of the utilities in each list over that in the ideal one."""
    table = mu.toarray()
    best = np.sort(table)[:, ::-1][:, :top_n].sum(axis=1)
    gained = np.take_along_axis(table, listed, axis=1).sum(axis=1)
    return np.where(best > 0, gained / np.maximum(best, 1), np.nan)


def _perfect(measure: Callable[..., np.ndarray]) -> tuple[bool, str]:
    """Compare 1 and 0 with what stands in the list, on random utilities with ties."""
    rng = np.random.default_rng(SEED)
    wrong = 0
    for _ in range(LISTS):
        mu, top_n = rng.integers(0, 3, size=6).astype(float), int(rng.integers(1, 5))
        listed = rng.permutation(6)[:top_n]
        value = measure(sparse.csr_array(mu[None]), listed[None], top_n=top_n)[0]
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
    text = ", ".join(f"{name} {value:.2f}" for name, value in gain.items())
    right, wrong = (
        len(set(precision.values())) == 1 and each["no first"] < each["no last"] < each["an equal"]
        for each in (gain, precision)
    )
    exact = gain["an equal"] == 1
    return right and exact, f"Precision is a half each time; NDCG: {text}.", wrong


# Group and smooth as Section 6.4 adapts it: its level, and the choice of its group size.


def _tables() -> Iterator[tuple[sparse.csr_array, np.ndarray]]:
    """Similarities of nine users and preferences, all with an edge that can go or come."""
    for social, preferences, _ in _instances():
        if (similar := similarity(social, measure="cn")).nnz:
            yield similar, preferences


def _gs_level() -> Finding:
    return against(_gs_costs, largest_column, lambda similar: float(similar.max()))


def _gs_costs(sensitivity: Callable[[sparse.csr_array], float]) -> tuple[bool, str]:
    """Add up what each edge costs, in levels: the rough estimate, and the means of its groups."""
    size, most = 3, 0.0  # nine users: full groups
    rng = np.random.default_rng(SEED)
    for similar, preferences in _tables():
        rough = 2 * similar.max() / EPSILON
        means = 2 * sensitivity(similar) / size / EPSILON
        groups = np.repeat(np.arange(9 // size), size)[rng.permutation(9)]
        for user in range(len(preferences)):
            moved = similar[:, [user]].toarray().ravel()  # the utilities of an item
            by_group = np.bincount(groups, moved) / size
            most = max(most, float(moved.max() / rough + by_group.sum() / means))
    return most <= EPSILON + 1e-9, (
        f"The costs of an edge add up to {most:.4g} at most, stated {EPSILON}."
    )


def _gs_choice_of_size() -> Finding:
    return against(_size_gives_away, best_size, lambda *_: 3)


def best_size(similar: sparse.csr_array, preferences: np.ndarray) -> int:
    """Group size with the best NDCG on the true utilities, by one draw of noise."""
    table, found = sparse.csr_array(preferences), {}
    truth = sparse.csr_array(similar @ table)
    truth.sort_indices()
    for size in (1, 3, 9):
        options: dict[str, Any] = {"epsilon": EPSILON, "group_size": size, "rng": SEED}
        told = group_smooth_utilities(similar, table, **options)
        found[size] = float(np.nanmean(ndcg(truth, top_items(told, 2)[0], top_n=2)))
    return max(found, key=lambda size: found[size])


def _size_gives_away(choose: Callable[[sparse.csr_array, np.ndarray], int]) -> tuple[bool, str]:
    """Does one edge change the size, and with it the scale of the noise in all means?"""
    changed = tried = 0
    for (similar, preferences), _ in zip(_tables(), range(10), strict=False):
        before = choose(similar, preferences)
        for user in range(len(preferences)):
            other = preferences.copy()
            other[user, 0] = 1 - other[user, 0]
            changed += choose(similar, other) != before
            tried += 1
    return changed > 0, (
        f"One edge changes the size in {changed} of {tried} cases: noise of another scale, whose "
        "densities have no bounded ratio."
    )


# Sensitivity of the utilities, noise against signal, and rank of the workload on Last.fm.


def lastfm_sensitivity(lastfm: Dataset) -> pd.DataFrame:
    """Say which users attain the sensitivity, and compare noise on utilities and edges for them."""
    graphs = graphs_of(lastfm)
    social, everyone = graphs.social, graphs.social.shape[0]
    highest = np.diff(social.indptr).argmax()
    rows: list[dict[str, Any]] = []
    for (own, keeps), measure in product(SELF_SIMILARITY.items(), MEASURES):
        options: dict[str, Any] = {"measure": measure, "self_similarity": keeps}
        similar = similarity(social, **options)
        sums = similar.sum(axis=0)
        spread = np.sqrt(2 * similar.power(2).sum(axis=1))
        truth = sparse.coo_array(utilities(social, graphs.preferences, **options))
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
        row: dict[str, Any] = {"measure": measure, "self_similarity": own}
        rows += [row | {"quantity": n, "value": float(v)} for n, v in values.items()]
        for users in (everyone // 4, everyone // 2, everyone):
            largest = similarity(social[:users, :users], **options).sum(axis=0).max()
            part = row | {"quantity": "sensitivity of a part", "users": users}
            rows.append(part | {"value": float(largest)})
    reached = sparse.eye_array(everyone, format="csr")
    for hops in range(1, 4):
        reached = (reached + reached @ social).astype(bool).astype(float)
        row = {"quantity": "users within", "hops": hops}
        rows.append(row | {"value": reached.nnz / everyone - 1})
    return pd.DataFrame(rows)


def workload_rank(lastfm: Dataset) -> pd.DataFrame:
    """Rank of the similarity matrices, with and without their diagonals."""
    social = graphs_of(lastfm).social
    rows: list[dict[str, Any]] = []
    for own, keeps in SELF_SIMILARITY.items():
        ranks = {
            measure: float(np.linalg.matrix_rank(matrix.toarray(), hermitian=True))
            for measure in MEASURES
            for matrix in [similarity(social, measure=measure, self_similarity=keeps)]
        }
        row = {"self_similarity": own, "quantity": "rank"}
        rows += [row | {"measure": measure, "value": rank} for measure, rank in ranks.items()]
        rows.append(row | {"quantity": "mean rank", "value": float(np.mean([*ranks.values()]))})
    return pd.DataFrame(rows)


# Table 1 and the sizes in Section 6.1.


KEPT, ALL = "with a kept preference", "all of the file"


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
    edges = graphs.preferences.nnz
    rows: list[dict[str, Any]] = [
        {"quantity": "users", "value": users},
        {"quantity": "social edges", "value": graphs.social.nnz // 2},
        {"quantity": "average user degree", "value": degrees.mean()},
        {"quantity": "preference edges", "value": edges},
    ]
    for name, counted in ((KEPT, per_item[per_item > 0]), (ALL, per_item)):
        sparsity = 1 - edges / (users * len(counted))
        mine = [
            {"quantity": "items", "value": len(counted)},
            {"quantity": "sparsity", "value": sparsity},
            *_item_degrees("users of an item", counted),
        ]
        rows += [row | {"items": name} for row in mine]
    rows += _item_degrees("items of a user", per_user)
    rows += _deviations("sd of user degree", degrees)
    return [row | {"value": float(row["value"])} for row in rows]


def _item_degrees(label: str, numbers: np.ndarray) -> list[dict[str, Any]]:
    mean = {"quantity": "average item degree", "value": numbers.mean()}
    rows = [mean, *_deviations("sd of item degree", numbers)]
    return [row | {"item_degree": label} for row in rows]


def _deviations(quantity: str, numbers: np.ndarray) -> list[dict[str, Any]]:
    return [
        {"quantity": quantity, "deviation": name, "value": numbers.std(ddof=ddof)}
        for name, ddof in (("population", 0), ("sample", 1))
    ]
