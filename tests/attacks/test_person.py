"""Membership of one person: bounds that hold, weak noise refuted, nothing out of nothing."""

import numpy as np
import pytest
from scipy import special, stats

from pplab.attacks.person import audit_person


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
    assert (result.alarm_rate, result.hit_rate) == (
        pytest.approx((low, 1)),
        pytest.approx((0, high)),
    )


@pytest.mark.parametrize("delta", [0, 0.1])
def test_the_bound_is_the_better_of_two_answers_by_bounds_of_a_quarter_of_alpha(delta):
    cases = ((2, 1, None), (-2, 1, None), (1, 0.3, None), (1, 3, curve(1)), (0.8, 1, curve(1)))
    for mu, spread, trade_off in cases:
        result = audit_person(
            *normal_draws(mu, 800, 2, spread), delta=delta, alpha=0.2, trade_off=trade_off
        )
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
