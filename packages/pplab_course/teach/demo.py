"""A small course with three made-up students, marked."""

import json
from collections.abc import Callable
from pathlib import Path

from pplab_course.start import write_whole
from pplab_course.teach.export import export
from pplab_course.teach.feedback import feedback
from pplab_course.teach.mark import mark

NAME = "00_find_somebody"
SOLVED = {"ada": 1.0, "ben": 0.5, "cleo": 0.0}  # share of the exercises


def demo(
    folder: Path, *, trusted: bool, solutions: Path | None, say: Callable[[str], None]
) -> Path:
    """Export one notebook, hand it in three times, mark it; give one student's page of feedback.

    Parameters are those of `pplab_course.teach.export.export` and `pplab_course.teach.mark.mark`.
    """
    export(folder, folder.parent / f"{folder.name}.secret", solutions=solutions, only=NAME, say=say)
    texts = [folder / part / NAME / f"{NAME}.ipynb" for part in ("release", "source")]
    released, source = (json.loads(text.read_text(encoding="utf-8")) for text in texts)
    answers = {cell["id"]: cell["source"] for cell in source["cells"]}
    about = ((cell, cell["metadata"].get("nbgrader", {})) for cell in released["cells"])
    open_cells = [cell for cell, grading in about if grading.get("solution")]
    stubs = [cell["source"] for cell in open_cells]
    for student, share in SOLVED.items():
        for place, cell in enumerate(open_cells):
            solved = place < share * len(open_cells)
            cell["source"] = answers[cell["id"]] if solved else stubs[place]
        write_whole(folder / "submitted" / student / NAME / f"{NAME}.ipynb", json.dumps(released))
    mark(folder, NAME, trusted=trusted, say=say)
    return next(page for page in feedback(folder, NAME) if "ben" in page.parts)
