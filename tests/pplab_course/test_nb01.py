"""Notebook 01: the hidden tables against the enumerator, and each animal as prey of the hunt."""

import math

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
