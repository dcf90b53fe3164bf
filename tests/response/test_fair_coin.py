"""Replacement by a fair coin and the flip: one law, two stories."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pplab.response.noise_graph import BipartiteNoiseGraph, FairCoin
from tests.helpers import count_fits


@given(st.fractions(0, 1, max_denominator=50), st.lists(st.integers(0, 1), min_size=4, max_size=4))
@settings(max_examples=60, deadline=None)
def test_it_is_the_flip_with_half_the_probability(rho, cells):
    table = [cells[:2], cells[2:]]
    coin = FairCoin(replacement_probability=rho)
    assert coin.distribution(table) == BipartiteNoiseGraph(rho / 2).distribution(table)
    assert coin.epsilon == BipartiteNoiseGraph(rho / 2).epsilon
    if rho:
        smaller = BipartiteNoiseGraph(rho / Fraction(12, 5))
        assert coin.distribution(table) != smaller.distribution(table)


def test_half_of_the_coins_change_nothing():
    published = FairCoin(replacement_probability=0.4).sample(np.ones((100, 200)), rng=1)
    assert count_fits(published.nnz, 20_000, 0.8)
    assert not count_fits(published.nnz, 20_000, 0.6)


@pytest.mark.parametrize("rho", [-0.1, 1.1, float("nan"), True, None])
def test_what_is_no_probability_is_refused(rho):
    with pytest.raises((ValueError, TypeError), match="replacement_probability must"):
        FairCoin(replacement_probability=rho)
