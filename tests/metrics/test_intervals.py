"""Coverage of the interval for a mean, by simulation; the tester catches a narrow interval."""

import math

import numpy as np
import pytest
from scipy import stats

from pplab.binomial import binomial_lower, binomial_upper
from pplab.metrics.intervals import mean_interval
from tests.helpers import ALPHA

RUNS = 300
LAWS = {
    "bernoulli": lambda rng, n: (rng.random(n) < 0.3) * 1.0,
    "risk of pairs": lambda rng, n: rng.choice([0.0, 0.5, 1.0], n, p=[0.5, 0.4, 0.1]),
    "constant": lambda _, n: np.full(n, 0.3),
    "rare": lambda rng, n: (rng.random(n) < 0.02) * 0.5,
    "uniform": lambda rng, n: rng.random(n) * 0.6,
}
MEANS = {"bernoulli": 0.3, "risk of pairs": 0.3, "constant": 0.3, "rare": 0.01, "uniform": 0.3}


def misses(interval, law, *, alpha, users):
    rng = np.random.default_rng(1)
    count = 0
    for _ in range(RUNS):
        low, high = interval(LAWS[law](rng, users), alpha=alpha)
        count += not low <= MEANS[law] <= high
    return count


def covers(count, alpha):
    """One-sided exact test with a false-alarm rate of 1e-6: so many misses at this alpha?"""
    return stats.binomtest(count, RUNS, alpha, alternative="greater").pvalue >= ALPHA


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("users", [3, 40])
def test_coverage(law, users):
    assert covers(misses(mean_interval, law, alpha=0.2, users=users), 0.2)


def test_the_tester_catches_a_narrow_interval():
    def narrow(values, *, alpha):
        middle = values.mean()
        half = 0.3 * stats.norm.isf(alpha / 2) * values.std() / math.sqrt(len(values))
        return middle - half, middle + half

    assert not covers(misses(narrow, "bernoulli", alpha=0.2, users=500), 0.2)


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


def test_all_or_nothing_gives_the_ends_of_the_scale():
    assert mean_interval(np.zeros(20), alpha=0.05)[0] == 0
    assert mean_interval(np.ones(20), alpha=0.05)[1] == 1


def test_refusals():
    masked = np.ma.array([0.5, 0.1], mask=[0, 1])
    for values in ([], [0.5, np.nan], [1.5], [-0.1], [[0.5]], masked):
        with pytest.raises(ValueError, match="values must"):
            mean_interval(values, alpha=0.05)
    for alpha in (0, 1, np.nan, -0.5):
        with pytest.raises(ValueError, match="alpha must lie in"):
            mean_interval([0.5], alpha=alpha)
