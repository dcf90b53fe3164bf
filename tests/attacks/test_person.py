"""Membership of one person: bounds that hold, and the posterior of a cell, exactly."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import special, stats

from pplab.attacks import audit_person, posterior_odds
from pplab.response import BipartiteNoiseGraph


def normal_draws(mu, draws, seed, spread=1.0):
    rng = np.random.default_rng(seed)
    member = rng.random(draws) < 0.5
    return rng.standard_normal(draws) * np.where(member, spread, 1) + mu * member, member


def curve(mu):
    return lambda alarms: special.ndtr(-special.ndtri(alarms) - mu)


def test_the_half_that_teaches_does_not_judge():
    """The first half tells members apart without fail, the second one turns them around."""
    member = np.arange(400) % np.where(np.arange(400) < 200, 2, 4) == 0
    outcome = np.where(np.arange(400) < 200, member, ~member) + np.arange(400) % 7 / 100
    result = audit_person(outcome, member, delta=0, alpha=0.05)
    assert (result.hits, result.members, result.false_alarms, result.others) == (0, 50, 150, 150)
    assert result.lower_bound == 0
    # each of two rates has two bounds, each of a quarter of alpha
    low, high = (0.05 / 4) ** (1 / 150), 1 - (0.05 / 4) ** (1 / 50)
    assert result.alarm_rate == pytest.approx((low, 1))
    assert result.hit_rate == pytest.approx((0, high))


@pytest.mark.parametrize("delta", [0, 0.1])
def test_the_bound_is_the_better_of_two_answers_by_bounds_of_a_quarter_of_alpha(delta):
    cases = ((2, 1, None), (-2, 1, None), (1, 0.3, None), (1, 3, curve(1)), (0.8, 1, curve(1)))
    for mu, spread, trade_off in cases:
        draws = normal_draws(mu, 800, 2, spread)
        result = audit_person(*draws, delta=delta, alpha=0.2, trade_off=trade_off)
        hit = stats.beta.ppf(0.05, result.hits, result.members - result.hits + 1)
        alarm = stats.beta.isf(0.05, result.false_alarms + 1, result.others - result.false_alarms)
        both = (hit - delta) / alarm, (1 - alarm - delta) / (1 - hit)
        assert result.lower_bound == pytest.approx(max(np.log(max(both)), 0))
        assert result.refuted == (trade_off is not None and hit > 1 - curve(1)(alarm))
        assert spread == 1 or result.refuted or result.lower_bound > np.log(20)


def test_nothing_is_found_where_nothing_is():
    """Not even by a number that never moves."""
    for draws in (normal_draws(0, 2000, 5), (np.ones(40), np.arange(40) % 2 == 0)):
        result = audit_person(*draws, delta=1e-5, alpha=0.05)
        assert result.lower_bound == 0
        assert not result.refuted


# The posterior of a cell, against all tables of 2 x 3 cells and all their releases, exactly.


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
