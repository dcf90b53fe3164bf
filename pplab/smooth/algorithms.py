"""Alg1 and Alg2: smooth k-anonymity from facility location as the paper writes it."""

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import scipy  # scipy.optimize is loaded when it is used
from scipy import sparse

from pplab.checks import as_rng, check_choice, check_k, check_open
from pplab.graphs import GraphLike, as_biadjacency, numbered
from pplab.smooth.facility import (
    MOST_ROWS,
    FacilityPlan,
    LiAlgorithm,
    exact_facilities,
    greedy_facilities,
    opened_by_search,
    served_and_opened,
)

# Step 5 of Alg2: small clusters grow to k, in any order or with what is near.


Cluster = np.ndarray  # numbers of its users


def merge_anyhow(
    clusters: list[Cluster], k: int, *, a: Fraction, rng: np.random.Generator
) -> list[Cluster]:
    """Merge clusters below k in random order until each union has k, as printed.

    Unions of clusters below k have at most 2k - 2 users. If the last union stays below k, a
    cluster drawn at random helps: it takes the union in where both together have at most 2k, and
    gives it a random piece of itself where they have more (footnote 3).

    Parameters
    ----------
    clusters : list of int arrays
        Users of each cluster; together at least k.
    k : int
        Least size.
    a : Fraction
        Pieces have at least a k users, or k less the union where only that leaves k behind.
    rng : Generator

    Returns
    -------
    list of int arrays
        Clusters of at least k; of at most 2k, or as large as one that was given.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Algorithm 2, line 5 and footnote 3, arXiv 2207.06358.
    """
    done = [cluster for cluster in clusters if len(cluster) >= k]
    small = [cluster for cluster in clusters if len(cluster) < k]
    union = np.empty(0, dtype=np.int64)
    for place in rng.permutation(len(small)):
        union = np.concatenate([union, small[place]])
        if len(union) >= k:
            done.append(union)
            union = np.empty(0, dtype=np.int64)
    if len(union):
        helper = done.pop(int(rng.integers(len(done))))
        done += _join_or_share(union, rng.permutation(helper), k, a)
    return done


def merge_near(clusters: list[Cluster], k: int, *, a: Fraction, away: np.ndarray) -> list[Cluster]:
    """Merge each cluster below k with the nearest cluster, small or not: our rule.

    As long as a cluster is below k, of all pairs with a member below k the one with the least mean
    distance between its two clusters is next. Both become one if they have at most 2k users
    together; otherwise the small one gets the users of the large one that are nearest to it on
    average, as in footnote 3. Each pair handled leaves at least one small cluster less. Of equal
    pairs the first in the order of the clusters is taken.

    Parameters
    ----------
    clusters : list of int arrays
        Users of each cluster; together at least k.
    k : int
        Least size.
    a : Fraction
        Pieces have at least a k users, or k less the small cluster where only that leaves k behind.
    away : int array, shape (users, users)
        Distances.

    Returns
    -------
    list of int arrays
        Clusters of at least k; of at most 2k, or as large as one that was given.
    """
    left = list(clusters)
    totals = _totals(left, left, away)
    while len(left) > 1 and min(map(len, left)) < k:
        sizes = np.array([len(cluster) for cluster in left])
        mean = totals / np.outer(sizes, sizes)
        np.fill_diagonal(mean, np.inf)
        mean[sizes >= k] = np.inf  # the first of a pair is small
        first, second = divmod(int(mean.argmin()), len(left))
        small, other = left[first], left[second]
        nearest = np.argsort(away[np.ix_(small, other)].mean(axis=0), kind="stable")
        fresh = _join_or_share(small, other[nearest], k, a)
        stay = [place for place in range(len(left)) if place not in (first, second)]
        left = [left[place] for place in stay] + fresh
        new = _totals(fresh, left, away)
        totals = np.block([[totals[np.ix_(stay, stay)], new[:, : len(stay)].T], [new]])
    return left


def _totals(rows: list[Cluster], columns: list[Cluster], away: np.ndarray) -> np.ndarray:
    """Sum of the distances between two clusters, for each pair of them."""
    from_rows = np.array([away[cluster].sum(axis=0) for cluster in rows])
    return np.stack([from_rows[:, cluster].sum(axis=1) for cluster in columns], axis=1)


