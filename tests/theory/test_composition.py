"""Composition, post-processing and disjoint parts: the theorems, each checked by enumeration."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pplab.response.noise_graph import BipartiteNoiseGraph
from pplab.theory.composition import PostProcessed, compose
from pplab.theory.exact import exact_epsilon, exact_group_epsilon

QUARTER, FIFTH = BipartiteNoiseGraph(Fraction(1, 4)), BipartiteNoiseGraph(Fraction(1, 5))


@given(st.lists(st.integers(0, 2), min_size=8, max_size=8), st.sampled_from(["edge", "user"]))
def test_no_function_of_a_release_is_less_private(images, unit):
    """Any function of the eight outputs on 1 x 3 cells, into three images."""

    def function(rows):
        return images[int("".join(map(str, rows[0])), 2)]

    shown = exact_epsilon(PostProcessed(QUARTER, function), shape=(1, 3), unit=unit).odds
    assert 1 <= shown <= exact_epsilon(QUARTER, shape=(1, 3), unit=unit).odds


@pytest.mark.parametrize("cells", [1, 2, 3, 4])
def test_a_group_of_cells_has_so_many_times_the_level(cells):
    result = exact_group_epsilon(FIFTH, shape=(2, 2), unit="edge", units=cells)
    assert result.odds == 4**cells
    assert result.epsilon == pytest.approx(cells * FIFTH.epsilon)
    both = exact_group_epsilon(QUARTER, shape=(2, 2), unit="user", units=2)
    assert both.odds == 81


@given(st.lists(st.floats(0, 20), min_size=1, max_size=6))
def test_levels_are_added_up_and_never_down(levels):
    total = compose(levels, how="sequential")
    exact = sum(map(Fraction, levels))
    assert Fraction(total) >= exact
    assert total == pytest.approx(float(exact))
    assert compose(levels, how="parallel") == max(levels)
    for how in ("sequential", "parallel"):
        assert compose([*levels, math.inf], how=how) == math.inf
