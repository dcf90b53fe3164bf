"""The door of the instant checks: kind sentences, hints in turn, nonsense refused."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from pplab.course.check import REGISTER, _wrong_tries, check

GUESS = 0.123456  # wrong everywhere, recognised nowhere
NONSENSE: list[Any] = [
    *("??", object(), [], [[1, 2, 3]], {}, float("nan"), True, b"bytes", print, {"a"}),
]
FUNCTIONS = {exercise for exercise in REGISTER if exercise.endswith("-P")}
FUNCTIONS |= {"03-D", "05-B", "05-D", "08-D", "09-O", "10-D", "10-O"}


def test_nonsense_is_refused_with_a_sentence() -> None:
    missed = []
    for exercise, answer in product(sorted(REGISTER), NONSENSE):
        _wrong_tries.clear()
        feedback = check(exercise, answer)
        sentence = feedback.message.startswith(f"{exercise}: ")
        if feedback or not sentence or "Traceback" in feedback.message:
            missed.append(f"{exercise}, {answer!r}: {feedback}")
    assert missed == []


def test_the_unfilled_stub_is_met_kindly() -> None:
    def unfilled(*arguments: Any) -> Any: ...

    assert [x for x in REGISTER if "no answer yet" not in check(x, ...).message] == []
    asked = {x: check(x, unfilled).message for x in FUNCTIONS}
    assert [said for said in asked.values() if "gave nothing back" not in said] == []


def test_hints_come_one_after_the_other_and_start_again_after_success() -> None:
    first, second = REGISTER["02-C"].hints
    assert first in check("02-C", GUESS).message
    later = check("02-C", GUESS).message
    assert second in later
    assert first not in later
    assert check("02-C", 8)
    assert first in check("02-C", GUESS).message


def test_every_notebook_has_its_exercises_with_two_hints_each() -> None:
    """Six as a rule; the short 00 designs nothing, 01 hunts as well, 07 has nearest rows."""
    letters: dict[str, str] = dict.fromkeys((f"{number:02}" for number in range(11)), "RCPBDO")
    letters |= {"00": "RCPBO", "01": "RCPBHDO", "07": "RCPBNDO"}
    assert set(REGISTER) == {f"{n}-{letter}" for n in letters for letter in letters[n]}
    assert [name for name, each in REGISTER.items() if len(set(each.hints)) != 2] == []


@pytest.mark.parametrize("wrong_id", ["2C", [], None, 2])
def test_an_unknown_id_lists_the_known_ones(wrong_id: Any) -> None:
    with pytest.raises(ValueError, match=r"exercise_id must be one of 00-B, .*02-R.*, got "):
        check(wrong_id, 8)


def test_numbers_and_words_come_in_many_forms() -> None:
    numbers = (8, 8.0, Fraction(8), np.int64(8), np.float64(8), np.array(8))
    assert [number for number in numbers if not check("02-C", number)] == []
    assert all(check("02-R", word) for word in ("user", " User "))
    assert all(check("08-R", word) for word in ("shape-only", " Shape only. ", "`SHAPE_ONLY`"))
    assert "a float can hold" in check("02-C", 10**400).message


def test_an_error_in_a_students_function_is_told_in_one_sentence() -> None:
    def broken(*_: Any) -> float:
        return 1 / 0

    assert "ZeroDivisionError" in check("00-P", broken).message
