"""Compiled functions are compiled again when the file they share has changed."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numba
import pytest

from pplab import _compiled

SHARED = "\n\n@njit(inline='always')\ndef step(x):\n    return x + {}\n"
CALLER = """
import numba
from made._compiled import njit, step

@njit(nogil=True)
def twice(x):
    return step(step(x))

@numba.njit(cache=True)
def twice_by_numba(x):
    return step(step(x))
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "caller.py").write_text(CALLER)
    return tmp_path / "made"


def imported_anew(package: Path, *, step: int) -> ModuleType:
    """The caller as a new process sees it, where the shared file adds `step`."""
    text = Path(_compiled.__file__).read_text() + SHARED.format(step)
    (package / "_compiled.py").write_text(text)
    for name in [name for name in sys.modules if name.partition(".")[0] == "made"]:
        del sys.modules[name]
    importlib.invalidate_caches()
    return importlib.import_module("made.caller")


def test_a_change_of_the_shared_file_is_noticed(package: Path) -> None:
    first = imported_anew(package, step=1)
    assert (first.twice(0), first.twice_by_numba(0)) == (2, 2)
    again = imported_anew(package, step=1)
    assert again.twice(0) == 2
    assert sum(again.twice.stats.cache_hits.values()) == 1
    changed = imported_anew(package, step=500)
    assert changed.twice(0) == 1000
    assert changed.twice_by_numba(0) == 2, "numba sees it now: njit of _compiled can go"
    assert first.twice(0.5) == 2.5, "an old process goes on with what it has read"
    assert imported_anew(package, step=500).twice(0.5) == 1000.5


def test_without_a_folder_to_write_to_it_is_compiled_in_each_process(
    package: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _compiled._tell_uncached.cache_clear()
    with monkeypatch.context() as nowhere:
        nowhere.setattr(numba.core.caching.CacheImpl, "_locator_classes", [])
        for divisor in (2, 4):
            part = _compiled.njit()(lambda x, divisor=divisor: x / divisor)
            assert part(3) == 3 / divisor
            assert part.stats.cache_path is None
    assert capsys.readouterr().err.count("\n") == 1
    caller = imported_anew(package, step=1)

    def full_disk(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(numba.core.caching.IndexDataCacheFile, "_save_data", full_disk)
    assert (caller.twice(0), caller.twice(0.5)) == (2, 2.5)
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "set NUMBA_CACHE_DIR to one that you can write" in said


def test_without_compiler_it_is_the_plain_function(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    assert _compiled.njit(nogil=True)(imported_anew) is imported_anew


def test_a_type_that_is_gone_makes_the_stored_code_stale(package: Path) -> None:
    """As after an update in which a named tuple was renamed; numba alone would not start."""
    rows = "\n\nclass {}(NamedTuple):\n    x: int\n"
    caller = "from made._compiled import njit\n\n@njit()\ndef first(rows):\n    return rows.x\n"
    (package / "caller.py").write_text(caller)
    for name in ("Old", "New"):
        (package / "types.py").write_text("from typing import NamedTuple" + rows.format(name))
        caller = imported_anew(package, step=1)
        kind = getattr(importlib.import_module("made.types"), name)
        assert caller.first(kind(3)) == 3


def test_what_another_account_has_compiled_is_read(
    package: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As for students of a hub: the package's folder is not theirs to write."""
    assert imported_anew(package, step=1).twice(0) == 2
    before = {file: file.read_bytes() for file in (package / "__pycache__").iterdir()}
    locator = numba.core.caching.InTreeCacheLocator
    monkeypatch.setattr(locator, "ensure_cache_path", _not_ours)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "own"))
    reader = imported_anew(package, step=1)
    assert reader.twice(0) == 2
    assert sum(reader.twice.stats.cache_hits.values()) == 1
    assert reader.twice(0.5) == 2.5  # which nobody has compiled yet
    assert {file: file.read_bytes() for file in before} == before
    again = imported_anew(package, step=1)
    assert (again.twice(0), again.twice(0.5)) == (2, 2.5)
    assert sum(again.twice.stats.cache_hits.values()) == 2
    assert str(tmp_path / "own") in str(again.twice.stats.cache_path)


def _not_ours(_: object) -> None:
    raise PermissionError(13, "Permission denied")


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="root gives away a file"
)
def test_a_folder_of_another_owner_is_read_by_an_ordinary_account(package: Path) -> None:
    """The same with real accounts; nothing else of this machine belongs to number 54321."""
    assert imported_anew(package, step=1).twice(0) == 2
    for folder in [package, *package.parents][:4]:
        folder.chmod(folder.stat().st_mode | 0o055)
    home = package.parent / "home"
    home.mkdir()
    os.chown(home, 54321, 54321)
    code = (
        f"import os, sys\nsys.path.insert(0, {str(package.parent)!r})\nimport numba, pandas\n"
        f"os.environ['HOME'] = os.environ['XDG_CACHE_HOME'] = {str(home)!r}\nos.setuid(54321)\n"
        "from made.caller import twice\nprint(twice(0), sum(twice.stats.cache_hits.values()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split() == ["2", "1"], done.stderr
