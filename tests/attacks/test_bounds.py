"""Exact bounds: against another implementation, and their errors by enumeration."""

import numpy as np
import pytest
from scipy import stats

from pplab.intervals import binomial_lower, binomial_upper, log_ratio_bound

TRIALS = 40
COUNTS = np.arange(TRIALS + 1)


@pytest.mark.parametrize("successes", [0, 1, 17, 40])
def test_bounds_are_those_of_scipy(successes):
    interval = stats.binomtest(successes, TRIALS).proportion_ci(0.98, method="exact")
    assert binomial_lower(successes, TRIALS, alpha=0.01) == pytest.approx(interval.low)
    assert binomial_upper(successes, TRIALS, alpha=0.01) == pytest.approx(interval.high)


def wrong_share(bounds_wrong, probability):
    return stats.binom.pmf(COUNTS, TRIALS, probability)[bounds_wrong].sum()


@pytest.mark.parametrize("alpha", [0.3, 0.05, 1e-3])
def test_a_bound_is_wrong_in_at_most_alpha_and_not_much_less(alpha):
    lower = binomial_lower(COUNTS, TRIALS, alpha=alpha)
    upper = binomial_upper(COUNTS, TRIALS, alpha=alpha)
    grid = np.linspace(0.001, 0.999, 499)
    too_high = [wrong_share(lower > p, p) for p in grid]
    too_low = [wrong_share(upper < p, p) for p in grid]
    for errors in (too_high, too_low):
        assert max(errors) <= alpha * (1 + 1e-9)
        assert max(errors) > 0.9 * alpha


@pytest.mark.parametrize(("p", "q"), [(0.75, 0.25), (0.2, 0.1), (0.05, 0.05)])
def test_the_ratio_bound_is_wrong_in_at_most_alpha(p, q):
    first, second = np.meshgrid(COUNTS, COUNTS, indexing="ij")
    chances = np.outer(stats.binom.pmf(COUNTS, TRIALS, p), stats.binom.pmf(COUNTS, TRIALS, q))
    for alpha in (0.2, 0.01):
        bound = log_ratio_bound(first, second, TRIALS, alpha=alpha)
        assert chances[bound > np.log(p / q)].sum() <= alpha
        # no slack is hidden: a level a little lower than the truth is refuted far more often
        assert chances[bound > np.log(p / q) - 1].sum() > chances[bound > np.log(p / q)].sum()


def test_an_event_that_never_came_up_shows_nothing():
    assert log_ratio_bound(0, 0, TRIALS, alpha=0.05) == -np.inf
    assert np.isfinite(log_ratio_bound(TRIALS, 0, TRIALS, alpha=0.05))
