"""Notebook 11: hidden promises tell mistakes apart, groups and ceilings meet, or do not."""

from fractions import Fraction
from itertools import product

import numpy as np

from pplab_course.nb11_how_good_can_anybody_be import PROMISES, broken
from pplab_papers.smooth.lemma_5_3 import lemma_5_3

BEST = [0, 0, 1, 2, 1, 2]  # to be searched
LONE = [[1], [0], [0], [0]]
GIVEN = [[1], [1], [1], [1]]


def counted(olds, news, factor=1):
    def failures(promise):
        count = 0
        for old, new in product(olds, news):
            similar = Fraction((old & new).bit_count(), (old | new).bit_count())
            changed = Fraction(factor * (old ^ new).bit_count(), old.bit_count())
            count += similar < promise(changed)
        return count

    return failures


failures = counted(range(1, 64), range(64))


def by_sets(promise):
    """With sets of cells, J by its complement."""
    graphs = [{cell for cell in range(6) if bits >> cell & 1} for bits in range(64)]
    return sum(
        1 - Fraction(len(old ^ new), len(old | new)) < promise(Fraction(len(old ^ new), len(old)))
        for old, new in product(graphs[1:], graphs)
    )


def in_floats(promise):
    return sum(
        (old & new).bit_count() / (old | new).bit_count()
        < promise((old ^ new).bit_count() / old.bit_count())
        for old, new in product(range(1, 64), range(64))
    )


RIGHT = {
    "11-R": ["score", "the score", "J"],
    "11-C": [Fraction(3, 4), 0.75, np.float64(0.75)],
    "11-P": [failures, by_sets, lambda promise: np.int64(failures(promise))],
    "11-N": [(Fraction(7, 2), Fraction(7, 10)), [3.5, 0.7], np.array([3.5, 0.7])],
    "11-B": [
        (LONE, GIVEN, 4),
        (np.array(LONE), [(1.0,)] * 4, np.int64(4)),
        [np.array([[1], [1], [0], [0], [0]]), [[1]] * 5, 5.0],
    ],
    "11-D": [
        (BEST, 23 / 27),
        [np.array([5, 5, 2, 7, 2, 7]), Fraction(23, 27)],
        (tuple(BEST), 0.852),
        ([[0, 1], [2, 4], [3, 5]], 23 / 27),
        (((4, 2), (1, 0), (3, 5)), 23 / 27),
    ],
}

WRONG = {
    "11-R": ["ceiling", "both", "neither"],
    "11-C": [0.6, 2 / 3, 1 / 3, 1 / 4, 15 / 16, (0.754, "right but for rounding")],
    "11-P": [
        (counted(range(1, 64), range(1, 64)), "include the empty copy"),
        (lambda promise: int(failures(promise) > 0), "not only the first one"),
        (counted(range(1, 64), range(64), 2), "since it lies in one row"),
        (lambda promise: failures(lambda phi: promise(phi) + Fraction(1, 10**9)), "J < promise"),
        (lambda promise: failures(lambda phi: promise(phi / 2)), "divided by |E|"),
        (in_floats, "floats round"),
        (lambda _: 10**6, "63 · 64"),
        (lambda promise: failures(promise) or 1, "No pair breaks"),
        (lambda _: "many", "takes a number"),
    ],
    "11-N": [
        ((7, 0.7), "counted twice"),
        ((14 / 3, 0.7), "not k"),
        ((1.5, 0.7), "its own companion"),
        ((0.696, 0.7), "a J already"),
        ((0.7, 3.5), "swapped"),
        ((3.5, 1), "one of four has"),
        ((3.5, 0.875), "three rows show the item"),
        ((3.5, 2 / 3), "One of these is"),
        ((3.5, 0.8), "not kept"),
        ((3.5, 7 / 9), "the number of all edges"),
        ((3.5, 0.375), "suppression's rule"),
        (3.5, "takes 2 numbers"),
        ((3.5, "most"), "takes a number"),
    ],
    "11-B": [
        ((LONE, LONE, 4), "not 4-anonymous"),
        ((GIVEN, GIVEN, 4), "not above it"),
        ((LONE, [[1, 1]] * 4, 4), "same number of rows"),
        ((LONE, GIVEN, 5), "whole number from 2 to 4"),
        ((LONE, [[2]] * 4, 4), "zeros and ones"),
        ((LONE, [[0]] * 4, 4), "with a 1 in it"),
        ((LONE, GIVEN), "takes three things"),
    ],
    "11-D": [
        (([0, 0, 1, 2, 1, 3], 0.85), "below k"),
        (([0, 0, 0, 1, 1, 1], 0.85), "Other groups keep more"),
        ((BEST, 23 / 28), "that is their J"),
        ((BEST, 23 / 31), "take half"),
        ((BEST, 4 / 23), "That number is h"),
        ((BEST, 0.7), "below their J"),
        ((BEST, 0.87), "Compute the certificate again"),
        ((BEST, 0.85), "right but for rounding"),
        (([[0, 1], [2, 4], [3]], 0.85), "the group of each of the 6 rows"),
        (BEST, "takes a pair"),
        ((23 / 27, BEST), "the groups come first"),
        (([0, 0, 1], 0.8), "each of the 6 rows"),
        ((BEST, "0.8"), "takes a number"),
    ],
}

# A hint must not hold the answer: the exercise and the answer in words.
SECRETS = {"11-C": "3/4", "11-P": "2777", "11-N": "7/10", "11-D": "0.852"}


def test_the_counts_are_those_of_the_lemma_by_enumeration():
    promises = dict(PROMISES)
    assert broken(promises["as printed"]) == lemma_5_3(form="printed").failures
    assert broken(promises["repaired"]) == lemma_5_3(form="repaired").failures == 0
