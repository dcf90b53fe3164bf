"""Notebook 10: what insiders read is compared with the library, and one group is the least."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

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
        assert ("They then know" in text) == read_for_certain(size, needed), (size, needed)
    assert any(check("10-D", (size, votes)) for votes in range(1, size + 1)) == (size == 9)


def test_the_level_of_a_vote_is_exact_at_the_edges_of_its_tolerance():
    assert check("10-O", (VOTE, LN3 + 0.0049, 8 * LN3))
    assert not check("10-O", (VOTE, LN3 + 0.0051, 8 * LN3))
    assert not check("10-O", (VOTE, LN3 - 0.0051, 8 * LN3))
    lopsided = (Fraction(1, 2), Fraction(1, 2), Fraction(3, 4), Fraction(15, 16))
    assert check("10-O", (lopsided, math.log(4), 8 * math.log(4)))  # the zeros decide
