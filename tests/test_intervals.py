"""Coverage of the interval for a mean, over all outcomes; and the bound that it is made of."""

import math

import numpy as np
import pytest

from pplab.intervals import binomial_lower, binomial_upper, log_ratio_bound, mean_interval


@pytest.mark.parametrize("users", [2, 3, 6])
@pytest.mark.parametrize("alpha", [0.5, 0.1, 0.01])
def test_exact_coverage_of_values_in_halves(users, alpha):
    """All outcomes of a few users with values 0, 1/2, 1, over many laws: no simulation."""
    for half, one in np.random.default_rng(2).dirichlet([1, 1, 1], 40)[:, :2]:
        mean = half / 2 + one
        law = np.array([1.0])
        for _ in range(users):
            law = np.convolve(law, [1 - half - one, half, one])
        missed = 0.0
        for total, probability in enumerate(law):  # sum of the values, in halves
            ones, rest = divmod(total, 2)
            values = [1.0] * ones + [0.5] * rest + [0.0] * (users - ones - rest)
            low, high = mean_interval(values, alpha=alpha)
            missed += probability * (not low <= mean <= high)
        assert missed <= alpha


def test_against_the_binomial_interval_at_a_smaller_alpha():
    values = [1.0, 0.0, 0.5, 1.0, 0.25]  # sum 2.75
    side = 0.1 / (2 * math.e)
    low, high = mean_interval(values, alpha=0.1)
    assert low == binomial_lower(2, 5, alpha=side)
    assert high == binomial_upper(3, 5, alpha=side)


def test_delta_is_taken_off_before_the_logarithm():
    low, high = (f(n, 100, alpha=0.025) for f, n in ((binomial_lower, 80), (binomial_upper, 10)))
    for delta in (0.0, 1e-3, 0.5):
        result = log_ratio_bound(80, 10, 100, alpha=0.05, delta=delta)
        assert result == pytest.approx(math.log((low - delta) / high), abs=1e-12)
    assert log_ratio_bound(80, 10, 100, alpha=0.05, delta=0.9) == -math.inf


def test_all_or_nothing_gives_the_ends_of_the_scale():
    assert mean_interval(np.zeros(20), alpha=0.05)[0] == 0
    assert mean_interval(np.ones(20), alpha=0.05)[1] == 1
