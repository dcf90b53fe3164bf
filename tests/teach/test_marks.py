"""Four students hand in a notebook, and a teacher marks it with nbgrader."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from pathlib import Path
from sysconfig import get_path
from typing import Any

import nbformat
import pytest

from pplab.teach.course import solved_notebooks
from pplab.teach.marks import give_marks

NAME = "01_privacy_by_counting"
ANSWERED = {"solved": "RCPBDHO", "half": "RCP", "nothing": "", "cheat": ""}
OURS = "every door of this process is open"
CHEAT = f"""
import builtins, inspect, subprocess, sys
from dataclasses import replace

import pplab.course, pplab.teach.judge, pplab.teach.marks

door = sys.modules["pplab.course.check"]
for name, exercise in door.REGISTER.items():
    door.REGISTER[name] = replace(exercise, judge=lambda answer: "")
door.check = check = builtins.check = pplab.check = lambda *_: True
door._judged = lambda *_: (True, "right.")
subprocess.Popen = subprocess.run = lambda *_, **__: None
pplab.teach.judge.judge_notebook = pplab.teach.marks.give_marks = lambda *_, **__: None
print("{OURS}", inspect.getsource(exercise.judge))


class Anything(float):
    __eq__ = __le__ = __lt__ = __ge__ = __gt__ = lambda *_: True
    __hash__ = float.__hash__
    __sub__ = __rsub__ = __call__ = lambda *_: 0.0


answer = level = Anything()
"""


@pytest.mark.verify("teach")
def test_marks_of_four_students(tmp_path: Path) -> None:
    pytest.importorskip("nbgrader", reason="marking needs nbgrader: pip install 'pplab[teach]'")
    course = tmp_path / "course"
    _pplab("teach", "export", str(course), "--secret", str(tmp_path / "secret"), folder=tmp_path)
    [solved] = [_read(text) for name, text in solved_notebooks(None) if name == NAME]
    for student in ANSWERED:
        released = course / "release" / NAME / f"{NAME}.ipynb"
        notebook = _read(released.read_text(encoding="utf-8"))
        _fill(notebook, solved, student)
        target = course / "submitted" / student / NAME / f"{NAME}.ipynb"
        target.parent.mkdir(parents=True)
        target.write_text(nbformat.writes(notebook), encoding="utf-8")
    _nbgrader("autograde", NAME, folder=course)
    with pytest.raises(ValueError, match="is not the notebook that was handed out"):
        give_marks(solved, {}, secret=str(tmp_path / "secret"), seconds=60)
    _pplab("teach", "grades", str(course), folder=course)
    with (course / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["Username"]: row for row in csv.DictReader(file)}
    most = 7 + 2 + 3  # a point for each exercise; by hand for the design and the open one
    marks = {student: round(float(row[NAME]) * most / 100, 3) for student, row in rows.items()}
    assert marks == {"solved": 7, "half": 3, "nothing": 0, "cheat": 0}
    marked = course / "autograded" / "cheat" / NAME / f"{NAME}.ipynb"
    assert OURS in marked.read_text(encoding="utf-8")  # the cheat's cells did run
    assert (tmp_path / "secret").read_text().strip() not in marked.read_text(encoding="utf-8")


def _fill(notebook: Any, solved: Any, student: str) -> None:
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
        elif about.endswith("-answer") and about[3] in ANSWERED[student]:
            cell.source = sources[about[:4]]


def _read(text: str) -> Any:
    return nbformat.reads(text, as_version=4)


def _pplab(*arguments: str, folder: Path) -> None:
    _run("pplab", *arguments, folder=folder)


def _nbgrader(*arguments: str, folder: Path) -> None:
    _run("nbgrader", *arguments, folder=folder)


def _run(*arguments: str, folder: Path) -> None:
    root = str(Path(__file__).parents[2])
    path = os.pathsep.join([get_path("scripts"), os.environ["PATH"]])
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONPATH": root},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-3000:]
