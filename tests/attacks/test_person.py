"""Membership of one person: bounds that hold, weak noise refuted, nothing out of nothing."""

import numpy as np
import pytest
from scipy import special, stats

from pplab.attacks.person import audit_person


def normal_draws(mu, draws, seed):
    rng = np.random.default_rng(seed)
    member = rng.random(draws) < 0.5
    return rng.standard_normal(draws) + mu * member, member


def curve(mu):
    return lambda alarms: special.ndtr(-special.ndtri(alarms) - mu)


def test_the_right_curve_stands_and_noise_at_half_the_scale_is_refuted():
    stands = [
        audit_person(*normal_draws(1, 4000, seed), delta=0, alpha=0.05, trade_off=curve(1)).refuted
        for seed in range(40)
    ]
    assert sum(stands) <= 4  # at most alpha of audits, and the bounds are conservative
    for seed in range(5):
        result = audit_person(
            *normal_draws(2, 20_000, seed), delta=1e-5, alpha=0.05, trade_off=curve(1)
        )
        assert result.refuted


def test_the_bound_stays_below_the_true_level():
    """Randomized response with odds 3: the bound comes near ln 3, from below."""
    rng = np.random.default_rng(3)
    member = rng.random(40_000) < 0.5
    outcome = member ^ (rng.random(40_000) < 0.25)
    result = audit_person(outcome.astype(float), member, delta=0, alpha=0.01)
    assert 1.0 < result.lower_bound <= np.log(3)
    assert result.hit_rate[0] < 0.75 < result.hit_rate[1]
    assert result.alarm_rate[0] < 0.25 < result.alarm_rate[1]


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
    for mu, trade_off in ((2, None), (-2, None), (2, curve(1))):
        result = audit_person(
            *normal_draws(mu, 800, 2), delta=delta, alpha=0.2, trade_off=trade_off
        )
        hit = stats.beta.ppf(0.05, result.hits, result.members - result.hits + 1)
        alarm = stats.beta.isf(0.05, result.false_alarms + 1, result.others - result.false_alarms)
        both = (hit - delta) / alarm, (1 - alarm - delta) / (1 - hit)
        assert result.lower_bound == pytest.approx(np.log(max(both)))
        assert result.refuted == (trade_off is not None and hit > 1 - curve(1)(alarm))


def test_delta_buys_a_part_of_the_bound():
    draws = normal_draws(3, 4000, 1)
    bounds = [audit_person(*draws, delta=d, alpha=0.05).lower_bound for d in (0, 0.1, 0.9)]
    assert bounds[0] > bounds[1] > bounds[2]


def test_nothing_is_found_where_nothing_is():
    result = audit_person(*normal_draws(0, 2000, 5), delta=1e-5, alpha=0.05)
    assert result.lower_bound == 0
    assert not result.refuted


def test_a_number_that_never_moves_is_no_evidence():
    member = np.arange(40) % 2 == 0
    assert audit_person(np.ones(40), member, delta=0, alpha=0.05).lower_bound == 0


@pytest.mark.parametrize(
    ("statistic", "member", "sentence"),
    [
        ([1.0] * 40, [1] * 40, "member must hold True or False"),
        ([1.0] * 40, [True] * 39, "member must hold True or False"),
        ([1.0] * 40, [True] * 40, "member must be true and false at least four times"),
        ([np.nan] * 40, [True, False] * 20, "statistic must be finite"),
    ],
)
def test_what_is_no_attack_is_refused(statistic, member, sentence):
    with pytest.raises(ValueError, match=sentence):
        audit_person(statistic, member, delta=0, alpha=0.05)
