"""Chance has one meaning: how far numbers may be apart, in rows, joint tests and statements alike.

A number is known up to its standard error times a quantile: of the normal law where its spread is
known, of Student's t with ``runs - 1`` degrees of freedom where it comes from runs. The level is
that of three normal standard errors on both sides.
"""

import math
from collections.abc import Mapping
from functools import cache
from typing import Any

LEVEL = math.erfc(3 / math.sqrt(2))  # of one number, both sides together
JOINT_LEVEL = 0.001  # of all numbers of a joint test together
LEAST_RUNS = 5  # below, chance decides nothing
JOINT_RUNS = 20  # below, a number takes no part in a joint test
POWER = 0.9
WIDE = 0.1  # of the printed value: what leaves more decides little


@cache
def quantile(runs: float, level: float = LEVEL) -> float:
    """Number of standard errors that chance allows, two-sided, at the level.

    Examples
    --------
    >>> [round(quantile(runs), 2) for runs in (2, 5, 20, math.inf)]
    [235.8, 6.62, 3.45, 3.0]
    """
    from scipy.special import ndtri, stdtrit  # a fifth of a second, which a search need not wait

    if math.isinf(runs):
        return float(-ndtri(level / 2))
    return float(stdtrit(runs - 1, 1 - level / 2)) if runs > 1 else math.inf


def deviation(errors: float, runs: float) -> float:
    """Normal deviation that is as unlikely as this many standard errors of few runs.

    Examples
    --------
    >>> [round(deviation(3.45, runs), 2) for runs in (20, math.inf)]
    [3.0, 3.45]
    """
    from scipy.special import ndtri, stdtr

    if math.isinf(runs):
        return errors
    return float(-ndtri(stdtr(runs - 1, -errors))) if runs > 1 else 0.0


def squares(draws: int, level: float) -> float:
    """What the squares of the deviations of independent draws sum to at most, at the level."""
    from scipy.special import chdtri

    return float(chdtri(draws, level))


def limits(row: Mapping[str, Any], level: float = LEVEL) -> tuple[float, float]:
    """The interval that chance and open choices leave for the value of a row."""
    value = row["value"]
    low, high = row.get("low", value), row.get("high", value)
    if not (se := row.get("se", 0.0)):
        return min(low, value), max(high, value)
    reach = quantile(row.get("runs", math.inf), level) * se
    return min(low, value) - reach, max(high, value) + reach
