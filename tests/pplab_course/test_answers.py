"""Every exercise accepts the right answers of its notebook's test data, and refuses the wrong ones.

nbNN.txt has the answers to the exercises of notebook NN, in Python, with names of test_nbNN.py and
of the judges: a right one alone, a wrong one with an arrow and words of the hint made for it. Where
the exercise's record lists its mistakes, the wrong ones begin with one for each of them, in their
order, and need no words. What an exercise hides, no hint may say.
"""

import importlib
import math
import re
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import pplab
from pplab_course.exercises import (
    UNREADABLE,
    _wrong_tries,
    check,
    exercises,
    judges_of,
    notebook_of,
)
from tests.generated.inputs import read

REGISTER = exercises()
NAMES = {"math": math, "Decimal": Decimal, "Fraction": Fraction, "np": np, "sparse": sparse}
NAMES |= {"pd": pd, "pplab": pplab}

NOTEBOOKS = {}  # names that answers may use, by notebook
RIGHT = {}  # sources of answers, by exercise
WRONG = {}  # the same, each with words
SECRETS = {}
for _path in sorted(Path(__file__).parent.glob("test_nb*.py")):
    _number = _path.stem.removeprefix("test_nb")
    _modules = (f"pplab_course.{judges_of(_number)[0].stem}", f"tests.pplab_course.{_path.stem}")
    NOTEBOOKS[_number] = NAMES.copy()
    for _module in map(importlib.import_module, _modules):
        NOTEBOOKS[_number] |= vars(_module)
    for _entry in read(f"../pplab_course/nb{_number}.txt"):
        _source, _wrong, _words = _entry.partition(" ->")
        if _head := re.fullmatch(r"\[(\d\d-[A-Z])\](?: hides (.+))?", _entry):
            _name = _head[1]
            RIGHT[_name], WRONG[_name] = [], []
            if _head[2]:
                SECRETS[_name] = _head[2]
        elif _wrong:
            _known = [hint for _, hint, *_ in REGISTER[_name].mistakes][len(WRONG[_name]) :]
            WRONG[_name].append((_source, [*_known, _words.strip()][0]))
        else:
            RIGHT[_name].append(_source)
CLOSED = [name for name in RIGHT if not REGISTER[name].rubric]


@cache
def value(exercise, source):
    """An answer as an object."""
    return eval(source, NOTEBOOKS[notebook_of(exercise)])


def right_answers(exercise):
    return [value(exercise, source) for source in RIGHT[exercise]]


def wrong_answers(exercise):
    """Wrong answers, each with words of its hint."""
    return [(value(exercise, source), words) for source, words in WRONG[exercise]]


def feedback_on(exercise, answer):
    """Feedback on a first try with this answer."""
    _wrong_tries.clear()
    return check(exercise, answer).message


def test_no_notebook_is_left_out():
    assert {notebook_of(name) for name in REGISTER} == set(NOTEBOOKS)
    assert set(RIGHT) == set(WRONG) == set(REGISTER)


def test_each_mistake_of_a_record_has_a_wrong_answer_of_its_own():
    """A number or word that stands in the record is recognised, too, and is not the right one."""
    amiss = []
    for name, exercise in REGISTER.items():
        assert len(WRONG[name]) >= len(exercise.mistakes), name
        for wrong, hint, *_ in exercise.mistakes:
            answer = wrong.partition("|")[0] if isinstance(wrong, str) else wrong
            if feedback_on(name, answer) != f"{name}: not yet. {hint}":
                amiss.append((name, wrong))
    assert amiss == []


def test_hints_of_an_exercise_differ():
    texts = [(name, hint) for name, each in REGISTER.items() for _, hint, *_ in each.mistakes]
    again = [name for place, (name, _) in enumerate(texts) if texts[place] in texts[:place]]
    assert again == ["01-C", "01-C", "07-C"]  # two numbers show one slip


def test_each_closed_exercise_has_three_of_each():
    assert [name for name in CLOSED if min(len(RIGHT[name]), len(WRONG[name])) < 3] == []
    assert [name for name in RIGHT if not (RIGHT[name] and WRONG[name])] == []


