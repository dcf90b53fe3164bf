"""`pplab doctor`: each thing that is wrong is named with the command that mends it."""

import importlib.metadata
import os
import sys
import webbrowser

import pytest

from pplab_course import doctor, start
from tests.helpers import ended, output_of


@pytest.fixture(autouse=True)
def _notes(tmp_path, monkeypatch):
    monkeypatch.setenv("PPLAB_PROGRESS", str(tmp_path / "notes"))
    monkeypatch.delenv("PPLAB_DATA", raising=False)
    monkeypatch.setenv("PPLAB_CACHE", str(tmp_path / "cache"))


def findings(folder):
    results = {"good": [], "note": [], "mend": []}
    for finding in doctor.examine(folder):
        results[finding.state].append(finding)
    return results


def mends(result, words):
    """The command for the one finding that has these words."""
    [finding] = [each for each in result if words in each.text]
    return finding.mend


def test_a_good_machine_needs_nothing(tmp_path):
    text = output_of("doctor", tmp_path)
    count = sum("/" not in name for name in start.course_files())
    assert f"{count} notebooks; `pplab lab` opens them" in text
    assert "every package that it needs" in text
    assert not (tmp_path / "notes").exists(), "the try was not cleared away"


def test_a_package_that_is_missing_or_too_old_is_named(tmp_path, monkeypatch):
    known = importlib.metadata.version

    def version(name):
        if name == "networkx":
            raise importlib.metadata.PackageNotFoundError
        return "1.26.4" if name == "numpy" else known(name)

    monkeypatch.setattr(importlib.metadata, "version", version)
    wrong = findings(tmp_path)["mend"]
    assert mends(wrong, "numpy is 1.26.4") == 'python -m pip install "numpy>=2.0"'
    assert mends(wrong, "networkx is missing").startswith('python -m pip install "networkx')
    output_of("doctor", tmp_path, code=1)


def test_what_slows_or_hides_is_noted(tmp_path, monkeypatch):
    def none(*_):
        raise webbrowser.Error

    (tmp_path / "file").touch()
    monkeypatch.setattr(webbrowser, "get", none)
    monkeypatch.setenv("PPLAB_PROGRESS", str(tmp_path / "file"))
    result = findings(tmp_path)
    assert result["mend"] == []
    assert "--no-browser" in mends(result["note"], "no browser")
    assert mends(result["note"], "no real data") == "pplab data status"
    assert "PPLAB_PROGRESS" in mends(result["note"], "cannot be noted")
    monkeypatch.setenv("PPLAB_DATA", str(tmp_path / "nowhere"))
    assert mends(findings(tmp_path)["mend"], "PPLAB_DATA names") == "correct or unset PPLAB_DATA"


def test_old_notebooks_and_a_damaged_installation(tmp_path, monkeypatch):
    start.copy_course(tmp_path)
    assert any("0 of them edited" in each.text for each in findings(tmp_path)["good"])
    files = start.course_files() | {"00_find_somebody.ipynb": b"newer", "99_more.ipynb": b"new"}
    monkeypatch.setattr(start, "course_files", lambda: files)
    [text] = [each.text for each in findings(tmp_path)["note"] if "older" in each.text]
    assert "1 files are missing, 1 are older" in text
    (tmp_path / start.MANIFEST).write_text("no json", encoding="utf-8")
    assert any("is damaged" in each.text for each in findings(tmp_path)["mend"])
    monkeypatch.undo()
    monkeypatch.setattr(start, "shipped", lambda: tmp_path)
    monkeypatch.setenv("PPLAB_RESULTS", str(tmp_path))
    wrong = findings(tmp_path)["mend"]
    assert ".whl" in mends(wrong, "no stored results")
    assert ".whl" in mends(wrong, "no notebooks")


_CACHE = (
    "from pplab_course import doctor; [found] = doctor._cache(); print(found.state, found.text)"
)


def test_the_cache_of_compiled_functions(tmp_path):
    """Nothing in it yet; no folder for it; one that is only read."""
    folder = tmp_path / "compiled"
    nowhere = "import numba.core.caching as c; c.CacheImpl._locator_classes = []; "
    use = "from pplab.compiled import mixed as f; f._cache._cache_file._save_index({}); "
    for code, words in (
        (_CACHE, "note nothing is compiled yet"),
        (nowhere + _CACHE, "cannot be kept"),
        (use + _CACHE, f"good compiled functions are kept in {folder}"),
        (nowhere + _CACHE, f"good compiled functions are kept in {folder}"),
    ):
        environment = os.environ | {"NUMBA_CACHE_DIR": str(folder)}
        assert words in ended(sys.executable, "-c", code, env=environment).stdout


@pytest.mark.verify("commands")
def test_what_is_compiled_in_advance_is_called_rightly(tmp_path):
    assert "compiled functions are kept in" in output_of("doctor", tmp_path, "--warm")
