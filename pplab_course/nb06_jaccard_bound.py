"""Exercises of notebook 06: which form holds, levels, the gap, a violation, a label, 4 cells."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from pplab.theory.jaccard_bound import is_covered, violation_probability
from pplab.theory.optimal_mechanism import (
    check_mechanism,
    edge_level,
    response_probabilities,
    worst_case_jaccard,
)
from pplab_course.answers import Refusal, call, number, numbers, parts, text
from pplab_course.exercises import close, enter, hidden, right

# 06-R: which form of the bound holds


@enter(
    "06-R",
    praise="right. It holds at every density; which one you take is a question of effort.",
    hints=(
        "Four forms stand in the figure of the tails. Which of them cross the exact one?",
        "On a sparse graph b, the mean of the union over Q, is small. Which tail knows about b?",
    ),
)
def _form(answer: Any) -> str | None:
    forms = r"(?<!not )(?<!not the )\b(print|mean|correct|repair|exact|chern)(?:ed|off)?\b"
    named = set(re.findall(forms, text(answer).lower()))
    if "print" in named:
        return "Where does b lie on a sparse graph? The printed tail does not ask."
    if "mean" in named:
        return "A mean is exceeded about every second time: a bound needs a tail."
    if len(named) > 1:
        return "Name one form, the one you would hand to the colleague."
    return "" if named else None


# 06-C: the level of half the graph


_WANTED = math.log(1 / 3.14e-5)

enter(
    "06-C",
    praise="right. Half the graph costs ln(1/λ).",
    hints=(
        "The odds of the mean similarity are λ times e^ε; which odds belong to J = 1/2?",
        "Odds of 1 : 1 ask for e^ε = 1/λ. Take the logarithm.",
    ),
    right=_WANTED,
    mistakes=(
        (
            math.log10(1 / 3.14e-5),
            "That is the logarithm to base 10: this book takes the natural logarithm.",
        ),
        (1 / 3.14e-5, "Those are the odds e^ε; the question is about ε.", 0.02),
        (-_WANTED, "A level is not negative: mind which of the two you divide by."),
        (_WANTED - math.log(2), "J = 1/2 means odds of 1 : 1, not a factor of two."),
        (_WANTED + math.log(2), "J = 1/2 means odds of 1 : 1, not a factor of two."),
    ),
)


# 06-P: the gap of lemma A.1, on hidden fractions: b below 1, b above 1, equality


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


@enter(
    "06-P",
    praise="right, on fractions you have not seen, above and below b = 1.",
    hints=(
        "Bring (a + x)/(b − x) and a/b to one denominator, b (b − x).",
        "The condition needs no fraction: multiply x(a + b)/(b(b − x)) ≤ 2x by b(b − x)/x.",
    ),
)
def _gap(answer: Callable[..., Any]) -> str | None:
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
        given = call(answer, a, b, x)
        form = "your function gives back two things: the gap, and True or False."
        gap, small = parts(given, 2, form)
        if isinstance(gap, (bool, np.bool_)):
            raise Refusal("the gap comes first, then True or False.")
        wanted = (a + x) / (b - x) - a / b
        if not _equal(gap, wanted):
            return _named(gap, a, b, x)
        if bool(small) != (wanted <= 2 * x):
            wrong.append((b, wanted == 2 * x))
    if all(equal for _, equal in wrong):
        if wrong and not isinstance(gap, Fraction):
            return "Your function rounds. It was given fractions: keep them as they are."
        return "Mind the word at most: a gap of exactly 2x is small enough." if wrong else ""
    if all(b < 2 for b, _ in wrong):  # from 2 on the gap is at most 2x in all these cases
        return "Right for large b. Now try b < 1, where sparse graphs live."
    return "The condition is off for b above 1: compare it with the gap itself."


def _equal(value: Any, wanted: Fraction) -> bool:
    try:
        return abs(float(value) - float(wanted)) <= 1e-9 * max(1.0, abs(float(wanted)))
    except (TypeError, ValueError, OverflowError) as error:
        raise Refusal("the first thing your function gives back must be a number.") from error


def _named(gap: Any, a: Fraction, b: Fraction, x: Fraction) -> str | None:
    if _equal(gap, (a - x) / (b - x) - a / b):
        return "That is the gap of the lemma as printed, with a − x; the proof needs a + x."
    if _equal(gap, (a + x) / (b - x)):
        return "That is the left side; the gap is what it has above a/b."
    return None


# 06-B: a setting that violates the printed bound

MOST_CELLS, DELTA = 10**5, 1 / 20


@enter(
    "06-B",
    praise="right: the theorem speaks about your setting, and fails there more than twice too "
    "often.",
    hints=(
        "violation_probability(..., form='printed') gives the exact probability, is_covered(...) "
        "says whether the theorem speaks. Try a list of densities.",
        "With fewer cells x is larger, and the condition wants a larger flip probability, hence a "
        "smaller ε. Go as far up with ε as the condition lets you, then search for λ.",
    ),
)
def _violated(answer: Any) -> str | None:
    density, cells, epsilon = numbers(answer, 3)
    if cells != int(cells) or not 1 <= cells <= MOST_CELLS:
        return f"Q, the second of the three, is a whole number of at most {MOST_CELLS:,} cells."
    if not 0 < density <= 1 or round(density * cells) < 1:
        return "λ lies between 0 and 1 and leaves at least one edge in Q cells."
    if not epsilon >= 0:
        return "ε is at least 0."
    if not is_covered(cells=int(cells), epsilon=epsilon, delta=DELTA):
        return "There p/2 < x, so the theorem does not speak: take a smaller ε."
    chance = violation_probability(
        density=density, cells=int(cells), epsilon=epsilon, delta=DELTA, form="printed"
    )
    if chance > 2 * DELTA:
        return ""
    if density >= 0.1:
        return f"Exceeded with probability {chance:.2g}. The graph is too dense: shrink λ."
    return f"Exceeded with probability {chance:.2g} only. Move λ, or raise ε while it is covered."


# 06-D: the least level, and its label

DENSITY, TARGET = 2.09e-5, 0.3  # the density of com-dblp
ODDS = TARGET / (1 - TARGET) / DENSITY


UNITS = ("edge", "author", "graph")


@enter(
    "06-D",
    praise="right: the least ε, and a label that says what it means.",
    hints=(
        "Solve λ e^ε = J/(1 − J) for ε. The odds are e^ε.",
        "The unit: what may differ between two graphs that randomized response hides at odds e^ε?",
    ),
)
def _label(answer: Any) -> str | None:
    form = "this exercise wants three things: (ε, odds, unit); a label needs them all."
    epsilon, odds, unit = parts(answer, 3, form)
    epsilon, odds, unit = number(epsilon), number(odds), text(unit).lower().removeprefix("one ")
    if close(epsilon, math.log10(ODDS), within=0.01):
        return "That is the logarithm to base 10: this book takes the natural logarithm."
    if close(epsilon, ODDS, within=0.03):
        return "ε comes first, then its odds."
    if epsilon < math.log(ODDS) - 0.01:
        return f"At ε = {epsilon:.3g} a copy keeps less than {TARGET} on average."
    if epsilon < math.log(ODDS) * (1 - 1e-9):
        return f"Rounded down, ε keeps a little less than {TARGET}: round it up."
    if epsilon > math.log(ODDS) + 0.02:
        return "That keeps more than was asked for, and costs more than it must."
    if right(odds, math.exp(epsilon)) is None:
        return "The odds do not belong to this ε: they are e^ε, as a number."
    if unit not in UNITS:
        raise Refusal(f"the unit is one of the words {', '.join(UNITS)}.")
    if unit != "edge":
        return "Cells flip one by one. Whose difference do these odds hide: how many cells?"
    return ""


# 06-O: a mechanism on four cells that beats randomized response

LN3, MORE = math.log(3), 0.01


@enter(
    "06-O",
    praise="private, and better in the worst case. Judge your argument yourself:",
    hints=(
        "On which graph does randomized response do worst, and what would help that graph?",
        "Whatever is done to the output of randomized response costs no privacy: so change the "
        "output now and then, in favour of the worst graph.",
    ),
    rubric=(
        "\n  1 you can say in one sentence what your mechanism does, and why it is private"
        "\n  2 you can say which graphs gain by it and which lose"
        "\n  3 you compared it with the best one, and can say what is left"
    ),
)
def _better(answer: Any) -> str | None:
    try:
        table, cells = check_mechanism(answer)
    except (TypeError, ValueError) as error:
        raise Refusal(
            "this exercise wants a table of probabilities, a row for each of the 16 graphs on 4 "
            "cells and a column for each output."
        ) from error
    if cells != 4:
        return f"Your table is for {cells} cells; the question is about 4: 16 rows, 16 columns."
    level = edge_level(table)
    if level > LN3 + 1e-5:
        return f"Not private enough: the worst odds are {math.exp(level):.3g} : 1, allowed 3 : 1."
    least = worst_case_jaccard(table)
    gain = least - worst_case_jaccard(response_probabilities(4, LN3))
    if gain >= MORE - 1e-6:
        return ""
    if gain > 1e-6:
        return f"Private and better, but by {gain:.2g} only: {MORE} or more is asked for."
    worst = min(range(5), key=lambda edges: worst_case_jaccard(table, edges=[edges]))
    return (
        f"Private, but graphs with {worst} of 4 edges keep only {least:.2f} on average. The mean "
        "over all graphs does not count here: the worst graph does."
    )
