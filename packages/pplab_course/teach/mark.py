"""Mark a course student by student: what fails for one costs nobody else a mark."""

import glob
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pplab_course.teach.judge import MOST
from pplab_course.teach.marks import gradebook, judged_apart, marked, need_cage_unless, token

LARGEST = 20 * 10**6  # bytes of a notebook; ours have a tenth of one per cent of that
USER = re.compile(r"\w[\w.@+-]*")  # a user name, as a folder of nbgrader can have it
_SETTINGS = ("schema_version", "solution", "grade", "locked", "task", "points")
SECONDS = 120  # for each cell and each exercise, as in the course's configuration


@dataclass(frozen=True)
class Outcome:
    """The outcome of one submission: its points, or the reason for having none, and oddities."""

    student: str
    points: float
    most: int
    by_hand: int
    reason: str
    remarks: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.reason:
            return f"{self.student}: not marked: {self.reason}"
        waits = f"; left for you to mark: {self.by_hand}" if self.by_hand else ""
        return "; ".join([f"{self.student}: {self.points:g} of {self.most}{waits}", *self.remarks])


def mark(
    course: Path,
    name: str,
    *,
    trusted: bool = False,
    again: bool = False,
    jobs: int = 2,
    say: Callable[[str], None],
) -> list[Outcome]:
    """Mark what was handed in of one notebook, each submission in a process of its own.

    Parameters
    ----------
    course : Path
        Folder that `pplab_course.teach.export.export` wrote.
    name : str
        Notebook, such as 01_privacy_by_counting.
    trusted : bool
        Whether cells run with all rights of this account instead of in a cage.
    again : bool
        Whether those marked already are marked again.
    jobs : int
        Submissions at a time, at least 1.
    say : callable
        Takes a sentence for each submission when it is done.

    Returns
    -------
    list of Outcome
        By student. The course's folder ``logs`` holds what nbgrader said of each.

    Raises
    ------
    ValueError
        If there is no such course or notebook, nothing was handed in, this system has no cage, or
        the course's own solution does not get all points.
    """
    handed_in = sorted((course / "submitted").glob(f"*/{glob.escape(name)}/"))
    students = [folder.parent.name for folder in handed_in]
    with gradebook(course) as book:
        known = [assignment.name for assignment in book.assignments]
    if name not in known:
        raise ValueError(f"{course} has no notebook {name!r}: it has {', '.join(known)}")
    if not students:
        raise ValueError(f"nobody has handed in {name}: put it into submitted/STUDENT/{name}")
    need_cage_unless(trusted)
    secret = _secret(course)
    _try_solution(course, name, secret)
    handouts, text = (course / "handout").glob("*/"), secret.read_text(encoding="utf-8").strip()
    owners = {token(text, handout.name): handout.name for handout in handouts}

    def one(student: str) -> Outcome:
        reason, read = "", _answers(marked(course, student, name))
        if again or not _is_marked(course, student, name):
            reason = _autograde(course, student, name, trusted=trusted)
        failed = Outcome(student, 0, 0, 0, reason)
        outcome = failed if reason else _outcome(course, student, name, owners, read)
        say(str(outcome))
        return outcome

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(one, students))


def _secret(course: Path) -> Path:
    """The secret file, which the configuration names."""
    text = (course / "nbgrader_config.py").read_text("utf-8")
    if (secret := re.search(r"secret=('.*?'|\".*?\")", text)) is None:
        raise ValueError(f"{course / 'nbgrader_config.py'} names no secret: export the course anew")
    return Path(secret[1][1:-1])


def _try_solution(course: Path, name: str, secret: Path) -> None:
    """Mark the course's own solution: it compiles what all need, and must get all points."""
    import nbformat

    source = course / "source" / name / f"{name}.ipynb"
    notebook = nbformat.reads(source.read_text(encoding="utf-8"), as_version=4)
    verdicts = judged_apart(notebook, secret, seconds=5 * SECONDS, trusted=True)["verdicts"]
    wrong = [f"{exercise}: {text}" for exercise, (right, text) in verdicts.items() if not right]
    if wrong:
        raise ValueError(f"the solution of {name} misses points, so nobody was marked: {wrong[0]}")


def _is_marked(course: Path, student: str, name: str) -> bool:
    """True if it was marked since it was handed in."""
    done, submission = marked(course, student, name), course / "submitted" / student / name
    times = [file.stat().st_mtime for file in (submission, *submission.glob("*"))]
    return done.is_file() and done.stat().st_mtime >= max(times)


