"""The door of the instant checks: kind sentences, hints in turn, nonsense refused."""

import math
import re
import sys
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import product, repeat

import numpy as np
import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from scipy import sparse
from traitlets.config import Config

from pplab_course.answers import as_labels, numbers, truth
from pplab_course.exercises import (
    UNREADABLE,
    Refusal,
    _register,
    _wrong_tries,
    check,
    exactly,
    exercises,
    judges_of,
    notebook_of,
    right,
)
from tests.helpers import ended

REGISTER = exercises()

GUESS = 0.123456  # wrong everywhere, recognised nowhere
NONSENSE = ["??", object(), [], [[1, 2, 3]], {}, float("nan"), True, b"bytes", print, {"a"}]


class Raises:
    """Nothing can be done with it: showing, comparing, reading or calling it fails."""

    def fail(self, *_, **__):
        raise RuntimeError("x" * 10**6)

    __repr__ = __eq__ = __call__ = __array__ = __getattr__ = fail
    __hash__ = object.__hash__


class RaisingList(list):
    __len__ = __iter__ = __repr__ = Raises.fail


class RaisingText(str):
    __repr__ = lower = strip = Raises.fail


class Agrees(float):
    """Equal to everything."""

    __hash__ = float.__hash__

    def __eq__(self, _):
        return True


def gives(value):
    return lambda *_: value


def recurses(*_):
    return recurses()


def leaves(*_):
    raise SystemExit


BIG = 10**5000  # cannot be written down
INSIDE = []
INSIDE.append(INSIDE)
DEEP = []
for _ in range(10_000):
    DEEP = [DEEP]
SPARSE = sparse.csr_array((10**5, 10**5))  # cannot be filled
HOSTILE = [
    *([0] * 10**5, INSIDE, DEEP, [([1], {2: 3}), ({4}, [5])], BIG, -BIG, Fraction(BIG, 7)),
    *([BIG] * 3, {BIG: -BIG}, [math.nan] * 2, (math.inf, -math.inf, 1e308), [Agrees(7)] * 3),
    *(Raises(), [Raises()] * 3, RaisingList([1, 2]), RaisingText("user"), math, int),
    *((number for number in (1, 2)), repeat((0, 0)), SPARSE, (SPARSE, BIG, {1: (1, 2)})),
    *(pd.DataFrame({"a": [1, 2]}), pd.Series(range(10)), np.array([None, [1]], dtype=object)),
    *(np.ma.masked_array([1, 2], mask=[0, 1]), ([[BIG]], [[0]], 9), "x" * 10**6, bytes(10**6)),
    *({"EarlyExit": (INSIDE, BIG, DEEP), "x" * 10**6: 1}, {"gd": [(9, BIG)], "katz": BIG}),
    *("\x1b[2J\0\ud800", recurses, leaves, dict.fromkeys, gives(BIG), gives([0] * 10**5)),
    *(gives("x" * 10**6), gives((Raises(),) * 3), gives(repeat((0, 0))), gives((SPARSE, SPARSE))),
    *(gives(Agrees(1)), lambda *given: given[0], lambda *given: given[-1], lambda *given: given),
    *(gives(given) for given in (True, math.nan, 0, "", [], {}, np.zeros(0))),
]
FUNCTIONS = {exercise for exercise in REGISTER if exercise.endswith("-P")}
FUNCTIONS |= {"03-D", "06-B", "06-D", "12-D", "13-D", "13-O", "15-D", "15-O", "08-D"}


def test_every_object_gets_a_short_sentence():
    """Nonsense can be read, too, and is told what it is not."""
    complaints = []
    for exercise, (number, answer) in product(sorted(REGISTER), enumerate(NONSENSE + HOSTILE)):
        _wrong_tries.clear()
        feedback = check(exercise, answer)
        text = feedback.message.removesuffix(REGISTER[exercise].rubric)
        readable = number >= len(NONSENSE) or UNREADABLE not in text
        sentence = text.startswith(f"{exercise}: ") and len(text) <= 400 and "\n" not in text
        if feedback or not (sentence and readable):
            complaints.append(f"{exercise}, object {number}: {text[:400]}")
    assert complaints == []


