"""MDAV against the oracle in fractions, a plain one in float64, and by its properties."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from threadpoolctl import threadpool_limits

from pplab.checks import as_points
from pplab.microaggregation._mdav import add_compensated, farthest, nearest
from pplab.microaggregation.mdav import mdav
from pplab.tables import coordinate_order
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


@settings(deadline=None, max_examples=200)
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


def test_many_equal_rows_among_others():
    points = np.random.default_rng(3).integers(-1, 2, (400, 4))
    found = groups_of(points, mdav(points, 3, leftover="group"))
    assert found == groups_of(points, mdav_in_fractions(points.tolist(), 3))
    assert np.bincount(mdav(np.ones((7, 2)), 3, leftover="group")).tolist() == [3, 4]
    assert np.bincount(mdav(np.zeros((300, 2)), 4)).min() >= 4


@settings(deadline=None)
@given(
    cases(),
    st.randoms(use_true_random=False),
    st.integers(-(2**40), 2**40),
    st.sampled_from([-1000, -500, 500, 1000]),
)
def test_order_a_shift_and_a_power_of_two_are_no_matter(case, random, shift, power):
    rows, k, leftover = case
    labels = mdav(rows, k, leftover=leftover)
    shuffled = random.sample(rows, len(rows))
    other = mdav(shuffled, k, leftover=leftover)
    assert groups_of(shuffled, other) == groups_of(rows, labels)
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


def test_known_groups():
    for line, leftover, groups in [
        ([0, 1, 2, 10, 11, 13], "group", [[11, 13], [0, 1], [2, 10]]),
        ([0, 1, 2, 10, 11, 13], "closest", [[10, 11, 13], [0, 1, 2]]),
        ([0, 1, 2, 6, 12, 13], "group", [[12, 13], [0, 1], [2, 6]]),
        ([0, 1, 2, 6, 12, 13], "closest", [[12, 13], [0, 1, 2, 6]]),
        ([3, 1, 2], "closest", [[1, 2, 3]]),
    ]:
        points = np.reshape(line, (-1, 1))
        found = groups_of(points, mdav(points, 2, leftover=leftover))
        assert found == [[(value,) for value in group] for group in groups]


@pytest.mark.parametrize(
    ("pair", "together"),
    [
        ([-15, -12], True),  # 0 and 9 are 4.5 from their mean and more from every other
        ([-6, -3], False),  # 0 is as close to this mean: strictly closer is one of two, no majority
        ([-5, -2], False),
    ],
)
def test_half_of_the_leftovers_is_not_enough(pair, together):
    points = np.reshape([*pair, 0.0, 9, 20, 21], (-1, 1))
    labels = mdav(points, 2)
    assert labels.max() == (2 if together else 1)
    assert groups_of(points, labels) == groups_of(points, mdav_in_fractions(points, 2, "closest"))


def test_forms_of_points():
    points = np.random.default_rng(6).integers(0, 6, (60, 5)).astype(float)
    before, labels = points.copy(), mdav(points, 3)
    frame = pd.DataFrame(points)
    for other in (points.astype(np.float32), sparse.csr_array(points), frame, points.tolist()):
        assert np.array_equal(mdav(other, 3), labels)
    assert labels.dtype == np.int64
    assert np.array_equal(points, before)
    assert as_points(np.ones((2, 2), dtype=np.float32)).dtype == np.float32
    assert as_points([[1, 2]]).dtype == np.float64
    assert as_points(np.ones((4, 2)).T).flags.c_contiguous
    unmasked = np.ma.array([[1.0], [9.0], [3.0]], dtype=np.float32)
    assert type(as_points(unmasked)) is np.ndarray


def test_bad_input_is_refused():
    masked = np.ma.array([[1.0], [999.0], [3.0]], mask=[[0], [1], [0]])
    five = np.ones((5, 2))
    for points, k, leftover, sentence in [
        (five, 6, "group", "k must be an integer between 2 and 5, got 6"),
        (five, 1, "group", "k must be an integer between 2 and 5, got 1"),
        (five, 2, "split", "leftover must be one of 'closest', 'group'"),
        (np.ones((1, 2)), 2, "group", "at least 2 records, got 1"),
        ([[0.0], [np.nan], [1.0]], 2, "group", "finite, got nan in row 1, column 0"),
        ([[0.0], [np.inf], [1.0]], 2, "group", "finite, got inf"),
        (masked, 2, "group", "finite, got nan in row 1, column 0"),
        ([1.0, 2.0, 3.0], 2, "group", "two dimensions, got 1"),
        (np.ones((0, 2)), 2, "group", "must have rows and columns"),
        ([[1.0, 2.0], [3.0]], 2, "group", "rows of one length"),
        ([["a"], ["b"]], 2, "group", "must hold real numbers"),
        (pd.DataFrame({"x": [1, 2], "y": ["a", "b"]}), 2, "group", "must hold numbers"),
        (None, 2, "group", "points must be a table of numbers, got"),
        ("abc", 2, "group", "points must be a table of numbers, got"),
        (nx.path_graph(4), 2, "group", "points must be a table of numbers, got"),
    ]:
        with pytest.raises((TypeError, ValueError), match=sentence):
            mdav(points, k, leftover=leftover)


def test_a_sum_does_not_drift():
    rng = np.random.default_rng(8)
    points = rng.standard_normal((500, 3)) * 10.0 ** rng.integers(-8, 8, (500, 1))
    total = np.zeros((2, 3))
    for sign in (1.0, -1.0):
        for point in points:
            add_compensated(total, point, sign)
    assert np.abs(total.sum(axis=0)).max() < 1e-20


def test_all_that_can_be_nearest_are_found():
    rng = np.random.default_rng(9)
    sketched = rng.random(512).astype(np.float32)
    gone = np.where(rng.random(512) < 0.3, np.inf, 0).astype(np.float32)
    left = np.flatnonzero(gone == 0)
    for count in (1, 3, 9, 100):
        limit = float(np.sort(sketched[left])[count - 1]) + 0.01
        expected = left[sketched[left] <= limit]
        assert np.array_equal(nearest(sketched, gone, count, 0.01), expected)
    limit = float(sketched[left].max()) - 0.01
    assert np.array_equal(farthest(sketched, gone, 0.01), left[sketched[left] >= limit])


def test_the_order_of_coordinates_is_that_of_numbers():
    table = np.random.default_rng(10).integers(-2, 3, (60, 3)) * np.array([1e-300, -1.0, 1e300])
    assert coordinate_order(table).tolist() == np.lexsort(table.T[::-1]).tolist()
