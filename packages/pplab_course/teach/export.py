"""A course for nbgrader: what the teacher keeps, what students get."""

import json
import os
import re
import secrets
import tempfile
from collections.abc import Callable, Collection
from pathlib import Path
from sysconfig import get_path
from typing import Any

from pplab_course.draws import TOKEN
from pplab_course.exercises import exercises, own_exercise
from pplab_course.start import write_whole
from pplab_course.teach.collect import text_of
from pplab_course.teach.course import solved_notebooks, student_notebooks
from pplab_course.teach.mark import USER
from pplab_course.teach.marks import TEST, token

SHORTEST = 16  # characters of a secret

# Points that a person gives next to the judge's one: for a design, for each line of a rubric.
POINTS = {"D": 2, "O": 3}

_CONFIG = Path(__file__).with_name("nbgrader_config.txt").read_text(encoding="utf-8")

_FILE_LINK = re.compile(r"\[([^\]]+)\]\((?!https?:|#)[^)]+\)")
_YOURSELF = re.compile(r"you\s+judge(\s+the\s+rest)?\s+yourself")
_REASONS = {
    "D": "# Say here why you chose this, and what it costs (read by your teacher, 2 points):\n\n",
    "O": "# Run the check, then write here what its three lines ask for and your answer does not\n"
    "# say yet (read by your teacher, 3 points):\n\n",
}


