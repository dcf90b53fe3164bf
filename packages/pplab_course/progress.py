"""Notes of solved exercises: one empty file for each, next to the notebooks; nothing is ever sent.

A file that is there or not needs no lock: several notebooks may solve exercises at once.
"""

import json
import os
from contextlib import suppress
from pathlib import Path

from pplab.shipped import shipped
from pplab_course.start import COURSE, MANIFEST

KINDS = {
    "R": "recall",
    "C": "compute",
    "P": "prove by code",
    "B": "break",
    "D": "design",
    "N": "nearest and counts",
    "O": "open",
}


def titles() -> dict[str, str]:
    """Title of each notebook, by its number.

    Examples
    --------
    >>> titles()["00"]
    'Find somebody: three films, and the price of hiding them'
    """
    files = sorted((shipped() / "notebooks").glob("*.ipynb"))
    cells = (json.loads(file.read_text(encoding="utf-8"))["cells"] for file in files)
    heads = ("".join(first["source"]).splitlines()[0] for first, *_ in cells)
    return dict(head.lstrip("# ").split(" ", 1) for head in heads)


def progress_folder(start: Path = Path()) -> Path:
    """Folder of the notes: PPLAB_PROGRESS, else one in the student's course, else one here.

    Here, or in the folder to start from.

    Two students of one account have two courses, so each has notes of their own.
    """
    if variable := os.environ.get("PPLAB_PROGRESS"):
        return Path(variable)
    current = Path.cwd() / start
    near = (current, *current.parents, current / COURSE)
    courses = (folder for folder in near if (folder / MANIFEST).is_file())
    return next(courses, current) / ".pplab-solved"


def record_solved(exercise_id: str) -> None:
    """Note that an exercise is solved; where nothing can be written, nothing is noted."""
    folder = progress_folder()
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / exercise_id).touch()


def solved(known: list[str]) -> list[str]:
    """Those of the exercises that are noted as solved."""
    folder = progress_folder()
    return [exercise_id for exercise_id in known if (folder / exercise_id).is_file()]


def forget(known: list[str]) -> int:
    """Delete the notes of these exercises; how many there were."""
    gone = solved(known)
    for exercise_id in gone:
        (progress_folder() / exercise_id).unlink(missing_ok=True)
    return len(gone)
