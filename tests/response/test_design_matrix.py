"""Design matrix: true level against enumeration, the printed test and where it fails."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pplab.papers.noise_graphs.theorems import two_noise_graphs
from pplab.response.categorical import DesignMatrix
from pplab.response.noise_graph import BipartiteNoiseGraph
from pplab.theory.exact import exact_epsilon
from tests.helpers import count_fits

shares = st.fractions(0, 1, max_denominator=20)


def matrix(p01, p10):
    return DesignMatrix(p00=1 - p01, p01=p01, p10=p10, p11=1 - p10)


@given(shares, shares)
@settings(max_examples=40, deadline=None)
def test_the_true_level_is_the_exact_one(p01, p10):
    mechanism = matrix(p01, p10)
    found = exact_epsilon(mechanism, shape=(1, 1), unit="edge")
    assert found.odds == mechanism.odds
    assert found.epsilon == mechanism.epsilon


@given(shares, shares)
@settings(deadline=None)
def test_the_printed_test_is_sufficient_while_lies_are_few(p01, p10):
    mechanism = matrix(p01, p10)
    if p01 + p10 <= 1:
        assert mechanism.odds <= mechanism.printed_odds
        assert mechanism.epsilon <= mechanism.printed_epsilon


def test_the_printed_test_fails_when_both_lie_often():
    often = matrix(Fraction(9, 10), Fraction(9, 10))
    assert (often.printed_epsilon, often.printed_odds) == (0.0, Fraction(1, 9))
    assert often.odds == 9
    always = matrix(Fraction(1), Fraction(1))  # publishes the complement
    assert (always.printed_epsilon, always.epsilon) == (0.0, math.inf)


def test_it_is_the_flip_when_both_lies_are_equal():
    p = Fraction(1, 4)
    table = [[1, 0], [0, 1]]
    assert matrix(p, p).distribution(table) == BipartiteNoiseGraph(p).distribution(table)
    assert matrix(p, p).epsilon == BipartiteNoiseGraph(p).epsilon


@given(shares, shares, st.lists(st.integers(0, 1), min_size=4, max_size=4))
@settings(max_examples=40, deadline=None)
def test_two_noise_graphs_have_the_same_law(p01, p10, cells):
    table = [cells[:2], cells[2:]]
    law = matrix(p01, p10).distribution(table)
    assert law == two_noise_graphs(table, removed=p10, added=p01)
    if p01 != p10 and sum(cells):
        assert law != two_noise_graphs(table, removed=p01, added=p10)


@pytest.mark.parametrize(("p01", "p10"), [(0.05, 0.3), (0.7, 0.9), (0.0, 1.0)])
def test_samples_have_these_probabilities(p01, p10):
    graph = np.zeros((100, 200), dtype=int)
    graph[:, :50] = 1
    published = matrix(p01, p10).sample(graph, rng=1).toarray()
    assert count_fits((published[:, :50] == 0).sum(), 5000, p10)
    assert count_fits(published[:, 50:].sum(), 15_000, p01)
    assert not count_fits(published[:, 50:].sum(), 15_000, p10)


@pytest.mark.parametrize(
    ("entries", "sentence"),
    [
        ((0.9, 0.2, 0.1, 0.9), "p00 \\+ p01 must be 1, got 1.1"),
        ((0.9, 0.1, 0.1, 0.8), "p10 \\+ p11 must be 1"),
        ((1.1, -0.1, 0.1, 0.9), "p00 must lie in"),
        ((0.9, 0.1, math.nan, 0.9), "p10 must lie in"),
        ((0.9, 0.1, True, 0), "p10 must be a number"),
    ],
)
def test_what_is_no_design_matrix_is_refused(entries, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        DesignMatrix(**dict(zip(("p00", "p01", "p10", "p11"), entries, strict=True)))


def test_floats_that_sum_to_one_up_to_rounding_are_taken():
    mechanism = DesignMatrix(p00=0.9, p01=0.1, p10=0.3, p11=0.7)
    assert sum(mechanism.distribution([[1, 0]]).values()) == 1
