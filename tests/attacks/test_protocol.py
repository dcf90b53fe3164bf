"""One attacker protocol: each attacker on releases where what it can know is counted by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from pplab.attacks.protocol import (
    Question,
    Release,
    advantage,
    advantage_limit,
    ask_fake_friends,
    ask_insiders,
    ask_outsider,
    ask_twice,
    link_success,
    over_runs,
)
from pplab.microaggregation.microaggregate import group_means

DATA = np.array([[1, 0], [0, 1], [1, 1], [0, 0]])
ASKED = Question(np.arange(4), np.zeros(4, dtype=int), DATA[:, 0] == 1)
PAIRS = np.array([0, 0, 1, 1])


def means(labels: np.ndarray, data: np.ndarray = DATA) -> Release:
    return Release(group_means(data, labels), means=True, labels=labels)


def votes(labels: np.ndarray, data: np.ndarray = DATA) -> Release:
    return Release((means(labels, data).table >= 0.5).astype(int), labels=labels)


def test_certainty_is_one_and_the_prior_nothing() -> None:
    assert advantage(ask_outsider(Release(DATA), ASKED), ASKED.coin) == 1
    assert advantage(np.full(4, 0.5), ASKED.coin) == 0
    assert advantage_limit(0.0) == 0
    assert advantage_limit(float("inf")) == advantage_limit(1e4) == 1


def test_the_limit_is_that_of_a_flipped_cell() -> None:
    for p in (0.1, 0.25, 0.4):
        assert advantage_limit(np.log((1 - p) / p)) == pytest.approx(1 - 2 * p)


def test_the_interval_over_runs_is_students() -> None:
    values = [0.1, 0.4, 0.35, 0.2]
    expected = stats.t.interval(0.95, 3, loc=np.mean(values), scale=stats.sem(values))
    assert over_runs(values) == pytest.approx(expected)
    assert over_runs([0.3]) == (0.3, 0.3)


def test_insiders_subtract_means() -> None:
    for labels in (PAIRS, np.zeros(4, dtype=int)):
        answers = ask_insiders(means(labels), DATA, ASKED)
        assert answers.tolist() == ASKED.coin.tolist()
    hidden = np.where(np.arange(2) == 0, 9, DATA)  # the asked cells are not looked at...
    one = Question(np.array([0]), np.array([1]), np.array([False]))
    assert ask_insiders(means(PAIRS), hidden, one).tolist() == [0]  # ...nor are other items


def test_insiders_of_a_vote_know_only_where_it_hangs_on_one() -> None:
    pair = votes(PAIRS)
    asked = Question(np.array([0, 1]), np.array([0, 0]), np.array([True, False]))
    assert ask_insiders(pair, DATA, asked).tolist() == [1, 1]  # person 1 is outvoted by person 0


def test_a_vote_hangs_on_one_where_that_one_makes_exactly_half() -> None:
    """Groups of 2 to 5: the asked person's vote is read if and only if it can change the result."""
    for size in range(2, 6):
        for others in range(size):
            for own in (0, 1):
                data = np.zeros((size, 1), dtype=int)
                data[1 : 1 + others], data[0] = 1, own
                asked = Question(np.array([0]), np.array([0]), np.array([own == 1]))
                release = votes(np.zeros(size, dtype=int), data)
                swayed = (2 * others >= size) != (2 * (others + 1) >= size)
                answer = ask_insiders(release, data, asked)[0]
                assert answer == (own if swayed else release.table[0, 0])


def test_a_second_release_tells_what_arrived() -> None:
    before = DATA.copy()
    before[0, 0] = 0
    answers = ask_twice(means(PAIRS, before), means(PAIRS), ASKED)
    assert answers[0] > answers[2]
    assert ask_twice(Release(before), Release(DATA), ASKED).tolist() == DATA[:, 0].tolist()


def test_fakes_alone_with_a_person_know_all() -> None:
    fakes = np.array([False, True, False, True])
    asked = Question(np.array([0, 2]), np.array([0, 0]), np.array([True, True]))
    assert ask_fake_friends(means(PAIRS), DATA, fakes, asked).tolist() == [1, 1]
    assert ask_fake_friends(votes(PAIRS), DATA, fakes, asked).tolist() == [1, 1]
    assert ask_fake_friends(Release(DATA), DATA, fakes, asked).tolist() == [1, 1]


def test_a_linker_is_right_once_in_k() -> None:
    likes = np.array([[1, 0, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0], [0, 1, 1, 0]])
    result = link_success(votes(PAIRS, likes), likes, range(4), known=2, rng=1)
    assert result.tolist() == [0.5] * 4
    assert link_success(Release(DATA), DATA, [2], known=2, rng=1).tolist() == [1]
