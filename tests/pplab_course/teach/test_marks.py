"""A class hands in a notebook, and a teacher marks it with nbgrader."""

import csv
import os
import re
import sys
from sysconfig import get_path

import nbformat
import pytest

from pplab_course.teach.cage import why_not
from pplab_course.teach.course import solved_notebooks
from pplab_course.teach.export import export
from pplab_course.teach.feedback import feedback
from pplab_course.teach.mark import _autograde, _not_read, mark
from pplab_course.teach.marks import gradebook, judged_apart, token, write_grades
from tests.helpers import PYTHONPATH, ended
from tests.pplab_course.teach.test_cage import CHEATS

NAME = "01_privacy_by_counting"
ANSWERED = {
    "solved": "RCPBDO", "half": "RCP", "nothing": "", "cheat": "", "leaver": "RC", "script": "RCP",
    "odd": "RCP",
}  # fmt: skip
MARKED = {
    "solved": "6 of 6; left for you to mark: 2",
    "half": "3 of 6",
    "nothing": "0 of 6",
    "cheat": "0 of 6; left for you to mark: 2",
    "leaver": "2 of 6; left for you to mark: 1",
    "script": "3 of 6",
    "odd": "2 of 6; cells were moved: a check takes the answer of the last cell above it; "
    "01-C-answer is there twice, the last counts; it has the numbers of solved; "
    "01-P is deleted, which gives 0",
}
# What comes instead of the notebook that was handed out.
SPOILED = {
    "version": lambda _, text: text.replace('"schema_version": 3', '"schema_version": 1', 1),
    "broken": lambda _, text: text[: len(text) // 2],
    "graded": lambda _, text: text.replace('"grade": false', '"grade": true', 1),
    "counted": lambda _, text: text.replace('"execution_count": null', '"execution_count": "3"'),
    "huge": lambda _, text: text + " " * 20_000_000,
    "mark": lambda _, text: f"\ufeff{text}",
    "renamed": lambda _, text: text.replace('"01-C-answer"', '"mine"', 1),
    "elsewhere": lambda *_: nbformat.writes(nbformat.v4.new_notebook(cells=[])),
}
REASONS = {
    "version": "01-R-answer: kind or points changed, as by nbgrader's toolbar: ask for the answers",
    "graded": "01-R-answer: kind or points changed, as by nbgrader's toolbar: ask for the answers",
    "counted": "nbgrader cannot read it: '3' is not of type 'integer', 'null' (see logs",
    "broken": f"{NAME}.ipynb is no notebook, perhaps a saved page",
    "huge": "the notebook has 20 MB",
    "mark": f"{NAME}.ipynb is no notebook, perhaps a saved page, or saved again by an editor",
    "renamed": "mine is no name of a cell that was handed out: ask for the answers in",
    "elsewhere": "this is not the notebook that was handed out: it has none",
}
TRUST = ["--trust"] if why_not() else []
OURS = "every door of this process is open"  # the source says it in two pieces
CHEAT = f"""
import builtins, inspect, subprocess, sys
import pplab
{CHEATS["replaces check, register and judge"]}
check = builtins.check = pplab.check = door.check
subprocess.Popen = subprocess.run = lambda *_, **__: None
print("every door of this process", "is open", inspect.getsource(exercise.judge))
{CHEATS["an object that says yes"]}
level = answer
"""


@pytest.mark.verify("teach")
def test_marks_of_a_class(tmp_path):
    """Fifteen hand in: what fails for one of them costs nobody else a mark."""
    pytest.importorskip("nbgrader", reason="marking needs nbgrader: pip install 'pplab[teach]'")
    course = tmp_path / "course"
    export(course, tmp_path / "secret", only=NAME, say=str)
    [solved] = [_read(text) for name, text in solved_notebooks(None) if name == NAME]
    released = (course / "release" / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8")
    for student in (*ANSWERED, *SPOILED):
        notebook = _read(released)
        _fill(notebook, solved, student)
        text = SPOILED.get(student, lambda _, text: text)(notebook, nbformat.writes(notebook))
        target = course / "submitted" / student / NAME / f"{NAME}.ipynb"
        target.parent.mkdir(parents=True)
        target.write_text(text, encoding="utf-8")
    (course / "handout" / "solved").mkdir(parents=True)
    _spoil_a_little(course / "submitted" / "odd" / NAME / f"{NAME}.ipynb", tmp_path / "secret")
    shown = _some_fail(course, "--jobs", "2")
    lines = dict(line.strip().split(": ", 1) for line in shown.splitlines() if ": " in line[:20])
    assert {name: result for name, result in lines.items() if name in MARKED} == MARKED
    missed = {name for name, result in lines.items() if result.startswith("not marked")}
    assert missed == set(SPOILED)
    assert all(lines[name].startswith(f"not marked: {result}") for name, result in REASONS.items())
    assert f"{NAME}: {len(MARKED)} marked, {len(SPOILED)} not marked" in shown
    assert "0x" not in shown  # no reason is an address
    assert "not a user name" in _autograde(course, "=cmd", NAME, trusted=True)
    assert _autograde(course, "nobody", NAME, trusted=True).endswith(": put one into this folder")

    with pytest.raises(ValueError, match="is not the notebook that was handed out"):
        judged_apart(solved, tmp_path / "secret", seconds=60, trusted=True)
    known = len(MARKED) + len(SPOILED) - 1  # to nbgrader, which is not shown what is huge
    waiting = sum("left for you" in result for result in MARKED.values())
    counts = {"students": known, "not marked": len(SPOILED), "waiting for points by hand": waiting}
    assert write_grades(course, tmp_path / "grades.csv") == counts
    for student, shares in _grades(tmp_path / "grades.csv").items():
        result = MARKED.get(student, "")
        by_judge = f"{100 * int(result[0]) / 6:.2f}" if result else "-"
        # nobody has read D and O
        by_hand = "-" if not result or "left for you" in result else "0.00"
        assert (student, *shares) == (student, by_judge, by_hand)
    assert write_grades(course, tmp_path / "grades.csv") == counts  # after points by hand, too

    marked = course / "autograded" / "cheat" / NAME / f"{NAME}.ipynb"
    assert OURS in marked.read_text(encoding="utf-8")  # the cheat's cells did run
    for student in MARKED:
        page = (course / "autograded" / student / NAME / f"{NAME}.ipynb").read_text("utf-8")
        assert (tmp_path / "secret").read_text().strip() not in page
        assert "<script" not in page
        assert "HIDDEN TESTS" not in page
    pages = feedback(course, NAME)
    assert {page.parts[-3] for page in pages} == set(MARKED)
    unread = {
        page.parts[-3] for page in pages if "Score: not read yet / " in page.read_text("utf-8")
    }
    assert unread == {student for student, result in MARKED.items() if "left for you" in result}
    [odd] = [page.read_text("utf-8") for page in pages if "odd" in page.parts]
    assert "<li>01-P: its check was deleted (0.0 / 1.0)</li>" in odd
    for page in pages:
        _needs_no_network_and_names_its_exercises(page.read_text(encoding="utf-8"))
    # marked once more, it is a matter of those that failed only
    again = _some_fail(course)
    assert again.count("not marked: ") == 2 * len(SPOILED)
    _points_by_hand_stay_with_the_answer_that_was_read(course)


def _points_by_hand_stay_with_the_answer_that_was_read(course):
    def by_hand(book):
        grades = book.find_submission_notebook(NAME, NAME, "solved").grades
        expected = ("01-D-answer", "01-O-answer", "01-C", "01-P")
        return {grade.name: grade for grade in grades if grade.name in expected}

    with gradebook(course) as book:
        for name, grade in by_hand(book).items():
            grade.manual_score = 2 if name.endswith("-answer") else 0.5
            grade.needs_manual_grade = False
        book.db.commit()
    handed_in = course / "submitted" / "solved" / NAME / f"{NAME}.ipynb"
    notebook = nbformat.read(handed_in, as_version=4)
    names = [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in notebook.cells]
    for changed in ("01-D-answer", "01-C-answer"):  # still right
        notebook.cells[names.index(changed)].source += "\n# on second thoughts"
    nbformat.write(notebook, handed_in)
    marked = _some_fail(course)
    assert "solved: 5.5 of 6; left for you to mark: 1" in marked
    for lost in ("01-D-answer", "01-C"):
        assert f"{lost} has changed, and lost its mark by hand" in marked
    with gradebook(course) as book:
        now = {name: (it.manual_score, it.needs_manual_grade) for name, it in by_hand(book).items()}
    assert now == {
        "01-D-answer": (None, True), "01-O-answer": (2, False),
        "01-C": (None, False), "01-P": (0.5, False),
    }  # fmt: skip
    [page] = [page for page in feedback(course, NAME) if "solved" in page.parts]
    assert "(by the check 5.5 of 6, by your teacher 2 of 5)" in page.read_text("utf-8")


def _needs_no_network_and_names_its_exercises(page):
    assert re.findall(r'(?:src=|<link[^>]*href=)"https?:[^"]*', page) == []
    assert "Test cell" not in page
    assert "Coding free-response" not in page
    assert re.findall(r'<a href="#01-R">01-R, by the check</a>', page)
    assert re.findall(r'<a href="#01-D-answer">01-D, by your teacher</a>', page)
    assert page.count("data:image/svg+xml;base64,") >= 5  # formulas


def _grades(file):
    columns = [f"{NAME} by the judge", f"{NAME} by hand"]
    with file.open(encoding="utf-8", newline="") as rows:
        return {row["Username"]: [row[each] for each in columns] for row in csv.DictReader(rows)}


def test_a_second_notebook_is_told(tmp_path):
    """A student who worked in a copy, and handed in both, got no points and no word."""
    for name in (f"{NAME}.ipynb", f"{NAME}-Copy1.ipynb"):
        (tmp_path / name).write_text("{}")
    told = _not_read(tmp_path / f"{NAME}.ipynb")
    assert told == [f"{NAME}-Copy1.ipynb is not read, {NAME}.ipynb is"]


def test_a_class_is_not_marked_where_something_is_missing(tmp_path):
    with pytest.raises(ValueError, match="holds no gradebook"):
        mark(tmp_path, NAME, say=str)
    with pytest.raises(ValueError, match=f"has no marked {NAME}: type pplab teach mark"):
        feedback(tmp_path, NAME)


def _fill(notebook, solved, student):
    """Write a student's answers into the cells that are there for them."""
    sources = {
        cell.source.rpartition("check(")[2][1:5]: cell.source.rpartition("\n")[0]
        for cell in solved.cells
        if "solution" in cell.metadata.get("tags", [])
    }
    for cell in notebook.cells:
        about = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        if student == "cheat" and cell.cell_type == "code":
            cell.source = f"{CHEAT}\n"  # locked cells, too
        elif student == "leaver" and about == "01-D-answer":
            cell.source = "import os, time\nif os.fork():\n    os._exit(0)\ntime.sleep(1000)"
        elif student == "script" and cell.cell_type == "markdown":
            cell.source += "\n<script>for (const x of document.forms) x.submit()</script>"
        elif about.endswith("-answer") and about[3] in ANSWERED.get(student, ""):
            cell.source = sources[about[:4]]


def _spoil_a_little(file, secret):
    """Copy a cell, delete one, take a neighbour's numbers, and let a browser name the file."""
    notebook = _read(file.read_text(encoding="utf-8"))
    cells = {cell.metadata.get("nbgrader", {}).get("grade_id"): cell for cell in notebook.cells}
    notebook.cells.remove(cells["01-P"])
    notebook.cells.append(notebook.cells.pop(notebook.cells.index(cells["01-B"])))
    copy = nbformat.from_dict({**cells["01-C-answer"], "id": "copy"})
    notebook.cells.insert(notebook.cells.index(cells["01-C"]), copy)
    copy.source += f"\n# {token(secret.read_text(encoding='utf-8').strip(), 'solved')}"
    nbformat.write(notebook, file)
    file.rename(file.with_name(f"{NAME} (1).ipynb"))


def _read(text):
    return nbformat.reads(text, as_version=4)


def _some_fail(course, *options):
    """Output of a `pplab teach mark` that could not mark all."""
    path = os.pathsep.join([get_path("scripts"), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "PYTHONPATH": PYTHONPATH}
    command = (sys.executable, "-m", "pplab", "teach", "mark", course, NAME, *options, *TRUST)
    return ended(*command, code=1, env=environment, timeout=600).stdout
