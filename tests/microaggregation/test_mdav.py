"""MDAV against the oracle in fractions, a plain one in float64, and by its properties."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from threadpoolctl import threadpool_limits

from pplab.microaggregation import mdav, mdav_steps, optimal, v_mdav
from pplab.microaggregation._mdav import add_compensated
from pplab.smooth import groupings
from tests.helpers import lists_and_k
from tests.oracles import groups_of, mdav_in_fractions

RULES = ("closest", "group")


def plain_mdav(points, k):
    """Classic MDAV in float64 with a full pass and a full sort for each group."""
    left, labels, group = np.arange(len(points)), np.empty(len(points), dtype=int), 0

    def furthest(place):
        return int(np.argmax(np.square(points[left] - place).sum(axis=1)))

    def take(end, left):
        order = np.argsort(np.square(points[left] - end).sum(axis=1), kind="stable")
        labels[left[order[:k]]] = group
        return np.sort(left[order[k:]])

    while len(left) >= 2 * k:
        end = points[left[furthest(points[left].mean(axis=0))]]
        left, group = take(end, left), group + 1
        if len(left) >= 2 * k:
            left, group = take(points[left[furthest(end)]], left), group + 1
    labels[left] = group
    return labels


@st.composite
def cases(draw, cells=4):
    width = draw(st.integers(1, 3))
    row = st.tuples(*[st.integers(0, cells - 1)] * width)
    rows = draw(st.lists(row, min_size=2, max_size=24))
    return rows, draw(st.integers(2, len(rows))), draw(st.sampled_from(RULES))


@given(st.one_of(cases(), cases(cells=1000)))
def test_it_is_the_algorithm(case):
    rows, k, leftover = case
    labels = mdav(np.array(rows), k, leftover=leftover)
    sizes = np.bincount(labels)
    assert groups_of(rows, labels) == groups_of(rows, mdav_in_fractions(rows, k, leftover))
    assert sizes.min() >= k
    if leftover == "group":
        assert sizes.max() <= 2 * k - 1
        assert (sizes[:-1] == k).all()


@pytest.mark.parametrize(
    "spread", ["normal", "long tails", "far away", "small steps", "near copies"]
)
def test_float64_decides_on_larger_tables(spread):
    for rows, columns, k in [(200, 5, 2), (700, 12, 3), (300, 400, 2), (800, 1, 4), (1500, 30, 2)]:
        rng = np.random.default_rng(rows)
        points = rng.standard_normal((rows, columns))
        if spread == "long tails":
            points = points / rng.random((rows, 1)) ** 4
        elif spread == "far away":
            points += 1e5
        elif spread == "small steps":
            points = 1 + points * 1e-9
        elif spread == "near copies":  # float32 cannot tell which copy is nearer
            points = np.repeat(points[: rows // 4], 4, axis=0) + points * 1e-9
        points = points[np.lexsort(points.T[::-1])]
        assert np.array_equal(mdav(points, k, leftover="group"), plain_mdav(points, k))


@given(cases(), st.integers(-(2**40), 2**40), st.sampled_from([-1000, -500, 500, 1000]))
def test_a_shift_and_a_power_of_two_are_no_matter(case, shift, power):
    rows, k, leftover = case
    labels = mdav(rows, k, leftover=leftover)
    points = np.array(rows, dtype=float)
    assert np.array_equal(mdav(points + shift, k, leftover=leftover), labels)
    assert np.array_equal(mdav(np.ldexp(points, power), k, leftover=leftover), labels)


def test_order_of_real_numbers_and_threads_are_no_matter():
    rng = np.random.default_rng(4)
    points = rng.standard_normal((4000, 40))
    order = rng.permutation(len(points))
    for leftover in RULES:
        with threadpool_limits(1):
            labels = mdav(points, 5, leftover=leftover)
        assert np.array_equal(mdav(points[order], 5, leftover=leftover), labels[order])
        with threadpool_limits(2):
            assert np.array_equal(mdav(points, 5, leftover=leftover), labels)


def test_a_sum_does_not_drift():
    rng = np.random.default_rng(8)
    points = rng.standard_normal((500, 3)) * 10.0 ** rng.integers(-8, 8, (500, 1))
    total = np.zeros((2, 3))
    for sign in (1.0, -1.0):
        for point in points:
            add_compensated(total, point, sign)
    assert np.abs(total.sum(axis=0)).max() < 1e-20


# V-MDAV against a slow twin in fractions, and by its properties.


GAINS = st.sampled_from([0, 0.25, 0.5, 1, 1.5, 3])
cell = st.integers(0, 4)
points_and_k = lists_and_k(st.tuples(cell, cell), most=12)


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


@given(points_and_k, GAINS)
def test_against_the_slow_twin(case, gain):
    points, k = case
    labels = v_mdav(points, k, gain=gain)
    assert groups_of(points, labels) == slow_v_mdav(points, k, gain)
    sizes = np.bincount(labels)
    assert sizes.min() >= k
    if gain == 0:  # only leftovers, fewer than k of them, make a group larger
        assert len(sizes) == len(points) // k


def test_against_the_slow_twin_where_groups_grow():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        points = [tuple(row) for row in rng.integers(0, 9, (12, 2)).tolist()]
        k, gain = int(rng.integers(3, 6)), float(rng.choice([1, 1.5, 3]))
        result = groups_of(points, v_mdav(points, k, gain=gain))
        assert result == slow_v_mdav(points, k, gain)
    points = [(-2, 1, 0), (-1, -2, -2), (1, -2, -1), (0, -1, -1), (0, 0, 1), (-1, 1, 1)]
    points.append((-1, -1, -1))  # the means are sevenths and thirds, which floats round
    assert groups_of(points, v_mdav(points, 2, gain=2)) == slow_v_mdav(points, 2, 2)


# The told moves against the quick MDAV.


@pytest.mark.parametrize("leftover", ["closest", "group"])
def test_the_last_move_has_the_groups_of_mdav(leftover: str) -> None:
    for seed in range(30):
        rng = np.random.default_rng(seed)
        k = int(rng.integers(2, 6))
        points = rng.integers(-4, 4 + 996 * (seed % 2), (int(rng.integers(6, 40)), 2))
        for some in (points, rng.normal(size=(int(rng.integers(6, 60)), int(rng.integers(1, 4))))):
            result = mdav_steps(some, k, leftover=leftover)[-1].labels
            assert np.array_equal(result, mdav(some, k, leftover=leftover))


def test_each_move_says_what_it_did() -> None:
    points = np.random.default_rng(1).normal(size=(14, 2))
    steps = mdav_steps(points, 3)
    moves = [step.move for step in steps]
    one_round = ["farthest", "group", "opposite", "group"]
    assert moves == ["start", *one_round, "farthest", "group", "leftover", "done"]
    for before, after in itertools.pairwise(steps):
        grouped = before.labels >= 0
        assert (after.labels[grouped] == before.labels[grouped]).all()
        free = after.labels < 0
        assert (after.published[free] == points[free]).all()
        for group in range(after.labels.max() + 1):
            members = after.labels == group
            mean = np.tile(points[members].mean(axis=0), (members.sum(), 1))
            assert after.published[members] == pytest.approx(mean)
        if after.move == "group":
            [place] = after.marks.values()
            assert place.tolist() in points[after.labels == after.labels.max()].tolist()
    assert steps[1].marks["mean"] == pytest.approx(points.mean(axis=0))
    assert (steps[-1].labels >= 0).all()
    assert "5 are left" in steps[-2].text


# The best groupings against a search of all partitions in fractions.


small = st.integers(-4, 4)
values_and_k = lists_and_k(small, most=8)
few_points_and_k = lists_and_k(st.tuples(small, small), most=7)


def error(group):
    """Squared distances to the mean, in fractions."""
    mean = mean_of(group)
    return sum(square(mean, point) for point in group)


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
    return optimal.optimal_microaggregation([[value] for value in values], k)


@given(values_and_k, st.randoms(use_true_random=False))
def test_a_line_against_all_partitions(case, random):
    values, k = case
    least, mixed = least_error([(v,) for v in values], k), random.sample(values, len(values))
    for solve in (optimal.optimal_microaggregation_1d, on_a_plane):
        labels = solve(values, k)
        assert error_of(values, labels) == least
        sizes = np.bincount(labels)
        assert k <= sizes.min() <= sizes.max() <= 2 * k - 1
        again = zip(mixed, solve(mixed, k).tolist(), strict=True)
        assert sorted(zip(values, labels.tolist(), strict=True)) == sorted(again)


@given(few_points_and_k)
def test_the_plane_against_all_partitions(case):
    """The twin allows groups of any size from k: none of 2k or more does better."""
    points, k = case
    labels = optimal.optimal_microaggregation(points, k)
    assert error_of(points, labels) == least_error(points, k)
    sizes = np.bincount(labels)
    assert k <= sizes.min() <= sizes.max() <= 2 * k - 1


@pytest.mark.parametrize("k", [2, 10])
def test_many_values_take_little_time_and_beat_mdav(k):
    values = np.random.default_rng(k).normal(0, 1, 3000)
    labels = optimal.optimal_microaggregation_1d(values, k)
    best, rival = (
        sum(np.square(values[own == g] - values[own == g].mean()).sum() for g in set(own))
        for own in (labels, mdav(values[:, None], k, leftover="group"))
    )
    assert best < rival
