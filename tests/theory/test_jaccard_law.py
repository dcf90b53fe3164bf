"""The law of the similarity against enumeration, and where bounds of Theorem 4.1 fail or hold."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pplab.theory import jaccard_bound, jaccard_distribution, jaccard_law, violation_probability
from pplab.theory.jaccard_bound import FORMS, chernoff_exponent
from tests.helpers import count_fits

SMALL = [(1, 1), (1, 2), (2, 6), (5, 6), (3, 9), (9, 9)]


@pytest.mark.parametrize("odds", [1, 20])
@pytest.mark.parametrize(("edges", "cells"), SMALL)
def test_the_law_is_that_of_all_copies(edges, cells, odds):
    flip = Fraction(1, 1 + odds)
    law = jaccard_law.jaccard_by_enumeration(edges=edges, cells=cells, flip_probability=flip)
    asked = {"density": edges / cells, "cells": cells, "epsilon": math.log(odds)}
    result = jaccard_law.jaccard_distribution(**asked)
    assert jaccard_law.union_is_edges_and_created(min(cells, 6))
    assert result.mean == pytest.approx(float(sum(j * share for j, share in law.items())))
    for value in [*law, Fraction(1, 7), Fraction(1, 1000)]:
        above = sum(share for j, share in law.items() if j > value)
        assert result.above(float(value)) == pytest.approx(float(above), abs=1e-14)
    for delta in (Fraction(1, 10**4), Fraction(1, 21), Fraction(2, 5), Fraction(97, 100)):
        expected = min(v for v in law if sum(s for j, s in law.items() if j > v) <= delta)
        assert result.quantile(float(delta)) == pytest.approx(float(expected), rel=1e-13)


@pytest.mark.parametrize(("trials", "log_odds"), [(0, 0), (7, -1), (10**6, -5.8), (10**8, 0.3)])
def test_a_window_agrees_with_scipy(trials, log_odds):
    first, shares = jaccard_law.binomial_window(trials, log_odds=log_odds, exponent=60.0)
    counts = first + np.arange(len(shares))
    expected = stats.binom.pmf(counts, trials, 1 / (1 + math.exp(-log_odds)))
    seen = expected > 1e-12
    # 1 / (1 + e^x) is rounded for scipy, which moves the far counts of large laws a little
    assert shares[seen] == pytest.approx(expected[seen], rel=1e-7)
    assert shares.sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("density", [1e-4, 0.06, 0.5, 0.97])
def test_both_ways_to_sum_agree(density):
    law = jaccard_law.jaccard_distribution(density=density, cells=10**6, epsilon=4.0)
    for quantile in (1e-12, 0.05, 0.5, 0.999):
        value = law.quantile(quantile)
        for near in (value * 0.99, value, value * 1.003):
            one, other = law._above_by_kept(near), law._above_by_invented(near)
            assert one == pytest.approx(other, rel=1e-8, abs=1e-300)
        assert law.above(value) <= quantile < law.above(value * (1 - 1e-12))


@pytest.mark.parametrize(
    ("density", "cells", "epsilon"), [(2e-5, 10**10, 9.0), (1e-5, 10**11, 1.0), (0.5, 10**9, 2.0)]
)
def test_huge_laws_are_near_normal(density, cells, epsilon):
    """Independent of the sums: the ratio's mean and spread by the delta method."""
    law = jaccard_law.jaccard_distribution(density=density, cells=cells, epsilon=epsilon)
    flip = 1 / (1 + math.exp(epsilon))
    union = cells * (density + flip * (1 - density))
    mean = jaccard_law.jaccard_first_term(density=density, epsilon=epsilon)
    variance = flip * (1 - flip) * cells * (density + mean**2 * (1 - density))
    sd = math.sqrt(variance) / union
    assert law.mean == pytest.approx(mean, abs=0.01 * sd)
    for z in (-2.0, 0.0, 1.645, 4.0):
        assert law.above(mean + z * sd) == pytest.approx(stats.norm.sf(z), rel=0.1, abs=1e-9)


@pytest.mark.parametrize("density", [1e-6, 3.14e-5, 1e-3, 0.078, 0.5, 1.0])
def test_the_first_term_is_the_mean_of_large_graphs_and_has_an_inverse(density):
    for epsilon in (0.0, 4.0, 8.0) if density > 1e-4 else ():
        exact = jaccard_law.expected_jaccard(density=density, cells=10**6, epsilon=epsilon)
        term = jaccard_law.jaccard_first_term(density=density, epsilon=epsilon)
        assert exact == pytest.approx(term, abs=1e-3)
    for target in (0.1, 0.5, 0.9):
        level = jaccard_law.epsilon_for_jaccard(target, density=density)
        reached = jaccard_law.jaccard_first_term(density=density, epsilon=level)
        assert reached == pytest.approx(target) if level else reached >= target
    assert jaccard_law.epsilon_for_jaccard(0.5, density=density) == pytest.approx(
        -math.log(density)
    )


def test_samples_follow_the_law():
    setting = {"density": 0.02, "cells": 20_000, "epsilon": 4.0}
    draws = jaccard_law.sample_jaccard(**setting, size=50_000, rng=3)
    law = jaccard_law.jaccard_distribution(**setting)
    for value in (law.quantile(0.9), law.quantile(0.5), law.quantile(0.05)):
        assert count_fits((draws > value).sum(), len(draws), law.above(value))
    again = jaccard_law.sample_jaccard(**setting, size=50_000, rng=3)
    assert np.array_equal(draws, again)


# Theorem 4.1: where the printed form fails, and that the others never do.


settings = st.integers(1, 10**6), st.floats(0, 12), st.floats(1e-9, 1, exclude_max=True)


@given(st.floats(1e-4, 1), *settings)
def test_forms_hold_and_keep_their_order(density, cells, epsilon, delta):
    """With or without the condition."""
    density = min(max(density, 1 / cells), 1.0)
    named = {"density": density, "cells": cells, "epsilon": epsilon, "delta": delta}
    value = {form: jaccard_bound(**named, form=form) for form in FORMS}
    near = 1e-12
    assert 0 <= value["exact"] <= value["chernoff"] + near
    assert value["chernoff"] <= value["line"] + near
    assert value["line"] <= value["corrected"] + near
    assert value["printed"] <= value["corrected"] <= 1
    for form in FORMS[1:]:
        assert violation_probability(**named, form=form) <= delta * (1 + 1e-9)


@given(st.floats(0.5, 1), *settings)
def test_on_dense_graphs_the_printed_form_holds(density, cells, epsilon, delta):
    """With half of delta to spare, and half the corrected tail is enough at any density."""
    edges = max(round(density * cells), (cells + 1) // 2)
    share = edges / cells
    named = {"density": share, "cells": cells, "epsilon": epsilon, "delta": delta}
    assert violation_probability(**named, form="printed") <= delta / 2 * (1 + 1e-9)


@pytest.mark.parametrize("similarity", [0.3, 0.4, 0.6])
def test_the_exponent_is_a_bound_on_the_law(similarity):
    law = jaccard_distribution(density=0.01, cells=10**5, epsilon=4.0)
    exponent = chernoff_exponent(similarity, edges=1000, cells=10**5, epsilon=4.0)
    if similarity < law.mean:
        assert exponent == 0
    else:  # not far above the truth either: Chernoff loses a polynomial factor
        truth = math.log(law.above(similarity)) if law.above(similarity) else -1000.0
        assert truth <= exponent <= max(truth * 0.6, -40)
