"""Completion against loops written from the definitions."""

import statistics

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import sparse

from pplab.microaggregation.microaggregate import IMPUTATIONS, complete

NAN = np.nan
cells = st.one_of(st.just(NAN), st.sampled_from([1.0, 2.0, 3.7, 0.1 + 0.2 + 1, 5.0]))
ratings = arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=7), elements=cells)
kinds = st.sampled_from(IMPUTATIONS)


def slow_complete(table, impute, low, high):
    known = [x for row in table for x in row if x == x]
    full = [list(row) for row in table]
    for user, row in enumerate(table):
        for item, rating in enumerate(row):
            if rating == rating:
                continue
            by_item = [other[item] for other in table if other[item] == other[item]]
            by_user = [x for x in row if x == x]
            if impute == "midpoint":
                fill = (low + high) / 2
            elif impute == "item-median":
                fill = statistics.median(by_item or [statistics.fmean(known)])
            else:
                group = {"item-mean": by_item, "user-mean": by_user, "global-mean": known}[impute]
                fill = statistics.fmean(group or known)
            full[user][item] = fill
    return full


@settings(deadline=None)
@given(ratings, kinds)
def test_against_loops(table, impute):
    if np.isnan(table).all() and impute != "midpoint":
        with pytest.raises(ValueError, match="at least one rating"):
            complete(table, impute=impute, rating_range=(1, 5))
        return
    full = complete(table, impute=impute, rating_range=(1, 5))
    assert full == pytest.approx(np.array(slow_complete(table, impute, 1, 5)), rel=1e-12)
    known = ~np.isnan(table)
    assert (full[known] == table[known]).all()  # every given rating, to the last bit
    assert full.min() >= 1
    assert full.max() <= 5


@settings(deadline=None)
@given(ratings, kinds, st.randoms(use_true_random=False))
def test_the_order_of_the_users_changes_no_bit(table, impute, random):
    table[0, 0] = 2.0
    order = list(range(len(table)))
    random.shuffle(order)
    full = complete(table, impute=impute, rating_range=(1, 5))
    assert np.array_equal(complete(table[order], impute=impute, rating_range=(1, 5)), full[order])


@pytest.mark.parametrize("impute", ["item-mean", "item-median", "user-mean", "global-mean"])
def test_ratings_that_agree_fill_gaps_with_themselves(impute):
    table = np.full((3, 4), 0.1)
    table[0, 1] = NAN  # the plain mean of three times 0.1 is not 0.1 in floats
    assert (complete(table, impute=impute, rating_range=(0, 1)) == 0.1).all()


def test_nobody_to_ask_means_the_mean_of_all():
    table = [[1, 4, NAN], [NAN, NAN, NAN], [3, 4, NAN]]
    for impute in ("item-mean", "item-median", "user-mean", "global-mean"):
        assert complete(table, impute=impute, rating_range=(1, 5))[1, 2] == 3
    assert complete(table, impute="user-mean", rating_range=(1, 5))[1].tolist() == [3, 3, 3]
    assert complete(table, impute="item-mean", rating_range=(1, 5))[:, 2].tolist() == [3, 3, 3]
    assert complete(table, impute="midpoint", rating_range=(1, 5))[:, 2].tolist() == [3, 3, 3]


def test_one_user_or_item_and_stored_zeros_that_are_ratings():
    assert complete([[4, NAN]], impute="user-mean", rating_range=(1, 5)).tolist() == [[4, 4]]
    assert complete([[4], [NAN]], impute="item-mean", rating_range=(1, 5)).tolist() == [[4], [4]]
    stored = sparse.csr_array((np.array([0.0, -10.0]), [1, 0], [0, 1, 2]), shape=(2, 2))
    full = complete(stored, impute="global-mean", rating_range=(-10, 10))
    assert full.tolist() == [[-5, 0], [-10, -5]]
    assert stored.nnz == 2


def test_bad_input_is_refused():
    unknown = [(impute, (1, 5)) for impute in ("mean", "", None, 3)]
    scales = [("midpoint", scale) for scale in ((5, 1), (1, NAN), (1, np.inf), 5, (True, 5), (1,))]
    for impute, scale in unknown + scales:
        sentence = "rating_range" if impute == "midpoint" else "impute must be one of 'midpoint'"
        with pytest.raises((TypeError, ValueError), match=sentence):
            complete([[1]], impute=impute, rating_range=scale)
    with pytest.raises(ValueError, match="got 1 outside, the first 7"):
        complete([[1, 7]], impute="midpoint", rating_range=(1, 5))
