"""Two-stage response: its formula against enumeration, in both directions, and its samples."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from pplab.response.categorical import CategoricalResponse, TwoStageResponse
from pplab.theory.exact import exact_epsilon
from tests.helpers import count_fits, outcomes_fit

flips = st.fractions(Fraction(1, 100), Fraction(1, 2), max_denominator=100)
seconds = st.fractions(1, 50, max_denominator=20)


@given(flips, seconds, st.integers(1, 5))
@settings(max_examples=30, deadline=None)
def test_the_formula_is_the_exact_level(p, second, levels):
    mechanism = TwoStageResponse(levels=levels, flip_probability=p, rating_odds=second)
    found = exact_epsilon(mechanism, shape=(1, 1), unit="edge")
    assert found.odds == mechanism.odds
    assert found.epsilon == mechanism.epsilon
    presence = (1 - p) / p
    assert mechanism.odds <= presence * second  # the sum of both levels is safe
    if levels > 1:
        assert mechanism.odds == max(second, presence * levels * second / (second + levels - 1))
    else:
        assert mechanism.odds == presence  # a single level tells nothing in the second stage


@given(seconds, st.fractions(1, 20, max_denominator=20), st.integers(1, 5))
@settings(max_examples=30, deadline=None)
def test_within_spends_the_odds_it_was_given(second, presence, levels):
    mechanism = TwoStageResponse.within(levels=levels, odds=second * presence, rating_odds=second)
    assert mechanism.odds == (second * presence if levels > 1 else mechanism.odds)
    assert 0 < mechanism.flip_probability <= Fraction(1, 2)


def test_more_than_the_odds_cannot_be_spent_on_the_rating():
    with pytest.raises(ValueError, match="odds / rating_odds"):
        TwoStageResponse.within(levels=5, odds=3, rating_odds=4)


def test_it_is_sparser_than_the_categorical_response_at_equal_odds():
    two = TwoStageResponse.within(levels=5, odds=19, rating_odds=4)
    one = CategoricalResponse(levels=5, odds=19)
    assert two.flip_probability == Fraction(5, 43)
    assert two.flip_probability < 1 - one.table()[None][None] == Fraction(5, 24)
    assert two.keep_probability < one.keep_probability  # what it costs


def test_without_flips_there_is_no_level():
    mechanism = TwoStageResponse(levels=3, flip_probability=0, rating_odds=2)
    assert mechanism.epsilon == math.inf
    assert exact_epsilon(mechanism, shape=(1, 1), unit="edge").odds == math.inf


@pytest.mark.parametrize("levels", [3, 1])
def test_samples_follow_the_exact_distribution(levels):
    times, data = 6000, sparse.csr_array([[1, 0]])
    mechanism = TwoStageResponse(levels=levels, flip_probability=Fraction(1, 4), rating_odds=4)
    published = mechanism.sample(sparse.vstack([data] * times).tocsr(), rng=1).toarray().tolist()
    rows = [tuple(value or None for value in row) for row in published]
    law = {row: share for (row,), share in mechanism.distribution(data).items()}
    counts = [rows.count(row) for row in law]
    assert sum(counts) == times
    assert outcomes_fit(counts, list(law.values()))
    other = TwoStageResponse(levels=levels, flip_probability=Fraction(3, 10), rating_odds=4)
    wrong = other.distribution(data)
    assert not outcomes_fit(counts, [wrong[(row,)] for row in law])


def test_counts_on_a_larger_table():
    ratings = np.zeros((200, 300), dtype=int)
    ratings[:, :20] = 4
    mechanism = TwoStageResponse(levels=5, flip_probability=0.1, rating_odds=4)
    published = mechanism.sample(ratings, rng=2).toarray()
    assert count_fits((published[:, :20] == 0).sum(), 4000, 0.1)
    assert count_fits((published[:, :20] == 4).sum(), 4000, mechanism.keep_probability)
    assert count_fits((published[:, 20:] > 0).sum(), 56_000, 0.1)
    for level in range(1, 6):
        assert count_fits((published[:, 20:] == level).sum(), 56_000, 0.02)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"flip_probability": 0.6}, "flip_probability"),
        ({"rating_odds": 0.5}, "rating_odds must lie in"),
        ({"levels": 0}, "levels"),
    ],
)
def test_bad_arguments_are_refused(change, sentence):
    arguments = {"levels": 5, "flip_probability": 0.1, "rating_odds": 4} | change
    with pytest.raises(ValueError, match=sentence):
        TwoStageResponse(**arguments)
