"""Notebook 01: the hidden tables against the enumerator, and each animal as prey of the hunt."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from pplab.course.check import check
from pplab.course.nb01_privacy_by_counting import HIDDEN, PREY, hunted
from pplab.theory.exact import compare_inputs, exact_epsilon
from tests.exercises.examples_privacy_by_counting import FINDS, level

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


@pytest.mark.parametrize(("kind", "table"), HIDDEN)
def test_hidden_tables_are_laws_whose_level_the_enumerator_confirms(
    kind: str, table: list[list[Fraction]]
) -> None:
    assert all(sum(row) == 1 for row in table)

    class Listed:
        def distribution(self, data: Any) -> dict[Any, Fraction]:
            row = table[min(int(data.toarray().sum()), len(table) - 1)]
            return {place: share for place, share in enumerate(row) if share}

    cells = [((1,) * edges + (0,) * (2 - edges),) for edges in range(len(table))]
    worst = max(
        compare_inputs(Listed(), [one, other]).epsilon
        for place, one in enumerate(cells)
        for other in cells[place + 1 :]
    )
    assert level(table) == pytest.approx(worst, abs=1e-12)
    assert (worst == math.inf) == (kind == "zero")


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


def test_the_worked_example_does_not_count_as_a_catch() -> None:
    three = dict(list(FINDS.items())[:3])
    worked = {"WeakNoise": ([[0]], [[1]], ((0,),))}
    assert "Catch 1 more" in check("01-H", three | worked).message
