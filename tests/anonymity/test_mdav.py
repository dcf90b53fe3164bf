"""MDAV against a slow twin in fractions, a plain one in float64, and by its properties."""

from fractions import Fraction

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from threadpoolctl import threadpool_limits

from pplab.anonymity import mdav
from pplab.anonymity.extremes import add_compensated, farthest, nearest
from pplab.anonymity.order import coordinate_order
from pplab.checks import as_points

RULES = ("closest", "group")


def squared(one, other):
    """From a point of whole numbers to a place: its coordinates times a count, and the count."""
    place, count = other
    return Fraction(sum((count * a - b) ** 2 for a, b in zip(one, place, strict=True)), count**2)


def mean(rows):
    return [sum(column) for column in zip(*rows, strict=True)], len(rows)


def slow_mdav(points, k, leftover):
    """The algorithm as it is told, on sorted tuples, in exact arithmetic."""
    left, groups = sorted(tuple(map(int, point)) for point in points), []

    def take(end):
        left.remove(end)
        near = sorted(left, key=lambda point: (squared(point, (end, 1)), point))[: k - 1]
        groups.append(sorted([end, *near]))
        for point in near:
            left.remove(point)

    def furthest(place):
        return max(left, key=lambda point: squared(point, place))  # the first of equals

    while len(left) >= 3 * k:
        end = furthest(mean(left))
        take(end)
        take(furthest((end, 1)))
    if len(left) >= 2 * k:
        take(furthest(mean(left)))
    if leftover == "group" or not groups or keep_together(left, groups):
        return [*groups, left]
    means = [mean(group) for group in groups]
    for point in left:
        away = [squared(point, place) for place in means]
        groups[away.index(min(away))].append(point)
    return [sorted(group) for group in groups]


def keep_together(left, groups):
    own, means = mean(left), [mean(group) for group in groups]
    closer = [squared(p, own) < min(squared(p, place) for place in means) for p in left]
    return 2 * sum(closer) > len(left)


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


def partition(points, labels):
    """Groups as sorted lists of points, in the order of the labels."""
    rows = [tuple(row) for row in np.asarray(points, dtype=float).tolist()]
    return [
        sorted(row for row, label in zip(rows, labels, strict=True) if label == group)
        for group in range(max(labels) + 1)
    ]


def sse(points, labels):
    points = np.asarray(points, dtype=float)
    return sum(
        np.square(points[labels == group] - points[labels == group].mean(axis=0)).sum()
        for group in range(labels.max() + 1)
    )


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
    assert partition(rows, labels) == [list(map(tuple, g)) for g in slow_mdav(rows, k, leftover)]


@pytest.mark.parametrize(
    ("rows", "columns", "k"), [(200, 5, 2), (700, 12, 3), (300, 400, 2), (800, 1, 4), (1500, 30, 2)]
)
@pytest.mark.parametrize(
    "spread", ["normal", "long tails", "far away", "small steps", "near copies"]
)
def test_float64_decides_on_larger_tables(rows, columns, k, spread):
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
    rng = np.random.default_rng(3)
    points = rng.integers(-1, 2, (400, 4)).astype(float)
    labels = mdav(points, 3, leftover="group")
    expected = slow_mdav(points.tolist(), 3, "group")
    assert partition(points, labels) == expected


@settings(deadline=None)
@given(cases())
def test_sizes_of_groups(case):
    rows, k, leftover = case
    sizes = np.bincount(mdav(rows, k, leftover=leftover))
    assert sizes.min() >= k
    if leftover == "group":
        assert sizes.max() <= 2 * k - 1
        assert (sizes[:-1] == k).all()


