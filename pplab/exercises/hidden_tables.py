"""Tables of probabilities that exercise 01-P tries a student's function on."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

__all__ = ["HIDDEN", "mistake"]

Table = list[list[Fraction]]

# Rows are inputs, columns outputs. The notebook shows none of them.
HIDDEN: tuple[tuple[str, Table], ...] = (
    ("coin", [[Fraction(5, 6), Fraction(1, 6)], [Fraction(1, 6), Fraction(5, 6)]]),
    ("asymmetric", [[Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 8), Fraction(7, 8)]]),
    ("asymmetric", [[Fraction(1, 8), Fraction(7, 8)], [Fraction(1, 2), Fraction(1, 2)]]),
    ("constant", [[Fraction(1, 3), Fraction(2, 3)]] * 2),
    ("never", [[Fraction(3, 4), Fraction(0), Fraction(1, 4)]] * 2),
    (
        "three",
        [
            [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)],
            [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)],
            [Fraction(1, 5), Fraction(2, 5), Fraction(2, 5)],
        ],
    ),
    ("zero", [[Fraction(1, 2), Fraction(1, 2)], [Fraction(0), Fraction(1)]]),
    ("zero", [[Fraction(0), Fraction(1)], [Fraction(1, 2), Fraction(1, 2)]]),
)
_SAID = {
    "coin": "Try the table of the coin first: two inputs, two outputs.",
    "asymmetric": "Both directions: an output may be likelier under the second input.",
    "constant": "Both inputs answer alike there, so nothing is learned: which ε says that?",
    "never": "An output that no input gives compares with nothing: leave it out.",
    "three": "There may be more than two inputs: compare every two of them.",
    "zero": "Which output excludes an input? No finite ε pays for that: give math.inf.",
}


def mistake(value: float, kind: str, table: Table) -> str:
    """Say what is wrong with a level computed for a hidden table; nothing when it is right.

    Examples
    --------
    >>> kind, table = HIDDEN[0]
    >>> mistake(math.log(5), kind, table)
    ''
    """
    odds = _odds(table)
    worst = math.log(odds) if odds != math.inf else math.inf
    if value == worst or abs(value - worst) <= 1e-9:
        return ""
    if worst not in (0, math.inf) and math.isclose(value, odds):
        return "Those are the odds; the level is their natural logarithm."
    rows = max(max(row) / min(row) if min(row) else math.inf for row in table)
    if kind != "coin" and rows != math.inf and math.isclose(value, math.log(rows)):
        return "You compared two outputs of one input; compare one output under two inputs."
    return _SAID[kind]


def _odds(table: Table) -> Any:
    columns = [column for column in zip(*table, strict=True) if max(column)]
    return max(max(column) / min(column) if min(column) else math.inf for column in columns)
