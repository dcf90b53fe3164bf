"""Constants of Theorems 5.4 and 5.5, and the instance on which the latter fails."""

from fractions import Fraction

import numpy as np
import pytest

from pplab.papers.smooth.approximation import merging_counterexample
from pplab.papers.smooth.lemmas import (
    LI,
    LOWER_BOUNDED_MEDIAN,
    alg1_factor,
    alg2_factor,
    distance_constant,
    largest_a,
    least_jaccard,
)
from pplab.smooth.optimum import majority_jaccard

A = Fraction("0.004")


def test_printed_constants_follow_from_the_factors():
    assert distance_constant(LOWER_BOUNDED_MEDIAN) == Fraction("165.2")
    assert distance_constant(LI) == Fraction("2.976")
    assert distance_constant(1.488) == Fraction("2.976")  # a float counts as it prints
    assert distance_constant(np.float64(1.488)) == Fraction("2.976")


def test_thresholds():
    assert round(float(least_jaccard(distance_constant(LOWER_BOUNDED_MEDIAN))), 3) == 0.994
    assert alg1_factor(Fraction("0.994")) > 0 > alg1_factor(Fraction("0.9939"))
    second = least_jaccard(distance_constant(LI, a=A))
    assert Fraction("0.7499") < second < Fraction("0.75")
    assert alg2_factor(second, a=A) == 0
    assert alg2_factor(Fraction("0.75"), a=A) > 0 > alg2_factor(Fraction("0.7499"), a=A)


def test_the_largest_a_at_three_quarters_is_what_is_printed():
    most = largest_a(Fraction(3, 4))
    assert int(1000 * most) == 4
    assert most == Fraction(24, 5976)
    assert alg2_factor(Fraction(3, 4), a=most) == 0
    assert alg2_factor(Fraction(3, 4), a=Fraction("0.005")) < 0
    assert largest_a(Fraction("0.7")) == 0
    assert largest_a(1) == 1


def test_exact_solvers_promise_more():
    assert alg1_factor(Fraction(4, 5), approximation=1) == Fraction(1, 2)
    assert alg2_factor(Fraction(4, 5), a=Fraction(1, 3), approximation=1) == 0
    assert alg2_factor(0.9, a=0.1, approximation=1) > alg2_factor(0.9, a=0.1)


def test_factors_at_a_perfect_copy():
    assert alg1_factor(1) == 1
    assert alg2_factor(1, a=Fraction(1, 2)) == Fraction(1, 32)
    assert alg2_factor(1, a=0) == 0


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: alg1_factor(0), "jaccard"),
        (lambda: alg1_factor(1.1), "jaccard"),
        (lambda: alg1_factor(float("nan")), "jaccard"),
        (lambda: alg2_factor(0.9, a=1), "a must lie"),
        (lambda: alg2_factor(0.9, a=float("nan")), "a must lie"),
        (lambda: distance_constant(0), "approximation"),
        (lambda: least_jaccard(-1), "constant"),
    ],
)
def test_bad_arguments_are_refused(call, named):
    with pytest.raises(ValueError, match=named):
        call()


def test_merging_across_groups_loses_everything():
    found = merging_counterexample()
    assert found.biadjacency.shape == (18, 69)
    assert found.grouped_jaccard == Fraction(20, 21)
    assert found.crossed_jaccard == 0
    assert alg2_factor(found.grouped_jaccard, a=found.a) > 0  # the theorem promises more than 0
    dropped = majority_jaccard(found.biadjacency, found.crossed, ties="more-than-half")
    assert dropped == 0
    for merged in (found.groups, found.crossed):  # both are merges of the pairs to size k
        assert (np.bincount(merged) == found.k).all()
        assert all(len(set(merged[found.pairs == pair])) == 1 for pair in range(9))


def test_facility_location_opens_one_facility_per_pair():
    """A pair without one of its own pays at least 4, a facility costs 0.064: nine are best."""
    found = merging_counterexample()
    costs = found.opening_costs()
    assert costs == pytest.approx(np.full(18, 8 * 0.008 / 0.996))
    table = found.biadjacency.toarray().astype(int)
    away = (table[:, None, :] != table[None, :, :]).sum(axis=2)
    same = found.pairs[:, None] == found.pairs
    assert (away[same] == 0).all()
    assert 2 * away[~same].min() == 4 > costs.max()
    sizes = np.bincount(found.pairs)
    assert sizes.min() == 2 >= found.a * found.k  # step 4 removes none