@settings(deadline=None)
@given(cases(), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_is_no_matter(case, random):
    rows, k, leftover = case
    shuffled = random.sample(rows, len(rows))
    one, other = (partition(p, mdav(p, k, leftover=leftover)) for p in (rows, shuffled))
    assert one == other


def test_the_order_of_real_numbers_is_no_matter():
    rng = np.random.default_rng(4)
    points = rng.standard_normal((1200, 7))
    order = rng.permutation(len(points))
    for leftover in RULES:
        labels = mdav(points, 3, leftover=leftover)
        assert np.array_equal(mdav(points[order], 3, leftover=leftover), labels[order])


@settings(deadline=None)
@given(cases(), st.integers(-(2**40), 2**40))
def test_a_move_by_a_whole_number_is_no_matter(case, shift):
    rows, k, leftover = case
    points = np.array(rows, dtype=float)
    labels = mdav(points, k, leftover=leftover)
    assert np.array_equal(mdav(points + shift, k, leftover=leftover), labels)


@settings(deadline=None)
@given(cases(), st.sampled_from([-1000, -500, 500, 1000]))
def test_a_scale_by_a_power_of_two_is_no_matter(case, power):
    rows, k, leftover = case
    points = np.ldexp(np.array(rows, dtype=float), power)
    assert np.array_equal(mdav(points, k, leftover=leftover), mdav(rows, k, leftover=leftover))


@pytest.mark.parametrize(
    ("line", "k", "classic", "closest"),
    [
        ([0, 1, 2, 10, 11, 13], 2, 34.5, 2 + 14 / 3),
        ([0, 1, 2, 6, 12, 13], 2, 9.0, 21.25),
        ([1, 2, 3, 10, 11, 12, 20], 3, 98 + 2 / 3, None),
    ],
)
def test_known_lines(line, k, classic, closest):
    points = np.reshape(line, (-1, 1))
    assert sse(points, mdav(points, k, leftover="group")) == pytest.approx(classic)
    if closest:
        assert sse(points, mdav(points, k)) == pytest.approx(closest)


def test_known_groups():
    points = np.reshape([0, 1, 2, 10, 11, 13], (-1, 1))
    assert [(2,), (10,)] in partition(points, mdav(points, 2, leftover="group"))
    assert partition(points, mdav(points, 2)) == [[(10,), (11,), (13,)], [(0,), (1,), (2,)]]


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
    assert partition(points, labels) == slow_mdav(points.tolist(), 2, "closest")


def test_threads_do_not_matter():
    points = np.random.default_rng(5).standard_normal((4000, 40))
    found = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            found.append(mdav(points, 5))
    assert np.array_equal(*found)


def test_equal_points_are_grouped_all_the_same():
    assert np.bincount(mdav(np.ones((7, 2)), 3, leftover="group")).tolist() == [3, 4]
    assert np.bincount(mdav(np.zeros((300, 2)), 4)).min() >= 4


def test_far_clusters_are_found():
    rng = np.random.default_rng(1)
    centres = np.repeat([[0, 0], [100, 0], [0, 100]], 4, axis=0)
    labels = mdav(centres + rng.random((12, 2)), 4)
    assert len(set(zip(labels, np.repeat([0, 1, 2], 4), strict=True))) == 3


def test_float32_sparse_and_frames_are_read_alike():
    points = np.random.default_rng(6).integers(0, 6, (60, 5)).astype(float)
    labels = mdav(points, 3)
    frame = pd.DataFrame(points)
    for other in (points.astype(np.float32), sparse.csr_array(points), frame, points.tolist()):
        assert np.array_equal(mdav(other, 3), labels)
    assert labels.dtype == np.int64


def test_the_input_stays_as_it_is():
    points = np.random.default_rng(7).standard_normal((50, 3))
    before = points.copy()
    mdav(points, 2)
    assert np.array_equal(points, before)


@pytest.mark.parametrize(
    ("points", "k", "sentence"),
    [
        (np.ones((5, 2)), 6, "k must be an integer between 2 and 5, got 6"),
        (np.ones((5, 2)), 1, "k must be an integer between 2 and 5, got 1"),
        (np.ones((1, 2)), 2, "at least 2 records, got 1"),
        ([[0.0], [np.nan], [1.0]], 2, "finite, got nan in row 1, column 0"),
        ([[0.0], [np.inf], [1.0]], 2, "finite, got inf"),
        ([1.0, 2.0, 3.0], 2, "two dimensions, got 1"),
        (np.ones((0, 2)), 2, "must have rows and columns"),
        ([[1.0, 2.0], [3.0]], 2, "rows of one length"),
    ],
)
def test_bad_points_are_refused(points, k, sentence):
    with pytest.raises(ValueError, match=sentence):
        mdav(points, k)


def test_what_is_not_a_number_is_refused():
    with pytest.raises(TypeError, match="must hold real numbers"):
        mdav([["a"], ["b"]], 2)
    with pytest.raises(TypeError, match="must hold numbers"):
        mdav(pd.DataFrame({"x": [1, 2], "y": ["a", "b"]}), 2)
    with pytest.raises(ValueError, match="leftover must be one of 'closest', 'group'"):
        mdav([[1], [2]], 2, leftover="split")


def test_points_keep_float32():
    assert as_points(np.ones((2, 2), dtype=np.float32)).dtype == np.float32
    assert as_points([[1, 2]]).dtype == np.float64
    assert as_points(np.ones((4, 2)).T).flags.c_contiguous


def test_a_sum_does_not_drift():
    rng = np.random.default_rng(8)
    points = rng.standard_normal((500, 3)) * 10.0 ** rng.integers(-8, 8, (500, 1))
    total = np.zeros((2, 3))
    for sign in (1.0, -1.0):
        for point in points:
            add_compensated(total, point, sign)
    assert np.abs(total.sum(axis=0)).max() < 1e-20


@pytest.mark.parametrize("count", [1, 3, 9, 100])
def test_all_that_can_be_nearest_are_found(count):
    rng = np.random.default_rng(9)
    sketched = rng.random(512).astype(np.float32)
    gone = np.where(rng.random(512) < 0.3, np.inf, 0).astype(np.float32)
    left = np.flatnonzero(gone == 0)
    limit = float(np.sort(sketched[left])[count - 1]) + 0.01
    expected = left[sketched[left] <= limit]
    assert np.array_equal(nearest(sketched, gone, count, 0.01), expected)
    limit = float(sketched[left].max()) - 0.01
    assert np.array_equal(farthest(sketched, gone, 0.01), left[sketched[left] >= limit])


@pytest.mark.parametrize("points", [None, "abc", {1: 2}, nx.path_graph(4)])
def test_what_is_no_table_of_points_is_refused(points):
    with pytest.raises(TypeError, match="points must be a table of numbers, got"):
        mdav(points, 2)


def test_masked_and_overflowing_cells_are_no_points():
    masked = np.ma.array([[1.0], [999.0], [3.0]], mask=[[0], [1], [0]])
    with pytest.raises(ValueError, match="finite, got nan in row 1, column 0"):
        mdav(masked, 2)
    unmasked = np.ma.array([[1.0], [9.0], [3.0]], dtype=np.float32)
    assert type(as_points(unmasked)) is np.ndarray
    assert as_points(unmasked).dtype == np.float32
    wide = np.array(["1e400", "1", "2"], dtype=np.longdouble)[:, None]
    if np.isfinite(wide).all():  # where long doubles are wider than floats
        with pytest.raises(ValueError, match="finite, got inf in row 0"):
            mdav(wide, 2)


def test_the_order_of_coordinates_is_that_of_numbers():
    table = np.random.default_rng(10).integers(-2, 3, (60, 3)) * np.array([1e-300, -1.0, 1e300])
    assert coordinate_order(table).tolist() == np.lexsort(table.T[::-1]).tolist()
