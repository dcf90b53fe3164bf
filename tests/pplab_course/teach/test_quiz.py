"""Questions for Moodle: read back as Moodle reads them, and held against the judges."""

import re

import pytest

from pplab_course.exercises import exercises
from pplab_course.teach.course import student_notebooks
from pplab_course.teach.quiz import is_short, write_quizzes

REGISTER = exercises()

BY_HAND = {"01-R"}  # a pair of entries


@pytest.fixture(scope="module")
def questions(tmp_path_factory):
    file = tmp_path_factory.mktemp("quiz") / "quizzes.gift"
    count = write_quizzes(file)
    with pytest.raises(ValueError, match="exists"):
        write_quizzes(file)
    blocks = file.read_text(encoding="utf-8").split("\n\n")
    found = {}
    for block in (block for block in blocks if not block.startswith("$CATEGORY")):
        parts = re.fullmatch(r"::(.+?)::\[html\](.+?) (?<!\\)\{(.*)(?<!\\)\}\n?", block, re.DOTALL)
        assert parts, block
        assert not re.search(r"(?<!\\)[{}]", parts[2] + parts[3]), block
        found[parts[1]] = parts[2], parts[3]
    categories = sum(block.startswith("$CATEGORY") for block in blocks)
    assert (len(blocks) - categories, categories) == (count, len([*student_notebooks()]))
    return found


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
        if name in BY_HAND:
            assert answers.startswith("####")
            continue
        rows = [row for row in answers.strip("#\n").split("\n") if row]
        wrong = 0
        for row in rows:
            given, _, hint = row.lstrip("=~").removeprefix("%0%").partition("#")
            number = re.fullmatch(r"(-?[\d.]+(?:e[+-]\d+)?):[\d.e+-]+", given)
            said = REGISTER[name].judge(float(number[1]) if number else given)
            right = row.startswith("=") and not row.startswith("=%0%")
            assert (said == "") == right, row
            wrong += bool(hint)
        assert wrong >= 1, name
        assert wrong == len(rows) - 1, name


def test_no_answer_of_a_question_stands_in_its_text(questions):
    for asked, _ in questions.values():
        assert "summary" not in asked
        assert "YOUR CODE" not in asked
