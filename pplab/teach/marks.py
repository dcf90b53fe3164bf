"""Marks in a course of nbgrader: the judge's process gives them, Moodle gets them."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

# In a locked cell: the exercise, and the expression that is its answer.
TEST = re.compile(r'^check\("(\d\d-[A-Z])", (.+)\)$', re.MULTILINE)


def give_marks(
    nb: Any, resources: Any, *, secret: str, seconds: float, user: str | None = None
) -> tuple[Any, Any]:
    """Stand where nbgrader runs the notebook: no cell of a student decides a mark.

    Locked cells get the verdict of the judge's process as their output, other cells what they
    printed.

    Parameters
    ----------
    nb, resources : NotebookNode, dict
        As nbconvert hands them to a preprocessor; nbgrader has just restored the locked cells.
    secret : str
        File with the secret of the course.
    seconds : float
        For each cell and each exercise of the student.
    user : str, optional
        Account that runs the student's cells, where this one may change accounts (root, not on
        Windows); this one when left out.

    Raises
    ------
    ValueError
        If the notebook has none of the locked cells, so that nothing could be marked.
    RuntimeError
        If the judge's process stops, or takes 30 times as long as one cell may.
    """
    from nbformat.v4 import new_output

    code = [cell for cell in nb.cells if cell.cell_type == "code"]
    tests = {place: found for place, cell in enumerate(code) if (found := _test(cell))}
    if not tests:
        raise ValueError(
            "this is not the notebook that was handed out: it has none of the course's locked "
            "cells; hand out release/NAME/NAME.ipynb, and collect that"
        )
    work = {
        "secret": Path(secret).read_text(encoding="utf-8").strip(),
        "cells": [tests.get(place, cell.source) for place, cell in enumerate(code)],
        "seconds": seconds,
        "user": user,
    }
    judged = _judged(work)
    for place, cell in enumerate(code):
        cell.outputs, cell.execution_count = [], None
        if place in tests:
            correct, message = judged["verdicts"][tests[place][0]]
            text = f"{tests[place][0]}: {message}"
            cell.outputs = [
                new_output("stream", text=text)
                if correct
                else new_output("error", ename="NotYet", evalue=text, traceback=[text])
            ]
        elif printed := judged["printed"][place]:
            cell.outputs = [new_output("stream", text=printed)]
    return nb, resources


def _test(cell: Any) -> tuple[str, str] | None:
    """Exercise and expression of a locked cell."""
    about = cell.metadata.get("nbgrader", {})
    found = TEST.search(cell.source) if about.get("grade") and not about.get("solution") else None
    return (found[1], found[2]) if found else None


def _judged(work: dict[str, Any]) -> dict[str, Any]:
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pplab.teach.judge"],
            input=json.dumps(work),
            capture_output=True,
            encoding="utf-8",
            timeout=30 * work["seconds"],  # twice what the judge gives to a notebook
        )
    except subprocess.TimeoutExpired as error:
        raise RuntimeError(f"no marks: the judge took longer than {error.timeout:g} s") from error
    if done.returncode:
        raise RuntimeError(f"no marks: the judge stopped: {done.stderr.strip()[-300:]}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def write_grades(course: Path, file: Path) -> int:
    """Write the marks of a course as Moodle imports them; give the number of students.

    A row for each student, a column for each assignment that anybody handed in. Marks are per
    cent, since a grade item that Moodle makes of a column goes up to 100. A dash stands where
    nothing was handed in; Moodle leaves it out.

    Raises
    ------
    ValueError
        If the folder holds no gradebook, or the file exists.
    """
    from nbgrader.api import Gradebook

    if file.exists():
        raise ValueError(f"{file} exists: remove it, or name another file")
    database = course / "gradebook.db"
    if not database.is_file():
        raise ValueError(f"{course} holds no gradebook.db: name the folder of the course")
    with Gradebook(f"sqlite:///{database.resolve()}", "pplab") as gradebook:
        names = [each.name for each in gradebook.assignments if each.num_submissions]
        text = io.StringIO(newline="")
        rows = csv.writer(text)
        rows.writerow(["Username", "First name", "Last name", "Email address", *names])
        for student in gradebook.students:
            person = [student.id, student.first_name, student.last_name, student.email]
            shares = {
                each.assignment.name: f"{100 * each.score / each.max_score:.2f}"
                for each in student.submissions
            }
            marks = [shares.get(name, "-") for name in names]
            rows.writerow([*(each or "" for each in person), *marks])
        count = len(gradebook.students)
    part = file.with_name(f"{file.name}.part")
    part.write_text(text.getvalue(), encoding="utf-8", newline="")
    part.replace(file)
    return count
