"""Notebook 06: hidden fractions tell mistakes apart, settings are judged by exact probabilities."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from pplab.course.check import check
from pplab.theory.optimal_mechanism import (
    optimal_mechanism,
    response_probabilities,
)
from tests.course.examples import complaints

LN3 = math.log(3)


def gap(a: Any, b: Any, x: Any) -> tuple[Any, bool]:
    return x * (a + b) / (b * (b - x)), a + b <= 2 * b * (b - x)


def by_subtraction(a: Any, b: Any, x: Any) -> list[Any]:
    difference = (a + x) / (b - x) - a / b
    return [difference, difference <= 2 * x]


def mixed(share: float) -> np.ndarray:
    """Randomized response whose output is now and then replaced by the empty graph."""
    table = (1 - share) * response_probabilities(4, LN3)
    table[:, 0] += share
    return table


def favour_the_full() -> np.ndarray:
    """Randomized response whose output is now and then the full graph: the empty one loses."""
    table = 0.9 * response_probabilities(4, LN3)
    table[:, -1] += 0.1
    return table


LABEL = "odds of up to 20,506 : 1 for one edge; nobody should call that private"

RIGHT: list[tuple[str, Any]] = [
    ("06-R", "corrected"),
    ("06-R", "the Chernoff form"),
    ("06-C", math.log(1 / 3.14e-5)),
    ("06-C", 10.37),
    ("06-P", gap),
    ("06-P", by_subtraction),
    ("06-B", (0.011, 10**5, 4.7)),
    ("06-B", [Fraction(11, 1000), 1e5, np.float64(4.7)]),
    ("06-D", (9.93, LABEL)),
    ("06-D", [math.log(0.3 / 0.7 / 2.09e-5), "one cell; e^ε = 20506"]),
    ("06-O", mixed(0.15)),
    ("06-O", mixed(0.05).tolist()),
    ("06-O", optimal_mechanism(4, LN3).probabilities),
]

WRONG: list[tuple[str, Any, str]] = [
    ("06-R", "printed", "Where does b lie"),
    ("06-R", "the mean", "needs a tail"),
    ("06-C", 4.50, "natural logarithm"),
    ("06-C", 31_847, "Those are the odds"),
    ("06-C", -10.37, "not negative"),
    ("06-C", 9.675, "1 : 1"),
    ("06-C", 10.4, "two digits"),
    ("06-P", lambda a, b, x: (gap(a, b, x)[0], True), "try b < 1"),
    ("06-P", lambda a, b, x: (gap(a, b, x)[0], a + b < 2 * b * (b - x)), "at most"),
    ("06-P", lambda a, b, x: (gap(a, b, x)[0], False), "above 1"),
    ("06-P", lambda a, b, x: ((a - x) / (b - x) - a / b, True), "with a − x"),
    ("06-P", lambda a, b, x: ((a + x) / (b - x), False), "the left side"),
    ("06-B", (1e-3, 10**6, 5.8), "at most 100,000"),
    ("06-B", (0.5, 10**5, 4.7), "shrink λ"),
    ("06-B", (0.011, 10**5, 6.0), "does not speak"),
    ("06-B", (1e-4, 10**5, 2.0), "Move λ"),
    ("06-B", (1e-9, 10**5, 2.0), "at least one edge"),
    ("06-B", (0.1, 10**5, -1), "at least 0"),
    ("06-D", 9.93, "no label"),
    ("06-D", (4.31, LABEL), "natural logarithm"),
    ("06-D", (5, LABEL), "less than 0.3"),
    ("06-D", (12, LABEL), "more than was asked"),
    ("06-D", (9.93, "safe"), "odds e^ε as a number"),
    ("06-D", (9.93, "odds 20,506 : 1"), "name the unit"),
    ("06-O", favour_the_full(), "the worst graph does"),
    ("06-O", response_probabilities(4, LN3), "graphs with 0 of 4"),
    ("06-O", mixed(0.6), "graphs with 1 of 4"),
    ("06-O", response_probabilities(4, 2.0), "Not private enough"),
    ("06-O", response_probabilities(3, LN3), "16 rows"),
    ("06-P", lambda *_: 1, "gives back two things"),
    ("06-P", lambda *_: ("a", True), "must be a number"),
    ("06-B", (0.01, 4.7), "wants 3 numbers"),
    ("06-B", (0.01, 10.5, 4.7), "whole number"),
    ("06-D", ("9.93", "odds"), "wants a number"),
    ("06-O", np.eye(5), "wants a table"),
]

# A hint must not hold the answer: the exercise and the answer in words.
SECRETS = [("06-R", "corrected"), ("06-C", "10.37"), ("06-D", "20,506"), ("06-B", "0.011")]


def test_answers_are_judged() -> None:
    assert complaints("06", RIGHT, WRONG, SECRETS) == []


def test_the_level_of_the_label_is_the_least_one() -> None:
    least = math.log(0.3 / 0.7 / 2.09e-5)
    odds = "one edge, odds {:,.0f} : 1".format
    assert check("06-D", (least, odds(math.exp(least))))
    assert not check("06-D", (least - 0.05, odds(math.exp(least))))
