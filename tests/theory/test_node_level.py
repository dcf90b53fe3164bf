"""Algorithm 1 at edge and node level, by enumeration of all tables of 2 x 2 cells."""

import math
from fractions import Fraction

import pytest

from pplab.papers.smooth.jaccard_bound import node_replacement, node_untouched
from pplab.response.noise_graph import FairCoin
from pplab.theory.exact import exact_epsilon

ODDS = [Fraction(3, 2), Fraction(3), Fraction(10)]  # e^(epsilon / m) of one cell


@pytest.mark.parametrize("odds", ODDS)
def test_a_user_has_m_times_the_level_of_a_cell(odds):
    """p = 2 / (1 + e^(epsilon / m)) at epsilon = 2 ln(odds), with m = 2 items."""
    mechanism = FairCoin(replacement_probability=2 / (1 + odds))
    assert exact_epsilon(mechanism, shape=(2, 2), unit="user").odds == odds**2
    assert exact_epsilon(mechanism, shape=(2, 2), unit="edge").odds == odds
    p = node_replacement(epsilon=2 * math.log(odds), items=2)
    assert p == pytest.approx(float(2 / (1 + odds)))


def test_p_tends_to_one_like_one_over_m():
    for m in (1, 10, 10**3, 10**6):
        gap = node_untouched(epsilon=2.0, items=m)
        assert gap == pytest.approx(1 - node_replacement(epsilon=2.0, items=m), abs=1e-15)
    assert 10**6 * node_untouched(epsilon=2.0, items=10**6) == pytest.approx(1)
    assert node_replacement(epsilon=10, items=102) / 2 > 0.45
    with pytest.raises(ValueError, match="items must be an integer"):
        node_replacement(epsilon=1.0, items=0)
