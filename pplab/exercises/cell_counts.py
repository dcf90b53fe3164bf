"""How many cells does a table have? Counts of noise edges, printed and hidden, to estimate it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pplab.exercises.answers import call, close, number
from pplab.ledger.published import published_claims

__all__ = ["ALL_CELLS", "CELLS", "judged_estimates"]

CELLS = 943 * 1650  # u1.base
ALL_CELLS = 943 * 1682


def judged_estimates(answer: Any) -> str | None:
    """Run an estimator on the printed counts and on hidden ones; "" when all are within error."""
    printed = _printed_counts()
    if close(number(call(answer, dict(printed))), ALL_CELLS, within=1e-3):
        return "That counts every film of the catalogue, also those without training ratings."
    random = np.random.default_rng(2029)
    sizes = [CELLS, *(4_000, 70_000) * 10]
    tables = [printed, *(_hidden_counts(random, size) for size in sizes[1:])]
    estimates = [number(call(answer, dict(table))) for table in tables]
    if len(set(estimates)) == 1:
        return "Every table gave the same number; use the counts that the function is given."
    ratios = [float(np.mean([x / p for p, x in table.items()])) for table in tables]
    if np.allclose(estimates, ratios):
        return "The mean of count/p lets the smallest p, the noisiest ratio, speak as loudly."
    off = [
        abs(found - size) / _standard_error(table, size)
        for found, size, table in zip(estimates, sizes, tables, strict=True)
    ]
    return "" if max(off) <= 4 else None


def _printed_counts() -> dict[float, int]:
    """Noise edges of Table 3 as printed, by flip probability."""
    prefix, ending = "noise-graphs:table-3:p=", ":noise-edges"
    return {
        float(claim.id.removeprefix(prefix).removesuffix(ending)): int(claim.number)
        for claim in published_claims()
        if claim.id.startswith(prefix) and claim.id.endswith(ending)
    }


def _hidden_counts(random: np.random.Generator, cells: int) -> dict[float, int]:
    others = np.sort(random.choice(np.arange(1, 45), size=5, replace=False)) / 100
    return {float(p): int(random.binomial(cells, p)) for p in (0.004, *others)}


def _standard_error(table: dict[float, int], cells: int) -> float:
    """Standard error of least squares without weights."""
    p = np.array(list(table))
    return math.sqrt(cells * float((p**3 * (1 - p)).sum())) / float((p**2).sum())
