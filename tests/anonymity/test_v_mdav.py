"""V-MDAV against a slow twin in fractions, and by its properties."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pplab.anonymity import mdav
from pplab.anonymity.v_mdav import v_mdav

GAINS = st.sampled_from([0, 0.25, 0.5, 1, 1.5, 3])


def points_and_k(distinct=False):
    cell = st.integers(0, 4)
    rows = st.lists(st.tuples(cell, cell), min_size=2, max_size=12, unique=distinct)
    return rows.flatmap(lambda p: st.tuples(st.just(p), st.integers(2, len(p))))


def square(one, other):
    return sum((Fraction(a) - b) ** 2 for a, b in zip(one, other, strict=True))


def mean_of(points):
    return [Fraction(sum(column), len(points)) for column in zip(*points, strict=True)]


def slow_v_mdav(points, k, gain):
    """The algorithm as it is told, on sorted tuples, in exact arithmetic."""
    left, groups, centre = sorted(points), [], mean_of(points)
    while len(left) >= k:
        far = max(left, key=lambda point: square(point, centre))  # the first of equals
        left.sort(key=lambda point: (square(point, far), point))
        group, left = left[:k], sorted(left[k:])
        while len(group) < 2 * k - 1 and len(left) > 1:
            inward = [min(square(point, member) for member in group) for point in left]
            place = inward.index(min(inward))
            others = left[:place] + left[place + 1 :]
            outward = min(square(left[place], other) for other in others)
            if not inward[place] < Fraction(gain) ** 2 * outward:
                break
            group.append(left[place])
            left = others
        groups.append(group)
    means = [mean_of(group) for group in groups]
    for point in left:
        distances = [square(point, mean) for mean in means]
        groups[distances.index(min(distances))].append(point)
    return [sorted(group) for group in groups]


def partition(points, labels):
    rows = [tuple(int(x) for x in row) for row in points]
    return [
        sorted(row for row, label in zip(rows, labels, strict=True) if label == group)
        for group in range(max(labels) + 1)
    ]


@settings(deadline=None)
@given(points_and_k(), GAINS)
def test_against_the_slow_twin(case, gain):
    points, k = case
    assert partition(points, v_mdav(points, k, gain=gain)) == slow_v_mdav(points, k, gain)


@pytest.mark.parametrize("seed", range(40))
def test_against_the_slow_twin_where_groups_grow(seed):
    rng = np.random.default_rng(seed)
    points = [tuple(row) for row in rng.integers(0, 9, (12, 2)).tolist()]
    k, gain = int(rng.integers(3, 6)), float(rng.choice([1, 1.5, 3]))
    assert partition(points, v_mdav(points, k, gain=gain)) == slow_v_mdav(points, k, gain)


def test_who_has_joined_counts_as_a_member():
    """3.5 joins 0, 1, 2; then 4.9 joins because of 3.5: from 2 it would be too far."""
    line = [[0], [1], [2], [3.5], [4.9], [6.5], [7], [7.5]]
    assert v_mdav(line, 3, gain=1.5).tolist() == [0, 0, 0, 0, 0, 1, 1, 1]


@settings(deadline=None)
@given(points_and_k(), GAINS)
def test_sizes(case, gain):
    points, k = case
    sizes = np.bincount(v_mdav(points, k, gain=gain))
    assert sizes.min() >= k
    if gain == 0:  # only leftovers, fewer than k of them, make a group larger
        assert len(sizes) == len(points) // k
        assert (sizes - k).sum() == len(points) % k


@settings(deadline=None)
@given(points_and_k(distinct=True), GAINS, st.randoms(use_true_random=False))
def test_the_order_of_the_rows_is_no_matter(case, gain, random):
    points, k = case
    order = list(range(len(points)))
    random.shuffle(order)
    labels = v_mdav(points, k, gain=gain)
    assert np.array_equal(v_mdav([points[i] for i in order], k, gain=gain), labels[order])


@settings(deadline=None)
@given(points_and_k(), GAINS, st.randoms(use_true_random=False))
def test_equal_rows_are_interchangeable(case, gain, random):
    points, k = case
    mixed = list(points)
    random.shuffle(mixed)
    assert partition(points, v_mdav(points, k, gain=gain)) == partition(
        mixed, v_mdav(mixed, k, gain=gain)
    )


def within(points, labels):
    return sum(
        np.square(points[labels == group] - points[labels == group].mean(axis=0)).sum()
        for group in range(labels.max() + 1)
    )


def test_variable_groups_follow_clusters_of_uneven_size():
    """Clouds of 3 to 5 points: groups of exactly 3 must cut across, groups of 3 to 5 need not."""
    rng = np.random.default_rng(1)
    centres = rng.uniform(-1000, 1000, (12, 2))
    sizes = rng.integers(3, 6, 12)
    points = np.repeat(centres, sizes, axis=0) + rng.normal(0, 1, (sizes.sum(), 2))
    labels = v_mdav(points, 3, gain=20)
    assert sorted(np.bincount(labels)) == sorted(sizes)
    assert within(points, labels) < 0.01 * within(points, mdav(points, 3, leftover="group"))


def test_the_gain_lets_groups_grow():
    points = np.random.default_rng(2).normal(0, 1, (300, 3))
    groups = [v_mdav(points, 3, gain=gain).max() + 1 for gain in (0, 0.5, 1.0, 3.0)]
    assert groups[0] == 100
    assert groups == sorted(groups, reverse=True)
    assert groups[-1] < 70
    large = np.bincount(v_mdav(points, 3, gain=1e50))
    assert (large >= 5).sum() >= len(large) - 1


def test_forms_of_points():
    points = np.array([[0.0], [1.0], [2.0], [10.0], [11.0]])
    for form in (points, points.astype(np.float32), points.tolist(), points.astype(int)):
        labels = v_mdav(form, 2, gain=0)
        assert labels.dtype == np.int64
        assert labels.tolist() == [1, 1, 1, 0, 0]


def test_all_points_in_one_place():
    assert sorted(np.bincount(v_mdav(np.ones((7, 2)), 2, gain=1))) == [2, 2, 3]


@pytest.mark.parametrize("gain", [-1, np.nan, np.inf, -np.inf])
def test_gain_outside_its_interval(gain):
    with pytest.raises(ValueError, match="gain must lie in"):
        v_mdav([[1], [2]], 2, gain=gain)


@pytest.mark.parametrize("gain", [True, None, "1"])
def test_gain_that_is_no_number(gain):
    with pytest.raises(TypeError, match="gain must be a number"):
        v_mdav([[1], [2]], 2, gain=gain)


@pytest.mark.parametrize(("points", "k"), [([[1], [2]], 1), ([[1], [2]], 3), ([[1]], 2)])
def test_k_outside_its_interval(points, k):
    with pytest.raises(ValueError, match=r"k must be an integer between|at least 2 records"):
        v_mdav(points, k, gain=0)


@pytest.mark.parametrize("points", [[[1.0], [np.nan]], [[1.0], [np.inf]], [1, 2], []])
def test_points_that_are_none(points):
    with pytest.raises(ValueError, match="points"):
        v_mdav(points, 2, gain=0)


@pytest.mark.parametrize("unit", [2.0**-700, 2.0**700, 2.0**1018])
def test_the_unit_of_the_points_is_no_matter(unit):
    points = np.array([[0.0], [1.0], [8.0], [10.0], [11.0], [3.5]])
    for gain in (0, 1.2):
        assert v_mdav(points * unit, 2, gain=gain).tolist() == v_mdav(points, 2, gain=gain).tolist()


def test_points_equally_far_from_a_mean_that_floats_round():
    points = [(-2, 1, 0), (-1, -2, -2), (1, -2, -1), (0, -1, -1), (0, 0, 1), (-1, 1, 1)]
    points.append((-1, -1, -1))  # the means are sevenths and thirds
    assert partition(points, v_mdav(points, 2, gain=2)) == slow_v_mdav(points, 2, 2)
