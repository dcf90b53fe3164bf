"""Public calls by position with fixed seeds, and what each must give, value by value.

The tables are small and made. Each call gives one array, number or sparse matrix, or a tuple of
these. What they give may change only where CHANGELOG says so.
"""

import hashlib
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
from scipy import sparse

import pplab
from pplab import counts, metrics, microaggregation, recommenders, response, smooth, theory
from pplab.labelled import Labelled

RATINGS = np.random.default_rng(1).integers(0, 6, size=(24, 10))
LIKES = (RATINGS > 3).astype(int)
FULL = np.random.default_rng(2).integers(1, 6, size=(24, 10)).astype(float)
POINTS = np.random.default_rng(3).normal(size=(30, 3))
FRIENDS = nx.to_numpy_array(nx.karate_club_graph(), weight=None).astype(int)
TASTES = np.random.default_rng(4).integers(0, 2, size=(34, 12))
CLUBS = np.arange(34) % 3
FORMS: dict[str, Callable[[np.ndarray], Any]] = {
    "dense": np.asarray,
    "lists": np.ndarray.tolist,
    "csr": sparse.csr_array,
    "int8": lambda table: sparse.csr_array(table.astype(np.int8)),
    "bool": lambda table: table.astype(bool),
    "float": lambda table: sparse.coo_array(table.astype(float)),
}


def _recommended(method: str, **settings: Any) -> Any:
    epsilon = np.inf if method == "exact" else 1.0
    lists = pplab.recommend(
        FRIENDS, TASTES, epsilon=epsilon, measure="cn", top_n=4, method=method, rng=7, **settings
    )
    return lists.items


def _copy(method: str, likes: Any = LIKES, **settings: Any) -> Any:
    copy = pplab.smooth_k_anonymize(likes, 3, method=method, rng=5, **settings)
    return copy.biadjacency, copy.labels, copy.jaccard


def _suppressed(method: str) -> Any:
    copy = pplab.suppress_k_anonymize(LIKES, 3, method=method, rng=5)
    return copy.biadjacency, copy.labels


def _noisy_count(count: str, noise: str) -> Any:
    mechanism = counts.NoisyCount(count=count, noise=noise, epsilon=1.0, unit="edge")
    return mechanism.sample(FRIENDS, rng=3)


def _exact(measured: Any) -> Any:
    return measured.odds.numerator, measured.odds.denominator, measured.epsilon


def _crowds(table: Any) -> Any:
    crowds = pplab.microaggregate(table, 3, rating_range=(1, 5))
    return crowds.protected, crowds.labels, crowds.sse, crowds.k_achieved


