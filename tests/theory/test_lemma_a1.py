"""Lemma A.1 in fractions: printed, needed, repaired."""

from fractions import Fraction

import pytest

from pplab.papers.smooth.jaccard_bound import lemma_a1, lemma_a1_cases, lemma_a1_counterexample


def test_as_printed_it_is_true_and_empty():
    for case in lemma_a1_cases(14, wording="printed"):
        assert case.holds
        assert case.left <= case.a / case.b


def test_as_needed_it_is_false():
    found = lemma_a1_counterexample(wording="needed", largest_denominator=6)
    assert (found.a, found.b, found.x) == (Fraction(1, 2), 1, Fraction(1, 2))
    within = lemma_a1_counterexample(wording="needed", largest_denominator=6, on_condition=True)
    assert 2 * within.x <= within.b - within.a
    assert within.left > within.right
    for case in lemma_a1_cases(12, wording="needed"):
        assert case.holds == (case.a + case.b <= 2 * case.b * (case.b - case.x))
        assert not (case.b <= Fraction(1, 2) and case.holds)


def test_repaired_it_holds_exactly_on_its_condition():
    cases = list(lemma_a1_cases(14, wording="repaired"))
    assert all(case.holds == case.covered for case in cases)
    assert {case.covered for case in cases} == {True, False}
    assert lemma_a1_counterexample(wording="repaired", largest_denominator=14) is None


@pytest.mark.parametrize(
    "point", [(1, 0.5, 0.1), (0, 0.5, 0), (0, 0.5, 0.5), (-1, 1, 0.1), (0, 2, 1)]
)
def test_points_outside_are_refused(point):
    with pytest.raises(ValueError, match="the lemma needs"):
        lemma_a1(*point, wording="needed")
    with pytest.raises(ValueError, match="wording must be one of"):
        lemma_a1(0, 1, 0.5, wording="true")
