"""What a teacher tried in the clone reaches nobody: each way out names the edited notebook."""

import html
import json
import os
import re
import shutil
import sys
import zipfile
from functools import cache
from pathlib import Path

import pytest

from pplab.shipped import shipped
from pplab_course import start
from pplab_course.handed_out import hashes, refuse_edited
from pplab_course.teach import course, demo, export, quiz
from tests.helpers import ROOT, ended, script
from tests.project.test_no_leaks import copy_project

NAMES = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A clone whose notebooks may be edited."""
    for part in ("notebooks", "docs"):
        shutil.copytree(ROOT / part, tmp_path / part)
    for module in (start, course):
        monkeypatch.setattr(module, "shipped", lambda: tmp_path)
    return tmp_path


def _solve(file):
    """Fill in the first exercise, as a browser would save it."""
    notebook = json.loads(file.read_text(encoding="utf-8"))
    cells = [c for c in notebook["cells"] if "solution" in c["metadata"].get("tags", [])]
    cell = (cells or notebook["cells"])[0]
    cell["source"] = "answer = 8\n" + "".join(cell["source"])
    file.write_text(json.dumps(notebook), encoding="utf-8")


SCRIPTS = ("setup.py", "book/build.py", "book/slides.py")


def _ways_out(folder, monkeypatch):
    """Everything that hands out, shows or packs, by the name of what it writes into a folder."""
    monkeypatch.setattr("setuptools.setup", lambda **_: None)
    monkeypatch.syspath_prepend(ROOT / "book")
    wheel, build, slides = (script(ROOT / name) for name in SCRIPTS)
    for module in (build, slides):
        monkeypatch.setattr(module, "ROOT", folder)
    monkeypatch.setattr(build, "chapters", cache(build.chapters))  # read for each link otherwise
    monkeypatch.setattr(build.widgets, "folders", lambda notebooks: [None] * len(notebooks))
    out, first = folder / "out", NAMES[0]
    monkeypatch.setattr(slides, "DECKS", out / "slides")
    for part in ("packages", "benchmarks", "data", "examples", "LICENSE", *ROOT.glob("*.md")):
        (folder / Path(part).name).symlink_to(ROOT / part)
    monkeypatch.chdir(folder)

    def packed():
        for file in wheel.BuildWithCourse._course(None):
            (out / "wheel" / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, out / "wheel" / file)

    return {
        "lab": lambda: start.copy_course(out / "lab"),
        "zip": lambda: course.archives(out / "zip"),
        "export": lambda: export.export(out / "export", folder / "secret", only=first, say=str),
        "demo": lambda: demo.demo(out / "demo", trusted=True, solutions=None, say=str),
        "quiz": lambda: quiz.write_quizzes(out / "quiz"),
        "book": lambda: build.stage(out / "book"),
        "slides": slides.main,
        "wheel": packed,
    }


def test_a_page_of_the_teacher_stays_with_the_teacher(clone):
    """Beside the pages that notebooks link to, such as the glossary, which students get."""
    (clone / "docs" / "answers-week-3.md").write_text("42")
    (clone / "docs" / "LIMITATIONS-mine.md").write_text("42")
    files = start.course_files()
    assert {name for name in files if "week-3" in name or "mine" in name} == set()
    assert {"docs/glossary.md", "docs/references.bib", "docs/scale.md"} <= files.keys()


def test_what_a_teacher_writes_into_a_page_stays_with_the_teacher(clone, monkeypatch):
    """Students get the pages as they were committed, and a wheel is not built."""
    monkeypatch.chdir(clone)
    (clone / "packages").symlink_to(ROOT / "packages")
    author = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false")
    for command in (["init", "-q"], ["add", "."], [*author, "commit", "-qm", "x"]):
        ended("git", *command)
    files, wheel = start.course_files(), script(ROOT / "setup.py")
    wheel.refuse_edited()
    monkeypatch.syspath_prepend(ROOT / "book")
    build = script(ROOT / "book/build.py")
    monkeypatch.setattr(build, "ROOT", clone)
    monkeypatch.setattr(build, "chapters", lambda: ["docs/glossary"])
    monkeypatch.setattr(build.widgets, "folders", lambda notebooks: [None] * len(notebooks))
    glossary = clone / "docs" / "glossary.md"
    glossary.write_text(f"{glossary.read_text('utf-8')}[42](answers-week-3.md)", "utf-8")
    (clone / "docs" / "answers-week-3.md").write_text("42")
    for _ in ("our own clone", "that of another account"):
        assert start.course_files() == files
        build.stage(clone / "book")
        assert "[42]" not in (clone / "book/docs/glossary.md").read_text("utf-8")
        with pytest.raises(ValueError, match=r"docs/answers-week-3\.md; commit it"):
            wheel.refuse_edited()
        monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    (git := clone / "git").write_text("#!/bin/sh\necho add safe.directory >&2\nexit 128\n")
    git.chmod(0o755)
    monkeypatch.setenv("PATH", str(clone), prepend=os.pathsep)
    for refused in (start.course_files, wheel.refuse_edited):
        with pytest.raises(ValueError, match=r"add safe\.directory"):
            refused()


def test_no_way_out_carries_an_edited_notebook(clone, monkeypatch):
    ways = _ways_out(clone, monkeypatch)
    for file in (f"{NAMES[1]}.ipynb", f"solutions/{NAMES[1]}.ipynb"):
        kept = (clone / "notebooks" / file).read_bytes()
        _solve(clone / "notebooks" / file)
        for name, way in ways.items():
            with pytest.raises(ValueError, match="has edited notebooks") as text:
                way()
            assert NAMES[1] in str(text.value), name
        (clone / "notebooks" / file).write_bytes(kept)
    assert list(clone.rglob("out/*/*.ipynb")) == []


def _runs(text):
    """All runs of twelve words of a text, whatever its format."""
    words = re.findall(r"\w+", re.sub(r"<[^>]*>|\\\\?n", " ", html.unescape(text)))
    return zip(*(words[place:] for place in range(12)), strict=False)


def _texts(place):
    """Name and text of each file of a folder, and of each in its archives."""
    for file in [place] if place.is_file() else sorted(place.rglob("*")):
        if file.suffix == ".zip":
            packed = zipfile.ZipFile(file)
            for name in packed.namelist():
                yield f"{file.name}: {name}", packed.read(name).decode()
        elif file.suffix in (".md", ".ipynb", ".html", ".toml", ".py", ".json", ".csv", ""):
            yield str(file), file.read_text("utf-8") if file.is_file() else ""


def test_no_way_out_carries_what_examiners_alone_read(clone, monkeypatch):
    pages = sorted((clone / "docs/teach/answers").iterdir())
    below = (re.sub(r"^#.*", "", page.read_text("utf-8"), flags=re.M) for page in pages)
    answers = set[tuple[str, ...]]().union(*map(_runs, below))
    assert [page.name for page in pages] == ["cards.toml", "exams.md", "midterm.md"]
    assert len(answers) > 5_000
    tells = cache(lambda text: not answers.isdisjoint(_runs(text)))  # most texts go several ways
    public = [page.read_text("utf-8") for page in clone.glob("docs/teach/*.md")]
    assert [re.findall(r"\*Answer\.\*|\*Leak:\*|[Mm]arking key", page) for page in public] == [
        []
    ] * 8
    ways = _ways_out(clone, monkeypatch)
    del ways["demo"]  # an export of the same notebook, marked
    for name, way in ways.items():
        way()
        assert (clone / "out" / name).exists(), name
    results = {name for name, text in _texts(clone / "out") if tells(text)}
    assert results == {
        f"pplab-course-teacher.zip: docs/teach/answers/{page.name}" for page in pages
    }
    source = [*ROOT.glob("pplab/**/*.py"), *ROOT.glob("packages/**/*.py"), ROOT / "README.md"]
    assert [file for file in source if tells(file.read_text("utf-8"))] == []


BUILT = "import sys; from setuptools import build_meta; build_meta.build_{}(sys.argv[1])"
TYPED = {
    "lab": ("-m", "pplab", "lab", "{}", "--no-browser", "--allow-root"),
    "notebooks": ("-m", "pplab", "notebooks", "{}"),
    "export": ("-m", "pplab", "teach", "export", "{}", "--secret", "secret"),
    "zip": ("-m", "pplab", "teach", "zip", "{}"),
    "quiz": ("-m", "pplab", "teach", "quiz", "{}/quiz.gift"),
    "demo": ("-m", "pplab", "teach", "demo", "{}/demo", "--trust", "--no-browser"),
    "slides": ("book/slides.py",),
    "book": ("book/build.py", "--out", "{}"),
    "sdist": ("-c", BUILT.format("sdist"), "{}"),
    "wheel": ("-c", BUILT.format("wheel"), "{}"),
}


@pytest.mark.verify("teach")
def test_a_teacher_who_solves_all_in_a_fresh_clone_hands_out_nothing(tmp_path):
    """As typed, by a teacher who solved every notebook in place, saved, and went on with README."""
    clone, out = tmp_path / "clone", tmp_path / "out"
    copy_project(clone)
    for name in NAMES:
        shutil.copy(clone / "notebooks/solutions" / f"{name}.ipynb", clone / "notebooks")
    before = {file for file in clone.rglob("*") if file.suffix != ".pyc"}
    here = {**os.environ, "PYTHONPATH": os.pathsep.join([str(clone), str(clone / "packages")])}
    for way, words in TYPED.items():
        command = [word.format(out / way) for word in words]
        text = ended(sys.executable, *command, cwd=clone, env=here, code=1)
        message = (text.stdout + text.stderr).replace("\n", " ")
        assert "has edited notebooks" in message, way
        assert [name for name in NAMES if f"{name}.ipynb" not in message] == [], way
        new = [*out.rglob("*"), *(file for file in clone.rglob("*") if file not in before)]
        files = [str(file) for file in new if file.is_file() and file.suffix != ".pyc"]
        assert [file for file in files if not re.search(r"slides/reveal|egg-info", file)] == [], way


def test_the_record_is_of_the_committed_notebooks():
    """Sources and outputs; a new notebook needs its record."""
    recorded = json.loads((ROOT / "notebooks" / "cells.json").read_text(encoding="utf-8"))
    assert recorded == hashes(shipped() / "notebooks")


def test_each_edited_notebook_is_named(clone):
    """One alone is in the other tests."""
    refuse_edited(clone / "notebooks")
    files = [f"{folder}{name}.ipynb" for folder in ("", "solutions/") for name in NAMES]
    for file in files:
        _solve(clone / "notebooks" / file)
    with pytest.raises(ValueError, match="has edited notebooks") as text:
        refuse_edited(clone / "notebooks")
    [listed] = re.findall("handed out: (.*); move yours", str(text.value))
    assert listed.split(", ") == files


def test_outputs_of_an_answer_that_was_taken_out_again_are_named(clone):
    file = clone / "notebooks" / f"{NAMES[0]}.ipynb"
    notebook = json.loads(file.read_bytes())
    cell = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    cell["outputs"].append({"output_type": "stream", "name": "stdout", "text": ["the answer"]})
    file.write_text(json.dumps(notebook), encoding="utf-8")
    with pytest.raises(ValueError, match=f"would be handed out: {file.name}; move yours"):
        refuse_edited(clone / "notebooks")
