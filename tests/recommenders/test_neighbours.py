"""Prediction by the nearest protected user."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pplab.recommenders.neighbours import predict_from_nearest
from tests.helpers import tables_with_gaps

full = arrays(np.float64, st.tuples(st.integers(1, 7), st.just(3)), elements=st.integers(1, 3))


def slow_values(protected, query):
    """The least row, as a list, of those that are nearest over the rated cells."""
    rated = [cell for cell, value in enumerate(query) if value == value]
    if not rated:
        return [np.nan] * len(query)
    rows = protected.tolist()
    distances = [sum((row[cell] - query[cell]) ** 2 for cell in rated) for row in rows]
    return min(row for row, d in zip(rows, distances, strict=True) if d == min(distances))


@settings(max_examples=60, deadline=None)
@given(full, tables_with_gaps(1.0, 2.0, 3.0))
def test_against_all_pairs(protected, queries):
    result = predict_from_nearest(protected, queries, cells="rated")
    expected = [slow_values(protected, query) for query in queries]
    assert np.array_equal(result.predicted, expected, equal_nan=True)
    empty = np.isnan(queries).all(axis=1)
    assert (result.neighbours[empty] == -1).all()
    predicted = result.predicted[~empty]
    assert np.array_equal(predicted, protected[result.neighbours[~empty]])


@settings(max_examples=60, deadline=None)
@given(full, full)
def test_complete_queries_need_no_choice_of_cells(protected, queries):
    plain = predict_from_nearest(protected, queries)
    rated = predict_from_nearest(protected, queries, cells="rated")  # all cells are
    assert np.array_equal(plain.neighbours, rated.neighbours)
    assert np.array_equal(plain.predicted, rated.predicted)
    same = (protected[:, None] == protected[plain.neighbours]).all(axis=2)
    assert np.array_equal(plain.neighbours, same.argmax(axis=0))  # the first of identical rows


def test_refusals():
    for queries, sentence in (
        ([[1.0, np.nan]], r'queries must be complete.*cells="rated"'),
        ([[1.0, 2.0, 3.0]], "same columns"),
    ):
        with pytest.raises(ValueError, match=sentence):
            predict_from_nearest([[1.0, 2.0]], queries)
