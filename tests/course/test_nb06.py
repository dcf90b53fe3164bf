"""Notebook 06: hidden fractions tell mistakes apart, settings are judged by exact probabilities."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from pplab.theory.optimal_mechanism import optimal_mechanism, response_probabilities
from pplab_course.exercises import check

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


RIGHT: dict[str, list[Any]] = {
    "06-R": [
        "corrected",
        "repaired",
        "the Chernoff form",
        "Chernoff's",
        "exact, not the printed one",
    ],
    "06-C": [math.log(1 / 3.14e-5), 10.37, 10.4, 10.3, np.float64(10.3687)],
    "06-P": [
        gap,
        by_subtraction,
        lambda a, b, x: (x * (a / b + 1) / (b - x), (a + b) / (b * (b - x)) <= 2),
    ],
    "06-B": [
        (0.011, 10**5, 4.7),
        [Fraction(11, 1000), 1e5, np.float64(4.7)],
        np.array([0.012, 10**5, 4.7]),
    ],
    "06-D": [
        (9.93, 20_537, "edge"),
        [math.log(0.3 / 0.7 / 2.09e-5), 20_506, "Edge"],
        (9.929, math.exp(9.929), "one edge"),
    ],
    "06-O": [mixed(0.15), mixed(0.05).tolist(), optimal_mechanism(4, LN3).probabilities],
}

WRONG: dict[str, list[Any]] = {
    "06-R": [
        ("printed", "Where does b lie"),
        ("corrected or printed", "Where does b lie"),
        ("the mean", "needs a tail"),
        ("chernoff or exact", "Name one form"),
    ],
    "06-C": [4.50, 31_847, -10.37, 9.675, 11.06, (10, "right but for rounding")],
    "06-P": [
        (lambda a, b, x: (gap(a, b, x)[0], True), "try b < 1"),
        (lambda a, b, x: (gap(a, b, x)[0], a + b < 2 * b * (b - x)), "at most"),
        (lambda a, b, x: by_subtraction(float(a), float(b), float(x)), "rounds"),
        (lambda a, b, x: (gap(a, b, x)[0], False), "above 1"),
        (lambda a, b, x: (gap(a, b, x)[1], gap(a, b, x)[0]), "the gap comes first"),
        (lambda a, b, x: (gap(a, b, x)[0], (a + x) / (b - x) <= 2 * x), "above 1"),
        (lambda a, b, x: ((a - x) / (b - x) - a / b, True), "with a − x"),
        (lambda a, b, x: ((a + x) / (b - x), False), "the left side"),
        (lambda *_: 1, "gives back two things"),
        (lambda *_: ("a", True), "must be a number"),
    ],
    "06-B": [
        ((1e-3, 10**6, 5.8), "at most 100,000"),
        ((0.5, 10**5, 4.7), "shrink λ"),
        ((0.011, 10**5, 6.0), "does not speak"),
        ((1e-4, 10**5, 2.0), "Move λ"),
        ((1e-9, 10**5, 2.0), "at least one edge"),
        ((0.1, 10**5, -1), "at least 0"),
        ((0.01, 4.7), "wants 3 numbers"),
        ((0.01, 10.5, 4.7), "whole number"),
    ],
    "06-D": [
        ((4.31, 20_506, "edge"), "natural logarithm"),
        ((5, 148, "edge"), "less than 0.3"),
        ((10.8, 49_000, "edge"), "more than was asked"),
        ((9.93, 9.93, "edge"), "do not belong"),
        ((9.93, 20_506, "author"), "one by one"),
        ((9.93, 20_506, "link"), "one of the words"),
        (9.93, "three things"),
        ((9.92, 20_330, "edge"), "Rounded down"),
        ((20_506, 9.93, "edge"), "comes first"),
        ((9.93, 20_400, "edge"), "right but for rounding"),
        (("9.93", 20_506, "edge"), "wants a number"),
    ],
    "06-O": [
        (favour_the_full(), "the worst graph does"),
        (response_probabilities(4, LN3), "graphs with 0 of 4"),
        (mixed(0.6), "graphs with 1 of 4"),
        (mixed(0.0001), "is asked for"),
        (response_probabilities(4, 2.0), "Not private enough"),
        (response_probabilities(3, LN3), "16 rows"),
        (np.eye(5), "wants a table"),
    ],
}

# A hint must not hold the answer: the exercise and the answer in words.
SECRETS = {"06-R": "corrected", "06-C": "10.37", "06-D": "20,506", "06-B": "0.011"}


def test_the_level_of_the_label_is_the_least_one() -> None:
    least = math.log(0.3 / 0.7 / 2.09e-5)
    assert check("06-D", (least, math.exp(least), "edge"))
    assert not check("06-D", (least - 0.05, math.exp(least), "edge"))