def test_what_cannot_be_read_is_told_with_what_was_got():
    big = "list [an integer of 16,610 bits] (ValueError"
    for answer, got in ((Raises(), "Raises <"), ([BIG], big)):
        assert f"{UNREADABLE}, got {got}" in check("01-R", answer).message
    assert "stopped with SystemExit" in check("00-P", leaves).message


def test_the_unfilled_stub_is_met_kindly():
    def unfilled(*arguments): ...

    assert [x for x in REGISTER if "no answer yet" not in check(x, ...).message] == []
    asked = {x: check(x, unfilled).message for x in FUNCTIONS}
    assert [text for text in asked.values() if "gave nothing back" not in text] == []


def test_hints_come_one_after_the_other_and_start_again_after_success():
    first, second = REGISTER["02-C"].hints
    assert first in check("02-C", GUESS).message
    later = check("02-C", GUESS).message
    assert second in later
    assert first not in later
    assert check("02-C", 8)
    assert first in check("02-C", GUESS).message


def test_a_third_miss_gets_a_worked_first_step_and_so_do_later_ones(monkeypatch):
    hints = ("Look.", "Think.", "Begin with 3 · 4.")
    monkeypatch.setitem(_register, "02-C", replace(REGISTER["02-C"], hints=hints))
    texts = [check("02-C", guess).message.removeprefix("02-C: not yet. ") for guess in [GUESS] * 4]
    assert texts == [*hints, hints[2]]
    named = "You added all the noise, but a flip on an edge removes the edge."
    assert check("02-C", 11).message.endswith(f"{named} {hints[2]}")


def test_every_notebook_has_its_exercises_with_two_hints_each():
    """Six at least; 00 has neither a design nor an open one, 10 and 11 ask nothing open.

    19 has two, 20 four, one of which was in 16.
    """
    least = {f"{number}-{letter}" for number in map(notebook_of, REGISTER) for letter in "RCPBDO"}
    few = {"00-D", "00-O", "14-O", "11-O"} | {f"19-{letter}" for letter in "RBDO"}
    few |= {"16-R", "20-P", "20-O"}
    assert set(REGISTER) >= least - few
    hints = {name: each.hints for name, each in REGISTER.items()}
    assert [name for name, each in hints.items() if not 2 <= len(set(each)) == len(each) <= 3] == []
    assert [name for name, each in hints.items() if max(map(len, each)) > 300] == []


def test_the_judges_of_one_notebook_are_those_of_its_number():
    assert [file.name for file in judges_of("02")] == ["nb02_noise_graphs.py"]
    names = ("02_noise", "02-C", "x02-C", "02.C", "2-C")
    assert [notebook_of(name) for name in names] == ["02", "02", *[""] * 3]


@pytest.mark.parametrize("wrong_id", ["2C", [], None, 2])
def test_an_unknown_id_is_told_what_an_id_is(wrong_id):
    with pytest.raises(ValueError, match=r"exercise_id must be the number .* such as 02-C, got "):
        check(wrong_id, 8)
    with pytest.raises(ValueError, match=r"must be 02-B, 02-C, 02-D, 02-O, 02-P, 02-R, got '02-X'"):
        check("02-X", 8)


def test_numbers_come_in_many_forms():
    numbers = (8, 8.0, Fraction(8), Decimal(8), np.int64(8), np.float64(8), np.array(8))
    assert [number for number in numbers if not check("02-C", number)] == []
    pairs = ((1, 2), [1, 2], np.array([[1, 2]]), pd.Series([1, 2]), (Decimal(1), np.array(2)))
    assert [pair for pair in pairs if not check("02-B", pair)] == []
    assert all(truth(value) for value in (True, np.True_, np.array(True)))
    assert "got str '8'; give without quotes, an int" in check("02-C", "8").message
    assert "a float can hold" in check("02-C", 10**400).message