def _autograde(course: Path, student: str, name: str, *, trusted: bool) -> str:
    """Let nbgrader mark one submission; why it did not, or nothing."""
    notebook = course / "submitted" / student / name / f"{name}.ipynb"
    notebooks = sorted(notebook.parent.glob("*.ipynb"))
    if len(notebooks) == 1:
        notebooks[0].rename(notebook)  # a browser calls it NAME (1).ipynb
    if not USER.fullmatch(student):
        return "the name of the folder is not a user name: use letters, digits and _.@+- alone"
    if not notebook.is_file():
        others = ", ".join(file.name for file in notebooks)
        mend = f", but {others}: delete all but one" if others else ": put one into this folder"
        return f"there is no {name}.ipynb{mend}"
    if notebook.stat().st_size > LARGEST:
        return f"the notebook has {notebook.stat().st_size / 1e6:.0f} MB"
    environment = {key: text for key, text in os.environ.items() if key != "PPLAB_TRUST"}
    only = f"--CourseDirectory.student_id={glob.escape(student)}"
    log = course / "logs" / name / f"{student}.txt"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as output:
        try:
            process = subprocess.run(
                [sys.executable, "-m", "nbgrader", "autograde", name, only, "--force"],
                cwd=course,
                env=environment | ({"PPLAB_TRUST": "1"} if trusted else {}),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                timeout=3 * MOST * SECONDS,
            )
        except subprocess.TimeoutExpired as error:
            return f"it took longer than {error.timeout:g} s"
    if process.returncode == 0 and marked(course, student, name).is_file():
        return ""
    try:
        settings = _settings(notebook)
    except ValueError:
        why = "perhaps a saved page, or saved again by an editor"
        return f"{notebook.name} is no notebook, {why}: ask for the file again"
    own = _settings(course / "release" / name / notebook.name)
    ask = "ask for the answers in the notebook handed out"
    if unknown := sorted(settings.keys() - own.keys()):
        return f"{', '.join(unknown)[:99]} is no name of a cell that was handed out: {ask}"
    if changed := [cell for cell in settings if settings[cell] != own[cell]]:
        return f"{', '.join(changed)[:99]}: kind or points changed, as by nbgrader's toolbar: {ask}"
    raised = r"^ *(?:\w+\.)*\w*(?:Error|Exception)\w*: .*"
    lines = re.findall(raised, log.read_text("utf-8", "replace"), re.M)
    reason = lines[0].partition(": ")[2] if lines else f"nbgrader ended with {process.returncode}"
    reason = f"{reason[:300]} (see {log.relative_to(course)})"
    if re.match("no marks|this (is not|system)", reason):
        return reason
    mend = f"open {notebook.name} in JupyterLab, save it and mark it again, or {ask}"
    return f"nbgrader cannot read it: {reason}; {mend}"


def _settings(notebook: Path) -> dict[str, list[Any]]:
    """Kind and points of each cell that nbgrader knows in a notebook, by its name."""
    found: dict[str, list[Any]] = {}

    def keep(part: dict[str, Any]) -> dict[str, Any]:
        if "grade_id" in part:
            found[str(part["grade_id"])] = [part.get(name) for name in _SETTINGS]
        return part

    json.loads(notebook.read_text("utf-8"), object_hook=keep)
    return found


def _answers(notebook: Path) -> dict[str, str]:
    """The cells of a marked notebook that a teacher reads, by name."""
    cells = json.loads(notebook.read_text("utf-8"))["cells"] if notebook.is_file() else []
    named = {cell["metadata"].get("nbgrader", {}).get("grade_id", ""): cell for cell in cells}
    answers = (name for name in named if name.endswith("-answer"))
    return {name: "".join(named[name]["source"]) for name in answers}


def _outcome(
    course: Path, student: str, name: str, owners: dict[str, str], read: dict[str, str]
) -> Outcome:
    """The points of a marked submission; who hands in a notebook without a check gets 0 for it.

    Points by hand, on an answer or on the check of one, are those of the answer as it was read:
    where it is the same, they stay, and where it has changed, they go; an answer waits again, and
    of a check the judge's points count.
    """
    notebook = course / "submitted" / student / name / f"{name}.ipynb"
    text = notebook.read_text(encoding="utf-8", errors="replace")
    cells = Counter(re.findall(r'"grade_id": *"([^"]+)"', text))  # names given by nbgrader
    remarks = _not_read(notebook)
    order = [cell for cell in _settings(course / "release" / name / notebook.name) if cell in cells]
    if [*cells] != order:
        remarks.append("cells were moved: a check takes the answer of the last cell above it")
    remarks += [f"{cell} is there twice, the last counts" for cell in cells if cells[cell] > 1]
    others = [owner for key, owner in owners.items() if key in text and owner != student]
    remarks += [f"it has the numbers of {owner}" for owner in others]
    points, most, by_hand = 0.0, 0, 0
    now = _answers(marked(course, student, name))
    with gradebook(course) as book:
        [sheet] = book.find_submission(name, student).notebooks
        for grade in sheet.grades:
            if grade.name not in cells:
                remarks.append(f"{grade.name} is deleted, which gives 0")
                grade.auto_score, grade.needs_manual_grade = 0, False
            elif grade.manual_score is not None and _has_changed(grade.name, now, read):
                remarks.append(f"{grade.name} has changed, and lost its mark by hand")
                grade.manual_score = None
                grade.needs_manual_grade = grade.auto_score is None
            elif grade.manual_score is not None:
                grade.needs_manual_grade = False
            by_hand += bool(grade.needs_manual_grade)
            if not grade.name.endswith("-answer"):
                score = grade.auto_score if grade.manual_score is None else grade.manual_score
                points += score or 0
                most += int(grade.max_score)
        book.db.commit()
    return Outcome(student, points, most, by_hand, "", tuple(remarks))


def _not_read(notebook: Path) -> list[str]:
    """Other notebooks of a submission, such as a copy in which the student worked."""
    others = sorted(file.name for file in notebook.parent.glob("*.ipynb") if file != notebook)
    return [f"{other} is not read, {notebook.name} is" for other in others]


def _has_changed(grade: str, now: dict[str, str], read: dict[str, str]) -> bool:
    """True if the answer that a mark by hand is for is another one; a check's is next to it."""
    answer = f"{grade.removesuffix('-answer')}-answer"
    return now.get(answer) != read.get(answer)
