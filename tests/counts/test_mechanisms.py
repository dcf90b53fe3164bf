"""Mechanisms of counts: their exact levels and what is refused."""

import math
from fractions import Fraction

import pytest

from pplab.counts import NoisyCount, TopItem
from pplab.theory.exact import exact_epsilon


def test_a_level_that_is_no_root_of_a_fraction_is_kept_on_the_safe_side():
    for epsilon, nodes in ((1.0, 4), (0.3, 5), (7.0, 4), (30.0, 3)):
        mechanism = NoisyCount(count="triangles", noise="geometric", unit="edge", epsilon=epsilon)
        ratio = mechanism._ratio(nodes)
        assert ratio ** -(nodes - 2) <= Fraction(math.exp(epsilon)) * (1 + Fraction(1, 10**14))
        assert math.log(ratio) == pytest.approx(-epsilon / (nodes - 2), abs=1e-6)


def test_the_step_of_the_exponential_mechanism_is_rounded_down_and_a_user_is_not_an_edge():
    assert exact_epsilon(TopItem(unit="edge", odds=3), shape=(2, 3), unit="user").odds > 3
    assert 1 - 1e-14 < TopItem(unit="user", epsilon=1.0).step ** 2 / Fraction(math.e) <= 1
    assert TopItem(unit="user", epsilon=1e-15).step >= 1  # popular is never less likely
