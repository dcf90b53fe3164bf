"""Notebook 17: right and wrong answers, labels by choices, attackers scored in the arena."""

import random

import numpy as np

from pplab.attacks.arena import outsider, patterns, popularity, profiles
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


RIGHT = {
    "17-R": ["epsilon", "ε", "differential privacy"],
    "17-C": [0.28, 0.2800, 0.27999],
    "17-P": [simulated(1, -1), in_a_loop, lambda *g: np.array(in_a_loop(*g))],
    "17-B": [[1, 0, 0, 1], (0, 1, 0, 0), np.array([0, 0, 1, 1]), [True, False, False, True]],
    "17-D": [
        label(BEST),
        label(BEST, unit=" A row", memo="pizza"),
        label((BEST[0].upper(), int(BEST[1]))),
    ],
    "17-O": [(MEANS, own_row), [CLUSTERS, own_row], (MEANS, lambda seen: profiles(seen))],
}

WRONG = {
    "17-R": ["k", "both", "neither"],
    "17-C": [0.369, 0.389, 0.881, 28.0],
    "17-P": [
        (simulated(1, 0), "subtract false alarms"),
        (simulated(0, 1), "how often it is wrong"),
        (simulated(-1, 1), "sign is wrong"),
        (simulated(0.5, -0.5), "half of it"),
        (turned, "given yes"),
        (one_stream, "the same draws"),
        (lambda _, flip, *__: 1 - 2 * flip, "draw people and flips"),
        (
            lambda _, p, n, seed: 1 - 2 * (np.random.default_rng(seed).random(n) < p).mean(),
            "varies too little",
        ),
        (lambda s, f, n, _: simulated(1, -1)(s, f, n, 4), "draw people and flips"),
        (lambda s, f, n, _, r=UNSEEDED: simulated(1, -1)(s, f, n, r), "two numbers"),
    ],
    "17-B": [
        ([0, 0, 0, 1], "drops the item"),
        ([1, 1, 1, 0], "outvote"),
        ([1, 1, 0, 0], "likely is not certain"),
    ],
    "17-D": [
        ({"family": BEST[0], "strength": BEST[1]}, "label is not complete"),
        (label(ROWS["recall"].idxmax()), "usefulness alone"),
        (label(KEPT["recall"].idxmin()), "with better recall"),
        (label(("noise graph", 0.77)), "of a row of the table"),
        (label(("noise graph", 1)), "more than the limit allows"),
        (label(BEST, unit="One like"), "The row is right. Look at unit"),
        (label(BEST, trusted="nobody"), "somebody see the whole table"),
        (label(BEST, insiders="everything"), "That is the threat"),
        (label(BEST, **{"second release": "levels add up"}), "Has this family a level"),
        (label(BEST, insiders="nothing"), "insiders is one of: what ε allows, a deciding"),
        (label(BEST, **{"second release": "pizza"}), "second release is one of"),
        (label(BEST, trusted="everyone"), "trusted is one of"),
        (label(BEST, unit="one like, and certainly not a row"), "unit is one of"),
        (label(BEST, memo=" "), "a text in quotes"),
    ],
    "17-O": [
        (lambda seen: outsider(seen), "give a pair"),
        (("means", own_row), "give a pair"),
        ((MEANS, profiles), "one of the rivals"),
        ((MEANS, lambda seen: 1 - outsider(seen)), "should say no"),
        ((MEANS, lambda seen: popularity(seen)), "like that of a guess"),
        ((MEANS, lambda seen: 0 * seen.items), "like that of a guess"),
        ((MEANS, lambda seen: np.random.default_rng(1).random(len(seen.users))), "of a guess"),
        ((MEANS, lambda seen: outsider(seen)), "outsider is 0.000; 0.05 are asked for"),
        ((MEANS, lambda seen: np.clip(seen.table[seen.users, seen.items], 0, 1)), "are asked for"),
        ((NOISE, lambda seen: seen.table[seen.users, seen.items]), "limit of ε already"),
        ((SMOOTH, lambda seen: patterns(seen)), "turn a published 0 into 1"),
        ((MEANS, lambda _: 0.5), "for each of 200 people"),
        ((MEANS, lambda seen: 2 + 0 * seen.users), "from 0 to 1"),
        ((MEANS, stops), "stopped with KeyError"),
    ],
}

SECRETS = {"17-R": "epsilon", "17-C": "0.28"}


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
    assert not check("17-O", (MEANS, lambda seen: outsider(seen)))
    judges._arena.cache_clear()
