"""Top-N lists by any of the mechanisms: one door, and the mechanisms of a few lines.

Noise is addressed: the noise of a user, an item or a cluster depends on the seed and its number
alone, however the work is cut into blocks and whichever other users are asked for.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from pplab import checks, graphs
from pplab import vetted as by_opendp
from pplab.compiled import new_key
from pplab.graphs import GraphLike
from pplab.labelled import Table, Told, by_person, rows_of
from pplab.recommenders.clusters import averages_of, cluster_top_items, indicator, stacked
from pplab.recommenders.group_smooth import group_smooth_utilities
from pplab.recommenders.low_rank import decompose, low_rank_utilities
from pplab.recommenders.similarity import (
    Similarity,
    check_users,
    dense_sums,
    similarity_matrix,
    sparse_sums,
)
from pplab.recommenders.top_items import (
    RunningTop,
    check_noise_scale,
    check_top_n,
    laplace_rows,
    top_items,
)
from pplab.recommenders.utilities import sensitivity_of

_MOST_NOISE = 2**39  # bytes, drawn a block at a time: half an hour
_CELLS_AT_ONCE = 2**22  # 32 MB of noisy weights or utilities
_CACHED = 256  # items whose weights stay in the processor's cache while rows are multiplied

_Lists = tuple[Any, ...]  # items, utilities, and what OpenDP states where it drew the noise


@dataclass(frozen=True, repr=False)
class Recommendations(Told):
    """Lists of items for some users.

    Attributes
    ----------
    items : int64 array, shape (users, top_n)
        Best first. Of a Table a DataFrame of labels: a row for each user, a column for each rank.
    utilities : float64 array, shape (users, top_n), or None
        What the mechanism estimated for the listed items; NaN for random lists. None unless asked.
    frame_users, frame_items : list or range
        Labels of the rows and of the columns of the preferences, in their order: ``frame_items[i]``
        is item i. Of matrices they are the row and column numbers.
    vetted : VettedNoise or None
        With sampler "vetted": ``epsilon``, beside it the ``stated_epsilon`` of OpenDP's own map,
        and the ``grid`` of the noisy numbers.
    """

    items: Any
    utilities: Any
    frame_users: Sequence[Any]
    frame_items: Sequence[Any]
    vetted: by_opendp.VettedNoise | None = None


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
    return_utilities: bool = False,
    group_size: int | None = None,
    sampler: str = "teaching",
    rng: int | np.random.Generator | None = None,
) -> Recommendations:
    """Recommend the top_n items to each user, hiding any one preference edge.

    Parameters
    ----------
    social : csr_array, shape (n, n), Graph or networkx graph
        Public friendships: symmetric, without weights and self-loops.
    preferences : csr_array, shape (n, items)
        Private preferences, weights in [0, 1]; row u belongs to user u of the social graph. A
        Graph and a Table, or two networkx graphs, are matched by label.
    epsilon : float
        In (0, inf], for one preference edge (a user with d of them is protected at d epsilon).
        inf means no noise, and still no exact utilities for "cluster" (averages), "lrm" (which
        leaves a residual of the similarities out) and "gs" (a sample decides on the groups, whose
        means are published). More private towards 0. The methods "exact", which hides nothing,
        and "random", which looks at nothing, do not use it.
    measure : {"cn", "gd", "aa", "katz", "jaccard", "resource-allocation", "sorensen"}
        Similarity of users; "katz" counts simple paths.
    top_n : int
        Length of the lists, from 1 to the number of items.
    method : {"exact", "cluster", "nou", "noe", "lrm", "gs", "random"}
        No privacy, noise on cluster averages, on utilities, on edges, the low-rank mechanism,
        group and smooth, or random lists.
    clusters : int array, shape (n,)
        Method "cluster": any partition made without the preferences, numbered 0, 1, 2, ...
    users : list of int, optional
        Rows to recommend to, labels of a Table; all by default. The noise is that of the whole
        release.
    return_utilities : bool
        Whether to give the estimated utilities too.
    group_size : int
        Method "gs": users whose utilities are averaged. Fix it beforehand: with a size chosen by
        a look at the preferences, as the paper's was, a release is NOT epsilon-private.
    sampler : {"teaching", "vetted"}
        Where the noise of "cluster", "nou" and "noe" comes from: numpy, or OpenDP (extra
        ``vetted``), which adds discrete Laplace noise to whole numbers of a grid.
    rng : int, numpy.random.Generator or None
        Same seed, same lists, whatever the number of threads. A seed is for repeating a result:
        two releases with one seed share their noise, and together give the preferences away. So
        there is none with sampler "vetted".

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
        If an argument leaves its interval, the graphs have different users, the frame of the
        preferences was taken from their entries, or an option does not belong to the method; with
        sampler "vetted", if epsilon is inf or its noise leaves 64-bit integers, there is an rng, or
        more than 2^27 numbers are to be drawn.
    ModuleNotFoundError
        If sampler is "vetted" and opendp is missing.

    Notes
    -----
    "nou" adds noise of scale D / epsilon to every utility, where D is the largest column sum of
    the similarity matrix: one preference edge moves the utilities of its item by that much
    together. "noe" adds noise of scale 1 / epsilon to every weight, zeros included and also those
    of users for whom no list is asked, and forms utilities of the noisy weights. Both are dense:
    every user-item cell is drawn. With sampler "vetted", "nou" also forms the similarity matrix, in
    whole numbers. "cluster", "nou" and "noe" draw nothing but this noise.

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
    checks.check_choice("method", method, METHODS)
    for name, value in (("clusters", clusters), ("group_size", group_size)):
        if name == METHODS[method].needs and value is None:
            raise ValueError(f"method {method!r} needs {name}, got None; pass {name}=")
        if name != METHODS[method].needs and value is not None:
            raise ValueError(
                f"method {method!r} takes no {name}, got {checks.shown(value)}; leave it out"
            )
    similarity = Similarity(measure)
    level = float(checks.check_epsilon(epsilon, allow_infinity=True))
    draws: Any = checks.as_rng(rng)
    if checks.check_sampler(sampler, rng):
        by_either = [name for name, record in METHODS.items() if record.vetted]
        checks.check_choice("method with sampler 'vetted'", method, by_either)
        level, draws = level if level <= epsilon else math.nextafter(level, 0), None  # a Fraction
    checks.check_flag("return_utilities", return_utilities)
    graphs.check_public_frame("preferences", preferences)
    social = graphs.with_labels(social, bipartite=False, name="social")
    preferences = graphs.with_labels(preferences, bipartite=True, name="preferences")
    ordered = graphs.by_value(preferences, bipartite=True)
    people = graphs.by_value(social, bipartite=False)
    graph, weights = graphs.as_social_and_preferences(people, ordered)
    labels = graphs.labels_of(preferences)
    rows = check_users(rows_of(ordered, users), graph.shape[0])
    clusters, length = by_person(social, clusters, "clusters"), check_top_n(top_n, weights.shape[1])
    request = _Request(graph, weights, similarity, level, length, rows, clusters, group_size, draws)
    items, values, *stated = METHODS[method].lists(request)
    estimated = values.astype(np.float64) if return_utilities else None
    if isinstance(preferences, Table):
        items, estimated = _by_label(preferences, rows, users, items, estimated)
    return Recommendations(items, estimated, *labels, *stated)


