"""Flip probability <-> epsilon: end points, outward rounding, refusals."""

import math
from decimal import Decimal, getcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pplab import epsilon_to_flip, flip_to_epsilon

getcontext().prec = 80


def exact_epsilon(p):
    fraction = Fraction(p)
    odds = (1 - fraction) / fraction
    return (Decimal(odds.numerator) / Decimal(odds.denominator)).ln()


def test_end_points():
    assert flip_to_epsilon(0.5) == 0.0
    assert flip_to_epsilon(0) == math.inf
    assert flip_to_epsilon(Fraction(1, 2)) == 0.0
    assert epsilon_to_flip(1e-300) == 0.5
    assert 0 < epsilon_to_flip(1e6) < 1e-300


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


@pytest.mark.parametrize("epsilon", [744.1, 744.44, 745.0, 1e308])
def test_flip_never_falls_below_the_true_value(epsilon):
    assert epsilon_to_flip(epsilon) >= 1 / (1 + Decimal(min(epsilon, 10**5)).exp())


def test_arrays_keep_their_shape():
    levels = flip_to_epsilon(np.array([[0.1, 0.2], [0.3, 0.4]]))
    assert levels.shape == (2, 2)
    assert levels[1, 0] == flip_to_epsilon(0.3)
    assert epsilon_to_flip([1.0, 2.0])[1] == epsilon_to_flip(np.int64(2))
