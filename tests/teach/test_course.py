"""Archives, where solutions come from, and what is refused."""

from __future__ import annotations

import json
import posixpath
import re
import zipfile
from pathlib import Path

import pytest

from pplab.course.check import REGISTER
from pplab.shipped import shipped
from pplab.teach.course import archives, solved_notebooks, student_notebooks
from pplab.teach.export import export, source_version


def test_only_the_teachers_archive_holds_solutions(tmp_path: Path) -> None:
    student, teacher = archives(tmp_path / "new")
    names = [f"{name}.ipynb" for name, _ in student_notebooks()]
    handed_out = zipfile.ZipFile(student).namelist()
    assert set(names) < set(handed_out)
    solved = [f"solutions/{name}" for name in names]
    assert zipfile.ZipFile(teacher).namelist() == [*handed_out, *solved]
    for archive, notebook in ((student, names[0]), (teacher, solved[0])):
        files = zipfile.ZipFile(archive)
        linked = re.findall(r"\]\(([\w./-]+\.(?:md|ipynb))", files.read(notebook).decode())
        assert linked
        assert {posixpath.normpath(f"{Path(notebook).parent}/{each}") for each in linked} <= set(
            files.namelist()
        )
    assert list(solved_notebooks(teacher)) == list(solved_notebooks(None))
    with pytest.raises(ValueError, match=r"student\.zip exists: remove it"):
        archives(tmp_path / "new")
    with pytest.raises(ValueError, match="holds no solution of 00_start_here"):
        list(solved_notebooks(student))


def test_every_exercise_has_a_cell_to_fill_in_and_a_locked_one() -> None:
    solved = dict(solved_notebooks(None))
    exercises = []
    for name, student in student_notebooks():
        cells = source_version(json.loads(student), json.loads(solved[name]))["cells"]
        marked = [cell for cell in cells if "nbgrader" in cell["metadata"]]
        assert len({cell["id"] for cell in cells}) == len(cells)
        prose = "\n".join(cell["source"] for cell in cells if cell["cell_type"] == "markdown")
        assert re.findall(r"\]\((?!https:|#)", prose) == [], "a link that leads nowhere"
        for answer, test in zip(marked[::2], marked[1::2], strict=True):
            exercise = test["metadata"]["nbgrader"]["grade_id"]
            exercises.append(exercise)
            assert answer["metadata"]["nbgrader"]["grade_id"] == f"{exercise}-answer"
            assert not answer["metadata"]["nbgrader"]["locked"]
            assert test["metadata"]["nbgrader"]["locked"]
            assert test["source"].startswith(f'check("{exercise}", ')
            stub = answer["source"].partition("### BEGIN SOLUTION")[0]
            compile(stub, exercise, "exec")
            assert "YOUR CODE" in stub
            assert "..." in stub
    assert sorted(exercises) == sorted(REGISTER)


def test_what_cannot_be_exported_is_refused_in_a_sentence(tmp_path: Path) -> None:
    full = tmp_path / "full"
    full.mkdir()
    (full / "mine").write_text("kept")
    short = tmp_path / "short"
    short.write_text("abc")
    empty = tmp_path / "empty"
    empty.mkdir()
    for folder, secret, solutions, sentence in (
        (full, tmp_path / "a", None, "is not an empty folder: name a new one"),
        (short, tmp_path / "a", None, "is not an empty folder: name a new one"),
        (empty, short, None, "holds fewer than 16 characters"),
        (empty, tmp_path / "a", empty, "holds no solution of 00_start_here"),
        (empty, tmp_path / "a", short, "is no archive"),
        (empty, tmp_path / "a", shipped() / "notebooks", "holds no solution of 00_start_here"),
    ):
        with pytest.raises(ValueError, match=sentence):
            export(folder, secret, solutions=solutions, say=print)
    assert not (tmp_path / "a").exists()
    assert not list(empty.iterdir())
