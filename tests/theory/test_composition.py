"""Composition, post-processing and disjoint parts: the theorems, each checked by enumeration."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pplab.response.categorical import CategoricalResponse
from pplab.response.noise_graph import BipartiteNoiseGraph, NoiseGraph
from pplab.theory.composition import DisjointRows, PostProcessed, Repeated, Sequential, compose
from pplab.theory.exact import exact_epsilon, exact_group_epsilon

QUARTER, FIFTH = BipartiteNoiseGraph(Fraction(1, 4)), BipartiteNoiseGraph(Fraction(1, 5))
SOCIAL, RATED = NoiseGraph(Fraction(1, 4)), CategoricalResponse(levels=2, odds=3)


def test_releases_of_the_same_data_multiply_the_odds():
    for mechanism, shape, unit, odds in (
        (Repeated(QUARTER, times=1), (1, 2), "edge", 3),
        (Repeated(QUARTER, times=2), (1, 2), "edge", 9),
        (Repeated(QUARTER, times=3), (1, 2), "edge", 27),
        (Repeated(SOCIAL, times=2), 3, "node", 81),
        (Repeated(RATED, times=2), (1, 1), "edge", 9),
        (Sequential([QUARTER, FIFTH]), (1, 2), "edge", 12),
    ):
        result = exact_epsilon(mechanism, shape=shape, unit=unit)
        assert result.odds == odds
        assert len(result.output) == len(mechanism.mechanisms)
        if unit == "edge":
            assert mechanism.epsilon >= result.epsilon
            assert mechanism.epsilon == pytest.approx(result.epsilon)


def test_releases_of_disjoint_rows_keep_the_largest_odds():
    mechanism = DisjointRows([QUARTER, FIFTH])
    assert exact_epsilon(mechanism, shape=(2, 2), unit="edge").odds == 4
    assert mechanism.epsilon == FIFTH.epsilon
    # An item has a cell in both rows: for that unit the parts are not disjoint.
    assert exact_epsilon(mechanism, shape=(2, 2), unit="item").odds == 12


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


def test_bad_arguments_are_refused():
    for make, sentence in (
        (lambda: Sequential([]), "at least one and share one unit, got 0"),
        (lambda: DisjointRows([QUARTER]).distribution([[1], [0]]), "the number of rows of data"),
    ):
        with pytest.raises(ValueError, match=sentence):
            make()
