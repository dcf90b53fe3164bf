"""Right answers and named mistakes of notebook 07's exercises, for the tests of all exercises."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

LN3 = math.log(3)
BEST = [0, 1, 0, 2, 2, 1]
VOTE = [Fraction(1, 10), Fraction(3, 10), Fraction(7, 10), Fraction(9, 10)]
FIXED = "true where the groups are fixed without looking at the data"


def counted(olds: range, news: range, factor: int = 1) -> Callable[[Any], int]:
    def failures(promise: Any) -> int:
        count = 0
        for old in olds:
            for new in news:
                similar = Fraction((old & new).bit_count(), (old | new).bit_count())
                count += similar < promise(
                    Fraction(factor * (old ^ new).bit_count(), old.bit_count())
                )
        return count

    return failures


failures = counted(range(1, 64), range(64))


def with_floats(promise: Any) -> float:
    return float(failures(promise))


def random_pairs(promise: Any) -> int:
    rng, count = np.random.default_rng(1), 0
    for old, new in rng.integers(1, 64, size=(300, 2)).tolist():
        similar = Fraction((old & new).bit_count(), (old | new).bit_count())
        count += similar < promise(Fraction((old ^ new).bit_count(), old.bit_count()))
    return count


def whether(promise: Any) -> int:
    return int(failures(promise) > 0)


def also_equal(promise: Any) -> int:
    return failures(lambda phi: promise(phi) + Fraction(1, 10**9))


RIGHT: list[tuple[str, Any]] = [
    ("07-R", "union"),
    ("07-R", " The union of the two "),
    ("07-C", Fraction(3, 5)),
    ("07-C", 0.6),
    ("07-P", failures),
    ("07-P", with_floats),
    ("07-B", (8, 3, 0)),
    ("07-B", np.array([8, 3, 0])),
    ("07-N", (Fraction(7, 2), Fraction(7, 10))),
    ("07-N", [3.5, 0.7]),
    ("07-D", (BEST, 0.8)),
    ("07-D", [np.array([5, 2, 5, 7, 7, 2]), Fraction(4, 5)]),
    ("07-O", (VOTE, LN3, FIXED)),
    ("07-O", [[0.25, 0.25, 0.75, 0.75], 1.0986, "the clusters do not depend on the data"]),
]

NAMED: list[tuple[str, Any, str]] = [
    ("07-R", "intersection", "One of two is half"),
    ("07-R", "the intersection", "One of two is half"),
    ("07-C", 1, "count what is suppressed"),
    ("07-C", Fraction(5, 9), "anybody has"),
    ("07-C", 0.4, "share that was suppressed"),
    ("07-C", 1 / 3, "not cells or items"),
    ("07-P", counted(range(1, 64), range(1, 64)), "include the empty copy"),
    ("07-P", random_pairs, "Take all"),
    ("07-P", whether, "not whether one does"),
    ("07-P", counted(range(1, 64), range(64), 2), "counts once"),
    ("07-P", also_equal, "Take all"),
    ("07-P", lambda _: 10**6, "63 · 64"),
    ("07-P", lambda promise: failures(promise) or 1, "Nothing breaks"),
    ("07-B", (8, 0, 1), "Both insiders agree"),
    ("07-B", (4, 3, 1), "Both insiders agree"),
    ("07-B", (2, 3, 0), "That row is known"),
    ("07-B", (8, 3, 1), "what does the published bit say"),
    ("07-B", (9, 3, 0), "Persons are"),
    ("07-N", (7, 0.7), "from both sides"),
    ("07-N", (14 / 3, 0.7), "not k"),
    ("07-N", (1.5, 0.7), "its own companion"),
    ("07-N", (7 / 3, 0.7), "its own companion"),
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
]

# A hint must not hold the answer: the exercise and the answer in words.
SECRETS = [("07-R", "union"), ("07-C", "3/5"), ("07-P", "2777"), ("07-B", "8, 3"), ("07-D", "0.8")]
SECRETS += [("07-N", "3.5"), ("07-N", "7/2"), ("07-N", "0.7"), ("07-N", "7/10")]

FORMS: list[tuple[str, Any, str]] = [
    ("07-R", 2, "wants a text"),
    ("07-C", "3/5", "wants a number"),
    ("07-P", 3, "wants a function"),
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
