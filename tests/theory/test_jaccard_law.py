"""The law of the similarity: against enumeration, scipy's binomials, samples and full copies."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from pplab.theory.jaccard_law import (
    JaccardDistribution,
    binomial_window,
    epsilon_for_jaccard,
    expected_jaccard,
    jaccard_by_enumeration,
    jaccard_distribution,
    jaccard_first_term,
    jaccard_of_log_density,
    sample_jaccard,
    union_is_edges_and_created,
)
from pplab_papers.smooth.theorem_4_1 import bound_settings
from tests.helpers import count_fits

SMALL = [(1, 1), (1, 2), (2, 6), (5, 6), (3, 9), (9, 9)]


@pytest.mark.parametrize("odds", [1, 20])
@pytest.mark.parametrize(("edges", "cells"), SMALL)
def test_the_law_is_that_of_all_copies(edges, cells, odds):
    law = jaccard_by_enumeration(edges=edges, cells=cells, flip_probability=Fraction(1, 1 + odds))
    result = jaccard_distribution(density=edges / cells, cells=cells, epsilon=math.log(odds))
    assert union_is_edges_and_created(min(cells, 6))
    assert result.mean == pytest.approx(float(sum(j * share for j, share in law.items())))
    for value in [*law, Fraction(1, 7), Fraction(1, 1000)]:
        above = sum(share for j, share in law.items() if j > value)
        assert result.above(float(value)) == pytest.approx(float(above), abs=1e-14)
    for delta in (Fraction(1, 10**4), Fraction(1, 21), Fraction(2, 5), Fraction(97, 100)):
        expected = min(v for v in law if sum(s for j, s in law.items() if j > v) <= delta)
        assert result.quantile(float(delta)) == pytest.approx(float(expected), rel=1e-13)


@pytest.mark.parametrize(("trials", "log_odds"), [(0, 0), (7, -1), (10**6, -5.8), (10**8, 0.3)])
def test_a_window_agrees_with_scipy(trials, log_odds):
    first, shares = binomial_window(trials, log_odds=log_odds, exponent=60.0)
    counts = first + np.arange(len(shares))
    expected = stats.binom.pmf(counts, trials, 1 / (1 + math.exp(-log_odds)))
    seen = expected > 1e-12
    # 1 / (1 + e^x) is rounded for scipy, which moves the far counts of large laws a little
    assert shares[seen] == pytest.approx(expected[seen], rel=1e-7)
    assert shares.sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("density", [1e-4, 0.06, 0.5, 0.97])
def test_both_ways_to_sum_agree(density):
    law = jaccard_distribution(density=density, cells=10**6, epsilon=4.0)
    for quantile in (1e-12, 0.05, 0.5, 0.999):
        value = law.quantile(quantile)
        for near in (value * 0.99, value, value * 1.003):
            one, other = law._above_by_kept(near), law._above_by_invented(near)
            assert one == pytest.approx(other, rel=1e-8, abs=1e-300)
        assert law.above(value) <= quantile < law.above(value * (1 - 1e-12))


@pytest.mark.parametrize(
    ("density", "cells", "epsilon"),
    [(2e-5, 10**10, 9.0), (1e-5, 10**11, 1.0), (0.5, 10**9, 2.0)],
)
def test_huge_laws_are_near_normal(density, cells, epsilon):
    """Independent of the sums: the ratio's mean and spread by the delta method."""
    law = jaccard_distribution(density=density, cells=cells, epsilon=epsilon)
    flip = 1 / (1 + math.exp(epsilon))
    union = cells * (density + flip * (1 - density))
    mean = jaccard_first_term(density=density, epsilon=epsilon)
    variance = flip * (1 - flip) * cells * (density + mean**2 * (1 - density))
    sd = math.sqrt(variance) / union
    assert law.mean == pytest.approx(mean, abs=0.01 * sd)
    for z in (-2.0, 0.0, 1.645, 4.0):
        assert law.above(mean + z * sd) == pytest.approx(stats.norm.sf(z), rel=0.1, abs=1e-9)


@pytest.mark.parametrize("density", [1e-6, 3.14e-5, 1e-3, 0.078, 0.5, 1.0])
def test_the_first_term_is_the_mean_of_large_graphs_and_has_an_inverse(density):
    for epsilon in (0.0, 4.0, 8.0) if density > 1e-4 else ():
        exact = expected_jaccard(density=density, cells=10**6, epsilon=epsilon)
        term = jaccard_first_term(density=density, epsilon=epsilon)
        assert exact == pytest.approx(term, abs=1e-3)
    for target in (0.1, 0.5, 0.9):
        level = epsilon_for_jaccard(target, density=density)
        reached = jaccard_first_term(density=density, epsilon=level)
        assert reached == pytest.approx(target) if level else reached >= target
    assert epsilon_for_jaccard(0.5, density=density) == pytest.approx(-math.log(density))


def test_samples_follow_the_law():
    setting = {"density": 0.02, "cells": 20_000, "epsilon": 4.0}
    draws = sample_jaccard(**setting, size=50_000, rng=3)
    law = jaccard_distribution(**setting)
    for value in (law.quantile(0.9), law.quantile(0.5), law.quantile(0.05)):
        assert count_fits((draws > value).sum(), len(draws), law.above(value))
    again = sample_jaccard(**setting, size=50_000, rng=3)
    assert np.array_equal(draws, again)


def test_corollary_in_logarithms():
    """The odds rise up to ln m = 2,500 and only then tend to 0."""
    logs = np.array([1e2, 2.5e3, 1e4, 1.2e4, 2e4, 1e6])
    result = jaccard_of_log_density(-0.01 * logs, epsilon=np.sqrt(logs))
    assert result[1] == result.max()
    assert result[2] == pytest.approx(0.5)
    assert result[3] < 0.01
    assert result[-1] < 1e-300


def test_a_half_edge_is_skipped_by_the_grid():
    grid = {"cells": [1000], "epsilons": [0.0], "deltas": [0.05]}
    result = bound_settings(densities=[1e-9, 0.0005, 0.001], **grid, form="line")
    assert [setting.density for setting in result] == [0.001]


def test_extreme_settings():
    sure = jaccard_distribution(density=0.3, cells=10**11, epsilon=1e300)
    assert sure.mean == pytest.approx(1, abs=1e-12)
    assert sure.quantile(1e-300) == 1
    assert sure.above(0.999) == pytest.approx(1)
    coin = jaccard_distribution(density=1.0, cells=1, epsilon=0.0)
    assert [coin.quantile(delta) for delta in (5e-324, 0.49, 0.5, 1 - 1e-16)] == [1, 1, 0, 0]
    assert coin.above(-1) == 1
    assert coin.above(1) == 0
    far = JaccardDistribution(edges=10**6, cells=10**11, epsilon=10.0, exponent=400.0)
    value = far.quantile(1e-100)
    assert 1e-101 < far.above(value) <= 1e-100
