"""Notebook 10: what insiders read is compared with the library, and one group is the least."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from pplab.attacks.votes import pivotal_cells
from pplab_course.exercises import check
from pplab_course.nb10_a_vote_that_decides import nine_voters

LN3 = math.log(3)
VOTE = [Fraction(1, 10), Fraction(3, 10), Fraction(7, 10), Fraction(9, 10)]


def read(published, known, size, *, half=None):
    """By trying all votes of the others; `half` says when so many votes are enough."""
    half = half or (lambda votes: 2 * votes >= size)
    others, cells = size - len(known), []
    for item, bit in enumerate(published):
        own = sum(int(row[item]) for row in known)
        counts = {votes for votes in range(others + 1) if half(own + votes) == bit}
        cells.append({frozenset({others}): 1, frozenset({0}): 0}.get(frozenset(counts), -1))
    return cells


def as_array(published, known, size):
    return np.array(read(published, known, size))


def of_two(published, known, _):
    """Reads where insiders disagree, as in a group of three."""
    known = np.reshape(known, (-1, len(published)))
    split = known.any(axis=0) & ~known.all(axis=0)
    return np.where(split, published, -1)


RIGHT = {
    "10-R": ["union", "the union, not the intersection", "Union"],
    "10-C": [Fraction(3, 5), 0.6, np.float64(0.6)],
    "10-P": [read, as_array, lambda *given: [float(cell) for cell in read(*given)]],
    "10-B": [(8, 3, 0), np.array([8, 3, 0]), [8, 3.0, 0]],
    "10-D": [(9, 5), [9.0, 5], np.array([9, 5])],
    "10-O": [
        (VOTE, LN3, 8 * LN3),
        [[0.25, 0.25, 0.75, 0.75], 1.0986, 8.79],
        ([Fraction(1, 9), Fraction(1, 3), Fraction(2, 3), Fraction(8, 9)], LN3, 8.789),
    ],
}

WRONG = {
    "10-R": ["intersection", "neither", ("the intersection", "One of two is half")],
    "10-C": [1, Fraction(5, 9), 0.4, 1 / 3],
    "10-P": [
        (of_two, "two insiders of three"),
        (lambda *given: np.where(as_array(*given) == 1, 1, -1), "none of them has it"),
        (lambda *given: np.where(as_array(*given) == 0, 0, -1), "all others have it"),
        (lambda p, known, size: pivotal_cells(p, known=known, size=size), "write your own"),
        (lambda published, *_: published, "You returned the published row"),
        (lambda p, known, size: read(p, known, size, half=lambda v: 2 * v > size), "ties count"),
        (lambda *given: read(*given)[:-1], "got shape (11,)"),
        (lambda *_: "many", "for each of the 12 items"),
    ],
    "10-B": [
        ((8, 0, 1), "Both insiders agree"),
        ((2, 3, 0), "That row is known"),
        ((8, 3, 1), "what does the published bit say"),
        ((9, 3, 0), "Persons are"),
        ((8, 3), "takes 3 numbers, such as (1, 2, 3),"),
    ],
    "10-D": [
        ((8, 4), "3 of the 3 insiders have an item and that it is not published"),
        ((8, 5), "0 of the 3 insiders have an item and that it is published"),
        ((7, 3), "2 of the 3 insiders have an item and that it is not published"),
        ((10, 5), "a smaller group does it"),
        ((3, 2), "a fourth member"),
        ((9, 10), "at most as many as people"),
        ((9, 4.5), "Whole numbers"),
        (9, "takes 2 numbers, such as (1, 2),"),
    ],
    "10-O": [
        ((VOTE, 3, 24), "Those are the odds"),
        ((VOTE, 0.85, 6.8), "Not that private"),
        ((VOTE, 2, 16), "not exact"),
        ((VOTE, 1.1, 8.8), "right but for rounding"),
        ((VOTE, LN3, 8.82), "right but for rounding"),
        ((VOTE, LN3, LN3), "odds multiply"),
        ((VOTE, LN3, LN3**8), "Odds of eight"),
        (((0, 0, 1, 1), 5, 40), "no finite"),
        (((0.5, 0.5, 0.5, 0.5), 0, 0), "useless"),
        ((VOTE[::-1], LN3, 8 * LN3), "less likely"),
        (((0, 0.5, 1.5, 2), 1, 8), "between 0 and 1"),
        ((VOTE, LN3), "three things"),
        ((VOTE[:3], LN3, 8 * LN3), "takes 4 numbers, such as (1, 2, 3, 4),"),
        ((VOTE, LN3, "8 ln 3"), "takes a number"),
    ],
}

# A hint must not hold the answer: the exercise and the answer in words.
SECRETS = {"10-C": "3/5", "10-B": "8, 3", "10-D": "9"}


def test_the_printed_release_does_not_show_the_unknown_rows():
    lines = repr(nine_voters()).splitlines()
    assert len(lines) == 10
    assert [line.endswith("?") for line in lines[1:]] == [u in (4, 6, 8) for u in range(9)]


def read_for_certain(size, needed):
    """True if three insiders may be certain, from all votes of a group."""
    arguments = {}
    for own, others in product(range(4), range(size - 2)):
        arguments.setdefault((own, own + others >= needed), set()).add(others)
    return any(left in ({0}, {size - 3}) for left in arguments.values())


@pytest.mark.parametrize("size", range(4, 13))
def test_a_group_withstands_three_insiders_where_no_votes_leave_one_answer(size):
    for needed in range(1, size + 1):
        text = check("10-D", (size, needed)).message
        assert (": certain." in text) == read_for_certain(size, needed), (size, needed)
    assert any(check("10-D", (size, votes)) for votes in range(1, size + 1)) == (size == 9)


def test_the_level_of_a_vote_is_exact_at_the_edges_of_its_tolerance():
    assert check("10-O", (VOTE, LN3 + 0.0049, 8 * LN3))
    assert not check("10-O", (VOTE, LN3 + 0.0051, 8 * LN3))
    assert not check("10-O", (VOTE, LN3 - 0.0051, 8 * LN3))
    lopsided = (Fraction(1, 2), Fraction(1, 2), Fraction(3, 4), Fraction(15, 16))
    assert check("10-O", (lopsided, math.log(4), 8 * math.log(4)))  # the zeros decide
