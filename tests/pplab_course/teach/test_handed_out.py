"""What a teacher tried in the clone reaches nobody: each way out names the edited notebook."""

import json
import shutil

import pytest

from pplab.shipped import shipped
from pplab_course import start
from pplab_course.handed_out import hashes, refuse_edited
from pplab_course.teach import course, demo, export, quiz
from tests.helpers import ROOT, script

NAMES = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A clone whose notebooks may be edited."""
    for part in ("notebooks", "docs"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("src"))
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


def _ways_out(folder, monkeypatch):
    """Everything that hands out, shows or packs, by name."""
    monkeypatch.setattr("setuptools.setup", lambda **_: None)
    monkeypatch.syspath_prepend(ROOT / "book")
    wheel, build, slides = (script(ROOT / name) for name in SCRIPTS)
    for module in (build, slides):
        monkeypatch.setattr(module, "ROOT", folder)
    monkeypatch.setattr(slides, "DECKS", folder / "slides")
    place = "packages/pplab_course"
    (folder / place).mkdir(parents=True)
    shutil.copy(ROOT / place / "handed_out.py", folder / place)
    monkeypatch.chdir(folder)
    return {
        "lab, notebooks": lambda: start.copy_course(folder / "mine"),
        "zip": lambda: course.archives(folder),
        "export": lambda: export.export(folder / "course", folder / "secret", say=str),
        "demo": lambda: demo.demo(folder / "demo", trusted=True, solutions=None, say=str),
        "quiz": lambda: quiz.write_quizzes(folder / "quiz.txt"),
        "book": lambda: build.stage(folder / "book"),
        "slides": slides.main,
        "wheel": lambda: wheel.BuildWithCourse._course(None),
    }


SCRIPTS = ("setup.py", "book/build.py", "book/slides.py")


def test_no_way_out_carries_an_edited_notebook(clone, monkeypatch):
    ways = _ways_out(clone, monkeypatch)
    before = sorted(path.name for path in clone.iterdir())
    for file in (f"{NAMES[1]}.ipynb", f"solutions/{NAMES[1]}.ipynb"):
        kept = (clone / "notebooks" / file).read_bytes()
        _solve(clone / "notebooks" / file)
        for name, way in ways.items():
            with pytest.raises(ValueError, match="has edited notebooks") as told:
                way()
            assert NAMES[1] in str(told.value), name
        (clone / "notebooks" / file).write_bytes(kept)
    assert sorted(path.name for path in clone.iterdir()) in (before, sorted([*before, "slides"]))


def test_the_record_is_of_the_committed_notebooks():
    """A notebook that was run again is not an edited one; a new one needs its record."""
    recorded = json.loads((ROOT / "notebooks" / "cells.json").read_text(encoding="utf-8"))
    assert recorded == hashes(shipped() / "notebooks")


@pytest.mark.parametrize("name", NAMES)
def test_an_edited_notebook_is_named(name, clone):
    refuse_edited(clone / "notebooks")
    for file in (f"{name}.ipynb", f"solutions/{name}.ipynb"):
        kept = (clone / "notebooks" / file).read_bytes()
        _solve(clone / "notebooks" / file)
        with pytest.raises(ValueError, match=rf"would be handed out: {file}; move yours"):
            refuse_edited(clone / "notebooks")
        (clone / "notebooks" / file).write_bytes(kept)
    refuse_edited(clone / "notebooks")
