"""Notebook 02: rows, fuzzy xor, a response in two stages."""

import math
from fractions import Fraction
from itertools import product

import numpy as np

from pplab.response.categorical import TwoStageResponse


def zeros(xor, top):
    grid = product(range(top + 1), repeat=2)
    return [(r, s) for r, s in grid if xor(Fraction(r, top), Fraction(s, top)) == 0]


def in_floats(xor, top):
    return {(r, s) for r, s in product(range(top + 1), repeat=2) if xor(r / top, s / top) == 0}


def as_array(xor, top):
    return np.array(zeros(xor, top))


ARGUMENT = (
    "No: take one cell and the output edge. With an edge it has probability 0.8, so without one it "
    "has at least 0.8/19, whatever the response does."
)
OTHER_WORDS = (
    "Each empty cell must publish an edge with chance 0.8 * exp(-eps); most cells are empty."
)
FEWEST = 0.8 / 19 * (943 * 1650 - 80_000)

STAGES = TwoStageResponse(levels=5, flip_probability=Fraction(5, 43), rating_odds=4)

RIGHT = {
    "02-R": ["user", "Users", "a user's row", "rows", "one person"],
    "02-C": [8, Fraction(8), 8.0, np.float64(8)],
    "02-P": [zeros, in_floats, as_array],
    "02-B": [(1, 2), [1, 2], np.array([1, 2])],
    "02-D": [(0.1163, 4), (Fraction(5, 43), 4), (0.117, 4), (0.1276, Fraction(5)), STAGES],
    "02-O": [(FEWEST, ARGUMENT), [62_145, OTHER_WORDS], (62_100, ARGUMENT.upper())],
}
WRONG = {
    "02-R": [*("edge", "item", "node"), ("a column", "Whose row")],
    "02-C": [11, 9.5, 5, 4.5],
    "02-P": [
        (lambda _, top: [(r, r) for r in range(top + 1)], "diagonal"),
        (lambda *_: [(0, 0)], "other end"),
        (lambda *_: [(0, 0), (5, 5)], "L = 3"),
        (lambda _, top: [(0, 0), (top, top)], "|x − y| is 0 elsewhere"),
        (lambda xor, top: [pair for pair in zeros(xor, top) if top not in pair], "other end"),
        (lambda *_: 5, "a list of pairs"),
    ],
    "02-B": [
        ((3, 3), "bound holds"),
        ((1, 3), "smaller graph"),
        ((2, 3), "smaller graph"),
        ((0, 2), "from 1"),
    ],
    "02-D": [
        ((Fraction(1, 1 + Fraction(19, 4)), 4), "not tight"),
        ((0.05, 4), "Not private enough"),
        ((0.116, 4), "round p up"),
        ((0.3, 4), "more noise than"),
        ((Fraction(5, 43), math.log(4)), "the odds e^ε₂"),
        ((1 / (1 + 19 * 6 / 10), 2), "at least 1/2"),
        ((0.1618, 11), "below 300,000"),
    ],
    "02-O": [
        ((0, "choose p small"), "what is ε"),
        ((FEWEST, f"Yes: {ARGUMENT}"), "You say yes"),
        ((0.8 / 19 * 943 * 1650, ARGUMENT), "empty cells only"),
        ((77_682, ARGUMENT), "8 in 10"),
        ((73_797, ARGUMENT), "That is the flip"),
        ((0.2 / 19 * 1_475_950, ARGUMENT), "edges that are lost"),
        ((20_000, ARGUMENT), "which output"),
        (ARGUMENT, "a pair"),
        ((62_145, "No."), "whole argument"),
        ((62_145, "no " * 40), "whole argument"),
    ],
}
SECRETS = {"02-R": "user", "02-C": "8", "02-B": "(1, 2)", "02-D": "43", "02-O": "62145"}
