"""The arena and its protocol: each attacker scores what it deserves, and none passes a limit."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from pplab.attacks import protocol
from pplab.attacks.arena import PEOPLE, RIVALS, ROUNDS, Arena, arena, outsider, popularity, profiles
from pplab.attacks.protocol import CLUSTERS, MEANS, NOISE, SMOOTH
from pplab.microaggregation.microaggregate import group_means

STRENGTHS = {NOISE: 2, CLUSTERS: 1, SMOOTH: 5, MEANS: 5}
ROOMS = {family: arena(family, strength, seed=5) for family, strength in STRENGTHS.items()}
FAST = [room for family, room in ROOMS.items() if family != SMOOTH]


@pytest.mark.parametrize("room", ROOMS.values(), ids=list(ROOMS))
def test_inverted_constant_and_memorising_attackers_score_what_they_deserve(room: Arena) -> None:
    turned = room.score(lambda seen: 1 - outsider(seen))
    usual = room.score(outsider)
    assert turned.advantage == pytest.approx(-usual.advantage)
    assert turned.interval[1] < 0 < usual.interval[0]
    assert (usual.lead, usual.lead_interval) == (0, (0, 0))
    for constant in (0.0, 0.3, 1.0):
        answer = np.full(PEOPLE, constant)
        fixed = room.score(lambda _, answer=answer: answer)
        assert fixed.advantage == pytest.approx(0)
    _, coin = room.practice
    learned = room.score(lambda _: coin)  # right in the practice round, on each person
    assert abs(learned.advantage) < 4 / (PEOPLE * ROUNDS) ** 0.5
    blind = room.score(popularity)  # ignores the release
    assert abs(blind.advantage) < 0.04
    assert blind.lead <= 0


def test_an_outsider_of_flips_stands_at_the_limit_and_nobody_passes_one() -> None:
    flips = ROOMS[NOISE]
    low, high = flips.score(outsider).interval
    assert low < flips.limit < high
    assert flips.limit == pytest.approx((np.exp(2) - 1) / (np.exp(2) + 1))
    assert ROOMS[MEANS].limit == 1
    for room in FAST:
        assert (room.table()["low"] <= room.limit).all()


def test_public_profiles_help_against_means_and_not_against_flips_and_votes() -> None:
    assert ROOMS[MEANS].score(profiles).lead_interval[0] > 0.05
    assert ROOMS[CLUSTERS].score(profiles).lead_interval[0] > 0
    assert ROOMS[NOISE].score(profiles).lead == ROOMS[SMOOTH].score(profiles).lead == 0


def test_a_mean_of_which_all_others_are_public_tells_the_cell() -> None:
    seen, coin = ROOMS[MEANS].practice
    assert seen.labels is not None
    same = seen.labels[:, None] == seen.labels
    np.fill_diagonal(same, val=False)
    result = ~(same & np.isnan(seen.known.T[seen.items])).any(axis=1)
    assert result.sum() > 2
    assert np.array_equal(profiles(seen)[result], coin[result])


def test_the_table_ranks_rivals_and_given_attackers() -> None:
    table = ROOMS[MEANS].table(mine=lambda seen: 1 - outsider(seen))
    assert set(table["attacker"]) == {*RIVALS, "mine"}
    assert table["value"].is_monotonic_decreasing
    last = table["attacker"].iloc[-1]
    assert table.loc[table["given"], "attacker"].tolist() == ["mine"] == [last]
    assert (table["low"] <= table["value"]).all()
    assert (table["value"] <= table["high"]).all()


def test_what_is_asked_is_not_public_and_cannot_be_written() -> None:
    for room in FAST:
        seen, coin = room.practice
        assert np.isnan(seen.known[seen.users, seen.items]).all()
        assert 0.4 < np.isnan(seen.known).mean() < 0.6
        assert 0.3 < coin.mean() < 0.7
        assert not seen.table.flags.writeable
    first, again = (arena(MEANS, 5, seed=9).practice[0].table for _ in range(2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, arena(MEANS, 5, seed=8).practice[0].table)


@pytest.mark.parametrize(
    "answer", [0.5, np.full(3, 0.5), np.full(PEOPLE, 2), np.full(PEOPLE, np.nan)]
)
def test_an_attacker_gives_one_probability_for_each_person(answer: Any) -> None:
    with pytest.raises(ValueError, match="probability of yes, from 0 to 1, for each of 200 people"):
        ROOMS[NOISE].score(lambda _: answer)


# One attacker protocol: each attacker on releases where what it can know is counted by hand.


DATA = np.array([[1, 0], [0, 1], [1, 1], [0, 0]])
ASKED = protocol.Question(np.arange(4), np.zeros(4, dtype=int), DATA[:, 0] == 1)
PAIRS = np.array([0, 0, 1, 1])


def means(labels: np.ndarray, data: np.ndarray = DATA) -> protocol.Release:
    return protocol.Release(group_means(data, labels), means=True, labels=labels)


def votes(labels: np.ndarray, data: np.ndarray = DATA) -> protocol.Release:
    return protocol.Release((means(labels, data).table >= 0.5).astype(int), labels=labels)


def test_the_interval_over_runs_is_students() -> None:
    values = [0.1, 0.4, 0.35, 0.2]
    expected = stats.t.interval(0.95, 3, loc=np.mean(values), scale=stats.sem(values))
    assert protocol.over_runs(values) == pytest.approx(expected)
    assert protocol.over_runs([0.3]) == (0.3, 0.3)


def test_insiders_subtract_means() -> None:
    for labels in (PAIRS, np.zeros(4, dtype=int)):
        answers = protocol.ask_insiders(means(labels), DATA, ASKED)
        assert answers.tolist() == ASKED.coin.tolist()
    hidden = np.where(np.arange(2) == 0, 9, DATA)  # the asked cells are not looked at...
    one = protocol.Question(np.array([0]), np.array([1]), np.array([False]))
    # ...nor are other items
    assert protocol.ask_insiders(means(PAIRS), hidden, one).tolist() == [0]


def test_insiders_of_a_vote_know_only_where_it_hangs_on_one() -> None:
    pair = votes(PAIRS)
    asked = protocol.Question(np.array([0, 1]), np.array([0, 0]), np.array([True, False]))
    # person 1 is outvoted by person 0
    assert protocol.ask_insiders(pair, DATA, asked).tolist() == [1, 1]


def test_a_vote_hangs_on_one_where_that_one_makes_exactly_half() -> None:
    """Groups of 2 to 5: the asked person's vote is read if and only if it can change the result."""
    for size in range(2, 6):
        for others in range(size):
            for own in (0, 1):
                data = np.zeros((size, 1), dtype=int)
                data[1 : 1 + others], data[0] = 1, own
                asked = protocol.Question(np.array([0]), np.array([0]), np.array([own == 1]))
                release = votes(np.zeros(size, dtype=int), data)
                swayed = (2 * others >= size) != (2 * (others + 1) >= size)
                answer = protocol.ask_insiders(release, data, asked)[0]
                assert answer == (own if swayed else release.table[0, 0])