def _by_label(
    table: Table, rows: np.ndarray, users: Any, items: np.ndarray, estimated: np.ndarray | None
) -> tuple[Any, Any]:
    """Lists as frames: a row for each user, a column for each rank from 1."""
    import pandas as pd

    people, goods = (pd.Index(axis.labels, tupleize_cols=False) for axis in table.axes)
    order = table.axes[0].order if users is None else np.arange(len(rows))
    index = people[rows[order]].rename(table.columns[0])
    ranks = pd.RangeIndex(1, items.shape[1] + 1, name="rank")
    lists = pd.DataFrame(goods.to_numpy()[items[order]], index=index, columns=ranks)
    if estimated is None:
        return lists, None
    return lists, pd.DataFrame(estimated[order], index=index, columns=ranks)


@dataclass(frozen=True)
class _Request:
    """Checked arguments of one release."""

    social: sparse.csr_array
    preferences: sparse.csr_array
    how: Similarity
    epsilon: float
    top_n: int
    users: np.ndarray
    clusters: Any
    group_size: Any
    rng: Any  # numpy.random.Generator; None where OpenDP draws

    def laplace(self, rows: int) -> by_opendp.GridLaplace | None:
        """Noise by OpenDP for a table of so many rows and all items, where it is asked for."""
        draws = rows * self.preferences.shape[1]
        return None if self.rng else by_opendp.laplace_on_weights(self.epsilon, draws=draws)

    @property
    def options(self) -> dict[str, Any]:
        """Options of every mechanism of another file."""
        return {"epsilon": self.epsilon, "users": self.users, "rng": self.rng}


