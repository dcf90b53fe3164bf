"""V-MDAV against a slow twin in fractions, and by its properties."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pplab.microaggregation.mdav import mdav, v_mdav
from tests.oracles import groups_of

GAINS = st.sampled_from([0, 0.25, 0.5, 1, 1.5, 3])
cell = st.integers(0, 4)
points_and_k = st.lists(st.tuples(cell, cell), min_size=2, max_size=12).flatmap(
    lambda p: st.tuples(st.just(p), st.integers(2, len(p)))
)


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


@settings(deadline=None)
@given(points_and_k, GAINS, st.randoms(use_true_random=False))
def test_against_the_slow_twin_in_any_order(case, gain, random):
    points, k = case
    labels, mixed = v_mdav(points, k, gain=gain), random.sample(points, len(points))
    assert groups_of(points, labels) == slow_v_mdav(points, k, gain)
    assert groups_of(mixed, v_mdav(mixed, k, gain=gain)) == groups_of(points, labels)
    sizes = np.bincount(labels)
    assert sizes.min() >= k
    if gain == 0:  # only leftovers, fewer than k of them, make a group larger
        assert len(sizes) == len(points) // k


def test_against_the_slow_twin_where_groups_grow():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        points = [tuple(row) for row in rng.integers(0, 9, (12, 2)).tolist()]
        k, gain = int(rng.integers(3, 6)), float(rng.choice([1, 1.5, 3]))
        found = groups_of(points, v_mdav(points, k, gain=gain))
        assert found == slow_v_mdav(points, k, gain)


def test_points_equally_far_from_a_mean_that_floats_round():
    points = [(-2, 1, 0), (-1, -2, -2), (1, -2, -1), (0, -1, -1), (0, 0, 1), (-1, 1, 1)]
    points.append((-1, -1, -1))  # the means are sevenths and thirds
    assert groups_of(points, v_mdav(points, 2, gain=2)) == slow_v_mdav(points, 2, 2)


def test_who_has_joined_counts_as_a_member():
    """3.5 joins 0, 1, 2; then 4.9 joins because of 3.5: from 2 it would be too far."""
    line = [[0], [1], [2], [3.5], [4.9], [6.5], [7], [7.5]]
    assert v_mdav(line, 3, gain=1.5).tolist() == [0, 0, 0, 0, 0, 1, 1, 1]
    assert sorted(np.bincount(v_mdav(np.ones((7, 2)), 2, gain=1))) == [2, 2, 3]


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


def test_forms_and_units_of_points():
    points = np.array([[0.0], [1.0], [8.0], [10.0], [11.0], [3.5]])
    for gain, wanted in ((0, [0, 0, 2, 1, 1, 2]), (1.2, [0, 0, 1, 1, 1, 0])):
        for unit in (1.0, 2.0**-700, 2.0**1018):
            assert v_mdav(points * unit, 2, gain=gain).tolist() == wanted
        for form in (points.astype(np.float32), points.tolist()):
            labels = v_mdav(form, 2, gain=gain)
            assert labels.dtype == np.int64
            assert labels.tolist() == wanted


def test_bad_input_is_refused():
    two = [[1], [2]]
    for points, k, gain, sentence in [
        *[(two, 2, gain, "gain must lie in") for gain in (-1, np.nan, np.inf)],
        *[(two, 2, gain, "gain must be a number") for gain in (True, None, "1")],
        *[(two, k, 0, "k must be an integer between") for k in (1, 3)],
        ([[1]], 2, 0, "at least 2 records"),
        ([[1.0], [np.nan]], 2, 0, "points"),
        ([1, 2], 2, 0, "points"),
    ]:
        with pytest.raises((TypeError, ValueError), match=sentence):
            v_mdav(points, k, gain=gain)
