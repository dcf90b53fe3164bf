"""nbval runs each solution: `make test` without data, `make verify` with the real data."""

import os
import re
import shutil
import sys

import nbformat
import pytest

from pplab_course import film_evenings
from tests.helpers import ended
from tests.notebooks.conftest import NOTEBOOKS

SOLUTIONS = sorted((NOTEBOOKS / "solutions").glob("*.ipynb"))
# Few processes, since each imports pytest, nbval and a grammar of addresses for some seconds first.
SHARES = [pytest.param(SOLUTIONS[first::4], id=f"{first}, {first + 4}, ...") for first in range(4)]
LIMIT = 10 * 60  # seconds for a share; an idle machine needs less than two minutes
CHECKED = "nbval-check-output"  # the tag
# Pictures may differ in a few pixels between machines; their alternative texts must not.
SANITIZE = "[pictures]\nregex: data:image/png;base64,[A-Za-z0-9+/=]+\nreplace: a picture\n"
SANITIZE += '[sizes]\nregex: \\swidth="[0-9]+"\nreplace: \n'


def prepare(source, target, *, real, cells):
    """Copy a notebook; without real data, cells that depend on them are run but not compared."""
    notebook = nbformat.read(source, as_version=4)
    for cell in notebook.cells:
        if not real and "real-data" in cells.tags_of(cell):
            cell.metadata.tags = [tag for tag in cell.metadata.tags if tag != CHECKED]
    nbformat.write(notebook, target)


def nbval(folder, *, data, code=0):
    """Output of a run of a folder's notebooks in lax mode: only marked cells are compared."""
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "sanitize.cfg").write_text(SANITIZE)
    environment = {key: value for key, value in os.environ.items() if key != "PPLAB_DATA"}
    environment["PPLAB_CACHE"] = str(folder / "no-cache")
    if data is not None:
        environment["PPLAB_DATA"] = data
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    environment["TQDM_DISABLE"] = "1"  # a bar that a slow machine shows is no output of the cell
    command = [sys.executable, "-m", "pytest", "-q", "-p", "nbval.plugin", "--nbval-lax"]
    command += ["-p", "no:cacheprovider"]
    command += ["-c", str(folder / "pytest.ini"), "--rootdir", str(folder)]
    command += ["--nbval-sanitize-with", str(folder / "sanitize.cfg"), str(folder)]
    return ended(*command, code=code, cwd=folder, env=environment, timeout=LIMIT).stdout


def test_ids_of_a_reader_go_through_the_notebook_on_own_data(tmp_path, monkeypatch):
    """Ids such as 0101 stay text, and the lists of all of them are not known."""
    monkeypatch.chdir(tmp_path)
    made = film_evenings()
    made["userId"] = made["userId"].map("{:04}".format)
    monkeypatch.setattr("pplab_course.film_evenings", lambda: made)
    source = (NOTEBOOKS / "src" / "19_your_own_data.py").read_text(encoding="utf-8")
    source = source[: source.index("# ### Exercise P")]
    exec(re.sub("(?m)^frame = .*", 'frame = {"listed": "public"}', source), {})


def _pass(solutions, folder, cells, data):
    for solution in solutions:
        prepare(solution, folder / solution.name, real=data is not None, cells=cells)
    shown = nbval(folder, data=data)
    every = [cell for path in solutions for cell in nbformat.read(path, as_version=4).cells]
    assert f"{sum(cell.cell_type == 'code' for cell in every)} passed" in shown


@pytest.mark.parametrize("solutions", SHARES)
def test_solutions_run_without_data(solutions, tmp_path, cells):
    _pass(solutions, tmp_path, cells, None)


@pytest.mark.verify("notebooks")
@pytest.mark.parametrize("solutions", SHARES)
def test_solutions_run_on_real_data(solutions, tmp_path, cells, real_data):
    _pass(solutions, tmp_path, cells, str(real_data.resolve()))


@pytest.mark.verify("notebooks")
def test_a_changed_number_is_caught(tmp_path, cells, built_sample):
    source = built_sample / "solutions" / "00_sample.ipynb"
    target = tmp_path / "sample.ipynb"
    changed = source.read_text().replace("the sum is 45", "the sum is 46")
    changed = changed.replace("depends on data: 42", "depends on data: 43")
    assert changed.count("sum is 46") == changed.count("data: 43") == 1
    mutated = tmp_path / "mutated.ipynb"
    for text, real, failed in (
        (source.read_text(), True, 0),
        (changed, True, 2),
        (changed, False, 1),
    ):
        mutated.write_text(text)
        prepare(mutated, target, real=real, cells=cells)
        folder = tmp_path / f"run-{real}-{failed}"
        folder.mkdir()
        shutil.copy(target, folder)
        shown = nbval(folder, data=None, code=int(failed > 0))
        assert (f"{failed} failed" in shown) == bool(failed)
