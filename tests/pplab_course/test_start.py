"""`pplab lab`, `notebooks` and `progress`: a folder of the student's own, never overwritten."""

import json
import os
import re
import sys
import urllib.error
import urllib.request
from pathlib import Path
from types import ModuleType

import pytest

from pplab.shipped import shipped
from pplab_course import check, start
from pplab_course.progress import KINDS, progress_folder
from tests.helpers import PYTHONPATH, dead_links, output_of, run, served

FIRST, SECOND = "00_find_somebody.ipynb", "01_privacy_by_counting.ipynb"


@pytest.fixture
def course(tmp_path):
    """The course, copied."""
    folder = tmp_path / "my course"
    assert run("notebooks", folder).exit_code == 0
    return folder


@pytest.fixture
def newer(monkeypatch):
    """A later pplab, which has other texts in the first two notebooks and one notebook more."""
    files = start.course_files()
    files |= {FIRST: b"new 00", SECOND: b"new 01", "99_later.ipynb": b"more"}
    monkeypatch.setattr(start, "course_files", lambda: files)
    return files


def test_the_course_is_copied_whole_with_its_links(course):
    there = {path.relative_to(course).as_posix() for path in course.rglob("*") if path.is_file()}
    hashes = json.loads((course / start.MANIFEST).read_text(encoding="utf-8"))
    assert set(hashes) == set(start.course_files()) == there - {start.MANIFEST}
    committed = {path.name for path in (shipped() / "notebooks").glob("*.ipynb")}
    assert {name for name in there if name.endswith(".ipynb")} == committed
    for file in [*course.glob("*.ipynb"), *course.glob("docs/*.md")]:
        assert dead_links(file.read_text(encoding="utf-8"), file.parent) == [], file.name


def test_what_is_there_is_not_copied_again(course):
    before = {path: path.stat().st_mtime_ns for path in course.rglob("*.ipynb")}
    (course / SECOND).unlink()
    assert "1 files copied" in run("notebooks", course).output
    assert "nothing was missing" in run("notebooks", course, "--update").output
    after = {path: path.stat().st_mtime_ns for path in course.rglob("*.ipynb")}
    assert {path for path in after if after[path] != before[path]} == {course / SECOND}


def test_an_edited_notebook_is_never_overwritten(course, newer):
    (course / FIRST).write_text("my answers", encoding="utf-8")
    plain = run("notebooks", course).output
    assert f"older than this pplab: {SECOND}; add --update" in plain
    assert (course / SECOND).read_bytes() != newer[SECOND]
    assert (course / "99_later.ipynb").read_bytes() == b"more", "what is new is missing"
    update = run("notebooks", course, "--update").output
    assert f"replaced by newer ones: {SECOND}" in update
    assert f"left as you edited them: {FIRST}" in update
    assert (course / SECOND).read_bytes() == newer[SECOND]
    assert (course / FIRST).read_text(encoding="utf-8") == "my answers"
    assert not list(course.rglob("*.tmp"))


def _edit(file, change):
    notebook = json.loads(file.read_text(encoding="utf-8"))
    change(notebook["cells"])
    file.write_text(json.dumps(notebook), encoding="utf-8")


def _run_it(cells):
    for cell in cells:
        if cell["cell_type"] == "code":
            cell |= {"outputs": [], "execution_count": 99}
        cell["metadata"]["scrolled"] = True


def _answer(cells):
    cells[-1]["source"] = "my answer"


def test_a_notebook_that_was_only_run_is_not_edited(course, newer):
    _edit(course / FIRST, _run_it)
    output = run("notebooks", course, "--update").output
    assert FIRST in output.split("replaced by newer ones: ")[1]
    assert "left as you edited" not in output
    assert (course / FIRST).read_bytes() == newer[FIRST]


