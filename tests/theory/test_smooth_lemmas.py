"""Lemmas 5.2 and 5.3, the majority rule and votes, on every small case."""

from fractions import Fraction

import numpy as np
import pytest

from pplab.papers.smooth.lemmas import (
    checked,
    compare_ties,
    definition_3_5,
    distances_add_up,
    graph_rows,
    lemma_5_2,
    lemma_5_3,
    majority_row_hamming,
    majority_row_jaccard,
    meets_majority_rule,
    suppression_is_smooth,
)

PAIRS = 64 * 64


def test_lemma_5_2_holds_twice_over():
    printed, tight = lemma_5_2(form="printed"), lemma_5_2(form="tight")
    for found in (printed, tight):
        assert found.holds
        assert found.cases + found.left_out == PAIRS
        assert found.left_out == 63  # an empty original with a copy that is not
    # equality: the copy holds all of E (3^6 nested pairs), less the 63 that were left out
    assert tight.tight == 3**6 - 63
    assert printed.tight == 64  # only where nothing changes


def test_lemma_5_3_is_false_as_printed_and_true_repaired():
    printed, repaired = lemma_5_3(form="printed"), lemma_5_3(form="repaired")
    assert not printed.holds
    original, copy = np.array(printed.counterexample)
    assert original.sum() > 0 == copy.sum()  # distance |E|, promise 1/2, similarity 0
    assert repaired.holds
    assert repaired.tight == 3**6  # the copy is a part of E
    assert repaired.failures == 0 < printed.failures < printed.cases


def test_distances_add_up_to_the_symmetric_difference_once():
    assert distances_add_up(times=1).holds
    twice = distances_add_up(times=2)
    assert twice.failures == PAIRS - 64  # true only where nothing changes


def test_checked_counts():
    found = checked(iter([("a", 1, 1), None, ("b", 2, 1), ("c", 3, 1)]))
    assert (found.cases, found.failures, found.tight, found.left_out) == (3, 2, 1, 1)
    assert found.counterexample == "b"
    assert not checked([]).holds  # nothing looked at


def test_rows_of_bits_are_all_graphs_once():
    assert len({graph_rows(bits, 2, 3) for bits in range(64)}) == 64
    assert graph_rows(0b100000, 2, 3) == ((0, 0, 0), (0, 0, 1))


@pytest.mark.parametrize(("users", "items", "k"), [(3, 2, 2), (3, 2, 3), (4, 2, 2)])
def test_the_rule_is_vacuous_on_the_published_graph_and_not_on_the_original(users, items, k):
    assert definition_3_5(users=users, items=items, k=k, read_on="published").holds
    original = definition_3_5(users=users, items=items, k=k, read_on="original")
    assert 0 < original.failures < original.cases
    graph, copy = original.counterexample
    assert not meets_majority_rule(graph, copy, read_on="original")


def test_the_rule_excludes_as_many_copies_as_can_be_counted_by_hand():
    """3 users, one class: a published item needs two of three; half of the 8 columns have that."""
    found = definition_3_5(users=3, items=2, k=2, read_on="original")
    assert found.cases == 64 * 4
    allowed_per_item = 8 + 4  # unpublished: any column; published: one with two or three ones
    assert found.cases - found.failures == allowed_per_item**2


@pytest.mark.parametrize(("users", "k"), [(3, 2), (3, 3), (4, 2)])
def test_every_suppression_is_smooth(users, k):
    found = suppression_is_smooth(users=users, items=2, k=k)
    assert found.holds
    assert found.left_out > 0


@pytest.mark.parametrize(("users", "items", "k"), [(2, 3, 2), (4, 2, 2), (4, 2, 4)])
def test_keeping_ties_is_never_worse_and_sometimes_better(users, items, k):
    found = compare_ties(users=users, items=items, k=k)
    assert found.dropped_better == 0 < found.kept_better
    assert found.kept_better + found.equal == 2 ** (users * items)
    _, kept, dropped = found.example
    assert kept > dropped
    assert compare_ties(users=3, items=2, k=2).kept_better == 0  # odd groups have no ties


def test_the_majority_row_is_nearest_but_not_most_similar():
    assert majority_row_hamming().holds
    everything = majority_row_jaccard(rows="all")
    assert not everything.holds
    group, row = everything.counterexample
    cells = [(a, b) for own in group for a, b in zip(own, row, strict=True)]
    better = Fraction(sum(a & b for a, b in cells), sum(a | b for a, b in cells))
    votes = tuple(int(2 * sum(column) >= 3) for column in zip(*group, strict=True))
    pairs = [(a, b) for own in group for a, b in zip(own, votes, strict=True)]
    assert better > Fraction(sum(a & b for a, b in pairs), sum(a | b for a, b in pairs))
    assert majority_row_jaccard(rows="allowed").holds


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: lemma_5_2(form="loose"), "form must be one of"),
        (lambda: lemma_5_3(form="loose"), "form must be one of"),
        (lambda: compare_ties(users=0, items=4, k=2), "rows must be"),
        (lambda: definition_3_5(users=3, items=3, k=2, read_on="original"), r"at most 2\^16"),
        (lambda: definition_3_5(users=3, items=2, k=4, read_on="original"), "k must be"),
        (lambda: definition_3_5(users=3, items=2, k=2, read_on="both"), "read_on must be"),
        (lambda: majority_row_jaccard(rows="some"), "rows must be one of"),
        (lambda: compare_ties(users=4, items=4, k=2), r"at most 2\^10"),
        (lambda: distances_add_up(times=0), "times must be"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
