"""The committed notebooks are what their sources say; a failure prints how to mend it."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import ModuleType

import nbformat
import pytest

from .conftest import NOTEBOOKS

SOURCES = sorted((NOTEBOOKS / "src").glob("*.py"))


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_notebook_is_in_step_with_its_source(cells: ModuleType, source: Path) -> None:
    complaints = cells.out_of_step(source)
    assert not complaints, "\n".join([*complaints, f"mend it with: {cells.MEND}"])


def test_there_are_notebooks_and_none_without_a_source() -> None:
    wanted = {f"{source.stem}.ipynb" for source in SOURCES}
    assert wanted >= {"00_start_here.ipynb", "02_noise_graphs.ipynb"}
    for folder in (NOTEBOOKS, NOTEBOOKS / "solutions"):
        assert {path.name for path in folder.glob("*.ipynb")} == wanted


def _change(path: Path, place: int, text: str) -> None:
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[place].source += text
    nbformat.write(notebook, path)


def test_the_test_sees_every_kind_of_difference(
    cells: ModuleType, built_sample: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "notebooks"
    source = folder / "src" / "00_sample.py"

    def complaints_after(change: object, *arguments: object) -> list[str]:
        shutil.copytree(built_sample, folder)
        assert callable(change)
        change(*arguments)
        found = cells.out_of_step(source)
        shutil.rmtree(folder)
        return found

    student, solutions = folder / "00_sample.ipynb", folder / "solutions" / "00_sample.ipynb"
    assert complaints_after(lambda: None) == []
    assert len(complaints_after(_change, student, 2, "\n# edited by hand")) == 1
    assert len(complaints_after(_change, student, -1, "\n# a filled stub")) == 1
    assert len(complaints_after(_change, solutions, 0, " edited")) == 1
    assert len(complaints_after(student.unlink)) == 1
    text = (built_sample / "src" / "00_sample.py").read_text()
    assert len(complaints_after(source.write_text, text.replace("range(10)", "range(11)"))) == 2
    assert len(complaints_after(source.write_text, text + "\n# %%\n1 + 1\n")) == 2
    assert len(complaints_after(source.write_text, text.replace('"real-data"', '"other"'))) == 2