def test_of_the_edited_notebooks_those_that_changed_are_named(course, newer):
    third = "02_noise_graphs.ipynb"
    for name in (FIRST, third):
        _edit(course / name, _answer)
    output = run("notebooks", course, "--update").output
    assert f"left as you edited them: {FIRST}, {third}\n" in output
    assert f"pplab has newer versions of these: {FIRST}; rename yours" in output
    (course / FIRST).rename(course / "mine.ipynb")
    again = run("notebooks", course).output
    assert "newer versions of these" not in again
    assert (course / FIRST).read_bytes() == newer[FIRST]


def test_a_file_that_pplab_did_not_write_is_somebodys(tmp_path):
    (tmp_path / FIRST).write_text("mine", encoding="utf-8")
    assert f"left as you edited them: {FIRST}" in run("notebooks", tmp_path, "--update").output
    assert (tmp_path / FIRST).read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("lost", [{SECOND}, {SECOND, start.MANIFEST}])
def test_a_broken_update_goes_on(course, newer, monkeypatch, lost):
    """Stopped after one file, with the manifest written and without."""
    write = start.write_whole

    def breaks(file, text):
        if file.name in lost:
            raise OSError("No space left on device")
        write(file, text)

    monkeypatch.setattr(start, "write_whole", breaks)
    assert "No space left" in run("notebooks", course, "--update").stderr
    monkeypatch.setattr(start, "write_whole", write)
    assert "left as you edited" not in run("notebooks", course, "--update").output
    assert (course / FIRST).read_bytes() == newer[FIRST]
    assert (course / SECOND).read_bytes() == newer[SECOND]


def test_nobody_works_in_what_is_handed_out():
    folder = shipped() / "notebooks"
    before = sorted(folder.iterdir())
    for command in ("notebooks", "lab"):
        text = run(command, folder).output.replace("\n", " ")
        assert "holds the notebooks that are handed out: name a folder of your own" in text
    assert sorted(folder.iterdir()) == before


def test_lab_opens_the_first_notebook(tmp_path, monkeypatch):
    command = []
    made = ModuleType("jupyterlab.labapp")
    made.LabApp = type("LabApp", (), {"launch_instance": command.append})
    monkeypatch.setitem(sys.modules, "jupyterlab.labapp", made)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "theirs")
    monkeypatch.setattr(os, "geteuid", int, raising=False)  # root, as in a container
    text = run("lab", "--no-browser")
    assert (text.exit_code, "if you mean that, add --allow-root" in text.stderr) == (1, True)
    assert run("lab", "--no-browser", "--allow-root").exit_code == 0
    command.clear()
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "theirs")
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    assert run("lab", "--no-browser", "--port=8911").exit_code == 0
    ours, theirs = os.environ["JUPYTER_CONFIG_PATH"].split(os.pathsep)
    assert "fetchNews" in Path(ours, "labconfig/default_setting_overrides.json").read_text()
    assert theirs == "theirs"
    assert run("lab", "mine", "--port=8889").exit_code == 0
    first = f"--LabApp.default_url=/lab/tree/{min(FIRST, SECOND)}"
    root = f"--ServerApp.root_dir={tmp_path.resolve()}"
    assert command == [
        [str(Path(root, "pplab-course")), first, "--no-browser", "--port=8911"],
        [str(Path(root, "mine")), first, "--port=8889"],
    ]
    assert (tmp_path / "mine" / FIRST).is_file()


@pytest.mark.verify("commands")
def test_students_see_no_menu_of_nbgrader(tmp_path):
    """In the environment of a clone, where nbgrader is installed for the teacher."""
    options = ("--no-browser", "--allow-root", "--ServerApp.port=0", "--IdentityProvider.token=a")
    command = [sys.executable, "-m", "pplab", "lab", "mine", *options]
    named, where = re.compile(r"http://127\S+?:\d+"), {**os.environ, "PYTHONPATH": PYTHONPATH}
    with served(command, named, tmp_path / "said.txt", cwd=tmp_path, env=where) as address:
        at = address[0]
        with urllib.request.urlopen(f"{at}/lab?token=a", timeout=30) as page:
            text = page.read().decode()
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"{at}/formgrader?token=a", timeout=30)
    config = json.loads(re.search(r'id="jupyter-config-data"[^>]*>(.*?)</script>', text, re.S)[1])
    assert "@jupyter/nbgrader" in [each["name"] for each in config["federated_extensions"]]
    assert "@jupyter/nbgrader" in config["disabledExtensions"]


