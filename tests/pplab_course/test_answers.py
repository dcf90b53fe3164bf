"""Every exercise accepts the right answers of its notebook's test data, and refuses the wrong ones.

Each test_nbNN.py here holds ``RIGHT``, lists of right answers by exercise, and ``WRONG``, lists of
pairs (wrong answer, words of the hint made for it). Where the exercise's record lists its
mistakes, ``WRONG`` begins with one wrong answer for each of them, in their order. ``SECRETS`` are
answers in words by exercise, which no hint may say.
"""

import importlib
import re
from pathlib import Path

import pytest

from pplab_course.exercises import UNREADABLE, _wrong_tries, check, exercises, notebook_of

REGISTER = exercises()

MODULES = {}
for _path in sorted(Path(__file__).parent.glob("test_nb*.py")):
    _module = importlib.import_module(f"tests.pplab_course.{_path.stem}")
    MODULES[_path.stem.removeprefix("test_nb")] = _module
RIGHT = {}
WRONG = {}
SECRETS = {}
for _module in MODULES.values():
    RIGHT |= _module.RIGHT
    for _name, _rows in _module.WRONG.items():
        _hints = [hint for _, hint, *_ in REGISTER[_name].mistakes]
        _first = [*zip(_rows, _hints, strict=False)]
        WRONG[_name] = [*_first, *_rows[len(_first) :]]
    SECRETS |= getattr(_module, "SECRETS", {})
CLOSED = [name for name in RIGHT if not REGISTER[name].rubric]


def feedback_on(exercise, answer):
    """Feedback on a first try with this answer."""
    _wrong_tries.clear()
    return check(exercise, answer).message


def test_no_notebook_is_left_out():
    assert {notebook_of(name) for name in REGISTER} == set(MODULES)
    assert set(RIGHT) == set(WRONG) == set(REGISTER)


def test_each_mistake_of_a_record_has_a_wrong_answer_of_its_own():
    """A number or word that stands in the record is recognised, too, and is not the right one."""
    amiss = []
    for name, exercise in REGISTER.items():
        assert len(WRONG[name]) >= len(exercise.mistakes), name
        for wrong, hint, *_ in exercise.mistakes:
            answer = wrong.partition("|")[0] if isinstance(wrong, str) else wrong
            amiss += (
                [(name, wrong)] if feedback_on(name, answer) != f"{name}: not yet. {hint}" else []
            )
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
    judged = [check(exercise, answer) for answer in RIGHT[exercise]]
    assert all(judged)
    assert {each.message for each in judged} == {f"{exercise}: {known.praise}{known.rubric}"}
    assert known.rubric.count("\n") == (3 if known.rubric else 0)


@pytest.mark.parametrize("exercise", sorted(WRONG))
def test_wrong_answers_fail_with_a_hint_of_their_own(exercise):
    amiss = []
    for answer, words in WRONG[exercise]:
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


WORDY = sorted(name for name in CLOSED if any(True for right in RIGHT[name] for _ in bent(right)))


@pytest.mark.parametrize("exercise", WORDY)
def test_near_misses_of_right_words_fail(exercise):
    misses = [miss for right in RIGHT[exercise] for miss in bent(right)]
    misses += [f"not {word}" for word in RIGHT[exercise] if re.fullmatch(r"[\w-]+", str(word))]
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
    assert len(WORDY) >= 16


STORED = {
    "03-B": "noise-graphs --part table5",
    "12-O": "smooth --part beyond_dblp",
    "15-B": "microaggregation --part noise_conventions",
    "17-D": "yardstick",
}


@pytest.mark.parametrize("exercise", STORED)
def test_without_a_stored_run_the_command_is_named(exercise, tmp_path, monkeypatch):
    monkeypatch.setenv("PPLAB_RESULTS", str(tmp_path))
    assert f"`pplab reproduce {STORED[exercise]}`" in feedback_on(exercise, RIGHT[exercise][0])


@pytest.mark.parametrize("exercise", sorted(SECRETS))
def test_no_hint_gives_the_answer_away(exercise):
    hints = [*REGISTER[exercise].hints]
    texts = [feedback_on(exercise, answer) for answer, _ in WRONG[exercise]]
    hints += [words for words in texts if "not yet" in words]  # a refusal may repeat what was given
    whole = re.compile(rf"(?<!\w){re.escape(SECRETS[exercise])}(?!\w)")
    assert [words for words in hints if whole.search(words)] == []
