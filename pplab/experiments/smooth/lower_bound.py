"""Theorem 4.3 against the best mechanisms that there are, by linear programming."""

from __future__ import annotations

from itertools import pairwise, product
from math import log

import pandas as pd

from pplab.experiments.finding import Finding, listed, statement_rows
from pplab.theory.jaccard_lower_bound import (
    largest_jaccard,
    printed_epsilon_lower_bound,
    sharper_epsilon_lower_bound,
)
from pplab.theory.optimal_mechanism import (
    optimal_jaccard,
    response_probabilities,
    worst_case_jaccard,
)

__all__ = ["lower_bound"]

CELLS = (2, 3, 4, 5, 6)  # with l = 0 the printed form says nothing up to 4 cells
LEVELS = (0.0, 0.5, 1.0, log(3), 2.0, 4.0)
MET_CELLS, MET_LEVEL = 3, log(3)
SOLVED = 1e-6  # the solver's tolerance, with room
LARGE = 10**10
EXPONENTS = (4, 10, 30, 100, 200, 300)
OMEGA = 0.05
ALPHAS = (0.1, 0.3, 0.5, 0.7, 0.9, 0.99)


def lower_bound() -> pd.DataFrame:
    """Decide Theorem 4.3 as stated, as proved, and in a sharper form.

    Returns
    -------
    DataFrame
        Columns statement, value (1.0 true, 0.0 false) and witness.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.3 and Appendix B, arXiv 2207.06358.
    """
    return statement_rows(
        {
            "theorem-4.3:statement": _statement(),
            "theorem-4.3:as-proved": _as_proved(0.5),
            "theorem-4.3:as-proved-alpha-1": _as_proved(1.0),
            "theorem-4.3:omega": _omega(),
            "theorem-4.3:sharper": _sharper(),
            "theorem-4.3:met": _met(),
            "theorem-4.3:randomized-response-optimal": _response_optimal(),
        }
    )


def _statement() -> Finding:
    bounds = {
        (cells, epsilon): printed_epsilon_lower_bound(
            jaccard=optimal_jaccard(cells, epsilon), cells=cells, edges=0
        )
        for cells, epsilon in product(CELLS, LEVELS)
    }
    slack = min(epsilon - level for (_, epsilon), level in bounds.items())
    telling = sum(level > 0 for level in bounds.values())
    return slack >= -SOLVED, (
        f"The best mechanism's level is at least {slack:.3f} above the bound with l = 0, in "
        f"{len(bounds)} linear programmes of up to {CELLS[-1]} cells; the bound is positive in "
        f"{telling} of them."
    )


def _as_proved(alpha: float) -> Finding:
    level = printed_epsilon_lower_bound(jaccard=alpha, cells=LARGE)
    other = printed_epsilon_lower_bound(jaccard=alpha, cells=LARGE, edges=0)
    return level > 0, f"It says epsilon >= {level:.2f}; with l = 0 it would say {other:.2f}."


def _omega() -> Finding:
    ratios = [
        printed_epsilon_lower_bound(jaccard=0.5, cells=10**exponent)
        / (2 * log(0.5) + exponent * log(10))
        for exponent in EXPONENTS
    ]
    grows = all(one < other for one, other in pairwise(ratios))
    settles = ratios[-1] - ratios[-2] < 0.1 * ratios[-1]
    return grows and settles and ratios[-1] >= OMEGA, (
        f"Ratios {listed(f'{ratio:.3f}' for ratio in ratios)} at nm = 10 to the "
        f"{listed(map(str, EXPONENTS))}."
    )


def _sharper() -> Finding:
    programmes = [
        (cells, edges, epsilon)
        for cells, epsilon in product(CELLS, LEVELS)
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
        f"In {len(programmes)} linear programmes the level is at least {slack:.1g} above the "
        f"bound; where the printed form is positive ours is at least {min(gaps):.2f} above it "
        f"({len(gaps)} settings)."
    )


def _met() -> Finding:
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


def _response_optimal() -> Finding:
    best = optimal_jaccard(MET_CELLS, MET_LEVEL)
    own = worst_case_jaccard(response_probabilities(MET_CELLS, MET_LEVEL))
    return own >= best - SOLVED, f"Randomized response reaches {own:.4f}, the best {best:.4f}."
