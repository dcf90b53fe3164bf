"""The hours that the syllabus and the budget of marking tell add up."""

import re
from collections import Counter
from fractions import Fraction

import pytest

from pplab_course.exercises import exercises
from tests.helpers import ROOT

TEACH = ROOT / "docs" / "teach"
SYLLABUS = (TEACH / "syllabus.md").read_text(encoding="utf-8")
GUIDE = (TEACH / "notebooks.md").read_text(encoding="utf-8")
ALL = [f"{number:02}" for number in range(21)]
# Of each part its notebooks in the core, and in the papers' track.
TABLE = (ROOT / "README.md").read_text(encoding="utf-8").split("## The notebooks")[1]
PARTS = [line.split("|")[2:4] for line in re.findall(r"^\|[^|]*\|.*\[\d\d .*", TABLE, re.MULTILINE)]
CORE, PAPERS = (re.findall(r"\[(\d\d) ", " ".join(cells)) for cells in zip(*PARTS, strict=True))
MOST = {  # hours in class and at home of a row, at most
    "Twelve weeks": (2, 4),
    "Six weeks": (3, 4),
}


def _section(heading):
    [text] = re.findall(rf"^## {heading}.*?(?=^## |\Z)", SYLLABUS, re.DOTALL | re.MULTILINE)
    return text


def _rows(text):
    lines = re.findall(r"^\| (\d+ \|.*) \|$", text, re.MULTILINE)
    return [[cell.strip() for cell in line.split("|")] for line in lines]


def _numbers(text, what):
    return re.findall(rf"\b{what}(\d\d)\b", text)


def _hours(cell):
    hours, minutes = cell.split(":")
    return Fraction(int(hours)) + Fraction(int(minutes), 60)


def test_the_table_holds_each_notebook_once():
    assert sorted(CORE + PAPERS) == ALL
    assert len(CORE) == 13  # 19 is for a project


@pytest.mark.parametrize("heading", MOST)
def test_no_week_has_more_hours_than_it_may(heading):
    rows = _rows(_section(heading))
    assert [int(row[0]) for row in rows] == list(range(1, len(rows) + 1))
    for row in rows:
        in_class, *at_home = (_hours(cell) for cell in row if re.fullmatch(r"\d+:\d\d", cell))
        assert 0 < in_class <= MOST[heading][0], (heading, row)
        assert max(at_home) <= MOST[heading][1], (heading, row)


def test_each_notebook_is_read_and_done_once():
    whole = "\n".join(line for line in _section("Twelve weeks").splitlines() if line[:2] == "| ")
    assert sorted(_numbers(whole, "read ")) == sorted(_numbers(whole, "do ")) == ALL
    six = _section("Six weeks")
    core = sorted(CORE[:-1])  # 20 is read before 17
    assert sorted(_numbers(six, "read ")) == sorted(_numbers(six, "do ")) == core
    for heading in ("A semester without papers", "Two weeks"):
        assert sorted({*re.findall(r"\b(?:[01]\d|20)\b", _section(heading))}) == core
    seventh = _rows(_section("Twelve weeks"))[6]
    assert _numbers(seventh[1], "read ") == ["09", "16"]


def test_the_hours_of_the_projects_are_those_of_the_weeks():
    text = _section("Twelve weeks")
    for column, message in ((3, r"(\d+) hours of \[project\]"), (4, r"(\d+) hours in the papers'")):
        cells = " ".join(row[column] for row in _rows(text))
        minutes = map(int, re.findall(r"project[^(]*\((\d+) min\)", cells))
        assert sum(minutes) == 60 * int(re.findall(message, " ".join(text.split()))[0])
    short = re.findall(r"short project \((\d+) min\)", _section("Six weeks"))
    assert f"The short project, {sum(map(int, short)) // 60} hours" in _section("Six weeks")
    assert "20 hours for each student in the core" in (TEACH / "projects.md").read_text()


def test_the_budget_of_marking_adds_up():
    line = re.findall(
        r"^One answer of each core notebook from 02 on, except 20, is marked by hand: (.*?)\.",
        SYLLABUS,
        re.MULTILINE | re.DOTALL,
    )[0]
    marked = re.findall(r"(\d\d)-([DO])", line)
    assert {"-".join(each) for each in marked} <= exercises().keys()
    letters = Counter(letter for _, letter in marked)
    table = (TEACH / "grading.md").read_text(encoding="utf-8").split("## Your own hours")[1]
    rows = [line.strip("| ").split(" | ") for line in re.findall(r"^\|.*\|$", table, re.MULTILINE)]
    head, _, *work, total = rows[:8]
    classes = [int(cell.split()[0]) for cell in head[3:]]
    assert [row[1] for row in work[:2]] == [str(letters["D"]), str(letters["O"])]
    for row in work:
        each = Fraction(row[1]) * int(row[2]) / 60
        assert [_hours(cell) for cell in row[3:]] == [students * each for students in classes], row
    texts = [_hours(cell) for cell in total[-3:]]
    assert texts == [sum(_hours(row[3 + place]) for row in work) for place in range(3)]


def test_the_guide_gives_existing_homework_for_each_notebook():
    rows = re.findall(r"^## (\d\d) .*?^\*\*Homework\.\*\* ([A-Z, ]+)\.$", GUIDE, re.DOTALL | re.M)
    assert [name for name, _ in rows] == ALL
    arguments = {f"{name}-{letter}" for name, letters in rows for letter in letters.split(", ")}
    assert arguments <= exercises().keys()


def test_the_hours_of_your_own_reading_are_those_of_the_guide():
    minutes = re.findall(r"^## (\d\d) .*?Minutes\.\*\* (\d+) to read", GUIDE, re.DOTALL | re.M)
    assert [name for name, _ in minutes] == ALL
    core = sum(int(each) for name, each in minutes if name in CORE[:-1])
    result = core / 60, sum(int(each) for _, each in minutes) / 60
    grading = (TEACH / "grading.md").read_text(encoding="utf-8")
    assert "{:.0f} hours to read the core notebooks, or {:.0f} hours".format(*result) in grading