def test_a_second_release_tells_what_arrived() -> None:
    before = DATA.copy()
    before[0, 0] = 0
    answers = protocol.ask_twice(means(PAIRS, before), means(PAIRS), ASKED)
    assert answers[0] > answers[2]
    plain = protocol.ask_twice(protocol.Release(before), protocol.Release(DATA), ASKED)
    assert plain.tolist() == DATA[:, 0].tolist()


def test_fakes_alone_with_a_person_know_all() -> None:
    fakes = np.array([False, True, False, True])
    asked = protocol.Question(np.array([0, 2]), np.array([0, 0]), np.array([True, True]))
    assert protocol.ask_fake_friends(means(PAIRS), DATA, fakes, asked).tolist() == [1, 1]
    assert protocol.ask_fake_friends(votes(PAIRS), DATA, fakes, asked).tolist() == [1, 1]
    assert protocol.ask_fake_friends(protocol.Release(DATA), DATA, fakes, asked).tolist() == [1, 1]


def test_a_linker_is_right_once_in_k() -> None:
    likes = np.array([[1, 0, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0], [0, 1, 1, 0]])
    result = protocol.link_success(votes(PAIRS, likes), likes, range(4), known=2, rng=1)
    assert result.tolist() == [0.5] * 4
    assert protocol.link_success(protocol.Release(DATA), DATA, [2], known=2, rng=1).tolist() == [1]
