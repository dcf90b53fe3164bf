"""Notebook 08: hidden fractions tell mistakes apart, settings are judged by exact chances."""

import math
from fractions import Fraction

import numpy as np

from pplab.theory.jaccard_bound import jaccard_bound


def gap(a, b, x):
    return x * (a + b) / (b * (b - x)), a + b <= 2 * b * (b - x)


def by_subtraction(a, b, x):
    difference = (a + x) / (b - x) - a / b
    return [difference, difference <= 2 * x]


def form(name):
    """The library's bound of this form."""
    return lambda density, cells, epsilon, delta: jaccard_bound(
        density=density, cells=cells, epsilon=epsilon, delta=delta, form=name
    )


def tail(share, over=1, looks=2, log=math.log):
    """A bound whose tail is a share of x for so many looks, over a power of b."""

    def bound(density, cells, epsilon, delta):
        flip = 1 / (1 + math.exp(epsilon))
        b = density + flip * (1 - density)
        x = math.sqrt(log(looks / delta) / 2 / cells)
        return density * (1 - flip) / b + share * x / b**over

    return bound


one_look = tail(1, looks=1)


def answered(second):
    """The right gap, and something in place of True or False."""
    return lambda a, b, x: (gap(a, b, x)[0], second)


RIGHT = {
    "08-R": ["chernoff", "the Chernoff form", "Chernoff's"],
    "08-C": [math.sqrt(math.log(200) / 2e6), 0.00163, 1.63e-3],
    "08-P": [
        gap,
        by_subtraction,
        lambda a, b, x: (x * (a / b + 1) / (b - x), (a + b) / (b * (b - x)) <= 2),
    ],
    "08-B": [
        (0.011, 10**5, 4.7),
        [Fraction(11, 1000), 1e5, np.float64(4.7)],
        np.array([0.012, 10**5, 4.7]),
    ],
    "08-D": [tail(1), tail(1.1), one_look, lambda *setting: min(1, one_look(*setting))],
    "08-O": [(0.0018, 10**7, 6.3, 1e-6), [0.018, 1e5, 3.6, 1e-9]],
}

WRONG = {
    "08-R": ["printed", "the mean", "corrected"],
    "08-C": [
        *(2.65e-6, 0.001517, 0.001073, 0.0023, 1627.6),
        (0.002, "right but for rounding"),
        (0.0016, "right but for rounding"),
    ],
    "08-P": [
        (answered(True), "try b < 1"),
        (lambda a, b, x: (gap(a, b, x)[0], a + b < 2 * b * (b - x)), "at most"),
        (lambda a, b, x: by_subtraction(float(a), float(b), float(x)), "keep them as they are"),
        (answered(False), "above 1"),
        (lambda a, b, x: (gap(a, b, x)[1], gap(a, b, x)[0]), "the gap comes first"),
        (lambda a, b, x: (gap(a, b, x)[0], (a + x) / (b - x) <= 2 * x), "above 1"),
        (lambda a, b, x: ((a - x) / (b - x) - a / b, True), "with a − x"),
        (lambda a, b, x: ((a + x) / (b - x), False), "the left side"),
        (answered("True"), "without quotes, got str 'True'"),
        (answered("False"), "without quotes, got str 'False'"),
        (answered(1), "True or False"),
        (lambda *_: 1, "gives back two things"),
        (lambda *_: ("a", True), "keep them as they are"),
    ],
    "08-B": [
        ((1e-3, 10**6, 5.8), "at most 100,000"),
        ((0.5, 10**5, 4.7), "shrink λ"),
        ((0.011, 10**5, 6.0), "does not apply"),
        ((1e-4, 10**5, 2.0), "Move λ"),
        ((1e-9, 10**5, 2.0), "at least one edge"),
        ((0.1, 10**5, -1), "at least 0"),
        ((0.01, 4.7), "takes 3 numbers, such as (1, 2, 3)"),
        ({"density": 0.01, "cells": 10**5, "epsilon": 4.7}, "such as (1, 2, 3), got dict"),
        ((0.01, 10.5, 4.7), "whole number"),
    ],
    "08-D": [
        (form("chernoff"), "jaccard_bound is what your function is compared with"),
        (lambda *setting: form("exact")(*setting) + 1e-6, "write your own"),
        (tail(1, looks=1, log=math.log10), "exceeded more often"),
        (tail(2), "its tail is 1 of"),
        (tail(0), "needs a tail"),
        (tail(1.3), "its tail is 0.65 of"),
        (tail(0.05, over=0), "exceeded more often"),
        (lambda *_: 1, "of the corrected one"),
        (lambda *_: "x/b", "takes a number"),
    ],
    "08-O": [
        ((0.018, 10**5, 3.8, 1e-4), "times as often as allowed"),
        ((0.0018, 10**9, 6.3, 1e-6), "at most 100,000,000"),
        ((0.0018, 10**7, 7, 1e-6), "does not apply"),
        ((0.0018, 10**7, 6.3, 0), "between 0 and 1"),
        ((0.0018, 10**7, 6.3), "takes 4 numbers, such as (1, 2, 3, 4)"),
    ],
}

# A hint must not hold the answer: the exercise and the answer in words.
SECRETS = {"08-R": "chernoff", "08-C": "0.00163", "08-B": "0.011"}
