"""Notebook 01: the hidden tables against the enumerator, and each animal as prey of the hunt."""

import math
from fractions import Fraction

import numpy as np
import pytest

from pplab.theory.exact import exact_epsilon
from pplab_course.nb01_privacy_by_counting import PREY, hunted

EMPTY, EDGE = [[0, 0], [0, 0]], [[0, 1], [1, 0]]
CUBE = 1 / (1 + 19 ** (1 / 3))
PATH, TRIANGLE = [[0, 1, 0], [1, 0, 1], [0, 1, 0]], [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
FINDS = {
    "BothDirections": (EMPTY, EDGE, ((0, 0), (0, 0))),
    "OnlyEdgesFlipped": ([[1]], [[0]], ((1,),)),
    "EarlyExit": ([[0, 1]], [[0, 0]], [[0, 1]]),
    "UserAtEdgePrice": (((0, 0, 0),), ((1, 1, 1),), ((0, 0, 0),)),
}
TWO = dict(list(FINDS.items())[:2])
RATING = {"PaperWeighted": (((None,),), ((3,),), ((None,),))}


def level(table, keep=max):
    columns = [column for column in zip(*table, strict=True) if keep(column)]
    return max(math.log(max(c) / min(c)) if min(c) else math.inf for c in columns)


def one_direction(table):
    pairs = [(a, b) for a, b in zip(table[0], table[1], strict=True) if a and b]
    return math.log(max(a / b for a, b in pairs))


def by_pairs(table):
    worst = 1.0
    for one in table:
        for other in table:
            for a, b in zip(one, other, strict=True):
                if a > 0:
                    worst = max(worst, a / b if b else math.inf)
    return math.log(worst)


def with_arrays(table):
    chances = np.array(table, dtype=float)
    chances = chances[:, chances.max(axis=0) > 0]
    with np.errstate(divide="ignore"):
        return (np.log(chances.max(axis=0)) - np.log(chances.min(axis=0))).max()


def with_nan(table):
    chances = np.array(table, dtype=float)
    with np.errstate(all="ignore"):
        return np.log((chances.max(axis=0) / chances.min(axis=0)).max())


RIGHT = {
    "01-R": [("p00", "p10"), ["p11", "p01"], "π01 and π11"],
    "01-C": [math.log(9), 2.197, Fraction(2197, 1000)],
    "01-P": [level, by_pairs, with_arrays, lambda table: round(level(table), 3)],
    "01-B": [(EMPTY, EDGE, 9), (EDGE, EMPTY, Fraction(9)), (TRIANGLE, PATH, 9.0)],
    "01-O": [FINDS, FINDS | RATING, TWO | RATING],
    "01-D": [CUBE, 0.2726, 0.273],
}
WRONG = {
    "01-R": [
        (("p00", "p01"), "inputs must differ"),
        (("p00", "p11"), "one answer"),
        (("p00",), "two of the four"),
        (7, "two entries in quotes"),
    ],
    "01-C": [
        math.log(10),
        9,
        math.log10(9),
        math.log2(9),
        0.1,
        0.9,
        (2, "right but for rounding"),
        (2.19, "right but for rounding"),
    ],
    "01-P": [
        (lambda table: math.exp(level(table)), "Those are the odds"),
        (one_direction, "Both directions"),
        (lambda table: level([*zip(*table, strict=True)]), "two outputs of one input"),
        (lambda table: level(table[:2]), "more than two inputs"),
        (lambda table: max(level([table[0], row]) for row in table), "more than two inputs"),
        (lambda table: level(table, min), "excludes an input"),
        (lambda table: level(table, len), "leave it out"),
        (lambda _: 2.0, "table of the coin"),
        (with_nan, "gave nan"),
    ],
    "01-B": [
        ((EMPTY, EDGE, 3), "two looks"),
        ((EMPTY, EDGE, 6), "multiply"),
        ((EMPTY, EMPTY, 9), "same graph"),
        ((EMPTY, [[0, 1], [0, 0]], 9), "two cells"),
        (([[0] * 3] * 3, [[0, 1, 1], [1, 0, 0], [1, 0, 0]], 81), "more than one edge"),
        ((1, 2, 9), "a triple"),
        (([[0, 1]], [[1, 0]], 9), "square"),
        (([[1, 0], [0, 0]], [[0, 0], [0, 0]], 9), "without loops"),
    ],
    "01-O": [
        (TWO | {"WeakNoise": ([[0]], [[1]], ((0,),))}, "Catch 1 more. WeakNoise is the worked"),
        (FINDS | {"WeakNoise": ([[0]], [[0]], ((0,),))}, "are the same"),
        (FINDS | {"EarlyExit": ([[1, 0]], [[1, 1]], ((0, 0),))}, "within its guarantee"),
        (FINDS | {"EarlyExit": ([[0, 0]], [[1, 1]], ((1, 1),))}, "differ in one edge"),
        (FINDS | {"EarlyExit": ([[0]], [[1, 1]], ((1, 1),))}, "different shapes"),
        (FINDS | {"EarlyExit": ([[0, 0]], [[1, 0]], "yes")}, "neither input gives"),
        (FINDS | {"Unicorn": ([[0]], [[1]], ((1,),))}, "is called 'Unicorn'"),
        (FINDS | {"EarlyExit": ([[0, 0]], [[0, 1]])}, "EarlyExit: a triple"),
        (FINDS | {"EarlyExit": (0, 1, 2)}, "inputs are tables"),
        (FINDS | {"EarlyExit": ([[0] * 20], [[1] * 20], ((0,),))}, "1 to 9 cells"),
        (FINDS | {"EarlyExit": ([[7, 0]], [[0, 0]], ((0,),))}, "are 0 to 1"),
        (FINDS | {"BothDirections": ([[0, 1]], [[0, 0]], ((0,),))}, "must be a square"),
        (FINDS | {"BothDirections": ([[1]], [[0]], ((0,),))}, "BothDirections does not take"),
        (FINDS | {"EarlyExit": ([[0, 0]], [[0, 1]], {})}, "neither input gives"),
    ],
    "01-D": [
        (0.05, "6,859"),
        (1 / (1 + 19 / 3), "does not get a third"),
        (0.4, "a smaller p is enough"),
        (0.7, "between 0 and 1/2"),
        (0.27, "round p up"),
        (0.2725, "round p up"),
        (0.3, "a smaller p is enough"),
    ],
}
# A hint must not hold the answer: the exercise and the answer in words.
SECRETS = {"01-C": "2.197", "01-B": "9", "01-D": "0.2726"}


SHAPES = {
    "WeakNoise": (1, 1),
    "BothDirections": 2,
    "DegreeInTheClear": (1, 2),
    "SeedFromData": (2, 2),
    "OnlyEdgesFlipped": (1, 1),
    "NoiseReused": (2, 1),
    "SeedReusedAcrossUsers": (2, 1),
    "RedrawnUntilCountFits": (1, 2),
    "DesignMatrixByRows": (1, 1),
    "EarlyExit": (1, 2),
    "UserAtEdgePrice": (1, 3),
}
RATED = {"MarkedNoise", "PaperWeighted"}  # cells hold ratings


@pytest.mark.parametrize("name", sorted(set(PREY) - RATED))
def test_what_the_enumerator_finds_is_a_catch(name):
    result = exact_epsilon(PREY[name], shape=SHAPES[name], unit=PREY[name].unit)
    assert hunted(name, (*result.pair, result.output)) == ""
    assert hunted(name, (*result.pair[::-1], result.output)) == ""


@pytest.mark.parametrize("name", sorted(RATED))
def test_rating_animals_are_caught_at_their_own_pair(name):
    animal = PREY[name]
    laws = [animal.distribution(data) for data in animal.pair]
    output = next(output for output in laws[0] | laws[1] if not all(output in law for law in laws))
    assert hunted(name, (*animal.pair, output)) == ""


def test_every_animal_with_a_law_is_prey():
    assert set(PREY) == set(SHAPES) | RATED
