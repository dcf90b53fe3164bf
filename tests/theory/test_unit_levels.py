"""Theorems 1 and 2 with the right number of cells, and the printed ones where they fail."""

import math
from fractions import Fraction

import pytest

from pplab.response import BipartiteNoiseGraph, NoiseGraph
from pplab.theory import cells_of_unit, exact_epsilon, unit_epsilon, unit_odds

FLIPS = [Fraction(1, 10), Fraction(1, 4), Fraction(2, 5), Fraction(1, 2)]


def mechanism(shape, p):
    return NoiseGraph(p) if isinstance(shape, int) else BipartiteNoiseGraph(p)


@pytest.mark.parametrize("p", FLIPS)
@pytest.mark.parametrize(
    ("shape", "unit"),
    [
        *((nodes, unit) for nodes in (2, 3, 4) for unit in ("edge", "node")),
        *(((n, m), u) for n, m in ((1, 3), (2, 2), (3, 2)) for u in ("edge", "user", "item")),
    ],
)
def test_the_level_is_exact(shape, unit, p):
    found = exact_epsilon(mechanism(shape, p), shape=shape, unit=unit)
    assert found.odds == unit_odds(flip_probability=p, shape=shape, unit=unit)
    assert found.epsilon == unit_epsilon(flip_probability=p, shape=shape, unit=unit)
    if p < Fraction(1, 2):  # one cell fewer would be too little, one more is not needed
        cells = cells_of_unit(shape, unit)
        assert ((1 - p) / p) ** (cells - 1) < found.odds < ((1 - p) / p) ** (cells + 1)


@pytest.mark.parametrize("items", [2, 3])
def test_n_epsilon_is_too_little_for_a_user_with_more_items_than_users(items):
    p, users = Fraction(1, 4), 1
    found = exact_epsilon(BipartiteNoiseGraph(p), shape=(users, items), unit="user")
    assert found.odds == 3**items > 3**users


def test_no_flip_no_level():
    assert unit_odds(flip_probability=0, shape=3, unit="node") == math.inf
    assert unit_epsilon(flip_probability=0, shape=3, unit="node") == math.inf


def test_units_that_a_shape_lacks_are_refused():
    with pytest.raises(ValueError, match="unit of an undirected graph"):
        cells_of_unit(3, "user")
    with pytest.raises(ValueError, match="flip_probability"):
        unit_odds(flip_probability=0.7, shape=3, unit="node")
