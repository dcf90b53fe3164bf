"""Squared errors against exact sums, and the identity of equations 1 and 2."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pplab.metrics.error import sum_of_squared_errors, within_group_sse

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
        (lambda: sum_of_squared_errors([[1.0]], [[-1e200]]), r"protected .* at most 1e\+50"),
        (lambda: within_group_sse([[1e200], [0.0]], [0, 0]), r"points .* at most 1e\+50"),
    ],
)
def test_refusals(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
