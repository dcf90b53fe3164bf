"""Theorem 4.3: no edge-private mechanism keeps sparse graphs at a small level."""

from __future__ import annotations

import math

from pplab.checks import check_integer, check_level_from_zero, check_probability

__all__ = [
    "largest_jaccard",
    "printed_edges",
    "printed_epsilon_lower_bound",
    "sharper_epsilon_lower_bound",
]


def printed_edges(cells: int) -> int:
    """Edges of the graphs in the printed proof: l = floor(Q^0.9), in whole numbers.

    Parameters
    ----------
    cells : int
        Q = users x items, at least 1, of any size.

    Returns
    -------
    int

    Raises
    ------
    TypeError, ValueError
        If cells is no positive integer.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Appendix B, proof of Theorem 4.3, arXiv 2207.06358.

    Examples
    --------
    >>> printed_edges(10**10), printed_edges(10**300) == 10**270
    (1000000000, True)
    """
    return _root(check_integer("cells", cells, minimum=1) ** 9, 10)


def printed_epsilon_lower_bound(*, jaccard: float, cells: int, edges: int | None = None) -> float:
    """Last line of the printed proof: epsilon >= ln(alpha^2 Q / (4 (l + 1))).

    Parameters
    ----------
    jaccard : float
        alpha, the mean similarity that every graph keeps at least, in [0, 1].
    cells : int
        Q, at least 1, of any size.
    edges : int, optional
        l, from 0 to Q; as printed, floor(Q^0.9), where none is given.

    Returns
    -------
    float
        Lower bound on epsilon; it says nothing where it is negative, and is -infinity at alpha = 0.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.3 and Appendix B, arXiv 2207.06358.

    Examples
    --------
    >>> [round(printed_epsilon_lower_bound(jaccard=j, cells=10**10), 2) for j in (0.5, 1)]
    [-0.47, 0.92]
    >>> round(printed_epsilon_lower_bound(jaccard=0.5, cells=10**10, edges=0), 2)
    20.25
    """
    alpha = float(check_probability("jaccard", jaccard))
    cells = check_integer("cells", cells, minimum=1)
    l_edges = printed_edges(cells) if edges is None else edges
    l_edges = check_integer("edges", l_edges, minimum=0, maximum=cells)
    if alpha == 0:
        return -math.inf
    return 2 * math.log(alpha) + math.log(cells) - math.log(4 * (l_edges + 1))


def sharper_epsilon_lower_bound(*, jaccard: float, cells: int, edges: int) -> float:
    """Our form: epsilon >= ln(alpha / (1 - alpha) * (Q - l) / (l + 1)).

    Parameters
    ----------
    jaccard : float
        alpha, the mean similarity that graphs of l and of l + 1 edges keep at least, in [0, 1].
    cells : int
        Q, at least 1, of any size.
    edges : int
        l, from 0 to Q - 1.

    Returns
    -------
    float
        Lower bound on epsilon; infinity at alpha = 1, -infinity at alpha = 0.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    Notes
    -----
    Proof. Draw G' uniformly among the graphs of l + 1 edges and e among its edges; G = G' - e.
    Then G is uniform among the graphs of l edges and e among its Q - l empty cells.
    (1) Let h = 1{e in M} / |M or G'| for a published M. Given G' and M ~ M(G'), h has over the
    choices of e the mean J(M, G') / (l + 1), so E h >= alpha / (l + 1).
    (2) G and G' differ in one cell and h >= 0: under M ~ M(G), E h >= e^-epsilon alpha / (l + 1).
    (3) Where e is in M, |M or G'| = |M or G|. So the sum of h over the Q - l choices of e is
    |M - G| / |M or G| = 1 - J(M, G), whose mean under M(G) is at most 1 - alpha; hence
    (Q - l) E h <= 1 - alpha. With (2), e^epsilon >= alpha / (1 - alpha) * (Q - l) / (l + 1).
    At l = 0 and M empty the sum is 0, which agrees with J = 1 for two empty graphs.

    It is above the printed form wherever that is positive, for the same l:
    (Q - l) / (1 - alpha) >= alpha Q / 4 whenever l <= 15 Q / 16, as alpha (1 - alpha) <= 1/4; for
    larger l the printed form is below ln(4 / 15).

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.3, arXiv 2207.06358, whose idea this sharpens.

    Examples
    --------
    >>> round(sharper_epsilon_lower_bound(jaccard=0.5, cells=3, edges=0), 4)  # ln 3
    1.0986
    """
    alpha = float(check_probability("jaccard", jaccard))
    cells = check_integer("cells", cells, minimum=1)
    edges = check_integer("edges", edges, minimum=0, maximum=cells - 1)
    if alpha in (0.0, 1.0):
        return -math.inf if alpha == 0 else math.inf
    odds = math.log(alpha) - math.log1p(-alpha)
    return odds + math.log(cells - edges) - math.log(edges + 1)


def largest_jaccard(*, epsilon: float, cells: int, edges: int) -> float:
    """Largest alpha that our form allows at a level: the same inequality, solved for alpha.

    Parameters
    ----------
    epsilon : float
        Level of one edge, in [0, inf).
    cells : int
        Q, at least 1.
    edges : int
        l, from 0 to Q - 1.

    Returns
    -------
    float
        alpha with ``alpha / (1 - alpha) = e^epsilon (l + 1) / (Q - l)``, in (0, 1].

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    Examples
    --------
    >>> [round(largest_jaccard(epsilon=math.log(3), cells=3, edges=l), 2) for l in range(3)]
    [0.5, 0.75, 0.9]
    """
    cells = check_integer("cells", cells, minimum=1)
    edges = check_integer("edges", edges, minimum=0, maximum=cells - 1)
    log_odds = check_level_from_zero(epsilon) + math.log(edges + 1) - math.log(cells - edges)
    # e^-700 is lost beside 1; beyond that e^x could overflow
    return 1 / (1 + math.exp(-log_odds)) if log_odds > -700 else math.exp(log_odds)


def _root(number: int, degree: int) -> int:
    """Largest integer whose power does not exceed a positive number, by Newton's steps."""
    guess = 1 << -(-number.bit_length() // degree)
    while True:
        better = ((degree - 1) * guess + number // guess ** (degree - 1)) // degree
        if better >= guess:
            return guess
        guess = better
