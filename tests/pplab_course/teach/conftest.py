"""Notebooks as they are handed in, and a teacher who marks them without a cage."""

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from pplab_course.teach.marks import give_marks

SECRET = "a secret of more than sixteen"
# Code of a cell that writes into the line on which the judge is asked, whichever that is.
SAY = "for place in range(3, 60):\n    try:\n        os.write(place, {})\n    except OSError: pass"


def notebook(*cells):
    """Of sources, and of pairs: an exercise and what is answered, for a locked cell."""
    made = []
    for cell in cells:
        if isinstance(cell, str):
            made.append(new_code_cell(cell))
            continue
        about = {"grade": True, "grade_id": cell[0], "locked": True, "solution": False}
        made.append(new_code_cell(f'check("{cell[0]}", {cell[1]})', metadata={"nbgrader": about}))
    return new_notebook(cells=made)


def rights(result):
    """Right answers of a judged notebook."""
    return {name: right for name, (right, _) in result["verdicts"].items()}


@pytest.fixture
def marked(tmp_path, monkeypatch):
    """Gives marks to a source and to the answer that it leaves to 02-C."""
    monkeypatch.setenv("PPLAB_TRUST", "1")
    (tmp_path / "secret").write_text(SECRET)

    def by_teacher(source, student=""):
        about, secret = {"nbgrader": {"student": student}}, str(tmp_path / "secret")
        handed_in = notebook(source, ("02-C", "answer"))
        return give_marks(handed_in, about, secret=secret, seconds=60, own=bool(student))[0]

    return by_teacher
