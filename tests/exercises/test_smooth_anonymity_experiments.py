"""Notebook 08: mutated copies, orders and hidden chunks that tell mistakes apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pplab.anonymity.smooth import smooth_k_anonymize
from pplab.exercises import check
from pplab.exercises.hidden_chunks import LOSS, SIZE, K, families, jaccard_in_chunks
from pplab.exercises.losing_table import AHEAD, GAP
from pplab.exercises.mutated_copies import COPIES
from pplab.exercises.smooth_anonymity_experiments import CREATED, JACCARD, LOST
from pplab.experiments.smooth import paper
from pplab.metrics.anonymity import is_smooth_k_anonymous

from .examples_smooth_anonymity_experiments import (
    LOST as LOSING,
)
from .examples_smooth_anonymity_experiments import (
    TEN,
    at_random,
    by_hashes,
)


def test_the_row_of_the_identity_is_the_printed_one() -> None:
    printed = paper.TABLE_3["stochastic", "smooth"]
    assert printed[:2] == pytest.approx((100 * JACCARD, 100 * LOST))
    assert pytest.approx(printed[2], abs=0.2) == 100 * CREATED


def test_the_copies_are_of_both_kinds_and_each_has_its_own_hint() -> None:
    verdicts = [is_smooth_k_anonymous(copy.original, copy.published, copy.k) for copy in COPIES]
    assert 3 <= sum(verdicts) <= len(verdicts) - 3
    assert len({copy.hint for copy in COPIES}) == len(COPIES)


def test_the_default_loses_on_the_example_and_not_by_a_bad_draw() -> None:
    ours, recipe = np.array(list(TEN.values())).T
    assert recipe.mean() - ours.mean() > 2 * GAP
    assert (recipe > ours).sum() > AHEAD


@pytest.mark.parametrize("seed", range(4))
def test_hashes_keep_families_together_whatever_the_seed(seed: int) -> None:
    table = families()
    assert table.any(axis=1).all()
    whole = smooth_k_anonymize(table, K, method="paper", rng=1).jaccard
    assert jaccard_in_chunks(table, by_hashes(table, SIZE, seed=seed)) > (1 - LOSS) * whole
    assert jaccard_in_chunks(table, at_random(table, SIZE)) < 0.5 * whole


@pytest.mark.parametrize(
    ("exercise", "answer", "words"),
    [
        ("08-R", 1, "wants a text"),
        ("08-C", "1/5", "wants a number"),
        ("08-P", True, "wants a function"),
        ("08-P", lambda *_: 1, "True or False"),
        ("08-B", TEN, "with ten seeds"),
        ("08-B", (LOSING, 4), "with ten seeds"),
        ("08-B", (LOSING, 188, TEN), "between 2 and the 187 rows"),
        ("08-B", (2 * LOSING, 4, TEN), "zeros and ones"),
        ("08-B", (np.zeros((4, 3)), 2, TEN), "at least one entry"),
        ("08-B", (np.ones((201, 3)), 2, TEN), "2 to 200 rows"),
        ("08-B", ("table", 2, TEN), "zeros and ones"),
        ("08-B", (LOSING, 4, {0.5: (0.1, 0.2)}), "whole numbers"),
        ("08-B", (LOSING, 4, {-1: (0.1, 0.2)}), "whole numbers"),
        ("08-B", (LOSING, 4, [1, 2]), "wants pairs"),
        ("08-D", lambda *_: [0, 1], "rows"),
        ("08-D", np.zeros(3), "wants a function"),
        ("08-O", 7, "wants a text"),
    ],
)
def test_the_form_of_an_answer_is_asked_for(exercise: str, answer: Any, words: str) -> None:
    feedback = check(exercise, answer)
    assert not feedback
    assert words in feedback.message


@pytest.mark.parametrize("exercise", ["08-P", "08-D"])
def test_an_unfilled_function_is_met_kindly(exercise: str) -> None:
    def unfilled(*arguments: Any) -> Any: ...

    assert "gave nothing back" in check(exercise, unfilled).message


def test_a_student_may_change_what_it_is_given() -> None:
    def careless(table: np.ndarray, size: int) -> np.ndarray:
        number = by_hashes(table, size)
        table[:] = 0
        return number

    assert check("08-D", careless)
    assert check("08-D", careless)
