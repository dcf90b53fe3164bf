"""Squared and absolute errors against exact sums, and the identity of equations 1 and 2."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pplab.metrics.error import (
    mean_absolute_error,
    percent_mae,
    sum_of_squared_errors,
    within_group_sse,
)

grouped = st.integers(1, 8).flatmap(
    lambda rows: st.tuples(
        arrays(np.float64, (rows, 3), elements=st.integers(-5, 5)),
        arrays(np.int64, rows, elements=st.integers(0, 3)),
    )
)


@given(grouped)
def test_within_groups_is_the_error_of_group_means(made):
    points, labels = made
    means = np.array([points[labels == label].mean(axis=0) for label in labels])
    exact = Fraction(0)
    for group in set(labels.tolist()):
        for column in points[labels == group].T:
            values = [Fraction(float(value)) for value in column]
            exact += sum((value - sum(values) / len(values)) ** 2 for value in values)
    assert within_group_sse(points, labels) == pytest.approx(float(exact), rel=1e-12, abs=1e-12)
    assert within_group_sse(points, labels) == pytest.approx(
        sum_of_squared_errors(points, means), rel=1e-12, abs=1e-12
    )


@given(grouped, st.permutations(range(4)))
def test_names_of_groups_and_order_of_rows_change_nothing(made, names):
    points, labels = made
    renamed = np.array(names)[labels]
    assert within_group_sse(points[::-1], renamed[::-1]) == pytest.approx(
        within_group_sse(points, labels), rel=1e-12, abs=1e-12
    )


@given(grouped)
def test_sum_of_squares_against_a_loop(made):
    table, _ = made
    other = table[::-1] + 1
    exact = sum(
        int(a - b) ** 2 for a, b in zip(table.ravel().tolist(), other.ravel().tolist(), strict=True)
    )
    assert sum_of_squared_errors(table, other) == exact


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=1))
def test_mean_absolute_error_against_a_loop(pairs):
    truth, guess = zip(*pairs, strict=True)
    exact = math.fsum(abs(a - b) for a, b in pairs) / len(pairs)
    assert mean_absolute_error(truth, guess) == pytest.approx(exact)
    assert percent_mae(truth, guess, rating_range=(1, 5)) == pytest.approx(25 * exact)
    assert percent_mae(truth, guess, rating_range=(-10, 10)) == pytest.approx(5 * exact)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: sum_of_squared_errors([[1.0]], [[1.0, 2.0]]), "same shape"),
        (lambda: sum_of_squared_errors([[np.nan]], [[1.0]]), "original must be complete"),
        (lambda: sum_of_squared_errors([[1.0]], [[np.nan]]), "protected must be complete"),
        (lambda: sum_of_squared_errors([], []), "original must"),
        (lambda: within_group_sse([[1.0], [2.0]], [0]), "labels must be 2 whole numbers"),
        (lambda: within_group_sse([[1.0], [2.0]], [0, -1]), "labels must be group numbers"),
        (lambda: within_group_sse([[1.0], [2.0]], [0.0, 1.0]), "labels must be 2 whole numbers"),
        (lambda: within_group_sse([[1.0], [np.nan]], [0, 0]), "points must be complete"),
        (lambda: mean_absolute_error([], []), "truth must be finite numbers, got none"),
        (lambda: mean_absolute_error([1.0], [np.nan]), "predictions must be finite numbers"),
        (lambda: mean_absolute_error([1.0], [1.0, 2.0]), "truth and predictions must have"),
        (lambda: percent_mae([1.0], [1.0], rating_range=(5, 1)), "rating_range must"),
    ],
)
def test_refusals(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_numbers_whose_squares_overflow_are_refused():
    with pytest.raises(ValueError, match=r"protected must hold numbers of at most 1e\+50"):
        sum_of_squared_errors([[1.0]], [[-1e200]])
    with pytest.raises(ValueError, match=r"points must hold numbers of at most 1e\+50"):
        within_group_sse([[1e200], [0.0]], [0, 0])


def test_lists_of_different_lengths_are_refused():
    with pytest.raises(TypeError, match="truth must be numbers"):
        mean_absolute_error([[1, 2], [3]], [1, 2])


def test_masked_ratings_are_no_ratings():
    masked = np.ma.array([1.0, 9.0], mask=[0, 1])
    with pytest.raises(ValueError, match="truth must be finite numbers, got nan"):
        mean_absolute_error(masked, [1.0, 1.0])
