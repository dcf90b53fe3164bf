"""Alg2: smooth k-anonymity from metric facility location, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from pplab.anonymity.facility.exact import exact_facilities
from pplab.anonymity.facility.greedy import greedy_facilities
from pplab.anonymity.facility.li import LiAlgorithm
from pplab.anonymity.facility.plan import FacilityPlan
from pplab.anonymity.hamming import row_distances
from pplab.anonymity.merging import merge_anyhow, merge_near
from pplab.checks import as_rng, check_choice
from pplab.graphs import GraphLike

__all__ = ["ALG2_STEPS", "Alg2Steps", "alg2_steps"]

ALG2_STEPS = (  # as the paper numbers them, from 1
    "embed",
    "price facilities",
    "locate facilities",
    "remove clusters below a k",
    "merge clusters below k",
    "vote",
)


@dataclass(frozen=True)
class Alg2Steps:
    """What each step of Alg2 left behind.

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
    """Run steps 1 to 5 of Alg2 and keep what each of them made.

    (1) Users are points at Hamming distances. (2) A facility at a user costs 2a/(1-a) times the
    sum of its distances to the k nearest points; the user itself, at distance 0, is one of them,
    since a facility that serves k points may serve its own. (3) Facility location is solved, and
    everybody goes to the nearest open facility. (4) As long as a cluster has fewer than a k
    points, the smallest (of equal ones the one with the lowest facility) is closed and its points
    go to the nearest facility left. That never raises the cost of facility location: more than
    (1 - a) k of the k nearest points have another facility, one of them within 2 (sum of distances)
    / ((1 - a) k), and fewer than a k points move there for what closing saves. So the optimum has
    no such cluster, unless closing it is free. (5) Clusters below k are merged, see
    `pplab.anonymity.merging`. (6) The vote inside each group, `pplab.anonymity.votes`, is not here.

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
        printed, a merge can leave no item with a majority (`pplab.theory.merging_counterexample`).
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
    away, k = row_distances(biadjacency, k)
    if not 0 < a < 1:
        raise ValueError(f"a must lie in (0, 1), got {a!r}; pass for example 0.5")
    share = a if isinstance(a, Fraction) else Fraction(repr(float(a)))
    check_choice("merging", merging, ("near", "printed"))
    check_choice("facility", facility, ("li", "exact", "greedy"))
    generator = as_rng(rng)
    nearest = np.sort(away, axis=1)[:, :k].sum(axis=1)
    prices = nearest * float(2 * share / (1 - share))
    plan = _locate(away, prices, facility, generator)
    kept, removed = _without_small(away, plan, share * k)
    clusters = [np.flatnonzero(kept == number) for number in np.unique(kept)]
    merged = (
        merge_near(clusters, k, a=share, away=away)
        if merging == "near"
        else merge_anyhow(clusters, k, a=share, rng=generator)
    )
    labels = np.empty(len(away), dtype=np.int64)
    for number, cluster in enumerate(merged):
        labels[cluster] = number
    located, thinned, groups = map(_numbered, (plan.assignment, kept, labels))
    return Alg2Steps(away, prices, plan, tuple(removed), located, thinned, groups)


def _locate(
    away: np.ndarray, prices: np.ndarray, facility: str, rng: np.random.Generator
) -> FacilityPlan:
    """Step 3."""
    if facility == "li":
        return LiAlgorithm(away, prices).draw(rng=rng)
    return {"exact": exact_facilities, "greedy": greedy_facilities}[facility](away, prices)


def _without_small(
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


def _numbered(clusters: np.ndarray) -> np.ndarray:
    """Number clusters from 0 in the order of their first users."""
    _, first, place = np.unique(clusters, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[place].astype(np.int64)
