"""Notebook 14: two releases on hidden tables, a club whose best release is unique."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from pplab.microaggregation.microaggregate import microaggregate
from pplab_course.exercises import check
from pplab_course.nb14_microaggregation_what_means_give_away import (
    LEAST,
    RISK,
    linkage,
    reading_club,
    sse,
)

CLUB = reading_club()


def released(k):
    return microaggregate(CLUB, k, rating_range=(1, 5))


def swapped(labels):
    """Less error than MDAV's: exchange two readers wherever that helps, of the first 60 only."""
    labels = labels.copy()
    for one, other in combinations(range(60), 2):
        trial = labels.copy()
        trial[[one, other]] = labels[[other, one]]
        if sse(CLUB, trial) < sse(CLUB, labels) and linkage(CLUB, trial) <= 0.05:
            labels = trial
    return labels


SWAPPED = swapped(released(16).labels)


def changed(before, after):
    """The mean that is gone, the size of its group, and the mean that is new."""
    old, sizes = np.unique(before, axis=0, return_counts=True)
    (gone,) = [place for place, row in enumerate(old) if row.tolist() not in after.tolist()]
    (new,) = [row for row in np.unique(after, axis=0) if row.tolist() not in before.tolist()]
    return old[gone], int(sizes[gone]), new


def joined(before, after):
    old, size, new = changed(before, after)
    return (size + 1) * new - size * old


def by_sums(before, after):
    """All means of all rows, added up: what is more now is the newcomer's."""
    return [float(x) for x in after.sum(axis=0) - before.sum(axis=0)]


def feedback_on(change):
    return lambda *tables: change(*changed(*tables))


RIGHT = {
    "14-R": ["linkage", " Linkage: naming the right row ", "link"],
    "14-C": [5, 5.0, Fraction(5)],
    "14-B": [(2, 5, 4), [2.0, 5.0, 4.0], np.array([2, 5, 4])],
    "14-P": [joined, by_sums, lambda *tables: np.rint(joined(*tables)).astype(int)],
    "14-D": [released(16), released(16).labels, released(16).labels.astype(float), SWAPPED],
}

WRONG = {
    "14-R": [
        "any inference",
        "insiders",
        ("linkage of an insider", "How sure"),
        (1 / 3, "a text in quotes"),
    ],
    "14-C": [3.5, 2, 8, 14, 4],
    "14-B": [
        ((-1 / 6, 1 / 3, 1 / 4), "weight each mean by its size"),
        ((7 / 3, 13 / 3, 7 / 2), "one member became two"),
        ((13 / 6, 14 / 3, 15 / 4), "sizes two and three"),
        ((2.5, 5, 4), "whole numbers"),
        ((10, 16, 13), "from 1 to 5"),
        (5, "takes 3 numbers"),
    ],
    "14-P": [
        (feedback_on(lambda old, _size, new: new - old), "weight each mean by its size"),
        (feedback_on(lambda _old, _size, new: new), "subtract the other members"),
        (feedback_on(lambda old, _size, _new: old), "what did the newcomer add"),
        (feedback_on(lambda old, _size, new: 4 * new - 3 * old), "count the equal rows"),
        (feedback_on(lambda old, size, new: size * (new - old)), "One size is not enough"),
        (lambda *_: [1, 2], "takes 5 numbers"),
    ],
    "14-D": [
        (released(20), "bounds every rule"),
        (released(14), "another grouping within it"),
        (released(10), "still"),
        (np.arange(120), "are alone"),
        (16, "not k alone"),
        ([0] * 119, "each of the 120 rows"),
        (released(16).protected, "the release, or the group of each"),
    ],
}

SECRETS = {"14-C": "5", "14-B": "(2, 5, 4)", "14-D": "16"}


def test_a_grouping_below_what_mdav_finds_is_not_praised_as_what_mdav_finds():
    club = reading_club()
    assert sse(club, SWAPPED) < LEAST * 0.99
    assert "No k of MDAV has less error" in check("14-D", SWAPPED).message
    assert "no promise" in check("14-D", SWAPPED).message  # an attack that fails proves nothing


def test_the_least_error_is_that_of_all_k():
    settings = product(range(2, 31), ("closest", "group"))
    releases = [microaggregate(CLUB, k, rating_range=(1, 5), leftover=rule) for k, rule in settings]
    errors = [each.sse for each in releases if linkage(CLUB, each.labels) <= RISK]
    assert min(errors) == pytest.approx(LEAST)
