"""Notebook 17: right and wrong answers, labels by choices, attackers scored in the arena."""

import random

import numpy as np

from pplab.attacks import arena
from pplab.attacks.protocol import CLUSTERS, MEANS, NOISE, SMOOTH
from pplab_course.exercises import check
from pplab_course.nb17_one_yardstick import MENU, MOST, _insiders

WORDS = {
    "unit": "a row",
    "trusted": "a server",
    "insiders": "a deciding vote",
    "second release": "no promise",
    "memo": "For the four editors; asked again before the next month.",
}


ROWS = _insiders()
KEPT = ROWS[ROWS["high"] <= MOST]


def label(row, **changed):
    return {"family": row[0], "strength": row[1]} | WORDS | changed


UNSEEDED = np.random.default_rng(1)
BEST = KEPT["recall"].idxmax()


def simulated(yes, false):
    """So many times the true alarms and so many times the false ones, added."""

    def run(share, flip, trials, seed):
        has, published = drawn(share, flip, trials, seed)
        return float(yes * published[has].mean() + false * published[~has].mean())

    return run


def drawn(share, flip, trials, seed):
    draws = np.random.default_rng(seed)
    has = draws.random(trials) < share
    return has, has ^ (draws.random(trials) < flip)


def in_a_loop(share, flip, trials, seed):
    draws = random.Random(seed)
    texts = {True: [], False: []}
    for _ in range(trials):
        has, flipped = draws.random() < share, draws.random() < flip
        texts[has].append(has != flipped)
    return sum(texts[True]) / len(texts[True]) - sum(texts[False]) / len(texts[False])


def turned(*arguments):
    has, published = drawn(*arguments)
    return float(has[published].mean() - has[~published].mean())


def one_stream(share, flip, trials, seed):
    likes, flips = np.random.default_rng(seed), np.random.default_rng(seed)
    has = likes.random(trials) < share
    published = has ^ (flips.random(trials) < flip)
    return float(published[has].mean() - published[~has].mean())


def own_row(seen):
    """Public profiles of the group, each person on its own; the others like it as the group."""
    texts = []
    for user, item in zip(seen.users, seen.items, strict=True):
        group = np.flatnonzero((seen.labels == seen.labels[user]) & (seen.users != user))
        public, mean = seen.known[group, item], seen.table[user, item]
        rest = np.where(np.isnan(public), np.clip(mean, 0, 1), public).sum()
        texts.append(float(mean * (len(group) + 1) - rest > 0.5))
    return texts


def stops(seen):
    raise KeyError(len(seen.users))


def test_each_family_has_one_right_choice_for_each_line():
    for choices in MENU.values():
        assert sorted(f for families in choices.values() for f in families) == sorted(
            (NOISE, CLUSTERS, SMOOTH, MEANS)
        )


def test_a_graded_course_has_arenas_of_its_own(monkeypatch):
    monkeypatch.setenv("PPLAB_SECRET", "another course")
    from pplab_course import nb17_one_yardstick as judges

    judges._arena.cache_clear()
    assert check("17-O", (MEANS, own_row))
    assert not check("17-O", (MEANS, lambda seen: arena.outsider(seen)))
    judges._arena.cache_clear()