def export(
    folder: Path,
    secret: Path,
    *,
    solutions: Path | None = None,
    only: str = "",
    by_hand: Collection[str] = (),
    students: Path | None = None,
    say: Callable[[str], None],
) -> None:
    """Write an nbgrader course: configuration, source and release of each notebook, gradebook.

    Parameters
    ----------
    folder : Path
        A new or empty folder, for the teacher alone.
    secret : Path
        File with the secret that hidden inputs are drawn from; made when it is missing.
    solutions : Path, optional
        Folder of solved notebooks or the teacher's archive; the clone's when left out.
    only : str
        The one notebook of the course; all of them when left out.
    by_hand : collection of str
        Exercises D and O that get points by hand; all of them when left out.
    students : Path, optional
        File with the name of a student on each line: each gets numbers of their own in exercises
        C, in notebooks in the folder ``handout``.
    say : callable
        Takes a sentence for each notebook.

    Raises
    ------
    ValueError
        If the folder is not empty, solutions are missing, the secret is too short, or a name
        cannot be a folder's or an exercise is not there.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(f"{folder} is not an empty folder: name a new one, nothing is overwritten")
    solved = {n: text for n, text in solved_notebooks(solutions) if only in ("", n)}
    names = student_names(students) if students else []
    open_ones = {name for name in exercises() if name[-1] in POINTS}
    if unknown := sorted(set(by_hand) - open_ones):
        raise ValueError(f"by_hand must name exercises D or O such as 02-D, got {unknown[0]!r}")
    folder.absolute().parent.mkdir(parents=True, exist_ok=True)
    hidden = secret_in(secret)
    from nbgrader.apps import NbGraderAPI
    from traitlets.config import Config

    with tempfile.TemporaryDirectory(dir=folder.absolute().parent) as scratch:
        part = Path(scratch) / "course"
        part.mkdir(mode=0o700)
        for name, student in student_notebooks():
            if name not in solved:
                continue
            read = set(by_hand) or open_ones
            notebook = source_version(json.loads(student), json.loads(solved[name]), read)
            write_whole(part / "source" / name / f"{name}.ipynb", json.dumps(notebook, indent=1))
        text = _CONFIG.format(secret=str(secret.resolve()), own=bool(names))
        (part / "nbgrader_config.py").write_text(text, encoding="utf-8")
        config = Config()
        config.CourseDirectory.root = str(part)
        config.CourseDirectory.course_id = "pplab"
        config.ClearSolutions.code_stub = {"python": ""}
        # nbgrader starts alembic by its name, also where the environment is not activated
        os.environ["PATH"] = os.pathsep.join([get_path("scripts"), os.environ.get("PATH", "")])
        for name in solved:
            done = NbGraderAPI(config=config).generate_assignment(name)
            if not done["success"]:
                raise ValueError(f"nbgrader refused {name}: {done.get('log')}")
            say(f"{name}: source and release")
            released = part / "release" / name / f"{name}.ipynb"
            for person in names:
                drawn_from = token(hidden, person)
                notebook = with_own_numbers(json.loads(released.read_text("utf-8")), drawn_from)
                handout = part / "handout" / person / name / f"{name}.ipynb"
                write_whole(handout, json.dumps(notebook, indent=1))
        if folder.exists():
            folder.rmdir()
        part.rename(folder)


def secret_in(secret: Path) -> str:
    """The secret in a file, which is made when it is missing.

    Raises
    ------
    ValueError
        If it is too short.
    """
    if not secret.exists():
        descriptor = os.open(secret, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(f"{secrets.token_hex(16)}\n")
    text = secret.read_text(encoding="utf-8").strip()
    if len(text) < SHORTEST:
        raise ValueError(f"{secret} holds fewer than {SHORTEST} characters: name another file")
    return text


def student_names(file: Path) -> list[str]:
    """The names in a file, one on each line, as folders of nbgrader can have them.

    Raises
    ------
    ValueError
        If a name has other characters than letters, digits and ``_.@+-``, or stands twice, or if
        there is none.
    """
    names = [name.strip() for name in text_of(file).split("\n") if name.strip()]
    for place, name in enumerate(names or [""]):
        if not USER.fullmatch(name) or name in names[:place] or name.lower() == "username":
            raise ValueError(
                f"{file} has one user name on each line, each once, such as ada-l; got {name!r}"
            )
    return names


def with_own_numbers(notebook: Any, drawn_from: str) -> Any:
    """A released notebook with the numbers of one student, above the cells that ask for them."""
    setting = f'import os\n\nos.environ["{TOKEN}"] = "{drawn_from}"  # your numbers: run this first'
    cells = [notebook["cells"][0], _cell("code", "own-numbers", setting)]
    for cell in notebook["cells"][1:]:
        about = cell["metadata"].get("nbgrader", {})
        name = about.get("grade_id", "").removesuffix("-answer")
        if about.get("solution") and (sample := own_exercise(name, drawn_from)):
            words = f"**Your own numbers for {name}** (run the first cell of code): {sample[0]}."
            cells.append(_cell("markdown", f"own-{name}", words))
        cells.append(cell)
    return {**notebook, "cells": cells}


def _cell(kind: str, name: str, source: str) -> dict[str, Any]:
    cell: dict[str, Any] = {"cell_type": kind, "id": name, "metadata": {}, "source": source}
    return cell | ({"outputs": [], "execution_count": None} if kind == "code" else {})


def source_version(student: Any, solved: Any, by_hand: Collection[str]) -> Any:
    """The notebook that nbgrader makes the release from: stub, solution, locked test.

    The last line of a solution, its call of check, becomes a locked cell of its own. A link to a
    file becomes plain text: an assignment travels alone. Exercises in ``by_hand`` get points by
    hand as well, so that the text before O no longer lets students judge themselves.
    """
    cells, answers = [], {cell.get("id"): cell for cell in solved["cells"]}
    for cell in student["cells"]:
        cells.append(cell)
        if cell["cell_type"] == "markdown":
            cell["source"] = _FILE_LINK.sub(r"\1", "".join(cell["source"]))
        if "solution" not in cell["metadata"].get("tags", []):
            continue
        stub, _, call = "".join(cell["source"]).rpartition("\n")
        if (line := TEST.fullmatch(call)) is None:
            raise ValueError(f"the last line of a solution cell calls check, got {call!r}")
        exercise = line[1]
        if cell["id"] not in answers:
            raise ValueError(
                f"the solved notebook has no cell of {exercise} with the id {cell['id']}: solve "
                "this version's notebook in JupyterLab, and name its folder with --solutions"
            )
        kept = "".join(answers[cell["id"]]["source"]).rpartition("\n")[0]
        reasons = _REASONS[exercise[-1]] if exercise in by_hand else ""
        cell["source"] = f"{reasons}{stub.rstrip()}\n### BEGIN SOLUTION\n{kept}\n### END SOLUTION"
        points = {"points": POINTS[exercise[-1]]} if exercise in by_hand else {}
        cell["metadata"]["nbgrader"] = _metadata(f"{exercise}-answer", solution=True, **points)
        hidden = f'raise SystemError("{exercise} has no mark: only the course\'s judge gives one")'
        lines = [call, "### BEGIN HIDDEN TESTS", hidden, "### END HIDDEN TESTS"]
        test = _cell("code", f"{cell['id']}-test", "\n".join(lines))
        test["metadata"]["nbgrader"] = _metadata(exercise, solution=False, points=1)
        cells.append(test)
        if exercise[-1] == "O" and exercise in by_hand:
            for text in student["cells"]:
                text["source"] = _YOURSELF.sub(r"your teacher judges\1", "".join(text["source"]))
    return {**student, "cells": cells}


def _metadata(grade_id: str, *, solution: bool, **points: int) -> dict[str, Any]:
    cell = {"grade_id": grade_id, "schema_version": 3, "solution": solution, "task": False}
    return cell | {"grade": bool(points), "locked": not solution} | points
