"""Numbers of one's own: exercises whose numbers a graded course can draw for each student.

A draw belongs to the record of an exercise: it tells the numbers in words, and computes the answer,
and the mistakes that are formulas, from them.
"""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import Any

Choices = Mapping[str, Sequence[Any]]
TOKEN = "PPLAB_STUDENT"  # the variable with what a student's numbers are drawn from
_KNOWN = {"exp": math.exp, "log": math.log, "sqrt": math.sqrt}


@dataclass(frozen=True)
class Draw:
    """Numbers that vary in an exercise: the notebook prints the first of each choice.

    ``answer`` and ``slips``, the mistakes, are formulas in the names of the choices.
    """

    text: str
    choices: Choices
    answer: str
    slips: Sequence[str] = ()


def numbers(choices: Choices, seed: str, answer: str = "") -> dict[str, Any]:
    """One option of each choice, fixed by the seed, and never all of the printed ones.

    With the formula of an answer it is another answer, too, by more than 2 %.

    Examples
    --------
    >>> numbers({"k": (3, 5), "p": (0.1,)}, "ada")
    {'k': 5, 'p': 0.1}
    """
    rng, printed = random.Random(seed), first(choices)
    while True:
        sample = {name: rng.choice(values) for name, values in choices.items()}
        both = [value(answer or "0", setting) for setting in (printed, sample)]
        if sample != printed and not (answer and math.isclose(*both, rel_tol=0.02)):
            return sample


def first(choices: Choices) -> dict[str, Any]:
    """The first of each choice: the numbers in print."""
    return {name: values[0] for name, values in choices.items()}


def value(formula: str, sample: Mapping[str, Any]) -> float:
    """The value of a formula for the drawn numbers; an int if it is whole.

    Examples
    --------
    >>> value("sqrt(2) * k", {"k": 2})
    2.8284271247461903
    """
    result = eval(formula, _KNOWN | dict(sample))
    whole = result == int(result) and isinstance(result, Rational)
    return int(result) if whole else float(result)


def options(table: Mapping[str, Sequence[Any]]) -> Choices:
    """Choices as TOML has them, with the fractions in quotes as fractions.

    Examples
    --------
    >>> options({"p": ["1/3", 2], "case": [["7/2", 3]]})
    {'p': [Fraction(1, 3), 2], 'case': [[Fraction(7, 2), 3]]}
    """
    return {name: _exact(values) for name, values in table.items()}


def _exact(value: Any) -> Any:
    if isinstance(value, list):
        return [_exact(part) for part in value]
    return Fraction(value) if isinstance(value, str) else value