def test_what_cannot_be_done_is_said_in_one_sentence(course, monkeypatch):
    monkeypatch.setitem(sys.modules, "jupyterlab", None)
    monkeypatch.delitem(sys.modules, "jupyterlab.labapp", raising=False)
    no_lab = run("lab", course)
    assert no_lab.exit_code == 1
    assert no_lab.stderr.strip().endswith("python -m pip install jupyterlab")
    (course / start.MANIFEST).write_text("[1]", encoding="utf-8")
    for arguments, sentence in (
        (["notebooks", course / FIRST], "is a file: name a folder"),
        (["notebooks", course / FIRST / "new"], "; check that path, or name another"),
        (["teach", "zip", course / FIRST], "; check that path, or name another"),
        (["lab", course / FIRST], "is a file: name a folder"),
        (["notebooks", course], "is damaged; delete it"),
    ):
        result = output_of(*arguments, code=1)
        assert sentence in result
        assert len(result.splitlines()) == 1
    monkeypatch.setattr(start, "shipped", lambda: course)  # a damaged installation
    assert "this pplab has no notebooks" in run("notebooks", course / "new").output


def test_progress_knows_what_was_solved_and_forgets(tmp_path, monkeypatch):
    folder = tmp_path / "notes"
    monkeypatch.setenv("PPLAB_PROGRESS", str(folder))
    assert not check("02-C", 11)
    assert not folder.exists(), "a wrong answer is noted"
    assert check("02-C", 8)
    assert check("02-C", 8)
    text = run("progress").output
    assert re.search(r"^02  Noise graphs: a lot of .+  1 of 5  b C d p r  open: o$", text, re.M)
    assert re.search(
        r"^00  Find somebody: three films, and the price \.\.\.  +0 of 4  b c p r$", text, re.M
    )
    lines = text.splitlines()
    assert max(map(len, lines[:23])) <= 80
    assert lines[21].startswith("capital letter: solved; R recall, C compute, P prove by code, B")
    letters = set("".join(re.sub(r".* of \d|open:", "", line) for line in lines[:21]).upper())
    assert letters - {" "} == set(KINDS)
    assert "0 of 16 open exercises handed in" in text
    assert f"noted in {folder}" in text.replace("\n", "")
    assert [path.name for path in folder.iterdir()] == ["02-C"]
    (folder / "mine.txt").touch()
    assert "1 notes are deleted" in run("progress", "--forget").output
    assert "1 of 5" not in run("progress").output
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]


def test_notes_lie_in_the_students_folder_and_not_in_the_account(tmp_path, monkeypatch):
    monkeypatch.delenv("PPLAB_PROGRESS")
    for name in ("ada", "bob/notes"):
        start.copy_course(tmp_path / name)
        (tmp_path / name / "deep").mkdir()
    for here, home in (
        ("ada/deep", "ada"),
        ("bob/notes", "bob/notes"),
        ("elsewhere", "elsewhere"),
        ("with", "with/pplab-course"),
    ):
        (tmp_path / here).mkdir(exist_ok=True)
        if here == "with":
            start.copy_course(tmp_path / here / start.COURSE)
        monkeypatch.chdir(tmp_path / here)
        assert progress_folder() == tmp_path / home / ".pplab-solved"
    monkeypatch.chdir(tmp_path)
    mine = tmp_path / "bob" / "notes" / ".pplab-solved"
    assert f"exercises are noted in {mine}" in run("doctor", "bob/notes").output.replace("\n", "")
    shown = run("progress").output.replace("\n", "")
    assert f"{tmp_path / '.pplab-solved'}, which has none; type this in your" in shown
    assert not start.course_files().keys() & {"build.py", "src", "solutions"}


def test_a_folder_that_cannot_be_written_stops_nobody(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("PPLAB_PROGRESS", str(tmp_path / "file"))
    assert check("02-C", 8)
