"""Archives, where solutions come from, and what is refused."""

import json
import posixpath
import re
import zipfile
from itertools import chain
from pathlib import Path

import pytest
from traitlets.config import Config

from pplab.shipped import shipped
from pplab_course.exercises import exercises
from pplab_course.teach.course import archives, solved_notebooks, student_notebooks
from pplab_course.teach.export import _CONFIG, export, source_version
from pplab_course.teach.marks import drop_copies, give_marks

REGISTER = exercises()


def test_only_the_teachers_archive_holds_solutions(tmp_path):
    student, teacher = archives(tmp_path / "new")
    names = [f"{name}.ipynb" for name, _ in student_notebooks()]
    handed_out = zipfile.ZipFile(student).namelist()
    assert set(names) < set(handed_out)
    solved = [f"solutions/{name}" for name in names]
    pages = sorted((shipped() / "docs").glob("teach/*.md"))
    pages += sorted((shipped() / "docs").glob("teach/answers/*"))
    guide = [page.relative_to(shipped()).as_posix() for page in pages]
    assert len(guide) >= 10
    assert zipfile.ZipFile(teacher).namelist() == [*handed_out, *solved, *guide]
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
    with pytest.raises(ValueError, match=f"holds no solution of {FIRST}"):
        list(solved_notebooks(student))


REASONS = {
    "D": "# Say here why you chose this, and what it costs (read by your teacher, 2 points):\n\n",
    "O": "# Run the check, then write here what its three lines ask for and your answer does not\n"
    "# say yet (read by your teacher, 3 points):\n\n",
}
FIRST = next(name for name, _ in student_notebooks())
BY_HAND = {"D": {"points": 2}, "O": {"points": 3}}


def _exercises(notebook):
    cells = json.loads(notebook)["cells"]
    return [cell for cell in cells if "solution" in cell["metadata"].get("tags", [])]


def _wanted(student, solved):
    """Cells of an exercise for nbgrader, whole: one to fill in and a locked one."""
    stub, _, call = "".join(student["source"]).rpartition("\n")
    kept, name = "".join(solved["source"]).rpartition("\n")[0], call.split('"')[1]
    assert call.startswith(f'check("{name}", ')
    compile(stub, name, "exec")
    assert "YOUR CODE" in stub
    assert "..." in stub
    points, result = BY_HAND.get(name[-1], {}), REASONS.get(name[-1], "")
    cell = {"grade": bool(points), "grade_id": f"{name}-answer", "locked": False, "solution": True}
    yield f"{result}{stub.rstrip()}\n### BEGIN SOLUTION\n{kept}\n### END SOLUTION", cell | points
    # the net: a run without the course's judge ends in an error, which is worth no point
    net = f'raise SystemError("{name} has no mark: only the course\'s judge gives one")'
    cell = {"grade": True, "grade_id": name, "locked": True, "solution": False, "points": 1}
    yield f"{call}\n### BEGIN HIDDEN TESTS\n{net}\n### END HIDDEN TESTS", cell


def test_every_exercise_has_a_cell_to_fill_in_and_a_locked_one():
    solved = dict(solved_notebooks(None))
    exercises, by_hand = [], {name for name in REGISTER if name[-1] in BY_HAND}
    for name, student in student_notebooks():
        cells = source_version(json.loads(student), json.loads(solved[name]), by_hand)["cells"]
        assert len({cell["id"] for cell in cells}) == len(cells)
        prose = "\n".join(cell["source"] for cell in cells if cell["cell_type"] == "markdown")
        assert re.findall(r"\]\((?!https:|#)", prose) == [], "a link that leads nowhere"
        assert not re.search(r"you\s+judge\b.{0,10}\syourself", prose), name
        results = [cell for cell in cells if "nbgrader" in cell["metadata"]]
        expected = map(_wanted, _exercises(student), _exercises(solved[name]))
        for cell, (source, about) in zip(results, chain(*expected), strict=True):
            assert cell["source"] == source
            assert cell["metadata"]["nbgrader"] == about | {"schema_version": 3, "task": False}
        exercises += [cell["metadata"]["nbgrader"]["grade_id"] for cell in results[1::2]]
    assert sorted(exercises) == sorted(REGISTER)


def test_the_configuration_gives_marks_by_the_judge_alone(monkeypatch):
    config = Config()
    monkeypatch.setattr("builtins.get_config", lambda: config, raising=False)
    exec(_CONFIG.format(secret="/kept/apart", own=True), {})
    kept = {"secret": "/kept/apart", "seconds": 120, "own": True}
    first, *others = config.Autograde.autograde_preprocessors
    assert (first.func, first.keywords) == (give_marks, kept)
    assert config.Autograde.sanitize_preprocessors.get_value([len]) == [drop_copies, len]
    assert [name.rpartition(".")[2] for name in others] == [
        *("LimitOutput", "SaveAutoGrades", "AssignLatePenalties", "CheckCellMetadata")
    ]


def test_a_solved_notebook_may_have_more_cells_and_lacks_none():
    """Cells were paired by place: one more was refused in the words of zip."""
    student = (shipped() / "notebooks" / f"{FIRST}.ipynb").read_text(encoding="utf-8")
    [solved] = [json.loads(text) for name, text in solved_notebooks(None) if name == FIRST]
    expected = source_version(json.loads(student), solved, ())
    solved["cells"].insert(0, {"cell_type": "markdown", "id": "m", "metadata": {}, "source": "x"})
    assert source_version(json.loads(student), solved, ()) == expected
    for cell in solved["cells"]:
        cell["id"] += "x"
    with pytest.raises(ValueError, match=r"has no cell of 00-C with the id .* --solutions"):
        source_version(json.loads(student), solved, ())


def test_what_cannot_be_exported_is_refused_in_a_sentence(tmp_path):
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
        (empty, tmp_path / "a", empty, f"holds no solution of {FIRST}"),
        (empty, tmp_path / "a", short, "is no archive"),
        (empty, tmp_path / "a", shipped() / "notebooks", f"holds no solution of {FIRST}"),
    ):
        with pytest.raises(ValueError, match=sentence):
            export(folder, secret, solutions=solutions, say=print)
    assert not (tmp_path / "a").exists()
    assert not list(empty.iterdir())
