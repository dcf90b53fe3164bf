"""Categorical, two-stage and design-matrix response: their levels, by enumeration."""

import math
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from pplab.response.categorical import (
    CategoricalResponse,
    DesignMatrix,
    TwoStageResponse,
    categorical_response,
)
from pplab.response.levels import level_of_odds
from pplab.response.noise_graph import BipartiteNoiseGraph
from pplab.theory.exact import exact_epsilon
from pplab_papers.noise_graphs.theorems import two_noise_graphs
from tests.helpers import count_fits
from tests.response.test_mechanism import matrix


def covers(mechanism, epsilon):
    """The stated level is that of the odds, or a last bit above for the floats of the sampler."""
    return epsilon <= mechanism.epsilon <= epsilon + 1e-13


@given(st.floats(1e-6, 30))
def test_a_float_epsilon_is_never_exceeded_and_hardly_missed(epsilon):
    mechanism = CategoricalResponse(levels=5, epsilon=epsilon)
    exact = exact_epsilon(mechanism, shape=(1, 1), unit="edge").epsilon
    assert exact <= epsilon
    assert covers(mechanism, epsilon)
    assert exact == pytest.approx(epsilon, rel=1e-12, abs=1e-15)


def test_memory_grows_with_the_records_not_the_cells():
    empty = sparse.csr_array((4_000, 2_500), dtype=np.int8)  # 10 million cells
    categorical_response(empty, levels=5, epsilon=10.0, rng=1)  # compile first
    tracemalloc.start()
    published = categorical_response(empty, levels=5, epsilon=10.0, rng=1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count_fits(published.nnz, 10**7, 5 / (math.exp(10) + 5))
    assert peak < 4e6


# Two-stage response: its formula against enumeration, in both directions, and its samples.


flips = st.fractions(Fraction(1, 100), Fraction(1, 2), max_denominator=100)
seconds = st.fractions(1, 50, max_denominator=20)


@given(flips, seconds, st.integers(1, 5))
def test_the_formula_is_the_exact_level(p, second, levels):
    mechanism = TwoStageResponse(levels=levels, flip_probability=p, rating_odds=second)
    result = exact_epsilon(mechanism, shape=(1, 1), unit="edge")
    assert result.odds == mechanism.odds
    assert covers(mechanism, result.epsilon)
    presence = (1 - p) / p
    assert mechanism.odds <= presence * second  # the sum of both levels is safe
    if levels > 1:
        assert mechanism.odds == max(second, presence * levels * second / (second + levels - 1))
    else:
        assert mechanism.odds == presence  # a single level tells nothing in the second stage


@given(seconds, st.fractions(1, 20, max_denominator=20), st.integers(1, 5))
def test_within_spends_the_odds_it_was_given(second, presence, levels):
    mechanism = TwoStageResponse.within(levels=levels, odds=second * presence, rating_odds=second)
    assert mechanism.odds == (second * presence if levels > 1 else mechanism.odds)
    assert 0 < mechanism.flip_probability <= Fraction(1, 2)


def test_it_is_sparser_than_the_categorical_response_at_equal_odds():
    two = TwoStageResponse.within(levels=5, odds=19, rating_odds=4)
    one = CategoricalResponse(levels=5, odds=19)
    assert two.flip_probability == Fraction(5, 43)
    assert two.flip_probability < 1 - one.table()[None][None] == Fraction(5, 24)
    assert two.table()[3][3] < one.table()[3][3]  # the price: fewer ratings stay as they are


# Design matrix: true level against enumeration, the printed test and where it fails.


shares = st.fractions(0, 1, max_denominator=20)


@given(shares, shares)
def test_the_true_level_is_the_exact_one(p01, p10):
    mechanism = matrix(p01, p10)
    result = exact_epsilon(mechanism, shape=(1, 1), unit="edge")
    assert result.odds == mechanism.odds
    assert covers(mechanism, result.epsilon)
    if p01 + p10 <= 1:  # the printed test is sufficient while lies are few
        assert mechanism.odds <= mechanism.printed_odds
        # the stated level also covers the floats that are sampled: some last bits more
        printed = level_of_odds(mechanism.printed_odds, Fraction(1))
        assert mechanism.epsilon <= printed + 1e-13


def test_the_printed_test_fails_when_both_lie_often():
    often = matrix(Fraction(9, 10), Fraction(9, 10))
    assert (often.printed_odds, often.odds) == (Fraction(1, 9), 9)
    always = matrix(Fraction(1), Fraction(1))  # publishes the complement
    assert (always.printed_odds, always.epsilon) == (0, math.inf)


@given(shares, shares, st.lists(st.integers(0, 1), min_size=4, max_size=4))
def test_two_noise_graphs_have_the_same_law(p01, p10, cells):
    table = [cells[:2], cells[2:]]
    law = matrix(p01, p10).distribution(table)
    assert law == two_noise_graphs(table, removed=p10, added=p01)
    if p01 == p10 <= Fraction(1, 2):
        assert law == BipartiteNoiseGraph(p01).distribution(table)
    if p01 != p10 and sum(cells):
        assert law != two_noise_graphs(table, removed=p01, added=p10)


def test_floats_sum_to_one_up_to_rounding():
    nearly = DesignMatrix(p00=0.9, p01=0.1, p10=0.3, p11=0.7)
    assert sum(nearly.distribution([[1, 0]]).values()) == 1
