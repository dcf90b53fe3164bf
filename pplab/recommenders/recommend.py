"""Top-N lists by any of the mechanisms: one door."""

from __future__ import annotations

import importlib
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from pplab.checks import (
    as_rng,
    check_choice,
    check_epsilon,
    check_flag,
    check_measure,
    check_method_option,
    check_partition,
    check_paths,
    check_top_n,
    check_users,
)
from pplab.graphs import GraphLike
from pplab.recommenders.cluster_averages import cluster_averages, cluster_top_items, indicator
from pplab.recommenders.exact import exact_top_items
from pplab.recommenders.noise_on_edges import noise_on_edges_top_items
from pplab.recommenders.noise_on_utilities import noise_on_utilities_top_items
from pplab.recommenders.random_lists import random_lists
from pplab.recommenders.similarity import similarity
from pplab.recommenders.similarity_sums import similarity_times
from pplab.recommenders.social_graph import as_social_and_preferences
from pplab.recommenders.top_items import top_items

__all__ = ["Recommendations", "recommend"]

# Method: the options it takes; True for one that it needs.
_OPTIONS: dict[str, dict[str, bool]] = {
    "exact": {},
    "cluster": {"clusters": True},
    "nou": {},
    "noe": {},
    "lrm": {"rank": False, "gamma": False},
    "gs": {"group_size": True},
    "random": {},
}


@dataclass(frozen=True)
class Recommendations:
    """Lists of items for some users.

    Attributes
    ----------
    items : int64 array, shape (users, top_n)
        Best first.
    utilities : float64 array, shape (users, top_n), or None
        What the mechanism estimated for the listed items; NaN for random lists. None unless asked.
    """

    items: np.ndarray
    utilities: np.ndarray | None


def recommend(
    social: GraphLike,
    preferences: GraphLike,
    *,
    epsilon: float,
    measure: str,
    top_n: int,
    method: str,
    clusters: Any = None,
    users: Any = None,
    self_similarity: bool = False,
    paths: str = "simple",
    return_utilities: bool = False,
    rank: int | None = None,
    gamma: float | None = None,
    group_size: int | None = None,
    rng: int | np.random.Generator | None = None,
) -> Recommendations:
    """Recommend the top_n items to each user, hiding any one preference edge.

    Parameters
    ----------
    social : csr_array, shape (n, n), or networkx graph or DataFrame of edges
        Public friendships: symmetric, without weights and self-loops.
    preferences : csr_array, shape (n, items)
        Private preferences, weights in [0, 1]; row u belongs to user u of the social graph. Two
        edge lists or networkx graphs are matched by label: rows are then the users, columns the
        items, in sorted order.
    epsilon : float
        In (0, inf], for one preference edge (a user with d of them is protected at d epsilon).
        inf means no noise, and still no exact utilities for "cluster" (averages), "lrm" (which
        leaves up to gamma of the similarities out) and "gs" (a sample decides on the groups, whose
        means are published). More private towards 0. The methods "exact", which hides nothing,
        and "random", which looks at nothing, do not use it.
    measure : {"cn", "gd", "aa", "katz", "jaccard", "resource-allocation"}
        Similarity of users.
    top_n : int
        Length of the lists, from 1 to the number of items.
    method : {"exact", "cluster", "nou", "noe", "lrm", "gs", "random"}
        No privacy, noise on cluster averages, on utilities, on edges, the low-rank mechanism,
        group and smooth, or random lists.
    clusters : int array, shape (n,)
        Method "cluster": any partition made without the preferences, numbered 0, 1, 2, ...
    users : list of int, optional
        Rows to recommend to; all by default. The noise is that of the whole release.
    self_similarity : bool
        Whether users are similar to themselves, so that what they like counts for them.
    paths : {"simple", "walks"}
        What the measure "katz" counts.
    return_utilities : bool
        Whether to give the estimated utilities too.
    rank, gamma : int, float
        Method "lrm": inner dimension and weight of the decomposition.
    group_size : int
        Method "gs": users whose utilities are averaged. Fix it beforehand: the size that
        `best_group_size` finds looks at the preferences, as the paper's does, and what is
        published with it is NOT epsilon-private.
    rng : int, numpy.random.Generator or None
        Same seed, same lists, whatever the number of threads. A seed is for repeating a result:
        two releases with one seed share their noise, and together give the preferences away.

    Returns
    -------
    Recommendations
        Every user gets top_n items, of equal ones those of lowest number first, also if utilities
        are 0 or negative. A user without similar users, such as an isolated one, has utility 0
        everywhere and gets the first items from "exact", "cluster", "noe" and "lrm", where noise
        comes weighed by similarities; items chosen by noise alone from "nou", and by their group
        from "gs". Items that nobody likes have utility 0 and fill lists up; under noise they are
        as likely as others of utility 0. ``utilities`` tell how many are above 0.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval, the graphs have different users, or an option does not
        belong to the method.

    References
    ----------
    Jorgensen and Yu 2014, A privacy-preserving framework for personalized, social
    recommendations, EDBT 2014, equations 1, 3 and 4 and Section 5, doi 10.5441/002/edbt.2014.51.

    Examples
    --------
    >>> friends = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> likes = [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
    >>> found = recommend(friends, likes, epsilon=float("inf"), measure="cn", top_n=2,
    ...                   method="exact", return_utilities=True)
    >>> found.items
    array([[1, 0],
           [0, 1],
           [2, 0]])
    >>> found.utilities
    array([[1., 0.],
           [0., 0.],
           [1., 0.]])
    """
    check_choice("method", method, _OPTIONS)
    check_measure(measure)
    check_paths(paths)
    level = float(check_epsilon(epsilon, allow_infinity=True))
    check_flag("self_similarity", self_similarity)
    check_flag("return_utilities", return_utilities)
    options = {"clusters": clusters, "rank": rank, "gamma": gamma, "group_size": group_size}
    for name, value in options.items():
        if name not in _OPTIONS[method] or _OPTIONS[method][name]:
            check_method_option(method, name, value, needed=name in _OPTIONS[method])
    graph, weights = as_social_and_preferences(social, preferences)
    rows = check_users(users, graph.shape[0])
    similar = {"measure": measure, "self_similarity": self_similarity, "paths": paths}
    request = _Request(
        graph, weights, level, similar, check_top_n(top_n, weights.shape[1]), rows, as_rng(rng)
    )
    items, values = _lists(request, method, options)
    return Recommendations(items, values.astype(np.float64) if return_utilities else None)