def test_groups_come_by_row_or_as_lists_of_their_rows():
    by_row, by_group = ([0, 1, 0, 2], np.array([5, 7, 5, 9])), ([[0, 2], [1], (3,)],)
    by_group += ([{0, 2}, np.array([1]), [3]],)
    assert [as_labels(each, 4).tolist() for each in by_row + by_group] == [[0, 1, 0, 2]] * 4
    assert as_labels([True, False, True], 3).tolist() == [1, 0, 1]
    for each in ([[0, 2], [1]], [[0, 2], [1, 2, 3]], [[0, 1], [2, 3.5]]):
        with pytest.raises(Refusal, match="the group of each of the 4 rows"):
            as_labels(each, 4)


@pytest.mark.parametrize("count", [2, 3, 4])
def test_so_many_numbers_are_asked_for_by_so_many(count):
    such = re.escape(f"takes {count} numbers, such as {(1, 2, 3, 4)[:count]}, got str")
    with pytest.raises(Refusal, match=such):
        numbers("1", count)


@pytest.fixture
def shell():
    """IPython in this process, which `check` takes for the notebook it runs in."""
    config = Config({"HistoryManager": {"enabled": False}})
    yield InteractiveShell.instance(config=config)
    InteractiveShell.clear_instance()
    for prompt in ("ps1", "ps2", "ps3"):  # IPython sets them; other tests are no Python's prompt
        vars(sys).pop(prompt, None)


def test_the_feedback_shows_wherever_check_stands_and_only_once(shell):
    cells = {
        "from pplab_course import check; said = check('02-C', 11)": 1,
        "for _ in range(2): check('02-C', 11)": 2,
        "check('02-C', 11); 1": 1,
        "check('02-C', 11)": 1,
        "said": 1,
    }
    for cell, times in cells.items():
        with capture_output() as seen:
            assert shell.run_cell(cell, store_history=True).success
        assert seen.stdout.count("02-C: not yet. You added") == times, cell


PLAIN = """
import code, sys
from pplab_course import check
check("02-C", 11)
if "prompt" in sys.argv:
    sys.ps1 = ">>> "
    code.InteractiveInterpreter({"check": check}).runsource("check('02-C', 11)")
"""


@pytest.mark.parametrize(("way", "times"), [("script", 1), ("prompt", 2)])
def test_a_script_and_pythons_own_prompt_show_each_feedback_once(way, times):
    ran = ended(sys.executable, "-c", PLAIN, way)
    assert ran.stdout.count("02-C: not yet. You added") == times


def test_three_significant_digits_are_enough_and_one_is_no_rounding():
    assert [right(value, 0.09024) for value in (0.0902, 0.09024, 0.08)] == ["", "", None]
    assert {right(*pair) for pair in [(0.5, 0.6), (0.59, 0.6), (0.3, 0.2803), (10, 11.7)]} == {None}


@pytest.mark.parametrize("value", [8.01, 7.99, 8.04])
def test_a_whole_number_is_right_when_it_is_equal(value):
    assert right(8, 8) == right(8.0, Fraction(8)) == right(7.99, 7.9936) == ""
    with pytest.raises(Refusal, match="whole number"):
        right(value, 8)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.09, 0.09024), (0.66, 2 / 3), (36, 35.675), (35, 35.675), (-2, -1.98), (0.28, 0.2853)],
)
def test_fewer_digits_are_told_as_rounding(value, expected):
    with pytest.raises(Refusal, match="right but for rounding: give at least 3 significant"):
        right(value, expected)


def test_what_a_function_gives_back_is_told_as_rounded_too():
    expected = [1 / 3, 200 / 3]
    assert exactly(expected, expected) == ""
    assert exactly([0.3, 60], expected) is exactly([0.333], expected) is None
    for digits in (2, 3, 5):
        with pytest.raises(Refusal, match=r"right but for rounding.*give back"):
            exactly(np.round(expected, digits), expected)
