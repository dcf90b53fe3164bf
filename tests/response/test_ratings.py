"""Weighted addition and the fuzzy exclusive or."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pplab import weighted_noise_graph
from pplab.response.ratings import NORMS, WeightedNoiseGraph, fuzzy_xor
from tests.helpers import count_fits

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


def test_no_rating_is_ever_removed():
    """The leak: what is published empty was empty; and empirical noise shows the data's ratings."""
    law = WeightedNoiseGraph(Fraction(1, 2), 5).distribution([[5, 0, 3], [0, 1, 0]])
    assert all(out[0][0] is not None and out[1][1] is not None for out in law)
    law = WeightedNoiseGraph(Fraction(1, 4), 5).distribution([[4, 0]])
    assert {out[0][1] for out in law} == {None, 4}
    ratings = np.arange(1, 11).reshape(2, 5)  # whole ratings stay whole under min-max
    published = weighted_noise_graph(ratings, flip_probability=0.5, top_rating=10, rng=1)
    assert np.array_equal(published.data, np.round(published.data))


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
