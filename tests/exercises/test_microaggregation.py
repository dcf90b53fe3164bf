"""Notebook 09: hidden points that tell the mistakes apart, a club whose best release is unique."""

from __future__ import annotations

import numpy as np
import pytest

from pplab.course.check import check
from pplab.course.nb09_microaggregation import (
    AFTER,
    BEFORE,
    CROWDS,
    HANDFULS,
    NEWCOMER,
    TIED,
    best_in_order,
    least_error,
    linkage,
    reading_club,
    sse,
)
from pplab.microaggregation.mdav import mdav
from pplab.microaggregation.optimal import optimal_microaggregation, optimal_microaggregation_1d
from tests.exercises.examples_microaggregation import (
    SWAPPED,
    by_hand,
    by_row,
    one_dimension,
    released,
)


def test_the_answer_on_the_line_is_the_optimum_and_the_mistake_is_mdav() -> None:
    line = np.array([1, 2, 3, 10, 11, 12, 20.0])[:, None]
    best = sse(line, optimal_microaggregation_1d(line[:, 0], 3))
    assert check("09-C", best)
    assert "MDAV" in check("09-C", sse(line, mdav(line, 3, leftover="group"))).message


def test_the_newcomer_is_a_row_of_ratings_and_the_means_are_of_ratings() -> None:
    sums = [3 * mean for mean in BEFORE]
    assert [4 * mean - total for mean, total in zip(AFTER, sums, strict=True)] == pytest.approx(
        NEWCOMER
    )
    assert all(total == pytest.approx(round(total)) for total in sums)  # three whole ratings
    assert all(1 <= mean <= 5 for mean in (*BEFORE, *AFTER))


@pytest.mark.parametrize(("points", "k"), HANDFULS)
def test_no_short_cut_is_best_on_the_hidden_handfuls(points: np.ndarray, k: int) -> None:
    best = sse(points, optimal_microaggregation(points, k))
    for rule in ("group", "closest"):
        assert sse(points, mdav(points, k, leftover=rule)) > best * 1.001
    for direction in np.random.default_rng(1).normal(size=(50, 2)):
        assert best_in_order(points, points @ direction, k) >= best - 1e-9


def test_some_hidden_crowds_have_ties() -> None:
    tied = [len(np.unique(points, axis=0)) < len(points) for points, _ in CROWDS]
    assert any(tied)
    assert not all(tied)


@pytest.mark.parametrize(("points", "k"), TIED)
def test_the_tied_points_are_distinct_and_leave_ties_to_the_rows(
    points: np.ndarray, k: int
) -> None:
    assert len(np.unique(points, axis=0)) == len(points)
    found = set()
    for seed in range(6):
        shuffled = np.random.default_rng(seed).permutation(points)
        labels = by_hand(shuffled, k)
        groups = [shuffled[labels == group].tolist() for group in np.unique(labels)]
        found.add(frozenset(frozenset(map(tuple, group)) for group in groups))
    assert len(found) > 1


def test_a_grouping_below_what_mdav_finds_is_not_praised_as_what_mdav_finds() -> None:
    club = reading_club()
    assert sse(club, SWAPPED) < least_error(0.05) * 0.99
    assert "no k of MDAV that is safe has less" in check("09-D", SWAPPED).message


def test_the_rubric_is_for_a_search_that_works() -> None:
    assert "\n" not in check("09-O", one_dimension).message


def test_the_best_release_of_the_club_has_neither_the_least_safe_k_nor_k_20() -> None:
    club = reading_club()
    safe = {k: linkage(club, released(k).labels) <= 0.05 for k in range(2, 31)}
    errors = {k: released(k).sse for k in safe if safe[k]}
    best = min(errors, key=lambda k: errors[k])
    assert errors[best] == pytest.approx(least_error(0.05))
    assert min(errors) < best < 20
    assert not safe[10]
    assert sorted(np.unique(club)) == [1, 2, 3, 4, 5]


def test_cutting_by_one_coordinate_alone_is_not_the_optimum() -> None:
    assert not check("09-O", one_dimension)


def test_a_grouping_by_rows_passes_where_nothing_ties() -> None:
    points, k = CROWDS[1]
    order = np.random.default_rng(3).permutation(len(points))
    assert by_row(points[order], k) == pytest.approx(by_row(points, k)[order])
