"""The instant checks: right answers pass, named mistakes get their hint, nonsense a sentence."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from tests.exercises import examples_jaccard_bound as similarity
from tests.exercises import examples_microaggregation as microaggregation
from tests.exercises import examples_microaggregation_experiments as planes
from tests.exercises import examples_noise_graphs_experiments as experiments
from tests.exercises import examples_privacy_by_counting as counting
from tests.exercises import examples_smooth_anonymity as crowds
from tests.exercises import examples_smooth_anonymity_experiments as recipes
from tests.exercises import examples_social_recommendation as social
from tests.exercises import examples_social_recommendation_experiments as curves

from pplab.course.check import check
from pplab.course.check import check as core
from pplab.course.nb00_start_here import LETTERS

GUESS = 0.123456  # wrong everywhere, recognised nowhere


def simulated(density: float, flip: float, size: int, seed: int) -> float:
    rng = np.random.default_rng(seed)
    edges = rng.random(size) < density
    published = edges ^ (rng.random(size) < flip)
    return (edges & published).sum() / published.sum()


def kept(density: float, flip: float, size: int, seed: int) -> float:
    rng = np.random.default_rng(seed)
    edges = rng.random(size) < density
    return (edges & (rng.random(size) >= flip)).sum() / edges.sum()


def one_seed(density: float, flip: float, size: int, _seed: int) -> float:
    return simulated(density, flip, size, 1)


def no_seed(density: float, flip: float, size: int, _seed: int) -> float:
    return simulated(density, flip, size, np.random.default_rng().integers(10**9))


def zeros(norm: str, top: int) -> list[tuple[int, int]]:
    def t(x: Fraction, y: Fraction) -> Fraction:
        bold = max(Fraction(0), x + y - 1)
        return {"min-max": min(x, y), "product": x * y, "lukasiewicz": bold}[norm]

    def xor(x: Fraction, y: Fraction) -> Fraction:
        return t(1 - t(1 - x, 1 - y), 1 - t(x, y))

    grid = product(range(top + 1), repeat=2)
    return [(r, s) for r, s in grid if xor(Fraction(r, top), Fraction(s, top)) == 0]


ESSAY = (
    "Take one cell and one output. By definition its probability with an edge is at most "
    "e^epsilon times its probability without one, so the ratio forces p Q false edges at least."
)

RIGHT: list[tuple[str, Any]] = [
    ("00-R", LETTERS),
    ("00-R", list(LETTERS.items())),
    ("00-C", Fraction(99, 999) / (1 + Fraction(99, 999))),
    ("00-C", 0.0902),
    ("00-C", np.float64(0.0902)),
    ("00-P", simulated),
    ("00-B", 0.1),
    ("00-B", Fraction(1, 10)),
    ("00-O", "noise-graphs, Table 1: with 19,724 users the counts cannot be 67,302,556"),
    ("00-O", {"paper": "noise-graphs", "place": "Table 2", "quote": "41.5 %"}),
    ("02-R", "user"),
    ("02-R", " User "),
    ("02-C", 8),
    ("02-C", Fraction(8)),
    ("02-C", 8.0),
    ("02-P", zeros),
    ("02-B", (1, 2)),
    ("02-B", np.array([1, 2])),
    ("02-D", (0.1163, 4)),
    ("02-D", (Fraction(5, 43), 4)),
    ("02-O", ESSAY),
    *counting.RIGHT,
    *experiments.RIGHT,
    *microaggregation.RIGHT,
    *planes.RIGHT,
    *social.RIGHT,
    *curves.RIGHT,
    *similarity.RIGHT,
    *crowds.RIGHT,
    *recipes.RIGHT,
]

swapped = dict(LETTERS) | {"holds": LETTERS["refuted"], "refuted": LETTERS["holds"]}
NAMED: list[tuple[str, Any, str]] = [
    ("00-R", LETTERS | {"shape-only": LETTERS["reproduced"]}, "stand-in"),
    ("00-R", LETTERS | {"refuted": LETTERS["differs"]}, "case that breaks it"),
    ("00-C", 0.99, "untouched cells"),
    ("00-C", 0.0991, "odds"),
    ("00-C", 9.02, "percent"),
    ("00-P", one_seed, "spread"),
    ("00-P", no_seed, "two numbers"),
    ("00-P", kept, "published edges"),
    ("00-B", 0.15, "Recompute ε"),
    ("00-B", 0.03, "still true"),
    ("00-O", "noise-graphs, Table 1 looks wrong somehow", "feeling"),
    ("00-O", "noise-graphs says 41.5", "place"),
    ("00-O", "Table 3 says 7,728", "paper"),
    ("02-R", "item", "Whose row"),
    ("02-R", "edge", "one cell"),
    ("02-C", 11, "removes it"),
    ("02-C", 9.5, "union"),
    ("02-C", 5, "alone"),
    ("02-P", lambda _, top: [(r, r) for r in range(top + 1)], "diagonal"),
    ("02-P", lambda *_: [(0, 0)], "other end"),
    ("02-P", lambda *_: [(0, 0), (5, 5)], "L = 3"),
    ("02-B", (3, 3), "bound holds"),
    ("02-B", (1, 3), "smaller graph"),
    ("02-D", (Fraction(1, 1 + Fraction(19, 4)), 4), "not tight"),
    ("02-D", (0.05, 4), "Not private enough"),
    ("02-D", (0.3, 4), "nobody asked"),
    ("02-D", (1 / (1 + 19 * 6 / 10), 2), "at least 1/2"),
    ("02-O", "choose p small", "what is ε"),
    ("02-O", "it is not possible because noise is everywhere and the graph is full of it", "ratio"),
    *counting.NAMED,
    *experiments.NAMED,
    *microaggregation.NAMED,
    *planes.NAMED,
    *social.NAMED,
    *curves.NAMED,
    *similarity.NAMED,
    *crowds.NAMED,
    *recipes.NAMED,
]

FORMS = [
    row
    for examples in (counting, experiments, microaggregation, planes, social, curves, similarity)
    for row in examples.FORMS
]
FORMS += [*crowds.FORMS, *recipes.FORMS]

NONSENSE: list[Any] = [
    *("??", object(), [], [[1, 2, 3]], {}, float("nan"), True, b"bytes", print, {"a"}),
]
FUNCTIONS = {exercise for exercise in core.REGISTER if exercise.endswith("-P")}
FUNCTIONS |= {"03-D", "05-B", "05-D", "08-D", "09-O", "10-D", "10-O"}


def test_right_answers_are_accepted() -> None:
    told = [check(exercise, answer) for exercise, answer in RIGHT]
    assert [feedback.message for feedback in told if not feedback] == []


@pytest.mark.parametrize("table", [NAMED, FORMS], ids=["named mistakes", "forms"])
def test_wrong_answers_get_their_sentence(table: list[tuple[str, Any, str]]) -> None:
    missed = []
    for exercise, answer, words in table:
        core._wrong_tries.clear()
        for _ in range(2):  # also when the mistake is made again
            feedback = check(exercise, answer)
            if feedback or words not in feedback.message:
                missed.append(f"{words!r} is not in: {feedback}")
    assert missed == []


def test_nonsense_is_refused_with_a_sentence() -> None:
    missed = []
    for exercise, answer in product(sorted(core.REGISTER), NONSENSE):
        core._wrong_tries.clear()
        feedback = check(exercise, answer)
        sentence = feedback.message.startswith(f"{exercise}: ")
        if feedback or not sentence or "Traceback" in feedback.message:
            missed.append(f"{exercise}, {answer!r}: {feedback}")
    assert missed == []


def test_the_unfilled_stub_is_met_kindly() -> None:
    def unfilled(*arguments: Any) -> Any: ...

    assert [x for x in core.REGISTER if "no answer yet" not in check(x, ...).message] == []
    asked = {x: check(x, unfilled).message for x in FUNCTIONS}
    assert [said for said in asked.values() if "gave nothing back" not in said] == []


def test_hints_come_one_after_the_other_and_start_again_after_success() -> None:
    first, second = core.REGISTER["02-C"].hints
    assert first in check("02-C", GUESS).message
    later = check("02-C", GUESS).message
    assert second in later
    assert first not in later
    assert check("02-C", 8)
    assert first in check("02-C", GUESS).message


def test_every_exercise_has_two_hints_and_an_example_of_both_kinds() -> None:
    assert [name for name, each in core.REGISTER.items() if len(set(each.hints)) != 2] == []
    assert {name for name, _ in RIGHT} == {name for name, _, _ in NAMED} == set(core.REGISTER)


SECRETS = [
    *(("00-C", "0.09"), ("02-R", "user"), ("02-C", "8"), ("02-B", "(1, 2)"), ("02-D", "43")),
    *counting.SECRETS,
    *experiments.SECRETS,
    *microaggregation.SECRETS,
    *planes.SECRETS,
    *social.SECRETS,
    *curves.SECRETS,
    *similarity.SECRETS,
    *crowds.SECRETS,
    *recipes.SECRETS,
]


def test_no_hint_gives_the_answer_away() -> None:
    told = []
    for exercise, answer in SECRETS:
        core._wrong_tries.clear()
        said = list(core.REGISTER[exercise].hints)
        said += [check(name, wrong).message for name, wrong, _ in NAMED if name == exercise]
        whole = re.compile(rf"(?<!\w){re.escape(answer)}(?!\w)")
        told += [(exercise, words) for words in said if whole.search(words)]
    assert told == []


def test_open_exercises_print_their_rubric() -> None:
    first = dict(reversed(RIGHT))
    said = [check(f"{number:02}-O", first[f"{number:02}-O"]).message for number in range(11)]
    assert [message for message in said if message.count("\n") != 3] == []


def test_every_notebook_has_its_exercises() -> None:
    """Six as a rule; the short 00 designs nothing, 01 hunts as well, 07 has nearest rows."""
    letters: dict[str, str] = dict.fromkeys((f"{number:02}" for number in range(11)), "RCPBDO")
    letters |= {"00": "RCPBO", "01": "RCPBHDO", "07": "RCPBNDO"}
    assert set(core.REGISTER) == {f"{n}-{letter}" for n in letters for letter in letters[n]}


@pytest.mark.parametrize("wrong_id", ["2C", [], None, 2])
def test_an_unknown_id_lists_the_known_ones(wrong_id: Any) -> None:
    with pytest.raises(ValueError, match=r"exercise_id must be one of 00-B, .*02-R.*, got "):
        check(wrong_id, 8)


def test_an_error_in_a_students_function_is_told_in_one_sentence() -> None:
    def broken(*_: Any) -> float:
        return 1 / 0

    assert "ZeroDivisionError" in check("00-P", broken).message


def test_feedback_reads_as_its_sentence() -> None:
    assert repr(check("02-C", 8)) == check("02-C", 8).message


def test_a_number_no_float_can_hold_gets_a_sentence() -> None:
    assert "a float can hold" in str(check("02-C", 10**400))
