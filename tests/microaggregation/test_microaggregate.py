"""Microaggregated ratings: groups keep their means, and the error is what the groups lose."""

import statistics

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import sparse

from pplab.microaggregation.mdav import mdav
from pplab.microaggregation.microaggregate import (
    IMPUTATIONS,
    complete,
    group_means,
    microaggregate,
    standardise,
)

NAN = np.nan
SCALE = (1, 5)
shapes = array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=8)
cells = st.one_of(st.just(NAN), st.sampled_from([1.0, 1.1, 0.1 + 0.2 + 1, 2.0, 3.7, 5.0]))
tables = arrays(np.float64, shapes, elements=cells)
LEFTOVERS = st.sampled_from(["group", "closest"])


@given(tables, st.integers(2, 8), st.sampled_from(IMPUTATIONS), LEFTOVERS)
def test_against_the_steps_of_the_paper(ratings, k, impute, leftover):
    """Means of groups of the scores, brought back to ratings, one step after the other."""
    ratings[0, 0] = 4.0
    k = min(k, len(ratings))
    completed = complete(ratings, impute=impute, rating_range=SCALE)
    table = standardise(completed)
    labels = mdav(table.scores, k, leftover=leftover)
    means = np.array([table.scores[labels == label].mean(axis=0) for label in labels])
    result = microaggregate(ratings, k, impute=impute, rating_range=SCALE, leftover=leftover)
    assert np.array_equal(result.completed, completed)
    assert np.array_equal(result.labels, labels)
    assert result.protected == pytest.approx(means * table.deviations + table.means, abs=1e-12)
    eq1 = sum(
        np.square(completed[labels == label] - completed[labels == label].mean(axis=0)).sum()
        for label in set(labels)
    )
    eq2 = np.square(completed - result.protected).sum()
    assert result.sse == pytest.approx(eq2, rel=1e-12, abs=1e-20)
    assert eq1 == pytest.approx(eq2, rel=1e-12, abs=1e-20)  # the paper's two errors are one number
    rows = [row.tobytes() for row in result.protected]
    assert result.k_achieved == min(map(rows.count, rows)) >= np.bincount(labels).min() >= k


@given(tables, st.integers(2, 4), LEFTOVERS, st.randoms(use_true_random=False))
def test_the_order_of_the_users_is_no_matter(ratings, k, leftover, random):
    k, order = min(k, len(ratings)), random.sample(range(len(ratings)), len(ratings))
    one = microaggregate(ratings, k, rating_range=SCALE, leftover=leftover)
    two = microaggregate(ratings[order], k, rating_range=SCALE, leftover=leftover)
    # Users whose completed ratings agree are interchangeable: compare pairs of what went in and
    # what came out, as a collection, to the last bit.
    pairs = [
        sorted(np.hstack([result.completed, result.protected]).tolist()) for result in (one, two)
    ]
    assert pairs[0] == pairs[1]
    assert (one.sse, one.k_achieved) == (two.sse, two.k_achieved)


def test_the_options_are_reported():
    result = microaggregate(
        [[5, 4], [1, 0], [5, 5], [2, 1]], 2, rating_range=SCALE, leftover="group"
    )
    expected = {"k": 2, "impute": "midpoint", "rating_range": (1.0, 5.0), "leftover": "group"}
    assert result.options == expected
    default = microaggregate(np.eye(5), 2, rating_range=SCALE)
    assert default.options["leftover"] == "closest"  # the changed rule


def test_tables_at_the_edge():
    def published(ratings, k):
        return microaggregate(ratings, k, rating_range=SCALE, leftover="group")

    twice = np.repeat([[1.1, 5, 3], [5, 1.3, 1], [3, 3.7, 5]], 3, axis=0)
    assert np.array_equal(published(twice, 3).protected, twice)
    # counted on what is published, not copied from k
    assert published(np.full((7, 2), 1.1), 2).k_achieved == 7
    constant = published([[1.1, 5], [1.1, 1], [1.1, 4], [1.1, 2], [1.1, 3]], 2)
    assert (constant.protected[:, 0] == 1.1).all()
    assert published(np.full((4, 2), NAN), 2).sse == 0


