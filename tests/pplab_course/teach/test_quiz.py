"""Questions for Moodle: read back as Moodle reads them, and held against the judges."""

import itertools
import math
import re
import tomllib
from collections import Counter

import pytest

from claimbook.verdicts import VERDICTS
from pplab.shipped import shipped
from pplab_course.exercises import exercises
from pplab_course.teach import quiz
from pplab_course.teach.course import student_notebooks
from pplab_course.teach.quiz import is_short, write_quizzes

REGISTER = exercises()
# The grammar of GIFT, as strict as any reader: what is not escaped is a sign, numbers are digits.
TEXT = r"(?:[^\\~=#{}:\n]|\\[\\~=#{}:])+"
NUMBER = r"-?\d+(?:\.\d+)?"
FEEDBACK = rf"(?:####{TEXT}\n)?"
KINDS = {
    "essay": rf"####{TEXT}",
    "choice": rf"\n={TEXT}\n(?:~{TEXT}(?:#{TEXT})?\n)+{FEEDBACK}",
    "number": rf"#\n={NUMBER}:{NUMBER}\n(?:=%0%{NUMBER}:{NUMBER}#{TEXT}\n)+{FEEDBACK}",
    "matching": rf"\n(?:={TEXT} -> {TEXT}\n){{3,}}",
}
# No machine can compare a reason, or whether somebody would sign.
ESSAYS = {"00 quiz 3", "08 quiz 4", "13 quiz 2", "16 quiz 2"}


@pytest.fixture(scope="module")
def questions(tmp_path_factory):
    file = tmp_path_factory.mktemp("quiz") / "quizzes.gift"
    count = write_quizzes(file)
    with pytest.raises(ValueError, match="exists"):
        write_quizzes(file)
    blocks = file.read_text(encoding="utf-8").strip("\n").split("\n\n")
    results = {}
    for block in (block for block in blocks if not block.startswith("$CATEGORY")):
        parts = re.fullmatch(rf"::({TEXT})::\[html\]({TEXT}) {{(.*)}}", block, re.DOTALL)
        assert parts, block
        kinds = [kind for kind, form in KINDS.items() if re.fullmatch(form, parts[3])]
        assert len(kinds) == 1, block
        results[parts[1]] = parts[2], parts[3], kinds[0]
    categories = sum(block.startswith("$CATEGORY") for block in blocks)
    assert (len(blocks) - categories, categories) == (count, len([*student_notebooks()]))
    assert len(results) == count
    return results


def _options(answers):
    """Answer, hint and whether it is right, of each option."""
    for row in (row for row in answers.strip("#\n").split("\n") if row[0] in "=~"):
        text, _, hint = re.sub(r"\\([\\~=#{}:])", r"\1", row).partition("#")
        right = row[0] == "=" and row[1] != "%"
        yield text.lstrip("=~").removeprefix("%0%"), hint, right


def test_only_what_asks_for_a_reason_is_an_essay(questions):
    kinds = Counter(kind for *_, kind in questions.values())
    assert {name for name, (*_, kind) in questions.items() if kind == "essay"} == ESSAYS
    grading = (shipped() / "docs/teach/grading.md").read_text(encoding="utf-8").replace("\n", " ")
    assert f"four of the {len(questions)} questions are essays" in grading
    assert kinds["matching"] == 1
    assert kinds["number"] >= 20
    assert kinds["choice"] >= 70


def test_options_fit_their_question_and_are_no_keys(questions):
    sources = dict(_sources())
    for name, (asked, answers, kind) in questions.items():
        arguments = [text for text, *_ in _options(answers)] if kind in ("choice", "number") else []
        assert len(set(arguments)) == len(arguments), name
        keys = [word for word in arguments if re.fullmatch(r"[a-z]+(-[a-z]+)+", word)]
        assert [word for word in keys if word not in VERDICTS and word not in asked] == [], name
        offered = re.findall(r'"([\w-]+)"', sources.get(name, ""))
        if offered and kind == "choice":
            assert sorted(arguments) == sorted(
                word if word in VERDICTS else word.replace("-", " ") for word in offered
            ), name
        if kind == "number":
            near = [[float(each) for each in option.split(":")] for option in arguments]
            whole = name in REGISTER and isinstance(REGISTER[name].right, int)
            assert near[0][1] < (1 / 2 if whole else math.inf), name
            for (one, its), (other, width) in itertools.combinations(near, 2):
                assert abs(one - other) > max(its, width), (name, one, other)


def _sources():
    """Exercises with their texts in the notebooks."""
    for _, text in student_notebooks():
        yield from quiz._exercises(quiz.json.loads(text)["cells"])


def test_each_list_of_options_belongs_to_one_question(monkeypatch, tmp_path):
    command, listed = [], quiz.answers_of
    monkeypatch.setattr(
        quiz, "answers_of", lambda question: command.append(question) or listed(question)
    )
    write_quizzes(tmp_path / "quizzes.gift")
    lists = tomllib.loads(quiz._LIST.read_text(encoding="utf-8"))
    results = {begins: sum(each.strip().startswith(begins) for each in command) for begins in lists}
    assert {begins: count for begins, count in results.items() if count != 1} == {}
    assert len(lists) > 35


def test_every_exercise_r_and_c_and_every_quiz_is_there(questions):
    assert {name for name in REGISTER if is_short(name)} <= set(questions)
    items = sum(text.count("<summary>Answer</summary>") for _, text in student_notebooks())
    assert sum(" quiz " in name for name in questions) == items


def test_answers_are_what_the_judges_say(questions):
    for name in sorted(filter(is_short, REGISTER)):
        answers = questions[name][1]
        if name == "18-R":
            matched = re.findall(r"^=(.+) -> (\S+)$", answers, re.MULTILINE)
            letters = dict(zip([verdict for _, verdict in matched], "ABCDEFGH", strict=True))
            assert REGISTER[name].judge(letters) == ""
            continue
        options = list(_options(answers))
        for arguments, hint, right in options:
            number = re.fullmatch(rf"({NUMBER}):{NUMBER}", arguments)
            result = REGISTER[name].judge(float(number[1]) if number else arguments)
            assert (result == "", hint == "") == (right, right), arguments
        assert len(options) >= 2, name


def test_no_answer_of_a_question_stands_in_its_text(questions):
    for asked, *_ in questions.values():
        assert "summary" not in asked
        assert "YOUR CODE" not in asked
