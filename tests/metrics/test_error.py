"""Errors, overlap and attribute risk against slow twins written from the definitions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from pplab import (
    jaccard_similarity,
    k_achieved,
    sensitive_attribute_imprecision,
    sensitive_attribute_risk,
)
from pplab.metrics.error import sum_of_squared_errors, within_group_sse
from pplab.response.ratings import WeightedNoiseGraph

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
    for result in (within_group_sse(points, labels), sum_of_squared_errors(points, means)):
        assert result == pytest.approx(float(exact), rel=1e-12, abs=1e-12)
    other = points[::-1] + 1
    cells = zip(points.ravel().tolist(), other.ravel().tolist(), strict=True)
    assert sum_of_squared_errors(points, other) == sum(int(a - b) ** 2 for a, b in cells)


tables = arrays(np.int8, (3, 4), elements=st.integers(0, 3))


def edges(table):
    return {(i, j) for i, j in zip(*np.nonzero(table), strict=True)}


def slow_risk(original, protected, weighted):
    risk = []
    for before, after in zip(original.astype(int), protected.astype(int), strict=True):
        true = sum(before) if weighted else sum(before != 0)
        noise = sum(abs(before - after)) if weighted else sum(before != after)
        risk.append(true / (true + noise) if true + noise else np.nan)
    return np.array(risk)


@given(tables, tables)
def test_overlap_and_imprecision_against_sets(a, b):
    union = edges(a) | edges(b)
    kept = [edges(a), edges(b)]
    if any(table.all() and len(np.unique(table)) > 1 for table in (a, b)):  # values count
        kept = [{(*cell, int(t[cell])) for cell in edges(t)} for t in (a, b)]
    expected = len(kept[0] & kept[1]) / len(kept[0] | kept[1]) if union else 1.0
    assert jaccard_similarity(a, b) == pytest.approx(expected)
    errors = [abs(int(a[cell]) - int(b[cell])) for cell in union]
    wrong = np.mean(errors) if errors else 0.0
    assert sensitive_attribute_imprecision(a, b) == pytest.approx(wrong)


@given(tables, tables, st.booleans())
def test_risk_against_the_definition(a, b, weighted):
    risk = sensitive_attribute_risk(a, b, weighted=weighted)
    assert np.allclose(risk, slow_risk(a, b, weighted), equal_nan=True)


def test_stored_zero_is_a_record():
    """The fuzzy exclusive or makes zeros; they are edges of the union and true records."""
    original = sparse.csr_array(([5.0, 0.0], [0, 1], [0, 2]), shape=(1, 3))
    protected = sparse.csr_array(([0.0, 0.0], [0, 1], [0, 2]), shape=(1, 3))
    assert jaccard_similarity(original, protected) == 1
    assert sensitive_attribute_imprecision(original, protected) == 2.5
    assert sensitive_attribute_risk(original, protected)[0] == pytest.approx(2 / 3)
    nothing = sparse.csr_array((1, 3))
    assert sensitive_attribute_risk(original, nothing)[0] == 0.5  # the 0 disappeared: a change
    assert k_achieved(sparse.vstack([original, protected]).tocsr()) == 1


def test_known_noise_counts_what_cannot_be_seen():
    """A noise 1 on a rating 1 leaves 1: only the drawn noise graph tells."""
    mechanism = WeightedNoiseGraph(0.5, 5, noise_weights=[1])
    ratings = np.ones((4, 50))
    noise = mechanism.draw_noise(ratings, rng=1)
    published = mechanism.add(ratings, noise)
    seen = sensitive_attribute_risk(ratings, published)
    result = sensitive_attribute_risk(ratings, published, noise=noise)
    assert (seen == 1).all()
    assert result == pytest.approx(50 / (50 + np.diff(noise.indptr)))
    result = sensitive_attribute_risk([[5, 0, 0]], [[5, 4, 1]], weighted=True, noise=[[0, 4, 1]])
    assert result == pytest.approx([0.5])