@given(tables, st.data())
def test_names_of_groups_change_no_mean(table, data):
    table = np.nan_to_num(table, nan=0.1)
    labels = np.unique(np.arange(len(table)) % 3, return_inverse=True)[1]
    names = np.array(data.draw(st.permutations(range(labels.max() + 1))))
    assert np.array_equal(group_means(table, labels), group_means(table, names[labels]))
    gaps = group_means([[1, 3], [2, 3], [6, 4]], [5, 5, 2])
    assert gaps.tolist() == [[1.5, 3.0], [1.5, 3.0], [6.0, 4.0]]


# Completion against pandas.


def completed_by_pandas(table, impute, low, high):
    frame = pd.DataFrame(table)
    overall = np.nanmean(table) if frame.notna().any(axis=None) else NAN
    if impute == "user-mean":
        return frame.T.fillna(frame.mean(axis=1)).T.fillna(overall)
    fills = {"midpoint": (low + high) / 2, "item-mean": frame.mean(), "global-mean": overall}
    fills["item-median"] = frame.median()
    return frame.fillna(fills[impute]).fillna(overall)


@given(tables, st.sampled_from(IMPUTATIONS))
def test_against_pandas(table, impute):
    if np.isnan(table).all() and impute != "midpoint":
        with pytest.raises(ValueError, match="at least one rating"):
            complete(table, impute=impute, rating_range=(1, 5))
        return
    full = complete(table, impute=impute, rating_range=(1, 5))
    expected = completed_by_pandas(table, impute, 1, 5).to_numpy()
    assert full == pytest.approx(expected, rel=1e-12)
    known = ~np.isnan(table)
    assert (full[known] == table[known]).all()  # every given rating, to the last bit
    order = np.random.default_rng(len(table)).permutation(len(table))  # changes no bit
    assert np.array_equal(complete(table[order], impute=impute, rating_range=(1, 5)), full[order])


@pytest.mark.parametrize("impute", ["item-mean", "item-median", "user-mean", "global-mean"])
def test_ratings_that_agree_fill_gaps_with_themselves(impute):
    table = np.full((3, 4), 0.1)
    table[0, 1] = NAN  # the plain mean of three times 0.1 is not 0.1 in floats
    assert (complete(table, impute=impute, rating_range=(0, 1)) == 0.1).all()


def test_stored_zeros_are_ratings():
    stored = sparse.csr_array((np.array([0.0, -10.0]), [1, 0], [0, 1, 2]), shape=(2, 2))
    full = complete(stored, impute="global-mean", rating_range=(-10, 10))
    assert full.tolist() == [[-5, 0], [-10, -5]]


# z-scores against the definition; items that do not vary.


values = st.sampled_from([-10.0, -0.3, 0.0, 0.1, 1 / 3, 1.0, 2.0, 9.99])
tables_standardise = arrays(
    np.float64, array_shapes(min_dims=2, max_dims=2, max_side=7), elements=values
)


@given(tables_standardise)
def test_against_the_definition(table):
    result = standardise(table)
    for item, column in enumerate(table.T.tolist()):
        mean, deviation = statistics.fmean(column), statistics.pstdev(column)
        assert result.means[item] == pytest.approx(mean, abs=1e-14)
        assert result.deviations[item] == pytest.approx(deviation, abs=1e-14)
        expected = [(x - mean) / deviation if deviation else 0.0 for x in column]
        assert result.scores[:, item] == pytest.approx(np.array(expected), abs=1e-12)
    order = np.random.default_rng(len(table)).permutation(len(table))  # changes no bit
    assert np.array_equal(standardise(table[order]).scores, result.scores[order])


def test_a_constant_item_scores_zero_and_keeps_its_mean_exactly():
    for value in (0.1, 1 / 3, -7.3, 3.0):
        for users in (1, 3, 10, 943):
            result = standardise(np.full((users, 2), value))
            assert (result.scores == 0).all()
            assert (result.deviations == 0).all()
            assert (result.means == value).all()
