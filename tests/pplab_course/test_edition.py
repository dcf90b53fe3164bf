"""Two editions have the same ids: a notebook of the first is told where its exercise is now."""

import sys

import pytest

from pplab_course.edition import today
from pplab_course.exercises import exercises
from tests.helpers import ended

OLD = {"01": "RCPBDHO", "07": "RCPNDBO", "08": "RCPDOSB", "10": "RCPBD", "00": "RCPBO"}
LETTERS = {f"{number:02}": "RCPBDO" for number in range(14)} | OLD


@pytest.mark.parametrize(
    ("imported", "reply"),
    [
        ("from pplab import check", "this notebook is of the first edition; 06-O is 07-O now. "),
        ("from pplab_course import check", "06-O: "),
        ("import pplab; from pplab_course import check; check = pplab.check", "this notebook is "),
    ],
)
def test_an_old_notebook_gets_one_line_and_no_note(imported, reply, tmp_path):
    cells = ["my_prediction = 0.5", imported, "said = check('06-O', 'nothing')"]
    code = (
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell.instance()\n"
        f"for cell in {cells}: shell.run_cell(cell, store_history=True).raise_error()\n"
    )
    shown = ended(sys.executable, "-c", code, cwd=tmp_path).stdout
    assert shown.startswith(reply)
    assert shown.count("\n") == 1 or reply == "06-O: "
    assert list(tmp_path.rglob("*-[A-Z]")) == []


def test_a_script_of_ones_own_needs_no_edition(tmp_path):
    code = "import pplab; my_prediction = 1; pplab.check('02-C', 8)"
    done = ended(sys.executable, "-c", code, cwd=tmp_path)
    assert done.stdout.startswith("02-C: right")


def test_each_old_exercise_is_in_its_notebook_or_is_told_to_have_gone():
    now = {f"{n}-{letter}": today(f"{n}-{letter}") for n in LETTERS for letter in LETTERS[n]}
    assert {name for name in now.values() if name} <= set(exercises())
    assert [name for name, place in now.items() if not place] == ["00-B", "01-O"]
