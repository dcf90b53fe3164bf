"""The proof of Theorem 4.4 as printed, and what its union bound gives when solved exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pplab.checks import check_alpha, check_integer, check_k, check_probability
from pplab.theory.separation import suppression_bound

__all__ = [
    "ProofFactors",
    "proof_factors",
    "theorem_slack",
    "union_bound_degree",
    "union_bound_log",
]


@dataclass(frozen=True)
class ProofFactors:
    """Factors of the proof as printed and as meant.

    Attributes
    ----------
    printed_log, meant_log : float
        Logarithms of exp(5k) and exp(-5k), which the proof wants at most 0.01.
    printed_sets, meant_sets : int
        C(k, n), which is 0 for k < n, and C(n, k): the sets of k users of n.
    """

    printed_log: float
    meant_log: float
    printed_sets: int
    meant_sets: int


def proof_factors(*, nodes: int, k: int) -> ProofFactors:
    """Give the two factors that the proof of Theorem 4.4 prints upside down.

    Parameters
    ----------
    nodes, k : int
        2 <= k <= n.

    Returns
    -------
    ProofFactors

    Raises
    ------
    TypeError, ValueError
        If k leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Appendix B.3, arXiv 2207.06358.

    Examples
    --------
    >>> proof_factors(nodes=10, k=3)
    ProofFactors(printed_log=15.0, meant_log=-15.0, printed_sets=0, meant_sets=120)
    """
    n = check_integer("nodes", nodes, minimum=2)
    size = check_k(k, n)
    return ProofFactors(5.0 * size, -5.0 * size, math.comb(size, n), math.comb(n, size))


def union_bound_log(*, nodes: int, k: int, degree: int, inside: float) -> float:
    """Logarithm of ``C(n, k) C(n, t) q^(k t)``: at most so likely do k users share t items.

    Parameters
    ----------
    nodes, k, degree : int
        n, k from 2 to n, and t from 0 to n.
    inside : float
        q, the larger of the two probabilities of an edge, in [0, 1].

    Returns
    -------
    float
        A bound on the logarithm of a probability, perhaps above 0 (then it says nothing).

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    Notes
    -----
    The proof goes on to put n^k and n^t for the binomials and half the exponent for each, which
    is where most of the bound is lost: see `union_bound_degree`.

    Examples
    --------
    >>> round(union_bound_log(nodes=1024, k=63, degree=107, inside=0.8))
    -931
    """
    n = check_integer("nodes", nodes, minimum=2)
    size, items = check_k(k, n), check_integer("degree", degree, minimum=0, maximum=n)
    check_probability("inside", inside)
    sets = _log_comb(n, size) + _log_comb(n, items)
    if inside == 0:
        return -math.inf if items else sets
    return sets + size * items * math.log(inside)


def union_bound_degree(*, nodes: int, k: int, inside: float, failure: float = 0.01) -> int:
    """Most items per user in any k-anonymous subgraph, from the proof's own union bound.

    The theorem's proof estimates its binomials by powers of n. Left as they are they give, for
    every k and not only from `least_k` on, the degree t - 1 below the least t for which k users
    that share t items are at most as likely as `failure`. More than t shared items are t shared
    items, and more than k users are k users, so one t is enough.

    Parameters
    ----------
    nodes, k : int
        2 <= k <= n.
    inside : float
        q, the larger of the two probabilities of an edge, in [0, 1].
    failure : float, default 0.01
        In (0, 1): share of the draws in which the bound may fail.

    Returns
    -------
    int
        From 0 to n; n says nothing.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Appendix B.3, arXiv 2207.06358.

    Examples
    --------
    The theorem's 107 per row is above the mean degree 60.8 of the paper's own block model; the
    union bound by itself is below the 51.2 that clustering by blocks keeps.

    >>> union_bound_degree(nodes=1024, k=63, inside=0.8)
    25
    """
    n = check_integer("nodes", nodes, minimum=2)
    check_k(k, n)
    limit = math.log(check_alpha(failure))
    for t in range(1, n + 1):
        if union_bound_log(nodes=n, k=k, degree=t, inside=inside) <= limit:
            return t - 1
    return n


def theorem_slack(*, nodes: int, k: int, inside: float) -> float:
    """Bound of Theorem 4.4 over that of `union_bound_degree`, both in edges per row.

    Parameters, errors and reference are those of `union_bound_degree`; infinite where the union
    bound leaves no edge.

    Examples
    --------
    >>> round(theorem_slack(nodes=1024, k=63, inside=0.8), 1)
    4.3
    """
    own = union_bound_degree(nodes=nodes, k=k, inside=inside)
    return suppression_bound(nodes=nodes, inside=inside) / nodes / own if own else math.inf


def _log_comb(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
