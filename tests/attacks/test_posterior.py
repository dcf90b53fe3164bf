"""The posterior of a cell, against all tables of 2 x 3 cells and all their releases, exactly."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pplab.attacks.posterior import posterior_odds
from pplab.response import BipartiteNoiseGraph

P = Fraction(1, 4)
TABLES = [(bits[:3], bits[3:]) for bits in product((0, 1), repeat=6)]
LAWS = {table: BipartiteNoiseGraph(P).distribution(table) for table in TABLES}
WEIGHTS = st.lists(st.sampled_from([0, 0, 1, 2, 9]), min_size=64, max_size=64)
OPEN = st.integers(0, 5)  # the cell that is asked for


@given(WEIGHTS, OPEN)
def test_odds_are_those_of_brute_force_over_all_tables(weights, cell):
    """A prior over tables, and Bayes' rule with the mechanism's own law: equal as fractions."""
    joint = np.array(weights, dtype=object).reshape((2,) * 6)
    turned = np.moveaxis(joint, cell, 0)
    assume(turned[0].any() and turned[1].any())  # the cell is open
    result = posterior_odds(turned, flip_probability=P)
    prior = dict(zip(TABLES, weights, strict=True))
    has = {table: (table[0] + table[1])[cell] for table in TABLES}
    one, zero = (sum(prior[t] for t in TABLES if has[t] == value) for value in (1, 0))
    assert result.prior == Fraction(one, zero)
    for output in TABLES:
        likely = {t: prior[t] * LAWS[t][output] for t in TABLES}
        after = sum(likely[t] for t in TABLES if has[t] == 1)
        before = sum(likely[t] for t in TABLES if has[t] == 0)
        bits = output[0] + output[1]
        place = (bits[cell], *bits[:cell], *bits[cell + 1 :])
        assert result.factors[place] == after / before / result.prior
        assert result.chances[place] == (after + before) / sum(weights)
        assert result.posterior[place] == after / (after + before)
        assert 1 / result.cap <= result.factors[place] <= result.cap


@pytest.mark.parametrize("cells", [1, 2, 5, 10])
def test_cells_that_are_believed_equal_reach_the_cap_and_nothing_else_does(cells):
    equal = np.zeros((2,) * cells, dtype=object)
    equal[(0,) * cells], equal[(1,) * cells] = 9, 1
    result = posterior_odds(equal, flip_probability=P)
    assert result.factors[(1,) * cells] == result.cap == 3**cells
    assert result.factors[(0,) * cells] == Fraction(1, 3**cells)
    assert result.factors[(0,) * cells] < result.factors[(1,) + (0,) * (cells - 1)] or cells == 1
    assert [*result.factors.flat].count(result.cap) == 1


def test_floats_are_the_fractions_rounded():
    weights = np.random.default_rng(1).integers(0, 9, (2,) * 7)
    exact = posterior_odds(weights, flip_probability=Fraction(1, 5))
    rounded = posterior_odds(weights / 8, flip_probability=0.2)
    np.testing.assert_allclose(rounded.factors, exact.factors.astype(float), rtol=1e-12)
    np.testing.assert_allclose(rounded.chances, exact.chances.astype(float), rtol=1e-12)


def test_a_fraction_may_be_as_small_as_it_likes():
    assert posterior_odds([1, 1], flip_probability=Fraction(1, 10**300)).factors[1] == 10**300 - 1
