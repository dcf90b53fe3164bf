"""Exercises of notebook 20: batches, flips with a cap, any two rows, and a shuffler."""

import math
from typing import Any

import numpy as np
from scipy.optimize import brentq

from pplab_course.answers import Refusal, array, number
from pplab_course.exercises import close, enter

DELTA = 1e-5

# 20-B: any two rows

LEVEL, CELLS = 2, 3


@enter("20-B")
def _any_two(answer: Any) -> str | None:
    shape = "three lists of three bits, please: ([...], [...], [...])."
    rows = array(answer, shape)
    if rows.shape != (3, CELLS):
        raise Refusal(shape)
    if not np.isin(rows, (0, 1)).all():
        raise Refusal("each entry is 0 or 1.")
    one, other, output = rows
    if max(one.sum(), other.sum()) > 1:
        return "The cap is one: a row holds at most one like. (The output may hold more.)"
    factor = LEVEL * (np.sum(output == one) - np.sum(output == other))
    if factor > LEVEL:
        return ""
    if -factor > LEVEL:
        return "Nearly right, but this output supports the second row. Exchange the two rows."
    if (one == other).all():
        return "These two rows are the same: no output can separate them."
    if not (one.any() and other.any()):
        return "One row is empty, so the level of 2 holds. Take two rows with one like each."
    return "Both rows make this output equally likely: choose one that is likelier under the first."


# 20-D: a million users and a shuffler

PEOPLE = 1_000_000


def _shuffled(local: float) -> float:
    """Theorem 3.1 of Feldman, McMillan and Talwar 2021, without its condition."""
    odds = math.exp(local)
    first = 8 * math.sqrt(odds * math.log(4 / DELTA) / PEOPLE)
    return math.log1p((odds - 1) / (odds + 1) * (first + 8 * odds / PEOPLE))


@enter("20-D")
def _crowd(answer: Any) -> str | None:
    value = number(answer)
    any_two = float(brentq(lambda local: _shuffled(local) - 1, 1, 20))
    known = (
        (any_two, "Your level is for any two rows; for a row and an empty row, halve it."),
        (2 * any_two, "Twice as many cells differ as between a row and an empty row: halve ε."),
        (1 / 2, "Your level is right without a shuffler; with one, users may flip far less."),
    )
    for wrong, hint in known:
        if close(value, wrong):
            return hint
    share = value / (any_two / 2)
    if 1 + 1e-9 < share < 1.05:
        return "With this ε the level after the shuffler is above 1: round down, never up."
    if 0.9 < share < 0.995:
        return "This ε keeps the level after the shuffler below 1, but a larger ε does, too."
    return "" if 0.995 <= share <= 1 + 1e-9 else None
