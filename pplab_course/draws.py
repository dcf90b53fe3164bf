"""Numbers of one's own: exercises whose numbers a graded course can draw for each student.

A draw belongs to an exercise with a right number. It tells the numbers in words, and computes the
answer, and some of the mistakes that the exercise knows, from them. With the numbers that the
notebook prints it gives the exercise's own answer.
"""

from __future__ import annotations

import math
import os
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
    """What varies in an exercise: the first of each choice is what the notebook prints.

    ``answer`` and ``slips``, the mistakes, are formulas in the names of the choices.
    """

    text: str
    choices: Choices
    answer: str
    slips: tuple[str, ...] = ()


def numbers(choices: Choices, seed: str, answer: str = "") -> dict[str, Any]:
    """One of each choice, the same for the same seed, and never all that are printed.

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
    """The result of a formula of this project for the numbers drawn; an int where it is whole.

    Examples
    --------
    >>> value("sqrt(2) * k", {"k": 2})
    2.8284271247461903
    """
    result = eval(formula, _KNOWN | dict(sample))
    whole = result == int(result) and isinstance(result, Rational)
    return int(result) if whole else float(result)


def own(exercise_id: str, token: str = "") -> tuple[str, float, dict[float, float]] | None:
    """The numbers of a student in words, the answer, and mistakes: printed value to drawn one.

    None for an exercise without a draw, or where no token is given and none is in the environment.
    """
    draw, token = DRAWS.get(exercise_id), token or os.environ.get(TOKEN, "")
    if draw is None or not token:
        return None
    sample, printed = (
        numbers(draw.choices, f"{token} {exercise_id}", draw.answer),
        first(draw.choices),
    )
    slips = {value(slip, printed): value(slip, sample) for slip in draw.slips}
    return draw.text.format(**sample), value(draw.answer, sample), slips


def one_of(*denominators: int) -> list[Fraction]:
    """One half, one third and so on, to choose from.

    Examples
    --------
    >>> one_of(2, 10)
    [Fraction(1, 2), Fraction(1, 10)]
    """
    return [Fraction(1, n) for n in denominators]


_ODDS = "density / (1 - density) * (1 - p) / p"
_GAIN = "percent / (100 - percent) * exp(epsilon)"
_MISS = "(1 - percent / 100) ** (readings * tolerances * subsets)"
# What gaps are filled with, and what the lone rater gave.
_LONE = [(3, 5), *((gap, rating) for gap in range(1, 6) for rating in range(1, 5) if rating != gap)]

DRAWS = {
    "00-C": Draw(
        "λ = {density} and p = {p}",
        {"density": one_of(10, 8, 12, 15), "p": one_of(100, 50, 80, 200)},
        f"1 - 1 / (1 + {_ODDS})",
        (_ODDS, "1 - p", "1 - 1 / (1 + density * (1 - p) / p)"),
    ),
    "01-C": Draw(
        "p = {p}",
        {"p": [*one_of(10, 6, 12, 16, 7, 9), Fraction(3, 20), Fraction(3, 10), Fraction(2, 15)]},
        "log((1 - p) / p)",
        ("(1 - p) / p", "log(1 / p)", "log((1 - p) / p) / log(10)"),
    ),
    "02-C": Draw(
        "Q = {cells} cells, {edges} edges and p = {p}",
        {"cells": (20, 30, 40, 60), "edges": (6, 8, 9, 12), "p": one_of(4, 5, 8, 10)},
        "edges - p * edges + p * (cells - edges)",
        ("edges + p * cells", "edges + p * (cells - edges)", "p * cells"),
    ),
    "05-C": Draw(
        "a cluster of {members} people, ε = {epsilon}",
        {"members": (20, 25, 30, 40), "epsilon": one_of(2, 3, 4, 5)},
        "sqrt(2) / (members * epsilon)",
        ("sqrt(2) / epsilon", "1 / (members * epsilon)"),
    ),
    "07-C": Draw(
        "λ = {density:g}",
        {"density": (3.14e-5, 2.5e-4, 7.2e-5, 4.4e-4, 1.9e-3, 8.8e-4, 1.3e-5, 5.6e-5)},
        "log(1 / density)",
        ("log(1 / density) / log(10)", "-log(1 / density)"),
    ),
    "12-C": Draw(
        "J = {similarity} and σ₋ = {lost}",
        {"similarity": (0.681, 0.652, 0.633, 0.604), "lost": (0.177, 0.154, 0.186, 0.193)},
        "(1 - lost) / similarity - 1",
        ("1 - lost - similarity", "(1 - lost) / similarity"),
    ),
    "14-C": Draw(
        "a group of four, the mean {case[0]}, gaps filled with {case[1]}",
        {"case": [(Fraction(3 * gap + rating, 4), gap) for gap, rating in _LONE]},
        "4 * case[0] - 3 * case[1]",
        ("case[0]", "4 * case[0]", "4 * case[0] - 4 * case[1]"),
    ),
    "15-C": Draw(
        "σ = {sigma}, V = {variance} thousand",
        {"sigma": one_of(2, 3, 4, 5), "variance": (142.7, 118.3, 163.9)},
        "sigma ** 2 * variance",
        ("sigma * variance",),
    ),
    "17-C": Draw(
        "a belief of {percent} %, ε = {epsilon}",
        {"percent": (5, 4, 8, 10), "epsilon": (2, 1.5, 2.5)},
        f"1 - 1 / (1 + {_GAIN})",
        ("percent / 100 * exp(epsilon)", _GAIN),
    ),
    "18-C": Draw(
        "{readings} readings, {tolerances} tolerances and {subsets} subsets, {percent} % each",
        {"readings": (3, 2), "tolerances": (2, 3, 5), "subsets": (4, 3), "percent": (5, 4, 3)},
        f"1 - {_MISS}",
        (_MISS,),
    ),
    "04-C": Draw(
        "{cells} equal cells, p = {p}",
        {"cells": (3, 4, 5), "p": one_of(10, 4, 5, 8, 20, 25)},
        "((1 - p) / p) ** cells",
        ("1 / p ** cells",),
    ),
    "09-C": Draw(
        "{nodes} nodes, at most {common} common neighbours, ε = {epsilon}",
        {"nodes": (1000, 600, 800, 1500), "common": (20, 30, 40), "epsilon": one_of(2, 4, 5)},
        "(nodes - 2) / epsilon",
        ("common / epsilon", "(nodes - 2) * epsilon", "nodes - 2"),
    ),
    "16-C": Draw(
        "rows clipped to length {clip}, σ = {sigma}",
        {"clip": (2, 3, 4, 5), "sigma": (Fraction(3, 2), Fraction(5, 4), Fraction(7, 4))},
        "sigma * clip ** 2",
        ("sigma * clip",),
    ),
}
