"""The arena: each attacker scores what it deserves, and no attacker passes a limit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pplab.attacks.arena import PEOPLE, RIVALS, ROUNDS, Arena, arena, outsider, popularity, profiles
from pplab.attacks.protocol import CLUSTERS, MEANS, NOISE, SMOOTH

ROOMS = {
    family: arena(family, strength, seed=5)
    for family, strength in {NOISE: 2, CLUSTERS: 1, SMOOTH: 5, MEANS: 5}.items()
}
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
    assert (
        table.loc[table["given"], "attacker"].tolist() == ["mine"] == [table["attacker"].iloc[-1]]
    )
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
