"""Exercises of notebook 08: a deviation, the gap, bounds and settings that break one."""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from pplab.theory.jaccard_bound import is_covered, jaccard_bound, violation_probability
from pplab_course.answers import Refusal, call, named, number, numbers, parts, without
from pplab_course.exercises import close, enter, hidden

# 08-P: the gap of lemma A.1, on hidden fractions: b below 1, b above 1, equality


def _random_fractions() -> list[tuple[Fraction, Fraction, Fraction]]:
    random = np.random.default_rng(hidden(606))
    fractions = []
    for top in (1, 1, 1, 1, 5, 5):  # b up to 1, then up to 5
        for _ in range(10):
            first, second, third = sorted(int(part) for part in random.integers(1, 10**4, size=3))
            a, b = Fraction(top * first, 10**4), Fraction(top * third, 10**4)
            fractions.append((a, b, b * Fraction(second, 2 * 10**4)))
    return fractions


# A large one first, then random ones; at the end equality, and conditions that are just met.
HIDDEN = [
    (Fraction(2), Fraction(4), Fraction(1)),
    *_random_fractions(),
    (Fraction(0), Fraction(1), Fraction(1, 2)),
    (Fraction(1, 4), Fraction(3, 4), Fraction(1, 12)),
    (Fraction(9, 10), Fraction(19, 20), Fraction(1, 100)),
]


@enter("08-P")
def _gap(answer: Any) -> str | None:
    """Run gap(a, b, x) on hidden fractions; "" when all its answers are right.

    Examples
    --------
    >>> def gap(a, b, x):
    ...     return x * (a + b) / (b * (b - x)), a + b <= 2 * b * (b - x)
    >>> _gap(gap)
    ''
    """
    wrong = []  # b, and whether the gap is 2x exactly, where the condition is wrong
    for a, b, x in HIDDEN:
        answers = call(answer, a, b, x)
        form = "your function gives back two things: the gap, and True or False."
        gap, small = parts(answers, 2, form)
        if isinstance(gap, (bool, np.bool_)):
            raise Refusal("the gap comes first, then True or False.")
        if not isinstance(gap, (Fraction, int)):
            kept = "your function was given fractions: keep them as they are"
            raise Refusal(f"{kept}; the gap was {named(gap)}.")
        if not isinstance(small, (bool, np.bool_)):
            hint = "the second thing is True or False, without quotes"
            raise Refusal(f"{hint}, got {named(small)}.")
        expected = (a + x) / (b - x) - a / b
        if gap == (a - x) / (b - x) - a / b != expected:
            return "You computed the gap of the printed lemma, with a − x; the proof needs a + x."
        if gap == (a + x) / (b - x) != expected:
            return "Your number is (a + x)/(b − x); subtract a/b to get the gap."
        if gap != expected:
            return None
        if bool(small) != (expected <= 2 * x):
            wrong.append((b, expected == 2 * x))
    if all(equal for _, equal in wrong):
        return "The condition says at most: a gap of exactly 2x is small enough." if wrong else ""
    if all(b < 2 for b, _ in wrong):  # from 2 on the gap is at most 2x in all these cases
        return "Your function is right for large b. Now try b < 1, as in sparse graphs."
    return "The condition is wrong for b above 1: compare it with the gap itself."


# 08-B: a setting that violates the printed bound

MOST_CELLS, DELTA = 10**5, 1 / 20


@enter("08-B")
def _violated(answer: Any) -> str | None:
    density, cells, epsilon = numbers(answer, 3)
    chance = _exceeded(density, cells, epsilon, DELTA, most=MOST_CELLS)
    if isinstance(chance, str):
        return chance
    if chance > 2 * DELTA:
        return ""
    if density >= 0.1:
        return f"The bound fails with probability {chance:.2g}. The graph is too dense: reduce λ."
    return f"The bound fails with probability {chance:.2g} only. Move λ, or raise ε if you can."


def _exceeded(
    density: float, cells: float, epsilon: float, delta: float, *, most: int
) -> float | str:
    """Probability beyond the printed bound where the theorem speaks, else what is amiss."""
    if cells != int(cells) or not 1 <= cells <= most:
        return f"Q, the second number, must be a whole number of cells, at most {most:,}."
    if not 0 < density <= 1 or round(density * cells) < 1:
        return "λ must be between 0 and 1, with at least one edge in Q cells."
    if not epsilon >= 0:
        return "ε is at least 0."
    setting: dict[str, Any] = {"cells": int(cells), "epsilon": epsilon, "delta": delta}
    if not is_covered(**setting):
        return "Here p/2 < x, so the theorem does not apply: take a smaller ε."
    return violation_probability(density=density, **setting, form="printed")


# 08-D: a bound from one look

ENOUGH = 0.6  # of the corrected tail
SETTINGS = (
    (1e-3, 10**6, 5.8, 0.05),
    (0.01, 10**5, 4.0, 0.05),
    (0.02, 10**6, 5.0, 0.001),
    (0.3, 10**4, 2.0, 0.1),
    (2e-4, 10**7, 6.0, 0.01),
    (0.9, 10**4, 0.5, 0.001),  # where a tail with log10 instead of ln is too short
)


@enter("08-D")
def _bound(answer: Any) -> str | None:
    """Run bound(density, cells, epsilon, delta) on settings that the condition covers.

    Examples
    --------
    >>> _bound(lambda density, cells, epsilon, delta: 1)
    'Your bound holds, but its tail is 1.11 of the corrected tail; at most 0.6 is allowed.'
    """
    for setting in SETTINGS:
        density, cells, epsilon, delta = setting
        rest: dict[str, Any] = {"cells": cells, "epsilon": epsilon, "delta": delta}
        value = number(call(without(jaccard_bound, answer), *setting))
        a = density / (1 + math.exp(-epsilon))
        mean = a / (a + 1 / (1 + math.exp(epsilon)))  # b is a + p
        if close(value, mean, within=1e-6):
            return "J exceeds its mean about half the time, so a bound needs a tail."
        if value < jaccard_bound(density=density, **rest, form="exact") - 1e-9:
            words = f"λ = {density:g}, Q = {cells:,}, ε = {epsilon:g}, δ = {delta:g}"
            return f"At {words} J exceeds your bound, {value:.4g}, more often than δ allows."
        corrected = 2 * math.sqrt(math.log(2 / delta) / 2 / cells) * mean / a  # mean / a is 1 / b
        share = (value - mean) / corrected
        if share > ENOUGH:
            words = f"its tail is {share:.3g} of the corrected tail"
            return f"Your bound holds, but {words}; at most {ENOUGH} is allowed."
    return ""


# 08-O: a thousand times too often

MOST_OF_ALL, TIMES = 10**8, 1000


@enter("08-O")
def _how_wrong(answer: Any) -> str | None:
    density, cells, epsilon, delta = numbers(answer, 4)
    if not 0 < delta < 1:
        return "δ, the last of the four numbers, must be between 0 and 1."
    chance = _exceeded(density, cells, epsilon, delta, most=MOST_OF_ALL)
    if isinstance(chance, str):
        return chance
    if chance >= TIMES * delta:
        return ""
    return f"The bound fails {chance / delta:.3g} times as often as allowed; find {TIMES:,} times."
