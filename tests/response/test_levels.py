"""Flip probability <-> epsilon with outward rounding; weighted addition, fuzzy exclusive or."""

import math
from decimal import Decimal, getcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pplab import epsilon_to_flip, flip_to_epsilon
from pplab.response.ratings import NORMS, WeightedNoiseGraph, fuzzy_xor
from tests.helpers import count_fits

getcontext().prec = 80


def exact_epsilon(p):
    fraction = Fraction(p)
    odds = (1 - fraction) / fraction
    return (Decimal(odds.numerator) / Decimal(odds.denominator)).ln()


@given(st.floats(min_value=5e-324, max_value=0.5, exclude_max=True))
def test_epsilon_is_rounded_up_by_less_than_an_ulp(p):
    epsilon, true = flip_to_epsilon(p), exact_epsilon(p)
    assert Decimal(epsilon) >= true
    assert Decimal(math.nextafter(epsilon, 0)) < true


@given(st.floats(min_value=1e-12, max_value=700))
def test_flip_is_rounded_up_by_less_than_an_ulp(epsilon):
    true = 1 / (1 + Decimal(epsilon).exp())
    p = epsilon_to_flip(epsilon)
    assert Decimal(p) >= true
    assert Decimal(math.nextafter(p, 0)) < true


# Weighted addition and the fuzzy exclusive or.


unit = st.fractions(min_value=0, max_value=1, max_denominator=50)
norms = st.sampled_from(sorted(NORMS))


@given(unit, unit, norms, st.integers(1, 10))
def test_the_fuzzy_exclusive_or(x, y, norm, top):
    """Symmetric, in range, 0 at two corners alone, the same on any scale and in floats."""
    exact = fuzzy_xor(x, y, norm=norm)
    assert 0 <= exact <= 1
    assert exact == fuzzy_xor(y, x, norm=norm)
    assert (exact == 0) == ((x, y) in ((0, 0), (1, 1)))
    assert fuzzy_xor(x * top, y * top, norm=norm, top=top) == top * exact
    assert float(fuzzy_xor(float(x), float(y), norm=norm)) == pytest.approx(float(exact), abs=1e-12)
    corners = [[fuzzy_xor(Fraction(a), Fraction(b), norm=norm) for b in (0, 1)] for a in (0, 1)]
    assert corners == [[0, 1], [1, 0]]


def test_sample_is_the_sum_of_ratings_and_drawn_noise():
    mechanism = WeightedNoiseGraph(0.3, 5)
    data = (np.arange(600).reshape(20, 30) * 7 % 11 < 3) * (np.arange(30) % 5 + 1)
    noise = mechanism.draw_noise(data, rng=4)
    published = mechanism.sample(data, rng=4)
    assert (mechanism.add(data, noise) != published).nnz == 0
    assert count_fits(noise.nnz, 600, 0.3)
    union = (noise.toarray() != 0) | (data != 0)
    assert published.nnz == union.sum()
    both = (noise.toarray() != 0) & (data != 0)
    expected = fuzzy_xor(data[both], noise.toarray()[both], norm="min-max", top=5)
    assert np.array_equal(published.toarray()[both], expected)
