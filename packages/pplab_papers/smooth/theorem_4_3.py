"""Theorem 4.3: no edge-private mechanism keeps sparse graphs at a small level.

The printed lower bound on epsilon and a sharper form, against the best mechanisms that linear
programming finds; `lower_bound` decides the statements. Esfandiari, Epasto, Mirrokni and Munoz
Medina, *Smooth Anonymity for Sparse Graphs*, Section 4 and Appendix B, arXiv 2207.06358.
"""

import math
from collections.abc import Iterator
from itertools import product

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.stats import binom

from claimbook.part import Finding, against, decided, listed
from pplab.checks import check_integer
from pplab.theory.optimal_mechanism import (
    optimal_jaccard,
    response_probabilities,
    similarities,
    worst_case_jaccard,
)
from pplab_papers.smooth.paper import TABLE_2


def printed_edges(cells: int) -> int:
    """Edges of the graphs in the printed proof: l = floor(Q^0.9), in whole numbers (Appendix B).

    Parameters
    ----------
    cells : int
        Q = users x items, at least 1, of any size.

    Returns
    -------
    int

    Examples
    --------
    >>> printed_edges(10**10), printed_edges(10**300) == 10**270
    (1000000000, True)
    """
    return _root(cells**9, 10)


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

    Examples
    --------
    >>> [round(printed_epsilon_lower_bound(jaccard=j, cells=10**10), 2) for j in (0.5, 1)]
    [-0.47, 0.92]
    >>> round(printed_epsilon_lower_bound(jaccard=0.5, cells=10**10, edges=0), 2)
    20.25
    """
    l_edges = printed_edges(cells) if edges is None else edges
    if jaccard == 0:
        return -math.inf
    return 2 * math.log(jaccard) + math.log(cells) - math.log(4 * (l_edges + 1))


def sharper_epsilon_lower_bound(*, jaccard: float, cells: int, edges: int) -> float:
    """Our form: epsilon >= ln(alpha / (1 - alpha) * (Q - l) / (l + 1)), which sharpens Theorem 4.3.

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

    Theorem 4.3 follows at any size, and with the constant 1: at l = 1, where no empty graph enters,
    alpha / (1 - alpha) >= 4 alpha^2 and (Q - 1) / 2 >= Q / 4, so epsilon >= log(alpha^2 Q) for
    Q >= 2. At l = 0 it is so for Q = 1, too.

    It is above the printed form wherever that is positive, for the same l:
    (Q - l) / (1 - alpha) >= alpha Q / 4 whenever l <= 15 Q / 16, as alpha (1 - alpha) <= 1/4; for
    larger l the printed form is below ln(4 / 15).

    Examples
    --------
    >>> round(sharper_epsilon_lower_bound(jaccard=0.5, cells=3, edges=0), 4)  # ln 3
    1.0986
    """
    check_integer("edges", edges, minimum=0, maximum=cells - 1)
    if jaccard in (0, 1):
        return -math.inf if jaccard == 0 else math.inf
    odds = math.log(jaccard) - math.log1p(-jaccard)
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

    Examples
    --------
    >>> [round(largest_jaccard(epsilon=math.log(3), cells=3, edges=l), 2) for l in range(3)]
    [0.5, 0.75, 0.9]
    """
    log_odds = epsilon + math.log(edges + 1) - math.log(cells - edges)
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


# The theorem against the best mechanisms that there are, by linear programming.


PROGRAMME_CELLS = (2, 3, 4, 5, 6)
LEVELS = (0.0, 0.5, 1.0, math.log(3), 2.0, 4.0)
MET_CELLS, MET_LEVEL = 3, math.log(3)
SOLVED = 1e-6  # the solver's tolerance, with room
KEPT_CELLS, KEPT_ODDS = 6, (3, 30, 1_000)
LARGEST_EPSILON = 11  # that the paper names for its data sets (Section 6)
OF_DATA, OF_ANY, OF_USER = "of the data sets", "of any graph", "of the data sets, by user"
ALPHAS = (0.1, 0.3, 0.5, 0.7, 0.9, 0.99)


