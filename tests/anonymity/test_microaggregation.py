"""Microaggregated ratings: groups keep their means, and the error is what the groups lose."""

import numpy as np
import pytest
from hypothesis import given, settings
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
from pplab.smooth.groups import pool_groups

NAN = np.nan
SCALE = (1, 5)
shapes = array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=8)
cells = st.one_of(st.just(NAN), st.sampled_from([1.0, 1.1, 2.0, 3.5, 5.0]))
tables = arrays(np.float64, shapes, elements=cells)
LEFTOVERS = st.sampled_from(["group", "closest"])


@settings(deadline=None)
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
    assert result.protected == pytest.approx(table.restore(means), abs=1e-12)
    eq1 = sum(
        np.square(completed[labels == label] - completed[labels == label].mean(axis=0)).sum()
        for label in set(labels)
    )
    eq2 = np.square(completed - result.protected).sum()
    assert result.sse == pytest.approx(eq2, rel=1e-12, abs=1e-20)
    assert eq1 == pytest.approx(eq2, rel=1e-12, abs=1e-20)  # the paper's two errors are one number
    assert result.protected.min() >= 1
    assert result.protected.max() <= 5
    rows = [row.tobytes() for row in result.protected]
    assert result.k_achieved == min(map(rows.count, rows)) >= np.bincount(labels).min() >= k


@settings(deadline=None)
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


def test_by_hand():
    result = microaggregate(
        [[5, 4], [1, 0], [5, 5], [2, 1]], 2, rating_range=SCALE, leftover="group"
    )
    assert result.protected.tolist() == [[5, 4.5], [1.5, 2], [5, 4.5], [1.5, 2]]
    assert result.completed.tolist() == [[5, 4], [1, 3], [5, 5], [2, 1]]
    assert (result.sse, result.k_achieved) == (0.5 + 0.5 + 2, 2)
    assert result.options == {
        "k": 2,
        "impute": "midpoint",
        "rating_range": (1.0, 5.0),
        "leftover": "group",
    }
    ratings = np.random.default_rng(2).integers(0, 6, (25, 9))
    one = microaggregate(ratings, 3, rating_range=SCALE)
    two = microaggregate(ratings, 3, rating_range=SCALE, leftover="closest")
    assert one.options["leftover"] == "closest"  # the changed rule is the default
    assert np.array_equal(one.protected, two.protected)


def test_tables_at_the_edge():
    def published(ratings, k):
        return microaggregate(ratings, k, rating_range=SCALE, leftover="group")

    twice = np.repeat([[1.1, 5, 3], [5, 1.3, 1], [3, 3.7, 5]], 3, axis=0)
    assert published(twice, 3).sse == 0
    assert np.array_equal(published(twice, 3).protected, twice)
    # counted on what is published, not copied from k
    assert published(np.full((7, 2), 1.1), 2).k_achieved == 7
    constant = published([[1.1, 5], [1.1, 1], [1.1, 4], [1.1, 2], [1.1, 3]], 2)
    assert (constant.protected[:, 0] == 1.1).all()
    gaps = published(np.array([[5, NAN, 1], [4, NAN, 2], [NAN, NAN, NAN], [1, NAN, 5]]), 2)
    assert (gaps.protected[:, 1] == 3).all()
    assert gaps.completed[2].tolist() == [3, 3, 3]
    assert published(np.full((4, 2), NAN), 2).sse == 0
    assert published([[5], [1], [4], [2]], 2).protected.ravel().tolist() == [4.5, 1.5, 4.5, 1.5]
    assert (published([[5, 1], [1, 2], [3, 3]], 3).protected == [3, 2]).all()


@settings(deadline=None)
@given(tables, st.data())
def test_names_of_groups_change_no_mean(table, data):
    table = np.nan_to_num(table, nan=0.1)
    labels = np.unique(np.arange(len(table)) % 3, return_inverse=True)[1]
    names = np.array(data.draw(st.permutations(range(labels.max() + 1))))
    assert np.array_equal(group_means(table, labels), group_means(table, names[labels]))
    gaps = group_means([[1, 3], [2, 3], [6, 4]], [5, 5, 2])
    assert gaps.tolist() == [[1.5, 3.0], [1.5, 3.0], [6.0, 4.0]]


def test_bad_input_is_refused():
    four = [[1], [2], [3], [4]]
    for ratings, k, options, sentence in [
        *[(four, k, {}, "k must be an integer between 2 and 4") for k in (-1, 1, 5)],
        *[(four, k, {}, "k must be an integer") for k in (2.0, True, "2", None, NAN)],
        ([[1, 2]], 2, {}, "at least 2 records"),
        (four, 2, {"leftover": "drop"}, "leftover must be one of"),
        (four, 2, {"impute": "zero"}, "impute must be one of"),
        ([[1], [9]], 2, {}, "got 1 outside, the first 9"),
        (sparse.csr_array((2**16, 2**15)), 2, {}, "at most 8 GiB"),
    ]:
        with pytest.raises((TypeError, ValueError), match=sentence):
            microaggregate(ratings, k, rating_range=SCALE, **options)
    for labels in ([0, 0], [0, 0, -1], [0.0, 0.0, 1.0], [[0, 0, 1]]):
        for publish in (group_means, pool_groups):
            with pytest.raises(ValueError, match="labels must be"):
                publish(np.ones((3, 2)), labels)
    with pytest.raises(ValueError, match="table must be finite"):
        group_means([[1.0], [NAN]], [0, 0])
