"""Theorem 4.4: what suppression loses on a block model, what blocks keep, and where it bites."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pplab.checks import check_integer, check_probability
from pplab.theory.block_votes import block_clustering

__all__ = [
    "Separation",
    "least_biting_block",
    "least_k",
    "separation",
    "suppression_bound",
]


def least_k(*, nodes: int, inside: float) -> float:
    """Least k for which Theorem 4.4 says anything: ``2 ln n / ln(1/q)``.

    Parameters
    ----------
    nodes : int
        n, users and as many items, at least 1.
    inside : float
        q, the larger of the two probabilities of an edge, in [0, 1].

    Returns
    -------
    float
        Infinite at q = 1.

    Raises
    ------
    TypeError, ValueError
        If n or q leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.4, arXiv 2207.06358.

    Examples
    --------
    >>> round(least_k(nodes=1024, inside=0.8), 1)
    62.1
    """
    return _over_log(2 * math.log(check_integer("nodes", nodes, minimum=1)), inside)


def suppression_bound(*, nodes: int, inside: float) -> float:
    """Most edges of any k-anonymous subgraph by Theorem 4.4: ``n (2 ln n + 10) / ln(1/q)``.

    It holds in 99 % of the draws, for k from `least_k` on. Above n * n it says nothing at all.

    Parameters
    ----------
    nodes : int
        n, users and as many items, at least 1.
    inside : float
        q, the larger of the two probabilities of an edge, in [0, 1].

    Returns
    -------
    float
        Infinite at q = 1.

    Raises
    ------
    TypeError, ValueError
        If n or q leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.4, arXiv 2207.06358.

    Examples
    --------
    >>> round(suppression_bound(nodes=1024, inside=0.8) / 1024)
    107
    """
    n = check_integer("nodes", nodes, minimum=1)
    return n * _over_log(2 * math.log(n) + 10, inside)


def _over_log(numerator: float, inside: float) -> float:
    check_probability("inside", inside)
    if inside == 0:
        return 0.0
    return numerator / -math.log(inside) if inside < 1 else math.inf


@dataclass(frozen=True)
class Separation:
    """Theorem 4.4 held against clustering by blocks, for one block model and one k.

    Attributes
    ----------
    least_k, bound : float
        As in `least_k` and `suppression_bound` (edges, not edges per row).
    degree : float
        Mean degree of the graph, ``q s + p (n - s)``.
    kept, jaccard : float
        Edges that clustering by blocks keeps on average, and its Jaccard similarity.
    suppression_jaccard : float
        Largest similarity of a k-anonymous subgraph that the bound leaves open, at most 1.
    says_something : bool
        Whether k is large enough and the bound is below the edges that the graph has.
    bites : bool
        Whether k is large enough, blocks have at least k users, and the bound is below the
        edges that clustering by blocks keeps: the theorem then separates the two notions.
    bites_in_jaccard : bool
        The same, with suppression_jaccard below jaccard in place of the counts of edges. It asks
        for more, since clustering by blocks pays for the edges that it creates.
    """

    least_k: float
    bound: float
    degree: float
    kept: float
    jaccard: float
    suppression_jaccard: float
    says_something: bool
    bites: bool
    bites_in_jaccard: bool


def separation(
    *, nodes: int, block_size: int, inside: float, k: int, outside: float = 0.0
) -> Separation:
    """Hold the bound of Theorem 4.4 against clustering by blocks.

    The theorem needs edges to be no likelier outside the blocks than inside; the larger
    probability is used for the bound, so that it holds for any two. Averages are exact for the
    block size given, whether or not it divides n (where not, they are those of a row in a
    block of this size).

    Parameters
    ----------
    nodes, block_size : int
        n and s, with 1 <= s <= n.
    inside, outside : float
        q and p, in [0, 1].
    k : int
        At least 2.

    Returns
    -------
    Separation

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.4 and the paragraph after it, arXiv 2207.06358.

    Examples
    --------
    >>> found = separation(nodes=1024, block_size=64, inside=0.8, outside=0.01, k=8)
    >>> found.says_something, round(found.degree, 1), round(found.jaccard, 3)
    (False, 60.8, 0.696)
    >>> separation(nodes=1024, block_size=256, inside=0.8, k=64).bites
    True
    """
    blocks = block_clustering(nodes=nodes, block_size=block_size, inside=inside, outside=outside)
    check_integer("k", k, minimum=2)
    likelier = max(inside, outside)
    least, bound = (
        least_k(nodes=nodes, inside=likelier),
        suppression_bound(nodes=nodes, inside=likelier),
    )
    applies = block_size >= k >= least
    share = min(1.0, bound / blocks.edges) if blocks.edges else 1.0
    return Separation(
        least_k=least,
        bound=bound,
        degree=blocks.edges / nodes,
        kept=blocks.kept,
        jaccard=blocks.jaccard,
        suppression_jaccard=share,
        says_something=bool(k >= least and bound < blocks.edges),
        bites=bool(applies and bound < blocks.kept),
        bites_in_jaccard=bool(applies and share < blocks.jaccard),
    )


def least_biting_block(*, nodes: int, inside: float) -> int | None:
    """Least block size at which Theorem 4.4 bites for some k, or None.

    Parameters are those of `separation`, with no edges outside the blocks; the least k that the
    theorem allows is taken.

    Examples
    --------
    >>> least_biting_block(nodes=1024, inside=0.8)
    134
    """
    k = least_k(nodes=nodes, inside=inside)
    if not k <= nodes:
        return None
    crowd = max(2, math.ceil(k))
    sizes = range(1, nodes + 1)
    tried = (separation(nodes=nodes, block_size=s, inside=inside, k=crowd).bites for s in sizes)
    return next((size for size, bites in zip(sizes, tried, strict=True) if bites), None)
