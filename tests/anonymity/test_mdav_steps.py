"""The told moves against the description in fractions, and against the quick MDAV."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from pplab.anonymity import mdav
from pplab.anonymity.mdav_steps import mdav_steps

Point = tuple[int, ...]


def distance(one: Any, other: Any) -> Fraction:
    return sum((Fraction(a) - b) ** 2 for a, b in zip(one, other, strict=True)) or Fraction(0)


def mean(points: list[Point]) -> list[Fraction]:
    return [Fraction(sum(column), len(points)) for column in zip(*points, strict=True)]


def slow(points: list[Point], k: int, leftover: str) -> list[list[Point]]:
    """The description, in exact arithmetic, on distinct points."""
    left, groups = sorted(points), []

    def take(place: Any) -> None:
        left.sort(key=lambda point: (distance(point, place), point))
        groups.append([left.pop(0) for _ in range(k)])
        left.sort()

    while len(left) >= 3 * k:
        centre = mean(left)
        r = max(left, key=lambda point: distance(point, centre))
        take(r)
        take(max(left, key=lambda point: distance(point, r)))
    if len(left) >= 2 * k:
        centre = mean(left)
        take(max(left, key=lambda point: distance(point, centre)))
    means, own = [mean(group) for group in groups], mean(left)
    loyal = [
        point
        for point in left
        if all(distance(point, own) < distance(point, other) for other in means)
    ]
    if leftover == "group" or not groups or len(loyal) > len(left) / 2:
        return [*groups, left]
    for point in left:
        groups[min(range(len(means)), key=lambda g: distance(point, means[g]))].append(point)
    return groups


def partition(points: list[Point], labels: np.ndarray) -> list[list[Point]]:
    groups = range(labels.max() + 1)
    chosen = [np.flatnonzero(labels == group) for group in groups]
    return [sorted(points[row] for row in rows) for rows in chosen]


@pytest.mark.parametrize("leftover", ["closest", "group"])
@pytest.mark.parametrize("seed", range(30))
def test_the_moves_are_the_description(seed: int, leftover: str) -> None:
    rng = np.random.default_rng(seed)
    drawn = rng.integers(-1000, 1000, (int(rng.integers(4, 40)), 2)).tolist()
    points = list(dict.fromkeys(map(tuple, drawn)))
    k = int(rng.integers(2, 5))
    last = mdav_steps(points, k, leftover=leftover)[-1]
    assert partition(points, last.labels) == [sorted(g) for g in slow(points, k, leftover)]


@pytest.mark.parametrize("leftover", ["closest", "group"])
@pytest.mark.parametrize("seed", range(20))
def test_the_last_move_has_the_groups_of_mdav(seed: int, leftover: str) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(int(rng.integers(5, 60)), int(rng.integers(1, 4))))
    k = int(rng.integers(2, 6))
    found = mdav_steps(points, k, leftover=leftover)[-1].labels
    wanted = mdav(points, k, leftover=leftover)
    pairs = set(zip(found.tolist(), wanted.tolist(), strict=True))
    assert len(pairs) == len(set(found.tolist())) == len(set(wanted.tolist()))


@pytest.mark.parametrize(
    ("line", "leftover", "groups"),
    [
        ([0, 1, 2, 10, 11, 13], "group", [[11, 13], [0, 1], [2, 10]]),
        ([0, 1, 2, 10, 11, 13], "closest", [[10, 11, 13], [0, 1, 2]]),
        ([0, 1, 2, 6, 12, 13], "group", [[12, 13], [0, 1], [2, 6]]),
        ([0, 1, 2, 6, 12, 13], "closest", [[12, 13], [0, 1, 2, 6]]),
        ([3, 1, 2], "closest", [[1, 2, 3]]),
    ],
)
def test_the_examples_by_hand(line: list[int], leftover: str, groups: list[list[int]]) -> None:
    points = [(value,) for value in line]
    last = mdav_steps(points, 2, leftover=leftover)[-1]
    assert partition(points, last.labels) == [[(value,) for value in group] for group in groups]


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
            mean = points[after.labels == group].mean(axis=0)
            assert after.published[after.labels == group] == pytest.approx(
                np.tile(mean, ((after.labels == group).sum(), 1))
            )
        if after.move == "group":
            newest = points[after.labels == after.labels.max()]
            assert len(newest) == 3
            [place] = after.marks.values()
            assert place.tolist() in newest.tolist()
        elif after.move != "done":
            assert (after.labels == before.labels).all()
    assert [list(step.marks) for step in steps[:5]] == [[], ["mean", "r"], ["r"], ["r", "s"], ["s"]]
    assert steps[1].marks["mean"] == pytest.approx(points.mean(axis=0))
    assert (steps[-1].labels >= 0).all()
    assert "5 are left" in steps[-2].text


@pytest.mark.parametrize("leftover", ["closest", "group"])
def test_the_order_of_the_rows_is_no_matter(leftover: str) -> None:
    points = np.random.default_rng(2).integers(0, 4, (25, 2))
    for seed in range(5):
        shuffle = np.random.default_rng(seed).permutation(25)
        first = mdav_steps(points, 3, leftover=leftover)[-1].labels
        second = mdav_steps(points[shuffle], 3, leftover=leftover)[-1].labels
        rows = [tuple(row) for row in points.tolist()]
        shuffled = [rows[row] for row in shuffle]
        assert partition(rows, first) == partition(shuffled, second)


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="leftover must be one of"):
        mdav_steps(np.eye(4), 2, leftover="drop")
    with pytest.raises(ValueError, match="k must be an integer between 2 and 4"):
        mdav_steps(np.eye(4), 5)
    with pytest.raises(ValueError, match="finite"):
        mdav_steps(np.full((4, 2), np.nan), 2)


def test_points_whose_squares_overflow_are_refused() -> None:
    with pytest.raises(ValueError, match=r"points must hold numbers of at most 1e\+50 in size"):
        mdav_steps([[1e200], [-3e200], [2.0]], 2)