CALLS: dict[str, Callable[[], Any]] = {
    **{
        f"bipartite_noise_graph, {form}": lambda turn=turn: pplab.bipartite_noise_graph(
            turn(LIKES), flip_probability=0.2, rng=1
        )
        for form, turn in FORMS.items()
    },
    **{
        f"noise_graph, {form}": lambda turn=turn: pplab.noise_graph(
            turn(FRIENDS), flip_probability=0.1, rng=1
        )
        for form, turn in FORMS.items()
    },
    **{
        f"smooth_k_anonymize, greedy, {form}": lambda turn=turn: _copy("greedy", turn(LIKES))
        for form, turn in FORMS.items()
    },
    "noise_graph, networkx": lambda: pplab.noise_graph(
        nx.path_graph(9), flip_probability=0.1, rng=1
    ),
    "bipartite_noise_graph, above one block": lambda: pplab.bipartite_noise_graph(
        np.zeros((3000, 900), dtype=np.int8), flip_probability=0.01, rng=2
    ),
    "weighted_noise_graph, min-max": lambda: pplab.weighted_noise_graph(
        RATINGS, flip_probability=0.2, top_rating=5, rng=1
    ),
    "categorical_response": lambda: pplab.categorical_response(
        RATINGS, levels=5, epsilon=1.0, rng=1
    ),
    "TwoStageResponse": lambda: response.TwoStageResponse(
        levels=5, flip_probability=0.2, rating_odds=3
    ).sample(RATINGS, rng=1),
    "FairCoin": lambda: response.FairCoin(replacement_probability=0.4).sample(LIKES, rng=1),
    "flips and levels": lambda: (pplab.flip_to_epsilon(0.2), pplab.epsilon_to_flip(1.5)),
    **{
        f"smooth_k_anonymize, {name}": lambda name=name: _copy(name)
        for name in ("paper", "alg1", "alg2")
    },
    "smooth_k_anonymize, ties": lambda: _copy("greedy", ties="more-than-half"),
    "smooth_k_anonymize, thorough": lambda: _copy("greedy", effort="thorough"),
    **{
        f"suppress_k_anonymize, {name}": lambda name=name: _suppressed(name)
        for name in ("greedy", "mondrian")
    },
    "jaccard_certificate": lambda: pplab.jaccard_certificate(LIKES, 3),
    "smooth_optimum": lambda: smooth.smooth_optimum(LIKES[:8, :6], 2).jaccard,
    "jaccard_similarity": lambda: pplab.jaccard_similarity(LIKES, 1 - LIKES[::-1]),
    "jaccard_bound": lambda: [
        pplab.jaccard_bound(density=0.05, cells=10_000, epsilon=2.0, delta=0.01, form=form)
        for form in ("printed", "corrected", "chernoff", "exact")
    ],
    "exact_epsilon": lambda: _exact(
        pplab.exact_epsilon(response.BipartiteNoiseGraph(0.25), shape=(2, 2), unit="user")
    ),
    "risk": lambda: pplab.sensitive_attribute_risk(LIKES, LIKES[::-1]),
    "risk, weighted": lambda: pplab.sensitive_attribute_risk(RATINGS, RATINGS[::-1], weighted=True),
    "imprecision": lambda: pplab.sensitive_attribute_imprecision(RATINGS, RATINGS[::-1]),
    "disclosure_risk": lambda: pplab.disclosure_risk(
        FULL, FULL.round(-1), direction="original-to-protected"
    ),
    "k_achieved": lambda: [pplab.k_achieved(table) for table in (LIKES, LIKES[:, :2])],
    "anonymity": lambda: (
        pplab.is_k_anonymous(LIKES, 2),
        pplab.is_smooth_k_anonymous(LIKES, LIKES, 2),
    ),
    "l_diversity": lambda: metrics.l_diversity(RATINGS[:, 0], CLUBS[:24], form="distinct"),
    "t_closeness": lambda: metrics.t_closeness(RATINGS[:, 0], CLUBS[:24]),
    **{
        f"similarity, {name}": lambda name=name: pplab.similarity(FRIENDS, measure=name)
        for name in ("cn", "gd", "aa", "katz")
    },
    "communities": lambda: pplab.communities(FRIENDS, rng=1),
    "modularity": lambda: recommenders.modularity(FRIENDS, CLUBS),
    "utilities": lambda: pplab.utilities(FRIENDS, TASTES, measure="cn"),
    "cluster_averages": lambda: recommenders.cluster_averages(TASTES, CLUBS, epsilon=1.0, rng=1),
    "recommend, exact": lambda: _recommended("exact"),
    "recommend, cluster": lambda: _recommended("cluster", clusters=CLUBS),
    **{
        f"recommend, {name}": lambda name=name: _recommended(name)
        for name in ("nou", "noe", "lrm", "random")
    },
    "recommend, gs": lambda: _recommended("gs", group_size=4),
    "ndcg": lambda: pplab.ndcg(TASTES[:, ::-1] * 0.5, np.tile(np.arange(4), (34, 1)), top_n=4),
    "mdav, closest": lambda: pplab.mdav(POINTS, 4),
    "mdav, group": lambda: pplab.mdav(POINTS, 4, leftover="group"),
    "v_mdav": lambda: pplab.v_mdav(POINTS, 4, gain=0.2),
    "optimal_microaggregation_1d": lambda: microaggregation.optimal_microaggregation_1d(
        POINTS[:, 0], 4
    ),
    "microaggregate, dense": lambda: _crowds(np.where(RATINGS > 0, RATINGS, np.nan)),
    "microaggregate, csr": lambda: _crowds(sparse.csr_array(RATINGS)),
    "gaussian_noise": lambda: (
        pplab.gaussian_noise(
            np.where(RATINGS > 0, RATINGS, np.nan), sigma=0.5, rating_range=(1, 5), rng=1
        ).protected
    ),
    "NoisyCount, edges, laplace": lambda: _noisy_count("edges", "laplace"),
    "NoisyCount, edges, geometric": lambda: _noisy_count("edges", "geometric"),
    "NoisyCount, degrees, laplace": lambda: _noisy_count("degrees", "laplace"),
    "project_degrees": lambda: counts.project_degrees(FRIENDS, theta=5),
    "exact_group_epsilon": lambda: _exact(
        theory.exact_group_epsilon(
            response.BipartiteNoiseGraph(0.25), shape=(2, 2), unit="edge", units=2
        )
    ),
}


def digest(result: Any) -> str:
    """Hash shapes and values, whatever their types; floats to twelve significant digits."""
    known = hashlib.sha256()
    for part in result if isinstance(result, (tuple, list)) else [result]:
        part = part.matrix if isinstance(part, Labelled) else part
        dense = part.toarray() if sparse.issparse(part) else np.asarray(part)
        stored = part.nnz if sparse.issparse(part) else dense.size
        values = [f"{float(value):.12g}" for value in dense.astype(float).ravel() + 0.0]
        known.update(repr((dense.shape, stored, values)).encode())
    return known.hexdigest()[:16]
