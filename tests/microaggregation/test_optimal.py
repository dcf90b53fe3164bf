"""The best groupings against a search of all partitions in fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pplab.microaggregation.mdav import mdav
from pplab.microaggregation.optimal import (
    optimal_microaggregation,
    optimal_microaggregation_1d,
)
from pplab.smooth.optimum import groupings
from tests.helpers import lists_and_k

cell = st.integers(-4, 4)
values_and_k = lists_and_k(cell, most=8)
points_and_k = lists_and_k(st.tuples(cell, cell), most=7)


def error(group):
    """Squared distances to the mean, in fractions."""
    means = [Fraction(sum(column), len(group)) for column in zip(*group, strict=True)]
    return sum((x - m) ** 2 for point in group for x, m in zip(point, means, strict=True))


def least_error(points, k):
    ways = groupings(len(points), k)
    return min(sum(error([points[row] for row in rows]) for rows in way) for way in ways)


def error_of(points, labels):
    points = [tuple(p) if np.ndim(p) else (p,) for p in points]
    return sum(
        error([p for p, label in zip(points, labels, strict=True) if label == group])
        for group in set(labels.tolist())
    )


def on_a_plane(values, k):
    return optimal_microaggregation([[value] for value in values], k)


@given(values_and_k, st.randoms(use_true_random=False))
def test_a_line_against_all_partitions(case, random):
    values, k = case
    least, mixed = least_error([(v,) for v in values], k), random.sample(values, len(values))
    for solve in (optimal_microaggregation_1d, on_a_plane):
        labels = solve(values, k)
        assert error_of(values, labels) == least
        sizes = np.bincount(labels)
        assert k <= sizes.min() <= sizes.max() <= 2 * k - 1
        again = zip(mixed, solve(mixed, k).tolist(), strict=True)
        assert sorted(zip(values, labels.tolist(), strict=True)) == sorted(again)


@given(points_and_k)
def test_the_plane_against_all_partitions(case):
    """The twin allows groups of any size from k: none of 2k or more does better."""
    points, k = case
    labels = optimal_microaggregation(points, k)
    assert error_of(points, labels) == least_error(points, k)
    sizes = np.bincount(labels)
    assert k <= sizes.min() <= sizes.max() <= 2 * k - 1


def test_small_gaps_beside_large_numbers():
    """Sums of squares near 1e24 would swallow these gaps; groups still follow them."""
    values = np.array([0.0, 1, 2, 50, 51, 53]) + 1e12
    assert optimal_microaggregation_1d(values, 3).tolist() == [0, 0, 0, 1, 1, 1]
    far = [-1e12, -1e12 + 1, 0, 0.25, 0.5, 7, 7.25, 1e12, 1e12 + 1]
    assert optimal_microaggregation_1d(far, 2).tolist() == [0, 0, 1, 1, 1, 2, 2, 3, 3]
    for unit in (1e-200, 1e307):  # squares leave the range of floats
        points = np.array([[0.0], [10.0], [1.0], [11.0]]) * unit
        assert optimal_microaggregation(points, 2).tolist() == [0, 1, 0, 1]


def test_of_equally_good_groups_the_last_is_the_smallest():
    assert optimal_microaggregation_1d([5.0] * 7, 3).tolist() == [0, 0, 0, 0, 1, 1, 1]
    assert optimal_microaggregation_1d([3.0, 1, 2, 0, 4], 2).tolist() == [1, 0, 0, 0, 1]


@pytest.mark.parametrize("k", [2, 10])
def test_many_values_take_little_time_and_beat_mdav(k):
    values = np.random.default_rng(k).normal(0, 1, 3000)
    labels = optimal_microaggregation_1d(values, k)
    best, rival = (
        sum(np.square(values[own == g] - values[own == g].mean()).sum() for g in set(own))
        for own in (labels, mdav(values[:, None], k, leftover="group"))
    )
    assert best < rival


def test_as_many_points_as_are_searched():
    assert len(optimal_microaggregation(np.arange(12)[:, None], 3)) == 12
