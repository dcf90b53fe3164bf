"""A table on which the default of `smooth_k_anonymize` loses to the paper's recipe."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from pplab.exercises.answers import number, numbers, pairs
from pplab.exercises.core import Refusal
from pplab.smooth.anonymize import smooth_k_anonymize

__all__ = ["AHEAD", "GAP", "MOST", "SEEDS", "both_similarities", "not_losing"]

GAP, AHEAD, MOST, SEEDS = 0.003, 8, 200, 10
_NEAR = 1e-3  # J may come rounded to three digits


def both_similarities(table: np.ndarray, k: int, seed: int) -> tuple[float, float]:
    """Similarity by the default, and by the recipe whose people end with the nearest shop."""
    ours = smooth_k_anonymize(table, k, rng=seed)
    recipe = smooth_k_anonymize(table, k, method="paper", assignment="nearest", rng=seed)
    return ours.jaccard, recipe.jaccard


def not_losing(answer: Any) -> str | None:
    """Run both again; "" when the default loses on average and for most seeds."""
    if not isinstance(answer, (tuple, list)) or len(answer) != 3:
        raise Refusal("this exercise wants (table, k, {seed: (J, J), ...}), with ten seeds.")
    table, k = _table(answer[0]), int(number(answer[1]))
    found = pairs(answer[2])
    if not 2 <= k <= len(table):
        raise Refusal(f"k must lie between 2 and the {len(table)} rows of your table, got {k}.")
    for seed in found:
        if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
            raise Refusal(f"seeds are whole numbers from 0, got {seed!r}.")
    if len(found) == 1:
        return "One seed says nothing: both methods draw at random. Show ten."
    if len(found) != SEEDS:
        return f"Show ten different seeds, not {len(found)}: a pick of them may be cherry-picked."
    told = {int(seed): numbers(values, 2) for seed, values in found.items()}
    means = np.mean(list(told.values()), axis=0)
    if means.max() > 1:
        return "J is a share between 0 and 1, not per cent."
    if means[1] - means[0] < GAP:
        return _close(means[1] - means[0])
    ahead = sum(recipe > ours for ours, recipe in told.values())
    if ahead < AHEAD:
        return f"For {SEEDS - ahead} of ten seeds the recipe is not ahead: that may be chance."
    for seed, (ours, recipe) in told.items():
        again = both_similarities(table, k, seed)
        if max(abs(again[0] - ours), abs(again[1] - recipe)) <= _NEAR:
            continue
        if max(abs(again[0] - recipe), abs(again[1] - ours)) <= _NEAR:
            return "The other way round: the default first, then the recipe."
        return f"Seed {seed} gives other numbers here. Run both methods on this very table."
    return ""


def _close(gap: float) -> str:
    if gap <= 0:
        return "The default keeps as much or more there. Which groups does it not look for?"
    return f"It loses by less than {GAP:g} there. Make the families crisper, or more of them."


def _table(given: Any) -> np.ndarray:
    try:
        table = np.asarray(given.toarray() if hasattr(given, "toarray") else given, dtype=float)
    except (TypeError, ValueError) as error:
        raise Refusal("the table must be an array of zeros and ones.") from error
    if table.ndim != 2 or not np.isin(table, (0, 1)).all() or not table.any():
        raise Refusal("the table must be an array of zeros and ones, with at least one entry.")
    if len(table) < 2 or max(table.shape) > MOST:
        raise Refusal(f"the table must have 2 to {MOST} rows and up to {MOST} columns.")
    return table.astype(np.int8)
