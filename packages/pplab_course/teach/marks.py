"""Marks in a course of nbgrader: the judge's process gives them, Moodle gets them."""

import csv
import hmac
import io
import json
import os
import re
import secrets
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from pplab_course.exercises import NOTEBOOK
from pplab_course.start import write_whole
from pplab_course.teach.cage import why_not
from pplab_course.teach.judge import MOST, signed

# Where Markdown begins a tag of HTML (but those that fold the answers of our quizzes), and a link
# to elsewhere than the web or the page itself. What is there instead shows it as text.
_TAG = re.compile(r"<(?!/?(?:details|summary|br)>)(?=[A-Za-z/!?])")
_LINK = re.compile(r"\](?!\((?:https?://|#))(?!:\s*https?://)(?=[(:])")
JUDGE = [sys.executable, "-m", "pplab_course.teach.judge"]
# In a locked cell: the exercise, and the expression that is its answer.
TEST = re.compile(rf'^check\("({NOTEBOOK}-[A-Z])", (.+)\)$', re.MULTILINE)


def token(secret: str, student: str) -> str:
    """Seed of a student's numbers: it cannot be computed without the secret."""
    return hmac.digest(secret.encode(), student.encode(), "sha256").hex()[:16]


def give_marks(
    nb: Any, resources: Any, *, secret: str, seconds: float, own: bool
) -> tuple[Any, Any]:
    """Stand where nbgrader runs the notebook: no cell of a student decides a mark.

    Locked cells get the verdict of the judge's process as their output, other cells what they
    printed and drew. What else a student could make a page of is cleaned: Markdown, metadata,
    attachments.

    Parameters
    ----------
    nb, resources : NotebookNode, dict
        As nbconvert hands them to a preprocessor; nbgrader has just restored the locked cells.
    secret : str
        File with the secret of the course.
    seconds : float
        For each cell and each exercise of the student.
    own : bool
        Whether the course drew numbers for each student.

    Raises
    ------
    ValueError
        If the notebook has none of the locked cells, so that nothing could be marked; if this
        system has no cage, and the environment has no PPLAB_TRUST to say that none is wanted.
    RuntimeError
        If the judge's process stops, or takes twice as long as the notebook may.
    """
    from nbformat.v4 import new_output

    trusted = bool(os.environ.get("PPLAB_TRUST"))
    need_cage_unless(trusted)
    student = resources["nbgrader"]["student"] if own else ""
    judged = judged_apart(nb, Path(secret), seconds=seconds, trusted=trusted, student=student)
    _clean(nb)
    code = [cell for cell in nb.cells if cell.cell_type == "code"]
    for place, cell in enumerate(code):
        cell.outputs, cell.execution_count = [], None
        if test := _test(cell):
            cell.source = test[2]  # without the hidden line, which tells a reader nothing
            correct, message = judged["verdicts"][test[0]]
            text = f"{test[0]}: {message}"
            failed = {"ename": "NotYet", "evalue": text, "traceback": [text]}
            output = new_output("stream", text=text) if correct else new_output("error", **failed)
            cell.outputs = [output]
            continue
        if printed := judged["printed"][place]:
            cell.outputs.append(new_output("stream", text=printed))
        if prose := judged["prose"][place]:
            output_data = {"text/markdown": _harmless(prose)}
            cell.outputs.append(new_output("display_data", data=output_data))
        for figure in judged["figures"][place]:
            cell.outputs.append(new_output("display_data", data={"image/png": figure}))
    return nb, resources


def drop_copies(nb: Any, resources: Any) -> tuple[Any, Any]:
    """Of a cell that a student has copied let the last one be the cell, the others be text.

    The preprocessor DeduplicateIds of nbgrader, which comes later, leaves what nbgrader refuses.
    """
    seen: set[str | None] = {None}
    for cell in reversed(nb.cells):
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        if name in seen:
            cell.metadata.pop("nbgrader", None)
        seen.add(name)
    return nb, resources


def need_cage_unless(trusted: bool) -> None:
    """Refuse to run cells that are not trusted on a system without a cage."""
    if not trusted and (reason := why_not()):
        raise ValueError(
            f"this system cannot keep students' cells from your files and network ({reason}): mark "
            "on Linux with unshare, or in an account that holds nothing else with pplab teach mark "
            "--trust"
        )


def _clean(nb: Any) -> None:
    """Leave nothing that a browser would run: pages are made of this in the teacher's session."""
    language = {"name": "python", "pygments_lexer": "ipython3"}
    nb.metadata = type(nb.metadata)({"language_info": language})
    for cell in nb.cells:
        cell.pop("attachments", None)
        kept = {"nbgrader": cell.metadata["nbgrader"]} if "nbgrader" in cell.metadata else {}
        cell.metadata = type(cell.metadata)(kept)
        if cell.cell_type == "raw":  # it goes into a page as it is
            cell.cell_type = "markdown"
        if cell.cell_type == "markdown":
            cell.source = _harmless(cell.source)


def _harmless(markdown: str) -> str:
    """Markdown without tags of HTML and without links to elsewhere than the web."""
    text = markdown.replace(r"\href", r"\text")  # a link within a formula
    return _LINK.sub("] ", _TAG.sub("&lt;", text))


