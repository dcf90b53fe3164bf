"""Theorem 4.1, an upper tail of the Jaccard similarity after randomized response, by the exact law.

Each form of the bound is tried over a grid of settings (`pplab.theory.jaccard_law` gives the law).
`bounds` decides the theorem, the lines of its proof, Lemma A.1, Corollary 4.2 and Figure 2.
Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*, Section 4 and
Appendix A, arXiv 2207.06358.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import pandas as pd

from claimbook.part import Finding, against, decided
from pplab.theory.jaccard_bound import is_covered, jaccard_bound, violation_probability
from pplab.theory.jaccard_law import (
    expected_jaccard,
    jaccard_first_term,
    union_is_edges_and_created,
)
from pplab_papers.smooth import figure_2, lemma_a_1


@dataclass(frozen=True)
class BoundSetting:
    """One setting of Theorem 4.1 and the exact probability that a form is exceeded there."""

    density: float
    cells: int
    epsilon: float
    delta: float
    form: str
    bound: float  # the form's value, capped at 1
    probability: float  # exact, that the similarity exceeds it

    @property
    def violated(self) -> bool:
        """True if the form is exceeded more often than delta."""
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

    Examples
    --------
    >>> grid = {"densities": [1e-3], "cells": [10**6], "epsilons": [5.8, 9], "deltas": [0.05]}
    >>> [round(setting.probability, 2) for setting in bound_settings(**grid, form="printed")]
    [0.22]
    """
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


# The theorem and its proof, over one grid.


DENSITIES = (1e-5, 1e-4, 1e-3, 0.01, 0.1, 0.5, 0.8, 1.0)
CELLS = (10**2, 10**4, 10**6, 10**8)
EPSILONS = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 5.8, 7.0, 8.0)
DELTAS = (1e-6, 0.05, 0.5)
LARGE = (2e-5, 10**10, 9.0, 0.05)  # one setting of the size of Table 2's graphs
DENSE = 0.5


def bounds() -> pd.DataFrame:
    """Decide Theorem 4.1 in its forms, Lemma A.1, Corollary 4.2 and the words on Figure 2."""
    statements = decided(
        *(first_term_is_the_mean, theorem_4_1, theorem_4_1_dense, theorem_4_1_corrected),
        *(theorem_4_1_chernoff, line_before_lemma, union_counted, union_as_printed, equal_lines),
        *(*lemma_a_1.STATEMENTS, *figure_2.STATEMENTS),
    )
    return pd.concat([statements, pd.DataFrame(figure_2.level_rows())], ignore_index=True)


def first_term_is_the_mean() -> Finding:
    """The exact mean differs from the first term by less than 0.001."""
    grid = list(product((1e-3, 0.01, 0.1, 0.5), (1.0, 3.0, 5.0, 7.0)))

    def near(share: float) -> tuple[bool, str]:
        gap = max(
            abs(
                expected_jaccard(density=density, cells=10**6, epsilon=epsilon)
                - jaccard_first_term(density=density, epsilon=share * epsilon)
            )
            for density, epsilon in grid
        )
        return gap < figure_2.CLOSE, (
            f"On 10^6 cells the exact mean is at most {gap:.2g} away, over {len(grid)} settings."
        )

    return against(near, right=1, wrong=0.5)


def theorem_4_1() -> Finding:
    """Theorem 4.1 as printed."""
    return _form("printed")


def theorem_4_1_dense() -> Finding:
    """Theorem 4.1 as printed, on dense graphs."""
    return against(partial(_form, "printed"), right=DENSE, wrong=0.0)


def theorem_4_1_corrected() -> Finding:
    """Theorem 4.1 with its tail divided by density + f (1 - density)."""
    return against(_form, right="corrected", wrong="printed")


def line_before_lemma() -> Finding:
    """The line of the proof before Lemma A.1 is used."""
    return against(_form, right="line", wrong="printed")


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


def _form(form: str, least: float = 0.0) -> tuple[bool, str]:
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
    text = "; ".join(
        f"density {s.density:g}, Q = {s.cells:.0e}, epsilon {s.epsilon:g}, delta {s.delta:g}: "
        f"bound {s.bound:.3f}, exceeded with probability {s.probability:.3f}"
        for s in shown
    )
    return False, f"It fails in {broken} of {len(settings)} settings; {text}."


def theorem_4_1_chernoff() -> Finding:
    """The Chernoff form over the whole grid: this form needs no condition."""
    return against(_sharper, right="chernoff", wrong="printed")


def _sharper(form: str) -> tuple[bool, str]:
    grid = [*product(DENSITIES, CELLS, EPSILONS, DELTAS), LARGE]
    failures, above, sharper, total = 0, 0, 0, 0
    for density, cells, epsilon, delta in grid:
        if round(density * cells) == 0:  # no edge
            continue
        setting: dict[str, Any] = {"density": density, "cells": cells, "epsilon": epsilon}
        setting["delta"] = delta
        corrected = jaccard_bound(**setting, form="corrected")
        own = jaccard_bound(**setting, form=form)
        exceeded = violation_probability(**setting, form=form)
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
    told = f"{'Equal' if true else 'Not equal'} on all {4**6:,} pairs of graphs of 2 x 3."
    return true, told, union_as_printed()[0]


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