def lower_bound() -> pd.DataFrame:
    """Decide Theorem 4.3 as stated, as proved, and in a sharper form.

    Theorem 4.3 and Appendix B.
    """
    statements = decided(
        *(theorem_4_3, half_is_kept, half_is_kept_as_printed, sharper_form, sharper_form_is_met),
        response_is_not_optimal,
    )
    rows = [*_last_line(), *_unmodified()]
    return pd.concat([statements, pd.DataFrame(rows)], ignore_index=True)


def _last_line() -> Iterator[dict[str, object]]:
    """Last line of the printed proof at one size, and over what is claimed, at growing sizes."""
    for alpha, jaccard in (("1/2", 0.5), ("1", 1.0)):
        value = printed_epsilon_lower_bound(jaccard=jaccard, cells=10**10)
        yield {"quantity": "proved at 10^10", "alpha": alpha, "value": value}
    for alpha, digits in product(("constant", "falling"), (30, 100, 200, 300)):
        jaccard = 0.5 if alpha == "constant" else 10.0 ** (-digits / 20)
        proved = printed_epsilon_lower_bound(jaccard=jaccard, cells=10**digits)
        claimed = 2 * math.log(jaccard) + digits * math.log(10)
        row = {"quantity": "proved over claimed", "parameter": alpha, "cells": f"10^{digits}"}
        yield row | {"value": proved / claimed}


def _unmodified() -> Iterator[dict[str, object]]:
    """Chance that randomized response changes nothing, by what "such a high epsilon" is.

    The level at which the data sets stay similar, for all users or each by itself, or the one at
    which any graph does: the hardest has one edge, and keeps (1 - e^-c) / c on average where c
    cells flip.
    """
    flip = 1 / (1 + math.exp(LARGEST_EPSILON))
    for data, (users, items, *_) in TABLE_2.items():
        value = math.exp(users * items * math.log1p(-flip))
        yield {"quantity": "unmodified", "high_epsilon": OF_DATA, "of": data, "value": value}
        value = math.exp(items * math.log1p(-flip))
        yield {"quantity": "unmodified", "high_epsilon": OF_USER, "of": data, "value": value}
    for alpha in (0.75, 0.9, 0.95):
        flips = brentq(lambda c, alpha=alpha: -math.expm1(-c) / c - alpha, 1e-9, 50)
        value = math.exp(-flips)
        yield {"quantity": "unmodified", "high_epsilon": OF_ANY, "of": alpha, "value": value}


def theorem_4_3() -> Finding:
    """Our form holds in all programmes, and is nowhere below log(alpha^2 nm) with l = 0 or 1.

    The proof for mechanisms and graphs of any size is told with `sharper_epsilon_lower_bound`.
    """
    slack, count = _slack()
    gaps = [
        sharper_epsilon_lower_bound(jaccard=alpha, cells=cells, edges=edges)
        - (2 * math.log(alpha) + math.log(cells))
        for alpha, cells, edges in product(ALPHAS, (1, 10, 10**6, 10**12), (0, 1))
        if edges < cells
    ]

    def bounded(larger: float) -> tuple[bool, str]:
        return slack - larger >= -SOLVED and min(gaps) >= 0, (
            f"In {count} linear programmes the level is at least {slack:.1g} above our form, which "
            f"is at least {min(gaps):.2f} above log(alpha^2 nm) in {len(gaps)} settings."
        )

    return against(bounded, right=0, wrong=math.log(2))


def _kept_halves() -> np.ndarray:
    """Mean similarity of the truncated mechanism less alpha / 2: by level, by graph."""
    edges, _, similarity = similarities(KEPT_CELLS)
    gaps = []
    for odds in KEPT_ODDS:
        table = response_probabilities(KEPT_CELLS, math.log(odds))
        alpha = worst_case_jaccard(table)
        emptied = np.where(edges > 2 / alpha, similarity[:, :1], similarity)  # l = 0
        gaps.append((table * emptied).sum(axis=1) - alpha / 2)
    return np.array(gaps)


