"""MDAV against a slow twin in fractions, and by its properties."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pplab.anonymity import mdav


def points_and_k(distinct=False):
    cell = st.integers(0, 3)
    rows = st.lists(st.tuples(cell, cell, cell), min_size=2, max_size=24, unique=distinct)
    return rows.flatmap(lambda p: st.tuples(st.just(p), st.integers(2, len(p))))


def slow_mdav(points, k):
    """The algorithm as it is told, on sorted tuples, in exact arithmetic."""
    left, groups = sorted(points), []

    def distance(one, other):
        return sum((Fraction(a) - b) ** 2 for a, b in zip(one, other, strict=True))

    def take(place):
        left.sort(key=lambda point: (distance(point, place), point))
        groups.append([left.pop(0) for _ in range(k)])
        left.sort()

    while len(left) >= 2 * k:
        mean = [Fraction(sum(column), len(left)) for column in zip(*left, strict=True)]
        far = max(left, key=lambda point: distance(point, mean))  # the first of equals
        take(far)
        if len(left) >= 2 * k:
            take(max(left, key=lambda point: distance(point, far)))
    return [*groups, left]


def partition(points, labels):
    """Groups as sorted lists of points, in the order of the labels."""
    rows = [tuple(int(x) for x in row) for row in points]
    return [
        sorted(row for row, label in zip(rows, labels, strict=True) if label == group)
        for group in range(max(labels) + 1)
    ]


@settings(deadline=None)
@given(points_and_k())
def test_groups_have_k_to_2k_minus_1_members(case):
    points, k = case
    sizes = np.bincount(mdav(np.array(points), k, leftover="group"))
    assert sizes.min() >= k
    assert sizes.max() <= 2 * k - 1
    assert (sizes[:-1] == k).all()


@settings(deadline=None)
@given(points_and_k(), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_is_no_matter(case, random):
    points, k = case
    shuffled = random.sample(points, len(points))
    groups = [
        partition(rows, mdav(np.array(rows), k, leftover="group")) for rows in (points, shuffled)
    ]
    assert groups[0] == groups[1]


@pytest.mark.parametrize("seed", range(20))
def test_it_is_the_algorithm(seed):
    rng = np.random.default_rng(seed)
    points = rng.integers(-1000, 1000, (rng.integers(6, 40), 3)).tolist()
    k = int(rng.integers(2, 6))
    expected = [sorted(map(tuple, group)) for group in slow_mdav(map(tuple, points), k)]
    assert partition(points, mdav(np.array(points), k, leftover="group")) == expected


def test_equal_points_are_grouped_all_the_same():
    assert np.bincount(mdav(np.ones((7, 2)), 3, leftover="group")).tolist() == [3, 4]


def test_far_clusters_are_found():
    rng = np.random.default_rng(1)
    centres = np.repeat([[0, 0], [100, 0], [0, 100]], 4, axis=0)
    labels = mdav(centres + rng.random((12, 2)), 4, leftover="group")
    assert len(set(zip(labels, np.repeat([0, 1, 2], 4), strict=True))) == 3


def test_bad_arguments_are_refused():
    points = np.eye(4)
    with pytest.raises(NotImplementedError, match='pass leftover="group"'):
        mdav(points, 2)
    with pytest.raises(ValueError, match="leftover must be one of"):
        mdav(points, 2, leftover="drop")
    for k in (1, 5):
        with pytest.raises(ValueError, match="k must be an integer between 2 and 4"):
            mdav(points, k, leftover="group")
    with pytest.raises(ValueError, match="finite"):
        mdav(np.full((4, 2), np.nan), 2, leftover="group")
