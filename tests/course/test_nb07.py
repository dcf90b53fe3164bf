"""Notebook 07: hidden promises tell mistakes apart, one vote decides, groups meet the bound."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from pplab.papers.smooth.lemma_5_3 import lemma_5_3
from pplab_course.exercises import check
from pplab_course.nb07_smooth_anonymity import (
    PROMISES,
    broken,
    nine_voters,
)

LN3 = math.log(3)
BEST = [0, 0, 1, 2, 1, 2]  # to be searched
VOTE = [Fraction(1, 10), Fraction(3, 10), Fraction(7, 10), Fraction(9, 10)]


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


def by_sets(promise: Any) -> int:
    """With sets of cells, J by its complement."""
    graphs = [{cell for cell in range(6) if bits >> cell & 1} for bits in range(64)]
    return sum(
        1 - Fraction(len(old ^ new), len(old | new)) < promise(Fraction(len(old ^ new), len(old)))
        for old, new in product(graphs[1:], graphs)
    )


def in_floats(promise: Any) -> int:
    return sum(
        (old & new).bit_count() / (old | new).bit_count()
        < promise((old ^ new).bit_count() / old.bit_count())
        for old, new in product(range(1, 64), range(64))
    )


RIGHT: dict[str, list[Any]] = {
    "07-R": ["union", "the union, not the intersection", "Union"],
    "07-C": [Fraction(3, 5), 0.6, np.float64(0.6)],
    "07-P": [failures, by_sets, lambda promise: np.int64(failures(promise))],
    "07-B": [(8, 3, 0), np.array([8, 3, 0]), [8, 3.0, 0]],
    "07-N": [(Fraction(7, 2), Fraction(7, 10)), [3.5, 0.7], np.array([3.5, 0.7])],
    "07-D": [
        (BEST, 23 / 27),
        [np.array([5, 5, 2, 7, 2, 7]), Fraction(23, 27)],
        (tuple(BEST), 0.852),
    ],
    "07-O": [
        (VOTE, LN3, 8 * LN3),
        [[0.25, 0.25, 0.75, 0.75], 1.0986, 8.79],
        ([Fraction(1, 9), Fraction(1, 3), Fraction(2, 3), Fraction(8, 9)], LN3, 8.789),
    ],
}

WRONG: dict[str, list[tuple[Any, str]]] = {
    "07-R": [
        ("intersection", "One of two is half"),
        ("the intersection", "One of two is half"),
        ("neither", "One of the two words"),
    ],
    "07-C": [
        (1, "count what is suppressed"),
        (Fraction(5, 9), "anybody has"),
        (0.4, "share that was suppressed"),
        (1 / 3, "not cells or items"),
    ],
    "07-P": [
        (counted(range(1, 64), range(1, 64)), "include the empty copy"),
        (lambda promise: int(failures(promise) > 0), "not whether one does"),
        (counted(range(1, 64), range(64), 2), "counts once"),
        (lambda promise: failures(lambda phi: promise(phi) + Fraction(1, 10**9)), "J < promise"),
        (lambda promise: failures(lambda phi: promise(phi / 2)), "divided by |E|"),
        (in_floats, "floats round"),
        (lambda _: 10**6, "63 · 64"),
        (lambda promise: failures(promise) or 1, "Nothing breaks"),
        (lambda _: "many", "wants a number"),
    ],
    "07-B": [
        ((8, 0, 1), "Both insiders agree"),
        ((2, 3, 0), "That row is known"),
        ((8, 3, 1), "what does the published bit say"),
        ((9, 3, 0), "Persons are"),
        ((8, 3), "wants 3 numbers"),
    ],
    "07-N": [
        ((7, 0.7), "from both sides"),
        ((14 / 3, 0.7), "not k"),
        ((1.5, 0.7), "its own companion"),
        ((0.696, 0.7), "a J already"),
        ((0.7, 3.5), "swapped"),
        ((3.5, 1), "one of four has"),
        ((3.5, 0.875), "shown by three rows"),
        ((3.5, 2 / 3), "One of these is"),
        ((3.5, 0.8), "not kept"),
        ((3.5, 7 / 9), "the number of all edges"),
        ((3.5, 0.375), "suppression's rule"),
        (3.5, "wants 2 numbers"),
        ((3.5, "most"), "wants a number"),
    ],
    "07-D": [
        (([0, 0, 1, 2, 1, 3], 0.85), "below k"),
        (([0, 0, 0, 1, 1, 1], 0.85), "Other groups keep more"),
        ((BEST, 23 / 28), "that is their J"),
        ((BEST, 23 / 31), "take half"),
        ((BEST, 4 / 23), "That number is h"),
        ((BEST, 0.7), "below what they reach"),
        ((BEST, 0.9), "Compute the certificate again"),
        (BEST, "wants a pair"),
        (([0, 0, 1], 0.8), "each of the 6 rows"),
        ((BEST, "0.8"), "wants a number"),
    ],
    "07-O": [
        ((VOTE, 3, 24), "Those are the odds"),
        ((VOTE, 0.85, 6.8), "Not that private"),
        ((VOTE, 2, 16), "not exact"),
        ((VOTE, LN3, LN3), "odds multiply"),
        ((VOTE, LN3, LN3**8), "Odds of eight"),
        (((0, 0, 1, 1), 5, 40), "no finite"),
        (((0.5, 0.5, 0.5, 0.5), 0, 0), "useless"),
        ((VOTE[::-1], LN3, 8 * LN3), "less likely"),
        (((0, 0.5, 1.5, 2), 1, 8), "between 0 and 1"),
        ((VOTE, LN3), "three things"),
        ((VOTE[:3], LN3, 8 * LN3), "wants 4 numbers"),
        ((VOTE, LN3, "8 ln 3"), "wants a number"),
    ],
}

# A hint must not hold the answer: the exercise and the answer in words.
SECRETS = {
    "07-C": "3/5",
    "07-P": "2777",
    "07-B": "8, 3",
    "07-N": "7/10",
    "07-D": "0.852",
}


def test_the_counts_are_those_of_the_lemma_by_enumeration() -> None:
    promises = dict(PROMISES)
    assert broken(promises["as printed"]) == lemma_5_3(form="printed").failures
    assert broken(promises["repaired"]) == lemma_5_3(form="repaired").failures == 0


def test_the_printed_release_does_not_show_the_unknown_rows() -> None:
    lines = repr(nine_voters()).splitlines()
    assert len(lines) == 10
    assert [line.endswith("?") for line in lines[1:]] == [u in (4, 6, 8) for u in range(9)]


def test_the_level_of_a_vote_is_exact_at_the_edges_of_its_tolerance() -> None:
    assert check("07-O", (VOTE, LN3 * 1.005, 8 * LN3))
    assert not check("07-O", (VOTE, LN3 * 1.007, 8 * LN3))
    assert not check("07-O", (VOTE, LN3 * 0.993, 8 * LN3))
    lopsided = (Fraction(1, 2), Fraction(1, 2), Fraction(3, 4), Fraction(15, 16))
    assert check("07-O", (lopsided, math.log(4), 8 * math.log(4)))  # the zeros decide, not the ones