def _test(cell: Any) -> tuple[str, str, str] | None:
    """Exercise, expression and line of a locked cell."""
    about = cell.metadata.get("nbgrader", {})
    line = TEST.search(cell.source) if about.get("grade") and not about.get("solution") else None
    return (line[1], line[2], line[0]) if line else None


def judged_apart(
    nb: Any, secret: Path, *, seconds: float, trusted: bool, student: str = ""
) -> dict[str, Any]:
    """The verdicts of `judge_notebook` on a notebook, in a process of its own.

    With a student's name the numbers are those that were drawn for that student.

    Its answer is known by a signature: where there is no cage, others can write there, too.
    """
    code = [cell for cell in nb.cells if cell.cell_type == "code"]
    cells = [test[:2] if (test := _test(cell)) else cell.source for cell in code]
    if all(isinstance(cell, str) for cell in cells):
        raise ValueError(
            "this is not the notebook that was handed out: it has none of the course's locked "
            "cells; hand out release/NAME/NAME.ipynb, and collect that"
        )
    text = secret.read_text(encoding="utf-8").strip()
    seed = token(text, student) if student else ""
    work = {"secret": text, "key": secrets.token_hex(), "cells": cells, "token": seed}
    lost: list[int] = []
    limits = {"seconds": seconds, "trusted": trusted, "lost": lost}
    end = time.monotonic() + 2 * MOST * seconds
    while True:
        try:
            process = subprocess.run(
                JUDGE,
                input=json.dumps(work | limits),
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=end - time.monotonic(),
            )
        except subprocess.TimeoutExpired as error:
            longest = 2 * MOST * seconds
            raise RuntimeError(f"no marks: the judge took longer than {longest:g} s") from error
        lines = process.stdout.splitlines()
        for line in lines:
            signature, _, text = line.partition(" ")
            if hmac.compare_digest(signature.encode(), signed(text, str(work["key"])).encode()):
                result: dict[str, Any] = json.loads(text)
                return result
        busy = process.returncode == -getattr(signal, "SIGPROF", 0)
        if not (busy and lines and lines[-1].isdecimal()):
            problem = process.stderr.strip()[-300:] or f"it ended with {process.returncode}"
            raise RuntimeError(f"no marks: the judge ended early: {problem}")
        lost.append(int(lines[-1]))  # without what kept it busy


def write_grades(course: Path, file: Path) -> Counter[str]:
    """Write the marks of a course as Moodle imports them; count the rows and the reasons of dashes.

    A row for each student. Of each notebook that anybody handed in a column with the marks by the
    judge, and one with those by hand if it has any: the first may be a ticket to the second. Marks
    are per cent, since a grade item that Moodle makes of a column goes up to 100. A dash, which
    Moodle leaves out, stands where nothing was handed in, where marking failed, and where an answer
    waits for points by hand.

    Raises
    ------
    ValueError
        If the folder holds no gradebook.
    """
    text, counts = io.StringIO(newline=""), Counter[str]()
    rows = csv.writer(text)
    with gradebook(course) as book:
        names = [one.name for one in book.assignments if one.num_submissions]
        graded = {name: book.find_notebook(name, name).grade_cells for name in names}
        columns = sorted({(name, _by_hand(cell)) for name in names for cell in graded[name]})
        titles = [f"{name} {'by hand' if by_hand else 'by the judge'}" for name, by_hand in columns]
        rows.writerow(["Username", "First name", "Last name", "Email address", *titles])
        known = {student.id for student in book.students}  # the others could not be read at all
        places = (place for name in names for place in (course / "submitted").glob(f"*/{name}/"))
        counts["not marked"] += sum(place.parent.name not in known for place in places)
        for student in book.students:
            sheets = {}
            for name in names:
                if marked(course, student.id, name).is_file():
                    sheets[name] = book.find_submission_notebook(name, name, student.id).grades
                    waits = any(grade.needs_manual_grade for grade in sheets[name])
                    counts["waiting for points by hand"] += waits
                else:
                    submitted = (course / "submitted" / student.id / name).is_dir()
                    counts["not marked" if submitted else "not handed in"] += 1
            marks = [
                _share([grade for grade in sheets.get(name, ()) if _by_hand(grade) == by_hand])
                for name, by_hand in columns
            ]
            person = [student.id, student.first_name, student.last_name, student.email]
            rows.writerow([*(entry or "" for entry in person), *marks])
            counts["students"] += 1
    write_whole(file, text.getvalue())
    return counts


def _by_hand(cell: Any) -> bool:
    """True if a graded cell, or its grade, is for the teacher to read."""
    return bool(cell.name.endswith("-answer"))


def _share(grades: list[Any]) -> str:
    """The points in per cent; a dash for no grades, and while one is missing."""
    if not grades or any(grade.needs_manual_grade for grade in grades):
        return "-"
    most = sum(grade.max_score for grade in grades)
    return f"{100 * sum(grade.score for grade in grades) / most:.2f}"


def marked(course: Path, student: str, name: str) -> Path:
    """The marked notebook, which nbgrader removes when marking fails."""
    return course / "autograded" / student / name / f"{name}.ipynb"


def gradebook(course: Path) -> Any:
    """The gradebook of a course, to be closed by ``with``."""
    from nbgrader.api import Gradebook

    database = course / "gradebook.db"
    if not database.is_file():
        raise ValueError(f"{course} holds no gradebook.db: name the folder of the course")
    return Gradebook(f"sqlite:///{database.resolve()}", "pplab")
