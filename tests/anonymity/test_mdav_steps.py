"""The told moves against the oracle in fractions, and against the quick MDAV."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from pplab.microaggregation.mdav import mdav, mdav_steps
from tests.oracles import groups_of, mdav_in_fractions


@pytest.mark.parametrize("leftover", ["closest", "group"])
def test_the_last_move_has_the_groups_of_the_oracle_and_of_mdav(leftover: str) -> None:
    for seed in range(30):
        rng = np.random.default_rng(seed)
        k = int(rng.integers(2, 6))
        points = rng.integers(-4, 4 + 996 * (seed % 2), (int(rng.integers(6, 40)), 2))
        groups = groups_of(points, mdav_steps(points, k, leftover=leftover)[-1].labels)
        assert groups == groups_of(points, mdav_in_fractions(points, k, leftover))
        real = rng.normal(size=(int(rng.integers(6, 60)), int(rng.integers(1, 4))))
        found = mdav_steps(real, k, leftover=leftover)[-1].labels
        assert np.array_equal(found, mdav(real, k, leftover=leftover))


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


def test_bad_arguments_are_refused() -> None:
    for points, k, leftover, sentence in [
        (np.eye(4), 2, "drop", "leftover must be one of"),
        (np.eye(4), 5, "group", "k must be an integer between 2 and 4"),
        (np.full((4, 2), np.nan), 2, "group", "finite"),
        ([[1e200], [-3e200], [2.0]], 2, "group", r"numbers of at most 1e\+50 in size"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            mdav_steps(points, k, leftover=leftover)