@pytest.mark.parametrize("exercise", sorted(RIGHT))
def test_right_answers_pass(exercise):
    """And are told the praise and no hint, with the rubric where there is one, of three lines."""
    known = REGISTER[exercise]
    judged = [check(exercise, answer) for answer in right_answers(exercise)]
    assert all(judged)
    assert {each.message for each in judged} == {f"{exercise}: {known.praise}{known.rubric}"}
    assert known.rubric.count("\n") == (3 if known.rubric else 0)


@pytest.mark.parametrize("exercise", sorted(WRONG))
def test_wrong_answers_fail_with_a_hint_of_their_own(exercise):
    amiss = []
    for answer, words in wrong_answers(exercise):
        _wrong_tries.clear()
        general = [hint for hint in REGISTER[exercise].hints if words in hint]
        for _ in range(2):  # also when the mistake is made again
            feedback = check(exercise, answer)
            own = words in feedback.message and not general
            if feedback or not own or UNREADABLE in feedback.message:
                amiss.append(f"{words!r} is not its own hint in: {feedback}")
    assert amiss == []


# Near misses of right words: each word of a text with letters too many, or a lone one denied.

BENT = (r"\g<0>x", r"x\g<0>", r"non\g<0>")
FREE = {"memo", "select"}  # said in words of one's own


def bent(answer):
    """The answer with one of its texts bent, keys of dicts and parts of lists included."""
    if isinstance(answer, str):
        yield from (re.sub(r"[\w-]+", form, answer) for form in BENT)
    elif isinstance(answer, (list, tuple)):
        for at, part in enumerate(answer):
            yield from (type(answer)([*answer[:at], b, *answer[at + 1 :]]) for b in bent(part))
    elif isinstance(answer, dict):
        for key in answer.keys() - FREE:
            yield from ({(b if k == key else k): v for k, v in answer.items()} for b in bent(key))
            yield from (answer | {key: b} for b in bent(answer[key]))


@pytest.mark.parametrize("exercise", CLOSED)
def test_near_misses_of_right_words_fail(exercise):
    answers = right_answers(exercise)
    misses = [miss for right in answers for miss in bent(right)]
    misses += [f"not {word}" for word in answers if re.fullmatch(r"[\w-]+", str(word))]
    assert [miss for miss in misses if check(exercise, miss)] == []


def test_each_right_word_of_a_record_stands_alone():
    """With letters or a word before or behind it is no answer any more."""
    forms = ("{}", "{}x", "x{}", "{}s-and-more", "un{}", "{}{}")
    words = [
        (name, word)
        for name, exercise in REGISTER.items()
        if isinstance(exercise.right, str)
        for word in re.split(r"\|(?![^(]*\))", exercise.right)
        if re.fullmatch(r"[\w-]+", word)
    ]
    tried = [(name, form.format(word, word)) for name, word in words for form in forms]
    assert [text for text in tried if check(*text)] == words
    assert len(words) >= 16


def test_a_word_of_a_verdict_is_no_verdict():
    assert not any(check("12-R", word) for word in ("shape", "only", "shape-only-reproduced"))
    assert [*bent(("a b", 1))][:2] == [("ax bx", 1), ("xa xb", 1)]
    assert sum('"' in " ".join(RIGHT[name]) for name in CLOSED) >= 16


STORED = {
    "03-B": "noise-graphs --part table5",
    "12-O": "smooth --part beyond_dblp",
    "15-B": "microaggregation --part noise_conventions",
    "17-D": "yardstick",
}


@pytest.mark.parametrize("exercise", STORED)
def test_without_a_stored_run_the_command_is_named(exercise, tmp_path, monkeypatch):
    monkeypatch.setenv("PPLAB_RESULTS", str(tmp_path))
    feedback = feedback_on(exercise, right_answers(exercise)[0])
    assert f"`pplab reproduce {STORED[exercise]}`" in feedback


@pytest.mark.parametrize("exercise", sorted(SECRETS))
def test_no_hint_gives_the_answer_away(exercise):
    hints = [*REGISTER[exercise].hints]
    texts = [feedback_on(exercise, answer) for answer, _ in wrong_answers(exercise)]
    hints += [words for words in texts if "not yet" in words]  # a refusal may repeat what was given
    whole = re.compile(rf"(?<!\w){re.escape(SECRETS[exercise])}(?!\w)")
    assert [words for words in hints if whole.search(words)] == []