def _join_or_share(small: Cluster, helper: Cluster, k: int, a: Fraction) -> list[Cluster]:
    """Join two clusters if they have at most 2k users; else move the first users of the helper.

    At most 2k: always so when both are below k. With more, the helper keeps at least k after
    giving what the small one lacks, so both sizes can be met; a piece of a k is preferred.
    """
    if len(small) + len(helper) <= 2 * k:
        return [np.concatenate([small, helper])]
    lacking = k - len(small)
    piece = max(lacking, -int(-a * k // 1))
    if len(helper) - piece < k:
        piece = lacking
    return [np.concatenate([small, helper[:piece]]), helper[piece:]]


# Hamming distances between all rows of a small graph.


def hamming_distances(biadjacency: GraphLike, k: int) -> tuple[np.ndarray, int]:
    """Check a small graph and k, and give the Hamming distances between its rows.

    Parameters
    ----------
    biadjacency : csr_array, shape (users, items), or other graph
        At most 200 users.
    k : int
        From 2 to the number of users.

    Returns
    -------
    int64 array, shape (users, users)
        Items that exactly one of two users has.
    int
        k.

    Raises
    ------
    TypeError, ValueError
        If the graph is none, k leaves its interval or there are too many users.

    Examples
    --------
    >>> hamming_distances([[1, 1, 0], [0, 1, 1]], 2)[0]
    array([[0, 2],
           [2, 0]])
    """
    matrix = as_biadjacency(biadjacency)
    users = matrix.shape[0]
    k = check_k(k, users)
    if users > MOST_ROWS:
        raise ValueError(
            f"this serves at most {MOST_ROWS} rows, got {users}; take a part of the rows, or "
            "smooth_k_anonymize with a method for large data such as 'paper'"
        )
    ones = matrix.astype(np.int64)
    degrees = np.diff(matrix.indptr).astype(np.int64)
    return degrees[:, None] + degrees[None, :] - 2 * (ones @ ones.T).toarray(), k


ALG2_STEPS = (  # as the paper numbers them, from 1
    "embed",
    "price facilities",
    "locate facilities",
    "remove clusters below a · k",
    "merge clusters below k",
    "vote",
)


@dataclass(frozen=True)
class Alg2Steps:
    """The results of each step of Alg2.

    Attributes
    ----------
    distances : int64 array, shape (users, users)
        Step 1: Hamming distances.
    opening_costs : float array, shape (users,)
        Step 2: cost of a facility at each user.
    plan : FacilityPlan
        Step 3: open facilities, facility of each user, cost.
    removed : tuple of int
        Step 4: facilities that were closed, in that order.
    located, thinned, merged : int64 arrays, shape (users,)
        Clusters after steps 3, 4 and 5, numbered from 0 in the order of their first users.
    """

    distances: np.ndarray
    opening_costs: np.ndarray
    plan: FacilityPlan
    removed: tuple[int, ...]
    located: np.ndarray
    thinned: np.ndarray
    merged: np.ndarray

    @property
    def groups(self) -> int:
        """Number of groups at the end."""
        return int(self.merged.max()) + 1


def alg2_steps(
    biadjacency: GraphLike,
    k: int,
    *,
    a: float | Fraction = 0.5,
    merging: str = "near",
    facility: str = "li",
    rng: int | np.random.Generator | None = None,
) -> Alg2Steps:
    """Run steps 1 to 5 of Alg2 and keep the result of each.

    (1) Users are points at Hamming distances. (2) A facility at a user costs 2a/(1-a) times the
    sum of its distances to the k nearest points; the user itself, at distance 0, is one of them,
    since a facility that serves k points may serve its own. (3) Facility location is solved, and
    everybody goes to the nearest open facility. (4) As long as a cluster has fewer than a k
    points, the smallest (of equal ones the one with the lowest facility) is closed and its points
    go to the nearest facility left. That never raises the cost of facility location: more than
    (1 - a) k of the k nearest points have another facility, one of them within 2 (sum of distances)
    / ((1 - a) k), and fewer than a k points move there for what closing saves. So the optimum has
    no such cluster, unless closing it is free. (5) Clusters below k are merged, see
    `pplab.smooth.algorithms`. (6) The vote inside each group, `pplab.smooth.vote`, is not here.

    Parameters
    ----------
    biadjacency : csr_array, shape (users, items), or other graph
        At most 200 users.
    k : int
        Least size of a group, from 2 to the number of users.
    a : float or Fraction, default 0.5
        In (0, 1); 1/2 is what the paper runs (Appendix D), 0.004 what Theorem 5.5 takes. A float is
        read as the decimal number that it prints.
    merging : {"near", "printed"}, default "near"
        Step 5: with the nearest cluster, which is ours, or in random order, as printed. As
        printed, a merge can leave no item with a majority (`pplab_papers.smooth.approximation`).
    facility : {"li", "exact", "greedy"}, default "li"
        Step 3: one draw of Li's algorithm, the optimum, or Jain, Mahdian and Saberi's greedy one.
    rng : int, Generator or None
        Seed or generator for Li's draw and the printed merging.

    Returns
    -------
    Alg2Steps

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval or there are too many users.
    TimeoutError
        If exact facility location takes more than ten minutes.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Algorithm 2 of Section 5.3, arXiv 2207.06358; Svitkina 2010, doi 10.1145/1824777.1824789
    (steps 2 to 4).

    Examples
    --------
    >>> graph = [[1, 1, 0], [0, 1, 1], [1, 1, 0], [0, 0, 1]]
    >>> steps = alg2_steps(graph, 2, facility="greedy")
    >>> steps.opening_costs, steps.plan.open_facilities, steps.merged
    (array([0., 2., 0., 2.]), array([0, 1]), array([0, 1, 0, 1]))
    """
    away, k = hamming_distances(biadjacency, k)
    check_open("a", a, meaning="pass for example 0.5")
    share = a if isinstance(a, Fraction) else Fraction(repr(float(a)))
    check_choice("merging", merging, ("near", "printed"))
    check_choice("facility", facility, ("li", "exact", "greedy"))
    generator = as_rng(rng)
    nearest = np.sort(away, axis=1)[:, :k].sum(axis=1)
    prices = nearest * float(2 * share / (1 - share))
    if facility == "li":
        plan = LiAlgorithm(away, prices).draw(rng=generator)
    else:
        plan = {"exact": exact_facilities, "greedy": greedy_facilities}[facility](away, prices)
    kept, removed = _close_small(away, plan, share * k)
    clusters = [np.flatnonzero(kept == number) for number in np.unique(kept)]
    merged = (
        merge_near(clusters, k, a=share, away=away)
        if merging == "near"
        else merge_anyhow(clusters, k, a=share, rng=generator)
    )
    labels = np.empty(len(away), dtype=np.int64)
    for number, cluster in enumerate(merged):
        labels[cluster] = number
    # numbered by their first users
    located, thinned, groups = map(numbered, (plan.assignment, kept, labels))
    return Alg2Steps(away, prices, plan, tuple(removed), located, thinned, groups)


def _close_small(
    away: np.ndarray, plan: FacilityPlan, least: Fraction
) -> tuple[np.ndarray, list[int]]:
    """Step 4: facility of each user, and which facilities were closed."""
    left, assignment = plan.open_facilities, plan.assignment
    removed: list[int] = []
    while True:
        sizes = (assignment[:, None] == left).sum(axis=0)
        if sizes.min() >= least:
            return assignment, removed
        removed.append(int(left[sizes.argmin()]))
        left = np.delete(left, sizes.argmin())
        nearest = left[away[:, left].argmin(axis=1)]
        assignment = np.where(assignment == removed[-1], nearest, assignment)


# Lower-bounded r-median: few centres among the points, none of whom serves fewer than k.


_SECONDS = 60.0


class LowerBounded(NamedTuple):
    """Groups with a centre each.

    Attributes
    ----------
    centres : int64 array, shape (groups,)
        A user for each group, not always one of its members.
    labels : int64 array, shape (users,)
        Group of each user.
    cost : int
        Sum of the Hamming distances from the users to their centres.
    """

    centres: np.ndarray
    labels: np.ndarray
    cost: int


def exact_lower_bounded(biadjacency: GraphLike, k: int) -> LowerBounded:
    """Find the cheapest centres by HiGHS' branch and bound.

    Centres are rows of the graph. That at most r = n // k of them are open follows from the lower
    bound: r + 1 centres would need (r + 1) k > n points. The search begins below the cost of the
    groups of Alg2. Distances are whole numbers, so it may stop less than 1 above what it can rule
    out.

    Parameters
    ----------
    biadjacency : csr_array, shape (users, items), or other graph
        At most 200 users. 20 take less than a second, 40 up to half a minute where rows are like
        noise, 80 often more than a minute.
    k : int
        Least number of points of a centre, from 2 to the number of users.

    Returns
    -------
    LowerBounded

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval or there are too many users.
    TimeoutError
        If the search takes more than a minute.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, Section
    5.2, arXiv 2207.06358; Svitkina 2010, Lower-bounded facility location,
    doi 10.1145/1824777.1824789.

    Examples
    --------
    >>> exact_lower_bounded([[1, 1, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1]], 2).cost
    1
    """
    away, k = hamming_distances(biadjacency, k)
    users = len(away)
    known = _reduce_to_facilities(biadjacency, k)
    if not known.cost:
        return known
    costs = np.concatenate([away.ravel(), np.zeros(users)])
    user, centre = np.divmod(np.arange(users * users), users)
    places = (np.concatenate([centre, np.arange(users)]), np.arange(len(costs)))
    loads = np.concatenate([np.ones(users * users), np.full(users, -float(k))])
    full = sparse.csr_array((loads, places), shape=(users, len(costs)))
    centres = opened_by_search(
        costs,
        *served_and_opened(user, centre, (users, users)),
        scipy.optimize.LinearConstraint(full, 0, np.inf),
        scipy.optimize.LinearConstraint(costs, 0, known.cost),
        gap=0.99 / known.cost,
        seconds=_SECONDS,
    )
    return _assign_seats(away, centres, k)


def _reduce_to_facilities(biadjacency: GraphLike, k: int) -> LowerBounded:
    """Centres by the reduction to facility location: steps 2 to 5 of Alg2.

    Each centre is the user with the least total distance to the group.
    """
    steps = alg2_steps(biadjacency, k, facility="greedy")
    groups = range(steps.groups)
    totals = np.array([steps.distances[steps.merged == group].sum(axis=0) for group in groups])
    return LowerBounded(totals.argmin(axis=1), steps.merged, int(totals.min(axis=1).sum()))


def _assign_seats(away: np.ndarray, centres: np.ndarray, k: int) -> LowerBounded:
    """Give every centre k seats; the other users go wherever it is nearest.

    An assignment of users to seats, which is whole by itself: the fractions that the programme
    may leave where distances are equal do not matter.
    """
    users, places = len(away), np.repeat(centres, k)
    ways = away[:, centres]
    free = np.repeat(ways.min(axis=1)[:, None], users - len(places), axis=1)
    seats = scipy.optimize.linear_sum_assignment(np.concatenate([away[:, places], free], axis=1))[1]
    anywhere = np.repeat(-1, users - len(places))
    chosen = np.concatenate([places, anywhere])[seats]
    chosen = np.where(chosen < 0, centres[ways.argmin(axis=1)], chosen)
    used, labels = np.unique(chosen, return_inverse=True)
    cost = away[np.arange(users), chosen].sum()
    return LowerBounded(used, labels.astype(np.int64), int(cost))


# Alg1: smooth k-anonymity from lower-bounded r-median.


def alg1_labels(biadjacency: GraphLike, k: int) -> np.ndarray:
    """Group users by lower-bounded r-median, r = n // k, solved exactly.

    The paper takes Ahmadian and Swamy's 82.6-approximation here; this takes the optimum, by an
    integer programme, so that the promise of Theorem 5.4 holds with a better factor. A majority
    vote inside each group is the rest of the algorithm.

    Parameters
    ----------
    biadjacency : csr_array, shape (users, items), or other graph
        At most 200 users, and small ones only in reasonable time: see `exact_lower_bounded`.
    k : int
        Least size of a group, from 2 to the number of users.

    Returns
    -------
    int64 array, shape (users,)
        Group of each user.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval or there are too many users.
    TimeoutError
        If the search takes more than a minute.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Algorithm 1 of Section 5.2, arXiv 2207.06358; Ahmadian and Swamy 2012,
    doi 10.1007/978-3-642-38016-7_21.

    Examples
    --------
    >>> alg1_labels([[1, 1, 0], [0, 1, 1], [1, 1, 0], [0, 0, 1]], 2)
    array([0, 1, 0, 1])
    """
    return exact_lower_bounded(biadjacency, k).labels
