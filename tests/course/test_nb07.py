"""Notebook 07: hidden promises tell mistakes apart, one vote decides, groups meet the bound."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from pplab.course.check import check
from pplab.course.nb07_smooth_anonymity import (
    PROMISES,
    broken,
    nine_voters,
)
from pplab.papers.smooth.lemmas import lemma_5_3
from tests.course.examples import complaints

LN3 = math.log(3)
BEST = [0, 1, 0, 2, 2, 1]
VOTE = [Fraction(1, 10), Fraction(3, 10), Fraction(7, 10), Fraction(9, 10)]
FIXED = "true where the groups are fixed without looking at the data"


def counted(olds: range, news: range, factor: int = 1) -> Callable[[Any], int]:
    def failures(promise: Any) -> int:
        count = 0
        for old, new in product(olds, news):
            similar = Fraction((old & new).bit_count(), (old | new).bit_count())
            changed = Fraction(factor * (old ^ new).bit_count(), old.bit_count())
            count += similar < promise(changed)
        return count

    return failures


failures = counted(range(1, 64), range(64))


RIGHT: list[tuple[str, Any]] = [
    ("07-R", "union"),
    ("07-C", Fraction(3, 5)),
    ("07-P", failures),
    ("07-B", (8, 3, 0)),
    ("07-B", np.array([8, 3, 0])),
    ("07-N", (Fraction(7, 2), Fraction(7, 10))),
    ("07-N", [3.5, 0.7]),
    ("07-D", (BEST, 0.8)),
    ("07-D", [np.array([5, 2, 5, 7, 7, 2]), Fraction(4, 5)]),
    ("07-O", (VOTE, LN3, FIXED)),
    ("07-O", [[0.25, 0.25, 0.75, 0.75], 1.0986, "the clusters do not depend on the data"]),
]

WRONG: list[tuple[str, Any, str]] = [
    ("07-R", "intersection", "One of two is half"),
    ("07-C", 1, "count what is suppressed"),
    ("07-C", Fraction(5, 9), "anybody has"),
    ("07-C", 0.4, "share that was suppressed"),
    ("07-C", 1 / 3, "not cells or items"),
    ("07-P", counted(range(1, 64), range(1, 64)), "include the empty copy"),
    ("07-P", lambda promise: int(failures(promise) > 0), "not whether one does"),
    ("07-P", counted(range(1, 64), range(64), 2), "counts once"),
    ("07-P", lambda promise: failures(lambda phi: promise(phi) + Fraction(1, 10**9)), "Take all"),
    ("07-P", lambda _: 10**6, "63 · 64"),
    ("07-P", lambda promise: failures(promise) or 1, "Nothing breaks"),
    ("07-B", (8, 0, 1), "Both insiders agree"),
    ("07-B", (2, 3, 0), "That row is known"),
    ("07-B", (8, 3, 1), "what does the published bit say"),
    ("07-B", (9, 3, 0), "Persons are"),
    ("07-N", (7, 0.7), "from both sides"),
    ("07-N", (14 / 3, 0.7), "not k"),
    ("07-N", (1.5, 0.7), "its own companion"),
    ("07-N", (0.696, 0.7), "a J already"),
    ("07-N", (3.5, 1), "one of four has"),
    ("07-N", (3.5, 0.875), "shown by three rows"),
    ("07-N", (3.5, 2 / 3), "fewer than k/2"),
    ("07-N", (3.5, 0.8), "not kept"),
    ("07-N", (3.5, 7 / 9), "the number of all edges"),
    ("07-N", (3.5, 0.375), "suppression's rule"),
    ("07-D", ([0, 1, 0, 2, 2, 3], 0.8), "below k"),
    ("07-D", ([0, 0, 0, 1, 1, 1], 0.8), "Other groups keep more"),
    ("07-D", (BEST, 2 / 3), "take half"),
    ("07-D", (BEST, 0.25), "That number is h"),
    ("07-D", (BEST, 0.7), "below what they reach"),
    ("07-D", (BEST, 0.9), "Compute the certificate again"),
    ("07-O", (VOTE, LN3, "nothing else matters"), "depends on this person's row"),
    ("07-O", (VOTE, 3, FIXED), "Those are the odds"),
    ("07-O", (VOTE, 0.85, FIXED), "Not that private"),
    ("07-O", (VOTE, 2, FIXED), "not exact"),
    ("07-O", ((0, 0, 1, 1), 5, FIXED), "no finite"),
    ("07-O", ((0.5, 0.5, 0.5, 0.5), 0, FIXED), "useless"),
    ("07-O", (VOTE[::-1], LN3, FIXED), "less likely"),
    ("07-O", ((0, 0.5, 1.5, 2), 1, FIXED), "between 0 and 1"),
    ("07-P", lambda _: "many", "wants a number"),
    ("07-B", (8, 3), "wants 3 numbers"),
    ("07-N", 3.5, "wants 2 numbers"),
    ("07-N", (3.5, "most"), "wants a number"),
    ("07-D", BEST, "wants a pair"),
    ("07-D", ([0, 0, 1], 0.8), "each of the 6 rows"),
    ("07-D", (BEST, "0.8"), "wants a number"),
    ("07-O", (VOTE, LN3), "three things"),
    ("07-O", (VOTE[:3], LN3, FIXED), "wants 4 numbers"),
    ("07-O", (VOTE, LN3, 5), "wants a text"),
]

# A hint must not hold the answer: the exercise and the answer in words.
SECRETS = [("07-R", "union"), ("07-C", "3/5"), ("07-P", "2777"), ("07-B", "8, 3"), ("07-D", "0.8")]
SECRETS += [("07-N", "3.5"), ("07-N", "7/2"), ("07-N", "0.7"), ("07-N", "7/10")]


def test_answers_are_judged() -> None:
    assert complaints("07", RIGHT, WRONG, SECRETS) == []


def test_the_counts_are_those_of_the_lemma_by_enumeration() -> None:
    promises = dict(PROMISES)
    assert broken(promises["as printed"]) == lemma_5_3(form="printed").failures
    assert broken(promises["repaired"]) == lemma_5_3(form="repaired").failures == 0


def test_the_printed_release_does_not_show_the_unknown_rows() -> None:
    lines = repr(nine_voters()).splitlines()
    assert len(lines) == 10
    assert [line.endswith("?") for line in lines[1:]] == [u in (4, 6, 8) for u in range(9)]


def test_the_level_of_a_vote_is_exact_at_the_edges_of_its_tolerance() -> None:
    assert check("07-O", (VOTE, LN3 * 1.005, FIXED))
    assert not check("07-O", (VOTE, LN3 * 1.007, FIXED))
    assert not check("07-O", (VOTE, LN3 * 0.993, FIXED))
    lopsided = (Fraction(1, 2), Fraction(1, 2), Fraction(3, 4), Fraction(15, 16))
    assert check("07-O", (lopsided, math.log(4), FIXED))  # the zeros decide, not the ones
