"""Ten orders of arrival on one table: does the result of the recipe depend on the order?"""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from pplab.anonymity.smooth import smooth_k_anonymize
from pplab.exercises.answers import number, pairs
from pplab.exercises.core import Refusal

__all__ = ["GAP", "MOST", "ORDERS", "not_ten_orders"]

GAP, MOST, ORDERS = 0.02, 200, 10
_NEAR = 1e-3  # J may come rounded to three digits


def not_ten_orders(answer: Any) -> str | None:
    """Run the orders again; "" when the best and the worst lie far enough apart."""
    if not isinstance(answer, (tuple, list)) or len(answer) != 3:
        raise Refusal("this exercise wants (table, k, {seed: J, ...}), with ten seeds.")
    table, k = _table(answer[0]), int(number(answer[1]))
    found = pairs(answer[2])
    if not 2 <= k <= len(table):
        raise Refusal(f"k must lie between 2 and the {len(table)} rows of your table, got {k}.")
    for seed in found:
        if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
            raise Refusal(f"seeds are whole numbers from 0, got {seed!r}.")
    if len(found) == 1:
        return "One seed says nothing: it may be the best order or the worst. Show ten."
    if len(found) != ORDERS:
        return f"Show ten different seeds, not {len(found)}: a pick of them may be cherry-picked."
    told = {int(seed): number(value) for seed, value in found.items()}
    for seed, value in told.items():
        again = smooth_k_anonymize(table, k, orders=1, rng=seed).jaccard
        if abs(100 * again - value) <= 100 * _NEAR:
            return "J is a share between 0 and 1, not per cent."
        if abs(again - value) > _NEAR:
            return f"Seed {seed} gives another J here. Run it with orders=1 on this very table."
    if max(told.values()) - min(told.values()) < GAP:
        return "The ten orders agree within 2 points here. Take a table without clear groups."
    return ""


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
