"""Notebook 02: rows, fuzzy xor, a response in two stages."""

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
    "No, each empty cell must publish an edge with chance 0.8 * exp(-eps); most cells are empty."
)
FEWEST = 0.8 / 19 * (943 * 1650 - 80_000)

STAGES = TwoStageResponse(levels=5, flip_probability=Fraction(5, 43), rating_odds=4)