@dataclass(frozen=True)
class _Request:
    """Checked arguments that every method has."""

    social: sparse.csr_array
    preferences: sparse.csr_array
    epsilon: float
    similar: dict[str, Any]
    top_n: int
    users: np.ndarray
    rng: np.random.Generator


def _lists(ask: _Request, method: str, options: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Items and estimated utilities by one method."""
    if method == "random":
        items = ask.preferences.shape[1]
        lists = random_lists(ask.users, items=items, top_n=ask.top_n, rng=ask.rng)
        return lists, np.full(lists.shape, np.nan)
    if method == "cluster":
        return _by_clusters(ask, options["clusters"])
    shared = {**ask.similar, "top_n": ask.top_n, "users": ask.users}
    if method == "exact" or (method in ("nou", "noe") and ask.epsilon == math.inf):
        return exact_top_items(ask.social, ask.preferences, **shared)
    if method in ("nou", "noe"):
        mechanism = noise_on_utilities_top_items if method == "nou" else noise_on_edges_top_items
        return mechanism(ask.social, ask.preferences, epsilon=ask.epsilon, rng=ask.rng, **shared)
    return _by_workload(ask, method, options)


def _by_clusters(ask: _Request, clusters: Any) -> tuple[np.ndarray, np.ndarray]:
    labels = check_partition(clusters, ask.social.shape[0], name="clusters")
    averages = cluster_averages(ask.preferences, labels, epsilon=ask.epsilon, rng=ask.rng)
    sums = similarity_times(ask.social, indicator(labels), users=ask.users, **ask.similar)
    return cluster_top_items(sums, averages, ask.top_n)


def _by_workload(
    ask: _Request, method: str, options: dict[str, Any]
) -> tuple[np.ndarray, np.ndarray]:
    """The two mechanisms that look at the similarities as a workload of queries."""
    module, function = {
        "lrm": ("low_rank", "low_rank_utilities"),
        "gs": ("group_smooth", "group_smooth_utilities"),
    }[method]
    mechanism = getattr(importlib.import_module(f"pplab.recommenders.{module}"), function)
    chosen = {name: options[name] for name in _OPTIONS[method] if options[name] is not None}
    estimated = mechanism(
        similarity(ask.social, **ask.similar),
        ask.preferences,
        epsilon=ask.epsilon,
        users=ask.users,
        rng=ask.rng,
        **chosen,
    )
    return top_items(estimated, ask.top_n)
