"""Notebook 06: hidden fractions tell mistakes apart, settings are judged by exact probabilities."""

from __future__ import annotations

import math
from fractions import Fraction

from pplab.course.check import check
from pplab.course.nb06_jaccard_bound import HIDDEN
from pplab.papers.smooth.jaccard_bound import lemma_a1
from pplab.theory.jaccard_bound import is_covered, violation_probability
from pplab.theory.optimal_mechanism import edge_level, response_probabilities, worst_case_jaccard
from tests.exercises.examples_jaccard_bound import LN3, gap, mixed


def test_the_hidden_fractions_are_of_every_kind() -> None:
    kinds = set()
    for a, b, x in HIDDEN:
        assert 0 <= a <= b
        assert 0 < x < b
        difference = (a + x) / (b - x) - a / b
        assert gap(a, b, x) == (difference, difference <= 2 * x)
        kinds.add((b < 1, difference <= 2 * x, difference == 2 * x))
        if b <= 1:
            assert gap(a, b, x)[1] == lemma_a1(a, b, x, wording="needed").holds
        if b <= Fraction(1, 2):
            assert difference > 2 * x
    assert {(True, True, False), (True, False, False)} <= kinds
    assert {(False, True, False), (False, True, True)} <= kinds


def test_the_setting_of_the_solution_is_judged_by_its_exact_probability() -> None:
    found = violation_probability(
        density=0.011, cells=10**5, epsilon=4.7, delta=1 / 20, form="printed"
    )
    assert 0.1 < found < 0.2
    assert is_covered(cells=10**5, epsilon=4.7, delta=1 / 20)
    assert not is_covered(cells=10**5, epsilon=4.8, delta=1 / 20)


def test_a_mixture_with_the_empty_graph_is_private_and_better_up_to_a_point() -> None:
    response = worst_case_jaccard(response_probabilities(4, LN3))
    for share, better in ((0.05, True), (0.15, True), (0.3, True), (0.6, False)):
        table = mixed(share)
        assert edge_level(table) <= LN3 + 1e-9
        assert (worst_case_jaccard(table) > response) == better
        assert bool(check("06-O", table)) == better


def test_the_level_of_the_label_is_the_least_one() -> None:
    least = math.log(0.3 / 0.7 / 2.09e-5)
    odds = "one edge, odds {:,.0f} : 1".format
    assert check("06-D", (least, odds(math.exp(least))))
    assert not check("06-D", (least - 0.05, odds(math.exp(least))))
