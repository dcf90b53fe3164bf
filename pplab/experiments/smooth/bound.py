"""Theorem 4.1 and its lemma, by the exact law of the similarity."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, product
from typing import Any

import pandas as pd

from pplab.experiments.finding import Finding, statement_rows
from pplab.experiments.smooth.figure_2 import LEVEL_STATEMENTS, level_rows
from pplab.theory.jaccard_bound import jaccard_bound, violation_probability
from pplab.theory.jaccard_law import (
    expected_jaccard,
    jaccard_first_term,
    union_is_edges_and_created,
)
from pplab.theory.jaccard_settings import BoundSetting, bound_settings, worst_violation
from pplab.theory.lemma_a1 import lemma_a1_cases, lemma_a1_counterexample

__all__ = ["bound"]

DENSITIES = (1e-5, 1e-4, 1e-3, 0.01, 0.1, 0.5, 0.8, 1.0)
CELLS = (10**2, 10**4, 10**6, 10**8)
EPSILONS = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 5.8, 7.0, 8.0)
DELTAS = (1e-6, 0.05, 0.5)
LARGE = (2e-5, 10**10, 9.0, 0.05)  # one setting of the size of Table 2's graphs
DENSE = 0.5
CLOSE = 1e-3  # how near the first term is to the mean on average
DENOMINATOR = 16


def bound() -> pd.DataFrame:
    """Decide Theorem 4.1 in its forms, Lemma A.1, Corollary 4.2 and the words on Figure 2.

    Returns
    -------
    DataFrame
        Statements with value and witness; rows with quantity, density or data, reading and value.

    References
    ----------
    Esfandiari, Epasto, Mirrokni and Munoz Medina, *Smooth Anonymity for Sparse Graphs*,
    Theorem 4.1, Lemma A.1, Corollary 4.2 and Figure 2, arXiv 2207.06358.
    """
    found = {
        "theorem-4.1:mean": _mean(),
        "theorem-4.1:tail": _form("printed"),
        "theorem-4.1:tail-dense": _form("printed", least=DENSE),
        "theorem-4.1:corrected": _form("corrected"),
        "theorem-4.1:chernoff": _chernoff(),
        "theorem-4.1:line-before-lemma": _form("line"),
        "theorem-4.1:union": _union(),
        "lemma-A.1:as-printed": _lemma_printed(),
        "lemma-A.1:as-needed": _lemma_needed(),
        "lemma-A.1:repaired": _lemma_repaired(),
        **{name: check() for name, check in LEVEL_STATEMENTS.items()},
    }
    return pd.concat([statement_rows(found), pd.DataFrame(level_rows())], ignore_index=True)


def _mean() -> Finding:
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


def _settings(form: str, least: float) -> list[BoundSetting]:
    """Settings of the grid that the theorem speaks of, and a large one."""
    grid = bound_settings(
        densities=[density for density in DENSITIES if density >= least],
        cells=CELLS,
        epsilons=EPSILONS,
        deltas=DELTAS,
        form=form,
    )
    density, cells, epsilon, delta = LARGE
    large: Iterable[BoundSetting] = bound_settings(
        densities=[density], cells=[cells], epsilons=[epsilon], deltas=[delta], form=form
    )
    return list(chain(grid, large if density >= least else ()))


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


def _chernoff() -> Finding:
    """Over the whole grid: this form needs no condition."""
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


def _union() -> Finding:
    true = union_is_edges_and_created(6)
    return true, f"{'Equal' if true else 'Not equal'} on all {4**6:,} pairs of graphs of 2 x 3."


def _lemma_printed() -> Finding:
    cases = list(lemma_a1_cases(DENOMINATOR, wording="printed"))
    false = sum(not case.holds for case in cases)
    empty = sum(case.left <= case.a / case.b for case in cases)
    return not false, (
        f"False in {false} of {len(cases):,} cases of sixteenths; its left side is at most a / b "
        f"in {empty:,} of them, so that it says nothing."
    )


def _lemma_needed() -> Finding:
    case = lemma_a1_counterexample(
        wording="needed", largest_denominator=DENOMINATOR, on_condition=True
    )
    if case is None:
        return True, f"True for all fractions with denominators up to {DENOMINATOR}."
    return False, (
        f"a = {case.a}, b = {case.b}, x = {case.x}, which meet the theorem's condition: "
        f"{case.left} on the left, {case.right} on the right."
    )


def _lemma_repaired() -> Finding:
    cases = list(lemma_a1_cases(DENOMINATOR, wording="repaired"))
    wrong = sum(case.holds != case.covered for case in cases)
    covered = sum(case.covered for case in cases)
    return not wrong, (
        f"Of {len(cases):,} cases of sixteenths {covered:,} meet the condition; it is true in "
        f"other cases than these, or false in these, {wrong} times."
    )
