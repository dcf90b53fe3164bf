"""Notebook 01: the hidden tables against the enumerator, and each animal as prey of the hunt."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from pplab.course.nb01_privacy_by_counting import PREY, hunted
from pplab.theory.exact import exact_epsilon
from tests.course.examples import complaints

Table = list[list[Fraction]]
EMPTY, EDGE = [[0, 0], [0, 0]], [[0, 1], [1, 0]]
CUBE = 1 / (1 + 19 ** (1 / 3))
CURVE = {500: 0.08, 2000: 0.48, 8000: 0.99}
POWER = {"alpha": 0.05, "slack": 0, "power": CURVE}
FINDS: dict[str, Any] = {
    "BothDirections": (EMPTY, EDGE, ((0, 0), (0, 0))),
    "OnlyEdgesFlipped": ([[1]], [[0]], ((1,),)),
    "EarlyExit": ([[0, 1]], [[0, 0]], [[0, 1]]),
    "UserAtEdgePrice": (((0, 0, 0),), ((1, 1, 1),), ((0, 0, 0),)),
}
THREE = dict(list(FINDS.items())[:3])
RATING = {"PaperWeighted": (((None,),), ((3,),), ((None,),))}


def level(table: Table, keep: Callable[..., Any] = max) -> float:
    columns = [column for column in zip(*table, strict=True) if keep(column)]
    return max(math.log(max(c) / min(c)) if min(c) else math.inf for c in columns)


def one_direction(table: Table) -> float:
    pairs = [(a, b) for a, b in zip(table[0], table[1], strict=True) if a and b]
    return math.log(max(a / b for a, b in pairs))


def by_rows(table: Table) -> float:
    return max(math.log(max(row) / min(row)) if min(row) else math.inf for row in table)


RIGHT: list[tuple[str, Any]] = [
    ("01-R", ("p00", "p10")),
    ("01-R", ["p11", "p01"]),
    ("01-R", "π01 and π11"),
    ("01-C", math.log(9)),
    ("01-C", 2.197),
    ("01-P", level),
    ("01-B", (EMPTY, EDGE, 9)),
    ("01-B", (EDGE, EMPTY, Fraction(9))),
    ("01-H", FINDS),
    ("01-H", FINDS | RATING),
    ("01-D", CUBE),
    ("01-D", 0.2726),
    ("01-O", POWER),
]
WRONG: list[tuple[str, Any, str]] = [
    ("01-R", ("p00", "p01"), "inputs must differ"),
    ("01-R", ("p00", "p11"), "one answer"),
    ("01-C", math.log(10), "not 1/p"),
    ("01-C", 9, "logarithm"),
    ("01-C", math.log10(9), "natural"),
    ("01-C", 0.1, "probability"),
    ("01-P", lambda table: math.exp(level(table)), "Those are the odds"),
    ("01-P", one_direction, "Both directions"),
    ("01-P", by_rows, "two outputs of one input"),
    ("01-P", lambda table: level(table[:2]), "more than two inputs"),
    ("01-P", lambda table: level(table, min), "excludes an input"),
    ("01-P", lambda table: level(table, len), "leave it out"),
    ("01-P", lambda _: 2.0, "table of the coin"),
    ("01-B", (EMPTY, EDGE, 3), "two looks"),
    ("01-B", (EMPTY, EDGE, 6), "multiply"),
    ("01-B", (EMPTY, EMPTY, 9), "same graph"),
    ("01-B", (EMPTY, [[0, 1], [0, 0]], 9), "two cells"),
    ("01-B", ([[0] * 3] * 3, [[0, 1, 1], [1, 0, 0], [1, 0, 0]], 81), "more than one edge"),
    ("01-H", THREE | {"WeakNoise": ([[0]], [[1]], ((0,),))}, "Catch 1 more"),  # the worked one
    ("01-H", FINDS | {"WeakNoise": ([[0]], [[0]], ((0,),))}, "are the same"),
    ("01-H", FINDS | {"EarlyExit": ([[1, 0]], [[1, 1]], ((0, 0),))}, "within its promise"),
    ("01-H", FINDS | {"EarlyExit": ([[0, 0]], [[1, 1]], ((1, 1),))}, "differ in one edge"),
    ("01-H", FINDS | {"EarlyExit": ([[0]], [[1, 1]], ((1, 1),))}, "different shapes"),
    ("01-H", FINDS | {"EarlyExit": ([[0, 0]], [[1, 0]], "yes")}, "neither input gives"),
    ("01-D", 0.05, "6,859"),
    ("01-D", 1 / (1 + 19 / 3), "not a third"),
    ("01-D", 0.4, "lie less"),
    ("01-O", POWER | {"slack": 0.1}, "let pass"),
    ("01-O", {"power": CURVE}, "alpha, slack"),
    ("01-O", POWER | {"alpha": 0.5}, "accuse wrongly"),
    ("01-O", POWER | {"power": {1000: 0.5}}, "three sample sizes"),
    ("01-O", POWER | {"power": {500: 0.1, 1000: 0.2, 2000: 0.3}}, "go on"),
    ("01-O", POWER | {"power": {500: 0.9, 1000: 0.8, 2000: 0.9}}, "grow"),
    ("01-O", POWER | {"power": {500: 50, 1000: 80, 2000: 99}}, "between 0 and 1"),
    ("01-H", FINDS | {"Unicorn": ([[0]], [[1]], ((1,),))}, "is called 'Unicorn'"),
    ("01-H", FINDS | {"EarlyExit": ([[0, 0]], [[0, 1]])}, "EarlyExit: a triple"),
    ("01-H", FINDS | {"EarlyExit": (0, 1, 2)}, "inputs are tables"),
    ("01-H", FINDS | {"EarlyExit": ([[0] * 20], [[1] * 20], ((0,),))}, "1 to 9 cells"),
    ("01-H", FINDS | {"EarlyExit": ([[7, 0]], [[0, 0]], ((0,),))}, "are 0 to 1"),
    ("01-H", FINDS | {"BothDirections": ([[0, 1]], [[0, 0]], ((0,),))}, "must be a square"),
    ("01-H", FINDS | {"BothDirections": ([[1]], [[0]], ((0,),))}, "BothDirections does not take"),
    ("01-H", FINDS | {"EarlyExit": ([[0, 0]], [[0, 1]], {})}, "neither input gives"),
    ("01-R", ("p00",), "two of the four"),
    ("01-R", 7, "two entries in quotes"),
    ("01-B", (1, 2, 9), "a triple"),
    ("01-B", ([[0, 1]], [[1, 0]], 9), "square"),
    ("01-B", ([[1, 0], [0, 0]], [[0, 0], [0, 0]], 9), "without loops"),
    ("01-D", 0.7, "between 0 and 1/2"),
    ("01-O", "many", "a dict, please"),
    ("01-O", POWER | {"power": {500: "some", 1000: 1, 2000: 1}}, "wants a number"),
]
# A hint must not hold the answer: the exercise and the answer in words.
SECRETS = [("01-C", "2.197"), ("01-B", "9"), ("01-D", "0.2726")]


SHAPES: dict[str, Any] = {
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


def test_answers_are_judged() -> None:
    assert complaints("01", RIGHT, WRONG, SECRETS) == []


@pytest.mark.parametrize("name", sorted(set(PREY) - RATED))
def test_what_the_enumerator_finds_is_a_catch(name: str) -> None:
    found = exact_epsilon(PREY[name], shape=SHAPES[name], unit=PREY[name].unit)
    assert hunted(name, (*found.pair, found.output)) == ""
    assert hunted(name, (*found.pair[::-1], found.output)) == ""


@pytest.mark.parametrize("name", sorted(RATED))
def test_rating_animals_are_caught_at_their_own_pair(name: str) -> None:
    animal: Any = PREY[name]
    laws = [animal.distribution(data) for data in animal.pair]
    output = next(output for output in laws[0] | laws[1] if not all(output in law for law in laws))
    assert hunted(name, (*animal.pair, output)) == ""


def test_every_animal_with_a_law_is_prey() -> None:
    assert set(PREY) == set(SHAPES) | RATED
