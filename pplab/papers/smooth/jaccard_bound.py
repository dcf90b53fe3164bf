"""Theorems 4.1 and 4.3, Lemma A.1, Corollary 4.2 and Figure 2: what randomized response keeps.

Lemma A.1 in three wordings, decided in fractions; Theorem 4.1 (an upper tail of the Jaccard
similarity) over a grid of settings, by the exact law in `pplab.theory.jaccard_law`; Theorem 4.3 (a
lower bound on epsilon for any edge-private mechanism) beside a sharper form, against the best
mechanisms that linear programming finds; and the flip probabilities of Algorithm 1 at node level.
`bounds` and `lower_bound` decide the statements. Esfandiari, Epasto, Mirrokni and Munoz Medina,
*Smooth Anonymity for Sparse Graphs*, Section 4 and Appendices A and B, arXiv 2207.06358.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import scipy

from pplab.checks import (
    as_fraction,
    check_choice,
    check_flag,
    check_integer,
    check_level_from_zero,
    check_positive,
    check_probability,
)
from pplab.papers.part import Finding, listed, statement_rows
from pplab.papers.smooth import paper
from pplab.theory.jaccard_bound import FORMS, is_covered, jaccard_bound, violation_probability
from pplab.theory.jaccard_law import (
    epsilon_for_jaccard,
    expected_jaccard,
    jaccard_first_term,
    jaccard_of_log_density,
    union_is_edges_and_created,
)
from pplab.theory.optimal_mechanism import (
    optimal_jaccard,
    response_probabilities,
    similarities,
    worst_case_jaccard,
)

WORDINGS = ("printed", "needed", "repaired")


@dataclass(frozen=True)
class LemmaCase:
    """Both sides of one wording at one (a, b, x).

    Attributes
    ----------
    a, b, x : Fraction
    left, right : Fraction
    holds : bool
        Whether the inequality is true.
    covered : bool
        Whether the wording's condition is met; a counterexample is covered and does not hold.
    """

    a: Fraction
    b: Fraction
    x: Fraction
    left: Fraction
    right: Fraction
    holds: bool
    covered: bool


def lemma_a1(a: Any, b: Any, x: Any, *, wording: str) -> LemmaCase:
    """Decide one wording of Lemma A.1 at one point, without rounding.

    Parameters
    ----------
    a, b, x : Fraction, int or float
        With 0 <= a <= b <= 1 and 0 < x < b; floats count as the binary fractions they are.
    wording : {"printed", "needed", "repaired"}
        "printed": (a - x) / (b - x) < a / b + 2 x. "needed", what the proof of Theorem 4.1 uses:
        (a + x) / (b - x) <= a / b + 2 x. "repaired": (a + x) / (b - x) < a / b + 2 x / b, on the
        condition x < (b - a) / 2.

    Returns
    -------
    LemmaCase

    Raises
    ------
    ValueError
        If the wording is not known or a, b, x leave their intervals.

    Notes
    -----
    (a + x) / (b - x) - a / b = x (a + b) / (b (b - x)). This is at most 2 x iff
    a + b <= 2 b (b - x), which sparse graphs miss: with b <= 1/2 it never holds, as
    2 b (b - x) < b. It is below 2 x / b iff a + b < 2 (b - x), that is x < (b - a) / 2.
    The printed left side is at most a / b, as (a - x) b - a (b - x) = -x (b - a) <= 0, so that the
    printed wording is true and says nothing.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Lemma A.1, arXiv 2207.06358.

    Examples
    --------
    >>> case = lemma_a1(0, Fraction(1, 2), Fraction(1, 4), wording="needed")
    >>> str(case.left), str(case.right), case.holds
    ('1', '1/2', False)
    """
    check_choice("wording", wording, WORDINGS)
    a, b, x = as_fraction(a), as_fraction(b), as_fraction(x)
    if not (0 <= a <= b <= 1 and 0 < x < b):
        raise ValueError(
            f"the lemma needs 0 <= a <= b <= 1 and 0 < x < b, got a = {a}, b = {b}, x = {x}; "
            "pass the two means and a deviation"
        )
    left = (a - x if wording == "printed" else a + x) / (b - x)
    right = a / b + 2 * x / (b if wording == "repaired" else 1)
    holds = left <= right if wording == "needed" else left < right
    covered = 2 * x < b - a if wording == "repaired" else True
    return LemmaCase(a, b, x, left, right, holds, covered)


def lemma_a1_cases(denominator: int, *, wording: str) -> Iterator[LemmaCase]:
    """Every point of the grid of fractions with one denominator.

    Parameters
    ----------
    denominator : int
        At least 1; a, b and x are multiples of 1 / denominator.
    wording : {"printed", "needed", "repaired"}

    Yields
    ------
    LemmaCase
        In the order of b, a, x.

    Raises
    ------
    TypeError, ValueError
        If the denominator is no positive integer or the wording is not known.

    Examples
    --------
    >>> len(list(lemma_a1_cases(4, wording="printed")))
    26
    """
    unit = Fraction(1, check_integer("denominator", denominator, minimum=1))
    for b in range(1, denominator + 1):
        for a in range(b + 1):
            for x in range(1, b):
                yield lemma_a1(a * unit, b * unit, x * unit, wording=wording)


def lemma_a1_counterexample(
    *, wording: str, largest_denominator: int, on_condition: bool = False
) -> LemmaCase | None:
    """Counterexample with the smallest common denominator, None if the grids hold none.

    Parameters
    ----------
    wording : {"printed", "needed", "repaired"}
    largest_denominator : int
        At least 1; the grids of all denominators up to this one are searched.
    on_condition : bool
        Whether to look only where Theorem 4.1 speaks, x <= (b - a) / 2.

    Returns
    -------
    LemmaCase or None

    Raises
    ------
    TypeError, ValueError
        If the denominator is no positive integer, the wording is not known or on_condition is no
        truth value.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Lemma A.1, arXiv 2207.06358.

    Examples
    --------
    >>> found = lemma_a1_counterexample(
    ...     wording="needed", largest_denominator=8, on_condition=True
    ... )
    >>> str(found.a), str(found.b), str(found.x)
    ('0', '2/3', '1/3')
    """
    check_choice("wording", wording, WORDINGS)
    check_flag("on_condition", on_condition)
    top = check_integer("largest_denominator", largest_denominator, minimum=1)
    for denominator in range(1, top + 1):
        for case in lemma_a1_cases(denominator, wording=wording):
            spoken_of = not on_condition or 2 * case.x <= case.b - case.a
            if case.covered and spoken_of and not case.holds:
                return case
    return None


# Theorem 4.1 over a grid of settings: how often each form of the bound is exceeded.


@dataclass(frozen=True)
class BoundSetting:
    """One setting of Theorem 4.1 and the exact probability that a form is exceeded there.

    Attributes
    ----------
    density : float
    cells : int
    epsilon, delta : float
    form : str
    bound : float
        The form's value, capped at 1.
    probability : float
        Exact probability that the similarity exceeds it.
    """

    density: float
    cells: int
    epsilon: float
    delta: float
    form: str
    bound: float
    probability: float

    @property
    def violated(self) -> bool:
        """Whether the form is exceeded more often than delta."""
        return self.probability > self.delta


def bound_settings(
    *,
    densities: Iterable[float],
    cells: Iterable[int],
    epsilons: Iterable[float],
    deltas: Iterable[float],
    form: str,
) -> Iterator[BoundSetting]:
    """Every setting of a grid that meets the theorem's condition and holds at least one edge.

    Parameters
    ----------
    densities : iterable of float
        In (0, 1].
    cells : iterable of int
        From 1 to 10^15; up to 10^11 at every level.
    epsilons : iterable of float
        In [0, inf).
    deltas : iterable of float
        In (0, 1).
    form : {"printed", "corrected", "line", "chernoff", "exact"}

    Yields
    ------
    BoundSetting
        In the order of the grid, the last list fastest.

    Raises
    ------
    TypeError, ValueError
        If the form is not known or a value leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.1, arXiv 2207.06358.

    Examples
    --------
    >>> grid = {"densities": [1e-3], "cells": [10**6], "epsilons": [5.8, 9], "deltas": [0.05]}
    >>> [round(setting.probability, 2) for setting in bound_settings(**grid, form="printed")]
    [0.22]
    """
    check_choice("form", form, FORMS)
    for density, number, epsilon, delta in product(densities, cells, epsilons, deltas):
        rest: dict[str, Any] = {"cells": number, "epsilon": epsilon, "delta": delta}
        if not is_covered(**rest):
            continue
        if 0 < density <= 1 and round(density * number) == 0:  # no edge
            continue
        setting = {"density": density} | rest
        yield BoundSetting(
            **setting,
            form=form,
            bound=jaccard_bound(**setting, form=form),
            probability=violation_probability(**setting, form=form),
        )


def worst_violation(settings: Iterable[BoundSetting]) -> BoundSetting | None:
    """Setting with the largest excess of the probability over delta, as their ratio.

    Parameters
    ----------
    settings : iterable of BoundSetting

    Returns
    -------
    BoundSetting or None
        None if no setting is violated.

    Examples
    --------
    >>> grid = {"densities": [0.5], "cells": [10**4], "epsilons": [1.0], "deltas": [0.05]}
    >>> worst_violation(bound_settings(**grid, form="printed")) is None
    True
    """
    violated = (setting for setting in settings if setting.violated)
    return max(violated, key=lambda setting: setting.probability / setting.delta, default=None)


# Theorem 4.3: no edge-private mechanism keeps sparse graphs at a small level.


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


# Algorithm 1 at node level: how often a cell of a row of m cells becomes a fair coin.


def node_replacement(*, epsilon: float, items: int) -> float:
    """Probability p with which Algorithm 1 at node level replaces a cell by a fair coin.

    Parameters
    ----------
    epsilon : float
        Level of a whole row, positive.
    items : int
        m, cells of a row, at least 1.

    Returns
    -------
    float
        ``2 / (1 + e^(epsilon / m))``, in [0, 1]; a cell flips with half of it.

    Raises
    ------
    TypeError, ValueError
        If an argument leaves its interval.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Algorithm 1 and Section 4, arXiv 2207.06358.

    Examples
    --------
    >>> round(node_replacement(epsilon=10, items=102), 3)  # adult: almost only coins
    0.951
    """
    return 2 * float(scipy.special.expit(-check_positive("epsilon", epsilon) / _items(items)))


def node_untouched(*, epsilon: float, items: int) -> float:
    """Probability 1 - p that Algorithm 1 at node level leaves a cell alone.

    Parameters
    ----------
    epsilon, items
        As for ``node_replacement``.

    Returns
    -------
    float
        ``tanh(epsilon / (2 m))``: it falls like 1 / m, not exponentially.

    Examples
    --------
    >>> [round(m * node_untouched(epsilon=2, items=m), 3) for m in (1, 10, 1000)]
    [0.762, 0.997, 1.0]
    """
    return math.tanh(check_positive("epsilon", epsilon) / (2 * _items(items)))


def _items(items: int) -> int:
    return check_integer("items", items, minimum=1)


# Figure 2 and the words on it: the level that a similarity takes, and Corollary 4.2.


CLOSE = 1e-3  # how near the exact mean must be to the similarity asked for
FIGURE_2 = {"similarities": np.arange(1, 10) / 10, "densities": 10.0 ** np.arange(-6, 0)}
MANY_CELLS = 10**10
DENSITY, DELTA = 1e-4, 0.05  # where the text on Figure 2 reads it
EXACT = "exact quantile, 10^10 cells, delta = 0.05"
LOG_COLUMNS = (2_500.0, 1e4, 1e5, 1e6)  # ln m


def sparser_needs_more() -> Finding:
    """At each similarity the level grows as the density falls."""
    return _grows("densities")


def larger_similarity_needs_more() -> Finding:
    """At each density the level grows with the similarity."""
    return _grows("similarities")


def _grows(with_: str) -> Finding:
    """Levels over similarities (rows) and densities; each is held against the exact mean."""
    similarities, densities = FIGURE_2["similarities"], FIGURE_2["densities"]
    levels = np.array(
        [[epsilon_for_jaccard(float(j), density=float(d)) for d in densities] for j in similarities]
    )
    means = np.array(
        [
            [
                expected_jaccard(density=float(d), cells=MANY_CELLS, epsilon=float(level))
                for d, level in zip(densities, row, strict=True)
            ]
            for row in levels
        ]
    )
    gap = float(np.abs(means - similarities[:, None]).max())
    steps = np.diff(levels, axis=0) if with_ == "similarities" else -np.diff(levels, axis=1)
    return bool(steps.min() > 0 and gap < CLOSE), (
        f"Levels from {levels.min():.2f} to {levels.max():.2f}, smallest step {steps.min():.2f}; "
        f"the exact mean on 10^10 cells is within {gap:.2g} of the similarity."
    )


def corollary_4_2() -> Finding:
    """The similarity falls at every step and ends below 0.01."""
    logs = np.array(LOG_COLUMNS)
    values = jaccard_of_log_density(-0.01 * logs, epsilon=np.sqrt(logs))
    falls = bool((np.diff(values) < 0).all() and values[-1] < 0.01)
    told = listed(f"{value:.3g}" for value in values)
    return falls, f"{told} at ln m = {listed(f'{log:,.0f}' for log in logs)}."


def constant_similarity_needs_log() -> Finding:
    """With epsilon = 0.009 ln m the similarity stays below 1/2, for both degrees."""
    logs = np.array((1_000.0, *LOG_COLUMNS))
    degrees = {"m^0.99": -0.01 * logs, "log(m)^2": 2 * np.log(logs) - logs}
    reached = {
        name: float(jaccard_of_log_density(density, epsilon=0.009 * logs).max())
        for name, density in degrees.items()
    }
    told = listed(f"{value:.3g} for a degree of {name}" for name, value in reached.items())
    return max(reached.values()) < 0.5, f"With epsilon = 0.009 ln m it is at most {told}."


def closed_form() -> Finding:
    """The closed form inverts the mean."""
    grid = [(float(j), float(d)) for j, d in product(*FIGURE_2.values())]
    worst = 0.0
    for similarity, density in grid:
        flip = 1 / (1 + np.exp(epsilon_for_jaccard(similarity, density=density)))
        printed = (1 - flip) / (1 + flip * (1 - density) / density)
        worst = max(worst, abs(float(printed) - similarity))
    return worst < 1e-9, f"Off by at most {worst:.1g}, at {len(grid)} points of Figure 2."


def _quantile_passes_half() -> float:
    """Level at which the similarity exceeds 1/2 with probability delta."""

    def above(epsilon: float) -> float:
        setting = {"density": DENSITY, "epsilon": epsilon, "delta": DELTA}
        return jaccard_bound(**setting, cells=MANY_CELLS, form="exact") - 0.5

    return float(scipy.optimize.brentq(above, 8.0, 11.0, xtol=1e-6))


def _level_rows() -> list[dict[str, object]]:
    """Levels at which the similarity is 1/2, as the text prints them."""
    mean = epsilon_for_jaccard(0.5, density=DENSITY)
    rows: list[dict[str, object]] = [
        {"density": DENSITY, "of": "mean", "value": mean},
        {"density": DENSITY, "of": EXACT, "value": _quantile_passes_half()},
    ]
    for data in ("dblp", "stanford"):
        level = epsilon_for_jaccard(0.5, density=float(paper.TABLE_2[data][3]))
        rows.append({"data": data, "of": "mean", "value": level})
    return [{"quantity": "epsilon"} | row for row in rows]


# Theorem 4.1 and its lemma, by the exact law of the similarity.


DENSITIES = (1e-5, 1e-4, 1e-3, 0.01, 0.1, 0.5, 0.8, 1.0)
CELLS = (10**2, 10**4, 10**6, 10**8)
EPSILONS = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 5.8, 7.0, 8.0)
DELTAS = (1e-6, 0.05, 0.5)
LARGE = (2e-5, 10**10, 9.0, 0.05)  # one setting of the size of Table 2's graphs
DENSE = 0.5
DENOMINATOR, SMALLER = 16, 12


def bounds() -> pd.DataFrame:
    """Decide Theorem 4.1 in its forms, Lemma A.1, Corollary 4.2 and the words on Figure 2.

    Returns
    -------
    DataFrame
        Statements (the functions that decide) with value and witness; levels with quantity,
        density or data, and value.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.1, Lemma A.1, Corollary 4.2 and Figure 2, arXiv 2207.06358.
    """
    checks = (
        *(first_term_is_the_mean, theorem_4_1, theorem_4_1_dense, theorem_4_1_corrected),
        *(theorem_4_1_chernoff, line_before_lemma, union_counted, union_as_printed, equal_lines),
        *(lemma_a1_printed, lemma_a1_needed, lemma_a1_repaired, lemma_a1_rearranged, lemma_a1_iff),
        *(sparser_needs_more, larger_similarity_needs_more, corollary_4_2),
        *(constant_similarity_needs_log, closed_form),
    )
    found = {check.__name__: check() for check in checks}
    return pd.concat([statement_rows(found), pd.DataFrame(_level_rows())], ignore_index=True)


def first_term_is_the_mean() -> Finding:
    """The exact mean differs from the first term by less than 0.001."""
    grid = list(product((1e-3, 0.01, 0.1, 0.5), (1.0, 3.0, 5.0, 7.0)))
    gaps = [
        abs(
            expected_jaccard(density=density, cells=10**6, epsilon=epsilon)
            - jaccard_first_term(density=density, epsilon=epsilon)
        )
        for density, epsilon in grid
    ]
    return max(gaps) < CLOSE, (
        f"On 10^6 cells the exact mean is at most {max(gaps):.2g} away, over {len(grid)} settings."
    )


def theorem_4_1() -> Finding:
    """Theorem 4.1 as printed."""
    return _form("printed")


def theorem_4_1_dense() -> Finding:
    """Theorem 4.1 as printed, on dense graphs."""
    return _form("printed", least=DENSE)


def theorem_4_1_corrected() -> Finding:
    """Theorem 4.1 with its tail divided by density + f (1 - density)."""
    return _form("corrected")


def line_before_lemma() -> Finding:
    """The line of the proof before Lemma A.1 is used."""
    return _form("line")


def _settings(form: str, least: float) -> list[BoundSetting]:
    """Settings of the grid that the theorem speaks of, and a large one."""
    grids: list[Any] = [(DENSITIES, CELLS, EPSILONS, DELTAS), [(value,) for value in LARGE]]
    settings: list[BoundSetting] = []
    for densities, cells, epsilons, deltas in grids:
        dense = [density for density in densities if density >= least]
        settings += bound_settings(
            densities=dense, cells=cells, epsilons=epsilons, deltas=deltas, form=form
        )
    return settings


def _form(form: str, *, least: float = 0.0) -> Finding:
    settings = _settings(form, least)
    worst = worst_violation(settings)
    telling = sum(setting.bound < 1 for setting in settings)
    if worst is None:
        most = max(setting.probability / setting.delta for setting in settings)
        return bool(telling), (
            f"Exceeded nowhere with probability above delta in {len(settings)} settings, in "
            f"{telling} of which the bound is below 1; at most {most:.2g} delta."
        )
    broken = sum(setting.violated for setting in settings)
    shown = [worst, *(s for s in settings[-1:] if s.violated and s is not worst)]
    told = "; ".join(
        f"density {s.density:g}, Q = {s.cells:.0e}, epsilon {s.epsilon:g}, delta {s.delta:g}: "
        f"bound {s.bound:.3f}, exceeded with probability {s.probability:.3f}"
        for s in shown
    )
    return False, f"It fails in {broken} of {len(settings)} settings; {told}."


def theorem_4_1_chernoff() -> Finding:
    """The Chernoff form over the whole grid: this form needs no condition."""
    grid = [*product(DENSITIES, CELLS, EPSILONS, DELTAS), LARGE]
    failures, above, sharper, total = 0, 0, 0, 0
    for density, cells, epsilon, delta in grid:
        if round(density * cells) == 0:  # no edge
            continue
        setting: dict[str, Any] = {"density": density, "cells": cells, "epsilon": epsilon}
        setting["delta"] = delta
        corrected = jaccard_bound(**setting, form="corrected")
        own = jaccard_bound(**setting, form="chernoff")
        exceeded = violation_probability(**setting, form="chernoff")
        failures += exceeded > delta
        above += own > corrected * (1 + 1e-12)
        sharper += own < corrected - 0.01
        total += 1
    return not failures and not above, (
        f"Of {total} settings {failures} exceed it with probability above delta, in {above} it is "
        f"above the corrected bound and in {sharper} below it by more than 0.01."
    )


def union_counted() -> Finding:
    """The union has |E| and the created edges."""
    true = union_is_edges_and_created(6)
    return true, f"{'Equal' if true else 'Not equal'} on all {4**6:,} pairs of graphs of 2 x 3."


def union_as_printed() -> Finding:
    """The union has the created edges."""
    wrong = sum((a | b) != (b & ~a) for a, b in product(range(2**6), repeat=2))
    return not wrong, f"Not equal on {wrong:,} of {4**6:,} pairs of graphs of 2 x 3."


def equal_lines() -> Finding:
    """Two lines of the proof, at a density whose roots are fractions."""
    density, flip, away = Fraction(9, 25), Fraction(1, 4), Fraction(1, 50)
    first, second = (
        ((1 - flip) * density + up * away) / (density + flip * (1 - density) - down * away)
        for up, down in ((Fraction(3, 5), Fraction(4, 5)), (1, 1))
    )
    return first == second, (
        f"At density {density}, p/2 = {flip} and sqrt(C/Q) = {away} they are {float(first):.4f} "
        f"and {float(second):.4f}."
    )


def lemma_a1_printed() -> Finding:
    """Lemma A.1 as printed."""
    cases = list(lemma_a1_cases(DENOMINATOR, wording="printed"))
    false = sum(not case.holds for case in cases)
    empty = sum(case.left <= case.a / case.b for case in cases)
    return not false, (
        f"False in {false} of {len(cases):,} cases of sixteenths; its left side is at most a / b "
        f"in {empty:,} of them, so that it says nothing."
    )


def lemma_a1_needed() -> Finding:
    """Lemma A.1 as the proof of Theorem 4.1 uses it."""
    case = lemma_a1_counterexample(
        wording="needed", largest_denominator=DENOMINATOR, on_condition=True
    )
    if case is None:
        return True, f"True for all fractions with denominators up to {DENOMINATOR}."
    return False, (
        f"a = {case.a}, b = {case.b}, x = {case.x}, which meet the theorem's condition: "
        f"{case.left} on the left, {case.right} on the right."
    )


def lemma_a1_repaired() -> Finding:
    """Lemma A.1 with 2x / b holds exactly on its condition."""
    cases = list(lemma_a1_cases(DENOMINATOR, wording="repaired"))
    wrong = sum(case.holds != case.covered for case in cases)
    covered = sum(case.covered for case in cases)
    return not wrong, (
        f"Of {len(cases):,} cases of sixteenths {covered:,} meet the condition; it is true in "
        f"other cases than these, or false in these, {wrong} times."
    )


def lemma_a1_rearranged() -> Finding:
    """Both sides of the printed lemma times b (b - x), against the printed line."""
    cases = _positive_cases()
    wrong = sum((c.right - c.left) * c.b * (c.b - c.x) != _rearranged(c.a, c.b, c.x) for c in cases)
    return not wrong, f"The sides are not as far apart as printed in {wrong} of {len(cases)} cases."


def lemma_a1_iff() -> Finding:
    """The printed line is true exactly where x < (b - a) / 2."""
    cases = _positive_cases()
    wrong = [c for c in cases if (_rearranged(c.a, c.b, c.x) > 0) != (2 * c.x < c.b - c.a)]
    shown = f", the first at a = {wrong[0].a}, b = {wrong[0].b}, x = {wrong[0].x}" if wrong else ""
    return not wrong, f"Wrong in {len(wrong)} of {len(cases)} cases{shown}."


def _positive_cases() -> list[LemmaCase]:
    return [case for case in lemma_a1_cases(SMALLER, wording="printed") if case.a > 0]


def _rearranged(a: Fraction, b: Fraction, x: Fraction) -> Fraction:
    """Right side less left side of the line that the proof of Lemma A.1 prints."""
    return (a * b - a * x + 2 * b * x - 2 * x**2) - (a * b - b * x)


# Theorem 4.3 against the best mechanisms that there are, by linear programming.


PROGRAMME_CELLS = (2, 3, 4, 5, 6)
LEVELS = (0.0, 0.5, 1.0, math.log(3), 2.0, 4.0)
MET_CELLS, MET_LEVEL = 3, math.log(3)
SOLVED = 1e-6  # the solver's tolerance, with room
KEPT_CELLS, KEPT_ODDS = 6, (3, 30, 1_000)
ALPHAS = (0.1, 0.3, 0.5, 0.7, 0.9, 0.99)


def lower_bound() -> pd.DataFrame:
    """Decide Theorem 4.3 as stated, as proved, and in a sharper form.

    Returns
    -------
    DataFrame
        Columns statement (the function that decides), value (1.0 true, 0.0 false) and witness.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.3 and Appendix B, arXiv 2207.06358.
    """
    checks = (
        *(theorem_4_3, half_is_kept, half_is_kept_as_printed, sharper_form, sharper_form_is_met),
        response_is_not_optimal,
    )
    return statement_rows({check.__name__: check() for check in checks})


def theorem_4_3() -> Finding:
    """Our form holds in all programmes, and is nowhere below log(alpha^2 nm) with l = 0."""
    slack, count = _slack()
    gaps = [
        sharper_epsilon_lower_bound(jaccard=alpha, cells=cells, edges=0)
        - (2 * math.log(alpha) + math.log(cells))
        for alpha, cells in product(ALPHAS, (1, 10, 10**6, 10**12))
    ]
    return slack >= -SOLVED and min(gaps) >= 0, (
        f"In {count} linear programmes the level is at least {slack:.1g} above our form, which is "
        f"at least {min(gaps):.2f} above log(alpha^2 nm) in {len(gaps)} settings."
    )


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
    return least >= 0, f"It is at least {least:.3f} above alpha / 2, with l = 0."


def half_is_kept_as_printed() -> Finding:
    """On graphs of at least l edges the truncated mechanism keeps alpha / 2."""
    least = float(_kept_halves().min())
    return least >= 0, f"It is {abs(least):.3f} {'above' if least >= 0 else 'below'} alpha / 2."


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
    return slack >= -SOLVED and min(gaps) >= 0, (
        f"In {count} linear programmes the level is at least {slack:.1g} above the "
        f"bound; where the printed form is positive ours is at least {min(gaps):.2f} above it "
        f"({len(gaps)} settings)."
    )


def sharper_form_is_met() -> Finding:
    """A mechanism reaches our form."""
    reached = [
        optimal_jaccard(MET_CELLS, MET_LEVEL, edges=(edges, edges + 1))
        for edges in range(MET_CELLS)
    ]
    allowed = [
        largest_jaccard(epsilon=MET_LEVEL, cells=MET_CELLS, edges=edges)
        for edges in range(MET_CELLS)
    ]
    near = [abs(one - other) < SOLVED for one, other in zip(reached, allowed, strict=True)]
    return any(near), (
        f"The best mechanisms reach {listed(f'{j:.4f}' for j in reached)}, the bound allows "
        f"{listed(f'{j:.4f}' for j in allowed)}, for l = {listed(map(str, range(MET_CELLS)))}."
    )


def response_is_not_optimal() -> Finding:
    """Some mechanism has a larger worst-case mean than randomized response."""
    best = optimal_jaccard(MET_CELLS, MET_LEVEL)
    own = worst_case_jaccard(response_probabilities(MET_CELLS, MET_LEVEL))
    return own < best - SOLVED, f"Randomized response reaches {own:.4f}, the best {best:.4f}."