def half_is_kept() -> Finding:
    """On graphs of at most l + 1 edges the truncated mechanism keeps alpha / 2."""
    edges, _, _ = similarities(KEPT_CELLS)
    least = float(_kept_halves()[:, edges <= 1].min())
    told = f"It is at least {least:.3f} above alpha / 2, with l = 0."
    return least >= 0, told, half_is_kept_as_printed()[0]


def half_is_kept_as_printed() -> Finding:
    """On graphs of at least l edges the truncated mechanism keeps alpha / 2: on the full one."""
    cells, epsilon = 10**4, 14
    edges, stays = printed_edges(cells), 1 / (1 + math.exp(-epsilon))
    alpha = stays**cells  # no graph keeps less on average: so likely nothing flips
    most = 2 * (edges + 1) / alpha
    kept = float(binom.cdf(math.floor(most), cells, stays))  # at most: what is larger is emptied
    return kept >= alpha / 2, (
        f"With l = {edges:,}, epsilon = {epsilon} and alpha = {alpha:.3f} graphs above {most:,.0f} "
        f"edges are emptied; the full graph of {cells:,} cells keeps at most {kept:.3g}."
    )


def _slack() -> tuple[float, int]:
    """Least gap between a level and our form at what its best mechanism keeps; programmes."""
    programmes = [
        (cells, edges, epsilon)
        for cells, epsilon in product(PROGRAMME_CELLS, LEVELS)
        for edges in range(cells)
    ]
    slack = min(
        epsilon
        - sharper_epsilon_lower_bound(
            jaccard=optimal_jaccard(cells, epsilon, edges=(edges, edges + 1)),
            cells=cells,
            edges=edges,
        )
        for cells, edges, epsilon in programmes
    )
    return slack, len(programmes)


def sharper_form() -> Finding:
    """Our form holds in all programmes, and lies above the printed one where that is positive."""
    slack, count = _slack()
    pairs = [
        (
            sharper_epsilon_lower_bound(jaccard=alpha, cells=cells, edges=edges),
            printed_epsilon_lower_bound(jaccard=alpha, cells=cells, edges=edges),
        )
        for alpha, cells in product(ALPHAS, (10, 100, 10_000))
        for edges in range(0, cells, max(1, cells // 50))
    ]
    gaps = [own - printed for own, printed in pairs if printed > 0]

    def bounded(larger: float) -> tuple[bool, str]:
        return slack - larger >= -SOLVED and min(gaps) >= 0, (
            f"In {count} linear programmes the level is at least {slack:.1g} above the "
            f"bound; where the printed form is positive ours is at least {min(gaps):.2f} above it "
            f"({len(gaps)} settings)."
        )

    return against(bounded, right=0, wrong=math.log(2))


def sharper_form_is_met() -> Finding:
    """A mechanism reaches our form."""
    reached = [
        optimal_jaccard(MET_CELLS, MET_LEVEL, edges=(edges, edges + 1))
        for edges in range(MET_CELLS)
    ]

    def met(larger: float) -> tuple[bool, str]:
        allowed = [
            largest_jaccard(epsilon=MET_LEVEL - larger, cells=MET_CELLS, edges=edges)
            for edges in range(MET_CELLS)
        ]
        near = [abs(one - other) < SOLVED for one, other in zip(reached, allowed, strict=True)]
        return any(near), (
            f"The best mechanisms reach {listed(f'{j:.4f}' for j in reached)}, the bound allows "
            f"{listed(f'{j:.4f}' for j in allowed)}, for l = {listed(map(str, range(MET_CELLS)))}."
        )

    return against(met, right=0, wrong=math.log(2))


def response_is_not_optimal() -> Finding:
    """Some mechanism has a larger worst-case mean than randomized response."""

    def beaten(cells: int) -> tuple[bool, str]:
        best = optimal_jaccard(cells, MET_LEVEL)
        own = worst_case_jaccard(response_probabilities(cells, MET_LEVEL))
        return own < best - SOLVED, f"Randomized response reaches {own:.4f}, the best {best:.4f}."

    return against(beaten, right=MET_CELLS, wrong=1)
