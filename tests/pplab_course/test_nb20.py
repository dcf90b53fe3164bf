"""Notebook 20: batches, false likes, any two rows, a million users; an id that has moved."""

import numpy as np
import pytest

from pplab_course import check
from pplab_course.exercises import MOVED, exercises, judged
from pplab_course.nb20_learning_with_noise import DELTA, PEOPLE, _shuffled

FALSE_LIKES = 98 / (1 + np.exp(2))
PAIR = ([1, 0, 0], [0, 1, 0], [1, 0, 0])


def test_an_exercise_that_moved_is_judged_by_its_old_id_too(capsys):
    assert {old: new for old, new in MOVED.items() if new not in exercises()} == {}
    assert not set(MOVED) & exercises().keys()
    assert check("16-R", "poisson")
    assert not check("16-R", "shuffled")
    assert judged("16-R", "poisson") == judged("20-R", "poisson")
    assert "20-R" in capsys.readouterr().out


def test_the_pair_of_20_b_passes_the_level_and_a_row_against_none_does_not():
    """By enumeration of all outputs of three cells flipped at level 2."""
    flip = 1 / (1 + np.exp(2))

    def law(row):
        bits = (np.arange(8)[:, None] >> np.arange(3)) & 1
        return np.prod(np.where(bits == np.array(row), 1 - flip, flip), axis=1)

    any_two = np.log(law([1, 0, 0]) / law([0, 1, 0])).max()
    none = np.log(law([1, 0, 0]) / law([0, 0, 0])).max()
    assert any_two == pytest.approx(4)
    assert none == pytest.approx(2)


def test_the_theorem_applies_at_the_answer_of_20_d():
    assert np.log(PEOPLE / (16 * np.log(2 / DELTA))) > 8.151
    assert _shuffled(2 * 4.0754) == pytest.approx(1, abs=1e-3)


def test_the_level_of_the_theorem_holds_for_one_flipped_bit():
    """Exactly, for binary randomized response: counts of ones under two neighbouring tables."""
    from scipy.stats import binom

    people, local, delta = 2000, 1.5, 1e-5
    odds = np.exp(local)
    assert local <= np.log(people / (16 * np.log(2 / delta)))
    first = 8 * np.sqrt(odds * np.log(4 / delta) / people)
    level = np.log1p((odds - 1) / (odds + 1) * (first + 8 * odds / people))
    flip = 1 / (1 + odds)
    others = binom.pmf(np.arange(people), people - 1, flip)  # all others have a 0
    with_one = np.convolve(others, [flip, 1 - flip])
    with_none = np.convolve(others, [1 - flip, flip])
    for one, other in ((with_one, with_none), (with_none, with_one)):
        assert np.maximum(one - np.exp(level) * other, 0).sum() <= delta