def _exact(ask: _Request) -> _Lists:
    return _by_users(ask, lambda users: _utilities(ask, users), at_once=1024)


def _noise_on_utilities(asks: Sequence[_Request]) -> list[_Lists]:
    """Lists of each request; one noise serves all, at the scale that each of them needs."""
    ask, items = asks[0], asks[0].preferences.shape[1]
    step = max(1, _CELLS_AT_ONCE // items)
    if ask.rng is None:
        users, place = np.unique(ask.users, return_inverse=True)  # one draw for each user
        by_opendp.check_draws(len(users) * items)
        similar = similarity_matrix(ask.social, ask.how)
        near, laplace = by_opendp.laplace_on_utilities(similar, ask.epsilon)
        likes, ask = by_opendp.on_grid(ask.preferences), replace(ask, users=users)
        lists = _by_users(ask, lambda u: laplace((near[u] @ likes).toarray()), at_once=step)
        return [(lists[0][place], lists[1][place], laplace.statement)]
    scales = [
        check_noise_scale(sensitivity_of(one.social, one.how) / one.epsilon, one.epsilon)
        for one in asks
    ]
    key, blocks = new_key(ask.rng), []
    for at in range(0, len(ask.users), step):
        users = ask.users[at : at + step]
        noise, each = laplace_rows(key, users, items), zip(asks, scales, strict=True)
        tables = (noise * scale + _utilities(one, users).toarray() for one, scale in each)
        blocks.append([top_items(table, ask.top_n) for table in tables])
    return [stacked(lists) for lists in zip(*blocks, strict=True)]


def _by_users(
    ask: _Request, estimated: Callable[[np.ndarray], np.ndarray | sparse.csr_array], *, at_once: int
) -> _Lists:
    """Lists from utilities that are estimated for a block of users at a time."""
    starts = range(0, len(ask.users), at_once)
    return stacked(top_items(estimated(ask.users[at : at + at_once]), ask.top_n) for at in starts)


def _utilities(ask: _Request, users: np.ndarray) -> sparse.csr_array:
    return sparse_sums(ask.social, ask.how, ask.preferences, users)


def _noise_on_edges(asks: Sequence[_Request]) -> list[_Lists]:
    """Lists of each request, whose weights have one noise, a block of items at a time."""
    ask, (users, items) = asks[0], asks[0].preferences.shape
    checks.check_dense_room("the noise on every preference", (users, items), limit=_MOST_NOISE)
    by_item, laplace = sparse.csc_array(ask.preferences), ask.laplace(users)
    if not laplace:
        key, scales = new_key(ask.rng), [check_noise_scale(1 / a.epsilon, a.epsilon) for a in asks]
    tops = [(RunningTop(len(one.users), one.top_n), _summing(one)) for one in asks]
    step = max(1, _CELLS_AT_ONCE // users)
    for first in range(0, items, step):
        block = range(first, min(first + step, items))
        weights = by_item[:, block.start : block.stop].toarray()
        if laplace:
            tables = iter([laplace(weights)])
        else:
            noise = np.ascontiguousarray(laplace_rows(key, block, users).T)
            by_scale = {scale: noise * scale + weights for scale in {*scales}}
            tables = (by_scale[scale] for scale in scales)
        for (top, sums), noisy in zip(tops, tables, strict=True):
            top.add(sums(noisy), first=first)
    return [(*top.result(), *((laplace.statement,) if laplace else ())) for top, _ in tops]


def _summing(ask: _Request) -> Callable[[np.ndarray], np.ndarray]:
    """Sums over similar users; where they are no products, rows are formed once and kept."""
    if ask.how.record.by_products:
        return lambda weights: dense_sums(ask.social, ask.how, weights, ask.users)
    everyone = sparse.eye_array(ask.social.shape[0], format="csr")
    kept = sparse_sums(ask.social, ask.how, everyone, ask.users)

    def sums(weights: np.ndarray) -> np.ndarray:
        parts = range(0, weights.shape[1], _CACHED)
        return np.hstack([kept @ weights[:, first : first + _CACHED] for first in parts])

    return sums


def _cluster(ask: _Request) -> _Lists:
    labels = checks.check_partition(ask.clusters, ask.social.shape[0], name="clusters")
    member = indicator(labels)
    laplace = ask.laplace(member.shape[1])
    averages = averages_of(ask.preferences, labels, ask.epsilon, ask.rng, laplace)
    sums = dense_sums(ask.social, ask.how, member, ask.users)
    lists = cluster_top_items(sums, averages, ask.top_n)
    return (*lists, laplace.statement) if laplace else lists


def _low_rank(ask: _Request) -> _Lists:
    parts = decompose(similarity_matrix(ask.social, ask.how))
    return top_items(low_rank_utilities(parts, ask.preferences, **ask.options), ask.top_n)


def _group_smooth(ask: _Request) -> _Lists:
    similar, options = similarity_matrix(ask.social, ask.how), ask.options
    options |= {"group_size": ask.group_size}
    return top_items(group_smooth_utilities(similar, ask.preferences, **options), ask.top_n)


def _random(ask: _Request) -> _Lists:
    """Lists of different items for each user, all lists being equally likely."""
    words = [int(word) for word in new_key(ask.rng)]
    lists = np.empty((len(ask.users), ask.top_n), dtype=np.int64)
    for place, user in enumerate(ask.users):
        stream = np.random.default_rng(np.random.SeedSequence([*words, int(user)]))
        lists[place] = stream.choice(ask.preferences.shape[1], size=ask.top_n, replace=False)
    return lists, np.full(lists.shape, np.nan)


@dataclass(frozen=True)
class ListMethod:
    """A way to make lists.

    Attributes
    ----------
    lists : callable
        Items and utilities, and what OpenDP states where it drew the noise.
    needs : str
        The argument of `recommend` that it takes and others do not.
    vetted : bool
        Whether OpenDP can draw its noise.
    """

    lists: Callable[[_Request], _Lists]
    needs: str = ""
    vetted: bool = False


_SHARING = {"nou": _noise_on_utilities, "noe": _noise_on_edges}


def lists_of_one_noise(
    social: sparse.csr_array,
    preferences: sparse.csr_array,
    settings: Sequence[tuple[Similarity, float]],
    *,
    top_n: int,
    method: str,
    users: Any = None,
    rng: int | np.random.Generator | None = None,
) -> list[np.ndarray]:
    """List items as `recommend` does, by several similarities at several levels: NOT PRIVATE.

    Each of the lists is private at its level. All of them share one noise, which costs the most,
    so that together they give the preferences away: for experiments only.

    Parameters
    ----------
    social, preferences, top_n, users, rng
        As `recommend` takes them; both graphs by position.
    settings : list of (Similarity, float)
        A similarity and a finite epsilon for each of the lists.
    method : {"nou", "noe"}

    Returns
    -------
    list of int64 array, shape (users, top_n)
        In the order of the settings.

    Raises
    ------
    TypeError, ValueError
        As `recommend` raises them.

    Examples
    --------
    >>> settings = [(Similarity("cn"), 1e9), (Similarity("cn", self_similarity=True), 1e9)]
    >>> friends, likes = map(sparse.csr_array, ([[0, 1], [1, 0]], [[1.0, 0], [0, 1]]))
    >>> lists_of_one_noise(friends, likes, settings, top_n=1, method="noe", rng=1)[1]
    array([[0],
           [1]])
    """
    graph, weights = graphs.as_social_and_preferences(social, preferences)
    rows, draws = check_users(users, graph.shape[0]), checks.as_rng(rng)
    checks.check_choice("method", method, _SHARING)
    asks = [
        _Request(graph, weights, how, checks.check_epsilon(epsilon), top_n, rows, None, None, draws)
        for how, epsilon in settings
    ]
    return [items for items, *_ in _SHARING[method](asks)]


def _alone(shared: Callable[[Sequence[_Request]], list[_Lists]]) -> Callable[[_Request], _Lists]:
    """A noise of its own for one request, none at the level of infinity."""
    return lambda ask: _exact(ask) if ask.rng and ask.epsilon == math.inf else shared([ask])[0]


METHODS = {
    "exact": ListMethod(_exact),
    "cluster": ListMethod(_cluster, needs="clusters", vetted=True),
    "nou": ListMethod(_alone(_noise_on_utilities), vetted=True),
    "noe": ListMethod(_alone(_noise_on_edges), vetted=True),
    "lrm": ListMethod(_low_rank),
    "gs": ListMethod(_group_smooth, needs="group_size"),
    "random": ListMethod(_random),
}
